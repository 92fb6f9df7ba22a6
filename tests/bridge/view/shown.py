"""A run as the page is given it: the straight street on a plane, with a car, a lorry's worth of others and a person."""

from __future__ import annotations

import functools
from typing import NamedTuple

import numpy as np

from dorosim.app.store.scene import load_actor_models
from dorosim.sensor.scene.actor.catalogue import ActorModels
from dorosim.sensor.scene.static.signal import SignalLamps
from dorosim.sensor.scene.static.world import StaticWorld
from dorosim.world.pedestrian.command import SpawnPedestrian
from dorosim.world.scene import Scene
from dorosim.world.traffic.command import CreateNpc
from dorosim.world.vehicle.catalogue import VEHICLE_MODELS
from tests.sensor.scene.build import plane
from tests.world.world import CAR, World, street

ORIGIN = (100.0, -50.0, 0.0)
NO_LIGHTS = SignalLamps(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros((0, 3)), np.zeros((0, 3)))


class ShownRun(NamedTuple):
    """A run without a page (`dorosim.bridge.view.pick.Shown`)."""

    scene: Scene
    static: StaticWorld
    models: ActorModels
    origin: tuple[float, float, float]


@functools.cache
def models() -> ActorModels:
    """Of all actors."""
    return load_actor_models(VEHICLE_MODELS)


def shown_street() -> ShownRun:
    """The street on a level square of 1,400 m."""
    return ShownRun(street(10.0), StaticWorld(plane(half=700.0), NO_LIGHTS), models(), ORIGIN)


def world_on_street() -> World:
    """The ego at 50 m of E2 (y = 0), another car at 100 m of it, a person at (60, -8)."""
    world = World(street(10.0), [(CAR, (50.0, 0.0, 0.0), 0.0)])
    world.do(
        CreateNpc(model="2015_Kia_K5", link=1, s=100.0),
        SpawnPedestrian(actor=0, model=0, position=(60.0, -8.0, 0.0), yaw=0.0),
    )
    return world
