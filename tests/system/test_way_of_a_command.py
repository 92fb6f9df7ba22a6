"""The way of EgoCtrlCmd: from its datagram to the physics, and back into the status message."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path
from types import FrameType
from typing import Any

import dorosim
from dorosim.bridge.answer import dispatch
from dorosim.bridge.drive import Drive
from dorosim.ground.noise import Noise
from dorosim.wire.udp.control import EgoCtrlCmd
from dorosim.wire.udp.datagram import codec_of
from dorosim.wire.udp.revision import DEFAULT_REVISION
from dorosim.wire.udp.status import EgoVehicleStatus
from dorosim.world.command import Source
from dorosim.world.inbox import Inbox, commands_of
from dorosim.world.snapshot import Snapshot
from dorosim.world.step import step
from dorosim.world.vehicle.command import DriveVehicle
from dorosim.world.vehicle.state import VehicleState
from tests.packet import control
from tests.system.rig import Rig, rig

MAX_MODULES = 17
_ROOT = Path(dorosim.__file__).parent
_CODECS = {f"<codec of {one.__name__}>": one.__module__ for one in (EgoCtrlCmd, EgoVehicleStatus)}
"""A codec is compiled of the table that a message's class is: it belongs to the module of that class."""
_CARRIERS = (EgoCtrlCmd, Drive, DriveVehicle, VehicleState, EgoVehicleStatus)
"""What carries the command, or what it did, from one module to the next, beside the datagrams."""


class Walk:
    """The modules of src that are entered with a carrier: a function of theirs is called from another module with it.

    `dorosim.ground`, on which everything stands, and calls without a carrier are left out: what else a tick does is not
    on the way. A kernel shows no arguments; it counts where the function that calls it holds a carrier. A module that
    calls itself, or is called again before any other one, is entered once.
    """

    def __init__(self) -> None:
        self._entered: list[str] = []
        self.carried: list[Any] = []

    @property
    def modules(self) -> list[str]:
        """The modules in the order in which they are entered."""
        return [module for module, _ in groupby(self._entered)]

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Watches the calls of this thread."""
        sys.setprofile(self._note)
        try:
            yield
        finally:
            sys.setprofile(None)

    def _note(self, frame: FrameType, event: str, _: Any) -> None:
        if event != "call":
            return
        running = sys._getframe(1)  # of a kernel its caller, since kernels run without a frame of Python
        caller = frame.f_back if running is frame else running
        module = module_of(frame)
        if module is None or module.startswith("dorosim.ground.") or module == _module_behind(caller):
            return
        if any(map(self._carries, _arguments(frame) if running is frame else running.f_locals.values())):
            self._entered.append(module)

    def _carries(self, value: Any) -> bool:
        if isinstance(value, _CARRIERS) or any(value is one for one in self.carried):
            return True
        return isinstance(value, Sequence) and not isinstance(value, str | bytes) and any(map(self._carries, value))


def module_of(frame: FrameType) -> str | None:
    """The module of src that a frame belongs to, None for any other one."""
    file = frame.f_code.co_filename
    if file in _CODECS:
        return _CODECS[file]
    if not file.startswith(str(_ROOT)):
        return None
    return ".".join(("dorosim", *Path(file).relative_to(_ROOT).with_suffix("").parts))


def _arguments(frame: FrameType) -> list[Any]:
    """What a function is called with; a method of a carrier only reads it."""
    code = frame.f_code
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    return [frame.f_locals[name] for name in names if name != "self"]


def _module_behind(frame: FrameType | None) -> str | None:
    """The module that a call comes from; what is generated or of a library has none of its own."""
    while frame is not None and module_of(frame) is None and frame.f_code.co_filename != __file__:
        frame = frame.f_back
    return None if frame is None else module_of(frame)


def drive(run: Rig, walk: Walk) -> tuple[Snapshot, bytes]:
    """One tick with a control command, as the endpoint and the loop do it; the snapshot and the status datagram."""
    receiver, publisher = run.endpoint.receiver, run.endpoint.publisher
    datagram = control(accel=0.5, steer=0.25)
    inbox = Inbox()
    walk.carried.append(datagram)
    with walk.watched():
        _, message, _ = receiver.reader.read_limited(datagram, len(datagram))
        for command in dispatch(receiver.commands(message, run.now), lambda answer: None):
            inbox.put(Source.PEER, command)
        after = step(run.built.scene, run.now, commands_of(inbox.take()), Noise(1))
        walk.carried.append(after)
        status = publisher.builder("EgoVehicleStatus")(after)
    return after, status


def test_a_control_command_goes_its_way_through_few_modules_and_none_twice(tmp_path):
    run = rig(tmp_path)
    drive(run, Walk())  # numba, codecs and caches are ready after the first one
    walk = Walk()
    after, status = drive(run, walk)
    told = codec_of(EgoVehicleStatus, DEFAULT_REVISION).decode(status)
    assert after.vehicle.accelerator[0] > 0.0
    assert told.accel == after.vehicle.accelerator[0].astype("f4")
    assert told.steer_angle != 0.0
    modules = walk.modules
    assert modules[0] == "dorosim.wire.udp.datagram"
    assert "dorosim.world.vehicle.kernel" in modules
    assert modules[-1] == "dorosim.wire.udp.status"
    assert len(modules) <= MAX_MODULES, "\n".join(modules)
    assert len(set(modules)) == len(modules)
