"""The state of a run at one tick: all of it, and never changed after `step` returned it."""

from __future__ import annotations

import hashlib
import sys
from array import array
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import FrozenInstanceError, dataclass, field, fields
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.column import IntArray
from dorosim.ground.state_tree import NOT_STATE, StateTree, in_unit, rows_of
from dorosim.ground.unit import NANOSECOND
from dorosim.world.actor.alias import AliasTable
from dorosim.world.actor.label import Labels
from dorosim.world.actor.number import NumberTable
from dorosim.world.block import InBlock, getter_of
from dorosim.world.collision.contact import ContactTable
from dorosim.world.collision.displaced import DisplacedTable
from dorosim.world.environment.friction_area import Friction
from dorosim.world.environment.gnss_denied_area import ShadeTable
from dorosim.world.environment.weather import EnvironmentState
from dorosim.world.fault.table import FaultTable
from dorosim.world.mount.state import Mounts
from dorosim.world.obstacle.state import Obstacles
from dorosim.world.pedestrian.state import CrosswalkState, Pedestrians
from dorosim.world.signal.state import SignalState
from dorosim.world.spawn.state import SpawnPoints
from dorosim.world.storyboard.report import NO_REPORT, StoryboardReport
from dorosim.world.storyboard.state import StoryboardState
from dorosim.world.traffic.ghost import GhostState
from dorosim.world.traffic.route import RouteTable
from dorosim.world.traffic.state import TrafficState
from dorosim.world.vehicle.driver import TrajectoryTable
from dorosim.world.vehicle.goal import Goals
from dorosim.world.vehicle.parameter import VehicleParameter
from dorosim.world.vehicle.state import VehicleState

EGO = 1
"""Id of the ego vehicle: the first actor of every run."""
NO_ACTOR = 0
"""The id that stands for no actor."""
LAST_ID = 2**31 - 1
"""The greatest id: ids are int32 on ROS (design/seams.md, Who is who); on UDP actors have numbers (`world.number`)."""


class Outcome(NamedTuple):
    """What became of a command.

    Attributes:
        refusal: why it was refused, or an empty string.
        actor: id of the actor, or number of the sensor, that it made; 0 if it made none.
    """

    refusal: str = ""
    actor: int = 0


@dataclass(slots=True, eq=False, kw_only=True)
class WorldState(InBlock):
    """Everything that a run can change: what a `Snapshot` and the draft of the next one (`dorosim.world.draft`) have.

    Attributes:
        tick: number of the tick, 0 for the start.
        time: simulated time since tick 0 [ns].
        paused: whether simulated time stands still.
        last_id: the greatest id that was given so far; ids are not used again.
        camera: id of the actor that the viewer's camera follows.
        egos: ids of the vehicles with full dynamics, in the order of creation, which is that of their ids.
        vehicle: their state, one row each, in the order of `egos`.
        parameter: their physical parameters, one row each.
        trajectory: trajectories that the built-in driver follows.
        traffic: NPC vehicles, and the plans of the drivers of cruising egos.
        route: the routes of those.
        goal: the goals that vehicles were given.
        ghost: NPC vehicles that are driven from outside.
        people: pedestrians.
        crosswalk: what pedestrians see at each crosswalk: its lights, and the time until the next vehicle.
        obstacles: things that stand or move on the road.
        spawn: spawn points.
        signal: lights, intersection controllers and their programmes.
        environment: weather, season, time of day.
        fault: faults of controls, tyres and sensors.
        friction: of the roads, and map objects that change it.
        shade: areas without satellite reception.
        mounts: the sensors.
        contact: which actors touch each other or scenery, or have until just now.
        displaced: objects of the scenery that have given way.
        alias: the ids that a scenario gave to what it made.
        label: the names and owners that clients gave to what they made.
        number: the numbers by which UDP names actors.
        storyboard: the storyboard of a scenario, empty where there is none.
    """

    tick: int
    time: int = field(metadata=in_unit(NANOSECOND))
    paused: bool
    last_id: int
    camera: int
    egos: tuple[int, ...]
    vehicle: VehicleState
    parameter: VehicleParameter = field(metadata=rows_of("vehicle"))
    trajectory: TrajectoryTable = field(metadata=rows_of("vehicle"))
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
    displaced: DisplacedTable
    alias: AliasTable
    label: Labels
    number: NumberTable
    storyboard: StoryboardState

    def row_of(self, actor: int) -> int:
        """Row of a vehicle with full dynamics in `vehicle` and `parameter`; -1 if there is none of this id."""
        row = bisect_left(self.egos, actor)
        return row if row < len(self.egos) and self.egos[row] == actor else -1


STATE_FIELDS = tuple(one.name for one in fields(WorldState))
"""The names of all that a run can change."""
_values_of = attrgetter(*STATE_FIELDS)
_SETTERS = [getattr(WorldState, name).__set__ for name in STATE_FIELDS]
_block_of, _frame_of = getter_of(InBlock, "block"), getter_of(InBlock, "frame")


