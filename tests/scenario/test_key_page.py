"""The page on scenarios lists keys that the reader knows, with the defaults that count."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from dorosim.scenario.morai.record import (
    EgoRecord,
    InitPosition,
    Obstacle,
    Pedestrian,
    Record,
    Rotation,
    Vector,
    Vehicle,
)

PAGE = (Path(__file__).parents[2] / "docs" / "how-to" / "scenario.md").read_text(encoding="utf-8")
TABLE = PAGE[PAGE.index("### Keys that count") :].split("\n- **", 1)[0]
LISTS: dict[str, type[Record]] = {
    "egoVehicle": EgoRecord, "vehicleList": Vehicle, "pedestrianList": Pedestrian, "objectList": Obstacle,
}  # fmt: skip


def words(cell: str) -> list[str]:
    return [word.strip().strip("`") for word in cell.split(",")]


ROWS = [
    (one, key, cells[4].strip())
    for cells in (line.split("|") for line in TABLE.splitlines() if line.startswith("| ") and "`" in line)
    for one in (LISTS if cells[1].strip() == "all" else words(cells[1]))
    for key in words(cells[2])
]


def default_of(record: type[Record], key: str) -> Any:
    """Of a key that the record has; NODEFAULT for one that is needed."""
    head, _, rest = key.partition(".")
    if rest:
        assert head == "initPosition"
        assert default_of(record, head) is msgspec.NODEFAULT
        return default_of(InitPosition, rest)
    (found,) = (field for field in msgspec.structs.fields(record) if field.encode_name == head)
    return found.default


def test_all_lists_are_told_of():
    assert {one for one, _, _ in ROWS} == set(LISTS)
    assert len(ROWS) > 40


@pytest.mark.parametrize(("name", "key", "told"), ROWS)
def test_a_key_of_the_page_is_known_and_has_its_default(name, key, told):
    default = default_of(LISTS[name], key)
    if key == "UNIQUEID":
        assert told == "0; -1 for `egoVehicle`"
        assert default == (-1 if name == "egoVehicle" else 0)
    elif key == "modelName":
        assert default is None
    elif not told:
        assert default is msgspec.NODEFAULT
    elif isinstance(default, Rotation):
        assert (told, default) == ("0", Rotation())
    elif isinstance(default, Vector):
        assert {str(default.x), str(default.y), str(default.z)} == {f"{float(told)}"}
    elif told == "none":
        assert not default.link
    elif isinstance(default, bool):
        assert told == str(default).lower()
    else:
        assert float(told) == default
