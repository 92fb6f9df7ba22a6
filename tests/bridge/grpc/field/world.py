"""Worlds that have something of everything, to which requests come; and all that comes of a request."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple

from google.protobuf.json_format import ParseDict

from dorosim.bridge.grpc.catalogue import procedures
from dorosim.bridge.grpc.documented.state import kinds_of, rate_of, state_response
from dorosim.bridge.reply import DeferredReply
from dorosim.ground.error import DorosimError
from dorosim.wire.grpc.check import flaw_of
from dorosim.wire.grpc.descriptor import Method
from dorosim.world.actor.command import CreateNamed, SetLabel
from dorosim.world.command import Vector
from dorosim.world.environment.command import CreateFrictionArea
from dorosim.world.mount.command import AddSensor
from dorosim.world.mount.setting import GpsSettings, GroundTruthSettings
from dorosim.world.obstacle.command import SpawnObstacle
from dorosim.world.obstacle.state import obstacle_model_row
from dorosim.world.pedestrian.command import SpawnPedestrian
from dorosim.world.snapshot import EGO
from dorosim.world.spawn.command import SetPedestrianSpawnPoints, SetVehicleSpawnPoints
from dorosim.world.spawn.point import PedestrianSpawnPoint, VehicleSpawnPoint
from dorosim.world.traffic.command import CreateNpc
from dorosim.world.vehicle.command import CreateVehicle
from dorosim.world.vehicle.mode import Gear
from dorosim.world.waypoint import Waypoint
from tests.bridge.grpc.stage import Around, GrpcStage
from tests.road.small_map import network_of, straight
from tests.world.world import town_scene

CAR = "2015_Kia_K5"
BETWEEN = {"right_lane_change_dst_link_idx": "A", "left_lane_change_dst_link_idx": "M"}
FORK = network_of(
    straight("A", "N0", "N1", (0, 0, 0), (100, 0, 0), max_speed=36, left_lane_change_dst_link_idx="L"),
    straight("L", "M0", "M1", (0, 3.5, 0), (100, 3.5, 0), max_speed=36, **BETWEEN),
    straight("M", "M2", "M3", (0, 7, 0), (100, 7, 0), max_speed=36, right_lane_change_dst_link_idx="L"),
    straight("B", "N1", "N2", (100, 0, 0), (200, 0, 0), max_speed=36),
    straight("C", "N1", "N3", (100, 0, 0), (200, 60, 0), max_speed=36),
    straight("D", "N2", "N4", (200, 0, 0), (300, 0, 0), max_speed=36),
    straight("U", "N1", "N5", (100, 0, 0), (200, 0, 10), max_speed=36),
)
"""Three lanes side by side, of which the right one forks; one of its ways is a ramp above another."""
AREA = {"vertical_radius": 2.0, "horizontal_radius": 1.0, "height": 0.3, "multiplier": 0.5}
TICKS = 3
"""Ticks after which the outcome of a request is looked at."""


@cache
def stage_named(name: str) -> GrpcStage:
    """The stage of a world: "road"; "lively", the same when all of it moves; "town" with traffic lights."""
    if name == "town":
        return _town()
    stage = _road()
    if name == "lively":
        _enliven(stage)
    return stage


def _road() -> GrpcStage:
    stage = GrpcStage(FORK, egos=((CAR, (0.0, 90.0, 0.0), 0.5),))
    box, _ = obstacle_model_row("box")
    gate = VehicleSpawnPoint(id=0, x=0.0, y=0.0, z=0.0, start_link=0, enabled=False)
    door = PedestrianSpawnPoint(id=0, x=5.0, y=9.0, z=0.0, yaw=0.0, enabled=False)
    stage.apply(
        CreateNamed(CreateVehicle(model=CAR, position=(20.0, 0.0, 0.0), speed=5.0, gear=Gear.D), "car", "me"),
        CreateNamed(CreateNpc(model=CAR, link=0, s=60.0, speed=5.0), "npc", "me"),
        CreateNamed(SpawnPedestrian(0, 0, (40.0, 8.0, 0.0), 0.3, move_distance=9.0), "walker", "me"),
        CreateNamed(SpawnObstacle(0, box, (30.0, -6.0, 0.0), way=(Waypoint(50.0, -6.0, 0.0),)), "box", "me"),
        CreateNamed(SetVehicleSpawnPoints((gate,)), "gate", "me"),
        CreateNamed(SetPedestrianSpawnPoints((door,)), "door", "me"),
        CreateNamed(CreateFrictionArea(model="Puddle", position=(80.0, 0.0, 0.0), **AREA), "pool", "me"),
        CreateNamed(SpawnPedestrian(0, 1, (45.0, 9.0, 0.0), 0.3, move_distance=9.0), "walker2"),
        CreateNamed(SpawnObstacle(0, box, (35.0, -9.0, 0.0), way=(Waypoint(50.0, -9.0, 0.0),)), "box2"),
        CreateNamed(SetVehicleSpawnPoints((gate,)), "gate2"),
        CreateNamed(SetPedestrianSpawnPoints((door,)), "door2"),
        CreateNamed(CreateFrictionArea(model="Puddle", position=(90.0, 0.0, 0.0), **AREA), "pool2"),
        SetLabel(EGO, "", "boss"),
    )
    car = stage.situation.names.actor_of("car")
    kinds = (GroundTruthSettings(), GpsSettings(), GroundTruthSettings(range_max=5.0))
    stage.apply(*(AddSensor(car, settings=kind) for kind in kinds))
    stage.ticks(1)
    return stage


def _enliven(stage: GrpcStage) -> None:
    """A bus turns on the ramp, the car is on its way to it, another stands in the NPC's way, people and things move."""

    def spawn(name: str, x: float, y: float, z: float, yaw: float, speed: float, model: str) -> None:
        place = {"location": {"x": x, "y": y, "z": z}, "rotation": {"z": yaw}}
        info = {"actor_info": {"id": {"value": name}}, "transform": place, "model_name": model}
        stage.ask("Actor/SpawnVehicle", spawn_info=info, velocity=speed, multi_ego=True)

    def tell(name: str, procedure: str, **fields: Any) -> None:
        assert stage.ask(f"Actor/{procedure}", actor_info={"id": {"value": name}}, **fields).status == 1

    spawn("bus", 150.0, 0.2, 5.0, 20.0, 30.0, "2018_Hyundai_ElecCity")
    spawn("wreck", 66.0, 1.0, 0.0, 0.0, 0.0, CAR)
    tell("bus", "ControlVehicle", throttle=0.6, brake=0.1, steer=0.3)
    tell("car", "SetVehicleControlMode", mode=6)
    tell("car", "SetVehicleRoute", links=[{"id": {"value": "A"}}, {"id": {"value": "U"}, "waypoint_idx": 40}])
    spawn("stray", 0.0, -60.0, 0.0, 0.0, 0.0, CAR)
    spawn("robot", 0.0, -80.0, 0.0, 0.0, 0.0, "Clearpath_Husky_A200")
    spawn("taxi", 10.0, 3.5, 0.0, 0.0, 5.0, CAR)
    tell("taxi", "SetVehicleControlMode", mode=6)
    tell("taxi", "SetVehicleDestination", position={"x": 14.0, "y": 3.5}, decision_range=3.0)
    tell("walker", "ControlPedestrian", direction={"x": 1.0, "y": 0.4}, speed=4.0)
    tell("box", "ControlObstacle", mode=2, velocity_x=5.0, velocity_y=2.0, yaw_rate=9.0, height=1.5)
    car = stage.situation.names.actor_of("car")
    taxi = stage.situation.names.actor_of("taxi")
    stage.apply(*(AddSensor(one, settings=GroundTruthSettings(range_max=300.0)) for one in (car, taxi)))
    _let_ego_drive(stage, (120.0, 1.0, 2.1), 10.0, (122.0, 0.0, 2.2))
    stage.ticks(60)
    tell("wreck", "SetVehicleGear", gear=2)
    tell("wreck", "SetTransform", transform={"location": {"x": 62.0}})
    stage.ticks(2)


