"""Nodes, ways and relations of an OSM file, with what messages about them need.

Tags keep the words of the file; what they mean is in `dorosim.road.lanelet2.rule` and the conversions.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from dorosim.ground.error import InputError

MAX_NUMBER = 1e8
"""A coordinate beyond this is on no map [m]."""

_MAX_SHOWN = 40


class OsmNode(NamedTuple):
    """A point.

    Attributes:
        id: of the file. line: where it is in the file.
        latitude, longitude: NaN where the file has none [deg].
        height: 0 where the file has none [m].
        x, y: tags local_x and local_y, NaN where the file has none [m].
        tags: all others.
    """

    id: int
    line: int
    latitude: float
    longitude: float
    height: float
    x: float
    y: float
    tags: Mapping[str, str]


class OsmWay(NamedTuple):
    """A line or, with the tag "area", a polygon over nodes."""

    id: int
    line: int
    tags: Mapping[str, str]
    nodes: tuple[int, ...]


class OsmMember(NamedTuple):
    """What a relation names: "node", "way" or "relation", its id, and its role."""

    kind: str
    id: int
    role: str


class OsmRelation(NamedTuple):
    """A lanelet, an area or a regulatory element, by its tag "type"."""

    id: int
    line: int
    tags: Mapping[str, str]
    members: tuple[OsmMember, ...]

    def ids(self, role: str, kind: str = "way") -> list[int]:
        """What it names in a role, of one kind."""
        return [one.id for one in self.members if one.role == role and one.kind == kind]


@dataclass(frozen=True, slots=True)
class OsmFile:
    """A file.

    Attributes:
        source: as messages name it.
        nodes, ways, relations: by id, in the order of the file.
        meta: attributes of Autoware's element <MetaInfo>.
        unsupported: elements that are not read, by name.
    """

    source: str
    nodes: Mapping[int, OsmNode]
    ways: Mapping[int, OsmWay]
    relations: Mapping[int, OsmRelation]
    meta: Mapping[str, str]
    unsupported: Mapping[str, int]

    def refuse(self, one: OsmNode | OsmWay | OsmRelation, where: str, problem: str, cure: str) -> InputError:
        """The error that names line, element and, in `where`, what of it is meant."""
        kind = {OsmNode: "node", OsmWay: "way", OsmRelation: "relation"}[type(one)]
        parts = [f"line {one.line}", f"{kind} {one.id}", where]
        return InputError(self.source, ", ".join(part for part in parts if part), problem, cure)


def shown(text: str) -> str:
    """A wrong value, short enough for a message of one line."""
    return repr(text if len(text) <= _MAX_SHOWN else f"{text[: _MAX_SHOWN - 3]}...")


def number_from(text: str | None) -> float:
    """A finite number, NaN for an empty text or none.

    Raises:
        ValueError: it is not a number, or beyond any map.
    """
    if text is None or not text.strip():
        return math.nan
    if abs(number := float(text)) <= MAX_NUMBER:  # not for NaN
        return number
    raise ValueError
