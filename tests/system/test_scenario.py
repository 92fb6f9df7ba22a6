"""Scenario Load, from the datagram to the world; files are found in the data folder and nowhere else."""

from __future__ import annotations

import json
import os
import random
import shutil
from pathlib import Path

import pytest

from dorosim.app.setting.settings import Settings, TrafficSettings
from dorosim.ground.error import InputError
from dorosim.ground.noise import Noise
from dorosim.world.snapshot import EGO
from dorosim.world.step import step
from dorosim.world.vehicle.mode import ControlMode, Gear
from tests.packet import scenario_load
from tests.scenario.damaged import damage
from tests.shared import shared
from tests.system.rig import Rig
from tests.system.scenario_file import FILE

ALL = (False, True, True, True, True, True, False)
"""Flags of a message that loads everything beside what is there."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The scenarios of the data folder."""
    made = tmp_path / "Scenario"
    made.mkdir()
    (made / "first.json").write_text(json.dumps(FILE))
    return made


@pytest.fixture
def run(tmp_path: Path, folder: Path) -> Rig:
    return Rig(Settings(), tmp_path)


def load(run: Rig, name: str | bytes, *flags: bool):
    run.send(scenario_load(name, *flags))
    return run.turn()


def counts(now) -> tuple[int, int, int]:
    return len(now.traffic), len(now.people), len(now.obstacles)


def test_a_datagram_loads_a_scenario(run):
    now = load(run, "first", *ALL)
    assert counts(now) == (1, 1, 1)
    assert now.vehicle.x[0] == pytest.approx(-200.0, abs=0.2)
    assert now.vehicle.velocity_x[0] == pytest.approx(10.0, abs=0.1)
    assert (now.vehicle.gear[0], now.vehicle.control_mode[0]) == (Gear.D, ControlMode.AUTO)
    assert run.journal.counts["scenario loaded"] == 1
    assert "first.json: ego vehicle, 1 NPC vehicle, 1 pedestrian, 1 obstacle" in run.told[0]
    assert run.told[2] == "  egoVehicle: DataID 20100014 is not in the catalogue; 2016_Hyundai_Ioniq stands in"


@pytest.mark.parametrize(
    ("flags", "wanted", "moved"),
    [
        ((False, False, True), (0, 0, 0), True),
        ((False, False, False, True), (1, 0, 0), False),
        ((False, False, False, False, True), (0, 1, 0), False),
        ((False, False, False, False, False, True), (0, 0, 1), False),
        ((True,), (1, 1, 1), False),
    ],
)
def test_every_flag_loads_its_part(run, flags, wanted, moved):
    before = run.now.vehicle.x[0]
    now = load(run, "first", *flags)
    assert counts(now) == wanted
    assert (now.vehicle.x[0] != before) == moved


def test_delete_all_leaves_the_ego_vehicle_and_what_the_file_has(tmp_path, folder):
    run = Rig(Settings(traffic=TrafficSettings(vehicles=8, pedestrians=5)), tmp_path)
    run.turn()
    assert counts(run.now) == (8, 5, 0)
    assert counts(load(run, "first", *ALL)) == (9, 6, 1)
    now = load(run, "first", True)
    assert counts(now) == (1, 1, 1)
    assert now.egos == (EGO,)


def test_the_pause_flag_holds_the_run(run):
    now = load(run, "first", *ALL[:6], True)
    assert now.paused
    assert run.turn(10).time == now.time == 0
    assert not load(run, "first", *ALL).paused


