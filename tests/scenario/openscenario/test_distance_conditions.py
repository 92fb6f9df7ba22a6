"""Conditions on distances, and on times that follow from them: each coordinate system, direction, way and rule."""

from __future__ import annotations

import math

import pytest

from tests.scenario.openscenario.staged import BENT, WAYS, Body, at_lane, by_entity, in_world, met_at

EGO = Body("ego", at_lane(20.0))
FACING = Body("other", at_lane(60.0, 1))
"""It comes towards the ego on the lane to the left: 40 m ahead, 3 m to the side; their boxes 34 m and 1 m apart."""
BEHIND_THE_BEND = Body("other", at_lane(150.0))
ALONG_BEND = 130.0
ALONG_LANE = 80.0 + 50.0 * 1.03
"""The middle of lane -1 is 1.5 m outside of a bend of 50 m radius."""
END_X = 100.0 + 50.0 * math.sin(1.0) + 1.5 * math.sin(1.0)
END_Y = 50.0 * (1.0 - math.cos(1.0)) - 1.5 * math.cos(1.0)
NORTH = Body("ego", in_world(20.0, -1.5, math.pi / 2))


def attributes(system: str, direction: str, freespace: bool = False, more: str = "") -> str:
    parts = f'freespace="{str(freespace).lower()}" {more}'
    parts += f' coordinateSystem="{system}"' if system else ""
    return parts + (f' relativeDistanceType="{direction}"' if direction else "")


def assert_measured(
    condition: str, expected: float, *bodies: Body, roads: bytes = BENT, more_init: dict[str, str] | None = None
) -> None:
    """What a condition with `{rule}` and `{value}` measures at first is less than a bit more, not than a bit less."""
    for rule, away, found in (
        ("lessThan", 0.01, 0.0),
        ("lessThan", -0.01, None),
        ("greaterThan", -0.01, 0.0),
        ("greaterThan", 0.01, None),
    ):
        named = condition.format(rule=rule, value=expected + away)
        at = met_at(by_entity(named, "ego"), *bodies, roads=roads, more_init=more_init, end=0.005)
        assert at == found, f"{named}: not {expected}"


def relative(attributes_: str) -> str:
    return f'<RelativeDistanceCondition entityRef="other" {attributes_} rule="{{rule}}" value="{{value}}"/>'


def to_position(position: str, attributes_: str) -> str:
    return (
        f'<DistanceCondition {attributes_} rule="{{rule}}" value="{{value}}"><Position>{position}</Position>'
        "</DistanceCondition>"
    )


CORNER = """<PrivateAction><RoutingAction><FollowTrajectoryAction><TrajectoryRef>
<Trajectory name="corner" closed="false"><Shape><Polyline>{}</Polyline></Shape></Trajectory></TrajectoryRef>
<TimeReference><None/></TimeReference>
<TrajectoryFollowingMode followingMode="position"/></FollowTrajectoryAction></RoutingAction></PrivateAction>""".format(
    "".join(
        f'<Vertex time="0"><Position>{in_world(x, y)}</Position></Vertex>'
        for x, y in ((20.0, -1.5), (60.0, -1.5), (60.0, 60.0))
    )
)


def route(*roads: str) -> dict[str, str]:
    waypoints = "".join(
        f'<Waypoint routeStrategy="shortest"><Position>{at_lane(10.0, name=one)}</Position></Waypoint>' for one in roads
    )
    inside = f'<Route name="route" closed="false">{waypoints}</Route>'
    action = f"<RoutingAction><AssignRouteAction>{inside}</AssignRouteAction></RoutingAction>"
    return {"ego": f"<PrivateAction>{action}</PrivateAction>"}


START, GOAL = Body("ego", at_lane(0.0)), Body("other", at_lane(50.0, name="4"))
LENGTHS = [("undefined", 290.0), ("shortest", 290.0), ("fastest", 340.0), ("leastIntersections", 370.0)]


