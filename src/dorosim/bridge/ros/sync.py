"""Synchronous mode by services (facts/ros-grpc-mgeo.md, 1.4): users step the run frame by frame.

A frame is 20 ms of simulated time, and is counted from the beginning of the run. Per step a user sends what it asks of
the vehicle for a frame, and waits for it; time goes on as far as every user has waited for, and gRPC's clients besides
(docs/decisions/0019-synchronous-mode-is-a-gate.md).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import count
from typing import Any

import msgspec

from dorosim.bridge.answer import Answer, Notice, Refusal
from dorosim.bridge.drive import leave_keyboards
from dorosim.bridge.event import GEARS
from dorosim.bridge.npc import npc_at
from dorosim.bridge.obstacle import obstacle_to_make
from dorosim.bridge.people import Walk, pedestrian_to_make
from dorosim.bridge.reply import DeferredReply
from dorosim.bridge.ros.guard import MAP, TURN, Range, provided
from dorosim.bridge.ros.receive import CTRL_CMD
from dorosim.bridge.ros.scenario import options_of
from dorosim.bridge.ros.status import ego_status
from dorosim.bridge.ros.topic import Published, RosSituation
from dorosim.bridge.run import MAX_FRAMES_PER_STEP
from dorosim.ground.error import InputError
from dorosim.world.actor.command import RemoveActor
from dorosim.world.command import Command
from dorosim.world.obstacle.state import OBSTACLE_MODELS
from dorosim.world.pedestrian.model import PEDESTRIAN_MODELS
from dorosim.world.snapshot import EGO, Outcome, Snapshot
from dorosim.world.vehicle.catalogue import VEHICLE_MODELS
from dorosim.world.vehicle.command import DriveVehicle, SelectMode
from dorosim.world.vehicle.mode import ControlMode

MILLISECOND = 1_000_000
FRAME_MS = 20
FRAME = FRAME_MS * MILLISECOND
"""Simulated time of a frame [ns]."""
MEMORY = "sync"
"""Key of the users that take part, in the history of topics."""
FOLDER = "Sync"
"""In SensorData/ of the data folder: what sensors saw at frames whose `sensor_capture` is set."""
RANGES: dict[str, Range] = {"SyncModeAddObject.position": MAP, "SyncModeAddObject.heading": TURN}


@dataclass(slots=True)
class _Users:
    """The users that take part by ROS.

    Attributes:
        names: users that have taken part, by their names at the gate; a user that the gate has dropped takes part no
            longer.
        began: number of the mode that one of them began, 0 for none.
        given: ids that were made for clients that gave none, by client.
    """

    names: dict[str, None] = field(default_factory=dict)
    began: int = 0
    given: dict[str, str] = field(default_factory=dict)


def _users(to: RosSituation) -> _Users:
    found: _Users = to.history.setdefault(MEMORY, _Users())
    return found


def _present(to: RosSituation) -> list[str]:
    """Returns the users that take part by ROS now, in the order in which they came; the first is the master.

    The gate decides: it drops clients that sleep or have died, and gRPC may have ended the mode.
    """
    users = _users(to)
    return [name for name in to.at.host.pace.clients if name in users.names]


def _user(name: str, to: RosSituation) -> str:
    """Returns the gate's name of the client that asks. A client that gives no id keeps the id that was made for it."""
    name = name or _users(to).given.get(to.at.client, "")
    return f"{_PREFIX}{name}" if name else to.at.client


def _given_id(to: RosSituation) -> str:
    """Returns the id of a client that begins without one: the id that was made for it before, or a new one."""
    users, client = _users(to), to.at.client
    if client in users.given:
        return users.given[client]
    taken = {*users.given.values(), *(name.removeprefix(_PREFIX) for name in (*users.names, *to.at.host.pace.clients))}
    free = next(name for number in count(1) if (name := f"user{number}") not in taken)
    if len(users.given) >= MAX_GIVEN_IDS:
        users.given.pop(next(iter(users.given)))
    users.given[client] = free
    return free


_PREFIX = "ROS user "
"""Prefix of the ids of ROS users at the gate."""
MAX_GIVEN_IDS = 1000
"""Ids that are kept for clients that gave none; the oldest are dropped."""


def _refuse(to: RosSituation, service: str, problem: str) -> None:
    """Show users of dorosim why a request is not done; the answer has only a bool for it."""
    to.at.host.runs.report("refused", f"{service}: {problem}")


