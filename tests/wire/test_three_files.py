"""A new message costs three files: the example of CONTRIBUTING.md, played from its own text."""

from __future__ import annotations

import struct
import textwrap
from pathlib import Path

import pytest

from dorosim.ground.unit import RATIO
from dorosim.wire.error import WireError
from dorosim.wire.message import Envelope, Layout, Wire, f32, message, stamp
from dorosim.wire.udp import datagram
from dorosim.wire.udp.datagram import DatagramReader
from dorosim.wire.udp.revision import DEFAULT_REVISION
from tests.packet import envelope

PAGE = Path(__file__).parents[2] / "CONTRIBUTING.md"


def code_that_starts_with(start: str) -> str:
    """The indented code block of the page that begins so."""
    lines = PAGE.read_text().splitlines()
    first = next(i for i, line in enumerate(lines) if line.startswith(f"    {start}"))
    last = next(i for i in range(first, len(lines)) if lines[i] and not lines[i].startswith("    "))
    return textwrap.dedent("\n".join(lines[first:last]))


def test_the_example_of_the_page_works(monkeypatch):
    names = {name: value for name, value in globals().items() if not name.startswith("__")}
    names |= {"Wire": Wire, "f32": f32, "message": message, "stamp": stamp, "struct": struct, "RATIO": RATIO}
    names["__name__"] = __name__
    exec(code_that_starts_with("@message("), names)
    kind = names["RoadFriction"]
    monkeypatch.setattr(datagram, "CATALOGUE", (*datagram.CATALOGUE, kind))
    exec(code_that_starts_with("def test_road_friction"), names)
    names["test_road_friction"]()
    data = envelope("RoadFriction", struct.pack("<iif", 12, 34, 0.5))
    with pytest.raises(WireError, match="ends with 0d 78"):
        DatagramReader(DEFAULT_REVISION, "user").read(data[:-1] + b"x", len(data))


def test_a_table_that_does_not_add_up_is_refused():
    @message(Envelope("Wrong"), to="user", source="none", layouts=(Layout(99),))
    class Wrong(Wire):
        """Too short."""

        friction: float = f32(RATIO, "a number")

    from dorosim.wire.codec import compile_codec

    with pytest.raises(ValueError, match="makes 29 bytes, its layout says 99"):
        compile_codec(Wrong, Layout(99))
