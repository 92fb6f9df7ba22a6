"""OpenDRIVE files as maps of runs."""

from __future__ import annotations

import json

import pytest

from dorosim.app.store.map import load_network, read_map_files, read_records
from dorosim.ground.error import InputError
from tests.app.command import dorosim
from tests.road.opendrive.sample import document, road


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "Bend.xodr"
    path.write_bytes(document(road()))
    return path


def test_a_file_is_a_map(file):
    files = read_map_files(str(file))
    assert (files.name, files.source) == ("Bend", str(file))
    assert [link.idx for link in read_records(files).links] == ["1_0_1", "1_0_-1"]
    assert load_network(files).link_ids == ("1_0_1", "1_0_-1")


def test_one_of_the_data_folder_is_found_by_its_name(file, tmp_path):
    folder = tmp_path / "data" / "Map"
    folder.mkdir(parents=True)
    file.rename(folder / file.name)
    assert read_map_files("Bend", tmp_path / "data").name == "Bend"


def test_a_broken_file_is_named_with_its_line(file):
    file.write_bytes(file.read_bytes().replace(b"<line/>", b"<arc/>"))
    with pytest.raises(InputError, match=r"Bend\.xodr: line 2, road 1, <arc>, attribute 'curvature': is missing"):
        read_records(read_map_files(str(file)))


def test_it_is_described_and_drawn(file, tmp_path):
    found = json.loads(dorosim("map", "info", file, "--json").stdout)
    assert (found["format"], found["version"], found["lanes"]) == ("OpenDRIVE", "1.8", 2)
    assert dorosim("map", "plot", file, "--out", tmp_path / "bend.svg").returncode == 0