@dataclass(slots=True, eq=False, kw_only=True)
class Snapshot(WorldState):
    """Everything that a run can change, at one tick. All arrays are read-only, and so are the attributes.

    One that compiled code has made holds a block of memory, and makes its tables when they are first asked for
    (`dorosim.world.block`); this shows nowhere else.

    Attributes:
        storyboard_report: what the storyboard reports of this tick. outcomes: those of the commands of this tick, in
            their order. Both are not part of the state of the run.
    """

    storyboard_report: StoryboardReport = field(default=NO_REPORT, metadata=NOT_STATE)
    outcomes: tuple[Outcome, ...] = field(default=(), metadata=NOT_STATE)

    if not TYPE_CHECKING:
        # a frozen dataclass may not derive from one that is not
        def __setattr__(self, name: str, value: object) -> None:
            if hasattr(self, "outcomes"):  # the constructor sets it last
                raise FrozenInstanceError(f"cannot assign to field {name!r}")
            object.__setattr__(self, name, value)

        # called for what has not been made of the block yet
        def __getattr__(self, name: str) -> object:
            try:
                block, frame = _block_of(self), _frame_of(self)
            except AttributeError:
                raise AttributeError(f"a snapshot has no attribute {name!r}") from None
            return frame.fill(self, block, name)

        def __getstate__(self) -> tuple[None, dict[str, object]]:
            return None, {name: getattr(self, name) for name in (*STATE_FIELDS, "storyboard_report", "outcomes")}

        # pickle sets the attributes in any order: snapshots go to the process of the live page
        def __setstate__(self, state: tuple[None, dict[str, object]]) -> None:
            for name, value in state[1].items():
                object.__setattr__(self, name, value)

    @classmethod
    def of(
        cls, world: WorldState, outcomes: tuple[Outcome, ...], storyboard_report: StoryboardReport = NO_REPORT
    ) -> Self:
        """The snapshot of a world whose arrays are read-only by now; quicker than the constructor."""
        snapshot = cls.__new__(cls)
        for put, value in zip(_SETTERS, _values_of(world), strict=True):
            put(snapshot, value)
        object.__setattr__(snapshot, "storyboard_report", storyboard_report)
        object.__setattr__(snapshot, "outcomes", outcomes)
        return snapshot

    @property
    def refusals(self) -> tuple[str, ...]:
        """Why commands of this tick were refused, one line each."""
        outcomes = self.outcomes
        return tuple([outcome.refusal for outcome in outcomes if outcome.refusal]) if outcomes else ()

    def digest(self) -> bytes:
        """32 bytes that are equal for equal states and, for all practical purposes, only for those (BLAKE2b).

        An empty storyboard does not count: runs without one have the digests that they had before there were any.
        """
        parts = _parts_in_block(self)
        if parts is None:
            plain, blocks = hashed_of(self)
            parts = [*map(bytes_of, plain), sizes_of(blocks), *map(np.ascontiguousarray, blocks)]
        digest = hashlib.blake2b(digest_size=32)
        if self.traffic.rows < MAX_JOINED_ROWS:
            # a hundred small updates would take as long as the hash itself
            parts = [b"".join(parts)]
        for part in parts:
            digest.update(part)
        return digest.digest()


MAX_JOINED_ROWS = 1000
"""A state with no more vehicles of the traffic than this is put together before it is hashed."""


class HashedFrame(Protocol):
    """A frame (`dorosim.world.block.BlockFrame`) that knows what of a block is hashed."""

    def hashed_parts(self, snapshot: Snapshot, block: IntArray) -> list[Any] | None:
        """What the digest of a Snapshot is made of, as pieces of memory; None if they are to be had of its tables."""


def _parts_in_block(now: Snapshot) -> list[Any] | None:
    try:
        block, frame = _block_of(now), _frame_of(now)
    except AttributeError:
        return None
    known: HashedFrame = frame
    return known.hashed_parts(now, block)


def hashed_of(now: Snapshot) -> tuple[tuple[Any, ...], tuple[NDArray[Any], ...]]:
    """The plain values and the arrays of which the digest is, in their order."""
    plain, blocks = STATE.plain(now), STATE.arrays(now)
    if now.storyboard.is_empty():
        return plain[:-_STORYBOARD_PLAIN], blocks[:-_STORYBOARD_ARRAYS]
    return plain, blocks


def sizes_of(blocks: Sequence[NDArray[Any]]) -> array[int]:
    """The sizes of arrays, one after another, as they are hashed."""
    return array("q", [size for block in blocks for size in block.shape])


def bytes_of(value: Any) -> bytes:
    """A plain value as the bytes that it has in memory."""
    if type(value) is int and -(1 << 63) <= value < 1 << 63:
        return value.to_bytes(8, sys.byteorder, signed=True)
    found: bytes = np.array(value).tobytes()
    return found


STATE = StateTree(Snapshot)
"""All that a Snapshot holds, leaf by leaf: what is hashed, written to files and compared."""

_STORYBOARD = StateTree(StoryboardState)
_STORYBOARD_PLAIN = len(_STORYBOARD.plain(StoryboardState.empty()))
_STORYBOARD_ARRAYS = len(_STORYBOARD.arrays(StoryboardState.empty()))
"""How many plain values and arrays are those of the storyboard; they are the last ones."""
