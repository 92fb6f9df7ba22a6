"""Each kind of position is where the standard has it, with each of its attributes and orientations."""

from __future__ import annotations

import math
from collections.abc import Mapping

import pytest

from dorosim.ground.error import InputError
from dorosim.scenario.openscenario.engine.rows import EntityRow
from tests.scenario.openscenario.staged import BENT, WAYS, Body, at_lane, group, program, run, story, text

RISE = math.atan(0.1)
END = (100.0 + 50.0 * math.sin(1.0), 50.0 * (1.0 - math.cos(1.0)))
"""Where the reference line of road 1 ends, with a heading of 1."""


def placed(
    position: str, *others: Body, roads: bytes | None = BENT, init: Mapping[str, str] | None = None
) -> EntityRow:
    """The row of an entity that was put at a position."""
    bodies = [*others, Body("ego", position)]
    ticks = run(program(text(bodies, story(group(["ego"], "")), end=0.02, more_init=init), roads))
    found: EntityRow = EntityRow.of_table(ticks[0].state.entity)[-1]
    return found


def assert_at(found: EntityRow, x: float, y: float, heading: float | None = None, **more: float) -> None:
    assert (found.x, found.y) == pytest.approx((x, y), abs=1e-6)
    if heading is not None:
        assert math.remainder(found.heading - heading, math.tau) == pytest.approx(0.0, abs=1e-6)
    for name, value in more.items():
        assert getattr(found, name) == pytest.approx(value, abs=1e-6), name


def oriented(kind: str, **angles: float) -> str:
    return f'<Orientation type="{kind}" ' + " ".join(f'{name}="{value}"' for name, value in angles.items()) + "/>"


def test_a_world_position_has_six_attributes() -> None:
    position = '<WorldPosition x="5" y="6" z="1.5" h="0.5" p="0.1" r="0.2"/>'
    for roads in (None, BENT):
        assert_at(placed(position, roads=roads), 5.0, 6.0, 0.5, z=1.5, pitch=0.1, roll=0.2)


def test_a_world_position_without_height_is_on_the_road() -> None:
    found = placed('<WorldPosition x="90" y="-1" h="0"/>')
    assert_at(found, 90.0, -1.0, 0.0, z=1.0, pitch=-RISE, roll=0.0)


@pytest.mark.parametrize(
    ("lane", "offset", "t", "heading"), [(-1, 0.0, -1.5, 0.0), (-2, 0.5, -4.0, 0.0), (2, -0.5, 4.0, math.pi)]
)
def test_a_lane_position_points_as_one_drives_there(lane: int, offset: float, t: float, heading: float) -> None:
    found = placed(at_lane(30.0, lane, offset=offset))
    assert_at(found, 30.0, t, heading, s=30.0, t=t, offset=offset)
    assert (int(found.road), int(found.lane)) == (0, lane)


def test_a_lane_position_names_its_road() -> None:
    assert_at(placed(at_lane(30.0, 1, name="9")), 48.0 + 0.5, -20.0, -math.pi / 2, z=8.0)


@pytest.mark.parametrize(
    ("more", "heading", "pitch", "roll"),
    [
        (oriented("relative", h=0.5), 0.5, -RISE * math.cos(0.5), -RISE * math.sin(0.5)),
        (oriented("relative", p=0.2, r=0.3), 0.0, 0.2 - RISE, 0.3),
        (oriented("absolute", h=0.5, p=0.2, r=0.3), 0.5, 0.2, 0.3),
    ],
)
def test_an_orientation_is_absolute_or_relative_to_the_lane(
    more: str, heading: float, pitch: float, roll: float
) -> None:
    assert_at(placed(at_lane(90.0, more=more)), 90.0, -1.5, heading, pitch=pitch, roll=roll)


