"""The ground of junctions: what their boundary encloses, and how high it lies (ASAM OpenDRIVE 1.8, 12.10 and 12.11)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from dorosim.road.adjacency import FloatArray
from dorosim.road.opendrive.elevation_grid import GridSurface, GroundHeight
from dorosim.road.opendrive.junction_record import BoundarySegment, OdrJunction
from dorosim.road.opendrive.lane_line import RoadLines
from dorosim.road.opendrive.record import OdrRoad, OpenDriveMap

_STEP = 1.0
"""Points along the boundary are so far apart [m]."""

_END = 1e-6
"""A road's last place is so far before its end [m]."""

_MAX_GAP = 2.0
"""Segments of a boundary that lie farther apart do not meet [m]."""

_MAX_POINTS = 2000
"""A boundary of more points is not used."""

_SMALL = 0.01
"""Over this length the slope of a road's end is measured [m]."""

_OUTSIDE = 1e-9


class _Transition(NamedTuple):
    """Where heights change from those of a road to those of a grid.

    Attributes:
        corners: `(4, 2)` P0 and P1 at the road, from P1 on counter-clockwise P2 and P3 [m].
        lines: of the road. s: of its end [m]. t: at P0 and P1 [m].
        slope: `(2,)` by how much the road rises along x and y at its end.
    """

    corners: FloatArray
    lines: RoadLines
    s: float
    t: tuple[float, float]
    slope: FloatArray

    def height_at(self, k: FloatArray) -> FloatArray:
        """Heights of the road's end `(N,)` [m] at shares of the way from P0 to P1 `(N,)`."""
        t = self.t[0] + k * (self.t[1] - self.t[0])
        return self.lines.places_at(np.full(len(k), self.s), t)[:, 2]


class JunctionGround:
    """The surface of a junction with an elevation grid.

    Args:
        junction: it, with a grid of two rows and more and a reference line.
        sides: the segments of its boundary with their points; none where the file has none.
        lines_of: the analytic lines of the roads that meet it.
    """

    def __init__(
        self,
        junction: OdrJunction,
        sides: Sequence[tuple[BoundarySegment, FloatArray]],
        lines_of: Callable[[str], RoadLines | None],
    ) -> None:
        if junction.elevation_grid is None:
            raise ValueError(f"junction {junction.id} has no grid")
        self._grid = GridSurface(junction.elevation_grid, junction.geometries)
        self._transitions = []
        for index, (segment, points) in enumerate(sides):
            lines = lines_of(segment.road_id)
            if segment.type == "joint" and segment.transition_length > 0.0 and lines is not None:
                before, after = sides[index - 1][1], sides[(index + 1) % len(sides)][1]
                self._transitions.append(_transition(segment, (before, points, after), lines))

    def at(self, x: FloatArray, y: FloatArray) -> GroundHeight:
        """Heights at places in map `(N,)` [m]; NaN where the grid gives none."""
        found = self._grid.at(x, y)
        for one in self._transitions:
            k, length = _inside(one.corners, x, y)
            here = np.flatnonzero(np.isfinite(k))
            if len(here):
                values = self._blended(one, k[here], length[here])
                for whole, some in zip(found, values, strict=True):
                    known = np.isfinite(some)
                    whole[here[known]] = some[known]
        return found

    def _blended(self, one: _Transition, k: FloatArray, part: FloatArray) -> GroundHeight:
        """Heights of a transition at a share k along the road's end, and a part of the way to the grid."""
        p0, p1, p2, p3 = one.corners
        near, far = p0 + k[:, None] * (p1 - p0), p3 + k[:, None] * (p2 - p3)
        way = far - near
        grid = self._grid.at(far[:, 0], far[:, 1])
        start, end = one.height_at(k), grid.z
        rise = way @ one.slope
        rise_end = grid.to_east * way[:, 0] + grid.to_north * way[:, 1]
        c = 3.0 * (end - start) - 2.0 * rise - rise_end
        d = 2.0 * (start - end) + rise + rise_end
        z = start + part * (rise + part * (c + part * d))
        by_part = rise + part * (2.0 * c + part * 3.0 * d)
        # across the way the slope is that of the road's end, fading to that of the grid
        length = np.maximum(np.hypot(*way.T), _OUTSIDE)
        ahead = way / length[:, None]
        aside = np.column_stack((-ahead[:, 1], ahead[:, 0]))
        slope = one.slope + part[:, None] * (np.column_stack((grid.to_east, grid.to_north)) - one.slope)
        across = np.einsum("nk,nk->n", slope, aside)
        gradient = (by_part / length)[:, None] * ahead + across[:, None] * aside
        return GroundHeight(z, gradient[:, 0], gradient[:, 1])


