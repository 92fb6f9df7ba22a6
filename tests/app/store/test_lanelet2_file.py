"""Lanelet2 files as maps of runs."""

from __future__ import annotations

import json

import pytest

from dorosim.app.store.map import load_network, read_map_files, read_records
from dorosim.ground.error import InputError
from tests.app.command import dorosim
from tests.road.lanelet2.sample import crossing, two_lanes


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "Cross.osm"
    path.write_bytes(crossing())
    return path


def test_a_file_is_a_map(file):
    files = read_map_files(str(file))
    assert (files.name, files.source) == ("Cross", str(file))
    names = tuple(link.idx for link in read_records(files).links)
    assert load_network(files).link_ids == names
    assert len(names) == 3


def test_a_folder_of_autoware_is_a_map(file, tmp_path):
    folder = tmp_path / "Odaiba"
    folder.mkdir()
    file.rename(folder / "lanelet2_map.osm")
    (folder / "pointcloud_map.pcd").write_bytes(b"")
    files = read_map_files(str(folder))
    assert (files.name, list(files.files)) == ("Odaiba", ["lanelet2_map.osm"])
    assert len(read_records(files).links) == 3


def test_one_of_the_data_folder_is_found_by_its_name(file, tmp_path):
    folder = tmp_path / "data" / "Map"
    folder.mkdir(parents=True)
    file.rename(folder / file.name)
    assert read_map_files("Cross", tmp_path / "data").name == "Cross"


def test_a_broken_file_is_named_with_its_line(file):
    file.write_bytes(two_lanes().replace(b' role="left"', b' role="top"', 1))
    with pytest.raises(InputError, match=r"Cross\.osm: line \d+, relation 10, role 'left': a lanelet needs one"):
        read_records(read_map_files(str(file)))


def test_a_map_of_openstreetmap_is_refused(tmp_path):
    path = tmp_path / "seoul.osm"
    path.write_text('<osm version="0.6"><node id="1" lat="37.5" lon="127.0"/></osm>')
    done = dorosim("map", "check", path)
    assert done.returncode == 2
    assert "the file has no lanelet; give a Lanelet2 map; maps of OpenStreetMap have no lanes" in done.stderr


def test_it_is_described_checked_and_drawn(file, tmp_path):
    found = json.loads(dorosim("map", "info", file, "--json").stdout)
    assert (found["format"], found["version"], found["lanes"]) == ("Lanelet2", "", 3)
    assert found["traffic_lights"] == {"car": 1, "pedestrian": 1}
    assert dorosim("map", "plot", file, "--out", tmp_path / "cross.svg").returncode == 0
    done = dorosim("map", "check", file)
    assert done.returncode == 0
    assert "notice: Cross.osm" not in done.stdout
    assert "1 x multipolygon/parking: not used" in done.stdout


def test_a_run_drives_on_it(file):
    done = dorosim("run", "--map", file, "--vehicles", "1", "--duration", "2", "--speed", "max", "--ports", "auto")
    assert done.returncode == 0, done.stderr
