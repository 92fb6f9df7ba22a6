"""Limits of what is measured of the ego and of those around it (docs/explanation/criticality.md)."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from dorosim.scenario.criterion.ahead import Ahead, is_ahead
from dorosim.scenario.criterion.criterion import Criterion, CriterionState, Measured, ValueLimit, worse
from dorosim.scenario.criterion.criticality import (
    deceleration_to_avoid_crash,
    mean_jerk,
    required_deceleration,
    time_headway,
    time_to_collision_accelerated,
)
from dorosim.scenario.criterion.moment import RunMoment
from dorosim.scenario.criterion.sweep import distance_between, time_to_overlap
from dorosim.world.storyboard.criterion_word import CriterionKind

JERK_TIME = 100_000_000
"""Time over which a jerk is measured [ns]."""
MAX_REACH = 300.0
"""Others that are further away are not measured [m]."""


def min_time_to_collision(limit: float) -> ValueLimit:
    """TTC: until boxes overlap if velocities stay, of any other actor [s]."""

    def measure(moment: RunMoment) -> Measured | None:
        assert moment.ego is not None
        ego = moment.ego
        return _least(
            (time_to_overlap(ego, one), one.name)
            for one in moment.others
            if math.hypot(one.x - ego.x, one.y - ego.y) < MAX_REACH and ego.overlaps_in_height(one)
        )

    return ValueLimit("time to collision", "s", limit, measure, kind=CriterionKind.TTC)


def min_time_to_collision_accelerated(limit: float) -> ValueLimit:
    """TTC with accelerations that stay, to what is ahead [s]."""
    return _ahead_least("time to collision with accelerations", limit, _accelerated, CriterionKind.ETTC)


def _accelerated(one: Ahead, moment: RunMoment) -> float:
    assert moment.ego is not None
    return time_to_collision_accelerated(one.gap, one.closing, moment.ego.acceleration - one.acceleration)


def min_time_headway(limit: float) -> ValueLimit:
    """THW to what is ahead [s]."""
    return _ahead_least("time headway", limit, lambda one, _: time_headway(one.gap, one.speed), CriterionKind.THW)


def min_distance(limit: float) -> ValueLimit:
    """Distance of boxes in plan [m]."""

    def measure(moment: RunMoment) -> Measured | None:
        assert moment.ego is not None
        ego, nearest, who = moment.ego, MAX_REACH, ""
        for one in moment.others:
            # no nearer than this: most others need no closer look
            least = math.hypot(one.x - ego.x, one.y - ego.y) - ego.radius - one.radius
            if least < nearest and ego.overlaps_in_height(one):
                found = distance_between(ego, one)
                nearest, who = (found, one.name) if found < nearest else (nearest, who)
        return (nearest, who) if who else None

    return ValueLimit("distance", "m", limit, measure, kind=CriterionKind.DISTANCE)


def max_deceleration_to_avoid_crash(limit: float) -> ValueLimit:
    """DRAC to what is ahead [m/s2]."""
    return _ahead_greatest(
        "deceleration to avoid a crash",
        limit,
        lambda one: deceleration_to_avoid_crash(one.gap, one.closing),
        CriterionKind.DRAC,
    )


def max_required_deceleration(limit: float) -> ValueLimit:
    """Required deceleration to what is ahead [m/s2]."""
    return _ahead_greatest(
        "required deceleration",
        limit,
        lambda one: required_deceleration(one.gap, one.closing, one.acceleration),
        CriterionKind.REQUIRED,
    )


def max_deceleration(limit: float) -> ValueLimit:
    """Deceleration of the ego along its body, whichever way it drives [m/s2]."""

    def measure(moment: RunMoment) -> Measured | None:
        assert moment.ego is not None
        ego = moment.ego
        speed = ego.speed_along(ego.heading)
        return (-math.copysign(1.0, speed) * ego.acceleration, "") if speed else None

    return ValueLimit("deceleration", "m/s2", limit, measure, greatest=True, kind=CriterionKind.DECELERATION)


def _ahead_least(
    title: str, limit: float, value: Callable[[Ahead, RunMoment], float], kind: CriterionKind
) -> ValueLimit:
    def measure(moment: RunMoment) -> Measured | None:
        return _least((value(one, moment), one.body.name) for one in _ahead(moment))

    return ValueLimit(title, "s", limit, measure, kind=kind)


def _ahead_greatest(title: str, limit: float, value: Callable[[Ahead], float], kind: CriterionKind) -> ValueLimit:
    def measure(moment: RunMoment) -> Measured | None:
        return max(((value(one), one.body.name) for one in _ahead(moment)), default=None)

    return ValueLimit(title, "m/s2", limit, measure, greatest=True, kind=kind)


def _ahead(moment: RunMoment) -> list[Ahead]:
    """All that is in the ego's way."""
    assert moment.ego is not None
    found = (is_ahead(moment.ego, one) for one in moment.others)
    return [one for one in found if one is not None and one.gap < MAX_REACH]


def _least(found: object) -> Measured | None:
    return min(found, default=None)  # type: ignore[call-overload, no-any-return]


@dataclass(frozen=True, slots=True)
class MaxJerk(Criterion):
    """Change of the ego's acceleration along its body, over the last `JERK_TIME`, either way [m/s3]."""

    limit: float
    title: str = "jerk"
    unit: str = "m/s3"

    def look(self, state: CriterionState, moment: RunMoment) -> CriterionState:
        """Compare the acceleration with that of a while ago; `memory` has times [ns] and accelerations since then."""
        if moment.ego is None:
            return state
        now = np.array([[float(moment.time), moment.ego.acceleration]])
        past = np.concatenate((state.memory.reshape(-1, 2), now))
        # the last one that is old enough, and all after it
        first = int(np.searchsorted(past[:, 0], moment.time - JERK_TIME, side="right")) - 1
        past = past[max(first, 0) :]
        past.setflags(write=False)
        after = replace(state, memory=past)
        if first < 0:
            return after
        value = abs(mean_jerk(past[0, 1], moment.ego.acceleration, (moment.time - past[0, 0]) * 1e-9))
        return worse(after, moment, (float(value), ""), self.limit, greatest=True)
