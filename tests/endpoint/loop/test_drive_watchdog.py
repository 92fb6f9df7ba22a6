"""What becomes of vehicles whose clients fall silent, by datagrams as they are sent, in simulated time."""

from __future__ import annotations

from functools import partial

import pytest

from dorosim.endpoint.loop.drive_watchdog import BRAKING, DriveWatchdog
from dorosim.world.actor.command import PauseRun
from dorosim.world.command import Command, Source
from dorosim.world.snapshot import EGO
from dorosim.world.vehicle.command import DriveVehicle, SelectMode, TakeKeyboard
from dorosim.world.vehicle.mode import ControlKind, ControlMode
from tests.packet import control, trajectory
from tests.system.rig import Rig, rig

GO = control(accel=0.3, steer=0.1)
TICKS = 100
"""In a second."""


class Watched:
    """A run with a watchdog, and what its ticks held.

    Args:
        town: the run.
        watchdog: of it.
    """

    def __init__(self, town: Rig, when_silent: str, *, paced: bool = True) -> None:
        self.town, self.loop = town, town.loop
        self.lines: list[str] = town.told
        self.commands: list[Command] = []
        self.loop.watchdog = DriveWatchdog({"udp": when_silent}, town.journal, paced=paced)
        self.loop.observers = (lambda _, commands: self.commands.extend(commands),)

    def turn(self, ticks: int = 1, *datagrams: bytes, every: int = 1, sender: str = "udp") -> None:
        """Let ticks go by, with datagrams in every so many."""
        put = partial(self.loop.inbox.put, sender=sender)
        for tick in range(ticks):
            if tick % every == 0:
                self.town.send(*datagrams)
            self.town.endpoint.wait(0.0, put, self.loop.now)
            self.loop.turn()

    @property
    def brakes(self) -> list[DriveVehicle]:
        return [one for one in self.commands if isinstance(one, DriveVehicle) and one.acceleration == -BRAKING]

    @property
    def speed(self) -> float:
        return float(self.loop.now.vehicle.velocity_x[0])


@pytest.fixture
def braked(tmp_path) -> Watched:
    return Watched(rig(tmp_path), "brake")


@pytest.fixture
def holding(tmp_path) -> Watched:
    return Watched(rig(tmp_path), "hold")


def test_a_client_that_falls_silent_is_braked_after_a_second_by_a_command(braked):
    braked.turn(2 * TICKS, GO, every=5)
    last = braked.loop.now.time
    braked.turn(TICKS - 6)
    assert not braked.brakes
    braked.turn(10)
    (brake,) = braked.brakes
    assert brake.actor == EGO
    assert brake.steer == braked.loop.now.vehicle.target_steer[0] != 0.0
    assert braked.loop.now.time - last < 1.1e9
    braked.turn(3 * TICKS)
    assert braked.speed == 0.0
    stood = float(braked.loop.now.vehicle.x[0])
    braked.turn(3 * TICKS)
    assert float(braked.loop.now.vehicle.x[0]) == stood
    assert len(braked.brakes) == 1
    assert [line for line in braked.lines if "watchdog" in line] == [
        "watchdog: Ego: no command over UDP for 1 s; it is braked, until the next one comes"
    ]


def test_the_next_command_drives_on(braked):
    braked.turn(TICKS, GO, every=5)
    braked.turn(3 * TICKS)
    assert len(braked.brakes) == 1
    braked.turn(TICKS, GO, every=5)
    assert braked.speed > 0.5
    assert len(braked.brakes) == 1


def test_by_default_the_last_command_holds_and_a_line_says_so_once(holding):
    holding.turn(TICKS, GO, every=5)
    holding.turn(4 * TICKS)
    assert not holding.brakes
    assert holding.speed > 2.5
    (line,) = [line for line in holding.lines if "watchdog" in line]
    assert 'the last one holds ([udp] watchdog = "brake" brakes)' in line


