"""Ego and multi-ego vehicles: control, cruise, events, create, delete (documents/grpc-api-en.txt, Ego, MultiEgo)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from google.protobuf.message import Message

from dorosim.bridge.actor import ActorKind, kind_of
from dorosim.bridge.answer import Answer, Refusal
from dorosim.bridge.control_mode import EVENT_CODES
from dorosim.bridge.drive import (
    Drive,
    EgoType,
    cruise,
    drive,
    problem_with_ego,
    problem_with_whose,
    vehicle_pose,
)
from dorosim.bridge.event import answers_of_event
from dorosim.bridge.grpc.call import KMH, LEVEL_VEHICLE, Procedure, Response, angles_of, cruise_from, vector_of
from dorosim.bridge.grpc.documented.answer import actor_of, actor_responses, empty, flaws_of, result, service_response
from dorosim.bridge.npc import report_stand_in, vehicle_to_make
from dorosim.bridge.reply import DeferredReply, ElementOutcome, Elements, reply_of
from dorosim.bridge.situation import Situation
from dorosim.wire.grpc.descriptor import MORAI_MSGS
from dorosim.world.actor.command import CreateNamed, PauseActor, PauseRun, RemoveActor
from dorosim.world.snapshot import EGO, Snapshot
from dorosim.world.vehicle.command import CreateVehicle, PlaceVehicle
from dorosim.world.vehicle.mode import ControlMode, Gear
from dorosim.world.vehicle.reported_gear import reported_gear_at

WITHOUT_EFFECT: dict[str, str] = {
    "CreateMultiEgoVehicleRequest.rotation.x": LEVEL_VEHICLE,
    "CreateMultiEgoVehicleRequest.rotation.y": LEVEL_VEHICLE,
    "MultiEgoCtrlCmdList.service_name": "the document gives it no meaning; the answer repeats it",
    "MultiEgoEventCmdRequestList.service_name": "the document gives it no meaning; the answer repeats it",
    "CreateMultiEgoVehicleRequestList.service_name": "the document gives it no meaning; the answer repeats it",
}
"""By field: why it changes nothing in the world."""


def drive_from(message: Any) -> Drive:
    """A command from EgoCtrlCmd or MultiEgoCtrlCmd: angle in rad, left positive, speed in km/h.

    The document knows the types 1 to 3; 4, a vehicle that is placed from outside, is one of the Standard API alone.
    """
    return Drive(
        kind=message.longCmdType,
        accelerator=message.accel,
        brake=message.brake,
        steer=message.steering,
        velocity=message.velocity * KMH,
        acceleration=message.acceleration,
    )


def _drive_ego(request: Any, at: Situation) -> DeferredReply:
    elements = Elements()
    elements.add(drive(at.now, EGO, "Ego", drive_from(request)))
    return elements.ask(lambda _, outcomes: _command_response(at, "/morai_msgs/EgoCtrlCmd", outcomes, ["Ego"]))


def _drive_egos(request: Any, at: Situation) -> DeferredReply:
    elements, texts = Elements(), [command.unique_id for command in request.multi_ego_ctrl_cmd]
    for command in request.multi_ego_ctrl_cmd:
        actor = at.names.actor_of(command.unique_id)
        elements.add(drive(at.now, actor, command.unique_id, drive_from(command)))
    name = request.service_name or "/morai_msgs/MultiEgoCtrlCmdList"
    return elements.ask(lambda _, outcomes: _command_response(at, name, outcomes, texts))


def _command_response(at: Situation, name: str, outcomes: Sequence[ElementOutcome], texts: Sequence[str]) -> Message:
    return service_response(at.form, name, result(outcomes, texts))


def _set_ego(request: Any, at: Situation) -> DeferredReply:
    position, rotation = vehicle_pose(at.now, EGO)
    if request.HasField("position"):
        position = vector_of(request.position)
    if request.HasField("rotation"):
        rotation = angles_of(request.rotation)
    gear = Gear(int(at.now.vehicle.gear[at.now.row_of(EGO)]))
    answers: list[Answer] = [PlaceVehicle(EGO, position, rotation, request.velocity * KMH, gear)]
    if request.HasField("cruise_settings"):
        answers += cruise(at.now, EGO, "Ego", cruise_from(request.cruise_settings))
    answers.append(PauseActor(EGO, request.pause))
    return reply_of(answers, lambda _, outcome: result([outcome], ["Ego"]))


def _cruise(request: Any, at: Situation) -> DeferredReply:
    answers = cruise(at.now, EGO, "Ego", cruise_from(request))
    return reply_of(answers, lambda _, outcome: empty("SendEgoCruiseCtrl", [outcome], ["Ego"]))


def _do_events(request: Any, at: Situation) -> DeferredReply:
    """Does events of vehicles with full dynamics, and answers with their modes, gears and lamps afterwards.

    An unknown code refuses all of its entry; the other entries are done. Of the answer's texts only the service name
    has room for a reason.
    """
    elements, actors = Elements(), []
    for command in request.cmd_list:
        actor = at.names.actor_of(command.unique_id)
        problem = problem_with_ego(at.now, actor, command.unique_id)
        actors.append((command, 0 if problem else actor))
        elements.add(*([Refusal(problem)] if problem else answers_of_event(command, actor)))

    def reply(now: Snapshot, outcomes: Sequence[ElementOutcome]) -> Message:
        return MORAI_MSGS.MultiEgoEventCmdResponseList(
            service_name=flaws_of(outcomes, [command.unique_id for command, _ in actors]) or request.service_name,
            res_list=[_modes(now, actor, command.unique_id) for command, actor in actors],
        )

    return elements.ask(reply)


def _modes(now: Snapshot, actor: int, text: str) -> Message:
    """What holds of a vehicle; of one that is not there its id alone, with ctrl_mode 0, which no vehicle has."""
    row = now.row_of(actor)
    if row < 0:
        return MORAI_MSGS.MultiEgoEventCmdResponse(unique_id=text)
    vehicle = now.vehicle
    return MORAI_MSGS.MultiEgoEventCmdResponse(
        unique_id=text,
        ctrl_mode=EVENT_CODES[ControlMode(int(vehicle.control_mode[row]))],
        gear=int(reported_gear_at(vehicle, row)),
        turn_signal=int(vehicle.turn_lamp[row]),
        emergency_signal=int(vehicle.emergency_lamp[row]),
        set_pause=now.paused,
    )


def _create(request: Any, at: Situation) -> DeferredReply:
    """Each is made by itself, and says whether simulated time goes on: False lets it, True leaves it as it is."""
    elements, texts = Elements(), [one.unique_id for one in request.req_list]
    for one in request.req_list:
        model, note = vehicle_to_make(one.vehicleName)
        report_stand_in(at.host, note)
        make = CreateVehicle(
            model=model,
            position=vector_of(one.position),
            rotation=angles_of(one.rotation),
            speed=one.velocity * KMH,
            gear=Gear.D,
        )
        more = () if one.pause else (PauseRun(paused=False),)
        elements.add(CreateNamed(make, one.unique_id), *more)

    def reply(now: Snapshot, outcomes: Sequence[ElementOutcome]) -> Message:
        return actor_responses(now, texts, outcomes, request.service_name)

    return elements.ask(reply)


def _delete_all(request: Any, at: Situation) -> Response:
    name = "/morai_msgs/DeleteMultiEgoVehicleRequest"
    if not request.req_delete:
        return service_response(
            at.form, name, MORAI_MSGS.Result(success=True, description="req_delete is false: all stay")
        )
    others = [actor for actor in at.now.egos if actor != EGO]

    def reply(_: Snapshot, outcome: ElementOutcome) -> Message:
        text = outcome.refusal or f"{len(others)} vehicles are removed"
        return service_response(at.form, name, MORAI_MSGS.Result(success=not outcome.refusal, description=text))

    return reply_of([RemoveActor(actor) for actor in others], reply)


def _delete_one(request: Any, at: Situation) -> DeferredReply:
    text = request.unique_id
    actor = at.names.actor_of(text)
    problem = problem_with_ego(at.now, actor, text)
    answer: Answer = Refusal(problem) if problem else RemoveActor(actor)
    return reply_of((answer,), lambda _, outcome: empty("SendDeleteTargetMultiEgoVehicle", [outcome], [text]))


def _pause(request: Any, at: Situation) -> DeferredReply:
    elements, texts = Elements(), [one.unique_id for one in request.req_list]
    for one in request.req_list:
        actor = actor_of(at, one.unique_id, one.obj_type)
        problem = _problem_with_pause(at, actor, one)
        elements.add(Refusal(problem) if problem else PauseActor(actor, one.set_pause))
    if not texts:
        return DeferredReply((), lambda _, __: MORAI_MSGS.Result(success=False, description="the list is empty"))
    return elements.ask(lambda _, outcomes: result(outcomes, texts))


def _problem_with_pause(at: Situation, actor: int, one: Any) -> str:
    """Returns why an object cannot be paused, or an empty string.

    The type of an ego vehicle must be its own or ANY; for other objects any type of `EgoType` will do.
    """
    kind = kind_of(at.now, actor) if actor else ActorKind.NONE
    if kind not in _PAUSED:
        is_ghost = kind is ActorKind.GHOST
        return f"{one.unique_id!r} is placed from outside" if is_ghost else f"there is no object {one.unique_id!r}"
    if kind is ActorKind.EGO:
        return problem_with_whose(actor, one.unique_id, one.obj_type)
    return "" if one.obj_type in set(EgoType) else f"type {one.obj_type} is not valid: it must be EGO or MULTIEGO"


_PAUSED = frozenset({ActorKind.EGO, ActorKind.NPC, ActorKind.PEDESTRIAN, ActorKind.OBSTACLE})
"""Kinds of actors that move by themselves, and can be paused."""

PROCEDURES: dict[str, Procedure] = {
    "SetEgoCtrlCmd": _drive_ego,
    "SetEgo": _set_ego,
    "SendEgoCruiseCtrl": _cruise,
    "SendMultiEgoCtrlCmd": _drive_egos,
    "SendMultiEgoEventCmd": _do_events,
    "SendCreateMultiEgoVehicle": _create,
    "SendDeleteMultiEgoVehicle": _delete_all,
    "SendDeleteTargetMultiEgoVehicle": _delete_one,
    "ObjectPause": _pause,
}
"""By name."""
