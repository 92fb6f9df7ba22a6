"""Objects: made, driven, put elsewhere, sent along trajectories, and removed."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import msgspec

from dorosim.bridge.actor import VEHICLES, ActorKind, names_of
from dorosim.bridge.answer import Answer
from dorosim.bridge.drive import CRUISE_ENDED, Drive, take_over
from dorosim.bridge.height import place_note
from dorosim.bridge.npc import report_stand_in
from dorosim.bridge.obstacle import obstacle_to_make
from dorosim.bridge.people import Walk, pedestrian_to_make
from dorosim.bridge.reply import DeferredReply, ElementOutcome, reply_of
from dorosim.bridge.run import removal
from dorosim.bridge.tcp_step.model import model_numbered
from dorosim.bridge.tcp_step.name import StepNames
from dorosim.bridge.tcp_step.result import result_of
from dorosim.bridge.tcp_step.situation import NotSupportedError, StepSituation
from dorosim.bridge.tcp_step.trajectory import Stop
from dorosim.ground.error import InputError
from dorosim.wire.message import Wire
from dorosim.wire.tcp_step.catalogue import BY_NUMBER, failure
from dorosim.wire.tcp_step.request import (
    CreateObject,
    DeleteObject,
    EntityType,
    FollowMode,
    ManualControl,
    ManualControlById,
    SetTrajectory,
    TransformControlById,
    TransformControlWithoutSpeed,
)
from dorosim.wire.tcp_step.response import ObjectCreated, ResultCode
from dorosim.world.actor.command import CreateNamed, Making, PlaceActor, SetSpeed
from dorosim.world.command import Command
from dorosim.world.snapshot import Snapshot
from dorosim.world.vehicle.command import CreateVehicle, DriveVehicle, PlaceGhost, SelectMode
from dorosim.world.vehicle.mode import ControlMode

ANIMAL = "dog"
"""Model that stands for an animal: the protocol has no numbers of animals."""
TAKEN_OVER = frozenset({ControlMode.CRUISE, ControlMode.GHOST})
"""Modes that a command to drive ends: clients of this protocol send no modes."""


def create_object(request: CreateObject, to: StepSituation) -> DeferredReply:
    """Make a vehicle with full dynamics, a pedestrian or an obstacle; it gets the next free id of its kind."""
    make, kind, note = _made(request)
    report_stand_in(to.at.host, note)
    remark = place_note(to.at.scene, make)
    if remark:
        to.at.host.runs.report("placed", remark)

    def reply(now: Snapshot, outcome: ElementOutcome) -> Wire:
        if outcome.refusal:
            to.at.host.runs.report("refused", f"CreateObject: {outcome.refusal}")
            answer: Wire = failure(BY_NUMBER[0x1301], ResultCode.FAILED)
            return answer
        return ObjectCreated(object_id=StepNames(now, names_of(now)).text_of(outcome.actor))

    return reply_of((CreateNamed(make, to.names.free(kind)),), reply)


def _made(request: CreateObject) -> tuple[Making, ActorKind, str]:
    """What makes an object, its kind, and a note if something stands for what was asked for."""
    position, rotation = request.position, request.rotation
    if request.entity_type == EntityType.VEHICLE:
        model, note = model_numbered(request.ground_vehicle_model)
        if request.driving_mode not in (0, 1, 2):
            raise InputError("CreateObject", "", f"driving_mode {request.driving_mode} is not valid", "use 0, 1 or 2")
        return CreateVehicle(model=model, position=position, rotation=rotation), ActorKind.EGO, note
    if request.entity_type == EntityType.PEDESTRIAN:
        person, note = pedestrian_to_make("", position, rotation[2], Walk())
        return person, ActorKind.PEDESTRIAN, note
    if request.entity_type in (EntityType.OBSTACLE, EntityType.ANIMAL):
        animal = request.entity_type == EntityType.ANIMAL
        obstacle, note = obstacle_to_make(ANIMAL if animal else "", position, rotation, (0.0, 0.0, 0.0))
        return obstacle, ActorKind.OBSTACLE, note
    if request.entity_type == EntityType.SENSOR:
        raise NotSupportedError("CreateObject: a sensor is put on a vehicle by the settings, a sensor set or a project")
    raise InputError("CreateObject", "", f"entity_type {request.entity_type} is not valid", "use 1 to 4")


def delete_object(request: DeleteObject, to: StepSituation) -> DeferredReply:
    """Remove an actor."""
    to.peer.show_newest()
    actor, _ = to.names.find(request.entity_id)
    to.session.player.end(actor)
    return _done("DeleteObject", (removal(to.at.now, actor),), to)


def manual_control(request: ManualControlById, to: StepSituation) -> DeferredReply:
    """Drive by pedals and wheels, as every interface does."""
    actor, _ = to.names.find(request.entity_id)
    to.session.player.end(actor)
    return _done("ManualControlById", _driving(to, actor, request.entity_id, request), to)


def manual_commands(request: ManualControl, actor: int, text: str, to: StepSituation) -> Sequence[Answer]:
    """The same for a datagram, which has no id and no answer."""
    to.session.player.end(actor)
    return _driving(to, actor, text, request)


def _driving(to: StepSituation, actor: int, text: str, request: ManualControl | ManualControlById) -> Sequence[Answer]:
    now = to.at.now
    row = now.row_of(actor)
    order = Drive(
        kind=1,
        accelerator=max(request.throttle, 0.0),
        brake=max(request.brake, 0.0),
        steer=request.steer_angle * (float(now.parameter.max_steer[row]) if row >= 0 else 0.0),
        velocity=0.0,
        acceleration=0.0,
    )
    answer, note = take_over(now, actor, text, order)
    if note:
        to.at.host.runs.report(CRUISE_ENDED, note)
    if isinstance(answer, DriveVehicle) and now.vehicle.control_mode[row] in TAKEN_OVER:
        answer = msgspec.structs.replace(answer, mode=ControlMode.AUTO)
    return (answer,)


def transform_control(request: TransformControlById | TransformControlWithoutSpeed, to: StepSituation) -> DeferredReply:
    """Put an actor elsewhere: a vehicle with full dynamics has no physics from then on, until it is driven."""
    actor, kind = to.names.find(request.entity_id)
    to.session.player.end(actor)
    speed = request.speed if isinstance(request, TransformControlById) else 0.0
    if kind is ActorKind.EGO:
        steer = request.steer_angle * float(to.at.now.parameter.max_steer[to.at.now.row_of(actor)])
        placed: tuple[Command, ...] = (PlaceGhost(actor, request.position, request.rotation, speed, steer),)
    else:
        placed = (PlaceActor(actor, request.position, request.rotation),)
        placed += (SetSpeed(actor, speed),) if kind in VEHICLES else ()
    return _done("TransformControlById", placed, to)


def set_trajectory(request: SetTrajectory, to: StepSituation) -> DeferredReply:
    """Let an actor go along places: at their times exactly, or driven with the speeds that the times ask for."""
    actor, kind = to.names.find(request.entity_id)
    if request.follow_mode not in tuple(FollowMode):
        problem = f"follow_mode {request.follow_mode} is not valid"
        raise InputError("SetTrajectory", "", problem, "use 1, at the places at their times, or 2, driven along them")
    now, exact = to.at.now, request.follow_mode == FollowMode.POSITION
    state = to.at.index.actors.state(now, actor)
    if state is None:
        raise InputError("SetTrajectory", "", f"{request.entity_id!r} is not on the map just now", "ask again later")
    if not exact and kind is not ActorKind.EGO:
        raise NotSupportedError("SetTrajectory: only a vehicle with full dynamics has a driver that goes along places")
    stops = [Stop((one.x, one.y, one.z), one.time) for one in request.points]
    if len(stops) == 1 and stops[0].time > 0.0:
        stops.insert(0, Stop(state.position, 0.0))
    if len(stops) < 2:
        raise InputError("SetTrajectory", "", f"{len(stops)} points", "give two, or one with a time above 0")
    late = next((number for number, (a, b) in enumerate(pairwise(stops), 1) if b.time <= a.time), 0)
    if late:
        problem = f"point {late} is not later than the one before it"
        raise InputError("SetTrajectory", "", problem, "give times that increase")
    commands = to.session.player.begin(now, actor, stops, state.rotation[2], exact=exact)
    row = now.row_of(actor)
    if not exact and now.vehicle.control_mode[row] in TAKEN_OVER:
        commands = (SelectMode(actor, ControlMode.AUTO), *commands)
    return _done("SetTrajectory", commands, to)


def _done(name: str, answers: Sequence[Answer], to: StepSituation) -> DeferredReply:
    """Commands that belong together, and the answer of what becomes of them."""

    def reply(_: Snapshot, outcome: ElementOutcome) -> Wire:
        return result_of(name, outcome, to)

    return reply_of(answers, reply)
