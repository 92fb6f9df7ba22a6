"""Replays of bags by service, and their status topics (documents/ros-messages-ko.txt, ROSBAG and MoraiSimProcStatus).

The options are bit masks that the document writes in hexadecimal digits, one a digit, and the later messages of ROS 2
as 1, 2, 4 and 8; both are taken (facts/ros-grpc-mgeo.md, 1.6, rows 14 to 16 and 21).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from enum import IntEnum, IntFlag
from typing import Any

from dorosim.bridge.host import BagOrder
from dorosim.bridge.reply import DeferredReply
from dorosim.bridge.ros.guard import provided
from dorosim.bridge.ros.objects import nearest_objects, object_lists
from dorosim.bridge.ros.status import quaternion
from dorosim.bridge.ros.topic import Published, RosSituation
from dorosim.ground.error import InputError
from dorosim.world.actor.command import PauseRun
from dorosim.world.snapshot import EGO, Outcome, Snapshot

MEMORY = "sim_proc"
"""Key of what is remembered of the last request."""


class Process(IntEnum):
    """sim_process_status of a request; a pause has two codes."""

    NONE = 0
    PLAY = 1
    PAUSE_COMMENT = 2
    PAUSE = 0x10
    STOP = 0x20


class Option(IntFlag):
    """replay_option: which fields of a request count."""

    LOAD = 1
    TARGET = 2
    START = 4
    SPEED = 8


class Result(IntEnum):
    """command_result of the status."""

    INITIAL = 0
    SUCCESS = 1
    FAIL = 0x10
    NO_FILE = 0x20
    NOT_LOADED = 0x30


SIMULATION, REPLAY = 1, 0x10
"""current_mode of the status."""
RUNNING, _PAUSED, AT_END = 1, 0x10, 0x20
"""current_status of the status."""
BITS = {1: 1, 2: 2, 4: 4, 8: 8, 0x10: 2, 0x100: 4, 0x1000: 8}
"""Both ways to write a bit of a mask, as 1, 2, 4 or 8."""


class _ProcessError(Exception):
    """A request that cannot be done; `result` says why in one code, the text in words."""

    def __init__(self, result: Result, text: str) -> None:
        super().__init__(text)
        self.result = result


@contextmanager
def _failing(result: Result) -> Iterator[None]:
    """Turns an error of input into one of the process, with this result."""
    try:
        yield
    except (InputError, ValueError) as error:
        raise _ProcessError(result, str(error)) from None


def mask(value: int, name: str) -> int:
    """A bit mask in whichever way it is written, as a sum of 1, 2, 4 and 8.

    Raises:
        InputError: it has a bit that means nothing.
    """
    left, found = value & 0xFFFF, 0
    for bit, meaning in BITS.items():
        if left & bit:
            left &= ~bit
            found |= meaning
    if left:
        raise InputError("Morai_SimProc", name, f"{value:#06x} has the bits {left:#06x}, which mean nothing", "")
    return found


def _handle(request: Any, to: RosSituation) -> Any:
    """Does the options first, then play, pause or stop. The answer's result and the status report a failure."""
    now = to.at.now
    try:
        commands = _direct(request, to)
    except _ProcessError as error:
        _remember(to, error.result, now)
        to.at.host.runs.report("refused", f"Morai_SimProc: {error}")
        return _answer(to, done=False)
    if not commands:
        _remember(to, Result.SUCCESS, now)
        return _answer(to, done=True)

    def reply(after: Snapshot, outcomes: tuple[Outcome, ...]) -> Any:
        done = not any(outcome.refusal for outcome in outcomes)
        _remember(to, Result.SUCCESS if done else Result.FAIL, after)
        return _answer(to, done=done)

    return DeferredReply(commands, reply)


