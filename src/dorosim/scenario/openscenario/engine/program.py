"""What a scenario becomes before it runs: numbered elements, conditions and actions, which do not change in a run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import IntEnum, IntFlag
from typing import Any, Protocol

from dorosim.road.opendrive.road_course_network import CourseNetwork
from dorosim.world.storyboard.mover import Mover

ALWAYS = 2**62
"""How often an element may run that is not bound."""


class Domain(IntFlag):
    """What of an entity an action controls."""

    NONE = 0
    LONGITUDINAL = 1
    LATERAL = 2


class ElementKind(IntEnum):
    """The kind of a storyboard element."""

    STORY = 0
    ACT = 1
    MANEUVER_GROUP = 2
    MANEUVER = 3
    EVENT = 4
    ACTION = 5


class EntityKind(IntEnum):
    """The kind of an entity."""

    VEHICLE = 0
    PEDESTRIAN = 1
    MISC = 2
    EXTERNAL = 3


class EventPriority(IntEnum):
    """What a starting event does to others of its maneuver."""

    OVERRIDE = 0
    PARALLEL = 1
    SKIP = 2


class ValueKind(IntEnum):
    """The type of a variable."""

    NUMBER = 0
    INT = 1
    UNSIGNED_INT = 2
    UNSIGNED_SHORT = 3
    TRUTH = 4
    DATE = 5
    TEXT = 6


@dataclass(frozen=True, slots=True)
class BodyBox:
    """A bounding box in the body frame: its middle and its size [m]."""

    x: float = 0.0
    y: float = 0.0
    z: float = 0.0
    length: float = 0.0
    width: float = 0.0
    height: float = 0.0


class Use(IntEnum):
    """What a scenario may need in each tick besides motion; what none of its actions needs costs nothing."""

    OVERRIDE = 0
    TRAILER = 1
    APPEARANCE = 2
    ENVIRONMENT = 3
    TRAFFIC = 4
    WANDER = 5


class ControlDomain(IntFlag):
    """What a controller can control."""

    LATERAL = 1
    LONGITUDINAL = 2
    LIGHTING = 4
    ANIMATION = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class ObjectControllerPlan:
    """A controller that an entity can have.

    Attributes:
        name: by which actions mean it. domains: bits of what it can control.
        properties: free ones of the file, by name.
    """

    name: str
    domains: ControlDomain
    properties: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class TrailerMount:
    """Where a trailer is fixed: forward of the body origin and above the ground [m]; z NaN: at any height."""

    x: float
    z: float = float("nan")


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityPlan:
    """An entity.

    Attributes:
        name, kind: of the file. model: name of its type, for the catalogue of the world. category: of its type.
        is_ego: whether a property says that it is the ego vehicle.
        box: around it. max_speed, max_acceleration, max_deceleration: [m/s, m/s2].
        wheelbase: front axle before the rear one [m]. max_steering, max_rear_steering: greatest angle of a wheel [rad].
        wheel_radius: of the rear wheels [m]. front_track, rear_track: between the wheels of an axle [m]; 0 each,
            and NaN for the rear angle, where the file says none.
        max_acceleration_rate, max_deceleration_rate: of its accelerations [m/s3].
        mass: [kg], NaN where the file says none. steering_ratio: angle of the steering wheel over that of the wheels.
        hitch, coupler: where a trailer is fixed to it, and where it is fixed to what tows it.
        trailer: number of the entity that it tows at the start, -1 none.
        controllers: numbers of its controllers. role: of the file.
        stays: whether it does not move, whatever actions command.
        external: the name in the world of an entity that the scenario does not make.
        mover: who moves it at the start, where the user does not say it.
    """

    name: str
    kind: EntityKind
    model: str = ""
    category: str = ""
    is_ego: bool = False
    box: BodyBox = field(default_factory=BodyBox)
    max_speed: float = float("inf")
    max_acceleration: float = float("inf")
    max_deceleration: float = float("inf")
    wheelbase: float = 0.0
    max_steering: float = 0.0
    max_rear_steering: float = float("nan")
    wheel_radius: float = 0.0
    front_track: float = 0.0
    rear_track: float = 0.0
    max_acceleration_rate: float = float("inf")
    max_deceleration_rate: float = float("inf")
    mass: float = float("nan")
    steering_ratio: float = 15.0
    hitch: TrailerMount | None = None
    coupler: TrailerMount | None = None
    trailer: int = -1
    controllers: tuple[int, ...] = ()
    role: str = ""
    stays: bool = False
    external: str = ""
    mover: Mover = Mover.DEFAULT


class ActionPlan(Protocol):
    """What an action does; it keeps nothing itself, its row does.

    Its frame is a `StoryboardFrame`, which holds the program, and its row an `ActionRow` of it.
    """

    @property
    def domain(self) -> Domain:
        """What of its entity it controls."""

    def start(self, frame: Any, entity: int, row: Any) -> None:
        """Begin for an actor, -1 for none; it may be done at once."""

    def advance(self, frame: Any, entity: int, row: Any) -> None:
        """Go on for a tick of `frame.dt`."""

    def stop(self, frame: Any, entity: int, row: Any) -> None:
        """It ends, done or stopped."""


class Measure(Protocol):
    """What a condition looks at; its frame is a `StoryboardFrame`, which holds the program."""

    def met(self, frame: Any, number: int) -> tuple[bool, float]:
        """Whether it is met, and what it has measured; `number` is that of the condition."""


class AreaPlan(Protocol):
    """The part of the roads that a scenario uses."""

    def tell(self, frame: Any, before: Sequence[tuple[float, ...]]) -> None:
        """Tell who has left it, by x and y before the tick."""


class Edge(IntEnum):
    """Which change of a condition counts."""

    NONE = 0
    RISING = 1
    FALLING = 2
    BOTH = 3


@dataclass(frozen=True, slots=True)
class ConditionPlan:
    """A condition: delay in ns."""

    name: str
    edge: Edge
    delay: int
    measure: Measure


@dataclass(frozen=True, slots=True)
class TriggerPlan:
    """Groups of numbers of conditions; one group must be met as a whole."""

    groups: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ActorAction:
    """An action with its rows: one for each entity that may be its actor; entity -1 for an action of none."""

    plan: ActionPlan
    entities: tuple[int, ...]
    first_row: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Element:
    """A storyboard element.

    Attributes:
        kind, name: of the file. path: names from the story down to it.
        parent: number of its parent, -1 for a story. children: numbers.
        start, stop: triggers, None for none.
        max_executions: how often it may run.
        priority: of an event.
        action: of an action.
        actors: of a maneuver group. chooses: whether those that met a condition are actors too.
    """

    kind: ElementKind
    name: str
    path: tuple[str, ...]
    parent: int
    children: tuple[int, ...] = ()
    start: TriggerPlan | None = None
    stop: TriggerPlan | None = None
    max_executions: int = 1
    priority: EventPriority = EventPriority.OVERRIDE
    action: ActorAction | None = None
    actors: tuple[int, ...] = ()
    chooses: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class VariablePlan:
    """A variable, parameter or monitor: its value at the start, and its type.

    Numbers, truth values and dates (seconds since 1970) are floats.
    """

    name: str
    value: float | str
    kind: ValueKind = ValueKind.NUMBER


@dataclass(frozen=True, slots=True, kw_only=True)
class PhasePlan:
    """A phase of a controller: name, duration [ns], and the states of lights by their numbers."""

    name: str
    duration: int
    states: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ControllerPlan:
    """A controller of traffic lights.

    Attributes:
        reference: number of the controller that it follows, -1 for none. delay: after that one's start [ns].
    """

    name: str
    phases: tuple[PhasePlan, ...]
    reference: int = -1
    delay: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """A scenario, ready to run.

    Attributes:
        stories: numbers of the stories among the elements.
        init: actions before the start, in order.
        stop: the storyboard's stop trigger.
        success, failure: groups of conditions that end the run with a verdict.
        action_rows: how many rows the actions need.
        signals: ids of the traffic lights that the scenario names.
        roads: None for a scenario without roads.
        object_controllers: the controllers that entities can have.
        uses: what its actions may need in each tick.
        seed: of all that is random in it.
        notes: what of the file has no effect, for people.
        used_area: None where the file says none.
    """

    entities: tuple[EntityPlan, ...]
    elements: tuple[Element, ...]
    stories: tuple[int, ...]
    init: tuple[ActorAction, ...]
    conditions: tuple[ConditionPlan, ...]
    stop: TriggerPlan | None
    success: TriggerPlan | None = None
    failure: TriggerPlan | None = None
    action_rows: int
    variables: tuple[VariablePlan, ...]
    signals: tuple[str, ...] = ()
    controllers: tuple[ControllerPlan, ...] = ()
    roads: CourseNetwork | None
    object_controllers: tuple[ObjectControllerPlan, ...] = ()
    uses: frozenset[Use] = frozenset()
    seed: int = 0
    notes: tuple[str, ...] = ()
    used_area: AreaPlan | None = None

    @property
    def has_external(self) -> bool:
        """Whether it has entities that it does not make: others move these in any tick."""
        return any(one.external for one in self.entities)


def numbers_of(names: Sequence[str]) -> dict[str, int]:
    """The number of each name."""
    return {name: number for number, name in enumerate(names)}
