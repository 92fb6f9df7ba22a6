"""The next snapshot by compiled code, if the tick is ordinary; `dorosim.world.step` asks here first."""

from __future__ import annotations

import numpy as np

from dorosim.ground.column import IntArray
from dorosim.ground.linked_kernel import KernelLink
from dorosim.world.block import InBlock, getter_of, setter_of
from dorosim.world.ordinary.frame import EgoFrame
from dorosim.world.ordinary.link_kernel import COUNT, INTS, LINKS, NEW_INTS
from dorosim.world.ordinary.tick_kernel import make_ordinary_tick
from dorosim.world.scene import Scene
from dorosim.world.snapshot import Snapshot

MAKE_TICK = KernelLink("dorosim.world.ordinary.tick_kernel", "make_ordinary_tick", (INTS, NEW_INTS, INTS), COUNT)
LOOK_AGAIN = 64
"""Ticks after which it is looked again whether another process has compiled what was missing."""

_new, _empty = Snapshot.__new__, np.empty
_block_of, _frame_of = getter_of(InBlock, "block"), getter_of(InBlock, "frame")
_put_block, _put_frame = setter_of(InBlock, "block"), setter_of(InBlock, "frame")
_put_tick, _put_time = setter_of(Snapshot, "tick"), setter_of(Snapshot, "time")


def ordinary_tick(scene: Scene, now: Snapshot) -> Snapshot | None:
    """The snapshot one tick later, bit for bit as `step` makes it without commands; None if `step` has to make it.

    Args:
        scene: what does not change in the run.
        now: the present snapshot; it is not touched.
    """
    try:
        before, frame = _block_of(now), _frame_of(now)
    except AttributeError:
        found = _entered(scene, now)
        if found is None:
            return None
        before, frame = found
    if frame.scene is not scene:
        return None
    after = _empty(frame.layout.words, np.int64)
    if make_ordinary_tick(before, after, frame.words):
        return None
    after.flags.writeable = False
    made = _new(Snapshot)
    _put_block(made, after)
    _put_frame(made, frame)
    _put_tick(made, now.tick + 1)
    _put_time(made, now.time + scene.tick)
    return made


def keep_frame(now: Snapshot, made: Snapshot) -> None:
    """Let a snapshot that Python has made know the frame of the one before it, which may hold for it as well."""
    frame = _frame_or_none(now)
    if frame is not None:
        _put_frame(made, frame)


def get_ready() -> None:
    """Compile all kernels of ordinary ticks that have not been; without this, Python makes all ticks until they are."""
    for one in (MAKE_TICK, *LINKS):
        one.address()


def load() -> None:
    """Load those of the kernels that have been compiled, so that no tick waits for it."""
    if all(one.is_there() for one in (MAKE_TICK, *LINKS)):
        get_ready()


def _frame_or_none(now: Snapshot) -> EgoFrame | None:
    try:
        frame: EgoFrame = _frame_of(now)
    except AttributeError:
        return None
    return frame


def _entered(scene: Scene, now: Snapshot) -> tuple[IntArray, EgoFrame] | None:
    """Block and frame of a snapshot without a block; None if its next tick cannot be ordinary.

    The first tick of a run is not: starts and rehearsals use those kernels then that a run needs from its start.
    """
    if now.tick == 0:
        return None
    frame = _frame_or_none(now)
    if frame is not None and frame.scene is scene and frame.holds(now):
        looks = not frame.is_whole and now.tick % LOOK_AGAIN == 0
    else:
        frame, looks = None, True
    if looks and EgoFrame.is_for(scene, now) and (MAKE_TICK.is_loaded() or _may_load(now)):
        frame = EgoFrame(scene, now)
    return None if frame is None else (frame.block_of(now), frame)


_missed: list[int] = []
"""One number after the kernel was not there: it is then looked for in some ticks only."""


def _may_load(now: Snapshot) -> bool:
    """Whether the kernel has been compiled by now."""
    if _missed and now.tick % LOOK_AGAIN:
        return False
    if not MAKE_TICK.is_there():
        _missed.append(now.tick)
        return False
    _missed.clear()
    MAKE_TICK.address()
    return True
