"""A world full of everything that a Snapshot can hold, and what is asked of it over time."""

from __future__ import annotations

import math
from collections.abc import Iterator

from dorosim.road.network import RoadNetwork
from dorosim.road.scenery.table import ObjectKind
from dorosim.world.actor.command import CreateAs, PauseActor, RemoveActor, SetGoal, SetLabel
from dorosim.world.command import NEW_ACTOR, Command, Source
from dorosim.world.environment.command import (
    CreateMapObject,
    PlaceShade,
    SetFrictionArea,
    SetRoadFriction,
    SetTimeOfDay,
    SetWeather,
)
from dorosim.world.environment.weather import WeatherKind
from dorosim.world.fault.command import SetControlFault, SetSensorFault, SetTireFault
from dorosim.world.mount.command import AddSensor, MoveSensor
from dorosim.world.mount.setting import CameraSettings, GpsSettings
from dorosim.world.obstacle.command import DriveObstacle, SpawnObstacle
from dorosim.world.pedestrian.command import SpawnPedestrian
from dorosim.world.scene import Scene
from dorosim.world.signal.command import SetLight, SetSchedule
from dorosim.world.snapshot import EGO
from dorosim.world.spawn.command import EnableSpawnPoints, SetPedestrianSpawnPoints, SetVehicleSpawnPoints
from dorosim.world.spawn.mode import CharacterMode
from dorosim.world.spawn.point import Destination, PedestrianSpawnPoint, VehicleSpawnPoint
from dorosim.world.traffic.command import ChangeNpc, CreateNpc, PlaceNpcGhost
from dorosim.world.vehicle.command import (
    ChangeLimits,
    CreateVehicle,
    DriveGroundState,
    DriveVehicle,
    FollowTrajectory,
    SetCruise,
    SetLamps,
)
from dorosim.world.vehicle.mode import ControlKind, ControlMode, Gear, TurnLamp
from dorosim.world.waypoint import Waypoint
from tests.system.rig import Rig

EGO_LINK, EGO_S = "_11_0_R1_", 39.33
"""Where the ego vehicle of the built-in town starts."""
CRUISER, FOLLOWER, ROBOT = 2, 3, 4
"""Ids of the other vehicles with full dynamics: they are made first."""
FIRST_NPC = 5
NPCS = 14


class Places:
    """Places on the links of a network."""

    def __init__(self, network: RoadNetwork) -> None:
        self.network = network
        self.ego = network.link_index(EGO_LINK)
        self.far = int(network.link_length.argmax())
        self.drivable = [
            link for link in range(network.link_count) if network.link_length[link] > 30.0 and link != self.ego
        ]

    def on(self, link: int, s: float, left: float = 0.0) -> tuple[float, float, float]:
        pose = self.network.pose_at(link, s)
        x, y, z = pose.point[0].tolist()
        heading = float(pose.heading[0])
        return x - left * math.sin(heading), y + left * math.cos(heading), z

    def heading(self, link: int, s: float) -> tuple[float, float, float]:
        return 0.0, 0.0, float(self.network.pose_at(link, s).heading[0])


def first_commands(scene: Scene) -> Iterator[Command]:
    """What makes the world, all in one tick."""
    places = Places(scene.network)
    yield from first_vehicles(places)
    yield from first_people_and_things(places)
    yield SetRoadFriction(0.9)
    yield SetWeather(WeatherKind.STORM, at_once=False)
    yield SetTimeOfDay(3600.0 * 18, at_once=False)
    yield SetLight(3, 16, once=True)
    yield SetLight(5, 1)
    yield SetSchedule(0, yellow=tuple([2.0] * int(scene.signal_plan.first.count[0])))
    yield from first_orders(places)


def first_vehicles(places: Places) -> Iterator[Command]:
    """Vehicles with full dynamics, and NPC vehicles."""
    network, ego, drivable = places.network, places.ego, places.drivable
    for model, link, s in (("2015_Kia_K5", ego, 75.0), ("2017_Kia_Morning", ego, 8.0), ("TurtleBot", places.far, 20.0)):
        yield CreateVehicle(model=model, position=places.on(link, s), rotation=places.heading(link, s))
    for number in range(NPCS):
        link = drivable[(number * 29) % len(drivable)]
        yield CreateNpc(
            model="2018_Hyundai_ElecCity" if number % 7 == 3 else "2016_Hyundai_Ioniq",
            link=link,
            s=5.0 + number,
            speed=3.0,
            desired_speed=8.0 if number % 3 == 2 else 0.0,
            way=(link, int(network.successors.of(link)[0])) if number % 4 == 1 else (),
            close_loop=number % 2 == 0,
            bias=0.2 * (number % 3 - 1),
            move_on=True,
        )


