"""PET: how long after one the other comes to the same place, where their ways cross."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from dorosim.scenario.criterion.criterion import Criterion, CriterionState, worse
from dorosim.scenario.criterion.moment import Body, RunMoment
from dorosim.scenario.criterion.sweep import overlaps_of
from dorosim.world.storyboard.encroachment_kernel import CROSSING_ANGLE, MAX_TRAIL_DISTANCE

_TIME, _NUMBER, _X, _Y, _HEADING = range(5)


@dataclass(frozen=True, slots=True)
class MinPostEncroachmentTime(Criterion):
    """Nobody's box comes where the ego's box was less than a time ago, or the other way round, on ways that cross.

    Only the last `limit` seconds are kept, so a longer time is not measured.
    """

    limit: float
    title: str = "post-encroachment time"
    unit: str = "s"

    def look(self, state: CriterionState, moment: RunMoment) -> CriterionState:
        """Hold boxes of now against those of a while ago: `memory` has time [ns], number, x, y, heading of each."""
        if moment.ego is None:
            return state
        trail = state.memory.reshape(-1, 5)
        trail = trail[trail[:, _TIME] >= moment.time - self.limit * 1e9]
        ego, found = moment.ego, []
        near = [one for one in moment.others if math.hypot(one.x - ego.x, one.y - ego.y) < MAX_TRAIL_DISTANCE]
        own = trail[trail[:, _NUMBER] == ego.number]
        for one in near:
            if not ego.overlaps_in_height(one):
                continue
            theirs = trail[trail[:, _NUMBER] == one.number]
            last = max(_last_there(ego, theirs, one), _last_there(one, own, ego))
            if math.isfinite(last):
                found.append(((moment.time - last) * 1e-9, one.name))
        rows = [(moment.time, one.number, one.x, one.y, one.heading) for one in (ego, *near)]
        trail = np.concatenate((trail, np.array(rows, np.float64)))
        trail.setflags(write=False)
        after = replace(state, memory=trail)
        return worse(after, moment, min(found), self.limit, greatest=False) if found else after


def _last_there(now: Body, trail: np.ndarray, past: Body) -> float:
    """When a body was last where another one is now, on a way that crosses that one's [ns]; -inf for never."""
    turn = np.abs(np.mod(trail[:, _HEADING] - now.heading, math.pi))
    crossing = trail[np.minimum(turn, math.pi - turn) > CROSSING_ANGLE]
    there = overlaps_of(now.corners(), now.radius, crossing[:, _X : _HEADING + 1], past)
    return float(crossing[there, _TIME].max()) if there.any() else -math.inf