def test_an_orientation_without_a_type_is_absolute() -> None:
    assert_at(placed(at_lane(30.0, 1, more='<Orientation h="0.5"/>')), 30.0, 1.5, 0.5)
    assert_at(placed(at_lane(30.0, 1, more=oriented("relative", h=0.5))), 30.0, 1.5, math.pi + 0.5)


def test_a_road_position_has_s_and_t() -> None:
    assert_at(placed('<RoadPosition roadId="1" s="30" t="4"/>'), 30.0, 4.0, math.pi)
    turned = placed('<RoadPosition roadId="1" s="150" t="-2"><Orientation type="relative" h="0.2"/></RoadPosition>')
    assert_at(turned, END[0] + 2.0 * math.sin(1.0), END[1] - 2.0 * math.cos(1.0), 1.2)
    assert_at(placed('<RoadPosition roadId="9" s="30" t="0"/>'), 50.0, -20.0)


NORTH = Body("other", '<WorldPosition x="20" y="-1" z="2" h="1.5707963267948966" p="0" r="0"/>')
IN_BEND = Body("other", at_lane(110.0))
FORWARD, BACKWARD = Body("other", at_lane(80.0)), Body("other", at_lane(80.0, 1))


def relative(kind: str, attributes: str, more: str = "") -> str:
    return f'<{kind} entityRef="other" {attributes}>{more}</{kind}>'


def test_beside_an_entity_along_the_axes_of_the_map() -> None:
    assert_at(placed(relative("RelativeWorldPosition", 'dx="5" dy="3" dz="1"'), NORTH), 25.0, 2.0, math.pi / 2, z=3.0)
    assert_at(placed(relative("RelativeWorldPosition", 'dx="70" dy="0"'), NORTH), 90.0, -1.0, z=1.0)
    more = oriented("relative", h=0.2)
    assert_at(placed(relative("RelativeWorldPosition", 'dx="5" dy="3"', more), NORTH), 25.0, 2.0, math.pi / 2 + 0.2)
    more = oriented("absolute", h=0.2)
    assert_at(placed(relative("RelativeWorldPosition", 'dx="5" dy="3"', more), NORTH), 25.0, 2.0, 0.2)


def test_beside_an_entity_along_the_axes_of_its_body() -> None:
    assert_at(placed(relative("RelativeObjectPosition", 'dx="5" dy="3" dz="1"'), NORTH), 17.0, 4.0, math.pi / 2, z=3.0)
    assert_at(placed(relative("RelativeObjectPosition", 'dx="1" dy="-70"'), NORTH), 90.0, 0.0, z=1.0)
    more = oriented("relative", h=0.2, p=0.1)
    found = placed(relative("RelativeObjectPosition", 'dx="5" dy="3" dz="0"', more), NORTH)
    assert_at(found, 17.0, 4.0, math.pi / 2 + 0.2, pitch=0.1)


def test_beside_an_entity_along_its_road() -> None:
    assert_at(placed(relative("RelativeRoadPosition", 'ds="10" dt="3"'), FORWARD), 90.0, 1.5, math.pi)
    assert_at(placed(relative("RelativeRoadPosition", 'ds="10" dt="3"'), BACKWARD), 70.0, -1.5, 0.0)
    more = oriented("relative", h=0.2)
    assert_at(placed(relative("RelativeRoadPosition", 'ds="10" dt="0"', more), FORWARD), 90.0, -1.5, 0.2)


@pytest.mark.parametrize(
    ("other", "attributes", "x", "y", "heading"),
    [
        (FORWARD, 'dLane="0" ds="10"', 90.0, -1.5, 0.0),
        (FORWARD, 'dLane="-1" ds="-10" offset="0.5"', 70.0, -4.0, 0.0),
        (FORWARD, 'dLane="1" ds="0"', 80.0, 1.5, math.pi),
        (FORWARD, 'dLane="2" ds="0" offset="0.5"', 80.0, 5.0, math.pi),
        (BACKWARD, 'dLane="-1" ds="10" offset="0.5"', 70.0, 4.0, math.pi),
        (FORWARD, 'dLane="0" ds="70"', END[0] + 1.5 * math.sin(1.0), END[1] - 1.5 * math.cos(1.0), 1.0),
    ],
)
def test_beside_an_entity_some_lanes_away(other: Body, attributes: str, x: float, y: float, heading: float) -> None:
    assert_at(placed(relative("RelativeLanePosition", attributes), other), x, y, heading)