def test_another_silence_is_another_line(holding):
    for _ in range(2):
        holding.turn(TICKS, GO, every=5)
        holding.turn(2 * TICKS)
    assert holding.town.journal.counts["watchdog"] == 2


@pytest.mark.parametrize(("count", "brakes"), [(1, 0), (4, 0), (5, 1)])
def test_only_a_client_that_commands_all_the_time_is_braked(braked, count, brakes):
    braked.turn(count * 10, GO, every=10)
    braked.turn(3 * TICKS)
    assert len(braked.brakes) == brakes
    assert braked.town.journal.counts["watchdog"] == 1


def test_five_commands_that_took_longer_than_a_second_are_no_stream(braked):
    braked.turn(5 * 30, GO, every=30)
    braked.turn(3 * TICKS)
    assert not braked.brakes


def test_single_commands_are_reported_once_and_not_in_a_run_as_fast_as_possible(tmp_path):
    paced, fast = Watched(rig(tmp_path), "hold"), Watched(rig(tmp_path), "hold", paced=False)
    for one in (paced, fast):
        for _ in range(3):
            one.turn(2 * TICKS, GO, every=2 * TICKS)
    assert paced.town.journal.counts["watchdog"] == 1
    assert fast.town.journal.counts["watchdog"] == 0


def test_a_vehicle_that_stands_and_is_not_braked_is_not_worth_a_line(holding):
    holding.turn(TICKS, control(brake=1.0), every=5)
    holding.turn(2 * TICKS)
    assert not [line for line in holding.lines if "watchdog" in line]


def test_nothing_counts_in_a_pause(braked):
    braked.turn(TICKS, GO, every=5)
    braked.town.put(PauseRun(paused=True))
    braked.turn(10 * TICKS)
    assert not braked.brakes
    braked.town.put(PauseRun(paused=False))
    braked.turn(TICKS - 20)
    assert not braked.brakes
    braked.turn(30)
    assert len(braked.brakes) == 1


def test_commands_in_a_pause_make_no_stream(braked):
    braked.town.put(PauseRun(paused=True))
    braked.turn(TICKS, GO, every=5)
    braked.town.put(PauseRun(paused=False))
    braked.turn(3 * TICKS)
    assert not braked.brakes


def test_nothing_counts_while_clients_step_the_run(braked):
    braked.turn(TICKS, GO, every=5)
    braked.loop.gate.close(braked.loop.now.time)
    braked.turn(3 * TICKS)
    braked.loop.gate.open()
    braked.turn(3 * TICKS)
    assert not braked.brakes


@pytest.mark.parametrize(
    "command",
    [SelectMode(EGO, ControlMode.CRUISE), TakeKeyboard(EGO), DriveVehicle(EGO, ControlKind.PEDALS, accelerator=0.2)],
)
def test_who_is_driven_by_somebody_else_is_not_braked(braked, command):
    braked.turn(TICKS, GO, every=5)
    braked.loop.put(Source.SCENARIO, command)
    braked.turn(3 * TICKS)
    assert not braked.brakes


def test_a_trajectory_is_followed_to_its_end(braked):
    braked.turn(TICKS, GO, every=5)
    x, y = float(braked.loop.now.vehicle.x[0]), float(braked.loop.now.vehicle.y[0])
    braked.turn(1, trajectory([(x, y, 0.0, 5.0), (x + 30.0, y, 0.0, 5.0)]))
    braked.turn(3 * TICKS)
    assert not braked.brakes


def test_a_reset_forgets_who_drove(braked):
    braked.turn(TICKS, GO, every=5)
    braked.loop.reset()
    braked.turn(3 * TICKS)
    assert not braked.brakes


def test_each_interface_has_its_own_setting(braked):
    braked.turn(TICKS, GO, every=5, sender="grpc")
    braked.turn(3 * TICKS)
    assert not braked.brakes
    assert any("over gRPC" in line and "[grpc] watchdog" in line for line in braked.lines)
