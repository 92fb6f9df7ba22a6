"""An OpenDRIVE file, 1.4 to 1.8, from its bytes."""

from __future__ import annotations

from collections import Counter
from typing import Any

from dorosim.ground.error import InputError
from dorosim.road.opendrive.document import root_of_document
from dorosim.road.opendrive.element import OdrElement
from dorosim.road.opendrive.junction_reader import junction_from_element
from dorosim.road.opendrive.record import GeoOffset, OdrHeader, OdrRoad, OpenDriveMap
from dorosim.road.opendrive.road_reader import road_from_element
from dorosim.road.opendrive.signal_reader import controller_from_element
from dorosim.road.opendrive.supported import PRIVATE, SUPPORTED
from dorosim.road.opendrive.version import MAX_GEOMETRIES, MAX_SECTIONS, MAX_SIGNALS

_NEWEST_MINOR = 8


def read_opendrive(source: str, content: bytes) -> OpenDriveMap:
    """Read an OpenDRIVE file of 1.4 to 1.8.

    Args:
        source: the file, as messages name it.
        content: its bytes.

    Returns:
        The map; `unsupported` counts what is not read, `notices` says what was left out or mended.

    Raises:
        InputError: the bytes are not XML or not OpenDRIVE, an attribute that has to be there is missing, or a value is
            not a finite number, not a word that the standard knows, or out of bounds; with line, road and attribute.
    """
    root = root_of_document(source, content)
    notices: list[str] = []
    header = _header(root, notices)
    roads = tuple(road_from_element(one, notices) for one in root.children("road"))
    junctions = tuple(junction_from_element(one, notices) for one in root.children("junction"))
    controllers = tuple(controller_from_element(one) for one in root.children("controller"))
    _refuse_large(source, roads)
    if not roads:
        raise InputError(source, "", "the file has no road", "check which file this is")
    for kind, ids in (("road", [one.id for one in roads]), ("junction", [one.id for one in junctions])):
        twice = [name for name, count in Counter(ids).items() if count > 1]
        if twice:
            raise InputError(source, f"{kind} {twice[0]}", f"two {kind}s have this id", "give each an id of its own")
    return OpenDriveMap(
        source=source,
        header=header,
        roads=roads,
        junctions=junctions,
        controllers=controllers,
        unsupported=_unsupported(root.node),
        notices=tuple(notices),
    )


def _refuse_large(source: str, roads: tuple[OdrRoad, ...]) -> None:
    """Refuse a file that would take too long.

    Raises:
        InputError: it has more of something than any map of its size.
    """
    for name, most, count in (
        ("lane sections", MAX_SECTIONS, sum(len(road.lane_sections) for road in roads)),
        ("geometries", MAX_GEOMETRIES, sum(len(road.geometries) for road in roads)),
        ("signals", MAX_SIGNALS, sum(len(road.signals) + len(road.signal_references) for road in roads)),
    ):
        if count > most:
            raise InputError(source, "", f"has {count} {name}, and {most} are the most", "split the map")


def _header(root: OdrElement, notices: list[str]) -> OdrHeader:
    """The header; a file without one is read as one of the newest version."""
    one = root.child("header")
    if one is None:
        notices.append(f"{root.source}: has no <header>; read as OpenDRIVE 1.{_NEWEST_MINOR}")
        return OdrHeader(rev_major=1, rev_minor=_NEWEST_MINOR)
    reference = one.child("geoReference")
    offset = one.child("offset")
    header = one.record(
        OdrHeader,
        geo_reference="" if reference is None else "".join(reference.node.itertext()).strip(),
        offset=None if offset is None else offset.record(GeoOffset),
        user_data=one.user_data(),
    )
    if header.rev_major != 1:
        raise one.refuse("revMajor", f"OpenDRIVE {header.rev_major} is not supported", "give a file of 1.4 to 1.8")
    if not 4 <= header.rev_minor <= _NEWEST_MINOR:
        version = f"1.{header.rev_minor}"
        notices.append(f"{root.source}: is of OpenDRIVE {version}; read as if it were of 1.4 to 1.{_NEWEST_MINOR}")
    return header


def _unsupported(root: Any) -> dict[str, int]:
    """How many elements are not read, by "parent/element"; what is in them is not counted again."""
    counts: Counter[str] = Counter()
    open_nodes = [root]
    while open_nodes:
        node = open_nodes.pop()
        known = SUPPORTED.get(node.tag, frozenset())
        for one in node.iterchildren("*"):
            if one.tag in known:
                open_nodes.append(one)
            elif one.tag not in PRIVATE:
                counts[f"{node.tag}/{one.tag}"] += 1
    return dict(sorted(counts.items()))
