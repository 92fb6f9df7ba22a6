"""Rays that somebody asks for: into the world of a Snapshot, with errors by their numbers."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dorosim.bridge.sensor.ray import Ray, RayCaster, ray_between
from dorosim.ground.error import InputError
from dorosim.ground.noise import Noise
from dorosim.sensor.scene.semantic import Semantic
from dorosim.sensor.scene.static.signal import SignalLamps
from dorosim.sensor.scene.static.world import StaticWorld
from dorosim.sensor.scene.view import SensorScene
from dorosim.world.snapshot import EGO
from dorosim.world.start import first_snapshot
from dorosim.world.step import step
from dorosim.world.traffic.command import CreateNpc
from tests.sensor.scene.build import plane
from tests.world.world import CAR, street

SCENE = street(10.0)
NO_LIGHTS = SignalLamps(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros((0, 3)), np.zeros((0, 3)))


@pytest.fixture(scope="module")
def caster():
    made: list[int] = []

    def stage() -> SensorScene:
        made.append(1)
        return SensorScene.from_scene(SCENE, StaticWorld(plane(half=700.0), NO_LIGHTS))

    yield RayCaster(stage)
    assert made == [1], "the geometry is made once"


@pytest.fixture(scope="module")
def world():
    first = first_snapshot(SCENE, [(CAR, (50.0, 0.0, 0.0), 0.0)])
    return first, step(SCENE, first, [CreateNpc(model="2015_Kia_K5", link=1, s=100.0, move_on=True)], Noise(1))


def test_rays_meet_the_world_of_the_snapshot_that_they_are_cast_into(caster, world):
    before, now = world
    ahead = Ray((30.0, 0.0, 0.8), (2.0, 0.0, 0.0))
    (ego,) = caster.cast(now, [ahead])
    assert (ego.actor, ego.label) == (EGO, Semantic.SEDAN)
    assert 18.0 < ego.distance < 20.0, "its rear, behind the axle at 50 m"
    assert ego.position == pytest.approx((30.0 + ego.distance, 0.0, 0.8))
    npc = int(now.traffic.id[0])
    beyond, down, up = caster.cast(
        now,
        [
            Ray((30.0, 0.0, 0.8), (1e-9, 0.0, 0.0), through=EGO),
            Ray((0.0, 0.0, 5.0), (0.0, 0.0, -1e200)),
            Ray((0, 0, 5), (0, 0, 1)),
        ],
    )
    assert beyond.actor == npc
    assert (down.distance, down.normal, down.actor) == (pytest.approx(5.0), (0.0, 0.0, 1.0), 0)
    assert up is None
    assert caster.cast(before, [Ray((30.0, 0.0, 0.8), (1.0, 0.0, 0.0), through=EGO)]) == [None]


def test_between_two_points_the_sight_is_free_or_not(caster, world):
    now = world[1]
    eye = (30.0, 0.0, 0.8)
    free, hidden, farther = caster.cast(
        now,
        [
            ray_between(eye, (40.0, 0.0, 0.8)),
            ray_between(eye, (60.0, 0.0, 0.8)),
            ray_between(eye, (40.0, 0.0, 0.8), 30.0),
        ],
    )
    assert free is None
    assert hidden == farther
    assert hidden.actor == EGO


@pytest.mark.parametrize(
    "ray",
    [
        Ray((math.nan, 0.0, 0.0), (1.0, 0.0, 0.0)),
        Ray((1e9, 0.0, 0.0), (1.0, 0.0, 0.0)),
        Ray((0.0, 0.0, 0.0), (0.0, 0.0, 0.0)),
        Ray((0.0, 0.0, 0.0), (math.inf, 0.0, 0.0)),
        Ray((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), far=math.nan),
        Ray((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), far=0.0),
        Ray((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), through=2**31),
        ray_between((1.0, 2.0, 3.0), (1.0, 2.0, 3.0)),
    ],
)
def test_what_is_no_ray_is_refused_by_its_number(caster, world, ray):
    with pytest.raises(InputError) as error:
        caster.cast(world[1], [Ray((0.0, 0.0, 5.0), (0.0, 0.0, 1.0)), ray])
    assert error.value.place == "1"
