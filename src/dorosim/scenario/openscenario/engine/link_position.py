"""Positions on links of an MGeo map, as MORAI's Scenario Runner has them."""

from __future__ import annotations

import math

import numpy as np

from dorosim.ground.error import InputError
from dorosim.scenario.openscenario.engine.names import ScenarioNames
from dorosim.scenario.openscenario.engine.place import Place
from dorosim.scenario.openscenario.engine.position import FixedPosition, PositionPlan
from dorosim.scenario.openscenario.morai import link_place_of
from dorosim.scenario.openscenario.record.place import LinkPosition


def link_position(names: ScenarioNames, one: LinkPosition) -> PositionPlan:
    """A place on a link, by the number of a point of it; a body points along the link there.

    Raises:
        InputError: there is no map, link or point of this kind.
    """
    if names.roads is None:
        raise names.refuse(one, "there is no road network", "name one in <LogicFile>")
    try:
        given = link_place_of(one)
        line = names.roads.link_line(given.link)
    except ValueError as error:
        raise names.refuse(one, str(error)) from None
    except InputError as error:
        raise names.refuse(one, f"{error.place}: {error.problem}", error.cure) from None
    at = given.point
    if not 0 <= at < len(line):
        raise names.refuse(one, f"link {given.link!r} has no point {at}", f"it has points 0 to {len(line) - 1}")
    step = np.hypot(*np.diff(line[:, :2], axis=0).T)
    along = np.concatenate(([0.0], np.cumsum(step)))
    s = float(along[at]) + given.s
    if not -1e-3 <= s <= along[-1] + 1e-3:
        problem = f"{s:.3f} m along link {given.link!r} is beyond its end at {float(along[-1]):.3f} m"
        raise names.refuse(one, problem, "give less")
    segment = min(max(int(np.searchsorted(along, s, side="right")) - 1, 0), len(step) - 1)
    (x, y, _), (x1, y1, _) = line[segment].tolist(), line[segment + 1].tolist()
    heading = math.atan2(y1 - y, x1 - x)
    further = s - float(along[segment])
    x += further * math.cos(heading) - given.offset * math.sin(heading)
    y += further * math.sin(heading) + given.offset * math.cos(heading)
    return FixedPosition(Place(x, y, math.nan, heading, math.nan, math.nan))
