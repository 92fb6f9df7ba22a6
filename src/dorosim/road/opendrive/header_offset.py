"""A map turned as the offset of its file's header says (ASAM OpenDRIVE 1.8, 8.4).

The offset moves a map to its place in the projection, and turns it there about its own origin. The axes of a map are
east and north everywhere in dorosim, so the records are turned; the shift stays the origin of the map.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace

from dorosim.road.opendrive.plan_record import PlanGeometry
from dorosim.road.opendrive.record import OdrRoad, OpenDriveMap
from dorosim.road.opendrive.signal_record import OdrSignal


def turned_map(town: OpenDriveMap) -> OpenDriveMap:
    """A file turned about its origin by its header's offset; the file itself where that does not turn it."""
    offset = town.header.offset
    if offset is None or not offset.hdg:
        return town
    turn = offset.hdg
    return replace(
        town,
        header=replace(town.header, offset=replace(offset, hdg=0.0)),
        roads=tuple(_turned_road(road, turn) for road in town.roads),
        junctions=tuple(replace(one, geometries=_turned_plan(one.geometries, turn)) for one in town.junctions),
        notices=(
            *town.notices,
            f"{town.source}: the map is turned by {math.degrees(turn):.6g} degrees about its origin, "
            "as the header's <offset> says",
        ),
    )


def _turned_road(road: OdrRoad, turn: float) -> OdrRoad:
    """A road turned about the origin; what lies along it goes with it."""
    signals = tuple(_turned_signal(one, turn) for one in road.signals)
    return replace(road, geometries=_turned_plan(road.geometries, turn), signals=signals)


def _turned_plan(geometries: Iterable[PlanGeometry], turn: float) -> tuple[PlanGeometry, ...]:
    """A plan view turned about the origin."""
    found = []
    for one in geometries:
        x, y = _turned(one.x, one.y, turn)
        found.append(replace(one, x=x, y=y, hdg=one.hdg + turn))
    return tuple(found)


def _turned_signal(signal: OdrSignal, turn: float) -> OdrSignal:
    """A signal, turned where it has its place in map."""
    at = signal.map_position
    if at is None:
        return signal
    x, y = _turned(at.x, at.y, turn)
    return replace(signal, map_position=replace(at, x=x, y=y, hdg=at.hdg + turn))


def _turned(x: float, y: float, turn: float) -> tuple[float, float]:
    """A place turned about the origin [m, rad]."""
    cosine, sine = math.cos(turn), math.sin(turn)
    return x * cosine - y * sine, x * sine + y * cosine
