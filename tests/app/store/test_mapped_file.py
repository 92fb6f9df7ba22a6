"""Roads and plans in mapped files: the same as made, and no trouble with a file ever stops a run."""

from __future__ import annotations

import errno
import logging
import mmap
import os
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest

from dorosim.app.store import map as store
from dorosim.app.store import mapped_file
from dorosim.app.store import terrain as ground_store
from dorosim.app.store.map import load_network, network_of, plan_of, read_map_files
from dorosim.app.store.terrain import load_terrain
from dorosim.mapmaking.track import circle_map
from dorosim.road.network import network_from_mgeo
from dorosim.road.store import network_to_bytes, table_to_bytes
from dorosim.road.terrain.terrain import terrain_from_map
from dorosim.world.traffic.plan import TrafficPlan
from tests.shared import shared

KEPT = "a-b-1.plan"


@pytest.fixture
def events(tmp_path, monkeypatch):
    """Counts of a process with an empty cache."""
    monkeypatch.setattr(store, "cache_folder", lambda: tmp_path)
    monkeypatch.setattr(store, "_networks", {})
    monkeypatch.setattr(store, "_plans", {})
    monkeypatch.setattr(mapped_file, "events", Counter())
    return mapped_file.events


@pytest.fixture(scope="module")
def made():
    return TrafficPlan.from_network(network_from_mgeo(circle_map(100.0)))


def _forget() -> None:
    store._networks.clear()
    store._plans.clear()


@pytest.mark.parametrize("name", ["village", "motorway", "Sangam_Track", "V_RHT_Suburb_03"])
def test_roads_and_plans_from_the_cache_are_those_that_were_made(events, name):
    files = read_map_files(name if name in store.BUILT_IN else str(shared(f"maps/{name}")))
    network = network_of(files)
    plan = plan_of(files, network)
    assert events == {"missing": 2, "written": 2, "mapped": 2}
    assert plan_of(files, network) is plan
    _forget()
    again = network_of(files)
    other = plan_of(files, again)
    assert events == {"missing": 2, "written": 2, "mapped": 4}
    fresh = network_from_mgeo(store.read_records(files))
    assert network_to_bytes(again) == network_to_bytes(fresh)
    assert table_to_bytes(other) == table_to_bytes(plan) == table_to_bytes(TrafficPlan.from_network(fresh))


def test_a_plan_belongs_to_its_network(events):
    files = read_map_files("village")
    network, other = network_of(files), load_network(files)
    plan = plan_of(files, network)
    assert plan_of(files, other) is not plan
    _forget()
    assert plan_of(files, network_of(files)) is not plan


def test_the_ground_from_the_cache_is_what_was_made(events, tmp_path, monkeypatch):
    monkeypatch.setattr(ground_store, "cache_folder", lambda: tmp_path)
    files = read_map_files("village")
    network = network_of(files)
    events.clear()
    first = load_terrain(files, network)
    assert events == {"missing": 1, "written": 1, "mapped": 1}
    again = load_terrain(files, network)
    assert events == {"missing": 1, "written": 1, "mapped": 2}
    made = table_to_bytes(terrain_from_map(store.read_records(files), network))
    assert table_to_bytes(first) == table_to_bytes(again) == made
    assert all(not array.flags.writeable for array in again.arrays)


def test_memory_is_that_of_the_file(events):
    array = load_network(read_map_files("village")).lines.points
    assert not array.flags.writeable
    with pytest.raises(ValueError, match="WRITEABLE"):
        array.flags.writeable = True
    while getattr(array, "base", None) is not None:
        array = array.base
    assert isinstance(array if isinstance(array, mmap.mmap) else array.obj, mmap.mmap)


def _damaged(content: bytes) -> dict[str, bytes]:
    middle = len(content) * 3 // 4
    return {
        "empty": b"",
        "cut off in its head": content[:20],
        "cut off": content[: len(content) // 2],
        "too long": content + b"\0",
        "of another kind": b"x" * len(content),
        "changed in its head": content[:40] + bytes([content[40] ^ 1]) + content[41:],
        "changed in an array": content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :],
        "with an endless head": content[:24] + b"\xff" * 8 + content[32:],
    }


def test_what_is_damaged_is_noted_and_made_anew(events, tmp_path, made, caplog):
    path = tmp_path / KEPT
    first = mapped_file.kept_mapped(path, TrafficPlan, lambda: made)
    content = path.read_bytes()
    for number, (what, broken) in enumerate(_damaged(content).items()):
        path.unlink()  # what is mapped must not be written
        path.write_bytes(broken)
        caplog.clear()
        with caplog.at_level(logging.WARNING, "dorosim.cache"):
            again = mapped_file.kept_mapped(path, TrafficPlan, lambda: made)
        assert events["damaged"] == number + 1, what
        assert str(path) in caplog.text, what
        assert table_to_bytes(again) == table_to_bytes(first), what
        assert path.read_bytes() == content, what


def test_a_file_of_another_version_is_not_used(events, tmp_path, made, monkeypatch):
    path = tmp_path / KEPT
    with monkeypatch.context() as other:
        other.setattr("dorosim.road.mapped_store.structure", lambda *_: "other")
        mapped_file.kept_mapped(path, TrafficPlan, lambda: made)
    assert events["damaged"] == 0
    mapped_file.kept_mapped(path, TrafficPlan, lambda: made)
    assert events["damaged"] == 1
    assert events["written"] == 2


def test_a_full_disk_stops_nothing_and_leaves_nothing(events, tmp_path, made, monkeypatch):
    def full(file, _):
        file.write(b"some")
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("dorosim.road.mapped_store.write_mapped", full)
    assert mapped_file.kept_mapped(tmp_path / "deep" / KEPT, TrafficPlan, lambda: made) is made
    assert events["unwritable"] == 1
    assert not list((tmp_path / "deep").iterdir())


def test_a_folder_that_cannot_be_made_stops_nothing(events, tmp_path, made):
    (tmp_path / "file").write_bytes(b"")
    assert mapped_file.kept_mapped(tmp_path / "file" / KEPT, TrafficPlan, lambda: made) is made
    assert events["unwritable"] == 1


def test_a_folder_in_place_of_a_file_stops_nothing(events, tmp_path, made):
    (tmp_path / KEPT / "inside").mkdir(parents=True)
    assert mapped_file.kept_mapped(tmp_path / KEPT, TrafficPlan, lambda: made) is made
    assert events["unwritable"] == 1


def test_many_at_once_have_the_same(events, tmp_path, made):
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: mapped_file.kept_mapped(tmp_path / KEPT, TrafficPlan, lambda: made), range(8)))
    assert {table_to_bytes(one) for one in found} == {table_to_bytes(made)}
    assert [one.name for one in tmp_path.iterdir()] == [KEPT]
    assert not events["damaged"]


def test_old_versions_of_a_map_go(events, tmp_path, made):
    for number in range(mapped_file.MAX_KEPT_VERSIONS + 2):
        path = tmp_path / f"a-b-{number}.plan"
        mapped_file.kept_mapped(path, TrafficPlan, lambda: made)
        os.utime(path, (1e9 + number, 1e9 + number))
    mapped_file.kept_mapped(tmp_path / "a-c-0.plan", TrafficPlan, lambda: made)
    assert sorted(one.name for one in tmp_path.iterdir()) == ["a-b-2.plan", "a-b-3.plan", "a-b-4.plan", "a-c-0.plan"]