def _command(order: Any, to: RosSituation) -> Any:
    """Begin synchronous mode, take part in it, or leave it; it ends when the last user has left."""
    pace, users = to.at.host.pace, _users(to)
    # the answer says by which id the user is known from now on
    name = order.user_id or (_given_id(to) if order.start_sync_mode else users.given.get(to.at.client, ""))
    user = _user(name, to)
    commands: tuple[Command, ...] = ()
    if order.start_sync_mode:
        problem = _begin(order.time_step, user, to)
        if not problem:
            # the services drive now, keyboards are released; a tick that was under way is over when this is done
            keyboard = to.at.now.vehicle.control_mode[to.at.now.row_of(EGO)] == ControlMode.KEYBOARD
            select = SelectMode(EGO, ControlMode.AUTO if keyboard else ControlMode.KEEP)
            commands = (*leave_keyboards(to.at.now, ControlMode.AUTO), select)
    else:
        problem = "" if pace.synchronous else "the run is not in synchronous mode"
        if not problem:
            users.names.pop(user, None)
            users.given.pop(to.at.client, None)
            pace.leave(user)
            if users.began == pace.mode and not _present(to):
                pace.release()
    if problem:
        _refuse(to, "SyncModeCmd", problem)

    def reply(now: Snapshot, _: tuple[Outcome, ...]) -> Any:
        return to.form.registry.make(
            "morai_msgs/SyncModeCmdResponse",
            user_id=name,
            frame=now.time // FRAME,
            result=not problem,
            time_step=pace.frame // MILLISECOND,
        )

    return DeferredReply(commands, reply)


