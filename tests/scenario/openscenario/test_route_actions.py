"""Routes, trajectories and places: actions that give an entity its way."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest

from dorosim.ground.error import InputError
from tests.scenario.openscenario.action_case import (
    at,
    at_world,
    case,
    ended,
    fork,
    going,
    private,
    run,
    state_at,
    vehicle,
)
from tests.scenario.openscenario.sample import MemoryFiles, catalog


def follow(shape: str, *, time="<None/>", mode="position", attributes="", closed="false", plain=False) -> str:
    trajectory = f'<Trajectory name="line" closed="{closed}"><Shape>{shape}</Shape></Trajectory>'
    inside = trajectory if plain else f"<TrajectoryRef>{trajectory}</TrajectoryRef>"
    return private(
        f"<RoutingAction><FollowTrajectoryAction {attributes}>{inside if plain else ''}"
        f'<TimeReference>{time}</TimeReference><TrajectoryFollowingMode followingMode="{mode}"/>'
        f"{'' if plain else inside}</FollowTrajectoryAction></RoutingAction>"
    )


def vertex(x: float, y: float, time: float | None = None, heading="") -> str:
    time_text = "" if time is None else f' time="{time}"'
    heading = f' h="{heading}"' if heading else ""
    return f'<Vertex{time_text}><Position><WorldPosition x="{x}" y="{y}"{heading}/></Position></Vertex>'


def polyline(*vertices: str) -> str:
    return f"<Polyline>{''.join(vertices)}</Polyline>"


LINE = polyline(vertex(0, 0, 0), vertex(30, 0, 3), vertex(30, 40, 5))


def one(*actions: tuple[float, str], speed=10.0, end=8.0, performance="", files=None, catalogs=""):
    return case(
        vehicle("car", performance=performance),
        {"car": at_world(-5.0, -3.0) + going(speed)},
        *actions,
        end=end,
        roads=None,
        files=files,
        catalogs=catalogs,
    )


def place(state) -> tuple[float, float]:
    return float(state.entity.x[0]), float(state.entity.y[0])


# ---------------------------------------------------------------- trajectories


@pytest.mark.parametrize("plain", [False, True])
def test_a_polyline_is_followed_with_ones_own_speed(plain):
    made = one((1.0, follow(LINE, plain=plain)))
    ticks = run(made)
    assert place(state_at(ticks, 2.0)) == pytest.approx((10.0, 0.0), abs=1e-6)
    assert place(state_at(ticks, 5.0)) == pytest.approx((30.0, 10.0), abs=1e-6)
    assert state_at(ticks, 6.0).entity.heading[0] == pytest.approx(math.pi / 2.0)
    assert ended(made, ticks) == pytest.approx(8.0 - 0.0, abs=0.02)


def relative(offset=0.0, scale=1.0, domain="relative") -> str:
    return f'<Timing domainAbsoluteRelative="{domain}" offset="{offset}" scale="{scale}"/>'


@pytest.mark.parametrize(
    ("timing", "time", "expected"),
    [
        (relative(), 2.0, (10.0, 0.0)),
        (relative(), 5.0, (30.0, 20.0)),
        (relative(offset=1.0), 3.0, (10.0, 0.0)),
        (relative(scale=2.0), 3.0, (10.0, 0.0)),
        (relative(domain="absolute"), 2.0, (20.0, 0.0)),
        (relative(domain="absolute", offset=1.0), 2.0, (10.0, 0.0)),
        (relative(domain="absolute", scale=0.5), 2.0, (30.0, 20.0)),
    ],
)
def test_the_times_of_a_trajectory_count_as_its_timing_has_it(timing, time, expected):
    """A point of time t is reached at t * scale + offset, from the action's start or that of the run."""
    ticks = run(one((1.0, follow(LINE, time=timing))))
    assert place(state_at(ticks, time)) == pytest.approx(expected, abs=1e-6)


def test_a_scale_of_0_is_refused():
    with pytest.raises(InputError, match="the scale is 0"):
        one((1.0, follow(LINE, time=relative(scale=0))))


def test_a_trajectory_may_begin_in_its_middle():
    ticks = run(one((1.0, follow(LINE, attributes='initialDistanceOffset="20"'))))
    assert place(state_at(ticks, 1.5)) == pytest.approx((25.0, 0.0), abs=1e-6)


def test_a_body_has_the_headings_of_its_vertices():
    shape = polyline(vertex(0, 0, heading=0.2), vertex(40, 0, heading=1.0))
    ticks = run(one((1.0, follow(shape))))
    assert state_at(ticks, 3.0).entity.heading[0] == pytest.approx(0.6)


