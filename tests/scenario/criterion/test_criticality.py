"""Measures of criticality: equal to those of commonroad-crime 0.4.5 to 1e-6, but for what is said of both in
docs/explanation/criticality.md."""

from __future__ import annotations

import math

import pytest

from dorosim.scenario.criterion.ahead import is_ahead
from dorosim.scenario.criterion.criterion import START
from dorosim.scenario.criterion.criticality import (
    deceleration_to_avoid_crash,
    mean_jerk,
    post_encroachment_time,
    required_deceleration,
    time_headway,
    time_to_collision,
    time_to_collision_accelerated,
)
from dorosim.scenario.criterion.encroachment import MinPostEncroachmentTime
from dorosim.scenario.criterion.moment import Body, RunMoment
from dorosim.scenario.criterion.sweep import distance_between, time_to_overlap
from dorosim.scenario.openscenario.engine.distance import gap_between
from dorosim.scenario.openscenario.engine.program import BodyBox
from tests.scenario.criterion.case import CASES, DT, LANE_WIDTH, LOOK, STEPS, Case, Vehicle, vectors

TOLERANCE = 1e-6
STEADY_ACCELERATION = 0.1
"""The other library takes accelerations that differ by less for equal [m/s2]."""
FOLLOWING = [one for one in CASES if not one.crosses]
CROSSING = [one for one in CASES if one.crosses]
AXLE = 1.3
"""Body origins lie so far behind the middles of the boxes [m]; that is not to matter."""


def body(one: Vehicle, step: int, *, crosses: bool, number: int) -> Body:
    """A vehicle at a step; its acceleration is that of its speeds, as the other library has it."""
    heading = math.pi / 2.0 if crosses else 0.0
    cosine, sine = math.cos(heading), math.sin(heading)
    place, speed = one.place_at(step) - AXLE, one.speed_at(step)
    return Body(
        name=("ego", "other")[number],
        number=number,
        x=place * cosine,
        y=place * sine,
        heading=heading,
        velocity_x=speed * cosine,
        velocity_y=speed * sine,
        acceleration=acceleration(one, step),
        box=BodyBox(x=AXLE, length=one.length, width=one.width, height=1.5),
    )


def acceleration(one: Vehicle, step: int) -> float:
    return (one.speed_at(step + 1) - one.speed_at(step - 1)) / (2.0 * DT)


def both(case: Case, step: int = LOOK) -> tuple[Body, Body]:
    return body(case.ego, step, crosses=False, number=0), body(case.other, step, crosses=case.crosses, number=1)


def known(case: Case, name: str) -> float:
    found = vectors()[case.name][name]
    return math.inf if found is None else found


def same(value: float, other: float) -> bool:
    return value == other or abs(value - other) <= TOLERANCE


def test_there_are_twenty():
    assert len(CASES) == len(vectors()) == 20
    assert {one.name for one in CASES} == set(vectors())


