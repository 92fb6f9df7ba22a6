"""The state of a storyboard (ASAM OpenSCENARIO XML 1.3, 6 to 8): all that a run of it changes, as tables of numbers.

The world keeps it and does not read it: `dorosim.scenario.openscenario.engine` makes the next state of the last one,
and `step` stores that. What the rows mean is in the program that was made of the file, which does not change in a run.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields, replace
from enum import IntEnum
from typing import TYPE_CHECKING, Any, Self

from dorosim.ground.column import Columns, IntArray, float64, float64_vector, int64
from dorosim.ground.packed_text import ByteArray, packed_texts, text_at
from dorosim.ground.state_tree import in_unit
from dorosim.ground.unit import METRE, METRE_PER_SECOND, METRE_PER_SECOND2, NANOSECOND, NONE, RADIAN, RADIAN_PER_SECOND
from dorosim.world.storyboard.control_state import AnimationTable, ControlTable, EnvironmentTable, LightTable
from dorosim.world.storyboard.quiet_span import TABLES, QuietSpan

NEVER = -1
"""Stands for a time that has not come [ns], and for no row."""
ACTION_MEMORY = 16
"""How many numbers an action keeps between two ticks."""


class ElementState(IntEnum):
    """The state of a storyboard element (1.3, 8.1.2)."""

    IDLE = 0
    """Before its parent has started."""
    STANDBY = 1
    RUNNING = 2
    COMPLETE = 3


class Transition(IntEnum):
    """How an element came into its state."""

    NONE = 0
    START = 1
    END = 2
    STOP = 3
    SKIP = 4


class Verdict(IntEnum):
    """What a run has come to."""

    NONE = 0
    SUCCESS = 1
    FAILURE = 2


class ElementTable(Columns):
    """One row per story, act, maneuver group, maneuver, event and action, in the order of the file."""

    state = int64("an ElementState")
    transition = int64("the last Transition")
    changed = int64("when that was, since the storyboard's start [ns]", NANOSECOND)
    executions = int64("how often it has started")
    started = int64("number of its last start among all transitions, 0 for none")
    ended = int64("the same of its last end")
    stopped = int64("the same of its last stop")
    skipped = int64("the same of the last time that it was skipped")


class ConditionTable(Columns):
    """One row per condition."""

    value = float64(NONE, "what it measured last")
    met = int64("1: it was met when it was looked at last, before edge and delay")
    counts = int64("1: it counted then, after edge and delay")
    seen = int64("number of the last transition that it has seen, -1: it has not been looked at")


class ChangeTable(Columns):
    """Past changes of conditions that count later: one row each, by condition and time."""

    time = int64("when it changed, since the storyboard's start [ns]", NANOSECOND)
    condition = int64("row of the condition")
    met = int64("1: it was met from then on, after its edge")


class ActionTable(Columns):
    """One row per action and actor that it may have."""

    memory = float64_vector(ACTION_MEMORY, NONE, "what the action keeps: start values, progress")
    state = int64("an ElementState")
    phase = int64("where the action is, as its kind has it")
    since = int64("when it started, since the storyboard's start [ns]", NANOSECOND)


class EntityTable(Columns):
    """One row per entity of the scenario."""

    x = float64(METRE, "body origin, east", frame="map")
    y = float64(METRE, "body origin, north", frame="map")
    z = float64(METRE, "body origin, up", frame="map")
    heading = float64(RADIAN, "counter-clockwise from east", frame="map")
    pitch = float64(RADIAN, "nose down positive", frame="map")
    roll = float64(RADIAN, "left side up positive", frame="map")
    speed = float64(METRE_PER_SECOND, "along the body, negative in reverse")
    velocity_x = float64(METRE_PER_SECOND, "of the body origin, east", frame="map")
    velocity_y = float64(METRE_PER_SECOND, "the same, north", frame="map")
    velocity_z = float64(METRE_PER_SECOND, "the same, up", frame="map")
    acceleration_x = float64(METRE_PER_SECOND2, "of the body origin, east", frame="map")
    acceleration_y = float64(METRE_PER_SECOND2, "the same, north", frame="map")
    acceleration_z = float64(METRE_PER_SECOND2, "the same, up", frame="map")
    yaw_rate = float64(RADIAN_PER_SECOND, "turning to the left")
    s = float64(METRE, "along the reference line of its road")
    t = float64(METRE, "to the left of that line")
    offset = float64(METRE, "to the left of the middle of its lane")
    turn = float64(RADIAN, "heading over that of the road by rising s")
    lift = float64(METRE, "height over the road")
    tilt = float64(RADIAN, "pitch over that of the road")
    lean = float64(RADIAN, "roll over that of the road")
    travelled = float64(METRE, "way since the start")
    actor = int64("actor id in the world, 0 none")
    mover = int64("a Mover: who moves it")
    present = int64("1: it is in the world")
    road = int64("number of its road on the map, -1 none")
    lane = int64("id of its lane on that road, 0 none")
    still_since = int64("since when it stands, -1: it moves [ns]", NANOSECOND)
    off_road_since = int64("since when it is off the road, -1: it is on it [ns]", NANOSECOND)
    end_of_road_since = int64("since when it is at the end of its road, -1: it is not [ns]", NANOSECOND)
    hidden = int64("bits: 1 in pictures, 2 for sensors, 4 for traffic")
    free = int64("1: its pose is not that of its road, as on a trajectory")
    route = int64("row of its first waypoint in the routes, -1 none")
    placed = int64("1: it was put where it is in this tick")


class WayTable(Columns):
    """Ways that entities take: one row per road of a way, in order."""

    s_end = float64(METRE, "where the way ends on its last road")
    entity = int64("row of the entity")
    road = int64("number of the road")
    direction = int64("1: by rising s, -1: by falling s")
    closed = int64("1: it is the first road again, and the way goes round")


class VariableTable(Columns):
    """One row per variable, parameter and monitor that may change."""

    value = float64(NONE, "its number, 1 for true")
    text = int64("row of its text, -1: its number counts")


class SignalTable(Columns):
    """One row per traffic light, and after these one per controller, that the scenario names."""

    state = int64("row of the text of its state or phase, -1 none")
    since = int64("since when, since the storyboard's start [ns]", NANOSECOND)


class _OfQuietTick:
    """A state that a quiet tick has made: its tables are made of its line when one is asked for.

    Attributes:
        span: of quiet ticks, to which it belongs; None for a state that was made otherwise.
        line: the numbers of the tables that quiet ticks change.
    """

    if not TYPE_CHECKING:  # mypy knows the slots of the dataclass alone
        __slots__ = ("line", "span")
    span: QuietSpan | None
    line: IntArray

    def __post_init__(self) -> None:
        """A state with all that it has."""
        self.span = None

    if not TYPE_CHECKING:
        # Python calls it only where a slot is empty
        def __getattr__(self, name: str) -> Any:
            if name not in _NAMES:
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
            if name in TABLES:
                table = self.span.table(self.line, name)
                setattr(self, name, table)
                return table
            _copy_rest(self.span.first, self)
            self.before = self.transitions
            return object.__getattribute__(self, name)

    def __reduce__(self) -> tuple[Any, ...]:
        """For pickle: the state alone, without its span."""
        return _made_of, (type(self), tuple(getattr(self, name) for name in _NAMES))


@dataclass(slots=True, eq=False, kw_only=True)
class StoryboardState(_OfQuietTick):
    """The state of a storyboard.

    Attributes:
        started: simulated time of the run at which it started [ns]; -1: there is none.
        transitions: how many transitions of elements there were.
        before: how many there were at the tick before.
        verdict: a `Verdict`.
        ended: when it ended, since its start [ns]; -1: it goes on.
        element, condition, change, action, entity, route, variable, signal: the tables.
        control, light, animation, environment: tables of `control_state.py`.
        text_first, text: texts that variables and signals may be, packed (`dorosim.ground.packed_text`).
        outside_first, outside: values that came from outside: a name and its value in turn, packed in the same way.
    """

    started: int = field(default=NEVER, metadata=in_unit(NANOSECOND))
    transitions: int = 0
    before: int = 0
    verdict: int = 0
    ended: int = field(default=NEVER, metadata=in_unit(NANOSECOND))
    element: ElementTable
    condition: ConditionTable
    change: ChangeTable
    action: ActionTable
    entity: EntityTable
    order: EntityTable
    route: WayTable
    variable: VariableTable
    signal: SignalTable
    control: ControlTable
    light: LightTable
    animation: AnimationTable
    environment: EnvironmentTable
    text_first: IntArray
    text: ByteArray
    outside_first: IntArray
    outside: ByteArray

    @classmethod
    def empty(cls) -> Self:
        """The state of a run without a storyboard."""
        first, text = packed_texts(())
        return cls(
            element=ElementTable.zeros(0).freeze(),
            condition=ConditionTable.zeros(0).freeze(),
            change=ChangeTable.zeros(0).freeze(),
            action=ActionTable.zeros(0).freeze(),
            entity=EntityTable.zeros(0).freeze(),
            order=EntityTable.zeros(0).freeze(),
            route=WayTable.zeros(0).freeze(),
            variable=VariableTable.zeros(0).freeze(),
            signal=SignalTable.zeros(0).freeze(),
            control=ControlTable.zeros(0).freeze(),
            light=LightTable.zeros(0).freeze(),
            animation=AnimationTable.zeros(0).freeze(),
            environment=EnvironmentTable.zeros(0).freeze(),
            text_first=first,
            text=text,
            outside_first=first,
            outside=text,
        )

    def is_empty(self) -> bool:
        """Whether there is no storyboard."""
        return self.started == NEVER

    def with_entity(self, entity: EntityTable) -> Self:
        """The same with another table of entities, which is read-only."""
        return replace(self, entity=entity)

    def moved_by_world(self, entity: EntityTable) -> StoryboardState:
        """The same with the entities that the world moves where they are at the end of the tick, in the same span."""
        if self.span is None:
            return self.with_entity(entity)
        return state_of_line(self.span, self.span.with_first(self.line, entity))

    def texts(self) -> list[str]:
        """The texts, in the order of their rows."""
        return [text_at(self.text_first, self.text, row).decode() for row in range(len(self.text_first) - 1)]

    def outside_values(self) -> dict[str, str]:
        """The values that came from outside, by name."""
        rows = range(len(self.outside_first) - 1)
        found = [text_at(self.outside_first, self.outside, row).decode() for row in rows]
        return dict(zip(found[::2], found[1::2], strict=True))

    def with_outside_value(self, name: str, value: str) -> Self:
        """The same with a value from outside, instead of the last one of its name."""
        values = {**self.outside_values(), name: value}
        first, outside = packed([text for pair in values.items() for text in pair])
        return replace(self, outside_first=first, outside=outside)


def _copier(names: Sequence[str]) -> Callable[[StoryboardState, StoryboardState], None]:
    """A function that gives one state all that another one has: as written by hand, a third of the time of a loop."""
    space: dict[str, Callable[[StoryboardState, StoryboardState], None]] = {}
    exec("def copy(of, to):\n" + "".join(f"    to.{name} = of.{name}\n" for name in names), space)
    return space["copy"]


_NAMES = tuple(one.name for one in fields(StoryboardState))
_copy_rest = _copier([one for one in _NAMES if one not in {*TABLES, "before"}])


def state_of_line(span: QuietSpan, line: IntArray) -> StoryboardState:
    """The state after a quiet tick.

    Args:
        span: to which it belongs.
        line: of the tables that have changed; nothing writes to it any more.
    """
    made = _new(StoryboardState)
    made.span, made.line = span, line
    made.started, made.ended = span.started, NEVER
    return made


_new = object.__new__


def _made_of(kind: type[StoryboardState], values: Sequence[Any]) -> StoryboardState:
    """The state that pickle has kept."""
    return kind(**dict(zip(_NAMES, values, strict=True)))


def packed(texts: Sequence[str]) -> tuple[IntArray, ByteArray]:
    """Texts as a state holds them."""
    return packed_texts([one.encode() for one in texts])
