"""What files of other people count on, and what broken ones ask for."""

from __future__ import annotations

import math

import pytest

from dorosim.ground.error import InputError
from dorosim.scenario.openscenario.document import open_document
from dorosim.scenario.openscenario.engine.compile import compile_scenario
from tests.scenario.openscenario.action_case import (
    ONE_LANE,
    STRAIGHT,
    at,
    at_world,
    case,
    case_text,
    ended,
    going,
    happened,
    map_text,
    network,
    private,
    road,
    run,
    state_at,
    vehicle,
)
from tests.scenario.openscenario.sample import MemoryFiles, catalog, lines, parameter, read, scenario
from tests.scenario.openscenario.worldless import ticks_of

WIDTH = '<width sOffset="0" a="3.5" b="0" c="0" d="0"/>'
TWO_LANES = (
    f'<laneSection s="0"><left><lane id="1" type="driving" level="false">{WIDTH}</lane></left>'
    '<center><lane id="0" type="none" level="false"/></center>'
    f'<right><lane id="-1" type="driving" level="false">{WIDTH}</lane></right></laneSection>'
)
CARS = '<VehicleCatalog><Directory path="cars"/></VehicleCatalog>'
CAR = """<Vehicle name="small" vehicleCategory="car" mass="$m">{inside}
<BoundingBox><Center x="1" y="0" z="1"/><Dimensions width="2" length="4" height="1.5"/></BoundingBox>
<Performance maxSpeed="50" maxAcceleration="5" maxDeceleration="9"/><Axles>
<RearAxle maxSteering="0" wheelDiameter="0.6" trackWidth="1.6" positionX="0" positionZ="0.3"/></Axles></Vehicle>"""
ENTITY = """<ScenarioObject name="Ego"><CatalogReference catalogName="Cars" entryName="small">{inside}
</CatalogReference></ScenarioObject>"""


def reading(declared="", inside="", **given):
    """A scenario with a car of a catalog whose mass is $m."""
    files = MemoryFiles(cars__a=catalog("Cars", CAR.format(inside=inside)))
    return read(scenario(entities=ENTITY.format(inside=""), catalogs=CARS, declarations=declared), files, **given)


def mass(found):
    return found.scenario().entities.scenario_objects[0].entity_object.chosen.mass


@pytest.mark.parametrize(("given", "wanted"), [({}, 1234.0), ({"m": "1500"}, 1500.0)])
def test_an_entry_that_names_a_parameter_without_declaring_it_takes_that_of_the_scenario(given, wanted):
    found = reading(parameter("m", "double", "1234"), **given)
    assert mass(found) == wanted
    assert len(lines(found)) == 1
    assert lines(found)[0].startswith("cars/a.xosc: line 1, ")
    assert "names parameter 'm' without a declaration" in lines(found)[0]


def test_an_entry_with_a_parameter_of_its_own_does_not_see_that_of_the_scenario():
    inside = f"<ParameterDeclarations>{parameter('m', 'double', '900')}</ParameterDeclarations>"
    found = reading(parameter("m", "double", "1234"), inside)
    assert mass(found) == 900.0
    assert found.findings == ()


def test_a_parameter_of_an_entry_that_is_declared_nowhere_is_told():
    assert ["parameter '$m' is not declared here" in one for one in lines(reading())] == [True]


def junction():
    """A road of 100 m with a lane each way; only its own side goes on, by a link of one lane to a road like it."""
    after = '<successor elementType="junction" elementId="1"/>'
    ends = (
        '<predecessor elementType="road" elementId="0" contactPoint="end"/>'
        '<successor elementType="road" elementId="2" contactPoint="start"/>'
    )
    shifted = ONE_LANE.replace("<laneSection", '<laneOffset s="0" a="1.75" b="0" c="0" d="0"/><laneSection')
    return map_text(
        road(0, "0 0 0 line", 100.0, link=after, lanes=TWO_LANES),
        # its reference line is the middle of its lane
        road(1, "100 -1.75 0 line", 20.0, link=ends, junction=1, lanes=shifted),
        road(2, "120 0 0 line", 100.0, link=ends.split("<succ")[0].replace('"0"', '"1"'), lanes=TWO_LANES),
        extra='<junction id="1" name=""><connection id="0" incomingRoad="0" connectingRoad="1" contactPoint="start">'
        '<laneLink from="-1" to="-1"/></connection></junction>',
    )