class MapLines:
    """The analytic lines of all roads of a file; those in junctions with a grid lie on it.

    Args:
        town: the file.
    """

    def __init__(self, town: OpenDriveMap) -> None:
        self._roads = {road.id: road for road in town.roads}
        self._junctions = {one.id: one for one in town.junctions}
        self._plain: dict[str, RoadLines] = {}
        self._lines: dict[str, RoadLines] = {}
        self._grounds: dict[str, JunctionGround | None] = {}

    def of(self, road: OdrRoad) -> RoadLines:
        """The analytic lines of a road."""
        if road.id not in self._lines:
            ground = self.ground_of(road.junction)
            plain = self._plain_of(road.id)
            self._lines[road.id] = RoadLines(road, ground) if ground is not None or plain is None else plain
        return self._lines[road.id]

    def ground_of(self, junction: str) -> JunctionGround | None:
        """The surface of a junction by its id; None where it has no grid."""
        if junction not in self._grounds:
            one = self._junctions.get(junction)
            has = one is not None and one.elevation_grid is not None and len(one.elevation_grid.elevations) > 1
            known = has and one is not None and bool(one.geometries)
            self._grounds[junction] = JunctionGround(one, self._sides(one), self._plain_of) if known and one else None
        return self._grounds[junction]

    def outline_of(self, junction: OdrJunction) -> FloatArray | None:
        """The boundary of a junction as a ring `(N, 3)` in map [m]; None where it has none, or none that is closed."""
        sides = [points for _, points in self._sides(junction)]
        if len(sides) != len(junction.boundary) or not sides:
            return None
        gaps = [
            float(np.hypot(*(after[0] - one[-1])[:2])) for one, after in zip(sides, [*sides[1:], sides[0]], strict=True)
        ]
        ring: FloatArray = np.concatenate(sides)
        ring = ring[np.hypot(*(ring - np.roll(ring, 1, axis=0))[:, :2].T) > _SMALL]
        if max(gaps) > _MAX_GAP or not 3 <= len(ring) <= _MAX_POINTS:
            return None
        return ring

    def _plain_of(self, name: str) -> RoadLines | None:
        """The lines of a road as they are without any grid; None where there is no such road, or it has no lanes."""
        if name not in self._plain:
            road = self._roads.get(name)
            if road is None or not road.lane_sections:
                return None
            self._plain[name] = RoadLines(road)
        return self._plain[name]

    def _sides(self, junction: OdrJunction) -> list[tuple[BoundarySegment, FloatArray]]:
        """The segments of the boundary of a junction that lead along known roads, with their points `(N, 3)`."""
        found = []
        for segment in junction.boundary:
            lines = self._plain_of(segment.road_id)
            points = None if lines is None else _points_of(segment, lines)
            if points is not None:
                found.append((segment, points))
        return found


def _place(text: str, road: OdrRoad, default: float) -> float:
    """A place along a road that a segment names [m]."""
    word = text.lower()
    if word in ("start", "begin"):
        return 0.0
    if word == "end":
        return road.length - _END
    try:
        return min(max(float(text), 0.0), road.length - _END)
    except ValueError:
        return default