def test_a_length_along_the_lane_is_not_that_of_the_road() -> None:
    """In the bend 10 m of the reference line are 10.3 m of lane -1."""
    assert placed(relative("RelativeLanePosition", 'dLane="0" dsLane="10.3"'), IN_BEND).s == pytest.approx(120.0)
    assert placed(relative("RelativeLanePosition", 'dLane="0" ds="10.3"'), IN_BEND).s == pytest.approx(120.3)


def test_a_relative_lane_position_has_lanes_lengths_and_an_orientation() -> None:
    assert_at(placed(relative("RelativeLanePosition", 'dLane="1" ds="-10" offset="0.5"'), FORWARD), 70.0, 2.0, math.pi)
    assert placed(relative("RelativeLanePosition", 'dLane="0" dsLane="10.3"'), IN_BEND).s == pytest.approx(120.0)
    more = oriented("relative", h=0.2)
    assert_at(placed(relative("RelativeLanePosition", 'dLane="0" ds="10"', more), FORWARD), 90.0, -1.5, 0.2)


EAST, NORTHWARD = 111319.49079327358 * math.cos(math.radians(37.0)), 110971.0
"""About how many metres a degree is there."""


def geo(east: float, north: float, attributes: str = "", more: str = "") -> str:
    latitude, longitude = 37.0 + north / NORTHWARD, 127.0 + east / EAST
    return f'<GeoPosition latitudeDeg="{latitude}" longitudeDeg="{longitude}" {attributes}>{more}</GeoPosition>'


def test_a_latitude_and_a_longitude_are_a_place_of_the_projection() -> None:
    found = placed(geo(30.0, -1.5))
    assert (found.x, found.y) == pytest.approx((30.0, -1.5), abs=0.1)
    assert (int(found.road), int(found.lane)) == (0, -1)
    assert found.heading == pytest.approx(0.0, abs=1e-9)
    assert placed(geo(30.0, 1.5)).heading == pytest.approx(math.pi)
    assert placed(geo(30.0, 1.5, more=oriented("relative", h=0.2))).heading == pytest.approx(math.pi + 0.2)
    assert placed(geo(30.0, 1.5, more=oriented("absolute", h=0.2))).heading == pytest.approx(0.2)
    assert placed(geo(30.0, -1.5, 'altitude="4"')).z == pytest.approx(4.0)
    assert placed(geo(30.0, -1.5, 'height="4"')).z == pytest.approx(4.0)


def test_old_files_have_the_latitude_in_radians() -> None:
    position = f'<GeoPosition latitude="{math.radians(37.0)}" longitude="{math.radians(127.0 + 30.0 / EAST)}"/>'
    found = placed(position)
    assert (found.x, found.y) == pytest.approx((30.0, 0.0), abs=0.1)


def test_of_roads_above_each_other_one_is_counted() -> None:
    assert placed(geo(50.0, -1.5, 'verticalRoadSelection="0"')).z == pytest.approx(0.0, abs=1e-6)
    assert placed(geo(50.0, -1.5, 'verticalRoadSelection="1"')).z == pytest.approx(8.0, abs=1e-6)
    with pytest.raises(InputError, match="verticalRoadSelection is 2, and there are 2 roads there"):
        placed(geo(50.0, -1.5, 'verticalRoadSelection="2"'))


def test_a_geographic_position_has_all_its_attributes() -> None:
    test_a_latitude_and_a_longitude_are_a_place_of_the_projection()
    test_old_files_have_the_latitude_in_radians()
    test_of_roads_above_each_other_one_is_counted()


