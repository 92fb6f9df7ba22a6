"""Plans of status messages: which numbers of a state stand where in their datagrams, from the message tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from dorosim.bridge.udp import status_kernel as k
from dorosim.bridge.udp.status_source import Elapsed, LaneValue, Stamp, StatusSource, Vehicle
from dorosim.ground.column import FloatArray, IntArray, read_only
from dorosim.ground.linked_kernel import describe
from dorosim.road.network import RoadNetwork
from dorosim.wire.codec import Codec, factor_of
from dorosim.world.block import BlockLayout
from dorosim.world.ordinary import link_kernel as kind
from dorosim.world.signal.state import ControllerState


class PlannedStatus(NamedTuple):
    """A status message that a plan writes.

    Attributes:
        start: of its datagram in the buffer [bytes]. codec, source: of the message. ego: which of `egos` it is about.
        controller: row of the intersection that it reports, and the duration of its state [ns]; None where it reports
            none, or one without a programme.
    """

    start: int
    codec: Codec
    source: StatusSource
    ego: int
    controller: tuple[int, int] | None


class StatusPlan:
    """A plan, as `status_kernel.write_statuses` takes it.

    Args:
        network: the map.
        layout: of the blocks of a state, for the places of its tables.
        statuses: what is written.
        egos: row of each ego vehicle that they are about, and the link under it.
        state: floats and ints of the vehicles, and ints of the controllers, as they are now: what is watched must stay.

    Attributes:
        words, scale: of the plan, read-only.
    """

    def __init__(
        self,
        network: RoadNetwork,
        layout: BlockLayout,
        statuses: Sequence[PlannedStatus],
        egos: Sequence[tuple[int, int]],
        state: tuple[FloatArray, IntArray, IntArray],
    ) -> None:
        self._vehicles, self._state = state[0].shape[1], state
        self._clocks = ControllerState.at.state * state[2].shape[1], ControllerState.at.remaining * state[2].shape[1]
        self._watched = dict.fromkeys(one for status in statuses for one in self._watch(status, egos))
        self._elapsed: list[tuple[int, int]] = []
        self._stamps: list[tuple[int]] = []
        self._fields: list[tuple[int, int]] = []
        scale: list[float] = []
        for status in statuses:
            scale += self._place_fields(status, egos)
        table = layout.table["vehicle"]
        self._block = (table.floats, table.ints, layout.table["signal.controller"].ints)
        self._words = self._joined(egos, describe(kind.SURFACE, network.surface), describe(k.ARC, network.lines.arc))
        self.scale = np.array(scale)
        self.scale.flags.writeable = False
        self._kept = network  # its arrays are read by their addresses
        if network.link_count:
            self._words[k.PLAN_LOCATE] = k.LOCATE_POINTS.address()
            self._words[k.PLAN_LEFT_AT], self._words[k.PLAN_RIGHT_AT] = (
                network.left_width.ctypes.data,
                network.right_width.ctypes.data,
            )
            self._words[k.PLAN_POINTS] = len(network.lines.arc)
        self._words[k.PLAN_ROWS], self._words[k.PLAN_CONTROLLERS] = self._vehicles, state[2].shape[1]
        self.words = read_only(self._words)
        self.put_block()

    def put_block(self) -> None:
        """Let the plan read a state in a block."""
        self._words[k.PLAN_BY_ADDRESS] = 0
        self._words[k.PLAN_FLOATS], self._words[k.PLAN_INTS], self._words[k.PLAN_CLOCKS] = self._block

    def put_tables(self, floats: FloatArray, ints: IntArray, clocks: IntArray) -> None:
        """Let the plan read tables of their own; they are kept by the caller while it is read."""
        self._words[k.PLAN_BY_ADDRESS] = 1
        self._words[k.PLAN_FLOATS], self._words[k.PLAN_INTS] = floats.ctypes.data, ints.ctypes.data
        self._words[k.PLAN_CLOCKS] = clocks.ctypes.data

    def _watch(self, status: PlannedStatus, egos: Sequence[tuple[int, int]]) -> list[tuple[int, int, int]]:
        """Rows of what a message takes for fixed, with the bits that it has."""
        row, count = egos[status.ego][0], self._vehicles
        floats, ints = self._state[0].reshape(-1).view(np.int64), self._state[1].reshape(-1)
        found = [(0, at, int(floats[at])) for at in (one * count + row for one in status.source.floats)]
        found += [(1, at, int(ints[at])) for at in (one * count + row for one in status.source.ints)]
        if status.controller is not None:
            at = self._clocks[0] + status.controller[0]
            found.append((2, at, int(self._state[2].reshape(-1)[at])))
        return found

    def _place_fields(self, status: PlannedStatus, egos: Sequence[tuple[int, int]]) -> list[float]:
        """Add the rows of what changes in a message; returns the scales of its numbers."""
        scale: list[float] = []
        for one in status.codec.fields:
            source, place = status.source.fields[one.name], status.start + status.codec.offsets[one.name]
            # multiplied by as single messages are, so that the bytes are the same
            factor = 1.0 / factor_of(one, status.codec.steer_sign) if one.kind == "number" else 1.0
            if source is Stamp:
                self._stamps.append((place,))
            elif source is Elapsed and status.controller is not None:
                row, duration = status.controller
                self._fields.append((-1 - k.LANE_VALUES * len(egos) - len(self._elapsed), place))
                self._elapsed.append((self._clocks[1] + row, duration))
                scale.append(factor)
            elif isinstance(source, Vehicle):
                first = source.column * self._vehicles + egos[status.ego][0]
                self._fields += [(first + i * self._vehicles, place + 4 * i) for i in range(one.count)]
                scale += [factor] * one.count
            elif isinstance(source, LaneValue):
                self._fields.append((-1 - k.LANE_VALUES * status.ego - source.number, place))
                scale.append(source.sign * factor)
        return scale

    def _joined(self, egos: Sequence[tuple[int, int]], surface: list[int], arc: list[int]) -> IntArray:
        """Header, rows and descriptions of arrays, one after another."""
        sections: list[tuple[int, Sequence[tuple[Any, ...]]]] = [
            (k.PLAN_WATCHED, tuple(self._watched)),
            (k.PLAN_EGOS, egos),
            (k.PLAN_ELAPSED, self._elapsed),
            (k.PLAN_STAMPS, self._stamps),
            (k.PLAN_FIELDS, self._fields),
        ]
        rows: list[int] = []
        begins = {}
        for word, section in sections:
            begins[word] = k.PLAN_HEADER + len(rows)
            rows += [number for row in section for number in row]
        words = np.zeros(k.PLAN_HEADER + len(rows) + len(surface) + len(arc), np.int64)
        end = k.PLAN_HEADER + len(rows)
        for word, begin in begins.items():
            words[word] = begin
        words[k.PLAN_END] = end
        words[k.PLAN_HEADER : end] = rows
        words[end : end + len(surface)], words[end + len(surface) :] = surface, arc
        here = words.ctypes.data
        words[k.PLAN_SURFACE_AT], words[k.PLAN_ARC_AT] = here + 8 * end, here + 8 * (end + len(surface))
        return words


def is_planned(codec: Codec, source: StatusSource) -> bool:
    """Whether the row of a message names each of its fields, and each number that changes is one that plans write."""
    for one in codec.fields:
        found = source.fields.get(one.name)
        if found is None:
            return False
        if (found is Elapsed or isinstance(found, Vehicle | LaneValue)) and (one.kind != "number" or one.code != "f"):
            return False
        if found is Stamp and one.kind != "stamp":
            return False
    return True
