"""CARLA reads what is written, where its wheel is installed (CPython 3.11; it is part of no extra)."""

from __future__ import annotations

import pytest

from tests.road.opendrive.exported import ALL_MAPS, written_map

carla = pytest.importorskip("carla", reason="the wheel of CARLA is not installed: pip install carla")


@pytest.mark.parametrize("name", ALL_MAPS)
def test_carla_finds_the_lanes(name):
    one = written_map(name)
    town = carla.Map(name, one.content.decode())
    drivable = [row for row in range(one.network.link_count) if one.network.link_drivable[row]]
    places = town.generate_waypoints(1.0)
    assert {place.road_id for place in places} == {
        int(one.exported.road[one.network.link_ids[row]]) for row in drivable
    }
    assert len(town.get_all_landmarks_of_type("1000001")) >= sum(
        light.kind != "pedestrian" for light in one.network.signals.lights
    )
    for row in drivable[::7]:
        at = one.network.point_at(row, one.network.link_length[row] / 2.0)[0]
        place = town.get_waypoint_xodr(
            int(one.exported.road[one.network.link_ids[row]]), one.exported.lane[one.network.link_ids[row]], 0.0
        )
        start = one.network.points_of(row)[0]
        found = place.transform.location
        assert (found.x, -found.y) == pytest.approx((start[0], start[1]), abs=0.1)
        nearest = town.get_waypoint(carla.Location(float(at[0]), float(-at[1]), float(at[2]))).transform.location
        assert (nearest.x, -nearest.y) == pytest.approx((at[0], at[1]), abs=0.5)


@pytest.mark.parametrize("name", ALL_MAPS)
def test_carla_finds_ways_out_of_every_lane_that_has_one(name):
    one = written_map(name)
    town = carla.Map(name, one.content.decode())
    for row, link in enumerate(one.network.link_ids):
        if not one.network.link_drivable[row]:
            continue
        road, lane = int(one.exported.road[link]), one.exported.lane[link]
        length = next(road_.length for road_ in one.read.roads if road_.id == str(road))
        place = town.get_waypoint_xodr(road, lane, max(length - 0.5, 0.0))
        found = {(after.road_id, after.lane_id) for after in place.next(1.0)}
        followers = one.network.successors.of(row).tolist()
        wanted = {
            (int(one.exported.road[n]), one.exported.lane[n]) for n in (one.network.link_ids[f] for f in followers)
        }
        assert found == wanted, link