ROUTE = (
    "<RoutingAction><AssignRouteAction><Route name='r' closed='false'>{}</Route></AssignRouteAction></RoutingAction>"
)
WAYPOINT = (
    '<Waypoint routeStrategy="shortest"><Position><LanePosition roadId="{}" laneId="-1" s="{}"/></Position></Waypoint>'
)
CHANGE = private(
    '<LateralAction><LaneChangeAction><LaneChangeActionDynamics dynamicsShape="linear" dynamicsDimension="time" '
    'value="8"/><LaneChangeTarget><AbsoluteTargetLane value="1"/></LaneChangeTarget></LaneChangeAction></LateralAction>'
)


@pytest.mark.parametrize("has_route", [True, False])
def test_a_change_to_the_oncoming_lane_goes_on_through_a_junction_of_its_own_lane(has_route):
    """No lane of the link is the one that it changes to: it goes on across from where it is."""
    route = private(ROUTE.format(WAYPOINT.format(0, 10) + WAYPOINT.format(2, 90))) if has_route else ""
    init = {"car": route + at(-1, 80.0) + going(10.0)}
    ticks = run(case(vehicle("car"), init, (0.0, CHANGE), end=10.0, roads=junction()))
    ways = [state_at(ticks, time).entity for time in (1.0, 3.0, 5.0, 8.5)]
    assert [round(float(one.y[0]), 2) for one in ways] == pytest.approx(
        [-1.75 + 3.5 * time / 8.0 for time in (1.0, 3.0, 5.0)] + [1.75], abs=0.01
    )
    assert [int(one.speed[0]) for one in ways] == [10] * 4
    assert float(ways[2].x[0]) == pytest.approx(80.0 + 50.0, abs=0.3)
    assert int(ways[3].lane[0]) == 1


CLOTHOID = """<RoutingAction><FollowTrajectoryAction><TimeReference><None/></TimeReference>
<TrajectoryFollowingMode followingMode="position"/><TrajectoryRef><Trajectory name="t" closed="false"><Shape>
<Clothoid curvature="{}" curvaturePrime="0" length="{}"><Position><WorldPosition x="0" y="0"/></Position></Clothoid>
</Shape></Trajectory></TrajectoryRef></FollowTrajectoryAction></RoutingAction>"""


@pytest.mark.parametrize(
    ("action", "problem"),
    [
        (CLOTHOID.format("-1e9", "15"), "turns by 1.5e+10 rad"),
        (CLOTHOID.format("0", "1e9"), "is 1e+09 m long"),
        (CHANGE.replace('Lane value="1"', f'Lane value="{"9" * 30}"')[15:-16], "is beyond 1000000"),
        (CHANGE.replace('Lane value="1"', 'Lane value="left"')[15:-16], "is not a whole number"),
    ],
)
def test_what_would_fill_the_memory_or_is_no_lane_is_refused(action, problem):
    with pytest.raises(InputError) as refused:
        case(vehicle("car"), {"car": at(-1, 10.0) + going(1.0)}, (0.0, private(action)))
    assert problem in str(refused.value)


def test_a_lane_of_a_place_has_an_id_that_can_be():
    with pytest.raises(InputError, match=r"lane '9{20,}"):
        case(vehicle("car"), {"car": at("9" * 300, 10.0) + going(1.0)})