def _direct(order: Any, to: RosSituation) -> tuple[PauseRun, ...]:
    """Load and direct a replay; the commands that let the run go on or pause."""
    bags = to.at.host.bags
    with _failing(Result.FAIL):
        process = Process(order.sim_process_status)
        options = Option(mask(order.replay_option, "replay_option"))
        change = _change(order, options)
    if Option.LOAD in options:
        with _failing(Result.NO_FILE):
            bags.load(order.rosbag_file_name)
    loaded = bool(bags.status.name)
    if options and not loaded:
        raise _ProcessError(Result.NOT_LOADED, "no bag is loaded; load one first (replay_option 1)")
    with _failing(Result.FAIL):
        if process is Process.STOP:
            if not loaded:
                raise _ProcessError(Result.FAIL, "nothing is replayed that could be stopped")
            bags.stop()
        elif loaded:
            status = bags.status
            start = 0 if process is Process.PLAY and status.ended and change.start is None else change.start
            pauses = process in (Process.PAUSE, Process.PAUSE_COMMENT)
            change = BagOrder(change.targets, start, change.speed, pauses)
            if not status.playing or change != BagOrder():
                bags.direct(change)
    if process is Process.PLAY:
        return (PauseRun(paused=False),)
    return (PauseRun(paused=True),) if process in (Process.PAUSE, Process.PAUSE_COMMENT) else ()


def _change(order: Any, options: Option) -> BagOrder:
    """Returns what the options ask for.

    A bag that is loaded anew is replayed from its beginning, at its own speed, with all actors, unless options differ.
    """
    anew = Option.LOAD in options
    targets, start, speed = (7, 0, 1.0) if anew else (None, None, None)
    if Option.TARGET in options:
        targets = mask(order.replay_target_option, "replay_target_option")
        if not targets or targets & 8:
            raise InputError("Morai_SimProc", "replay_target_option", f"{targets:#x} names no actors", "use 1, 2 and 4")
    if Option.START in options:
        start = int(order.start_time) * 1_000_000
    if Option.SPEED in options:
        speed = float(order.replay_speed)
        if speed < 1.0:
            raise InputError("Morai_SimProc", "replay_speed", f"{speed:g}", "use 1 or more")
    return BagOrder(targets, start, speed)


def _answer(to: RosSituation, *, done: bool) -> Any:
    return to.form.registry.make("morai_msgs/MoraiSrvResponse", result=done)


def _remember(to: RosSituation, result: Result, now: Snapshot) -> None:
    to.history[MEMORY] = (result, to.form.epoch + now.time)


def _status(to: RosSituation) -> Any:
    """Of the simulation, or of the replay while a bag is loaded."""
    result, time = to.history.get(MEMORY, (Result.INITIAL, 0))
    bag, registry = to.at.host.bags.status, to.form.registry
    state = _PAUSED if to.at.now.paused else RUNNING
    if bag.name and bag.ended:
        state = AT_END
    return registry.make(
        "morai_msgs/MoraiSimProcStatus",
        header=to.header(),
        latest_command_time=registry.time(time),
        command_result=int(result),
        current_mode=REPLAY if bag.name else SIMULATION,
        current_status=state,
    )


def _replay_info(to: RosSituation) -> Any:
    """What a replay needs of the ego vehicle beside its status, and all other actors as in the list of objects."""
    state = to.at.index.actors.state(to.at.now, EGO)
    assert state is not None
    registry = to.form.registry
    vector, turned = registry.kind("geometry_msgs/Vector3"), registry.kind("geometry_msgs/Quaternion")
    return registry.make(
        "morai_msgs/ReplayInfo",
        header=to.map_header(),
        ego_acc=state.accelerator,
        ego_brake=state.brake,
        ego_steer=math.degrees(state.steer),
        orientation=turned(*quaternion(*state.rotation)),
        linear_acceleration=vector(*state.acceleration),
        angular_velocity=vector(*state.angular_velocity),
        **object_lists(nearest_objects(to)),
    )


PUBLISHED = (
    # in every tick, also while the run is paused and its time stands
    Published(
        "sim_proc_status",
        "/sim/process/state/msg/MoraiSimProcStatus",
        "morai_msgs/MoraiSimProcStatus",
        _status,
        rate_hz=0.0,
        module=774,
    ),
    Published("replay_info", "/ReplayInfo_topic", "morai_msgs/ReplayInfo", _replay_info, module=779, frame="map"),
)
PROVIDED = (provided("sim_proc", "/Morai_SimProc", "MoraiSimProcSrv", _handle, module=777),)
