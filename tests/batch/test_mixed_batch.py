"""Worlds of one batch that are as unlike as can be, on one map: each is what it is alone, and single ones branch."""

from __future__ import annotations

import json
import math
import random
from functools import cache
from pathlib import Path

import av
import numpy as np
import pytest

from dorosim.app.setting.environment import EnvironmentSettings
from dorosim.app.setting.settings import EgoSettings
from dorosim.batch import WorldBatch, WorldMap, open_scenario_for_batch, scenario_start
from dorosim.ground.error import InputError
from dorosim.ground.noise import Noise
from dorosim.world.snapshot import EGO
from dorosim.world.step import any_tick
from dorosim.world.vehicle.command import DriveVehicle, SelectMode
from dorosim.world.vehicle.mode import ControlKind, ControlMode, Gear
from tests.app.command import dorosim

EXAMPLES = Path(__file__).parents[2] / "examples" / "scenario"
TICKS = 60
IONIQ, K5, BUS = "2016_Hyundai_Ioniq", "2015_Kia_K5", "2018_Hyundai_ElecCity"
RAIN = EnvironmentSettings(weather="rainy", time_of_day=22.0)
SNOW = EnvironmentSettings(weather="snowy", friction=0.4)


@cache
def village_map():
    return WorldMap.open("village")


@pytest.fixture
def village():
    return village_map()


def village_starts():
    village = village_map()
    yield village.start(seed=1, vehicles=8, pedestrians=6)
    yield village.start(seed=2, egos=[EgoSettings(vehicle=K5)], vehicles=3, environment=RAIN)
    yield village.start(seed=3, egos=[EgoSettings(), EgoSettings(vehicle=BUS)], environment=SNOW)
    yield village.start(seed=4, mistakes=50.0, vehicles=12, commands=[SelectMode(EGO, ControlMode.CRUISE, Gear.D)])


def street_starts():
    """Scenarios of one street, with other parameters, and one whose ego vehicle our driver moves."""
    for name, parameters, ego in (
        ("cut_in", {}, "udp"),
        ("cut_in", {"EgoSpeed": "12", "CutInGap": "35"}, "udp"),
        ("slow_lead", {"Gap": "15"}, "driver"),
        ("pedestrian", {"WalkSpeed": "2.5"}, "default"),
    ):
        file = EXAMPLES / f"{name}.xosc"
        yield scenario_start(open_scenario_for_batch(file, parameters=parameters, ego=ego, seed=len(name)))


@pytest.fixture(scope="module", params=[village_starts, street_starts])
def starts(request):
    return list(request.param())


def drives(number):
    """Commands of each tick; some ticks have none."""
    chance = random.Random(number)
    pedals = DriveVehicle(EGO, ControlKind.PEDALS, ControlMode.AUTO, Gear.D, accelerator=0.1 * number)
    return [(pedals,) if tick == 0 or chance.random() < 0.3 else () for tick in range(TICKS)]


def alone(start, commands):
    """Digests of a world, whose ticks are all made in Python."""
    noise = Noise(start.seed)
    now = any_tick(start.scene, start.first, start.opening, noise, paused=True)
    found = [now.digest()]
    for given in commands:
        now = any_tick(start.scene, now, given, noise)
        found.append(now.digest())
    return found


@pytest.fixture(scope="module")
def digests(starts):
    return [alone(start, drives(number)) for number, start in enumerate(starts)]


def test_they_are_unlike(starts, digests):
    assert len({one[-1] for one in digests}) == len(starts)
    if starts[0].storyboard is None:
        assert {tuple(ego.model for ego in start.egos) for start in starts} == {(IONIQ,), (K5,), (IONIQ, BUS)}


@pytest.mark.parametrize("threads", [1, 3])
def test_each_is_what_it_is_alone(starts, digests, threads):
    given = [drives(number) for number in range(len(starts))]
    with WorldBatch(starts, threads=threads) as batch:
        for tick in range(TICKS):
            assert [world.now.digest() for world in batch.worlds] == [one[tick] for one in digests]
            batch.step([one[tick] for one in given])
        assert [world.now.digest() for world in batch.worlds] == [one[-1] for one in digests]