def test_a_relative_speed_is_that_of_the_other_one_when_it_is_reached():
    """Without `continuous` the action ends then; until then the other one's speed of now counts."""
    target = '<RelativeTargetSpeed entityRef="other" value="2" speedTargetValueType="delta" continuous="false"/>'
    change = private(
        '<LongitudinalAction><SpeedAction><SpeedActionDynamics dynamicsShape="linear" dynamicsDimension="rate" '
        f'value="4"/><SpeedActionTarget>{target}</SpeedActionTarget></SpeedAction></LongitudinalAction>'
    )
    slower = private(
        '<LongitudinalAction><SpeedAction><SpeedActionDynamics dynamicsShape="linear" dynamicsDimension="rate" '
        'value="2"/><SpeedActionTarget><AbsoluteTargetSpeed value="4"/></SpeedActionTarget></SpeedAction>'
        "</LongitudinalAction>"
    )
    init = {"car": at(-1, 10.0) + going(20.0), "other": at(-2, 10.0) + going(10.0) + slower}
    made = case(vehicle("car") + vehicle("other"), init, (0.0, change), end=5.0)
    ticks = run(made)
    # 20 - 4 t = 2 + max(10 - 2 t, 4) at 3.5 s; of the speed at the start it would be 12 at 2 s
    assert ended(made, ticks) == pytest.approx(3.5, abs=0.011)
    assert float(ticks[-1].state.entity.speed[0]) == pytest.approx(6.0)


def test_minus_one_is_any_number_of_executions_and_an_empty_action_does_nothing():
    entities, init = vehicle("car"), {"car": at(-1, 10.0) + going(1.0)}
    text = case_text(entities, init, (0.5, ""), end=2.0)
    again = text.replace(
        'maximumExecutionCount="1">\n    <Action name', 'maximumExecutionCount="-1">\n    <Action name'
    )
    assert again != text
    counts = []
    for one in (text, again):
        opened = open_document("a.xosc", one.encode()).read()
        assert any("taken for as often as" in line for line in lines(opened)) == (one == again)
        made = compile_scenario("a.xosc", opened.scenario(), network(STRAIGHT), {}, 0)
        assert any("is empty" in str(note) for note in made.notes)
        counts.append(sum(how == "start" for how, _ in happened(made, run(made), "event 0")))
    assert counts[0] == 1
    assert counts[1] > 100


PLACE = '<RelativeLanePosition entityRef="car"><Orientation type="{}" h="{}"/></RelativeLanePosition>'


@pytest.mark.parametrize(
    ("kind", "heading", "met"), [("relative", 0.0, True), ("relative", 0.1, False), ("absolute", 0.04, True)]
)
def test_a_position_with_an_orientation_is_reached_by_one_that_points_so(kind, heading, met):
    reaches = (
        '<ByEntityCondition><TriggeringEntities triggeringEntitiesRule="any"><EntityRef entityRef="car"/>'
        '</TriggeringEntities><EntityCondition><ReachPositionCondition tolerance="1"><Position>'
        f"{PLACE.format(kind, heading)}</Position></ReachPositionCondition></EntityCondition></ByEntityCondition>"
    )
    text = case_text(vehicle("car"), {"car": at(-1, 10.0) + going(1.0)}, (0.5, going(3.0)), end=2.0)
    start = text.index("<ByValueCondition>", text.index("event 0 condition"))
    stop = text.index("</ByValueCondition>", start) + len("</ByValueCondition>")
    opened = open_document("a.xosc", (text[:start] + reaches + text[stop:]).encode()).read()
    made = compile_scenario("a.xosc", opened.scenario(), network(STRAIGHT), {}, 0)
    assert bool([how for how, _ in happened(made, run(made), "event 0") if how == "start"]) == met


def test_a_place_beside_an_entity_without_lengths_is_where_it_is():
    beside = private('<TeleportAction><Position><RelativeRoadPosition entityRef="car"/></Position></TeleportAction>')
    init = {"car": at(-1, 10.0, offset=0.4) + going(1.0)}
    found = run(case(vehicle("car"), init, (1.0, beside), end=1.005))[-1].state.entity
    assert (float(found.x[0]), float(found.y[0])) == pytest.approx((11.0, -1.35), abs=0.011)


