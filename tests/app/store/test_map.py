"""Where maps are found, and how they are kept."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from dorosim.app.analyse.map_file import write_map
from dorosim.app.run.ego_start import TOWN_START
from dorosim.app.store.folder import data_folder, inside
from dorosim.app.store.map import forget_records, load_network, map_data_id, read_map_files, read_records
from dorosim.ground.error import InputError
from dorosim.mapmaking.lap import lap
from dorosim.mapmaking.plan import Size
from dorosim.mapmaking.town import generate_town
from dorosim.road.mgeo import reader
from dorosim.road.network import network_from_mgeo
from tools.town import lap_text, make_town

PROJECT = Path(__file__).parents[3]


def test_the_built_in_town_its_lap_and_its_start_are_those_that_the_generator_makes(tmp_path):
    town = make_town()
    write_map(tmp_path / "town.zip", town)
    assert read_map_files(str(tmp_path / "town.zip")).digest == read_map_files("town").digest, "run make town"
    assert (PROJECT / "examples" / "town_lap.csv").read_text() == lap_text(town)
    network = network_from_mgeo(town)
    first = lap(town)[0]
    third = float(network.link_length[network.link_index(first)]) / 3
    assert (first, round(third, 2)) == TOWN_START


def test_a_map_is_found_as_folder_zip_or_by_name_in_the_data_folder(tmp_path):
    data = data_folder(str(tmp_path / "data"))
    town = generate_town(2, Size.SMALL, "little")
    write_map(data / "Map" / "little", town)
    write_map(data / "Map" / "packed.zip", town)
    by_name, packed = read_map_files("little", data), read_map_files("packed", data)
    assert by_name.files == packed.files
    assert load_network(by_name).link_ids == load_network(by_name).link_ids
    assert read_records(packed).links


def test_letters_blanks_and_dashes_do_not_count_in_names(tmp_path):
    data = data_folder(str(tmp_path / "data"))
    write_map(data / "Map" / "R_KR-Two Lanes.zip", generate_town(2, Size.SMALL, "little"))
    for name in ("R_KR-Two Lanes", "r kr two lanes", "RKRTWOLANES", "r_kr_two_lanes"):
        assert read_map_files(name, data).name == "R_KR-Two Lanes"
    assert read_map_files("Town", data).source == "built-in town"
    for name in ("town.zip", "maps/town", "R_KR_Two_Lanes.zip"):
        with pytest.raises(InputError, match="there is no such map"):
            read_map_files(name, data)


def test_unknown_and_broken_maps_are_one_clear_error(tmp_path):
    data = data_folder(str(tmp_path))
    with pytest.raises(InputError, match="known maps: town, village, motorway"):
        read_map_files("nowhere", data)
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="holds no MGeo files"):
        read_map_files(str(tmp_path / "empty"), data)
    (tmp_path / "bad.zip").write_bytes(b"no zip")
    with pytest.raises(InputError, match="is not a zip file"):
        read_map_files(str(tmp_path / "bad.zip"), data)
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / "node_set.json").write_text("[")
    (broken / "link_set.json").write_text("[]")
    with pytest.raises(InputError, match=r"node_set\.json"):
        load_network(read_map_files(str(broken), data))


def test_a_broken_cache_file_is_made_again(tmp_path, monkeypatch):
    monkeypatch.setattr("dorosim.app.store.map.cache_folder", lambda: tmp_path)
    files = read_map_files("town")
    first = load_network(files)
    (cached,) = (tmp_path / "map").iterdir()
    cached.write_bytes(cached.read_bytes()[:1000])
    assert load_network(files).link_ids == first.link_ids


def test_another_version_of_dorosim_leaves_what_this_one_keeps(tmp_path, monkeypatch):
    """Else two of them on one machine would build the roads anew at each start."""
    monkeypatch.setattr("dorosim.app.store.map.cache_folder", lambda: tmp_path)
    files = read_map_files("town", tmp_path)
    load_network(files)
    (cached,) = (tmp_path / "map").iterdir()
    content = cached.read_bytes()
    with monkeypatch.context() as other:
        other.setattr("dorosim.road.store.structure", lambda *_: "other")
        load_network(files)
    assert len(list((tmp_path / "map").iterdir())) == 2
    assert cached.read_bytes() == content


@pytest.mark.parametrize("name", ["../x", "/etc/passwd", "a/../../x", "", ".", "x\0y"])
def test_a_name_cannot_leave_its_folder(tmp_path, name):
    with pytest.raises((InputError, ValueError)):
        inside(tmp_path, name)


def test_a_name_may_go_into_folders_inside(tmp_path):
    assert inside(tmp_path, "a/b", ".json") == tmp_path.resolve() / "a" / "b.json"


def test_a_zip_holds_no_paths_that_lead_out(tmp_path):
    with zipfile.ZipFile(tmp_path / "evil.zip", "w") as archive:
        archive.writestr("../../node_set.json", "[]")
    assert list(read_map_files(str(tmp_path / "evil.zip")).files) == ["node_set.json"]


def test_map_numbers_tell_digital_twins_from_virtual_maps():
    assert map_data_id("R_KR_PG_K-City") == 1
    assert 0 <= map_data_id("R_KR_Other") < 10000
    assert 10000 <= map_data_id("town") < 20000
    assert map_data_id("V_RHT_Suburb_03") != map_data_id("town")


def test_a_zip_that_unpacks_to_gigabytes_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("dorosim.app.store.map.MAX_MAP_SIZE", 1000)
    with zipfile.ZipFile(tmp_path / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("node_set.json", " " * 2000)
    with pytest.raises(InputError, match="unpacks to more than"):
        read_map_files(str(tmp_path / "bomb.zip"))


@pytest.mark.parametrize(("name", "near"), [("twon", "town"), ("motorwy", "motorway"), ("Vilage", "village")])
def test_a_name_that_is_nearly_right_is_told_the_right_one(tmp_path, name, near):
    with pytest.raises(InputError, match=f"did you mean '{near}'\\? \\(known maps: town, village, motorway\\)"):
        read_map_files(name, tmp_path)


def test_a_map_is_read_once_for_its_roads_ground_and_scenery(tmp_path, monkeypatch):
    count = []
    real = reader.read_mgeo
    monkeypatch.setattr(reader, "read_mgeo", lambda *given: (count.append(given[0]), real(*given))[1])
    files = read_map_files("village")
    first = read_records(files)
    assert read_records(read_map_files("village")) is first
    forget_records()
    assert read_records(files) is not first
    forget_records()
    assert count == ["village", "village"]
