"""Paved ground besides lanes on which traffic drives: junctions by their boundary, lanes that are closed to cars.

A map that has any such ground says all of it (`dorosim.road.terrain.field`), so the junctions without a boundary get
the outline of their lanes there, as they do on maps without any (ASAM OpenDRIVE 1.8, 12.10).
"""

from __future__ import annotations

import numpy as np

from dorosim.ground.ear_clip import ear_clipped
from dorosim.road.adjacency import FloatArray
from dorosim.road.mgeo.record import Link, MGeoMap, RoadPolygon
from dorosim.road.opendrive.junction_ground import MapLines
from dorosim.road.opendrive.record import OpenDriveMap
from dorosim.road.outline import junction_outlines

_TOLERANCE = 0.02
"""An outline lies so near to the boundary [m]."""


def add_junction_ground(m: MGeoMap, town: OpenDriveMap, lines: MapLines) -> None:
    """Add the ground of junctions to a map that has some ground, or where any junction has a boundary.

    Args:
        m: the map with its links, which is changed.
        town: the file.
        lines: the analytic lines of its roads.
    """
    rings: dict[str, FloatArray] = {}
    unused = 0
    for junction in town.junctions:
        if junction.boundary:
            ring = lines.outline_of(junction)
            if ring is None:
                unused += 1
            else:
                rings[junction.id] = _simplified(ring)
    if unused:
        m.notices.append(f"{town.source}: {unused} boundaries of junctions are not closed, and are not used")
    if not rings and not m.road_polygons:
        return
    junction_of = {road.id: road.junction for road in town.roads}
    links: dict[str, list[Link]] = {}
    for link in m.links:
        links.setdefault(junction_of.get(link.road_id, ""), []).append(link)
    for name, ring in rings.items():
        faces = ear_clipped(ring[:, :2]).tolist()
        m.road_polygons.append(RoadPolygon(idx=f"junction {name}", points=ring, type="junction", faces=faces))
    for name in (one.id for one in town.junctions if one.id not in rings):
        for number, outline in enumerate(junction_outlines(links.get(name, []))):
            height = np.full(len(outline), np.mean([link.points[:, 2].mean() for link in links[name]]))
            m.road_polygons.append(
                RoadPolygon(
                    idx=f"junction {name}.{number}",
                    points=np.column_stack((outline, height)),
                    type="junction",
                    faces=[list(range(len(outline)))],
                )
            )


def add_lane_paving(m: MGeoMap, name: str, outer: FloatArray, inner: FloatArray) -> None:
    """Add the ground of a lane that becomes no link to a map.

    Args:
        m: the map, which is changed.
        name: of the lane.
        outer: its outer border `(N, 3)` in map [m].
        inner: the other one, with as many points.
    """
    count = len(outer)
    wide = np.hypot(*(outer - inner)[:, :2].T) > _TOLERANCE
    rows = np.flatnonzero(wide[:-1] & wide[1:]).tolist()
    triangles = [
        half for row in rows for half in ([count + row, row, row + 1], [count + row, row + 1, count + row + 1])
    ]
    if triangles:
        points = np.concatenate((outer, inner))
        m.road_polygons.append(RoadPolygon(idx=f"lane {name}", points=points, type="lane", faces=triangles))


def _simplified(ring: FloatArray) -> FloatArray:
    """A ring `(N, 3)` without points that lie on the line through their neighbours, three of it at least."""
    kept = list(range(len(ring)))
    changed = True
    while changed and len(kept) > 3:
        changed = False
        row = 0
        while row < len(kept) and len(kept) > 3:
            a, b, c = (ring[kept[(row + step) % len(kept)], :2] for step in (-1, 0, 1))
            way = c - a
            length = float(np.hypot(*way))
            off = abs(way[0] * (b - a)[1] - way[1] * (b - a)[0]) / max(length, 1e-9)
            if length > 0.0 and off < _TOLERANCE / 4 and 0.0 <= (b - a) @ way <= length**2:
                del kept[row]
                changed = True
            row += 1
    return ring[kept]
