"""Runs of datagrams of one kind: where many come together, they are read at once, as columns of numbers."""

from __future__ import annotations

import math
import struct
from collections.abc import Collection, Mapping
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.column import FloatArray, IntArray, read_only
from dorosim.wire.codec import Codec, bounds_of, factor_of
from dorosim.wire.run_kernel import READ_RUN, RUN_FLOAT, RUN_SIGNED, RUN_UNSIGNED, read_run

A = TypeVar("A", bound=NDArray[Any])
RUNS_TO_LOOK = 1024
"""Runs after which it is looked again whether another process has compiled the kernel."""
_KINDS = {"f": RUN_FLOAT, **dict.fromkeys("bhi", RUN_SIGNED), **dict.fromkeys("BHI", RUN_UNSIGNED)}


class RunReader:
    """Reads runs of datagrams of one layout, each number as the layout's codec does.

    It passes over none: what a run of good datagrams ends with, the codec has to read or refuse.

    Args:
        codec: the layout's codec.
        codes: of fields, those codes that count as good; where a field is missing, all that it knows.

    Attributes:
        codec: as given. columns: the first column of each field.

    Raises:
        ValueError: the layout has a field that is no number.
    """

    def __init__(self, codec: Codec, codes: Mapping[str, Collection[int]]) -> None:
        self.codec, self._is_ready, self._calls = codec, False, 0
        self.columns: dict[str, int] = {}
        plan: list[tuple[int, ...]] = []
        scale: list[tuple[float, float, float]] = []
        known: list[float] = []
        for one in codec.fields:
            if one.kind != "number" or one.code not in _KINDS:
                raise ValueError(f"{codec.message.__name__} has {one.name}, which is no number")
            self.columns[one.name] = len(plan)
            first = len(known)
            if one.enum is not None:
                wanted = codes.get(one.name)
                known += [float(code.value) for code in one.enum if wanted is None or code.value in wanted]
            low, high = bounds_of(one, codec.steer_sign) or (-math.inf, math.inf)
            size = struct.calcsize(f"<{one.code}")
            for part in range(one.count):
                place = codec.offsets[one.name] + part * size
                plan.append((place, size, _KINDS[one.code], first, len(known)))
                scale.append((factor_of(one, codec.steer_sign), low, high))
        envelope = codec.message.table.envelope
        assert envelope is not None
        checked = envelope.checked
        self._envelope = _frozen(np.array([codec.size, checked.start, codec.size - len(codec.tail)], np.int64))
        self._head = np.frombuffer(codec.head[checked], np.uint8)
        self._tail = np.frombuffer(codec.tail, np.uint8)
        self._plan, self._scale = _frozen(np.array(plan, np.int64)), _frozen(np.array(scale))
        self._codes = _frozen(np.array(known, np.float64))

    def _can_read(self) -> bool:
        """Whether the kernel is there: nothing is compiled while a run goes on."""
        if not self._is_ready:
            self._calls += 1
            self._is_ready = self._calls % RUNS_TO_LOOK == 1 and READ_RUN.is_there()
        return self._is_ready

    def read(self, buffer: NDArray[np.uint8], starts: IntArray, sizes: IntArray) -> FloatArray:
        """The numbers of the good datagrams that a row of them begins with.

        Args:
            buffer: `(bytes,)` in which they are.
            starts: `(N,)` first byte of each.
            sizes: `(N,)` their lengths.

        Returns:
            `(n, columns)` in SI; codes as they are. None are read where the kernel has not been compiled.
        """
        values = np.empty((len(starts) if self._can_read() else 0, len(self._plan)))
        if not len(values):
            return values
        count = read_run(
            read_only(buffer),
            read_only(starts),
            read_only(sizes),
            self._envelope,
            self._head,
            self._tail,
            self._plan,
            self._scale,
            self._codes,
            values,
        )
        return values[:count]


def get_ready() -> None:
    """Compile it, unless it has been."""
    READ_RUN.address()


def _frozen(array: A) -> A:
    array.flags.writeable = False
    return array
