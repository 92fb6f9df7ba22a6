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
    for away, found in ((0.01, 0.0), (-0.01, None)):
        named = condition.format(rule="lessThan", value=expected + away)
        at = met_at(by_entity(named, "ego"), *bodies, roads=roads, more_init=more_init, end=0.005)
        assert at == found, f"{named}: not {expected}"


def relative(attributes_: str) -> str:
    return f'<RelativeDistanceCondition entityRef="other" {attributes_} rule="{{rule}}" value="{{value}}"/>'


def to_position(position: str, attributes_: str) -> str:
    return (
        f'<DistanceCondition {attributes_} rule="{{rule}}" value="{{value}}"><Position>{position}</Position>'
        "</DistanceCondition>"
    )


CASES = [
    ("", "euclidianDistance", False, EGO, FACING, math.hypot(40.0, 3.0)),
    ("", "cartesianDistance", False, EGO, FACING, math.hypot(40.0, 3.0)),
    ("entity", "euclidianDistance", True, EGO, FACING, math.hypot(34.0, 1.0)),
    ("", "longitudinal", False, EGO, FACING, 40.0),
    ("entity", "longitudinal", False, EGO, FACING, 40.0),
    ("entity", "longitudinal", True, EGO, FACING, 34.0),
    ("entity", "lateral", False, EGO, FACING, 3.0),
    ("entity", "lateral", True, EGO, FACING, 1.0),
    ("entity", "longitudinal", False, NORTH, FACING, 3.0),
    ("world", "longitudinal", False, NORTH, FACING, 40.0),
    ("world", "lateral", False, NORTH, FACING, 3.0),
    ("world", "lateral", True, EGO, FACING, 1.0),
    ("road", "longitudinal", False, EGO, BEHIND_THE_BEND, ALONG_BEND),
    ("lane", "longitudinal", False, EGO, BEHIND_THE_BEND, ALONG_LANE),
    ("world", "longitudinal", False, EGO, BEHIND_THE_BEND, END_X - 20.0),
    ("world", "lateral", False, EGO, BEHIND_THE_BEND, END_Y + 1.5),
    ("road", "longitudinal", True, EGO, FACING, 34.0),
    ("road", "lateral", False, EGO, FACING, 3.0),
    ("road", "lateral", True, EGO, FACING, 1.0),
]


@pytest.mark.parametrize(("system", "direction", "freespace", "ego", "other", "expected"), CASES)
def test_distances_from_an_entity(
    system: str, direction: str, freespace: bool, ego: Body, other: Body, expected: float
) -> None:
    assert_measured(relative(attributes(system, direction, freespace)), expected, ego, other)


@pytest.mark.parametrize(
    ("system", "direction", "freespace", "more", "expected"),
    [
        ("", "", False, "", math.hypot(40.0, 3.0)),
        ("entity", "longitudinal", True, "", 37.0),
        ("entity", "lateral", True, "", 2.0),
        ("world", "lateral", False, "", 3.0),
        ("", "", False, 'alongRoute="false"', math.hypot(40.0, 3.0)),
    ],
)
def test_distances_from_a_position(system: str, direction: str, freespace: bool, more: str, expected: float) -> None:
    """From the box of the ego, and from a point that has none."""
    assert_measured(to_position(at_lane(60.0, 1), attributes(system, direction, freespace, more)), expected, EGO)


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


CORNER = """<PrivateAction><RoutingAction><FollowTrajectoryAction><TrajectoryRef>
<Trajectory name="corner" closed="false"><Shape><Polyline>{}</Polyline></Shape></Trajectory></TrajectoryRef>
<TimeReference><None/></TimeReference>
<TrajectoryFollowingMode followingMode="position"/></FollowTrajectoryAction></RoutingAction></PrivateAction>""".format(
    "".join(
        f'<Vertex time="0"><Position>{in_world(x, y)}</Position></Vertex>'
        for x, y in ((20.0, -1.5), (60.0, -1.5), (60.0, 60.0))
    )
)


@pytest.mark.parametrize(
    ("direction", "freespace", "expected"), [("longitudinal", False, 61.5), ("lateral", False, 2.0)]
)
def test_along_a_trajectory_it_is_that_of_the_trajectory(direction: str, freespace: bool, expected: float) -> None:
    other = Body("other", in_world(58.0, 20.0))
    condition = relative(attributes("trajectory", direction, freespace))
    assert_measured(condition, expected, EGO, other, more_init={"ego": CORNER})


def test_without_a_trajectory_there_is_no_distance_along_it() -> None:
    condition = relative(attributes("trajectory", "longitudinal")).format(rule="lessThan", value=1000.0)
    assert met_at(by_entity(condition, "ego"), EGO, Body("other", in_world(58.0, 20.0)), end=0.1) is None


