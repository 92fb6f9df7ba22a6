"""Watches for clients that drive a vehicle and fall silent.

The last command of a vehicle holds until another one comes, however long that is. A client that had sent commands all
the time and has stopped has ended, hangs or has lost its connection, and its vehicle drives on by the last one. The
user is told, and where the settings of the client's interface say so, the vehicle is braked to a standstill
(docs/decisions/0069-a-client-that-falls-silent.md).

Time is simulated time, and the brake is a command of a tick like any other, so it is recorded, and a replay has it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from dorosim.bridge.actor import names_of
from dorosim.endpoint.journal import Journal
from dorosim.world.command import Command, Source
from dorosim.world.inbox import CommandBatch
from dorosim.world.snapshot import Snapshot
from dorosim.world.vehicle.command import DriveGroundState, DriveGroundVehicle, DriveVehicle, SteerVehicle
from dorosim.world.vehicle.mode import ControlKind, ControlMode, DynamicsKind, SteerType

SILENCE = 1_000_000_000
"""Simulated time without a command after which a client is silent [ns]."""
STREAM = 5
"""Commands in its last second by which a client counts as one that commands all the time."""
BRAKING = 4.0
"""Deceleration of a vehicle that is braked [m/s²]: the most that UN Regulation 157 (2021), paragraph 5.3.2, asks of a
minimum risk manoeuvre."""
WATCHDOG = "watchdog"
"""Kind of the lines by which a journal counts."""

WhenSilent = Literal["hold", "brake"]
_DRIVING = (DriveVehicle, DriveGroundVehicle, DriveGroundState, SteerVehicle)
_NAMES = {"udp": "UDP", "grpc": "gRPC", "ros": "ROS", "tcp_step": "TCP"}
_WATCHED = frozenset(
    {
        ControlKind.PEDALS,
        ControlKind.VELOCITY,
        ControlKind.VELOCITY_BY_ABILITY,
        ControlKind.ACCELERATION,
        ControlKind.GROUND_DIRECT,
        ControlKind.GROUND_STATE,
    }
)
"""What a client has to repeat; a trajectory ends by itself, and a ghost stands where it was put."""


@dataclass(slots=True)
class _Driven:
    """A vehicle that a client drives.

    Attributes:
        sender: interface. last: simulated time of its last command [ns].
        times: of its last commands while time passed [ns].
    """

    sender: str
    last: int = 0
    times: deque[int] = field(default_factory=lambda: deque(maxlen=STREAM))

    @property
    def streamed(self) -> bool:
        """Whether there were `STREAM` commands in the second before the last one."""
        return len(self.times) == STREAM and self.last - self.times[0] <= SILENCE


class DriveWatchdog:
    """Looks at the commands of each tick. Not safe from several threads: the loop's own calls it.

    Args:
        when_silent: what becomes of a vehicle, by the interface of its client; "hold" where there is none.
        journal: where it is reported.
        paced: whether simulated time passes by the clock: then single commands, too, are reported once a vehicle. Where
            it does not, a second may be over before a client can send its next one.
    """

    def __init__(self, when_silent: Mapping[str, WhenSilent], journal: Journal, *, paced: bool = True) -> None:
        self._when_silent = dict(when_silent)
        self._journal = journal
        self._paced = paced
        self._driven: dict[int, _Driven] = {}
        self._told: set[int] = set()
        self._time = 0

    def look(
        self, now: Snapshot, batches: Sequence[CommandBatch], *, held: bool = False, stepped: bool = False
    ) -> Sequence[CommandBatch]:
        """Note the commands that come in the next tick.

        Args:
            now: the snapshot before it.
            batches: of it.
            held: whether it has no duration, as in a pause: its commands do not count.
            stepped: whether clients step the run: then none is silent, since time waits for them.

        Returns:
            More commands for the tick, which brake.
        """
        if stepped or now.time < self._time:
            self._driven.clear()
        self._time = now.time
        if stepped:
            return ()
        for batch in batches:
            for command in batch.commands:
                if isinstance(command, _DRIVING):
                    self._note(command.actor, batch.sender, now.time, held=held)
        if held or not self._driven:
            return ()
        return self._end_silent(now)

    def _note(self, actor: int, sender: str, time: int, *, held: bool) -> None:
        """Note a command that drives an actor."""
        if not sender:
            self._driven.pop(actor, None)  # a scenario or a replay drives it, which has nobody who could fall silent
            return
        driven = self._driven.get(actor)
        if driven is None or driven.sender != sender:
            driven = self._driven[actor] = _Driven(sender)
        driven.last = time
        if not held:
            driven.times.append(time)

    def _end_silent(self, now: Snapshot) -> Sequence[CommandBatch]:
        """Report clients that have fallen silent, and forget them. Returns what brakes their vehicles."""
        silent = [actor for actor, driven in self._driven.items() if now.time - driven.last >= SILENCE]
        found = []
        for actor in silent:
            driven = self._driven.pop(actor)
            row = now.row_of(actor)
            if row < 0 or not _is_driven(now, row):
                continue
            brakes = driven.streamed and self._when_silent.get(driven.sender) == "brake"
            if brakes:
                found.append(CommandBatch(Source.PEER, (brake_of(now, actor),)))
            moves = now.vehicle.velocity_x[row] != 0.0
            if brakes or (moves and (driven.streamed or (self._paced and actor not in self._told))):
                self._report(now, actor, driven.sender, brakes=brakes)
        return found

    def _report(self, now: Snapshot, actor: int, sender: str, *, brakes: bool) -> None:
        self._told.add(actor)
        name, way = names_of(now).text_of(actor), _NAMES.get(sender, sender)
        if brakes:
            text = f"{name}: no command over {way} for 1 s; it is braked, until the next one comes"
        else:
            text = f'{name}: no command over {way} for 1 s; the last one holds ([{sender}] watchdog = "brake" brakes)'
        self._journal.report(WATCHDOG, text)


def _is_driven(now: Snapshot, row: int) -> bool:
    """Whether a vehicle still follows what clients have to repeat."""
    vehicle = now.vehicle
    return (
        vehicle.control_mode[row] == ControlMode.AUTO
        and int(vehicle.control_kind[row]) in _WATCHED
        and not vehicle.seized[row]
        and not vehicle.paused[row]
    )


def brake_of(now: Snapshot, actor: int) -> Command:
    """The command that brakes a vehicle to a standstill and holds it there, with its wheels where they are asked to be.

    Args:
        now: the last snapshot, which has the vehicle.
        actor: its id.
    """
    vehicle, row = now.vehicle, now.row_of(actor)
    kind = vehicle.control_kind[row]
    if kind == ControlKind.GROUND_STATE:
        return DriveGroundState(actor, 0.0, 0.0)
    steer, rear = float(vehicle.target_steer[row]), float(vehicle.target_rear_steer[row])
    if kind == ControlKind.GROUND_DIRECT:
        if now.parameter.dynamics[row] != DynamicsKind.SINGLE_TRACK:
            axles: Iterable[float] = vehicle.axle_steer[:, row].tolist()
            return DriveGroundVehicle(actor, SteerType.ACKERMANN, 0.0, 0.0, tuple(axles))
        # a car brakes by no throttle
        steer, rear = float(vehicle.steer[row]), float(vehicle.rear_steer[row])
    return DriveVehicle(actor, ControlKind.ACCELERATION, acceleration=-BRAKING, steer=steer, rear_steer=rear)
