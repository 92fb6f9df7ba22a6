"""The next snapshot by compiled code, if the tick is ordinary; `dorosim.world.step` asks here first."""

from __future__ import annotations

import numpy as np

from dorosim.ground.column import IntArray
from dorosim.ground.linked_kernel import OtherLayoutError
from dorosim.world.block import TICK, TIME, InBlock, getter_of, setter_of
from dorosim.world.ordinary.drive_kernel import DRIVE_BLOCK
from dorosim.world.ordinary.frame import TickFrame, Unchanging
from dorosim.world.ordinary.lights import clocks_of, lit
from dorosim.world.ordinary.link_kernel import CONTACT_LINKS, LINKS, MAKE_TICK, MAKE_TICKS
from dorosim.world.ordinary.tick_kernel import make_ordinary_tick
from dorosim.world.ordinary.word import Rare
from dorosim.world.scene import Scene
from dorosim.world.snapshot import Snapshot
from dorosim.world.storyboard.report import NO_REPORT

LOOK_AGAIN = 64
"""Ticks after which it is looked again whether another process has compiled what was missing."""

_LIGHTS = int(Rare.LIGHTS)
_new, _empty = Snapshot.__new__, np.empty
_block_of, _frame_of = getter_of(InBlock, "block"), getter_of(InBlock, "frame")
_put_block, _put_frame = setter_of(InBlock, "block"), setter_of(InBlock, "frame")
_put_tick, _put_time = setter_of(Snapshot, "tick"), setter_of(Snapshot, "time")
_put_paused, _put_report = setter_of(Snapshot, "paused"), setter_of(Snapshot, "storyboard_report")


def ordinary_tick(scene: Scene, now: Snapshot, seed: int) -> Snapshot | None:
    """The snapshot one tick later, bit for bit as `step` makes it without commands; None if `step` has to make it.

    Args:
        scene: what does not change in the run.
        now: the present snapshot; it is not touched.
        seed: of the run's randomness.
    """
    try:
        before, frame = _block_of(now), _frame_of(now)
    except AttributeError:
        found = _entered(scene, now, seed)
        if found is None:
            return None
        before, frame = found
    if frame.scene is not scene or frame.seed != seed:
        return None
    after = _empty(frame.layout.words, np.int64)
    rare = make_ordinary_tick(before, after, frame.words)
    if rare == _LIGHTS:
        before, (frame, due), clocks = before.copy(), lit(frame, before), clocks_of(frame)
        before[clocks] = due
        before.flags.writeable = False  # as all others: the kernel is compiled for such blocks alone
        rare = make_ordinary_tick(before, after, frame.words)
    if rare:
        return None
    after.flags.writeable = False
    return snapshot_of_next(scene, now, frame, after)


def snapshot_of_next(scene: Scene, now: Snapshot, frame: TickFrame, block: IntArray) -> Snapshot:
    """The snapshot of a block to which an ordinary tick writes, or has written; the caller makes that read-only.

    Args:
        scene: what does not change in the run.
        now: the snapshot before the tick.
        frame: of both.
        block: of the snapshot.
    """
    made = _new(Snapshot)
    _put_block(made, block)
    _put_frame(made, frame)
    _put_tick(made, now.tick + 1)
    _put_time(made, now.time + scene.tick)
    # what every loop looks at after each tick, and what no frame has otherwise (`TickFrame.is_for`)
    _put_paused(made, False)
    _put_report(made, NO_REPORT)
    return made


def snapshot_in(frame: TickFrame, block: IntArray) -> Snapshot:
    """The snapshot of a block, read-only from then on."""
    block.flags.writeable = False
    made = _new(Snapshot)
    _put_block(made, block)
    _put_frame(made, frame)
    _put_tick(made, int(block[TICK]))
    _put_time(made, int(block[TIME]))
    return made


def entered(scene: Scene, now: Snapshot, seed: int) -> tuple[IntArray, TickFrame] | None:
    """The block of a snapshot and its frame; None if its next tick cannot be ordinary. Arguments as of ordinary ticks.

    A frame whose kernels were not all there when it was made stays with its snapshots.
    """
    try:
        before, frame = _block_of(now), _frame_of(now)
    except AttributeError:
        return _entered(scene, now, seed)
    return (before, frame) if frame.scene is scene and frame.seed == seed else None


def framed(scene: Scene, now: Snapshot, seed: int) -> tuple[IntArray, TickFrame] | None:
    """Block and frame of a snapshot, though no tick has shown yet that nothing else changes; None where there is none.

    For worlds that go on in compiled code from their beginning. A frame costs as much as twenty ticks.
    """
    found = entered(scene, now, seed)
    if found is not None or not TickFrame.is_for(scene, now, seed):
        return found
    try:
        frame = TickFrame(scene, now, seed)
    except OtherLayoutError:
        return None
    return frame.block_of(now), frame


def keep_frame(now: Snapshot, made: Snapshot) -> None:
    """Let a snapshot that Python has made know the frame of the one before it, or what a frame of that would hold."""
    known = _known(now)
    _put_frame(made, known if isinstance(known, TickFrame) and known.holds(now) else Unchanging(now))


def get_ready() -> None:
    """Compile all kernels of ordinary ticks that have not been; without this, Python makes all ticks until they are."""
    for one in (MAKE_TICK, MAKE_TICKS, DRIVE_BLOCK, *LINKS.values(), *CONTACT_LINKS.values()):
        one.address()


def load() -> None:
    """Load those of the kernels that have been compiled, so that no tick waits for it."""
    if all(one.is_there() for one in (MAKE_TICK, *LINKS.values())):
        for one in (MAKE_TICK, *LINKS.values()):
            one.address()
        if DRIVE_BLOCK.is_there():
            DRIVE_BLOCK.address()


def _known(now: Snapshot) -> TickFrame | Unchanging | None:
    try:
        known: TickFrame | Unchanging = _frame_of(now)
    except AttributeError:
        return None
    return known


def _entered(scene: Scene, now: Snapshot, seed: int) -> tuple[IntArray, TickFrame] | None:
    """Block and frame of a snapshot without a block; None if its next tick cannot be ordinary.

    The first tick of a run is not: starts and rehearsals use those kernels then that a run needs from its start.
    """
    known = _known(now)
    if now.tick == 0 or known is None or not known.holds(now):
        return None
    frame = known if isinstance(known, TickFrame) and known.scene is scene and known.seed == seed else None
    again = now.tick % LOOK_AGAIN == 0
    looks = frame is None or (not frame.is_whole and again)
    if frame is not None and not frame.takes(now):
        # so that kernels which are not there are not looked for in each tick of a contact
        looks = again or frame.is_whole
        frame = None
    if frame is not None:
        frame = frame.told(now)
        if frame is None:
            return None  # the storyboard is not quiet yet
    if looks and TickFrame.is_for(scene, now, seed) and (MAKE_TICK.is_loaded() or _may_load(now)):
        try:
            frame = TickFrame(scene, now, seed)
        except OtherLayoutError:
            return None  # arrays of a scene that is built by hand: Python takes them as they are
        _put_frame(now, frame)  # so that the next snapshot has it, also where this tick turns out to be rare
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
