"""The service Actor: vehicles."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from google.protobuf.message import Message

from dorosim.bridge.actor import VEHICLES as VEHICLE_KINDS
from dorosim.bridge.actor import ActorKind
from dorosim.bridge.answer import Answer, Refusal
from dorosim.bridge.control_mode import STANDARD_CODES, STANDARD_MODES
from dorosim.bridge.drive import CRUISE_ENDED, Drive, cruise, offset, take_over
from dorosim.bridge.grpc.call import KMH, LEVEL_VEHICLE, Procedure, Response, angles_of, cruise_from, vector_of
from dorosim.bridge.grpc.standard.result import Target, about, answered, ask_of, failure, result_of, target_of
from dorosim.bridge.height import place_note
from dorosim.bridge.link import LinkPoint
from dorosim.bridge.npc import npc_at, report_stand_in, vehicle_to_make
from dorosim.bridge.reply import ElementOutcome, reply_of
from dorosim.bridge.route import PlannedRoute
from dorosim.bridge.situation import Situation
from dorosim.bridge.vehicle_spec import spec_of
from dorosim.ground.error import InputError
from dorosim.wire.grpc.descriptor import SIM_API
from dorosim.world.actor.command import CreateNamed
from dorosim.world.snapshot import Snapshot
from dorosim.world.traffic.command import CreateNpc
from dorosim.world.vehicle.command import (
    ChangeLimits,
    CreateVehicle,
    DisturbControl,
    LimitControl,
    SelectMode,
    SetLamps,
    SteerVehicle,
)
from dorosim.world.vehicle.mode import ControlMode, Gear, TurnLamp
from dorosim.world.vehicle.model import UNLIMITED_RATE, VehicleModel

EGOS = frozenset({ActorKind.EGO})
VEHICLE_CLASSES = {"sedan": 1, "hatchback": 1, "suv": 2, "bus": 3, "truck": 4, "robot": 6, "van": 7}
"""VehicleClass by category; a hatchback is reported as a sedan, the nearest class."""
_SYNCHRONOUS = 7
NO_HALF_MODES = "one driver steers and accelerates; ask for VEHICLE_CONTROL_AUTO_MODE, and drive both"
NO_NETWORK = "connections are those of the run's settings, [network], and stay as they are while it goes on"
WITHOUT_EFFECT: dict[str, str] = {
    "ActorSpawnInfo.color": "bodies have the colours of their kinds for cameras, and no others",
    "ActorSpawnInfo.is_multi_object_one_mode": "its meaning is not known; real clients leave it out",
    "VehicleCtrlCmd.frame": "a number for the client's own use",
    "VehicleSpawnParam.spawn_info.transform.rotation.x": LEVEL_VEHICLE,
    "VehicleSpawnParam.spawn_info.transform.rotation.y": LEVEL_VEHICLE,
    "Actor/SetVehicleNetwork": NO_NETWORK,
    "Actor/GetVehicleNetworkSetting": "is empty: " + NO_NETWORK,
    "Actor/GetOptionName": "vehicles have no option files; the answer is the name of the model",
}
"""By field or procedure: why it changes nothing in the world."""


def _spawn(request: Any, at: Situation) -> Response:
    """A multi-ego vehicle at a place, or an NPC vehicle on the lane there, or beside the lanes where none is near.

    It is known by its id, else by its label.
    """
    info = request.spawn_info
    kind = info.actor_info.object_type
    if kind not in {0, 1}:
        return failure(f"object_type {kind} is not that of a vehicle")
    if not info.HasField("transform"):
        return failure("the transform is missing: where is it to be?")
    position, rotation = vector_of(info.transform.location), angles_of(info.transform.rotation)
    speed, name = request.velocity * KMH, info.actor_info.id.value or info.label
    model, note = vehicle_to_make(info.model_name)
    make: CreateVehicle | CreateNpc
    if request.multi_ego:
        make = CreateVehicle(model=model, position=position, rotation=rotation, speed=speed, paused=request.pause)
    else:
        make = npc_at(at.scene, model, position, rotation, speed, paused=request.pause)
    report_stand_in(at.host, note)
    told = "; ".join(part for part in (note, place_note(at.scene, make)) if part)
    return ask_of((CreateNamed(make, name, info.actor_info.client_key),), told)


def _drive(request: Any, at: Situation) -> Response:
    """A command in a cruise ends it, and drives from the same tick on."""
    target = target_of(request.actor_info, at, EGOS)
    order = Drive(
        places=True,
        kind=request.long_cmd_type,
        accelerator=request.throttle,
        brake=request.brake,
        steer=request.steer,
        velocity=request.velocity * KMH,
        acceleration=request.acceleration,
    )
    answer, note = take_over(at.now, target.actor, target.text, order)

    def reply(now: Snapshot, outcome: ElementOutcome) -> Message:
        if note and not outcome.refusal:
            at.host.runs.report(CRUISE_ENDED, note)
        return result_of(now, outcome, note)

    return reply_of((answer,), reply)


def _spec(request: Any, at: Situation) -> Message:
    target = _vehicle_of("GetVehicleSpec", request, at)
    return at.index.answers.get(at.now, ("GetVehicleSpec", target.actor), lambda: _spec_message(target, at))


def _spec_message(target: Target, at: Situation) -> Message:
    state = at.index.actors.state(at.now, target.actor)
    if state is None:
        raise InputError("GetVehicleSpec", "", f"{target.text!r} is not on the map just now", "ask again later")
    spec = spec_of(at.scene, at.now, state)
    length, width, height = state.size
    return SIM_API.actor.VehicleSpec(
        sub_category=VEHICLE_CLASSES.get(spec.model.category, 0),
        length=length,
        width=width,
        height=height,
        wheel_base=spec.model.wheelbase,
        front_overhang=spec.model.front_overhang,
        rear_overhang=spec.model.rear_overhang,
        dynamics_level=[SIM_API.actor.DynamicsLevel(level=1, ego=spec.dynamics, npc="along lanes")],
        max_steering_angle=math.degrees(spec.max_steer),
        wheel_radius=spec.wheel_radius,
    )


def _vehicle_of(procedure: str, info: Any, at: Situation, kinds: frozenset[ActorKind] = VEHICLE_KINDS) -> Target:
    """Returns the vehicle that a request means, for procedures whose answer has no Result for a problem.

    Raises:
        InputError: it means no object of these kinds.
    """
    return target_of(info, at, kinds, procedure, "ask for a vehicle that GetAllActorsState lists")


def _option_name(request: Any, at: Situation) -> Message:
    target = _vehicle_of("GetOptionName", request, at)
    state = at.index.actors.state(at.now, target.actor)
    return SIM_API.StringValue(value=at.scene.models[state.model].name if state is not None else "")


def _network_setting(request: Any, at: Situation) -> Message:
    _vehicle_of("GetVehicleNetworkSetting", request, at)
    return SIM_API.actor.NetworkProtocolSetting()


def _set_network(request: Any, at: Situation) -> Message:
    target_of(request.actor_info, at, VEHICLE_KINDS)
    return failure(NO_NETWORK)


def _mode(request: Any, at: Situation) -> Message:
    target = _vehicle_of("GetVehicleControlMode", request, at, EGOS)
    mode = ControlMode(int(at.now.vehicle.control_mode[at.now.row_of(target.actor)]))
    synchronous = mode is ControlMode.AUTO and at.host.pace.synchronous
    return SIM_API.actor.CurVehicleControlMode(mode=_SYNCHRONOUS if synchronous else STANDARD_CODES[mode])


def _set_mode(request: Any, _: Situation, target: Target) -> Answer:
    mode = STANDARD_MODES.get(request.mode)
    if mode is None:
        return Refusal(NO_HALF_MODES if request.mode in {4, 5} else f"mode {request.mode} is not one of a driver")
    return SelectMode(target.actor, mode)


def _limit(request: Any, _: Situation, target: Target) -> Answer:
    """Codes of the actuators are those inside: accelerator, brake, front wheels. A rate of 0 is no limit."""
    return LimitControl(
        target.actor,
        request.limiter_type,
        low=request.min_saturation,
        high=request.max_saturation,
        fall=request.falling_rate or UNLIMITED_RATE,
        rise=request.rising_rate or UNLIMITED_RATE,
        reset=request.reset,
    )


def _model(at: Situation, target: Target) -> VehicleModel:
    """The model of an ego vehicle, which says what holds of itself."""
    return at.scene.models[int(at.now.vehicle.model[at.now.row_of(target.actor)])]


def _limit_steer(request: Any, at: Situation, target: Target) -> Answer:
    own = _model(at, target).max_steer
    return ChangeLimits(target.actor, max_steer=own if request.reset else math.radians(request.max_steer_angle))


def _limit_speed(request: Any, at: Situation, target: Target) -> Answer:
    own = _model(at, target).max_speed
    free = request.reset or not request.speed_limiter
    return ChangeLimits(target.actor, max_speed=own if free else request.speed_limit * KMH)


def _set_mass(request: Any, at: Situation, target: Target) -> Answer:
    return ChangeLimits(target.actor, mass=_model(at, target).mass if request.reset else request.mass)


def _offset(request: Any, at: Situation, target: Target) -> Answer:
    return offset(at.now, target.actor, target.text, request.value / 100.0, request.lat_bias_mode)


def _disturb(request: Any, _: Situation, target: Target) -> Answer:
    """A disturbance of no shape ends the one that is there."""
    lasts = request.duration if request.behavior else 0.0
    return DisturbControl(target.actor, request.situation, request.magnitude if request.behavior else 0.0, lasts)


def _route(request: Any, at: Situation, target: Target) -> Answer:
    places = [LinkPoint(link.id.value, link.waypoint_idx) for link in request.links]
    return _command_of(at.index.routes.along(at.now, target.actor, target.text, places, request.decision_range))


def _destination(request: Any, at: Situation, target: Target) -> Answer:
    position = vector_of(request.position) if request.HasField("position") else None
    return _command_of(at.index.routes.to(at.now, target.actor, target.text, position, request.decision_range))


def _command_of(route: PlannedRoute) -> Answer:
    return route.command if route.command is not None else Refusal(f"{route.error.name}: {route.reason}")


def _cruise(request: Any, at: Situation, target: Target) -> Sequence[Answer]:
    return tuple(cruise(at.now, target.actor, target.text, cruise_from(request)))


def _set_lamps(request: Any, _: Situation, target: Target) -> Answer:
    """Both sides at once are the hazard lights; one side, or none, ends them."""
    turn = {1: TurnLamp.LEFT, 2: TurnLamp.RIGHT}.get(request.signal, TurnLamp.OFF)
    return SetLamps(target.actor, turn=turn, emergency=request.signal == _BOTH)


_BOTH = 3


PROCEDURES: dict[str, Procedure] = {
    "Actor/SpawnVehicle": _spawn,
    "Actor/ControlVehicle": answered(_drive),
    "Actor/GetVehicleSpec": _spec,
    "Actor/GetOptionName": _option_name,
    "Actor/GetVehicleNetworkSetting": _network_setting,
    "Actor/SetVehicleNetwork": answered(_set_network),
    "Actor/GetVehicleControlMode": _mode,
    "Actor/SetVehicleControlMode": about(_set_mode, EGOS),
    "Actor/SetVehicleLimiter": about(_limit, EGOS),
    "Actor/SetVehicleDynamicsSteer": about(_limit_steer, EGOS),
    "Actor/SetVehicleDynamicsSpeedLimit": about(_limit_speed, EGOS),
    "Actor/SetVehicleDynamicsMass": about(_set_mass, EGOS),
    "Actor/SetVehiclePathOffset": about(_offset, VEHICLE_KINDS),
    "Actor/SetVehicleDisturbance": about(_disturb, EGOS),
    "Actor/SetVehicleRoute": about(_route, VEHICLE_KINDS),
    "Actor/SetVehicleDestination": about(_destination, VEHICLE_KINDS),
    "Actor/SetVehicleEgoCruise": about(_cruise, EGOS),
    "Actor/SetVehicleSteer": about(lambda request, _, target: SteerVehicle(target.actor, request.steer), EGOS),
    "Actor/SetVehicleGear": about(lambda request, _, target: SelectMode(target.actor, gear=Gear(request.gear)), EGOS),
    "Actor/SetVehicleTailLight": about(_set_lamps, EGOS),
}
"""By "Service/Name"."""