def route(*roads: str) -> dict[str, str]:
    waypoints = "".join(
        f'<Waypoint routeStrategy="shortest"><Position>{at_lane(10.0, name=one)}</Position></Waypoint>' for one in roads
    )
    inside = f'<Route name="route" closed="false">{waypoints}</Route>'
    action = f"<RoutingAction><AssignRouteAction>{inside}</AssignRouteAction></RoutingAction>"
    return {"ego": f"<PrivateAction>{action}</PrivateAction>"}


START, GOAL = Body("ego", at_lane(0.0)), Body("other", at_lane(50.0, name="4"))
LENGTHS = [("undefined", 290.0), ("shortest", 290.0), ("fastest", 340.0), ("leastIntersections", 370.0)]


@pytest.mark.parametrize(("algorithm", "expected"), [*LENGTHS, ("assignedRoute", 340.0)])
def test_a_distance_along_roads_goes_by_a_way(algorithm: str, expected: float) -> None:
    more = attributes("road", "longitudinal", more=f'routingAlgorithm="{algorithm}"')
    given = route("1", "2", "4") if algorithm == "assignedRoute" else None
    assert_measured(relative(more), expected, START, GOAL, roads=WAYS, more_init=given)
    assert_measured(to_position(at_lane(50.0, name="4"), more), expected, START, roads=WAYS, more_init=given)


def headway(attributes_: str) -> str:
    return f'<TimeHeadwayCondition entityRef="other" {attributes_} rule="{{rule}}" value="{{value}}"/>'


def to_collision(attributes_: str, target: str = '<EntityRef entityRef="other"/>') -> str:
    return (
        f'<TimeToCollisionCondition {attributes_} rule="{{rule}}" value="{{value}}"><TimeToCollisionConditionTarget>'
        f"{target}</TimeToCollisionConditionTarget></TimeToCollisionCondition>"
    )


TIMED = [
    ("", "", False, "", math.hypot(40.0, 3.0)),
    ("", "longitudinal", True, "", 34.0),
    ("entity", "longitudinal", False, "", 40.0),
    ("road", "longitudinal", False, "", 40.0),
    ("", "", False, 'alongRoute="true"', 40.0),
]


@pytest.mark.parametrize(("system", "direction", "freespace", "more", "length"), TIMED)
def test_a_headway_is_a_distance_over_the_own_speed(
    system: str, direction: str, freespace: bool, more: str, length: float
) -> None:
    ego, other = EGO._replace(speed=8.0), FACING._replace(speed=5.0)
    assert_measured(headway(attributes(system, direction, freespace, more)), length / 8.0, ego, other)


@pytest.mark.parametrize(("algorithm", "expected"), [*LENGTHS, ("assignedRoute", 340.0)])
def test_times_along_roads_go_by_a_way(algorithm: str, expected: float) -> None:
    more = attributes("road", "longitudinal", more=f'routingAlgorithm="{algorithm}"')
    given = route("1", "2", "4") if algorithm == "assignedRoute" else None
    ego = START._replace(speed=10.0)
    for condition in (headway(more), to_collision(more)):
        assert_measured(condition, expected / 10.0, ego, GOAL, roads=WAYS, more_init=given)


@pytest.mark.parametrize(("rule", "expected"), [("lessThan", 2.01), ("greaterThan", 0.0), ("lessOrEqual", 2.0)])
def test_a_headway_becomes_less(rule: str, expected: float) -> None:
    condition = by_entity(headway(attributes("", "longitudinal")).format(rule=rule, value=2.0), "ego")
    assert met_at(condition, EGO._replace(speed=10.0), FACING) == pytest.approx(expected, abs=0.001)


def test_there_is_no_headway_to_what_is_behind_or_while_standing() -> None:
    condition = by_entity(headway(attributes("", "longitudinal")).format(rule="lessThan", value=1e6), "ego")
    assert met_at(condition, EGO, FACING, end=0.1) is None
    assert met_at(condition, Body("ego", at_lane(80.0), 5.0), FACING, end=0.1) is None


@pytest.mark.parametrize(("system", "direction", "freespace", "more", "length"), TIMED)
def test_a_time_to_collision_is_a_distance_over_the_speed_at_which_it_shrinks(
    system: str, direction: str, freespace: bool, more: str, length: float
) -> None:
    """The other one is as far as it was in `TIMED` but drives away at 5 m/s, the ego after it at 9 m/s."""
    ego = EGO._replace(speed=9.0)
    other = Body("other", in_world(60.0, 1.5), 5.0)
    length += 2.0 if freespace else 0.0
    assert_measured(to_collision(attributes(system, direction, freespace, more)), length / 4.0, ego, other)


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


def test_a_time_to_collision_with_a_position() -> None:
    target = f"<Position>{at_lane(60.0)}</Position>"
    ego = EGO._replace(speed=10.0)
    assert_measured(to_collision(attributes("road", "longitudinal"), target), 4.0, ego)
    assert_measured(to_collision(attributes("", ""), target), 4.0, ego)


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
