"""What files of other people count on, and what broken ones ask for."""

from __future__ import annotations

import pytest

from dorosim.ground.error import InputError
from tests.scenario.openscenario.action_case import (
    ONE_LANE,
    at,
    case,
    going,
    map_text,
    private,
    road,
    run,
    state_at,
    vehicle,
)
from tests.scenario.openscenario.sample import MemoryFiles, catalog, lines, parameter, read, scenario

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
