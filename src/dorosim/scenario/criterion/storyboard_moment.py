"""What criteria see of a tick of a storyboard."""

from __future__ import annotations

import math
from collections.abc import Sequence

from dorosim.scenario.criterion.moment import Body, RedLine, RunMoment, Touch
from dorosim.scenario.openscenario.engine.program import Program
from dorosim.world.storyboard.state import EntityTable, StoryboardState


def moment_from_storyboard(
    program: Program,
    state: StoryboardState,
    time: int,
    ego: int,
    others: Sequence[Body] = (),
    *,
    touched: tuple[Touch, ...] = (),
    red_lines: tuple[RedLine, ...] = (),
) -> RunMoment:
    """The end of a tick.

    Args:
        program: of the scenario.
        state: of the storyboard at the end of the tick.
        time: of that, since the storyboard's start [ns].
        ego: number of the entity that is judged.
        others: actors of the world that are no entities.
        touched: as `RunMoment`.
        red_lines: likewise.
    """
    table = state.entity
    found = {number: _body(program, table, number) for number in range(len(program.entities)) if table.present[number]}
    own = found.pop(ego, None)
    return RunMoment(
        time=time,
        ego=own,
        others=(*found.values(), *others),
        roads=program.roads,
        touched=touched,
        red_lines=red_lines,
    )


def _body(program: Program, table: EntityTable, number: int) -> Body:
    """An entity that is in the world."""
    plan = program.entities[number]
    heading = float(table.heading[number])
    acceleration = float(table.acceleration_x[number]) * math.cos(heading)
    acceleration += float(table.acceleration_y[number]) * math.sin(heading)
    return Body(
        name=plan.name,
        number=number,
        x=float(table.x[number]),
        y=float(table.y[number]),
        z=float(table.z[number]),
        heading=heading,
        velocity_x=float(table.velocity_x[number]),
        velocity_y=float(table.velocity_y[number]),
        acceleration=acceleration,
        box=plan.box,
        road=int(table.road[number]),
        lane=int(table.lane[number]),
        s=float(table.s[number]),
        t=float(table.t[number]),
        turn=float(table.turn[number]),
    )