WAYS_TO_4 = [
    (attributes("road", "longitudinal", more=f'routingAlgorithm="{algorithm}"'), length, given)
    for algorithm, length, given in [
        *((name, length, {}) for name, length in LENGTHS),
        ("assignedRoute", 340.0, route("1", "2", "4")),
    ]
]
ASIDE = Body("other", in_world(58.0, 20.0))
FOLLOWS = {"ego": CORNER}
CASES = [
    (attributes("", "euclidianDistance"), EGO, FACING, math.hypot(40.0, 3.0)),
    (attributes("", "cartesianDistance"), EGO, FACING, math.hypot(40.0, 3.0)),
    (attributes("entity", "euclidianDistance", True), EGO, FACING, math.hypot(34.0, 1.0)),
    (attributes("", "longitudinal"), EGO, FACING, 40.0),
    (attributes("entity", "longitudinal"), EGO, FACING, 40.0),
    (attributes("entity", "longitudinal", True), EGO, FACING, 34.0),
    (attributes("entity", "lateral"), EGO, FACING, 3.0),
    (attributes("entity", "lateral", True), EGO, FACING, 1.0),
    (attributes("entity", "longitudinal"), NORTH, FACING, 3.0),
    (attributes("world", "longitudinal"), NORTH, FACING, 40.0),
    (attributes("world", "lateral"), NORTH, FACING, 3.0),
    (attributes("world", "lateral", True), EGO, FACING, 1.0),
    (attributes("road", "longitudinal"), EGO, BEHIND_THE_BEND, ALONG_BEND),
    (attributes("lane", "longitudinal"), EGO, BEHIND_THE_BEND, ALONG_LANE),
    (attributes("world", "longitudinal"), EGO, BEHIND_THE_BEND, END_X - 20.0),
    (attributes("world", "lateral"), EGO, BEHIND_THE_BEND, END_Y + 1.5),
    (attributes("road", "longitudinal", True), EGO, FACING, 34.0),
    (attributes("road", "lateral"), EGO, FACING, 3.0),
    (attributes("road", "lateral", True), EGO, FACING, 1.0),
    (attributes("trajectory", "longitudinal"), EGO, ASIDE, 61.5),
    (attributes("trajectory", "lateral"), EGO, ASIDE, 2.0),
]


def test_distances_from_an_entity() -> None:
    for given, ego, other, expected in CASES:
        assert_measured(relative(given), expected, ego, other, more_init=FOLLOWS if "trajectory" in given else None)
    for given, expected, init in WAYS_TO_4:
        assert_measured(relative(given), expected, START, GOAL, roads=WAYS, more_init=init)


def test_distances_from_a_position() -> None:
    """From the box of the ego, and from a point that has none."""
    for given, expected in (
        (attributes("", ""), math.hypot(40.0, 3.0)),
        (attributes("entity", "longitudinal", True), 37.0),
        (attributes("entity", "lateral", True), 2.0),
        (attributes("world", "lateral"), 3.0),
        (attributes("road", "longitudinal"), 40.0),
        ('freespace="false" alongRoute="false"', math.hypot(40.0, 3.0)),
    ):
        assert_measured(to_position(at_lane(60.0, 1), given), expected, EGO)
    for given, expected, init in WAYS_TO_4:
        assert_measured(to_position(at_lane(50.0, name="4"), given), expected, START, roads=WAYS, more_init=init)


def test_a_distance_along_a_route_is_that_along_the_road() -> None:
    assert_measured(to_position(at_lane(150.0), 'freespace="false" alongRoute="true"'), ALONG_BEND, EGO)


def test_a_straight_distance_is_one_in_space() -> None:
    above = Body("other", at_lane(48.5, name="9"))
    assert_measured(relative(attributes("", "euclidianDistance")), math.hypot(51.5 - 20.0, 8.0), EGO, above)


def test_across_a_lane_it_counts_from_its_middle() -> None:
    """The lanes of road 5 grow wider, so their middles move away from the reference line."""
    ego, other = Body("ego", at_lane(0.0, name="5")), Body("other", at_lane(100.0, name="5", offset=0.5))
    assert_measured(relative(attributes("road", "lateral")), 0.5, ego, other)
    assert_measured(relative(attributes("lane", "lateral")), 0.5, ego, other)
    straight = Body("other", at_lane(100.0, name="5"))
    assert_measured(relative(attributes("road", "lateral")), 1.0, ego, straight)
    assert_measured(relative(attributes("lane", "lateral")), 0.001, ego, straight)