def _begin(time_step: int, user: str, to: RosSituation) -> str:
    """Let a user take part; why that cannot be, or an empty string."""
    pace, users = to.at.host.pace, _users(to)
    frame = (time_step or (pace.frame // MILLISECOND if pace.synchronous else FRAME_MS)) * MILLISECOND
    if frame % FRAME:
        return f"time_step {time_step} ms is not valid: it must be a multiple of {FRAME_MS} ms"
    if pace.synchronous and frame != pace.frame and (users.began != pace.mode or set(_present(to)) - {user}):
        return f"others step by {pace.frame // MILLISECOND} ms; use time_step {pace.frame // MILLISECOND}"
    if not pace.synchronous or frame != pace.frame:
        try:
            pace.synchronise(frame)
        except InputError as error:
            return str(error)
        users.began = pace.mode
    pace.step(user, 0, to.at.form.timeout)
    for gone in set(users.names) - set(pace.clients):
        users.names.pop(gone, None)
    users.names[user] = None
    return ""


def _wait(order: Any, to: RosSituation) -> Any:
    """Let time pass up to a frame, as far as this user is concerned, and wait until it has.

    A frame that has come already stands for the next one (docs/decisions/0047-a-frame-that-has-come.md).
    """
    problem = _step(order.frame, _user(order.user_id, to), to)
    if problem:
        _refuse(to, "SyncModeWaitForTick", problem)

    def reply(now: Snapshot, _: tuple[Outcome, ...]) -> Any:
        after = replace(to, at=replace(to.at, now=now))
        stamp = to.form.epoch + now.time
        return to.form.registry.make(
            "morai_msgs/WaitForTickResponse",
            tick_status=not problem,
            pause_status=now.paused,
            frame=now.time // FRAME,
            vehicle_status=ego_status(after),
            time=f"{stamp // 1_000_000_000}.{stamp % 1_000_000_000:09d}",
        )

    return DeferredReply((), reply)


def _step(frame: int, user: str, to: RosSituation) -> str:
    """Let time pass up to a frame; why it has not come, or an empty string."""
    pace, timeout = to.at.host.pace, to.at.form.timeout
    users = _users(to)
    time = pace.step(user, 0, timeout) if pace.synchronous else None
    if time is None:
        return "the run is not in synchronous mode; begin it with SyncModeCmd"
    users.names[user] = None
    ahead = frame - time // FRAME
    steps, rest = divmod(ahead * FRAME, pace.frame) if ahead > 0 else (1, 0)
    if rest or steps > MAX_FRAMES_PER_STEP:
        each = pace.frame // FRAME
        return f"frame {frame} cannot come: the run is at {time // FRAME} and steps by {each}"
    if to.at.now.paused:
        return "the run is paused"
    if pace.step(user, steps, timeout) is None:
        return f"frame {frame} did not come: another client did not step, or the run or the mode ended, or it paused"
    return ""


def _problem_with_frame(frame: int, to: RosSituation) -> str:
    """Why a command for a frame comes too late or too early, or an empty string. 0 is any frame."""
    pace = to.at.host.pace
    if not pace.synchronous:
        return "the run is not in synchronous mode; begin it with SyncModeCmd"
    here = to.at.now.time // FRAME
    following = here + pace.frame // FRAME
    if frame and not here <= frame <= following:
        return f"frame {frame} is not valid: it must be the present one, {here}, or the next one, {following}"
    return ""


def _do(service: str, frame: int, answers: Iterable[Answer], to: RosSituation) -> Any:
    """Do what is asked for a frame, all of it or nothing."""

    def answer(problem: str) -> Any:
        if problem:
            _refuse(to, service, problem)
        return to.form.registry.make("morai_msgs/SyncModeResultResponse", result=not problem)

    problem = _problem_with_frame(frame, to)
    if problem:
        return answer(problem)
    try:
        found = list(answers)
    except InputError as error:
        return answer(str(error))
    refusals = [one.reason for one in found if isinstance(one, Refusal)]
    if refusals:
        return answer("; ".join(refusals))
    for one in found:
        if isinstance(one, Notice):
            to.at.host.runs.report(one.kind, one.text, one.lines)
    commands = tuple(one for one in found if not isinstance(one, Notice | Refusal))

    def reply(_: Snapshot, outcomes: tuple[Outcome, ...]) -> Any:
        return answer("; ".join(outcome.refusal for outcome in outcomes if outcome.refusal))

    return DeferredReply(commands, reply)


def _control(order: Any, to: RosSituation) -> Any:

    def answers() -> Iterable[Answer]:
        yield from leave_keyboards(to.at.now, ControlMode.AUTO)
        for one in CTRL_CMD.meaning(order.command, to):
            # the service takes the vehicle from any other driver
            yield msgspec.structs.replace(one, mode=ControlMode.AUTO) if isinstance(one, DriveVehicle) else one
        if order.sensor_capture and len(to.at.now.mounts):
            to.at.host.files.save_sensor_data(FOLDER, f"{order.frame or to.at.now.time // FRAME:08d}")

    return _do("SyncModeCtrlCmd", order.frame, answers(), to)


def _gear(order: Any, to: RosSituation) -> Any:

    def answers() -> Iterable[Answer]:
        gear = GEARS.get(order.gear)
        if gear is None:
            yield Refusal(f"gear {order.gear} is not valid: it must be one of 0 M, 1 P, 2 R, 3 N, 4 D, 5 L")
        else:
            yield SelectMode(EGO, gear=gear)

    return _do("SyncModeSetGear", order.frame, answers(), to)


def _scenario(order: Any, to: RosSituation) -> Any:

    def answers() -> Iterable[Answer]:
        loading = to.at.host.files.scenario(order.file_name, options_of(order), to.at.now)
        to.at.host.runs.report("scenario loaded", loading.headline, loading.notes)
        yield from loading.commands

    return _do("SyncModeScenarioLoad", order.frame, answers(), to)


def _add(order: Any, to: RosSituation) -> Any:
    """An NPC vehicle, a pedestrian or an obstacle, by the name of its model."""
    return _do("SyncModeAddObject", order.frame, (_made(order, to) for _ in range(1)), to)


def _made(order: Any, to: RosSituation) -> Answer:
    name, place, yaw = order.name.strip().casefold(), order.position, math.radians(order.heading)
    position = (place.x, place.y, place.z)
    if name in {model.name.casefold() for model in VEHICLE_MODELS}:
        return npc_at(to.at.scene, order.name.strip(), position, (0.0, 0.0, yaw))
    if name in {model.name for model in PEDESTRIAN_MODELS}:
        return pedestrian_to_make(name, position, yaw, Walk())[0]
    if name in {model.name for model in OBSTACLE_MODELS}:
        return obstacle_to_make(name, position, (0.0, 0.0, yaw), (1.0, 1.0, 1.0))[0]
    some = ", ".join((VEHICLE_MODELS[0].name, PEDESTRIAN_MODELS[0].name, OBSTACLE_MODELS[0].name))
    return Refusal(f"there is no model {order.name!r}; models are such as {some}")


def _remove(order: Any, to: RosSituation) -> Any:
    actor = to.at.names.actor_numbered(order.unique_id)
    return _do("SyncModeRemoveObject", order.frame, (RemoveActor(actor),), to)


def _info(to: RosSituation) -> Any:
    now, pace = to.at.now, to.at.host.pace
    return to.form.registry.make(
        "morai_msgs/SyncModeInfo",
        master_id=next(iter(_present(to)), "").removeprefix(_PREFIX),
        status=pace.synchronous,
        frame=now.time // FRAME,
        can_send_tick=pace.synchronous and not now.paused,
    )


PUBLISHED = (
    # in every tick, since the time between two messages stands while no client steps
    Published("sync_info", "/SyncModeInfo", "morai_msgs/SyncModeInfo", _info, rate_hz=0.0, module=271),
)
_provided = partial(provided, ranges=RANGES)
PROVIDED = (
    _provided("sync_command", "/SyncModeCmd", "MoraiSyncModeCmdSrv", _command, module=269),
    _provided("sync_wait", "/SyncModeWaitForTick", "MoraiWaitForTickSrv", _wait, module=270),
    _provided("sync_gear", "/SyncModeSetGear", "MoraiSyncModeSetGearSrv", _gear, module=274),
    _provided("sync_control", "/SyncModeCtrlCmd", "MoraiSyncModeCtrlCmdSrv", _control, module=275),
    _provided("sync_scenario", "/SyncModeScenarioLoad", "MoraiSyncModeSLSrv", _scenario, module=277),
    _provided("sync_add", "/SyncModeAddObject", "MoraiSyncModeAddObjectSrv", _add, module=287),
    _provided("sync_remove", "/SyncModeRemoveObject", "MoraiSyncModeRemoveObjectSrv", _remove, module=288),
)