def _let_ego_drive(stage: GrpcStage, place: Vector, yaw: float, goal: Vector) -> None:
    """Let the ego vehicle go to a goal by itself."""
    cruise = {"cruise_on": True, "cruise_type": 2, "constant_velocity": 30.0}
    fields = {"position": dict(zip("xyz", place, strict=True)), "rotation": {"z": yaw}, "velocity": 30.0}
    assert stage.ask("SetEgo", cruise_settings=cruise, **fields).success
    way = {"unique_id": "Ego", "position": dict(zip("xyz", goal, strict=True)), "decision_range": 3.0}
    (answer,) = stage.ask("SendVehicleDestinations", req_list=[way]).res_list
    assert answer.success, answer.description


def _town() -> GrpcStage:
    """The ego vehicle, and the car behind it, come to a light."""
    stage = GrpcStage(town_scene().network)
    network = stage.scene.network
    inside = network.signals.lights[0].links[0]
    before = int(network.predecessors.of(inside)[0])
    end = float(network.link_length[before])
    first, second = (network.pose_at(before, end - distance) for distance in (20.0, 40.0))
    yaw = float(second.heading[0])
    make = CreateVehicle(model=CAR, position=_point(second), rotation=(0.0, 0.0, yaw), speed=3.0)
    stage.apply(CreateNamed(make, "car", "me"))
    _let_ego_drive(stage, _point(first), math.degrees(yaw), _point(network.pose_at(inside, 5.0)))
    stage.ask("Actor/SetVehicleControlMode", actor_info={"id": {"value": "car"}}, mode=6)
    stage.ticks(5)
    return stage