def test_single_ones_branch_and_go_back_while_the_others_go_on(starts, digests):
    """World 0 becomes what 2 is, and later what it was itself before; 3 begins anew."""
    given = [drives(number) for number in range(len(starts))]
    source, tick = [0, 1, 2, 3], [0, 0, 0, 0]
    with WorldBatch(starts, threads=2) as batch:
        kept = None
        for number in range(TICKS):
            if number == 10:
                kept = batch.moment(0)
            if number == 20:
                batch.branch(2, into=0)
                source[0], tick[0] = 2, tick[2]
            if number == 30:
                batch.reset(3)
                tick[3] = 0
            if number == 40:
                batch.restore(0, kept)
                source[0], tick[0] = 0, 10
            batch.step([given[which][at] for which, at in zip(source, tick, strict=True)])
            tick = [at + 1 for at in tick]
            for world, which, at in zip(batch.worlds, source, tick, strict=True):
                assert world.now.digest() == digests[which][at], (number, which, at)
    assert kept.now.digest() == digests[0][10], "a moment that was kept stays as it is"


def check_video(file, out, data):
    done = dorosim("video", file, out, "--size", "96x64", "--fps", "5", *data)
    assert done.returncode == 0, done.stderr
    with av.open(out) as video:
        frames = [frame.to_ndarray(format="rgb24") for frame in video.decode(video=0)]
    assert len(frames) == 13
    assert np.ptp(frames[0]) > 50


@pytest.mark.parametrize("world", [1, 2])
def test_a_recording_of_one_of_them_is_replayed_plotted_and_filmed(starts, digests, world, tmp_path):
    given = [drives(number) for number in range(len(starts))]
    file, data = tmp_path / "one.rec", ("--data", tmp_path)
    with WorldBatch(starts, threads=2) as batch:
        batch.record(world, file)
        for tick in range(25):
            batch.step([one[tick] for one in given])
        assert batch[world].now.digest() == digests[world][25]
    done = dorosim("replay", file, *data)
    assert done.returncode == 0, done.stderr
    assert "bit for bit" in done.stdout
    facts = dorosim("plot", file, "--json", *data)
    assert facts.returncode == 0, facts.stderr
    told = json.loads(facts.stdout)
    assert (told["to_s"], told["model"]) == (2.5, starts[world].egos[0].model)
    assert told["distance_m"] > 0.3
    assert dorosim("plot", file, "--out", tmp_path / "one.svg", "--only", "speed", *data).returncode == 0
    assert "<svg" in (tmp_path / "one.svg").read_text()
    if world == 1:
        check_video(file, tmp_path / "one.mp4", data)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"seed": -1}, "seed: -1 is outside"),
        ({"seed": 1.5}, "seed: 1.5 is no whole number"),
        ({"vehicles": True}, "traffic.vehicles: True is no whole number"),
        ({"pedestrians": math.nan}, "traffic.pedestrians: nan is no whole number"),
        ({"mistakes": math.inf}, "traffic.mistakes: inf is outside"),
        ({"egos": []}, "0 ego vehicles; give 1"),
        ({"egos": [EgoSettings(pose=(math.nan, 0.0, 0.0))]}, r"ego\[0\].pose: nan is outside"),
        ({"egos": [EgoSettings(vehicle="cart")]}, "no vehicle is called 'cart'"),
        ({"egos": [EgoSettings(link="none")]}, "there is no such link"),
        ({"egos": [EgoSettings(pose=(x, 0.0, 0.0)) for x in (50.0, 51.0)]}, r"ego\[1\]: there is no room"),
    ],
)
def test_a_start_that_cannot_be_is_refused(village, wrong, said):
    with pytest.raises(InputError, match=said):
        village.start(**wrong)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"parameters": {"CutInGapp": "3"}}, "did you mean 'CutInGap'"),
        ({"parameters": {"CutInGap": "nan"}}, "give a finite number"),
        ({"ego": "me"}, "is nobody who can drive"),
        ({"ego_name": "Third"}, "its entities are Ego, Other"),
        ({"map_name": "moon"}, "known maps"),
        ({"seed": -1}, "seed: -1 is outside"),
        ({"scenario": "none.xosc"}, "none.xosc"),
    ],
)
def test_a_scenario_that_cannot_be_is_refused(wrong, said, tmp_path):
    given = {"scenario": EXAMPLES / "cut_in.xosc", "data": tmp_path} | wrong
    with pytest.raises(InputError, match=said):
        open_scenario_for_batch(**given)


def test_a_scenario_has_no_ticks_that_are_none():
    opened = open_scenario_for_batch(EXAMPLES / "cut_in.xosc")
    for tick_ms in (0.0, -5.0, math.nan):
        with pytest.raises(InputError, match="tick_ms"):
            scenario_start(opened, tick_ms=tick_ms)
