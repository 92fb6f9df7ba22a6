"""What the world asks of the engine of a storyboard, and what it knows of the entities.

The engine stands on a higher floor (`dorosim.scenario.openscenario.engine`); a `Scene` holds it, and `step` lets it
make the next state of the storyboard from the last one. It keeps nothing between ticks that it could not find again, so
that a scene and a snapshot are enough to go on.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from dorosim.ground.column import FloatArray, IntArray
from dorosim.road.adjacency import frozen
from dorosim.world.storyboard.quiet_span import QuietSpan
from dorosim.world.storyboard.report import StoryboardReport
from dorosim.world.storyboard.state import StoryboardState

if TYPE_CHECKING:
    from dorosim.world.command import Command
    from dorosim.world.snapshot import Snapshot, WorldState

NO_ENTITY = -1


class BodyShape(IntEnum):
    """What an entity is in the world: a vehicle with a row of `VehicleState`, a person, an obstacle.

    NONE: nothing that is a body, such as a mark on the road.
    """

    VEHICLE = 0
    PERSON = 1
    OBSTACLE = 2
    NONE = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityBody:
    """What an entity is in the world.

    Attributes:
        name: of the scenario.
        shape: which kind of actor it becomes.
        model: row of the models of its kind.
        length, width, height: of its box [m]; 0 for those of the model.
        middle: from its origin to the middle of the box: forward, to the left, up [m].
        wheelbase: of a vehicle [m]; 0 for that of the model.
        mass: of a vehicle [kg]. wheel_radius: [m]. tracks: between the front wheels, and between the rear ones [m].
        max_steer: greatest angle of a front wheel [rad]; each of these 0 for that of the model.
        max_rear_steer: the same of a rear wheel, which 0 does not steer; NaN for that of the model.
        max_speed, max_acceleration, max_deceleration: no more than these can be had [m/s, m/s2].
    """

    name: str
    shape: BodyShape
    model: int
    length: float = 0.0
    width: float = 0.0
    height: float = 0.0
    middle: tuple[float, float, float] = (0.0, 0.0, 0.0)
    wheelbase: float = 0.0
    mass: float = 0.0
    wheel_radius: float = 0.0
    tracks: tuple[float, float] = (0.0, 0.0)
    max_steer: float = 0.0
    max_rear_steer: float = math.nan
    max_speed: float = math.inf
    max_acceleration: float = math.inf
    max_deceleration: float = math.inf


@dataclass(frozen=True, kw_only=True)
class Cast:
    """The entities of a storyboard as bodies, in the order of its entity table.

    Attributes:
        bodies: of each entity.
        ego: row of the entity that is the ego vehicle, which waits elsewhere while it is absent; NO_ENTITY for none.
        own_ego: whether the run has an ego vehicle of its own where no entity is; else it waits where absent ones do.
    """

    bodies: tuple[EntityBody, ...]
    ego: int = NO_ENTITY
    own_ego: bool = True

    @cached_property
    def shapes(self) -> IntArray:
        """`(entities,)` of each entity its `BodyShape`; read-only."""
        return frozen(np.array([one.shape for one in self.bodies], np.int64))

    @cached_property
    def offsets(self) -> FloatArray:
        """`(3, entities)` from an entity's origin to that of its actor: forward, to the left, up [m]; read-only.

        A vehicle has its origin where the scenario has it, persons and obstacles in the middle of their base.
        """
        rows = [
            (0.0, 0.0, 0.0)
            if one.shape is BodyShape.VEHICLE
            else (one.middle[0], one.middle[1], one.middle[2] - 0.5 * one.height if one.height else 0.0)
            for one in self.bodies
        ]
        return frozen(np.array(rows, np.float64).reshape(-1, 3).T.copy())

    @cached_property
    def has_others(self) -> bool:
        """Whether some entities are no vehicles."""
        return any(one.shape in {BodyShape.PERSON, BodyShape.OBSTACLE} for one in self.bodies)


class StoryboardTick(NamedTuple):
    """What the engine makes of a tick.

    Attributes:
        state: the next state; its entities that are in the world for the first time have no actor yet.
        commands: to the world, besides moving entities, in order.
        report: for people.
    """

    state: StoryboardState
    commands: Sequence[Command]
    report: StoryboardReport


class QuietPlan(NamedTuple):
    """What compiled ticks of the world need of a storyboard while none of its elements changes its state.

    Attributes:
        span: to which the states belong.
        blocks: `(len(BlockEntry),)` what the kernel of quiet ticks takes as given; read-only. Each tick has a copy with
            the addresses of its lines.
        until: since the storyboard's start; later ticks are not quiet [ns].
        kept: what lies at its addresses, which must last as long as the plan.
    """

    span: QuietSpan
    blocks: IntArray
    until: int
    kept: object


class StoryboardEngine(Protocol):
    """Advances a storyboard. A function: what it returns depends on its arguments alone."""

    @property
    def cast(self) -> Cast:
        """The entities."""

    def first_state(self, started: int) -> StoryboardState:
        """The state before the init actions; who is present is in the world at the start.

        Args:
            started: simulated time of the run [ns].
        """

    def start(self, now: Snapshot) -> StoryboardTick:
        """The init actions, in no time. The entities that `first_state` has present have their actors by now."""

    def advance(self, now: Snapshot, tick: int) -> StoryboardTick | StoryboardState:
        """The next tick; the state alone where nothing but motion has happened, and nothing is to be done or reported.

        Then the same entities are there.

        Args:
            now: the last snapshot.
            tick: length of the tick [ns].
        """

    def quiet_plan(self, state: StoryboardState) -> QuietPlan | None:
        """What compiled ticks after a state need; None where the engine has to make the next one.

        It costs next to nothing: only states that a quiet tick has made have one.
        """

    def flaw_of(self, state: StoryboardState) -> str:
        """Why a state, as from a file, is none of this storyboard; "" if it is one."""

    def follow(self, now: WorldState) -> StoryboardState:
        """The state with the entities that the world moves where they are at the end of a tick.

        Args:
            now: the world then; its storyboard is that after the tick.
        """