def _point(place: Any) -> Vector:
    x, y, z = place.point[0].tolist()
    return x, y, z


@dataclass(frozen=True)
class Case:
    """A request that does something, or is answered with something.

    Attributes:
        request: as JSON has it.
        world: name of the stage that it comes to.
        around: attributes of `Around` that are not as usual.
        first: requests that come before it: procedure, and fields.
    """

    request: Mapping[str, Any] = field(default_factory=dict)
    world: str = "road"
    around: Mapping[str, Any] = field(default_factory=dict)
    first: tuple[tuple[str, Mapping[str, Any]], ...] = ()


class Outcome(NamedTuple):
    """All that comes of a request.

    Attributes:
        done: the state of the world some ticks later, and what was asked of the program around it.
        answer: the response, or why there is none. refused: whether something could not be done.
        message: the response, None if there is none.
    """

    done: tuple[Any, ...]
    answer: bytes
    refused: bool
    message: Any = None


def request_of(method: Method, case: Case) -> Any:
    """The request of a case."""
    return ParseDict(dict(case.request), method.request())


class Play:
    """The situation of a case, in which requests can be tried one after another.

    Args:
        method: which is called. case: the situation.

    Attributes:
        procedure: its meaning.
    """

    def __init__(self, method: Method, case: Case) -> None:
        self._method, self._case = method, case
        self._stage = stage_named(case.world)
        self.procedure = procedures().get(method.path, _states)
        begin, stage = self._stage.now, self._stage
        try:
            stage.around = Around()
            for name, fields in case.first:
                stage.ask(name, **fields)
            self._start = stage.now
        finally:
            stage.now = begin

    def outcome(self, request: Any | None) -> Outcome:
        """What comes of a request; None: of no request at all."""
        stage, begin = self._stage, self._stage.now
        stage.now, stage.around = self._start, self._around()
        try:
            ask, told = DeferredReply((), _nothing), b""
            try:
                ask = ask if request is None else self._ask(request)
                found = ask.reply(now := stage.tick(*ask.commands, paused=True), now.outcomes)
                told = b"" if found is None else found.SerializeToString(deterministic=True)
            except DorosimError as error:
                found, told = None, str(error).encode()
            now, around = stage.ticks(TICKS), stage.around
            done = (now.digest(), repr(around.asked), repr(around.told), around.synchronous, around.frame)
            return Outcome(done, told, found is None or _is_refusal(found), found)
        finally:
            stage.now = begin

    def _ask(self, request: Any) -> DeferredReply:
        """What a request asks for; its tick takes place even if it asks for nothing, or cannot be."""
        flaw = flaw_of(request)
        assert not flaw, flaw
        try:
            found = self.procedure(request, self._stage.situation)
        except DorosimError:
            self._stage.tick(paused=True)
            raise
        return found if isinstance(found, DeferredReply) else DeferredReply((), lambda _, __: found)

    def _around(self) -> Around:
        around = Around()
        for name, value in self._case.around.items():
            setattr(around, name, value)
        return around


def _nothing(_: Any, __: Any) -> None:
    """The answer to no request."""


def _states(request: Any, at: Any) -> Any:
    """The first state that Connect streams for a request; its endpoint asks for them in this way."""
    kinds, rate = kinds_of(request.service_name), rate_of(request.msg)
    at.host.runs.report("states", ", ".join(kinds), [str(rate)])
    return state_response(at, kinds[0])


def _is_refusal(message: Any) -> bool:
    """Whether a response, or an entry of it, says that something could not be done."""
    if message.DESCRIPTOR.name == "Result" and "status" in message.DESCRIPTOR.fields_by_name:
        return bool(message.status != 1)
    refused = any(getattr(message, name, True) is False for name in ("success", "result"))
    return refused or any(_is_refusal(part) for part in getattr(message, "res_list", ()))
