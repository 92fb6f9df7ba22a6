"""Scenarios on maps of any kind: how one names its map, and the roads that it then has."""

from __future__ import annotations

import math

import pytest

from dorosim.app.run.scenario_ready import ready_scenario
from dorosim.app.store import course
from dorosim.app.store.course import courses_of
from dorosim.app.store.map import network_of, read_map_files
from dorosim.ground.error import InputError
from tests.app.command import dorosim
from tests.road.opendrive.sample import document, road
from tests.scenario.openscenario.morai_text import CAR, entity, file_text, map_name, start, write_small_map
from tests.scenario.openscenario.worldless import ticks_of

LANE = '<LanePosition roadId="0" laneId="-2" s="10"/>'
MGEO = '<LogicFile filepath="MGeo"/>'


@pytest.fixture(autouse=True)
def _own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def data(tmp_path):
    """A data folder with a map of two lanes in it."""
    (tmp_path / "data" / "Map").mkdir(parents=True)
    (tmp_path / "data" / "Scenario").mkdir()
    write_small_map(tmp_path / "data" / "Map" / "Two_Lane-Road")
    return tmp_path / "data"


def made(data, road_network, more="", position=LANE, **options):
    path = data.parent / "a.xosc"
    path.write_text(
        file_text(entity("Ego", CAR), start("Ego", position, 10.0), road_network=road_network, more=more, end=1.0)
    )
    return ready_scenario(str(path), data, **options)


def last_entity(ready):
    last = list(ticks_of(ready.program))[-1]
    return last.state.entity


@pytest.mark.parametrize(
    ("road_network", "more"),
    [
        (MGEO, map_name("Two_Lane-Road")),
        (MGEO, map_name("two lane road")),
        ("", map_name("TWO-LANE ROAD")),
        ('<LogicFile filepath="twolaneroad"/>', ""),
        (MGEO, map_name("").replace('"String"', '"string"')),
    ],
)
def test_a_map_of_the_data_folder_is_found_by_its_name(data, road_network, more):
    if 'value=""' in more:
        text = "<SimulatorInfo><Map name='Two Lane Road'/></SimulatorInfo>"
        path = data.parent / "b.xosc"
        whole = file_text(entity("Ego", CAR), start("Ego", LANE, 10.0), road_network=road_network, more=more, end=1.0)
        path.write_text(whole.replace("<Entities>", f"{text}<Entities>"))
        ready = ready_scenario(str(path), data)
    else:
        ready = made(data, road_network, more)
    # the right lane is the second one to the right of the road's reference line, at y = 0
    row = last_entity(ready)
    assert ready.map_files.name == "Two_Lane-Road"
    assert (row.x[0], row.y[0]) == pytest.approx((20.0, 0.0), abs=0.01)


def test_the_folder_beside_the_scenario_is_its_map(data):
    write_small_map(data.parent / "MGeo")
    ready = made(data, MGEO, map_name("nowhere"))
    assert ready.map_files.source == str(data.parent / "MGeo")


def test_files_of_all_formats_are_maps(data):
    write_small_map(data.parent / "roads.zip")
    (data.parent / "one.xodr").write_bytes(document(road()))
    assert dorosim("map", "convert", str(data.parent / "roads.zip"), str(data.parent / "roads.osm")).returncode == 0
    for name in ("roads.zip", "roads.osm", ".\\roads.zip"):
        assert last_entity(made(data, f'<LogicFile filepath="{name}"/>')).x[0] == pytest.approx(20.0, abs=0.02)
    position = '<LanePosition roadId="1" laneId="-1" s="10"/>'
    row = last_entity(made(data, '<LogicFile filepath="one.xodr"/>', position=position))
    assert (row.x[0], row.y[0]) == pytest.approx((20.0, -2.0))


def test_a_user_may_give_another_map(data):
    ready = made(data, '<LogicFile filepath="gone.xodr"/>', map_name="two lane road")
    assert ready.map_files.name == "Two_Lane-Road"


def test_the_roads_are_those_that_convert_writes(data, tmp_path):
    out = tmp_path / "out.xodr"
    assert dorosim("map", "convert", str(data / "Map" / "Two_Lane-Road"), str(out)).returncode == 0
    written = made(data, '<LogicFile filepath="out.xodr"/>')
    named = made(data, "", map_name("Two_Lane-Road"))
    for x in ("x", "y", "road", "lane", "s", "t"):
        assert getattr(last_entity(written), x)[0] == getattr(last_entity(named), x)[0]


def test_the_roads_of_a_map_are_made_once_and_kept(data):
    write_small_map(data / "Map" / "longer", length=101.0)
    files = read_map_files("longer", data)
    first = courses_of(files)
    assert courses_of(files) is first
    assert [one.name for one in (data.parent / "cache").rglob("*.xodr")]


def test_roads_that_are_too_many_for_a_file_are_made_each_time(data, monkeypatch):
    write_small_map(data / "Map" / "huge", length=102.0)
    monkeypatch.setattr(course, "MAX_OPENDRIVE_SIZE", 100)
    assert len(courses_of(read_map_files("huge", data)).roads) == 1
    assert not list((data.parent / "cache").rglob("huge*.xodr"))


def test_roads_lie_where_the_links_of_the_world_lie(data):
    files = read_map_files("Two_Lane-Road", data)
    courses, network = courses_of(files), network_of(files)
    assert courses.link_line("right").tolist() == network.points_of(network.link_index("right")).tolist()
    with pytest.raises(InputError, match="there is no such link"):
        courses.link_line("none")


def test_a_map_knows_where_it_is_on_the_earth(data):
    projection = courses_of(read_map_files("Two_Lane-Road", data)).projection
    latitude, longitude = projection.geographic_from_point(12.0, 34.0)
    assert projection.point_from_geographic(latitude, longitude) == pytest.approx((12.0, 34.0), abs=1e-6)
    assert math.degrees(longitude) == pytest.approx(126.78, abs=0.01)


@pytest.mark.parametrize(
    ("road_network", "more", "problem"),
    [
        (MGEO, map_name("vilage"), "its map is 'vilage': there is no such map"),
        (MGEO, "", "moraiMap does not name one"),
        ('<LogicFile filepath="gone.xodr"/>', "", "'gone.xodr' is not there"),
        ('<LogicFile filepath="gone/by"/>', "", "'gone/by' is not there"),
        ('<LogicFile filepath="../../secret.zip"/>', "", "leads out of the folders"),
        ('<LogicFile filepath="data"/>', "", "holds no MGeo files"),
    ],
)
def test_what_is_no_map_is_one_clear_error(data, road_network, more, problem):
    with pytest.raises(InputError, match=problem):
        made(data, road_network, more)


def test_a_road_that_the_map_has_not_is_one_clear_error(data):
    with pytest.raises(InputError, match="the map has no road '7'"):
        made(data, MGEO, map_name("two lane road"), position='<LanePosition roadId="7" laneId="-1" s="10"/>')
