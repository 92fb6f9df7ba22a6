"""The XML of an OSM file, parsed piece by piece: it can reach nothing outside itself, and needs little memory."""

from __future__ import annotations

import io
import math
from collections import Counter
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from lxml import etree

from dorosim.ground.error import InputError
from dorosim.ground.xml_document import FRESH_COPY, SAFE_XML, as_input_errors, check_no_type, check_xml_bytes
from dorosim.road.lanelet2.element import OsmFile, OsmMember, OsmNode, OsmRelation, OsmWay, number_from, shown
from dorosim.road.lanelet2.version import MAX_LANELET2_SIZE

_MAX_ID = 2**63 - 1
_NONE: Mapping[str, str] = MappingProxyType({})
_FREE = frozenset({"bounds", "note", "meta", "MetaInfo"})
"""Elements that say nothing about the roads."""


def parse_osm(source: str, content: bytes) -> OsmFile:
    """The nodes, ways and relations of an OSM file.

    Args:
        source: the file, as messages name it.
        content: its bytes.

    Raises:
        InputError: the bytes are too many, not XML, have a document type, are not OSM, or a number, an id or a
            reference is none; with line, element and attribute.
    """
    check_xml_bytes(source, content, "OSM", MAX_LANELET2_SIZE, "split the map")
    reader = _Reader(source)
    with as_input_errors(source):
        events = etree.iterparse(io.BytesIO(content), events=("end",), **SAFE_XML)
        for _, node in events:
            parent = node.getparent()
            if parent is not None and parent.getparent() is None:
                if parent.tag != "osm":
                    raise _not_osm(source, parent)
                reader.take(node)
                node.clear()
                while node.getprevious() is not None:
                    del parent[0]
    root = events.root
    check_no_type(source, root, "OSM")
    if root.tag != "osm":
        raise _not_osm(source, root)
    return OsmFile(
        source, reader.nodes, reader.ways, reader.relations, reader.meta, dict(sorted(reader.unsupported.items()))
    )


def _not_osm(source: str, root: Any) -> InputError:
    return InputError(source, f"line {root.sourceline}", f"the root is <{root.tag}>, not <osm>", FRESH_COPY)


class _Reader:
    """Takes the elements of a file one after the other."""

    def __init__(self, source: str) -> None:
        self._source = source
        self.nodes: dict[int, OsmNode] = {}
        self.ways: dict[int, OsmWay] = {}
        self.relations: dict[int, OsmRelation] = {}
        self.meta: dict[str, str] = {}
        self.unsupported: Counter[str] = Counter()

    def take(self, node: Any) -> None:
        """Read an element below the root; what an editor has marked as deleted is passed over."""
        tag = node.tag
        if tag == "MetaInfo":
            self.meta.update(node.attrib)
        if tag in _FREE:
            return
        if tag not in ("node", "way", "relation"):
            self.unsupported[f"osm/{tag}"] += 1
            return
        if node.get("action") == "delete" or node.get("visible") == "false":
            return
        number = self._id(node, "id", f"<{tag}>")
        place = f"{tag} {number}"
        if tag == "node":
            self._add(self.nodes, place, node, self._node(node, number, place))
        elif tag == "way":
            refs = tuple(self._id(one, "ref", f"{place}, <nd>") for one in node.iterchildren("nd"))
            self._add(self.ways, place, node, OsmWay(number, node.sourceline, self._tags(node, place), refs))
        else:
            members = tuple(
                OsmMember(one.get("type", ""), self._id(one, "ref", f"{place}, <member>"), one.get("role", ""))
                for one in node.iterchildren("member")
            )
            found = OsmRelation(number, node.sourceline, self._tags(node, place), members)
            self._add(self.relations, place, node, found)

    def _add(self, table: dict[int, Any], place: str, node: Any, found: OsmNode | OsmWay | OsmRelation) -> None:
        if found.id in table:
            problem = f"line {table[found.id].line} has this id, too"
            raise self._refuse(node, place, "id", problem, "give each an id of its own")
        table[found.id] = found

    def _node(self, node: Any, number: int, place: str) -> OsmNode:
        """A point, with the numbers that are there."""
        tags = dict(self._tags(node, place))
        latitude, longitude = (self._number(node, place, one, node.get(one)) for one in ("lat", "lon"))
        for name, value, most in (("lat", latitude, 90.0), ("lon", longitude, 180.0)):
            if abs(value) > most:
                raise self._refuse(node, place, name, f"{value:g} is beyond {most:g} degrees", "correct the value")
        height, x, y = (
            self._number(node, place, f"tag {one!r}", tags.pop(one, None)) for one in ("ele", "local_x", "local_y")
        )
        if math.isnan(height):
            height = self._number(node, place, "ele", node.get("ele"))
        return OsmNode(
            number, node.sourceline, latitude, longitude, 0.0 if math.isnan(height) else height, x, y, tags or _NONE
        )

    def _number(self, node: Any, place: str, where: str, text: str | None) -> float:
        try:
            return number_from(text)
        except ValueError:
            problem = f"expected a finite number, found {shown(text or '')}"
            raise self._refuse(node, place, where, problem, "correct the value") from None

    def _tags(self, node: Any, place: str) -> Mapping[str, str]:
        """The tags of an element, without spaces around them; of two with one key the last counts."""
        found: dict[str, str] = {}
        for one in node.iterchildren("tag"):
            key, value = one.get("k"), one.get("v")
            if key is None or value is None:
                missing = "k" if key is None else "v"
                raise self._refuse(one, f"{place}, <tag>", missing, "is missing", "add it")
            found[key.strip()] = value.strip()
        return found or _NONE

    def _id(self, node: Any, attribute: str, place: str) -> int:
        """A whole number by which elements name each other."""
        text = node.get(attribute)
        if text is None:
            raise self._refuse(node, place, attribute, "is missing", "add it")
        try:
            number = int(text) if len(text) < 24 else _MAX_ID + 1
        except ValueError:
            number = _MAX_ID + 1
        if abs(number) > _MAX_ID:
            raise self._refuse(node, place, attribute, f"expected a whole number, found {shown(text)}", "correct it")
        return number

    def _refuse(self, node: Any, place: str, where: str, problem: str, cure: str) -> InputError:
        attribute = where if where.startswith("tag ") else f"attribute {where!r}"
        return InputError(self._source, f"line {node.sourceline}, {place}, {attribute}", problem, cure)