def test_a_map_without_a_projection_has_no_latitudes() -> None:
    with pytest.raises(InputError, match="the map has no projection"):
        placed(geo(0.0, 0.0), roads=WAYS)
    with pytest.raises(InputError, match="there is no road network"):
        placed(geo(0.0, 0.0), roads=None)


SHAPE = """<Trajectory name="up" closed="false"><Shape><Polyline>
<Vertex time="0"><Position><WorldPosition x="20" y="-1.5" h="0"/></Position></Vertex>
<Vertex time="1"><Position><WorldPosition x="60" y="-1.5" h="0"/></Position></Vertex>
<Vertex time="2"><Position><WorldPosition x="60" y="40" h="1.5707963267948966"/></Position></Vertex>
</Polyline></Shape></Trajectory>"""


def on_trajectory(attributes: str, more: str = "") -> str:
    return f"<TrajectoryPosition {attributes}>{more}<TrajectoryRef>{SHAPE}</TrajectoryRef></TrajectoryPosition>"


def test_a_place_on_a_trajectory_has_s_and_t() -> None:
    assert_at(placed(on_trajectory('s="10"')), 30.0, -1.5, 0.0)
    assert_at(placed(on_trajectory('s="60" t="2"')), 58.0, 18.5, math.pi / 2)
    assert_at(placed(on_trajectory('s="10"', oriented("relative", h=0.2))), 30.0, -1.5, 0.2)
    assert_at(placed(on_trajectory('s="60"', oriented("absolute", h=0.2))), 60.0, 18.5, 0.2)


def waypoints(*places: tuple[str, str], closed: str = "false") -> str:
    inside = "".join(
        f'<Waypoint routeStrategy="{strategy}"><Position>{at_lane(10.0, name=name)}</Position></Waypoint>'
        for name, strategy in places
    )
    return f'<Route name="route" closed="{closed}">{inside}</Route>'


def on_route(route: str, inside: str, more: str = "") -> str:
    return (
        f"<RoutePosition><RouteRef>{route}</RouteRef>{more}<InRoutePosition>{inside}</InRoutePosition></RoutePosition>"
    )


TO_4 = waypoints(("1", "shortest"), ("4", "shortest"))


def test_a_place_on_a_route_by_road_and_by_lane() -> None:
    """From 10 m of road 1 on: 90 m there, 20 m of road 13, then road 3."""
    by_road = placed(on_route(TO_4, '<FromRoadCoordinates pathS="115" t="1"/>'), roads=WAYS)
    assert_at(by_road, 125.0, 1.0, math.pi)
    by_lane = placed(on_route(TO_4, '<FromLaneCoordinates pathS="115" laneId="-1" laneOffset="0.5"/>'), roads=WAYS)
    assert_at(by_lane, 125.0, -1.0, 0.0)
    more = oriented("relative", h=0.2)
    turned = placed(on_route(TO_4, '<FromLaneCoordinates pathS="115" laneId="-1"/>', more), roads=WAYS)
    assert_at(turned, 125.0, -1.5, 0.2)


def test_a_place_on_a_route_where_an_entity_is() -> None:
    other = Body("other", at_lane(40.0, offset=0.5, name="3"))
    found = placed(on_route(TO_4, '<FromCurrentEntity entityRef="other"/>'), other, roads=WAYS)
    assert_at(found, 160.0, -1.0, 0.0)
    more = oriented("absolute", h=0.2)
    assert_at(placed(on_route(TO_4, '<FromCurrentEntity entityRef="other"/>', more), other, roads=WAYS), 160, -1, 0.2)


def test_places_on_a_route_of_each_kind() -> None:
    test_a_place_on_a_route_by_road_and_by_lane()
    test_a_place_on_a_route_where_an_entity_is()


