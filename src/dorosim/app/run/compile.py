"""Compiles every kernel: `python -m dorosim.app.run.compile`.

A run that has only an ego vehicle needs a third of them. The first start of all compiles those together with this
program, which goes on with the others, so that they are there when the first NPC vehicle comes; and after them with
those of the sensors, and the static scene of the built-in town. With `--listed` it ends after the list
(`dorosim.app.run.kernel_list`): so run those that only help.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from math import cos, sin
from pathlib import Path

import numpy as np

from dorosim.app.run.build import Build, build
from dorosim.app.run.kernel_list import compile_listed
from dorosim.app.run.kernel_warmup import collected_for_compiling
from dorosim.app.setting.settings import Settings
from dorosim.app.store.scene import load_page_scenery, sensor_scene
from dorosim.bridge.udp import status_batch
from dorosim.endpoint.tcp_step.info_kernel import SEND_INFOS
from dorosim.endpoint.tcp_step.series_kernel import AWAIT_STEP
from dorosim.endpoint.udp.receive_kernel import RECEIVE_DATAGRAMS
from dorosim.endpoint.udp.send_kernel import SEND_DATAGRAMS
from dorosim.endpoint.udp.status_call_kernel import SEND_STATUSES
from dorosim.ground.column import read_only
from dorosim.ground.jit import SENSOR_FLOORS, cache_folder, is_complete, mark_complete
from dorosim.ground.noise import MANY_STREAMS, Noise
from dorosim.sensor.rig import Rig
from dorosim.wire.run_kernel import READ_RUN
from dorosim.world.actor.command import PlaceActor
from dorosim.world.actor.neighbour import neighbours_of
from dorosim.world.command import Command
from dorosim.world.environment.command import CreateMapObject, SetTimeOfDay, SetWeather
from dorosim.world.environment.weather import WeatherKind
from dorosim.world.mount.command import AddSensor
from dorosim.world.mount.setting import (
    SETTINGS,
    AnySettings,
    CameraExposure,
    CameraImage,
    CameraSettings,
    GpsSettings,
    Lidar3dSettings,
    SensorKind,
)
from dorosim.world.obstacle.command import PlaceObstacle, SpawnObstacle
from dorosim.world.ordinary.link_kernel import WORK_ON_TRAFFIC
from dorosim.world.ordinary.tick import get_ready
from dorosim.world.pedestrian.command import SpawnPedestrian
from dorosim.world.scene import Scene
from dorosim.world.snapshot import EGO, Snapshot
from dorosim.world.step import step
from dorosim.world.traffic.command import CreateNpc
from dorosim.world.traffic.manoeuvre_kernel import (
    MANOEUVRE_HORIZON,
    ManoeuvreBody,
    ManoeuvreBox,
    find_manoeuvre,
    free_way,
)
from dorosim.world.vehicle.command import FollowTrajectory, PlaceVehicle, SelectMode, SetCruise
from dorosim.world.vehicle.mode import ControlMode, Gear
from dorosim.world.vehicle.rollover_kernel import step_rolled_vehicles

_WATER_DEPTH = 1e-4
"""Of a road that mirrors lamps [m]."""
_AHEAD = 12.0
"""Distance of the pedestrian ahead of the sensors [m]."""


def rehearsal(made: Build) -> tuple[Command, ...]:
    """Commands after which a step uses every kernel: an actor of each kind, and some that touch."""
    network, vehicle = made.scene.network, made.first.vehicle
    link = int((network.link_length * network.link_drivable).argmax())
    here = (float(vehicle.x[0]), float(vehicle.y[0]), float(vehicle.z[0]))
    yaw = float(vehicle.yaw[0])
    ahead, far = ((here[0] + way * cos(yaw), here[1] + way * sin(yaw), here[2]) for way in (_AHEAD, 2.0 * _AHEAD))
    pedestrian = made.first.last_id + 1
    return (
        SpawnPedestrian(actor=0, model=0, position=ahead, yaw=0.0),
        SpawnObstacle(actor=0, model=1, position=far),
        PlaceActor(pedestrian, here, (0.0, 0.0, 0.0)),  # nothing is made inside another body, but may be put there
        PlaceObstacle(pedestrian + 1, here, (0.0, 0.0, 0.0)),
        CreateNpc(model=made.scene.models[0].name, link=link, s=0.5 * float(network.link_length[link])),
        CreateMapObject(actor=0, model="Puddle", position=here),
        FollowTrajectory(actor=EGO, points=((*here, 1.0), (*ahead, 1.0))),
    )


def sensor_rehearsal(made: Build) -> tuple[Command, ...]:
    """Commands after which reading uses every kernel of the sensors: one of each kind, and a pedestrian to be seen."""
    kinds: tuple[AnySettings, ...] = (
        *(CameraSettings(width=64, height=48, image=image, boxes=True) for image in CameraImage),
        CameraSettings(width=64, height=48, samples=4, distortion=(0.1, 0.0, 0.0)),
        CameraSettings(width=64, height=48, noise=True, exposure_mode=CameraExposure.AUTO, own_vehicle=True),
        *(settings() for kind, settings in SETTINGS.items() if kind is not SensorKind.CAMERA),
    )
    vehicle, tick = made.first.vehicle, made.scene.tick
    yaw = float(vehicle.yaw[0])
    ahead = (float(vehicle.x[0]) + _AHEAD * cos(yaw), float(vehicle.y[0]) + _AHEAD * sin(yaw), float(vehicle.z[0]))
    sensors = tuple(
        AddSensor(
            EGO,
            settings=settings,
            position=(1.0, 0.0, 1.0),
            period=None if isinstance(settings, Lidar3dSettings) else tick,
        )
        for settings in kinds
    )
    return (SpawnPedestrian(actor=0, model=0, position=ahead, yaw=0.0), *sensors)


def compile_all() -> None:
    """Use every kernel once, in a world that is thrown away, and note down that all are there."""
    made = build(Settings(), Path())
    now = step(made.scene, made.first, rehearsal(made), Noise(0))
    neighbours_of(made.scene, now, EGO, 1)
    use_seldom_kernels(made, now)
    mark_complete()
    if not is_complete(SENSOR_FLOORS):
        compile_listed("sensor")
        compile_sensors(made, now)


def use_seldom_kernels(made: Build, now: Snapshot) -> None:
    """Use the kernels that a step calls seldom.

    They are those of many drivers at once, people that cross a lane, cruise, sensors that drift, scenery that is
    touched, a car off its wheels, the way out of a blocked lane, ordinary ticks, and the messages of theirs.

    Args:
        made: a map with scenery.
        now: a snapshot of it with vehicles and people.
    """
    get_ready()
    Noise(0).first_draws(("",) * MANY_STREAMS, 0.0, 1.0, 1)
    status_batch.get_ready()
    messages = (SEND_DATAGRAMS, SEND_STATUSES, RECEIVE_DATAGRAMS, READ_RUN, AWAIT_STEP, SEND_INFOS)
    for one in (*messages, WORK_ON_TRAFFIC):
        one.address()
    scene, vehicle = made.scene, made.first.vehicle
    cruise = (SelectMode(EGO, ControlMode.CRUISE, Gear.D), SetCruise(EGO, speed=5.0))
    drifting = AddSensor(EGO, settings=GpsSettings(drift=(1.0, 1.0, 1.0)), position=(1.0, 0.0, 1.0))
    parts = scene.scenery.parts
    beside = (float(parts.x[0]), float(parts.y[0]), float(parts.z[0]))
    touching = PlaceVehicle(EGO, beside, (0.0, 0.0, 0.0), 0.0, Gear.D)
    for commands in ((*cruise, drifting), *((),) * scene.decision_ticks, (touching,), ()):
        now = step(scene, now, commands, Noise(0))
    step(scene, step(scene, made.first, (touching,), Noise(0)), (), Noise(0))  # alone
    if scene.terrain is not None:
        floats, ints = vehicle.floats.copy(), vehicle.ints.copy()
        step_rolled_vehicles(scene.terrain.arrays, made.first.parameter.floats, floats, ints, scene.tick * 1e-9)
    body, boxes = read_only(np.ones(ManoeuvreBody.float_width)), read_only(np.zeros((ManoeuvreBox.float_width, 0)))
    here = (MANOEUVRE_HORIZON, MANOEUVRE_HORIZON, 0.0)
    goal, lane = (read_only(np.array(here[:2] + (value,) * more)[:, None]) for value, more in ((0.0, 2), (5.0, 1)))
    find_manoeuvre(body, boxes, goal, lane, 0.0)
    free_way(body, boxes, *here, read_only(np.ones(1)), read_only(np.zeros(1, np.int64)), 1.0)


def compile_sensors(made: Build, now: Snapshot) -> None:
    """Use every kernel of the sensors once, and note down that all are there, with the scenes of the built-in town.

    Args:
        made: the built-in town.
        now: a snapshot of it; a pedestrian to be seen is added here.
    """
    rig, noise = Rig(made.scene, Noise(0), lambda: sensor_scene(made)), Noise(0)
    read_sensors(made.scene, step(made.scene, now, sensor_rehearsal(made), noise), rig, noise)
    if not rig.problems:
        mark_complete(SENSOR_FLOORS)
    load_page_scenery(made.map_files, made.scene.network)  # the first visitor of the page finds it


def read_sensors(scene: Scene, before: Snapshot, rig: Rig, noise: Noise) -> None:
    """Read sensors once by day, at night, in rain, snow and smoke: these have kernels of their own.

    Args:
        scene: of the snapshot.
        before: a snapshot in which the sensors are.
        rig: reads them.
        noise: of the run.
    """
    after = step(scene, before, (), noise)
    rig.read(before, after)
    rig.read_now(before, after)
    night, rain, snow = SetTimeOfDay(0.0), SetWeather(WeatherKind.RAINY), SetWeather(WeatherKind.SNOWY)
    here = (float(after.vehicle.x[0]), float(after.vehicle.y[0]), float(after.vehicle.z[0]))
    smoke = CreateMapObject(actor=0, model="Smoke", position=here)
    for changes in ((night,), (rain,), (snow,), (night, smoke)):
        rig.read_now(after, step(scene, after, changes, noise))
    wet = step(scene, after, (night, rain), noise)
    while wet.environment.water_depth[0] < _WATER_DEPTH:
        wet = step(scene, wet, (), noise)
    rig.read_now(after, wet)


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Wait until no other process is in this block for the same folder, and keep others waiting while it lasts.

    Programs that start side by side would each compile the same kernels. Where the system has no such locks, or the
    folder cannot be written, nothing is waited for.
    """
    with ExitStack() as stack:
        with suppress(ImportError, OSError):
            from fcntl import LOCK_EX, flock

            flock(stack.enter_context((folder / "lock").open("ab")), LOCK_EX)
        yield


def main(options: list[str]) -> None:
    """Compile what is not there yet.

    Args:
        options: of the command line.
    """
    if is_complete() and is_complete(SENSOR_FLOORS):
        return
    with collected_for_compiling():
        compile_listed("start")
        compile_listed("world")
        if "--listed" in options:
            compile_listed("sensor")
            return
        with alone(cache_folder()):
            if not (is_complete() and is_complete(SENSOR_FLOORS)):
                compile_all()


if __name__ == "__main__":
    main(sys.argv[1:])
