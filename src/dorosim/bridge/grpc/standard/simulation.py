"""The service Simulation: start, stop, pause, synchronous mode."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from dorosim.bridge.grpc.call import Procedure
from dorosim.bridge.grpc.standard.result import failure, result_of, success
from dorosim.bridge.host import SAME_MAP, StartOrder
from dorosim.bridge.keyboard_release import leave_keyboards
from dorosim.bridge.npc import tell_stand_in, vehicle_to_make
from dorosim.bridge.reply import DeferredReply
from dorosim.bridge.run import name_ego, step_frames, stop_run, wait_for_frame
from dorosim.bridge.situation import Situation
from dorosim.ground.error import InputError
from dorosim.wire.grpc.descriptor import message_class
from dorosim.world.actor.command import PauseRun
from dorosim.world.actor.effect import EGO_NAME
from dorosim.world.command import Command
from dorosim.world.snapshot import EGO, Outcome, Snapshot
from dorosim.world.vehicle.command import SelectMode, SetCruise
from dorosim.world.vehicle.mode import ControlMode

if TYPE_CHECKING:
    from google.protobuf.message import Message

SyncMode = message_class("morai_sim_api.simulation.SyncMode")
SyncTimestamp = message_class("morai_sim_api.simulation.SyncTimestamp")
Int64Value = message_class("morai_sim_api.Int64Value")
TIME_MANAGEMENT, SYNCHRONOUS = 1, 2
"""Codes of SyncModeType."""
LINK, CONSTANT = 1, 2
"""Codes of EgoCruiseType."""
_VEHICLE = 1
"""Code of ObjectType."""
MILLISECOND = 1_000_000
DEFAULT_PERIOD = 20
"""Time of a tick unless a client says otherwise [ms] (facts/ros-grpc-mgeo.md, 2.3)."""
ONE_MODE = "dorosim runs one way for all purposes"
_GROUND = "a vehicle stands on the ground, which gives its roll and pitch"
WITHOUT_EFFECT: dict[str, str] = {
    "SimulationModeParam.mode": ONE_MODE,
    "StartParam.ego_transform.rotation.x": _GROUND,
    "StartParam.ego_transform.rotation.y": _GROUND,
}
"""Fields that have no meaning here, and why."""


def _start(request: Any, at: Situation) -> Message:
    """Start a run; what does not fit leaves the present one as it is."""
    files, chosen = request.simulation_settings, request.map_and_vehicle
    position, heading = None, 0.0
    if request.HasField("ego_transform"):
        place = request.ego_transform.location
        position = (place.x, place.y, place.z)
        heading = math.radians(request.ego_transform.rotation.z)
    vehicle, note = vehicle_to_make(chosen.ego_vehicle_model)
    try:
        order = StartOrder(
            map_name=chosen.map_name,
            vehicle=vehicle,
            position=position,
            heading=heading,
            scenario=files.morai_scenario_filename,
            sensors=files.sensor_setting_filename,
            commands=(*_identity(request), *_cruise(request)),
            frame=_frame(request.mode),
        )
        told = at.host.runs.start(order)
    except InputError as error:
        return failure(str(error))
    tell_stand_in(at.host, note)
    # clients look for "same map" and nothing else (facts/ros-grpc-mgeo.md, 2.3)
    return success(f"{told}; {note}" if note and told != SAME_MAP else told, EGO_NAME)


def _identity(request: Any) -> tuple[Command, ...]:
    ego = request.ego_setting
    return tuple(name_ego(ego.ego_id, ego.label, ego.client_key or request.client_key))


def _cruise(request: Any) -> tuple[Command, ...]:
    cruise = request.ego_cruise_setting
    whom, owner = cruise.actor_info, request.ego_setting.client_key or request.client_key
    if whom.id.value not in ("", EGO_NAME) or whom.object_type not in (0, _VEHICLE):
        raise InputError("ego_cruise_setting", "actor_info", "is not the ego vehicle", "leave it out")
    if whom.client_key and owner and whom.client_key != owner:
        problem = f"the ego vehicle is to belong to {owner!r}, not {whom.client_key!r}"
        raise InputError("ego_cruise_setting", "actor_info", problem, "leave its client_key out")
    if not cruise.cruise_on:
        return ()
    mode = SelectMode(EGO, mode=ControlMode.CRUISE)
    if cruise.cruise_type == LINK:
        return SetCruise(EGO, ratio=cruise.link_speed_ratio / 100.0), mode
    if cruise.cruise_type == CONSTANT:
        return SetCruise(EGO, speed=cruise.constant_velocity / 3.6), mode
    return (mode,)


def _frame(mode: Any) -> int | None:
    """As of StartOrder."""
    if mode.type == SYNCHRONOUS:
        return (mode.tick_period or DEFAULT_PERIOD) * MILLISECOND
    return 0 if mode.type == TIME_MANAGEMENT else None


def _stop(request: Any, at: Situation) -> DeferredReply | Message:
    try:
        told, commands = stop_run(at.host, at.now, at.names, request.value)
    except InputError as error:
        return failure(str(error))
    if not commands:
        return success(told)

    def answer(_: Snapshot, outcomes: tuple[Outcome, ...]) -> Message:
        refusals = [outcome.refusal for outcome in outcomes if outcome.refusal]
        return failure("; ".join(refusals)) if refusals else success(told)

    return DeferredReply(commands, answer)


def _pause(paused: bool) -> Procedure:
    def procedure(_: Any, __: Situation) -> DeferredReply:
        return DeferredReply((PauseRun(paused=paused),), result_of)

    return procedure


def _mode(_: Any, at: Situation) -> Message:
    pace = at.host.pace
    kind = SYNCHRONOUS if pace.synchronous else TIME_MANAGEMENT
    return SyncMode(type=kind, tick_period=pace.frame // MILLISECOND)


def _set_mode(request: Any, at: Situation) -> Message | DeferredReply:
    # a type that is not set is not the synchronous one
    frame = _frame(request) if request.type else 0
    if frame is None:
        return failure(f"type {request.type} is neither 1, time management, nor 2, synchronous")
    try:
        if frame == 0:
            at.host.pace.release()
        else:
            at.host.pace.synchronise(frame)
    except InputError as error:
        return failure(str(error))
    # clients that step the run drive its vehicles; keyboards are released
    left = leave_keyboards(at.now, ControlMode.AUTO) if frame else ()
    return DeferredReply(left, result_of) if left else success()


def _tick(request: Any, at: Situation) -> Message:
    time = step_frames(at.host, at.now, at.client, request.value, at.form.patience)
    return SyncTimestamp(frame_count=time // at.host.pace.frame, elapsed_time=time // MILLISECOND)


def _wait(_: Any, at: Situation) -> Message:
    return Int64Value(value=wait_for_frame(at.host, at.now, at.form.patience) // at.host.pace.frame)


def _set_purpose(_: Any, __: Situation) -> Message:
    return success(ONE_MODE)


def _show(request: Any, at: Situation) -> Message:
    at.host.runs.tell(f"message {request.type}", request.message)
    return success()


SIMULATION: dict[str, Procedure] = {
    "Simulation/Start": _start,
    "Simulation/Stop": _stop,
    "Simulation/Pause": _pause(True),
    "Simulation/Resume": _pause(False),
    "Simulation/GetSynchronousMode": _mode,
    "Simulation/SetSynchronousMode": _set_mode,
    "Simulation/Tick": _tick,
    "Simulation/WaitForTick": _wait,
    "Simulation/SetSimulationMode": _set_purpose,
    "Simulation/SendMessage": _show,
}
"""By "Service/Name"."""
