"""Scenario files are read leniently, written as they were, and refused by key path."""

from __future__ import annotations

import json
import random
from contextlib import suppress

import pytest
from msgspec.structs import replace

from dorosim.ground.error import InputError
from dorosim.scenario.morai.file import read_scenario, scenario_bytes
from dorosim.scenario.morai.record import ScenarioFile
from dorosim.scenario.morai.resolve import resolve
from dorosim.scenario.morai.save import scenario_from_world
from tests.scenario.damaged import damage
from tests.scenario.kcity import CATALOGUE, SAMPLE, kcity_network, sample, sample_bytes

VEHICLE = {"DataID": 30100004, "UNIQUEID": 7, "initPosition": {"pos": {"x": 1, "y": 2, "z": 3}}}


def changed(**keys) -> bytes:
    return json.dumps({"vehicleList": [VEHICLE | keys]}).encode()


def test_the_real_file_is_read():
    scenario = sample()
    assert scenario.ego.data_id == 20100014
    assert scenario.ego.unique_id == -1
    assert scenario.ego.start.rot.yaw == -99.663
    assert len(scenario.obstacles) == 25
    assert scenario.obstacles[0].pos.y == 1048.0159912109375
    assert [point.start_link.link for point in scenario.spawn_points][:2] == ["A219BS010313", "A219BS010312"]
    assert scenario.spawn_points[0].length_types == (2, 3)
    assert scenario.controllers[0].elapsed == 28.446165084838867
    assert scenario.map_info.name == "R_KR_PG_K-City"


def test_the_real_file_survives_with_the_keys_that_its_users_added():
    written = json.loads(scenario_bytes(sample()))
    assert written == json.loads(sample_bytes())
    assert "parkingLotGoal" in written
    assert scenario_bytes(read_scenario("again", scenario_bytes(sample()))) == scenario_bytes(sample())


def test_a_change_touches_only_its_keys_and_the_text_that_is_shown_of_it():
    scenario = sample()
    first = scenario.obstacles[0]
    moved = replace(first, pos=replace(first.pos, x=-1234.5), rot=replace(first.rot, yaw=12.25))
    written = json.loads(scenario_bytes(replace(scenario, obstacles=(moved, *scenario.obstacles[1:]))))
    expected = json.loads(sample_bytes())
    expected["objectList"][0]["pos"] |= {"x": -1234.5, "_x": "-1,234.500"}
    expected["objectList"][0]["rot"]["yaw"] = "12.25"
    assert written == expected


def test_a_new_file_has_every_key_of_the_top_level():
    assert set(json.loads(scenario_bytes(ScenarioFile()))) == set(json.loads(sample_bytes())) - {
        "egoVehicle",
        "parkingLotStart",
        "parkingLotGoal",
    }


def test_numbers_may_be_texts_and_display_texts_are_ignored():
    text = json.dumps(VEHICLE | {"initPosition": {"pos": {"x": "1,051.5", "y": "2", "z": 3, "_y": "nonsense"}}})
    vehicle = read_scenario("s", f'{{"vehicleList": [{text}]}}'.encode("utf-8-sig")).vehicles[0]
    assert (vehicle.start.pos.x, vehicle.start.pos.y) == (1051.5, 2.0)


def test_null_means_that_a_key_is_missing_and_stays_null():
    content = b'{"vehicleList": null, "egoVehicle": null, "mapInfo": {"mapName": null}}'
    scenario = read_scenario("s", content)
    assert scenario.vehicles == ()
    assert scenario.ego is None
    assert json.loads(scenario_bytes(scenario)) == json.loads(content)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"{", r"line 1, column 2: this is not JSON"),
        (b"[]", "expected an object, found a list of 0"),
        (b"\xff{}", "byte 0: this is not UTF-8"),
        (b"{}", "this is not a scenario: it has none of egoVehicle"),
        (b'{"version": 1.0, "cameraList": []}', "this is not a scenario"),
        (b'{"tlList": [{"index": NaN}]}', r"tlList\[0\]\.index: this is not a finite number"),
        (b'{"tlList": ' + b"[" * 100_000, "not JSON that can be read"),
        (b'{"tlList": [], "extra": ' + b"[" * 70 + b"]" * 70 + b"}", "nested too deeply"),
        (b'{"tlList": [], "extra": "\\ud800"}', "cannot be written again"),
        (b'{"tlList": [], "extra": 1e999}', "s: extra: this is not a finite number"),
        (b'{"tlList": {}}', "s: tlList: expected a list, found an object"),
        (b'{"tlList": [{"index": 1.5}]}', r"s: tlList\[0\]\.index: expected a whole number, found 1\.5"),
        (b'{"tlList": [{"index": 0}, {}]}', r"s: tlList\[1\]\.index: the key is missing"),
        (b'{"objectList": [{}]}', r"s: objectList\[0\]\.pos: the key is missing"),
        (changed(isCloseLoop="perhaps"), r"vehicleList\[0\]\.isCloseLoop: expected true or false, found \"perhaps\""),
        (changed(bias=True), r"vehicleList\[0\]\.bias: expected a finite number, found true"),
        (changed(bias="1e400"), r"vehicleList\[0\]\.bias: expected a finite number"),
        (changed(UNIQUEID=1e300), r"vehicleList\[0\]\.UNIQUEID: expected a whole number"),
        (changed(initPosition=[]), r"vehicleList\[0\]\.initPosition: expected an object, found a list of 0"),
        (changed(initPosition={"pos": {"x": 0, "y": -1e9}}), r"initPosition\.pos\.y: -1e\+09 is too large"),
        (changed(startPointLinkInfo={"linkIdx": {}}), r"startPointLinkInfo\.linkIdx: expected a text"),
    ],
)
def test_a_broken_file_is_refused_with_the_place(content, message):
    with pytest.raises(InputError, match=message):
        read_scenario("s", content)


def test_whatever_is_damaged_the_file_is_read_or_refused_and_what_is_read_is_written():
    network, read = kcity_network(), 0
    for seed in range(200):
        dice = random.Random(seed)
        value = json.loads(sample_bytes())
        for _ in range(dice.randint(1, 3)):
            damage(value, dice)
        with suppress(InputError):
            scenario = read_scenario(SAMPLE, json.dumps(value).encode())
            read += 1
            assert json.loads(scenario_bytes(scenario)) == value
            plan, _, _ = resolve(scenario, network, CATALOGUE)
            again, _, _ = resolve(scenario_from_world(plan, network, CATALOGUE, scenario), network, CATALOGUE)
            assert len(again.obstacles) == len(plan.obstacles)
    assert 50 < read < 200
