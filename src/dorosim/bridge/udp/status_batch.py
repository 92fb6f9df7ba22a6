"""The status messages of a snapshot at once: in compiled code where that knows them, the others one by one."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from dorosim.bridge.surroundings import MAX_LANE_DISTANCE, EgoSurroundings, LightFinder
from dorosim.bridge.udp.status_kernel import CHANGED, LOCATE_POINTS, WRITE_STATUSES, WRITTEN, write_statuses
from dorosim.bridge.udp.status_plan import PlannedStatus, StatusPlan, is_planned
from dorosim.bridge.udp.status_source import STATUS_SOURCES
from dorosim.ground.column import IntArray
from dorosim.wire.codec import Codec
from dorosim.world.block import InBlock, getter_of
from dorosim.world.ordinary.frame import TickFrame
from dorosim.world.ordinary.kept import has_contacts
from dorosim.world.ordinary.tick import LOOK_AGAIN
from dorosim.world.scene import Scene
from dorosim.world.snapshot import Snapshot

_block_of, _frame_of = getter_of(InBlock, "block"), getter_of(InBlock, "frame")
_NO_BLOCK = np.zeros(0, np.int64)
_NO_BLOCK.flags.writeable = False
_IN_ORDER = sys.byteorder == "little"


class StatusMessage(NamedTuple):
    """A status message of a batch.

    Attributes:
        name: of it in `STATUS`. ego: number of the ego vehicle that it is about, from 1. codec: by which it is sent.
        build: makes its datagram of any snapshot; empty where there is no such ego vehicle.
    """

    name: str
    ego: int
    codec: Codec
    build: Callable[[Snapshot], bytes]


class StatusBatch:
    """Makes the same datagrams as the builders of single messages (`dorosim.bridge.udp.publish.Publisher.builder`).

    Most of their bytes stay for many ticks. So all are made by the builders once, and then only what changes is
    written, as long as nothing else does.

    Args:
        scene: map and models.
        lights, surroundings: of the publisher.
        messages: in the order of the datagrams.

    Attributes:
        places: first byte of each datagram in `out`, and the byte after its last.
        out: `(bytes,)` the datagrams of the last snapshot, one after another.
    """

    def __init__(
        self, scene: Scene, lights: LightFinder, surroundings: EgoSurroundings, messages: Sequence[StatusMessage]
    ) -> None:
        self._scene, self._lights, self._surroundings = scene, lights, surroundings
        self._messages = tuple(messages)
        self.places: list[tuple[int, int]] = []
        end = 0
        for one in messages:
            self.places.append((end, end + one.codec.size))
            end += one.codec.size
        self.out = np.zeros(end, np.uint8)
        self._frame: TickFrame | None = None
        self._plan: StatusPlan | None = None
        self._alone: list[tuple[slice, Callable[[Snapshot], bytes]]] = []
        self._ready, self._looked = False, -LOOK_AGAIN

    def make(self, now: Snapshot, epoch: int) -> bool:
        """Write the datagrams of a snapshot to `out`.

        Args:
            now: the snapshot.
            epoch: wall time of simulated time 0 [ns since 1970].

        Returns:
            False where the builders have to make them: there are no compiled kernels, one of the ego vehicles is not
            there, a number fits nowhere, or what happens is too rare for compiled ticks.

        Raises:
            WireError: a value of a message does not fit.
        """
        try:
            frame = _frame_of(now)
        except AttributeError:
            return False
        try:
            block = _block_of(now)
            if has_contacts(block):
                return False
        except AttributeError:
            # made in Python; compiled ticks have a frame for it if nothing rare has happened
            if not isinstance(frame, TickFrame) or now.contact.rows or not frame.holds(now):
                return False
            block = _NO_BLOCK
        if frame is not self._frame and not self._begin(frame, now):
            return False
        done = self._write(now, block, epoch)
        if done == CHANGED:
            done = self._write(now, block, epoch) if self._begin(frame, now) else CHANGED
        if done != WRITTEN:
            return False
        for place, build in self._alone:
            self.out[place] = np.frombuffer(build(now), np.uint8)
        return True

    def plan_of(self, frame: object) -> StatusPlan | None:
        """The plan by which all messages of the snapshots of a frame are written; None where there is none."""
        return self._plan if frame is self._frame and not self._alone else None

    def _write(self, now: Snapshot, block: IntArray, epoch: int) -> int:
        plan = self._plan
        assert plan is not None
        if block is _NO_BLOCK:
            plan.put_tables(now.vehicle.floats, now.vehicle.ints, now.signal.controller.ints)
            done = write_statuses(block, plan.words, plan.scale, epoch + now.time, MAX_LANE_DISTANCE, self.out)
            plan.put_block()
            return done
        return write_statuses(block, plan.words, plan.scale, epoch + now.time, MAX_LANE_DISTANCE, self.out)

    def _begin(self, frame: TickFrame, now: Snapshot) -> bool:
        """Make all datagrams by their builders, and a plan of what changes; returns whether that can be done."""
        self._frame = self._plan = None
        if not self._is_ready(now.tick) or frame.scene is not self._scene:
            return False
        planned: list[PlannedStatus] = []
        self._alone = []
        egos = sorted({one.ego for one in self._messages})
        if egos and egos[-1] > len(now.egos):
            return False
        lanes = [self._surroundings.at(now, now.egos[ego - 1]).lane for ego in egos]
        for one, (start, end) in zip(self._messages, self.places, strict=True):
            self.out[start:end] = np.frombuffer(one.build(now), np.uint8)
            source = STATUS_SOURCES.get(one.name)
            ego = egos.index(one.ego)
            if source is None or not is_planned(one.codec, source) or not source.needs(now, self._lights, lanes[ego]):
                self._alone.append((slice(start, end), one.build))
                continue
            planned.append(PlannedStatus(start, one.codec, source, ego, self._controller(now, now.egos[one.ego - 1])))
        rows = [(ego - 1, lane.link) for ego, lane in zip(egos, lanes, strict=True)]
        state = (now.vehicle.floats, now.vehicle.ints, now.signal.controller.ints)
        self._plan = StatusPlan(self._scene.network, frame.layout, planned, rows, state)
        self._frame = frame
        return True

    def _controller(self, now: Snapshot, ego: int) -> tuple[int, int] | None:
        """Row of the intersection that is reported for an ego vehicle, and the duration of its state [ns]."""
        row = self._lights.controller_of(self._surroundings.at(now, ego).light, now, ego)
        programme = now.signal.programme
        if row < 0 or not programme.count[row]:
            return None
        return row, int(programme.duration[row, now.signal.state[row]])

    def _is_ready(self, tick: int) -> bool:
        """Whether the kernels are there: nothing is compiled while a run goes on."""
        if not self._ready and not 0 <= tick - self._looked < LOOK_AGAIN:
            self._looked = tick
            self._ready = _IN_ORDER and WRITE_STATUSES.is_there() and LOCATE_POINTS.is_there()
        return self._ready


def get_ready() -> None:
    """Compile what batches need, unless it has been."""
    for one in (LOCATE_POINTS, WRITE_STATUSES):
        one.address()
