"""Fragments of long rosbridge messages that never become whole."""

from __future__ import annotations

import pytest

from dorosim.wire.error import RosError
from dorosim.wire.ros.fragment import MAX_OPEN_MESSAGES, RosbridgeFragments


def _part(name: str, number: int = 0, total: int = 2, data: str = "x") -> dict[str, object]:
    return {"op": "fragment", "id": name, "num": number, "total": total, "data": data}


def test_few_messages_wait_and_the_oldest_goes() -> None:
    fragments = RosbridgeFragments(1 << 20)
    for number in range(MAX_OPEN_MESSAGES):
        assert fragments.add(_part(str(number))) is None
    with pytest.raises(RosError, match="100 messages"):
        fragments.add(_part("new"))
    assert fragments.add(_part("1", 1, data="y")) == "xy"
    assert fragments.add(_part("new", 1, data="y")) == "xy"
    assert fragments.add(_part("0", 1, data="y")) is None, "it was the oldest"


def test_the_letters_that_wait_stay_below_the_limit() -> None:
    fragments = RosbridgeFragments(10_000)
    for number in range(40):
        fragments.add(_part(str(number), data="x" * 100))
    with pytest.raises(RosError, match="10,000 letters"):
        fragments.add(_part("long", data="x" * 9_000))
    assert fragments.add(_part("long", 1, data="y")) == "x" * 9_000 + "y"
    for number in range(40):  # what was whole or dropped counts no longer
        assert fragments.add(_part(f"{number} again", data="x" * 100)) is None
