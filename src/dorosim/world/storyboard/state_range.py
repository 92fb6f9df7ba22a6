"""Which whole numbers the tables of a storyboard's lights, animations and controls can have."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from dorosim.world.storyboard.control_state import LampMode, RoadWetness


def _texts(_: Any, now: Any) -> int:
    return len(now.storyboard.text_first) - 1


def _entities(_: Any, now: Any) -> int:
    rows: int = now.storyboard.entity.rows
    return rows


CONTROL_RANGES: Mapping[str, tuple[int, Callable[[Any, Any], int]]] = {
    "storyboard.light.entity": (0, _entities),
    "storyboard.light.kind": (0, _texts),
    "storyboard.light.colour": (0, _texts),
    "storyboard.light.mode": (0, lambda _, __: len(LampMode)),
    "storyboard.animation.entity": (0, _entities),
    "storyboard.animation.kind": (0, _texts),
    "storyboard.control.trailer": (-1, _entities),
    "storyboard.control.tractor": (-1, _entities),
    "storyboard.control.blind": (-1, _texts),
    "storyboard.environment.wetness": (-1, lambda _, __: len(RoadWetness)),
}
"""Columns that are places in something else or codes: the lowest number, and the first one beyond."""
