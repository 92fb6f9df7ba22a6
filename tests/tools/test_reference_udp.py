"""The UDP page tells of what stands in no message's own table."""

from __future__ import annotations

import re

from dorosim.road.signal import Lamp
from dorosim.wire.message import BINARY_HEAD, BinaryEnvelope
from dorosim.wire.udp.ground_vehicle import GroundVehicleStateCtrlCmd
from tools.reference.page import page_of

PAGE = page_of("udp-messages.md")


def rows_of(section: str) -> list[list[str]]:
    text = PAGE.split(f"## {section}\n")[1].split("\n##")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line.startswith("|")]
    return rows[2:]


def test_every_lamp_has_its_code_and_sums_are_those_of_their_lamps():
    told = {int(code): meaning for code, meaning in rows_of("Codes of traffic lights")}
    assert set(map(int, Lamp)) <= set(told)
    assert -1 in told
    for code in (5, 20, 36, 48):  # facts/udp-wire.md, 3.5
        parts = told[code].split(" and ")
        assert sum(Lamp[part.upper()] for part in parts) == code


def test_the_binary_header_is_the_one_that_is_sent():
    rows = rows_of("Binary header")
    assert [name for name, _ in BINARY_HEAD] == [row[1].strip("`") for row in rows]
    # offsets as the document gives them, by way of facts/udp-wire.md, 3.12
    assert [int(row[0]) for row in rows] == [0, 4, 8, 12, 13, 15, 19, 23, 27, 31, 32]
    assert BinaryEnvelope(66).head(8) == bytes(4) + b"\x42\0\0\0" + bytes(25)
    assert len(BinaryEnvelope(66).head(8)) == 33
    offsets = re.search(r"### GroundVehicleStateCtrlCmd.*?\n\| (\d+) \|", PAGE, re.DOTALL)
    assert offsets is not None
    assert int(offsets[1]) == 33
    assert GroundVehicleStateCtrlCmd.table.layouts[0].size == 41