@pytest.mark.parametrize("mode", ["position", "follow"])
def test_following_mode_of_a_trajectory(mode):
    """Position is exactly on time; follow no faster than the performance of the vehicle lets it."""
    shape = polyline(vertex(0, 0, 0), vertex(10, 0, 2), vertex(50, 0, 4), vertex(60, 0, 6))
    limits = 'maxSpeed="40" maxAcceleration="5" maxDeceleration="5"'
    made = one((1.0, follow(shape, time=relative(), mode=mode)), performance=limits, end=14.0)
    ticks = run(made)
    speeds = [float(tick.state.entity.speed[0]) for tick in ticks if 1.02 < tick.state_time * 1e-9 < 6.9]
    rise = max(abs(after - before) for before, after in pairwise(speeds)) / 0.01
    if mode == "position":
        assert place(state_at(ticks, 5.0)) == pytest.approx((50.0, 0.0), abs=1e-6)
        assert rise > 1_000.0
    else:
        assert rise <= 5.0 + 1e-6
        assert place(state_at(ticks, 5.0))[0] < 45.0
        end = ended(made, ticks)
        assert end is not None
        assert place(state_at(ticks, end))[0] == pytest.approx(60.0, abs=0.3)


def test_a_clothoid_turns_evenly():
    start = '<Position><WorldPosition x="0" y="0" h="0"/></Position>'
    shape = (
        f'<Clothoid curvature="0.01" curvaturePrime="0.002" length="20" startTime="0" stopTime="4">{start}</Clothoid>'
    )
    ticks = run(one((1.0, follow(shape))))
    assert state_at(ticks, 2.0).entity.heading[0] == pytest.approx(0.01 * 10.0 + 0.001 * 100.0, abs=1e-3)
    ticks = run(one((1.0, follow(shape, time=relative()))))
    assert state_at(ticks, 3.0).entity.heading[0] == pytest.approx(0.01 * 10.0 + 0.001 * 100.0, abs=1e-3)
    assert state_at(ticks, 3.0).entity.speed[0] == pytest.approx(5.0)


def test_an_old_clothoid_says_dot_for_prime():
    start = '<Position><WorldPosition x="0" y="0" h="0"/></Position>'
    shape = f'<Clothoid curvature="0" curvatureDot="0.002" length="20">{start}</Clothoid>'
    assert state_at(run(one((1.0, follow(shape)))), 2.0).entity.heading[0] == pytest.approx(0.1, abs=1e-3)


def spline(*segments: str, end="") -> str:
    end = f' timeEnd="{end}"' if end else ""
    return f"<ClothoidSpline{end}>{''.join(segments)}</ClothoidSpline>"


def segment(start: float, end: float, length: float, attributes="", position="") -> str:
    return (
        f'<ClothoidSplineSegment curvatureStart="{start}" curvatureEnd="{end}" length="{length}" {attributes}>'
        f"{position}</ClothoidSplineSegment>"
    )


ORIGIN = '<PositionStart><WorldPosition x="0" y="0" h="0"/></PositionStart>'


def test_a_clothoid_spline_goes_from_segment_to_segment():
    shape = spline(
        segment(0.0, 0.02, 10.0, "", ORIGIN), segment(0.02, 0.02, 10.0, 'hOffset="0.3"'), segment(0.0, 0.0, 20.0)
    )
    ticks = run(one((1.0, follow(shape))))
    assert state_at(ticks, 2.05).entity.heading[0] == pytest.approx(0.1 + 0.3, abs=0.02)
    assert state_at(ticks, 3.5).entity.heading[0] == pytest.approx(0.1 + 0.3 + 0.2, abs=1e-3)


def test_a_clothoid_spline_has_times():
    shape = spline(segment(0.0, 0.0, 10.0, 'timeStart="0"', ORIGIN), segment(0.0, 0.0, 10.0, 'timeStart="2"'), end="3")
    ticks = run(one((1.0, follow(shape, time=relative()))))
    assert place(state_at(ticks, 2.0)) == pytest.approx((5.0, 0.0), abs=1e-3)
    assert place(state_at(ticks, 3.5)) == pytest.approx((15.0, 0.0), abs=1e-3)


def test_a_clothoid_spline_begins_where_the_entity_is():
    ticks = run(one((1.0, follow(spline(segment(0.0, 0.0, 30.0))))))
    assert place(state_at(ticks, 2.0)) == pytest.approx((15.0, -3.0), abs=1e-3)


def nurbs(points: list[tuple[float, float, str]], knots: list[float], order: int) -> str:
    control = "".join(
        f'<ControlPoint {more}><Position><WorldPosition x="{x}" y="{y}"/></Position></ControlPoint>'
        for x, y, more in points
    )
    return (
        f'<Nurbs order="{order}">{control}{"".join(f"<Knot value={chr(34)}{one}{chr(34)}/>" for one in knots)}</Nurbs>'
    )


