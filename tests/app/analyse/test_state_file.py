"""How differences between snapshots are printed."""

from __future__ import annotations

import numpy as np

from dorosim.app.analyse.state_file import difference_row
from dorosim.world.snapshot_diff import Difference


def test_whole_numbers_are_told_exactly_and_with_their_unit():
    now, then = np.int64(123_456_789_012), np.int64(123_456_789_013)
    cells = difference_row(Difference(0, "time", now, now + 10_000_001, "ns"))
    assert cells == ("", "time", "123456789012", "123466789013", "+10000001", "ns")
    assert difference_row(Difference(4, "traffic.route", then, now))[4] == "-1"


def test_real_numbers_are_rounded_until_they_differ():
    assert difference_row(Difference(4, "traffic.s", np.float64(1.0), np.float64(1.5), "m"))[4:] == ("+0.5", "m")