def test_without_a_trajectory_there_is_no_distance_along_it() -> None:
    condition = relative(attributes("trajectory", "longitudinal")).format(rule="lessThan", value=1000.0)
    assert met_at(by_entity(condition, "ego"), EGO, Body("other", in_world(58.0, 20.0)), end=0.1) is None


def headway(attributes_: str) -> str:
    return f'<TimeHeadwayCondition entityRef="other" {attributes_} rule="{{rule}}" value="{{value}}"/>'


def to_collision(attributes_: str, target: str = '<EntityRef entityRef="other"/>') -> str:
    return (
        f'<TimeToCollisionCondition {attributes_} rule="{{rule}}" value="{{value}}"><TimeToCollisionConditionTarget>'
        f"{target}</TimeToCollisionConditionTarget></TimeToCollisionCondition>"
    )


TIMED = [
    (attributes("", ""), math.hypot(40.0, 3.0)),
    (attributes("", "longitudinal", True), 34.0),
    (attributes("entity", "longitudinal"), 40.0),
    (attributes("road", "longitudinal"), 40.0),
    ('freespace="false" alongRoute="true"', 40.0),
]


def test_a_headway_is_a_distance_over_the_own_speed() -> None:
    ego, other = EGO._replace(speed=8.0), FACING._replace(speed=5.0)
    for given, length in TIMED:
        assert_measured(headway(given), length / 8.0, ego, other)
    for given, length, init in WAYS_TO_4:
        assert_measured(headway(given), length / 10.0, START._replace(speed=10.0), GOAL, roads=WAYS, more_init=init)


@pytest.mark.parametrize(("rule", "expected"), [("lessThan", 2.01), ("greaterThan", 0.0), ("lessOrEqual", 2.0)])
def test_a_headway_becomes_less(rule: str, expected: float) -> None:
    condition = by_entity(headway(attributes("", "longitudinal")).format(rule=rule, value=2.0), "ego")
    assert met_at(condition, EGO._replace(speed=10.0), FACING) == pytest.approx(expected, abs=0.001)


def test_there_is_no_headway_to_what_is_behind_or_while_standing() -> None:
    condition = by_entity(headway(attributes("", "longitudinal")).format(rule="lessThan", value=1e6), "ego")
    assert met_at(condition, EGO, FACING, end=0.1) is None
    assert met_at(condition, Body("ego", at_lane(80.0), 5.0), FACING, end=0.1) is None


def test_a_time_to_collision_is_a_distance_over_the_speed_at_which_it_shrinks() -> None:
    """The other one is as far as it was in `TIMED` but drives away at 5 m/s, the ego after it at 9 m/s."""
    ego, other = EGO._replace(speed=9.0), Body("other", in_world(60.0, 1.5), 5.0)
    for given, length in TIMED:
        behind = 2.0 if 'freespace="true"' in given else 0.0
        assert_measured(to_collision(given), (length + behind) / 4.0, ego, other)
    for given, length, init in WAYS_TO_4:
        fast = START._replace(speed=10.0)
        assert_measured(to_collision(given), length / 10.0, fast, GOAL, roads=WAYS, more_init=init)
    target = f"<Position>{at_lane(60.0)}</Position>"
    for system, direction in (("road", "longitudinal"), ("", "")):
        assert_measured(to_collision(attributes(system, direction), target), 40.0 / 9.0, ego)