def first_people_and_things(places: Places) -> Iterator[Command]:
    """People, obstacles, spawn points, and what lies on the ground."""
    ego = places.ego
    x, y, z = places.on(ego, EGO_S + 30.0, -6.0)
    for number in range(3):
        way = (Waypoint(x + 9.0, y + 4.0 * number, z, 0.5), Waypoint(x - 9.0, y, z, 0.0, 1.9))
        position = (x + number, y - 2.0 * number, z)
        yield SpawnPedestrian(
            NEW_ACTOR, number, position, yaw=0.5, start=number > 0, way=way, mode=CharacterMode.REPEAT
        )
    yield SpawnObstacle(NEW_ACTOR, 1, places.on(ego, EGO_S + 14.0))
    yield SpawnObstacle(NEW_ACTOR, 13, (x, y + 15.0, z), way=(Waypoint(x, y + 30.0, z),), move_speed=2.0)
    # the follower presses against it
    yield CreateAs(500, SpawnObstacle(NEW_ACTOR, 5, places.on(ego, 11.4)))
    yield SetLabel(EGO, "hero", "a client")
    yield SetVehicleSpawnPoints(
        (VehicleSpawnPoint(id=0, start_link=places.drivable[7], start_s=10.0, shortest_period=0.4, longest_period=0.9),)
    )
    goals = (Destination(x + 20.0, y, z, 0.3, 4.0, 2.0), Destination(x, y - 20.0, z))
    yield SetPedestrianSpawnPoints((PedestrianSpawnPoint(id=0, x=x, y=y + 3, z=z, period=0.5, destinations=goals),))
    yield CreateMapObject(NEW_ACTOR, "Puddle", places.on(ego, EGO_S + 8.0))
    yield PlaceShade(alias=91, position=places.on(ego, 60.0), size=(9.0, 30.0, 12.0))


def first_orders(places: Places) -> Iterator[Command]:
    """What vehicles are told, their faults and their sensors."""
    ego = places.ego
    yield from (SetCruise(CRUISER, ratio=0.7), DriveVehicle(CRUISER, ControlKind.PEDALS, ControlMode.CRUISE))
    yield FollowTrajectory(FOLLOWER, tuple((*places.on(ego, 8.0 + 6.0 * number), 5.0) for number in range(1, 10)))
    yield SetGoal(CRUISER, (ego,), places.on(ego, EGO_S + 50.0), 4.0)
    yield DriveGroundState(ROBOT, 0.2, 0.4)
    yield DriveVehicle(EGO, ControlKind.PEDALS, gear=Gear.D, accelerator=0.8, steer=0.01)
    yield SetControlFault(EGO, fault_class=1, fault_subclass=102, location=4, duration=1.5)
    yield SetTireFault(CRUISER, fault_class=3, fault_subclass=301, tire=1)
    yield SetSensorFault(EGO, fault_class=2, fault_subclass=206, sensor=1, position_offset=(0.1, 0.0, 0.0))
    yield AddSensor(EGO, settings=CameraSettings(), sensor=4, position=(1.5, 0.0, 1.4))
    yield AddSensor(CRUISER, settings=GpsSettings(white=(1.0, 1.0, 2.0)), period=200_000_000)
    yield from (SetLamps(FOLLOWER, TurnLamp.LEFT, True), ChangeLimits(FOLLOWER, mass=1500.0))


def ghost_through_sign(scene: Scene, tick: int) -> Command:
    """A ghost that drives over a sign at 20 m/s, whose post gives way."""
    objects, row = scene.scenery.objects, int(scene.scenery.rows_of(ObjectKind.SIGN)[0])
    away, heading = 0.2 * tick - 10.0, float(objects.heading[row])
    x, y = objects.x[row] + away * math.cos(heading), objects.y[row] + away * math.sin(heading)
    return PlaceNpcGhost(78, "2015_Kia_K5", (float(x), float(y), float(objects.z[row])), (0.0, 0.0, heading))


def later_commands(scene: Scene, tick: int) -> Iterator[Command]:
    """What is asked before a tick after the first; `tick` is the number of the snapshot that is there."""
    if tick % 5 == 2:
        way = 0.05 * tick
        yield PlaceNpcGhost(77, "2015_Kia_K5", (way, 40.0, 5.0), (0.0, 0.0, 0.01 * tick))
    if tick < 100:
        yield ghost_through_sign(scene, tick)
    if tick % 40 == 20:
        yield DriveVehicle(EGO, ControlKind.VELOCITY, velocity=12.0, steer=0.02 * math.sin(tick))
    yield from {
        30: (PauseActor(FIRST_NPC + 2, True), ChangeNpc(FIRST_NPC, ratio=0.5, bias=0.4)),
        45: (RemoveActor(FIRST_NPC + 4), EnableSpawnPoints(False)),
        50: (MoveSensor(4, (1.6, 0.0, 1.3)),),
        60: (DriveObstacle(FIRST_NPC + NPCS + 4, (1.0, 0.5), 0.2), PauseActor(FIRST_NPC + 2, False)),
        70: (EnableSpawnPoints(True), SetFrictionArea(FIRST_NPC + NPCS + 8, 4.0, 3.0, 1.0, 0.3)),
    }.get(tick, ())


def turn(run: Rig, ticks: int) -> list[bytes]:
    """Let ticks go by with what is asked in each; the digest after each of them."""
    digests = []
    for _ in range(ticks):
        scene, now = run.built.scene, run.now
        for command in later_commands(scene, now.tick) if now.tick else first_commands(scene):
            run.loop.put(Source.SCENARIO, command)
        digests.append(run.turn().digest())
    return digests