@pytest.mark.parametrize("case", FOLLOWING, ids=lambda case: case.name)
def test_of_one_behind_the_other(case):
    ego, other = both(case)
    ahead = is_ahead(ego, other)
    assert ahead is not None
    assert same(ahead.gap, known(case, "gap"))
    difference = ego.acceleration - other.acceleration
    closes_steadily = ahead.closing > 0.0 and abs(difference) <= STEADY_ACCELERATION
    assert same(
        time_to_collision_accelerated(ahead.gap, ahead.closing, 0.0 if closes_steadily else difference),
        known(case, "ttc"),
    )
    if closes_steadily:
        assert same(time_to_collision(ahead.gap, ahead.closing), known(case, "ttc"))
        # of boxes in plan it is the same where both drive one way
        assert same(time_to_overlap(ego, other), known(case, "ttc"))
    if ahead.closing >= 0.0:
        needed = required_deceleration(ahead.gap, ahead.closing, ahead.acceleration)
        assert same(needed, -known(case, "required"))
    if ahead.closing >= 0.0 and other.acceleration == pytest.approx(0.0, abs=1e-9):
        assert same(deceleration_to_avoid_crash(ahead.gap, ahead.closing), -known(case, "required"))
    jerk = mean_jerk(acceleration(case.ego, LOOK - 1), acceleration(case.ego, LOOK + 1), 2.0 * DT)
    assert same(abs(jerk), known(case, "jerk"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_shortest_distance(case):
    assert same(min(distance_between(*both(case, step)) for step in range(LOOK, STEPS - 1)), known(case, "dce"))


@pytest.mark.parametrize("case", CROSSING, ids=lambda case: case.name)
def test_of_ways_that_cross(case):
    """The time of the area that both lanes have in common; times are those of the other library: the step before a
    vehicle enters, and the first step after it has left."""
    half = LANE_WIDTH / 2.0
    area = [(half, half), (-half, half), (-half, -half), (half, -half)]
    entered, left = [], []
    for number, one in enumerate((case.ego, case.other)):
        places = (body(one, step, crosses=number == 1, number=number) for step in range(LOOK, STEPS - 1))
        inside = [gap_between(place.corners(), area) == 0.0 for place in places]
        first = inside.index(True) if True in inside else -1
        after = inside.index(False, first) if first >= 0 and False in inside[first:] else -1
        entered.append(math.inf if first < 0 else (first - 1) * DT)
        left.append(math.inf if after < 0 else after * DT)
    ours = post_encroachment_time((entered[0], entered[1]), (left[0], left[1]))
    # where both are in the area at once the other library has an infinite time, and we have 0
    assert same(math.inf if ours == 0.0 else ours, known(case, "pet"))
    assert same(left[0] - entered[0] if math.isfinite(entered[0]) else math.inf, known(case, "et"))


@pytest.mark.parametrize("case", CROSSING[:2], ids=lambda case: case.name)
def test_the_time_between_bodies_is_that_between_their_ways(case):
    """The criterion measures between bodies, whose ways are narrower than lanes, at the ends of two ticks."""
    ego, other = case.ego, case.other
    first, second = (ego, other) if known_first(case) else (other, ego)
    # the rear of the first one leaves the way of the second one, whose front enters that of the first one
    leaves = (second.width / 2.0 + first.length / 2.0 - first.place) / first.speed
    enters = (-first.width / 2.0 - second.length / 2.0 - second.place) / second.speed
    state, criterion = START, MinPostEncroachmentTime(limit=4.0)
    for step in range(STEPS):
        now = both(case, step)
        state = criterion.look(state, RunMoment(time=round(step * DT * 1e9), ego=now[0], others=(now[1],)))
    assert state.failed
    assert state.other == "other"
    assert abs(state.value - (enters - leaves)) <= 2.0 * DT


def known_first(case: Case) -> bool:
    """Whether the ego crosses first."""
    return case.name == "crossing after the ego"


@pytest.mark.parametrize("case", FOLLOWING, ids=lambda case: case.name)
def test_headways_differ_as_is_said(case):
    """Ours is the gap by the speed; theirs is when the front comes past the place, along the way that is known, at the
    end of a step."""
    ego, other = both(case)
    ahead = is_ahead(ego, other)
    assert ahead is not None
    front, rear = case.ego.place_at(LOOK) + case.ego.length / 2.0, case.other.place_at(LOOK) - case.other.length / 2.0
    assert same(ahead.gap, rear - front)
    steps = (step for step in range(LOOK, STEPS) if case.ego.place_at(step) + case.ego.length / 2.0 > rear + 1e-9)
    assert same((next(steps) - LOOK) * DT, known(case, "thw"))
    if case.ego.acceleration == case.ego.jerk == 0.0:
        assert 0.0 < known(case, "thw") - time_headway(ahead.gap, ahead.speed) <= DT + TOLERANCE


@pytest.mark.parametrize(
    ("measure", "arguments", "value"),
    [
        (time_to_collision, (-1.0, 5.0), 0.0),
        (time_to_collision, (10.0, 0.0), math.inf),
        (time_to_collision, (10.0, -3.0), math.inf),
        (time_to_collision_accelerated, (10.0, -3.0, 0.0), math.inf),
        (time_to_collision_accelerated, (10.0, 4.0, -1.0), math.inf),
        (time_to_collision_accelerated, (10.0, 5.0, 0.0), 2.0),
        (time_to_collision_accelerated, (8.0, 0.0, 4.0), 2.0),
        (time_to_collision_accelerated, (0.0, -1.0, 0.0), 0.0),
        (time_headway, (20.0, 10.0), 2.0),
        (time_headway, (20.0, 0.0), math.inf),
        (time_headway, (0.0, 10.0), 0.0),
        (deceleration_to_avoid_crash, (10.0, -5.0), 0.0),
        (deceleration_to_avoid_crash, (0.0, 5.0), math.inf),
        (required_deceleration, (10.0, 10.0, -2.0), 7.0),
        (required_deceleration, (10.0, 0.0, 2.0), 0.0),
        (post_encroachment_time, ((1.0, 4.0), (2.5, 6.0)), 1.5),
        (post_encroachment_time, ((4.0, 1.0), (6.0, 2.5)), 1.5),
        (post_encroachment_time, ((1.0, 2.0), (2.5, 6.0)), 0.0),
        (post_encroachment_time, ((1.0, math.inf), (2.0, math.inf)), math.inf),
    ],
)
def test_limits_of_the_formulas(measure, arguments, value):
    assert measure(*arguments) == value
