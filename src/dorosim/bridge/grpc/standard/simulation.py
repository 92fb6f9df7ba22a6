"""The service Simulation: start, stop, pause, synchronous mode."""

from __future__ import annotations

import math
from typing import Any

from google.protobuf.message import Message

from dorosim.bridge.drive import leave_keyboards
from dorosim.bridge.grpc.call import LEVEL_VEHICLE, Procedure, Response, vector_of
from dorosim.bridge.grpc.standard.result import answered, ask_of, failure, success
from dorosim.bridge.host import SAME_MAP, StartOrder
from dorosim.bridge.npc import report_stand_in, vehicle_to_make
from dorosim.bridge.reply import DeferredReply
from dorosim.bridge.run import name_ego, step_frames, stop_run, wait_for_frame
from dorosim.bridge.situation import Situation
from dorosim.bridge.storyboard import VALUE_WORD, value_from_text
from dorosim.ground.error import InputError
from dorosim.wire.grpc.descriptor import SIM_API
from dorosim.world.actor.command import PauseRun
from dorosim.world.actor.effect import EGO_NAME
from dorosim.world.command import Command
from dorosim.world.snapshot import EGO, Outcome, Snapshot
from dorosim.world.vehicle.command import SelectMode, SetCruise
from dorosim.world.vehicle.mode import ControlMode

TIME_MANAGEMENT, _SYNCHRONOUS = 1, 2
"""Codes of SyncModeType."""
LINK, CONSTANT = 1, 2
"""Codes of EgoCruiseType."""
_VEHICLE = 1
"""Code of ObjectType."""
MILLISECOND = 1_000_000
DEFAULT_PERIOD = 20
"""Time of a tick unless a client says otherwise [ms] (facts/ros-grpc-mgeo.md, 2.3)."""
MAX_SEED_DIGITS = 20
"""Digits of a seed; what is longer is none."""
ONE_MODE = "dorosim runs one way for all purposes"
WITHOUT_EFFECT: dict[str, str] = {
    "SimulationModeParam.mode": ONE_MODE,
    "StartParam.ego_transform.rotation.x": LEVEL_VEHICLE,
    "StartParam.ego_transform.rotation.y": LEVEL_VEHICLE,
}
"""Fields that have no meaning here, and why."""


def _start(request: Any, at: Situation) -> Message:
    """Start a run; what does not fit leaves the present one as it is."""
    files, chosen = request.simulation_settings, request.map_and_vehicle
    position, heading = None, 0.0
    if request.HasField("ego_transform"):
        position = vector_of(request.ego_transform.location)
        heading = math.radians(request.ego_transform.rotation.z)
    vehicle, note = vehicle_to_make(chosen.ego_vehicle_model)
    order = StartOrder(
        map_name=chosen.map_name,
        vehicle=vehicle,
        position=position,
        heading=heading,
        scenario=files.morai_scenario_filename,
        sensors=files.sensor_setting_filename,
        commands=(*_identity(request), *_cruise(request)),
        frame=_frame(request.mode),
        seed=_seed(at.seed),
    )
    answer = at.host.runs.start(order)
    report_stand_in(at.host, note)
    # clients look for "same map" and nothing else (facts/ros-grpc-mgeo.md, 2.3)
    return success(f"{answer}; {note}" if note and answer != SAME_MAP else answer, EGO_NAME)


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


def _seed(text: str | None) -> int | None:
    """The seed that a client sent with its call, None for none; its bounds are those of the settings."""
    if text is None:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) <= MAX_SEED_DIGITS):
        raise InputError("Start", "seed", f"{text!r} is not a valid seed", "give a whole number from 0")
    return int(text)


def _frame(mode: Any) -> int | None:
    """As of StartOrder."""
    if mode.type == _SYNCHRONOUS:
        return (mode.tick_period or DEFAULT_PERIOD) * MILLISECOND
    return 0 if mode.type == TIME_MANAGEMENT else None


def _stop(request: Any, at: Situation) -> Response:
    text, commands = stop_run(at.host, at.now, at.names, request.value)
    if not commands:
        return success(text)

    def answer(_: Snapshot, outcomes: tuple[Outcome, ...]) -> Message:
        refusals = [outcome.refusal for outcome in outcomes if outcome.refusal]
        return failure("; ".join(refusals)) if refusals else success(text)

    return DeferredReply(commands, answer)


def _mode(_: Any, at: Situation) -> Message:
    pace = at.host.pace
    kind = _SYNCHRONOUS if pace.synchronous else TIME_MANAGEMENT
    return SIM_API.simulation.SyncMode(type=kind, tick_period=pace.frame // MILLISECOND)


def _set_mode(request: Any, at: Situation) -> Response:
    # a type that is not set is not the synchronous one
    frame = _frame(request) if request.type else 0
    if frame is None:
        return failure(f"type {request.type} is not valid: it must be 1, time management, or 2, synchronous")
    if frame == 0:
        at.host.pace.release()
    else:
        at.host.pace.synchronise(frame)
    # clients that step the run drive its vehicles; keyboards are released
    left = leave_keyboards(at.now, ControlMode.AUTO) if frame else ()
    return ask_of(left)


def _tick(request: Any, at: Situation) -> Message:
    time = step_frames(at.host, at.now, at.client, request.value, at.form.timeout)
    return SIM_API.simulation.SyncTimestamp(frame_count=time // at.host.pace.frame, elapsed_time=time // MILLISECOND)


def _wait(_: Any, at: Situation) -> Message:
    return SIM_API.Int64Value(value=wait_for_frame(at.host, at.now, at.form.timeout) // at.host.pace.frame)


def _show(request: Any, at: Situation) -> Response:
    """Show users a message; one that begins with "userDefinedValue " gives the storyboard a value."""
    if request.message.startswith(f"{VALUE_WORD} "):
        value = value_from_text(request.message)
        if value is None:
            return failure(f"{request.message[:60]!r} is not of the form {VALUE_WORD} NAME=VALUE")
        return ask_of((value,))
    at.host.runs.report(f"message {request.type}", request.message)
    return success()


PROCEDURES: dict[str, Procedure] = {
    "Simulation/Start": answered(_start),
    "Simulation/Stop": answered(_stop),
    "Simulation/Pause": answered(lambda _, __: PauseRun(paused=True)),
    "Simulation/Resume": answered(lambda _, __: PauseRun(paused=False)),
    "Simulation/GetSynchronousMode": _mode,
    "Simulation/SetSynchronousMode": answered(_set_mode),
    "Simulation/Tick": _tick,
    "Simulation/WaitForTick": _wait,
    "Simulation/SetSimulationMode": lambda _, __: success(ONE_MODE),
    "Simulation/SendMessage": answered(_show),
}
"""By "Service/Name"."""
