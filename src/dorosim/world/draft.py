"""The next snapshot while it is being made."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import TypeVar

from dorosim.ground.growable_array import GrowableArray
from dorosim.ground.noise import Noise
from dorosim.world.actor.alias import AliasTable
from dorosim.world.actor.label import Labels
from dorosim.world.actor.number import LAST_NUMBER, NumberTable, renumbered
from dorosim.world.collision.contact import ContactTable
from dorosim.world.environment.friction_area import Friction
from dorosim.world.environment.gnss_denied_area import ShadeTable
from dorosim.world.environment.weather import EnvironmentState
from dorosim.world.fault.table import FaultTable
from dorosim.world.mount.state import Mounts
from dorosim.world.obstacle.state import Obstacles
from dorosim.world.pedestrian.state import CrosswalkState, Pedestrians
from dorosim.world.signal.state import SignalState
from dorosim.world.snapshot import LAST_ID, Outcome, Snapshot
from dorosim.world.spawn.state import SpawnPoints
from dorosim.world.traffic.ghost import GhostState
from dorosim.world.traffic.route import RouteTable
from dorosim.world.traffic.state import Presence, TrafficState
from dorosim.world.vehicle.driver import TrajectoryTable
from dorosim.world.vehicle.goal import Goals
from dorosim.world.vehicle.parameter import VehicleParameter
from dorosim.world.vehicle.state import VehicleState

Table = TypeVar("Table", TrafficState, GhostState, FaultTable, Pedestrians, Obstacles)

_OFF_LANE = int(Presence.OFF_LANE)


@dataclass(slots=True, kw_only=True)
class Draft:
    """The next snapshot; its attributes are those of `Snapshot`.

    `vehicle`, `traffic`, `people`, `obstacles`, `ghost` and `fault` are writable copies, unless they are empty; the
    rest is read-only and replaced as a whole.

    Attributes:
        before: the snapshot that it comes after.
        noise: the run's randomness.
        made: the actor that the present command made, 0 for none.
        new: ids that were given in this tick, ascending. gone: ids of the actors that left in it.
        growth: room behind the tables to which commands add actors; `pack` after them.
    """

    before: Snapshot
    tick: int
    time: int
    paused: bool
    last_id: int
    camera: int
    egos: tuple[int, ...]
    vehicle: VehicleState
    parameter: VehicleParameter
    trajectory: TrajectoryTable
    traffic: TrafficState
    route: RouteTable
    goal: Goals
    ghost: GhostState
    people: Pedestrians
    crosswalk: CrosswalkState
    obstacles: Obstacles
    spawn: SpawnPoints
    signal: SignalState
    environment: EnvironmentState
    fault: FaultTable
    friction: Friction
    shade: ShadeTable
    mounts: Mounts
    contact: ContactTable
    alias: AliasTable
    label: Labels
    number: NumberTable
    noise: Noise
    outcomes: list[Outcome] = field(default_factory=list)
    made: int = 0
    new: list[int] = field(default_factory=list)
    gone: set[int] = field(default_factory=set)
    _held: int = -1
    _ahead: Collection[int] | None = None
    growth: GrowableArray = field(default_factory=GrowableArray)

    @classmethod
    def after(cls, now: Snapshot, noise: Noise) -> Draft:
        """The draft of the snapshot after another one, in which nothing has happened yet."""
        return cls(
            before=now,
            tick=now.tick + 1,
            time=now.time,
            paused=now.paused,
            last_id=now.last_id,
            camera=now.camera,
            egos=now.egos,
            vehicle=now.vehicle.copy(),
            parameter=now.parameter,
            trajectory=now.trajectory,
            traffic=_writable(now.traffic),
            route=now.route,
            goal=now.goal,
            ghost=_writable(now.ghost),
            people=_writable(now.people),
            crosswalk=now.crosswalk,
            obstacles=_writable(now.obstacles),
            spawn=now.spawn,
            signal=now.signal,
            environment=now.environment,
            fault=_writable(now.fault),
            friction=now.friction,
            shade=now.shade,
            mounts=now.mounts,
            contact=now.contact,
            alias=now.alias,
            label=now.label,
            number=now.number,
            noise=noise,
        )

    def pack(self) -> None:
        """Make the tables contiguous to which actors were added through `growth`: kernels see them next."""
        self.traffic, self.people, self.obstacles = self.traffic.packed(), self.people.packed(), self.obstacles.packed()
        self.growth = GrowableArray()

    def finish(self) -> Snapshot:
        """The snapshot; the draft must not be used any more."""
        before = self.before
        if self.new or self.gone:
            self.number = self._renumbered()
        for new, old in (
            (self.traffic, before.traffic),
            (self.ghost, before.ghost),
            (self.people, before.people),
            (self.obstacles, before.obstacles),
            (self.fault, before.fault),
            (self.contact, before.contact),
            (self.number, before.number),
        ):
            if new is not old:
                new.freeze()
        return Snapshot(
            tick=self.tick,
            time=self.time,
            paused=self.paused,
            last_id=self.last_id,
            camera=self.camera,
            egos=self.egos,
            vehicle=self.vehicle.freeze(),
            parameter=self.parameter,
            trajectory=self.trajectory,
            traffic=self.traffic,
            route=self.route,
            goal=self.goal,
            ghost=self.ghost,
            people=self.people,
            crosswalk=self.crosswalk,
            obstacles=self.obstacles,
            spawn=self.spawn,
            signal=self.signal,
            environment=self.environment,
            fault=self.fault,
            friction=self.friction,
            shade=self.shade,
            mounts=self.mounts,
            contact=self.contact,
            alias=self.alias,
            label=self.label,
            number=self.number,
            outcomes=tuple(self.outcomes),
        )

    def is_empty(self) -> bool:
        """Whether vehicles with full dynamics are the only actors, and none has a plan in the traffic."""
        return not (self.traffic.rows or self.people.state.rows or self.obstacles.state.rows or self.ghost.rows)

    def has_nobody_off_lanes(self) -> bool:
        """Whether there are no pedestrians, obstacles, ghosts or NPC vehicles off the lanes."""
        others = self.people.state.rows or self.obstacles.state.rows or self.ghost.rows
        return not others and int(self.traffic.present.max(initial=0)) < _OFF_LANE

    def row_of(self, actor: int) -> int:
        """Row of a vehicle with full dynamics, -1 if there is none of this id."""
        row = bisect_left(self.egos, actor)
        return row if row < len(self.egos) and self.egos[row] == actor else -1

    def new_id(self) -> int:
        """The next id, noted as the actor that the present command made; 0 if there is no room for another actor.

        A number by which a ghost is reported, or was until not long ago, is left out: no other actor gets it as its id.
        """
        actor = self.last_id + 1
        while self._is_told_of(actor):
            actor += 1
        if actor > LAST_ID or not self.room():
            return 0
        self.last_id = self.made = actor
        self.new.append(actor)
        return actor

    def take_back(self, last: int) -> None:
        """Give back the ids above one: the actors that were to get them were not made."""
        self.last_id, self.made = last, 0
        while self.new and self.new[-1] > last:
            self.new.pop()

    def room(self) -> int:
        """How many more things with an id there may be: as many as numbers are free."""
        if self._held < 0:
            self._held = self.before.number.held()
        told = len(self.ghost.told_besides()) if self.ghost.rows else 0
        return LAST_NUMBER - self._held - len(self.new) + len(self.gone) - told

    def _is_told_of(self, number: int) -> bool:
        """Whether a ghost is reported by a number beyond the ids that were given, or was until not long ago."""
        if self._ahead is None:
            numbers = self.before.number.number
            self._ahead = frozenset(numbers[numbers > self.before.last_id].tolist())
        return number in self._ahead or (self.ghost.rows > 0 and self.ghost.row_told_as(number) >= 0)

    def _renumbered(self) -> NumberTable:
        """The numbers of the actors in the world at the end of the tick."""
        ghost, before = self.ghost, self.before.ghost
        told, rows = ghost.alias[ghost.told_besides()], before.told_besides()
        ghosts = zip(before.id[rows].tolist(), before.alias[rows].tolist(), strict=True)
        left = [(actor, alias) for actor, alias in ghosts if actor in self.gone]
        new = [actor for actor in self.new if actor not in self.gone]
        own = ghost.id[(ghost.is_told != 0) & (ghost.alias == ghost.id) & (ghost.id <= LAST_NUMBER)]
        return renumbered(self.number, new, self.gone, told, left, self.time, own)


def _writable(table: Table) -> Table:
    """A copy, unless there is nothing in it to write to."""
    return table.copy() if len(table) else table
