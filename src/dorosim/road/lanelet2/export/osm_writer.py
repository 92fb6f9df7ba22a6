"""Nodes, ways and relations as they are added, and their bytes as OSM XML."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple
from xml.sax.saxutils import quoteattr

import numpy as np

from dorosim.ground.error import InputError
from dorosim.road.adjacency import FloatArray
from dorosim.road.lanelet2.position import ORIGIN, PROJECTION, TRAFFIC, geographic
from dorosim.road.mgeo.record import GlobalInfo

NODE, WAY, RELATION = "node", "way", "relation"


class Member(NamedTuple):
    """What a relation names: its kind, its id and its role."""

    kind: str
    id: int
    role: str


class OsmWriter:
    """A file as it grows. Ids count from 1, so that no two of any kind are the same."""

    def __init__(self) -> None:
        self._count = 0
        self._points: list[tuple[float, float, float]] = []
        self._nodes: list[tuple[int, Mapping[str, str]]] = []
        self._ways: list[tuple[int, Sequence[int], Mapping[str, str]]] = []
        self._relations: list[tuple[int, Sequence[Member], Mapping[str, str]]] = []

    def _next_id(self) -> int:
        self._count += 1
        return self._count

    def node(self, point: Sequence[float], tags: Mapping[str, str] | None = None) -> int:
        """Add a node at a point in map [m]; its id."""
        number = self._next_id()
        self._points.append((float(point[0]), float(point[1]), float(point[2])))
        self._nodes.append((number, tags or {}))
        return number

    def nodes(self, points: FloatArray) -> list[int]:
        """Add nodes at points `(N, 3)` in map [m]; their ids."""
        return [self.node(point) for point in points.tolist()]

    def way(self, nodes: Sequence[int], tags: Mapping[str, str]) -> int:
        """Add a way over nodes; its id."""
        number = self._next_id()
        self._ways.append((number, nodes, tags))
        return number

    def relation(self, members: Iterable[Member], tags: Mapping[str, str]) -> int:
        """Add a relation; its id."""
        number = self._next_id()
        self._relations.append((number, list(members), tags))
        return number

    def content(self, name: str, info: GlobalInfo) -> bytes:
        """The bytes of the file.

        Args:
            name: of the map, for messages.
            info: how the map lies on the Earth.

        Raises:
            InputError: a point is not finite, or the projection is not known or does not reach it.
        """
        points = np.array(self._points, np.float64).reshape(-1, 3)
        if not np.isfinite(points).all():
            raise InputError(f"map {name}", "", "a point is not finite", "see 'dorosim map check'")
        place = geographic(info, points)
        if not np.isfinite(place["lat"] + place["lon"]).all():
            raise InputError(f"map {name}", "", "its projection does not reach all points", "correct global_info.json")
        lines = ["<?xml version='1.0' encoding='UTF-8'?>", '<osm version="0.6" generator="dorosim">']
        meta = {"format_version": "1", "map_version": "1", TRAFFIC: info.traffic_dir.strip().upper() or "RHT"}
        if info.coordinate_system.strip():
            meta |= {ORIGIN: " ".join(repr(float(part)) for part in info.origin)}
        meta |= {PROJECTION: info.coordinate_system.strip()}
        lines.append(f"  <MetaInfo {_attributes(meta)}/>")
        columns = (place["lat"].tolist(), place["lon"].tolist(), points.tolist())
        for (number, tags), latitude, longitude, (x, y, z) in zip(self._nodes, *columns, strict=True):
            lines.append(f'  <node id="{number}" lat="{latitude:.11f}" lon="{longitude:.11f}">')
            found = {"ele": _metres(z), "local_x": _metres(x), "local_y": _metres(y)} | dict(tags)
            lines += [*_tags(found), "  </node>"]
        for number, nodes, tags in self._ways:
            lines.append(f'  <way id="{number}">')
            lines += [f'    <nd ref="{node}"/>' for node in nodes]
            lines += [*_tags(tags), "  </way>"]
        for number, members, tags in self._relations:
            lines.append(f'  <relation id="{number}">')
            for one in members:
                lines.append(f'    <member type="{one.kind}" ref="{one.id}" role={quoteattr(one.role)}/>')
            lines += [*_tags(tags), "  </relation>"]
        lines.append("</osm>\n")
        return "\n".join(lines).encode()


def _metres(value: float) -> str:
    """A length [m] to the micrometre, without zeros at its end."""
    text = f"{value:.6f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _attributes(values: Mapping[str, str]) -> str:
    return " ".join(f"{key}={quoteattr(_plain(value))}" for key, value in values.items())


def _tags(tags: Mapping[str, str]) -> list[str]:
    return [f"    <tag {_attributes({'k': key, 'v': value})}/>" for key, value in tags.items()]


def _plain(text: str) -> str:
    """A text without what XML cannot hold."""
    return "".join(letter for letter in text if letter.isprintable())