HALF = math.sqrt(0.5)


def test_a_rational_spline_is_a_circle_by_its_weights():
    points = [(0.0, 0.0, ""), (20.0, 0.0, f'weight="{HALF}"'), (20.0, 20.0, "")]
    shape = nurbs(points, [0, 0, 0, 1, 1, 1], 3)
    ticks = run(one((1.0, follow(shape))))
    for time in (1.5, 2.0, 3.0):
        x, y = place(state_at(ticks, time))
        assert math.hypot(x, y - 20.0) == pytest.approx(20.0, abs=1e-3)
    flat = run(one((1.0, follow(nurbs([(0, 0, ""), (20, 0, ""), (20, 20, "")], [0, 0, 0, 1, 1, 1], 3)))))
    x, y = place(state_at(flat, 2.5))
    assert math.hypot(x, y - 20.0) > 20.5


def test_order_and_knots_of_a_spline():
    points = [(0.0, 0.0, ""), (10.0, 10.0, ""), (20.0, 0.0, ""), (30.0, 10.0, "")]
    straight = run(one((1.0, follow(nurbs(points, [0, 0, 1, 2, 3, 3], 2)))))
    assert place(state_at(straight, 1.5))[1] == pytest.approx(5.0 * HALF, abs=0.05)
    even = run(one((1.0, follow(nurbs(points, [0, 0, 0, 0.5, 1, 1, 1], 3)))))
    skew = run(one((1.0, follow(nurbs(points, [0, 0, 0, 0.9, 1, 1, 1], 3)))))
    assert math.dist(place(state_at(even, 3.0)), place(state_at(skew, 3.0))) > 0.3


def test_control_points_have_times():
    points = [(0.0, 0.0, 'time="0"'), (20.0, 0.0, 'time="2"'), (40.0, 0.0, 'time="8"')]
    shape = nurbs(points, [0, 0, 0, 1, 1, 1], 3)
    ticks = run(one((1.0, follow(shape, time=relative())), end=10.0))
    assert place(state_at(ticks, 3.0))[0] == pytest.approx(20.0, abs=1.0)
    assert place(state_at(ticks, 9.0))[0] == pytest.approx(40.0, abs=0.1)


@pytest.mark.parametrize("kind", ["polyline", "clothoid", "nurbs"])
def test_a_closed_trajectory_goes_round_and_does_not_end(kind):
    start = '<Position><WorldPosition x="0" y="0" h="0"/></Position>'
    shapes = {
        "polyline": polyline(vertex(0, 0), vertex(30, 0), vertex(30, 40)),
        "clothoid": f'<Clothoid curvature="0" curvaturePrime="0" length="30">{start}</Clothoid>',
        "nurbs": nurbs([(0, 0, ""), (30, 0, "")], [0, 0, 1, 1], 2),
    }
    round_trip = {"polyline": 120.0, "clothoid": 60.0, "nurbs": 60.0}[kind]
    made = one((1.0, follow(shapes[kind], closed="true")), end=1.0 + round_trip / 10.0 + 2.0)
    ticks = run(made)
    assert place(ticks[-1].state) == pytest.approx((20.0, 0.0), abs=0.15)
    assert place(state_at(ticks, round_trip / 10.0))[0] == pytest.approx(6.0 if kind == "polyline" else 10.0, abs=0.2)
    assert ended(made, ticks) is None


def test_a_closed_trajectory_with_times_begins_again():
    shape = polyline(vertex(0, 0, 0), vertex(20, 0, 2), vertex(0, 0, 4))
    made = one((1.0, follow(shape, time=relative(), closed="true")), end=10.0)
    ticks = run(made)
    assert place(state_at(ticks, 6.0)) == pytest.approx((10.0, 0.0), abs=0.11)
    assert ended(made, ticks) is None


def test_a_trajectory_may_come_from_a_catalog():
    inside = f'<Trajectory name="line" closed="false"><Shape>{LINE}</Shape></Trajectory>'
    files = MemoryFiles(catalogs__c=catalog("Lines", inside))
    reference = '<CatalogReference catalogName="Lines" entryName="line"/>'
    action = private(
        "<RoutingAction><FollowTrajectoryAction><TimeReference><None/></TimeReference>"
        f'<TrajectoryFollowingMode followingMode="position"/><TrajectoryRef>{reference}</TrajectoryRef>'
        "</FollowTrajectoryAction></RoutingAction>"
    )
    made = one(
        (1.0, action), files=files, catalogs='<TrajectoryCatalog><Directory path="catalogs"/></TrajectoryCatalog>'
    )
    assert place(state_at(run(made), 2.0)) == pytest.approx((10.0, 0.0), abs=1e-6)


