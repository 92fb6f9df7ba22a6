"""The next state of a storyboard while a tick is made."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dorosim.scenario.openscenario.engine.program import Program
from dorosim.scenario.openscenario.engine.rows import (
    ActionRow,
    ConditionRow,
    ElementRow,
    EntityRow,
    SignalRow,
    table_of_rows,
)
from dorosim.world.command import Command
from dorosim.world.snapshot import Snapshot
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
    """A road of an entity's way: its number, 1 for rising s or -1, and where the way ends on it [m]."""

    road: int
    direction: int
    s_end: float


class StoryboardFrame:
    """A tick of a storyboard.

    Args:
        program: of the scenario.
        state: the last state.
        time: since the storyboard's start [ns].
        dt: of the tick [s]; 0 for the first look, before anything moves.

    Attributes:
        element, condition, action, entity, signal: rows of the tables.
        route: the way of each entity that has one.
        variable: values of variables: numbers and texts.
        changes: past changes of conditions that count later: condition, time, met.
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
        self.signal: list[SignalRow] = SignalRow.of_table(state.signal)
        self.texts = state.texts()
        self.variable: list[float | str] = [
            value if text < 0 else self.texts[text]
            for value, text in zip(state.variable.value.tolist(), state.variable.text.tolist(), strict=True)
        ]
        self.changes: list[tuple[int, int, int]] = list(
            zip(state.change.condition.tolist(), state.change.time.tolist(), state.change.met.tolist(), strict=True)
        )
        self.route: dict[int, list[RoadOfWay]] = {}
        ways = state.route
        for entity, road, direction, s_end in zip(
            ways.entity.tolist(), ways.road.tolist(), ways.direction.tolist(), ways.s_end.tolist(), strict=True
        ):
            self.route.setdefault(entity, []).append(RoadOfWay(road, direction, s_end))
        self.transitions = state.transitions
        self.before = state.before
        self.verdict = Verdict(state.verdict)
        self.happened: list[ElementTransition] = []
        self.triggering: dict[int, list[int]] = {}
        self.journal: list[str] = []
        self.ended = ""

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
        variable = VariableTable.zeros(len(self.variable))
        for row, value in enumerate(self.variable):
            if isinstance(value, str):
                variable.text[row] = self.text_row(value)
            else:
                variable.value[row], variable.text[row] = value, NEVER
        change = ChangeTable.zeros(len(self.changes))
        if self.changes:
            change.condition[...], change.time[...], change.met[...] = np.array(self.changes, np.int64).T
        ways = [(entity, one) for entity, way in sorted(self.route.items()) for one in way]
        route = WayTable.zeros(len(ways))
        for row, (entity, one) in enumerate(ways):
            route.entity[row], route.road[row], route.direction[row] = entity, one.road, one.direction
            route.s_end[row] = one.s_end
        first, text = packed(self.texts)
        return StoryboardState(
            started=self.state.started,
            transitions=self.transitions,
            before=self.before,
            verdict=int(self.verdict),
            ended=self.time if self.ended else self.state.ended,
            element=table_of_rows(ElementTable, self.element),
            condition=table_of_rows(ConditionTable, self.condition),
            change=change.freeze(),
            action=table_of_rows(ActionTable, self.action),
            entity=table_of_rows(EntityTable, self.entity),
            route=route.freeze(),
            variable=variable.freeze(),
            signal=table_of_rows(SignalTable, self.signal),
            text_first=first,
            text=text,
        )
