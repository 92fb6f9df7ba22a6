"""The engine as the world has it (`dorosim.world.storyboard.engine.StoryboardEngine`)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from dorosim.scenario.openscenario.engine.advance import advance, start_storyboard, state_before_start
from dorosim.scenario.openscenario.engine.frame import StoryboardFrame
from dorosim.scenario.openscenario.engine.mover import followed
from dorosim.scenario.openscenario.engine.order import wishes_of
from dorosim.scenario.openscenario.engine.program import Program
from dorosim.scenario.openscenario.engine.quiet import QuietTicks
from dorosim.world.snapshot import Snapshot, WorldState
from dorosim.world.storyboard.engine import NO_ENTITY, Cast, QuietPlan, StoryboardTick
from dorosim.world.storyboard.mover import Mover
from dorosim.world.storyboard.report import NO_REPORT, StoryboardReport
from dorosim.world.storyboard.state import NEVER, StoryboardState


@dataclass(frozen=True, eq=False, kw_only=True)
class ScenarioEngine:
    """Advances the storyboard of a program.

    Attributes:
        program: of the scenario. cast: its entities as bodies. ego_mover: who moves the ego vehicle.
        driven: rows of other vehicles that a program drives by an interface.
    """

    program: Program
    cast: Cast
    ego_mover: Mover = Mover.DEFAULT
    driven: tuple[int, ...] = ()

    @cached_property
    def _quiet(self) -> QuietTicks:
        """Makes the ticks in which no element changes; what it keeps can be thrown away."""
        return QuietTicks(self.program)

    def first_state(self, started: int) -> StoryboardState:
        """See `StoryboardEngine.first_state`."""
        state = state_before_start(self.program, started)
        movers = [one.mover for one in self.program.entities]
        for row in self.driven:
            movers[row] = Mover.EXTERNAL
        if self.ego_mover is not Mover.DEFAULT and self.cast.ego != NO_ENTITY:
            movers[self.cast.ego] = self.ego_mover
        if not any(movers):
            return state
        entity = state.entity.copy()
        entity.mover[:] = movers
        return state.with_entity(entity.freeze())

    def start(self, now: Snapshot) -> StoryboardTick:
        """See `StoryboardEngine.start`."""
        return _tick_of(start_storyboard(self.program, now.storyboard, now))

    def advance(self, now: Snapshot, tick: int) -> StoryboardTick | StoryboardState:
        """See `StoryboardEngine.advance`."""
        made = self._quiet.next_state(now.storyboard, now.time, tick, now)
        if made is not None:
            wishes = wishes_of(self.program, made, now) if made.span is not None and made.span.has_orders else ()
            return StoryboardTick(made, wishes, NO_REPORT) if wishes else made
        return _tick_of(advance(self.program, now.storyboard, now.time, tick * 1e-9, now))

    def quiet_plan(self, state: StoryboardState) -> QuietPlan | None:
        """See `StoryboardEngine.quiet_plan`."""
        return self._quiet.plan_of(state)

    def flaw_of(self, state: StoryboardState) -> str:
        """See `StoryboardEngine.flaw_of`."""
        roads = 0 if self.program.roads is None else len(self.program.roads.roads)
        for column, first in ((state.entity.road, NEVER), (state.route.road, 0)):
            if len(column) and not (first <= column.min() and column.max() < roads):
                return f"an entity is on road {int(column.max())}, and there are {roads}"
        if len(state.entity) and not set(state.entity.mover.tolist()) <= set(Mover):
            return "an entity is moved by nobody that there is"
        return ""

    def follow(self, now: WorldState) -> StoryboardState:
        """See `StoryboardEngine.follow`."""
        return followed(self.program, now.storyboard, now)


def _tick_of(frame: StoryboardFrame) -> StoryboardTick:
    state = frame.finish()
    report = StoryboardReport(tuple(frame.happened), tuple(frame.journal), frame.ended)
    return StoryboardTick(state, frame.commands, report)