# ---------------------------------------------------------------- routes

FORK = fork()


def waypoint(road_id: int, s: float) -> str:
    position = f'<LanePosition roadId="{road_id}" laneId="-1" s="{s}"/>'
    return f'<Waypoint routeStrategy="shortest"><Position>{position}</Position></Waypoint>'


def route(*waypoints: str) -> str:
    return f'<Route name="way" closed="false">{"".join(waypoints)}</Route>'


def assigned(inside: str) -> str:
    return private(f"<RoutingAction><AssignRouteAction>{inside}</AssignRouteAction></RoutingAction>")


def routed(*actions: tuple[float, str], end=16.0, seed=0, files=None, catalogs=""):
    made = case(
        vehicle("car"),
        {"car": at(-1, 20.0) + going(12.0)},
        *actions,
        end=end,
        roads=FORK,
        seed=seed,
        files=files,
        catalogs=catalogs,
    )
    return made, run(made)


def road_of(state) -> int:
    return [0, 1, 11, 2, 12, 3, 13][int(state.entity.road[0])]


def test_without_a_route_one_drives_straight_on():
    assert road_of(routed()[1][-1].state) == 11


@pytest.mark.parametrize("goal", [11, 12, 13])
def test_a_route_is_followed(goal):
    action = assigned(route(waypoint(0, 30), waypoint(goal, 50)))
    made, ticks = routed((1.0, action))
    assert road_of(ticks[-1].state) == goal
    assert ended(made, ticks) == pytest.approx(1.0, abs=0.011)


def test_a_route_may_come_from_a_catalog():
    files = MemoryFiles(catalogs__c=catalog("Ways", route(waypoint(0, 30), waypoint(12, 50))))
    action = private(
        '<RoutingAction><AssignRouteAction><CatalogReference catalogName="Ways" entryName="way"/></AssignRouteAction>'
        "</RoutingAction>"
    )
    _, ticks = routed((1.0, action), files=files, catalogs='<RouteCatalog><Directory path="catalogs"/></RouteCatalog>')
    assert road_of(ticks[-1].state) == 12


@pytest.mark.parametrize("goal", [11, 12, 13])
def test_a_position_is_acquired(goal):
    position = f'<Position><LanePosition roadId="{goal}" laneId="-1" s="50"/></Position>'
    action = private(f"<RoutingAction><AcquirePositionAction>{position}</AcquirePositionAction></RoutingAction>")
    assert road_of(routed((1.0, action))[1][-1].state) == goal


RANDOM = private("<RoutingAction><RandomRouteAction/></RoutingAction>")


def test_a_random_route_turns_by_the_seed():
    found = [road_of(routed((1.0, RANDOM), seed=seed)[1][-1].state) for seed in range(8)]
    assert set(found) == {11, 12, 13}
    assert found[3] == road_of(routed((1.0, RANDOM), seed=3)[1][-1].state)


def test_a_route_ends_a_random_one():
    action = assigned(route(waypoint(0, 30), waypoint(12, 50)))
    assert {road_of(routed((1.0, RANDOM), (2.0, action), seed=seed)[1][-1].state) for seed in range(4)} == {12}


# ---------------------------------------------------------------- places and presence


def test_a_teleport_is_done_at_once():
    made = case(vehicle("car"), {"car": at(-1, 50.0) + going(10.0)}, (1.0, at(1, 500.0, offset=0.5)), end=2.0)
    ticks = run(made)
    body = state_at(ticks, 1.01).entity
    assert (body.lane[0], body.offset[0]) == (1, 0.5)
    assert body.heading[0] == pytest.approx(math.pi)
    assert body.x[0] == pytest.approx(500.0, abs=0.11)
    assert body.travelled[0] == pytest.approx(10.0, abs=0.11)


def presence(what: str) -> str:
    return f'<GlobalAction><EntityAction entityRef="other">{what}</EntityAction></GlobalAction>'


def test_an_entity_is_added_and_deleted():
    position = '<Position><LanePosition roadId="0" laneId="-1" s="200"/></Position>'
    add, delete = f"<AddEntityAction>{position}</AddEntityAction>", "<DeleteEntityAction/>"
    made = case(
        vehicle("car") + vehicle("other"),
        {"car": at(-1, 50.0)},
        (1.0, presence(add)),
        (2.0, presence(delete)),
        (2.5, presence(delete)),
        end=3.0,
    )
    ticks = run(made)
    assert [int(state_at(ticks, time).entity.present[1]) for time in (0.9, 1.5, 2.5)] == [0, 1, 0]
    assert state_at(ticks, 1.5).entity.x[1] == pytest.approx(200.0)
    assert any("cannot be deleted" in line for tick in ticks for line in tick.journal)