def test_a_waypoint_is_reached_by_each_strategy() -> None:
    for strategy, y in (("shortest", 0.0), ("fastest", 40.0), ("leastIntersections", -40.0)):
        route = waypoints(("1", "shortest"), ("4", strategy))
        found = placed(on_route(route, '<FromLaneCoordinates pathS="115" laneId="-1"/>'), roads=WAYS)
        assert_at(found, 125.0, y - 1.5)
    test_random_ways_are_drawn_by_the_seed()


def test_a_closed_route_leads_to_its_start_again() -> None:
    """Round it is 90 m of road 1, 140 m to road 4, its 100 m, and 10 m of road 1."""
    inside = '<FromLaneCoordinates pathS="{}" laneId="-1"/>'
    closed = waypoints(("1", "shortest"), ("4", "shortest"), closed="true")
    assert_at(placed(on_route(closed, inside.format(335.0)), roads=WAYS), 5.0, -1.5)
    assert_at(placed(on_route(closed, inside.format(340.0 + 115.0)), roads=WAYS), 125.0, -1.5)
    assert_at(placed(on_route(TO_4, inside.format(335.0)), roads=WAYS), 340.0, -1.5)


def test_random_ways_are_drawn_by_the_seed() -> None:
    route = waypoints(("1", "shortest"), ("4", "random"))
    position = on_route(route, '<FromLaneCoordinates pathS="115" laneId="-1"/>')
    content = text([Body("ego", position)], story(group(["ego"], "")), end=0.02)

    def side(seed: int) -> float:
        made = program(content, WAYS, seed=seed)
        return round(float(run(made)[0].state.entity.y[0]) + 1.5, 3)

    found = [side(seed) for seed in range(40)]
    assert set(found) == {-40.0, 0.0, 40.0}
    assert found == [side(seed) for seed in range(40)]


def test_positions_of_every_kind_can_be_taken() -> None:
    test_a_world_position_has_six_attributes()
    test_a_lane_position_names_its_road()
    test_a_road_position_has_s_and_t()
    test_beside_an_entity_along_the_axes_of_the_map()
    test_beside_an_entity_along_the_axes_of_its_body()
    test_beside_an_entity_along_its_road()
    test_a_relative_lane_position_has_lanes_lengths_and_an_orientation()
    test_a_geographic_position_has_all_its_attributes()
    test_a_place_on_a_trajectory_has_s_and_t()
    test_places_on_a_route_of_each_kind()


@pytest.mark.parametrize(
    ("position", "place", "note"),
    [
        (at_lane(151.0), 150.0, "s is 151 m, and road 1 is 150.000 m long; its end is taken"),
        (at_lane(-3.0), 0.0, "s is -3 m, and road 1 is 150.000 m long; its end is taken"),
        ('<RoadPosition roadId="1" s="151" t="0"/>', 150.0, "s is 151 m, and road 1 is 150.000 m long"),
        (at_lane(10.0, -7), 10.0, "road 1 has no lane -7 at s = 10 m; lane -2 is taken"),
    ],
)
def test_a_place_beyond_a_road_is_noted_and_is_at_its_edge(position: str, place: float, note: str) -> None:
    made = program(text([Body("ego", position)], story(group(["ego"], "")), end=0.02))
    assert [note in one for one in made.notes] == [True]
    assert run(made)[0].state.entity.s[0] == pytest.approx(place)


def test_who_leaves_the_used_area_is_told() -> None:
    corners = "".join(f"<Position>{one}</Position>" for one in (at_lane(0.0, 2), at_lane(60.0, -2)))
    body = Body("ego", at_lane(55.0), 10.0)
    content = text([body], story(group(["ego"], "")), end=2.0, signals=f"<UsedArea>{corners}</UsedArea>")
    told = [round(tick.time * 1e-9, 2) for tick in run(program(content)) for line in tick.journal if "area" in line]
    assert told == pytest.approx([0.5], abs=0.011)
