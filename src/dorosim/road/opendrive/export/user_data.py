"""`<userData>` of a file: what only dorosim has to know, and other programs pass over (ASAM OpenDRIVE 1.8, 7.2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dorosim.road.opendrive.export.element_writer import add

UserData = Mapping[tuple[str, ...], Mapping[str, str]]
"""By what it belongs to, ("lane", road, section, lane), ("signal", id) or ("controller", id): code to value."""


def add_user_data(node: Any, data: Mapping[str, str] | None) -> None:
    """Add `<userData>` to an element."""
    for code, value in (data or {}).items():
        add(node, "userData", code=code, value=value)