def test_a_time_to_collision_across_is_that_of_the_speeds_across() -> None:
    """The ego points to the left of the way that it goes. The other one stands."""
    ego = Body("ego", in_world(20.0, -1.5, 0.2), 10.0)
    other = Body("other", in_world(60.0, 1.5))
    along, across = 40.0 * math.cos(0.2) + 3.0 * math.sin(0.2), 3.0 * math.cos(0.2) - 40.0 * math.sin(0.2)
    condition = to_collision(attributes("entity", "longitudinal"))
    at_first = by_entity(condition.format(rule="lessThan", value=along / 10.0 + 0.01), "ego")
    assert met_at(at_first, ego, other, end=0.1) == 0.0
    # along its own body it goes at 10 m/s at first, and not at all to the side
    beside = by_entity(to_collision(attributes("entity", "lateral")).format(rule="lessThan", value=1e6), "ego")
    assert met_at(beside, ego, other, end=0.005) is None
    # from the first tick on it goes along the road, which is to the right of its body
    assert across < 0.0
    assert met_at(beside, ego, other, end=0.1) == 0.01


@pytest.mark.parametrize("direction", ["euclidianDistance", "longitudinal"])
def test_there_is_no_time_to_collision_with_what_one_leaves_behind(direction: str) -> None:
    condition = by_entity(to_collision(attributes("", direction)).format(rule="lessThan", value=1e6), "ego")
    assert met_at(condition, Body("ego", at_lane(80.0), 5.0), FACING, end=0.1) is None
    assert met_at(condition, EGO._replace(speed=5.0), Body("other", at_lane(60.0), 9.0), end=0.1) is None


CLEARANCE = """<RelativeClearanceCondition distanceForward="{}" distanceBackward="{}" freeSpace="{}"
oppositeLanes="{}">{}</RelativeClearanceCondition>"""


def lane_range(low: int | None, high: int | None) -> str:
    parts = (f' from="{low}"' if low is not None else "") + (f' to="{high}"' if high is not None else "")
    return f"<RelativeLaneRange{parts}/>"


@pytest.mark.parametrize(
    ("ahead", "behind", "free", "opposite", "inside", "other", "clear"),
    [
        (50, 0, "false", "false", "", at_lane(60.0), False),
        (39, 0, "false", "false", "", at_lane(60.0), True),
        (39, 0, "true", "false", "", at_lane(60.0), False),
        (35, 0, "true", "false", "", at_lane(60.0), True),
        (0, 20, "false", "false", "", at_lane(5.0), False),
        (0, 10, "false", "false", "", at_lane(5.0), True),
        (50, 0, "false", "false", lane_range(0, 0), at_lane(60.0, -2), True),
        (50, 0, "false", "false", lane_range(-1, 0), at_lane(60.0, -2), False),
        (50, 0, "false", "false", lane_range(None, -1), at_lane(60.0, -2), False),
        (50, 0, "false", "false", lane_range(0, None), at_lane(60.0, -2), True),
        (50, 0, "true", "false", lane_range(0, 0), at_lane(60.0, -2, offset=1.0), False),
        (50, 0, "false", "false", lane_range(0, 0), at_lane(60.0, -2, offset=1.0), True),
        (50, 0, "false", "false", "", at_lane(60.0, 1), True),
        (50, 0, "false", "true", "", at_lane(60.0, 1), False),
        (50, 0, "false", "true", lane_range(1, 1), at_lane(60.0, 1), False),
        (50, 0, "false", "true", lane_range(2, 2), at_lane(60.0, 1), True),
        (50, 0, "false", "false", '<EntityRef entityRef="ego"/>', at_lane(60.0), True),
        (50, 0, "false", "false", '<EntityRef entityRef="other"/>', at_lane(60.0), False),
        (50, 0, "false", "false", lane_range(5, 7), at_lane(60.0), False),
    ],
)
def test_a_clearance_has_lengths_lanes_and_entities(ahead, behind, free, opposite, inside, other, clear) -> None:
    condition = by_entity(CLEARANCE.format(ahead, behind, free, opposite, inside), "ego")
    assert met_at(condition, EGO, Body("other", other), end=0.1) == (0.0 if clear else None)


def test_a_clearance_is_measured_along_the_lane() -> None:
    for length, clear in ((ALONG_LANE - 0.1, True), (ALONG_LANE + 0.1, False)):
        condition = by_entity(CLEARANCE.format(length, 0, "false", "false", ""), "ego")
        assert met_at(condition, EGO, BEHIND_THE_BEND, end=0.1) == (0.0 if clear else None)
