"""The next state of a storyboard while a tick is made."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np

from dorosim.scenario.openscenario.engine.control_rows import AnimationRow, ControlRow, EnvironmentRow, LightRow
from dorosim.scenario.openscenario.engine.program import Program
from dorosim.scenario.openscenario.engine.rows import (
    ActionRow,
    C,
    ConditionRow,
    ElementRow,
    EntityRow,
    SignalRow,
    table_of_rows,
)
from dorosim.world.command import Command
from dorosim.world.snapshot import Snapshot
from dorosim.world.storyboard.control_state import AnimationTable, ControlTable, EnvironmentTable, LightTable
from dorosim.world.storyboard.report import ElementTransition
from dorosim.world.storyboard.state import (
    NEVER,
    ActionTable,
    ChangeTable,
    ConditionTable,
    ElementTable,
    EntityTable,
    SignalTable,
    StoryboardState,
    VariableTable,
    Verdict,
    WayTable,
    packed,
)


class RoadOfWay(NamedTuple):
    """A road of an entity's way: its number, 1 for rising s or -1, and where the way ends on it [m].

    `closed` is 1 where it is the first road again, and the way goes round.
    """

    road: int
    direction: int
    s_end: float
    closed: int = 0


class StoryboardFrame:
    """A tick of a storyboard.

    Args:
        program: of the scenario.
        state: the last state.
        time: since the storyboard's start [ns].
        dt: of the tick [s]; 0 for the first look, before anything moves.

    Attributes:
        element, condition, action, entity: rows of the tables.
        order: what entities are to do that the world moves (`engine.order`): a row each, or none at all.
        happened: transitions of this tick. triggering: entities that met conditions of this tick, by condition.
        journal: lines for people. ended: why the run is over, "" while it goes on.
        world: the last snapshot, None where a storyboard runs without a world.
        commands: what the world is to do in this tick beside moving the entities, in order.
    """

    def __init__(
        self, program: Program, state: StoryboardState, time: int, dt: float, world: Snapshot | None = None
    ) -> None:
        self.program = program
        self.state = state
        self.time = time
        self.dt = dt
        self.world = world
        self.commands: list[Command] = []
        self.element: list[ElementRow] = ElementRow.of_table(state.element)
        self.condition: list[ConditionRow] = ConditionRow.of_table(state.condition)
        self.action: list[ActionRow] = ActionRow.of_table(state.action)
        self.entity: list[EntityRow] = EntityRow.of_table(state.entity)
        self.order: list[EntityRow] = EntityRow.of_table(state.order) if state.order.rows else []
        self.transitions = state.transitions
        self.before = state.before
        self.verdict = Verdict(state.verdict)
        self.happened: list[ElementTransition] = []
        self.triggering: dict[int, list[int]] = {}
        self.journal: list[str] = []
        self.ended = ""

    # what many ticks do not use is made when it is asked for; else the next state has the table of the last one

    @cached_property
    def signal(self) -> list[SignalRow]:
        """The lights and their controllers."""
        return SignalRow.of_table(self.state.signal)

    @cached_property
    def texts(self) -> list[str]:
        """Texts by their rows."""
        return self.state.texts()

    @cached_property
    def variable(self) -> list[float | str]:
        """Values of variables: numbers and texts."""
        table = self.state.variable
        return [
            value if text < 0 else self.texts[text]
            for value, text in zip(table.value.tolist(), table.text.tolist(), strict=True)
        ]

    @cached_property
    def changes(self) -> list[tuple[int, int, int]]:
        """Past changes of conditions that count later: condition, time, met."""
        table = self.state.change
        return list(zip(table.condition.tolist(), table.time.tolist(), table.met.tolist(), strict=True))

    @cached_property
    def route(self) -> dict[int, list[RoadOfWay]]:
        """The way of each entity that has one."""
        found: dict[int, list[RoadOfWay]] = {}
        ways = self.state.route
        columns = (ways.entity, ways.road, ways.direction, ways.s_end, ways.closed)
        for entity, *part in zip(*(one.tolist() for one in columns), strict=True):
            found.setdefault(entity, []).append(RoadOfWay(*part))
        return found

    @cached_property
    def outside(self) -> dict[str, str]:
        """The values that came from outside, by name."""
        return self.state.outside_values()

    @cached_property
    def control(self) -> list[ControlRow]:
        """What overrides the controllers of each entity."""
        return ControlRow.of_table(self.state.control)

    @cached_property
    def lights(self) -> list[LightRow]:
        """The lights that actions have switched."""
        return LightRow.of_table(self.state.light)

    @cached_property
    def animations(self) -> list[AnimationRow]:
        """The parts that actions have moved."""
        return AnimationRow.of_table(self.state.animation)

    @cached_property
    def environment(self) -> list[EnvironmentRow]:
        """The environment that an action has set, or nothing."""
        return EnvironmentRow.of_table(self.state.environment)

    def _kept(self, name: str, kind: type[C], table: C) -> C:
        """The next table of rows that are made when they are asked for."""
        return table_of_rows(kind, self.__dict__[name]) if name in self.__dict__ else table

    def text_row(self, text: str) -> int:
        """The row of a text, which is added if it is new."""
        if text not in self.texts:
            self.texts.append(text)
        return self.texts.index(text)

    def present(self, entity: int) -> bool:
        """Whether an entity is in the world."""
        return self.entity[entity].present == 1

    def finish(self) -> StoryboardState:
        """The next state, read-only."""
        variable = self._variables() if "variable" in self.__dict__ else self.state.variable
        change = self._changes() if "changes" in self.__dict__ else self.state.change
        route = self._ways() if "route" in self.__dict__ else self.state.route
        first, text = packed(self.texts) if "texts" in self.__dict__ else (self.state.text_first, self.state.text)
        return StoryboardState(
            started=self.state.started,
            transitions=self.transitions,
            before=self.before,
            verdict=int(self.verdict),
            ended=self.time if self.ended else self.state.ended,
            element=table_of_rows(ElementTable, self.element),
            condition=table_of_rows(ConditionTable, self.condition),
            change=change,
            action=table_of_rows(ActionTable, self.action),
            entity=table_of_rows(EntityTable, self.entity),
            order=table_of_rows(EntityTable, self.order),
            route=route,
            variable=variable,
            signal=self._kept("signal", SignalTable, self.state.signal),
            control=self._kept("control", ControlTable, self.state.control),
            light=self._kept("lights", LightTable, self.state.light),
            animation=self._kept("animations", AnimationTable, self.state.animation),
            environment=self._kept("environment", EnvironmentTable, self.state.environment),
            text_first=first,
            text=text,
            outside_first=self.state.outside_first,
            outside=self.state.outside,
        )

    def _variables(self) -> VariableTable:
        table = VariableTable.zeros(len(self.variable))
        for row, value in enumerate(self.variable):
            if isinstance(value, str):
                table.text[row] = self.text_row(value)
            else:
                table.value[row], table.text[row] = value, NEVER
        return table.freeze()

    def _changes(self) -> ChangeTable:
        table = ChangeTable.zeros(len(self.changes))
        if self.changes:
            table.condition[...], table.time[...], table.met[...] = np.array(self.changes, np.int64).T
        return table.freeze()

    def _ways(self) -> WayTable:
        if not self.route and not self.state.route.rows:
            return self.state.route
        ways = [(entity, one) for entity, way in sorted(self.route.items()) for one in way]
        table = WayTable.zeros(len(ways))
        for row, (entity, one) in enumerate(ways):
            table.entity[row], table.road[row], table.direction[row] = entity, one.road, one.direction
            table.s_end[row], table.closed[row] = one.s_end, one.closed
        return table.freeze()