def test_a_vehicle_without_limits_and_a_trailer_by_its_old_name():
    limits = 'performance_of_nothing="1"'
    connect = private('<TrailerAction><ConnectTrailerAction trailer="cart"/></TrailerAction>')
    hitch = '<TrailerHitch dx="-1"/>'
    coupler = '<TrailerCoupler dx="3"/>'
    entities = vehicle("car", inside=hitch, performance=limits) + vehicle("cart", category="trailer", inside=coupler)
    init = {"car": at(-1, 50.0) + going(10.0), "cart": at(-1, 40.0)}
    made = case(entities, init, (0.0, connect), end=2.0)
    found = run(made)[-1].state.entity
    assert made.entities[0].max_acceleration == math.inf
    assert float(found.x[1]) == pytest.approx(50.0 + 20.0 - 4.0, abs=0.2)


@pytest.mark.parametrize(("speed", "heading"), [(10.0, 0.0), (-10.0, math.pi)])
def test_where_there_are_no_roads_one_stands_at_the_end_of_a_trajectory(speed, heading):
    """The tick in which it ends is gone to its end, forward or backward."""
    points = "".join(f'<Vertex><Position><WorldPosition x="{x}" y="0"/></Position></Vertex>' for x in (0, 12.34))
    follow = private(
        "<RoutingAction><FollowTrajectoryAction><TimeReference><None/></TimeReference><TrajectoryFollowingMode "
        f'followingMode="position"/><TrajectoryRef><Trajectory name="t" closed="false"><Shape><Polyline>{points}'
        "</Polyline></Shape></Trajectory></TrajectoryRef></FollowTrajectoryAction></RoutingAction>"
    )
    init = {"car": at_world(0.0, 0.0, heading) + going(speed)}
    found = run(case(vehicle("car"), init, (0.0, follow), end=3.0, roads=None))[-1].state.entity
    assert float(found.speed[0]) == 0.0
    assert float(found.x[0]) == pytest.approx(12.4)
    assert float(found.heading[0]) == pytest.approx(heading)


@pytest.mark.parametrize("first", [10.0, -10.0])
def test_a_body_whose_speed_changes_its_sign_goes_back_along_its_trajectory(first):
    """It keeps its front, or its rear, ahead, and the trajectory is over at its start, too."""
    points = "".join(f'<Vertex><Position><WorldPosition x="{x}" y="0"/></Position></Vertex>' for x in (0, 50))
    follow = private(
        "<RoutingAction><FollowTrajectoryAction><TimeReference><None/></TimeReference><TrajectoryFollowingMode "
        f'followingMode="position"/><TrajectoryRef><Trajectory name="t" closed="false"><Shape><Polyline>{points}'
        "</Polyline></Shape></Trajectory></TrajectoryRef></FollowTrajectoryAction></RoutingAction>"
    )
    init = {"car": at_world(0.0, 0.0) + going(first)}
    made = case(vehicle("car"), init, (0.0, follow), (2.0, going(-first)), end=4.5, roads=None)
    ticks = run(made)
    found = [state_at(ticks, time).entity for time in (1.9, 2.9, 4.4)]
    assert [float(one.x[0]) for one in found] == pytest.approx([19.0, 11.0, 0.0], abs=0.101)
    assert [float(one.heading[0]) for one in found] == pytest.approx([0.0 if first > 0.0 else math.pi] * 3)
    assert ended(made, ticks) == pytest.approx(4.0, abs=0.021)


def test_a_header_with_an_odd_version_is_read():
    content = scenario().replace(b'revMinor="3"', b'revMinor="3+"')
    found = read(content)
    assert found.scenario().entities.scenario_objects == ()
    assert any("revMinor" in line for line in lines(found))


def test_what_ends_at_the_time_limit_has_an_end():
    made = case(vehicle("car"), {"car": at(-1, 10.0)}, end=2.0)
    later = case(vehicle("car"), {"car": at(-1, 10.0)}, end=2.02)
    assert [list(ticks_of(one, 10_000_000, 2.0))[-1].ended for one in (made, later)] == ["the stop trigger is met", ""]