def test_a_scenario_may_lie_in_a_folder_of_its_map(run, folder):
    (folder / "town").mkdir()
    shutil.move(folder / "first.json", folder / "town" / "second.json")
    assert counts(load(run, "second.json", *ALL)) == (1, 1, 1)
    assert counts(load(run, "town/second", True)) == (1, 1, 1)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("../first", "leads out of"),
        ("../../../../../etc/hostname", "leads out of"),
        ("/etc/hostname", "leads out of"),
        ("town/../../first", "leads out of"),
        ("fi\0rst", "is not a valid name of a file"),
        ("", "the name is empty"),
        (".", "there is none of this name"),
        ("folder", "there is none of this name"),
        ("pipe", "there is none of this name"),
        ("outside", "leads out of"),
        ("..\\first", "there is none of this name"),
        (b"\xff\xfe", "ScenarioLoad"),
        ("x" * 30, "there is none of this name"),
    ],
)
def test_a_name_that_leads_elsewhere_is_refused(run, folder, name, reason):
    (folder.parent / "first.json").write_text(json.dumps(FILE))
    (folder / "folder.json").mkdir()
    os.mkfifo(folder / "pipe.json")
    (folder / "outside.json").symlink_to(folder.parent / "first.json")
    digest = run.now.digest()
    before = step(run.built.scene, run.now, (), Noise(0)).digest()
    assert load(run, name, *ALL).digest() == before != digest
    if isinstance(name, str) and "\0" not in name:
        assert run.journal.counts["refused"] == 1
        assert reason in run.told[0]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"{", "broken.json: line 1, column 2: this is not JSON"),
        (b'{"vehicleList": [{"UNIQUEID": 1}]}', "broken.json: vehicleList[0].initPosition: the key is missing"),
        (b'{"objectList": [{"pos": {"x": 1e7, "y": 0}}]}', "broken.json: objectList[0].pos.x: 1e+07 is too large"),
        (b"[" * 100_000, "broken.json: this is not JSON that can be read"),
        (b" " * ((1 << 24) + 1), "broken.json: it has more than 16 MiB"),
    ],
)
def test_a_broken_file_is_refused_with_file_and_key_path(run, folder, content, reason):
    (folder / "broken.json").write_bytes(content)
    assert counts(load(run, "broken", *ALL)) == (0, 0, 0)
    assert reason in run.told[0]


def test_whatever_is_damaged_the_run_goes_on(run, folder):
    for seed in range(60):
        dice, value = random.Random(seed), json.loads(json.dumps(FILE))
        for _ in range(dice.randint(1, 4)):
            damage(value, dice)
        (folder / "damaged.json").write_text(json.dumps(value))
        load(run, "damaged", dice.random() < 0.5, *ALL[1:])
        run.turn(3)
    assert run.journal.counts["refused"] + run.journal.counts["scenario loaded"] >= 60


def test_network_settings_of_its_name_are_loaded_if_the_flag_says_so(run, folder):
    (folder / "first.toml").write_text("")
    asked: list[str] = []

    class Switch:
        def load(self, source: str) -> list[str]:
            asked.append(source)
            if len(asked) > 1:
                raise InputError(source, "listen[0].address", "'x' is no address")
            return ["listening elsewhere"]

    load(run, "first", *ALL)
    assert any("first.toml: the addresses of this run cannot be changed" in line for line in run.told)
    run.opening.loader.addresses = Switch()
    load(run, "first", False, False, *ALL[2:])
    assert not asked
    run.journal._kinds.clear()  # it tells the same no more than once a second
    load(run, "first", *ALL)
    assert asked == [str(folder / "first.toml")]
    assert any("listening elsewhere" in line for line in run.told)
    before = run.journal.counts["scenario loaded"]
    load(run, "first", *ALL)
    assert (run.journal.counts["scenario loaded"], run.journal.counts["refused"]) == (before, 1), "all or nothing"


def test_the_real_sample_loads_over_udp(run, folder):
    shutil.copy(shared("samples") / "scenario_kcity_sample.json", folder / "kcity.json")
    assert len(load(run, "kcity", *ALL).obstacles) == 25
    assert run.told[1].startswith("  mapInfo.mapName: made for map 'R_KR_PG_K-City', loaded on 'town'")


def test_a_run_may_begin_with_a_scenario_and_begins_with_it_again_after_a_reset(tmp_path, folder):
    run = Rig(Settings(scenario="first"), tmp_path)
    assert run.built.egos[0].position[:2] == (-200.0, 76.0)
    first = run.turn()
    assert counts(first) == (1, 1, 1)
    assert first.refusals == ()
    run.turn(20)
    run.loop.reset()
    assert run.turn().digest() == first.digest()


def test_a_run_that_would_begin_with_too_many_does_not_begin(tmp_path, folder):
    with pytest.raises(InputError, match="room for"):
        Rig(Settings(traffic=TrafficSettings(pedestrians=20_000)), tmp_path)