def _points_of(segment: BoundarySegment, lines: RoadLines) -> FloatArray | None:
    """The points `(N, 3)` of a segment in map [m], counter-clockwise around the junction; None where it has no lane."""
    road = lines.road
    if segment.type == "joint":
        end = _place(segment.contact_point, road, 0.0)
        return lines.places_at(np.full(2, end), np.array(_across(segment, lines, end)))[:, :3]
    start, end = _place(segment.s_start, road, 0.0), _place(segment.s_end, road, road.length - _END)
    count = max(2, 1 + int(np.ceil(abs(end - start) / _STEP)))
    if count > _MAX_POINTS:
        return None
    s = np.linspace(start, end, count)
    found = np.full((count, 3), np.nan)
    sections = lines.sections_at(s)
    for section in np.unique(sections):
        here = sections == section
        borders = lines.borders_at(int(section), s[here])
        if segment.boundary_lane in borders:
            found[here] = np.column_stack(borders[segment.boundary_lane])
    return found if np.isfinite(found).all() else None


def _across(segment: BoundarySegment, lines: RoadLines, s: float) -> tuple[float, float]:
    """Where a segment across the end of a road at `s` begins and ends, as t [m].

    The junction is on the left of it, and lies behind the end of a road, and before its start.
    """
    lanes = lines.lanes_at(int(lines.sections_at(np.array([s]))[0]), np.array([s]))
    chosen = [one for one in (segment.joint_lane_start, segment.joint_lane_end) if one is not None and one in lanes]
    rows = [lanes[one] for one in chosen] or list(lanes.values())
    t = [float(one.t[0] + side * 0.5 * one.width[0]) for one in rows for side in (-1.0, 1.0)]
    return (min(t), max(t)) if s < 0.5 * lines.road.length else (max(t), min(t))


def _transition(
    segment: BoundarySegment, sides: tuple[FloatArray, FloatArray, FloatArray], lines: RoadLines
) -> _Transition:
    """The transition at the end of a road, between the segments before and after it."""
    before, joint, after = sides
    ends = (_point_along(after, segment.transition_length), _point_along(before[::-1], segment.transition_length))
    corners = np.array([joint[0, :2], joint[-1, :2], *ends])
    s = _place(segment.contact_point, lines.road, 0.0)
    inwards = _SMALL if s < 0.5 * lines.road.length else -_SMALL
    at, inside = lines.places_at(np.array([s, s + inwards]), np.zeros(2))[:, :3]
    along = (inside - at) / max(float(np.hypot(*(inside - at)[:2])), _OUTSIDE)
    across = (joint[-1] - joint[0]) / max(float(np.hypot(*(joint[-1] - joint[0])[:2])), _OUTSIDE)
    slope = along[2] * along[:2] + across[2] * across[:2]
    return _Transition(corners, lines, s, _across(segment, lines, s), slope)


def _point_along(points: FloatArray, distance: float) -> FloatArray:
    """The place `(2,)` so far along a line `(N, 3)` [m]; its end where it is shorter."""
    way = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(points[:, :2], axis=0).T))])
    return np.array([np.interp(distance, way, points[:, axis]) for axis in (0, 1)])


def _inside(corners: FloatArray, x: FloatArray, y: FloatArray) -> tuple[FloatArray, FloatArray]:
    """K and l `(N,)` of places in a polygon of four corners, as in 12.11.2 of the standard; NaN outside."""
    p0, p1, p2, p3 = corners
    twist, across, along = p2 - p3 - p1 + p0, p1 - p0, p3 - p0
    k, part = np.full_like(x, 0.5), np.full_like(x, 0.5)
    for _ in range(12):  # Newton's method: the polygon is nearly a parallelogram, so it ends within a few steps
        fx = twist[0] * k * part + across[0] * k + along[0] * part + p0[0] - x
        fy = twist[1] * k * part + across[1] * k + along[1] * part + p0[1] - y
        ax, ay = twist[0] * part + across[0], twist[1] * part + across[1]
        bx, by = twist[0] * k + along[0], twist[1] * k + along[1]
        det = ax * by - ay * bx
        det = np.where(np.abs(det) < _OUTSIDE, np.nan, det)
        k, part = k - (fx * by - fy * bx) / det, part - (ax * fy - ay * fx) / det
        k, part = np.clip(k, -2.0, 3.0), np.clip(part, -2.0, 3.0)
    outside = ~((k > -_OUTSIDE) & (k < 1.0 + _OUTSIDE) & (part > -_OUTSIDE) & (part < 1.0 + _OUTSIDE))
    return np.where(outside, np.nan, k), np.where(outside, np.nan, part)
