"""Datagrams that are read at once have the numbers that their codec reads, up to the first that is not good."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dorosim.wire.codec import Codec, compile_codec
from dorosim.wire.error import WireError
from dorosim.wire.run import RunReader, get_ready
from dorosim.wire.run_kernel import read_run
from dorosim.wire.udp.catalogue import CATALOGUE
from dorosim.wire.udp.control import EgoCtrlCmd, LampControl, TrajectoryTrackingCmd
from tests.packet import control
from tests.wire.strategy import messages

STEP = 700


@pytest.fixture(scope="module", autouse=True)
def kernel():
    get_ready()


def numbers_only() -> list[object]:
    """The layouts of which all fields are numbers."""
    return [
        pytest.param(compile_codec(kind, layout, -1.0), id=f"{kind.__name__} of {layout.size} bytes")
        for kind in CATALOGUE
        for layout in kind.table.layouts
        if all(one.kind == "number" and one.code in "fbhiBHI" for one in kind.table.fields_of(layout))
    ]


def read(reader: RunReader, datagrams: list[bytes]) -> np.ndarray:
    buffer = np.zeros(STEP * len(datagrams) + 1, np.uint8)
    for number, data in enumerate(datagrams):
        buffer[STEP * number : STEP * number + len(data)] = np.frombuffer(data, np.uint8)
    starts = STEP * np.arange(len(datagrams))
    return reader.read(buffer, starts, np.array([len(data) for data in datagrams], np.int64))


def row_of(codec: Codec, data: bytes) -> list[float] | None:
    """The numbers of a datagram as its codec reads them; None if it is not good."""
    try:
        message = codec.decode(data)
    except WireError:
        return None
    if not codec.in_range(message):
        return None
    row: list[float] = []
    for field in codec.fields:
        value = getattr(message, field.name)
        row += map(float, value) if field.vector else [float(value)]
    return row


@pytest.mark.parametrize("codec", numbers_only())
@settings(max_examples=25, deadline=None)
@given(st.data())
def test_all_layouts_of_numbers_are_read_as_by_their_codecs(codec, data):
    reader = RunReader(codec, {})
    found = [codec.encode(data.draw(messages(codec))) for _ in range(data.draw(st.integers(0, 4)))]
    for _ in range(data.draw(st.integers(0, 2)) if found else 0):
        which = data.draw(st.integers(0, len(found) - 1))
        broken = bytearray(found[which])
        broken[data.draw(st.integers(0, len(broken) - 1))] = data.draw(st.integers(0, 255))
        found[which] = bytes(broken)
    wanted: list[list[float]] = []
    for one in found:
        row = row_of(codec, one)
        if row is None:
            break
        wanted.append(row)
    assert read(reader, found).tolist() == wanted


def test_a_run_ends_with_another_size_and_with_a_code_that_does_not_count():
    codec = compile_codec(EgoCtrlCmd, EgoCtrlCmd.table.layouts[1], 1.0)
    good = control(accel=0.5)
    assert len(read(RunReader(codec, {}), [good, good, good[:-1], good])) == 2
    assert len(read(RunReader(codec, {"ctrl_mode": {2}}), [good, control(mode=1), good])) == 1
    assert len(read(RunReader(codec, {}), [])) == 0


def test_fields_that_are_no_numbers_are_refused():
    with pytest.raises(ValueError, match="TrajectoryTrackingCmd"):
        RunReader(compile_codec(TrajectoryTrackingCmd, TrajectoryTrackingCmd.table.layouts[0], 1.0), {})


def test_the_columns_are_those_of_the_fields():
    reader = RunReader(compile_codec(LampControl, LampControl.table.layouts[0], 1.0), {})
    assert reader.columns == {"turn_signal": 0, "emergency_signal": 1}


def test_the_kernel_is_compiled_once():
    assert len(read_run.signatures) == 1
