"""A storyboard at one moment, for the page: its elements as a tree, with their conditions, and how it stands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from dorosim.bridge.view.storyboard_condition import KIND_WORDS, ConditionLine, condition_line, condition_texts
from dorosim.bridge.view.storyboard_lines import StoryboardLines, storyboard_lines
from dorosim.scenario.openscenario.engine.program import ALWAYS, Element, ElementKind, Program, TriggerPlan
from dorosim.scenario.openscenario.engine.world_engine import ScenarioEngine
from dorosim.world.scene import Scene
from dorosim.world.storyboard.state import NEVER, ElementState, StoryboardState, Transition, Verdict

_TOLD = (ElementKind.ACT, ElementKind.EVENT)
"""Kinds of elements whose transitions are told; those of others come with theirs."""


class ElementLine(NamedTuple):
    """An element of a storyboard at one moment.

    Attributes:
        number, depth: of the element, depth 0 for a story. kind: what it is, in a word. name: of the file.
        actors: names of the entities that a maneuver group moves, "" for others.
        state: in which it is. how: it came into that. since: simulated time of that [s], None: it never changed.
        runs: "2 of 3" for an element that may run several times and has, "" for others.
        start, stop: its conditions, in groups of which one must be met as a whole.
        waits: whether its start conditions are looked at; those of `stop` are while it runs.
    """

    number: int
    depth: int
    kind: str
    name: str
    actors: str
    state: ElementState
    how: Transition
    since: float | None
    runs: str
    start: Sequence[Sequence[ConditionLine]]
    stop: Sequence[Sequence[ConditionLine]]
    waits: bool


class StoryboardSummary(NamedTuple):
    """How a storyboard stands.

    Attributes:
        time: since its start [s], up to its end. ended: whether it is over. verdict: of its own conditions.
        waiting, running, complete: how many events there are of each state.
        stop: conditions of its own stop trigger. success, failure: of MORAI's Evaluation.
        values: as "name = value", of variables that have changed since the start, and values from outside.
    """

    time: float
    ended: bool
    verdict: Verdict
    waiting: int
    running: int
    complete: int
    stop: Sequence[Sequence[ConditionLine]]
    success: Sequence[Sequence[ConditionLine]]
    failure: Sequence[Sequence[ConditionLine]]
    values: Sequence[str]


class StoryboardGuide:
    """Reads the state of one scenario's storyboard.

    Args:
        engine: of the scenario.
        source: its file.

    Attributes:
        program: of the scenario. source: as given. entities: names, in the order of the table of entities.
    """

    def __init__(self, engine: ScenarioEngine, source: str) -> None:
        self.program: Program = engine.program
        self.source = source
        self.entities = tuple(one.name for one in self.program.entities)
        self._texts = condition_texts(self.program)

    def fits(self, state: StoryboardState) -> bool:
        """Whether a state is one of this scenario: a run that begins may still show the one before."""
        program = self.program
        return not state.is_empty() and (len(state.element), len(state.condition), len(state.entity)) == (
            len(program.elements),
            len(program.conditions),
            len(program.entities),
        )

    def lines(self, state: StoryboardState) -> list[ElementLine]:
        """All elements, parents before their children."""
        found: list[ElementLine] = []

        def add(number: int, depth: int) -> None:
            found.append(self._line(state, number, depth))
            for child in self.program.elements[number].children:
                add(child, depth + 1)

        for story in self.program.stories:
            add(story, 0)
        return found

    def summary(self, state: StoryboardState, time: int) -> StoryboardSummary:
        """How it stands at a simulated time [ns]."""
        program = self.program
        ended = state.ended != NEVER
        events = [
            int(state.element.state[at]) for at, one in enumerate(program.elements) if one.kind is ElementKind.EVENT
        ]
        return StoryboardSummary(
            time=(state.ended if ended else time - state.started) * 1e-9,
            ended=ended,
            verdict=Verdict(state.verdict),
            waiting=events.count(ElementState.STANDBY),
            running=events.count(ElementState.RUNNING),
            complete=events.count(ElementState.COMPLETE),
            stop=self._conditions(state, program.stop),
            success=self._conditions(state, program.success),
            failure=self._conditions(state, program.failure),
            values=self._values(state),
        )

    def drawn(self, state: StoryboardState, time: int) -> StoryboardLines:
        """What can be drawn of it over the world at a simulated time [ns]."""
        return storyboard_lines(self.program, state, time)

    def _line(self, state: StoryboardState, number: int, depth: int) -> ElementLine:
        plan, table = self.program.elements[number], state.element
        changed, how = int(table.changed[number]), Transition(int(table.transition[number]))
        now = ElementState(int(table.state[number]))
        return ElementLine(
            number=number,
            depth=depth,
            kind=KIND_WORDS[plan.kind],
            name=plan.name,
            actors=", ".join(self.entities[one] for one in plan.actors),
            state=now,
            how=how,
            since=None if now is ElementState.IDLE else (state.started + changed) * 1e-9,
            runs=_runs(plan, int(table.executions[number])),
            start=self._conditions(state, plan.start),
            stop=self._conditions(state, plan.stop),
            waits=now is ElementState.STANDBY,
        )

    def _conditions(self, state: StoryboardState, trigger: TriggerPlan | None) -> list[list[ConditionLine]]:
        if trigger is None:
            return []
        return [[condition_line(self.program, self._texts, state, at) for at in group] for group in trigger.groups]

    def _values(self, state: StoryboardState) -> list[str]:
        """Variables and parameters that have another value than at the start, and values from outside."""
        texts, found = state.texts(), []
        rows = zip(self.program.variables, state.variable.value.tolist(), state.variable.text.tolist(), strict=True)
        for one, number, text in rows:
            value = number if text < 0 else texts[text]
            if value != one.value:
                found.append(f"{one.name} = {value:g}" if isinstance(value, float) else f"{one.name} = {value}")
        return [*found, *(f"{name} = {value}" for name, value in state.outside_values().items())]


def _runs(plan: Element, count: int) -> str:
    if plan.kind not in (ElementKind.EVENT, ElementKind.MANEUVER_GROUP) or plan.max_executions == 1:
        return ""
    most = "any number" if plan.max_executions >= ALWAYS else str(plan.max_executions)
    return f"{count} of {most}"


def element_texts(scene: Scene) -> tuple[str, ...]:
    """The elements of a run's storyboard as texts name them, "" for those whose transitions are not told."""
    engine = scene.storyboard
    if not isinstance(engine, ScenarioEngine):
        return ()
    elements = engine.program.elements
    return tuple(f"{KIND_WORDS[one.kind]} {one.name}" if one.kind in _TOLD else "" for one in elements)
