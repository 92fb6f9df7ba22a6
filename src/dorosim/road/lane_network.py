"""The road network: lanes as arrays, in SI units, with everything that moves along them or looks at them.

Rows of the arrays are lanes ("links", as MGeo names them), in the order of the map's file. Links that only stand for
a change between lanes are no rows; they are in `changes`.

`dorosim.road.network` makes one of a map. The class is apart from that, since controllers that a map lacks are made of
a network while it is made.
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from dorosim.ground.error import InputError
from dorosim.road.adjacency import Adjacency, FlagArray, FloatArray, IntArray
from dorosim.road.crosswalk import Crosswalks
from dorosim.road.lane_change import LaneChanges, Neighbours
from dorosim.road.polyline import Polylines
from dorosim.road.side_by_side import SideBySide
from dorosim.road.signal import Signals
from dorosim.road.surface import SurfaceArrays

MANY_PLACES = 4096
"""Poses of so many places are found by compiled code: less are found before that would have been loaded."""


class LanePose(NamedTuple):
    """Poses on lanes.

    Attributes:
        point: `(N, 3)` in map [m].
        heading: `(N,)` of the lane, counter-clockwise from east, -pi to pi [rad].
        grade: `(N,)` rise over horizontal distance, forward positive.
    """

    point: FloatArray
    heading: FloatArray
    grade: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class RoadNetwork:
    """The lanes of a map; every array is read-only.

    Attributes:
        name: the map's name.
        coordinate_system: PROJ string or UTM zone, "" if unknown; see `dorosim.road.projection`.
        origin: east, north, up of the map's origin in that system [m].
        left_hand_traffic: whether one drives on the left.
        node_ids: `(M,)` ids of the nodes.
        link_ids: `(L,)` ids of the lanes.
        link_from_node, link_to_node: `(L,)` rows of the nodes, -1 for none.
        link_length: `(L,)` along the centre line, in space [m].
        link_speed_limit: `(L,)` [m/s]; 50 km/h where the map gives none.
        link_drivable: `(L,)` False for sidewalks and the like.
        link_types: the map's own names, "" if it has none.
        link_movements: "straight", "left", "right_unprotected", ... of lanes through a junction, else "".
        neighbours: the lanes beside, and whether one may change.
        changes: the lane changes that routes may use.
        side_by_side: where lanes between which one may change lie beside each other.
        successors, predecessors: the links that begin where a link ends, and that end where it begins.
        lines: points, arc lengths, tangents and grades of the centre lines.
        left_width, right_width: `(P,)` distance from the centre line to the lane's boundaries at each point [m].
        left_crossable, right_crossable: `(L,)` whether the line to that side of the lane is painted as one to cross.
        signals: lights, controllers and stop lines.
        crosswalks: where people cross, by which lights, and which lanes pass there.
        surface: the lanes as kernels see them.
        precedence: `(N, 2)` rows of lanes of which the map says that the first goes before the second.
        notices: what was left out or guessed, one line each.
    """

    name: str
    coordinate_system: str
    origin: tuple[float, float, float]
    left_hand_traffic: bool
    node_ids: tuple[str, ...]
    link_ids: tuple[str, ...]
    link_from_node: IntArray
    link_to_node: IntArray
    link_length: FloatArray
    link_speed_limit: FloatArray
    link_drivable: FlagArray
    link_types: tuple[str, ...]
    link_movements: tuple[str, ...]
    neighbours: Neighbours
    changes: LaneChanges
    side_by_side: SideBySide
    successors: Adjacency
    predecessors: Adjacency
    lines: Polylines
    left_width: FloatArray
    right_width: FloatArray
    left_crossable: FlagArray
    right_crossable: FlagArray
    signals: Signals
    crosswalks: Crosswalks
    surface: SurfaceArrays
    precedence: IntArray
    notices: tuple[str, ...] = ()
    _link_rows: dict[str, int] = field(init=False, repr=False)
    _node_rows: dict[str, int] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Index the ids."""
        object.__setattr__(self, "_link_rows", {name: row for row, name in enumerate(self.link_ids)})
        object.__setattr__(self, "_node_rows", {name: row for row, name in enumerate(self.node_ids)})

    @property
    def link_count(self) -> int:
        """The number of lanes."""
        return len(self.link_ids)

    def link_index(self, link_id: str) -> int:
        """The row of a link.

        Raises:
            InputError: if the map has no such lane; the cure names the most similar id.
        """
        return self._row(self._link_rows, link_id, "link")

    def node_index(self, node_id: str) -> int:
        """The row of a node.

        Raises:
            InputError: if the map has no such node; the cure names the most similar id.
        """
        return self._row(self._node_rows, node_id, "node")

    def _row(self, rows: dict[str, int], name: str, kind: str) -> int:
        if name in rows:
            return rows[name]
        near = difflib.get_close_matches(name, rows, n=1, cutoff=0.0)
        cure = f"the most similar {kind} is {near[0]!r}" if near else f"the map has no {kind} at all"
        raise InputError(f"map {self.name}", f"{kind} {name!r}", f"there is no such {kind}", cure)

    def points_of(self, link: int) -> FloatArray:
        """The points `(n, 3)` of a link's centre line in map [m], as many and in the order of the map's file."""
        return self.lines.of(link)

    def pose_at(self, link: ArrayLike, s: ArrayLike, lateral: ArrayLike = 0.0) -> LanePose:
        """Poses given by arc length and lateral offset; the inverse of `dorosim.road.location.locate`.

        Args:
            link: rows of links, `(N,)` or one.
            s: arc lengths [m], `(N,)` or one; beyond the ends means the ends.
            lateral: offsets from the centre line, left positive [m], `(N,)` or one.
        """
        links, arcs, offsets = np.broadcast_arrays(
            np.atleast_1d(np.asarray(link, np.int64)), np.asarray(s, np.float64), np.asarray(lateral, np.float64)
        )
        if len(links) >= MANY_PLACES:
            found = self.lines.poses_at(links, arcs)
            point = np.ascontiguousarray(found[:3].T)
            point[:, 0] -= offsets * found[4]
            point[:, 1] += offsets * found[3]
            return LanePose(point, np.arctan2(found[4], found[3]), found[5])
        segment, fraction = self.lines.segment_at(links, arcs)
        tangent = self.lines.tangent_at(segment, fraction)
        weight = fraction[:, None]
        point = (1 - weight) * self.lines.points[segment] + weight * self.lines.points[segment + 1]
        point[:, 0] -= offsets * tangent[:, 1]
        point[:, 1] += offsets * tangent[:, 0]
        grade = (1 - fraction) * self.lines.grade[segment] + fraction * self.lines.grade[segment + 1]
        return LanePose(point, np.arctan2(tangent[:, 1], tangent[:, 0]), grade)

    def point_at(self, link: ArrayLike, s: ArrayLike, lateral: ArrayLike = 0.0) -> FloatArray:
        """Points `(N, 3)` in map [m]; arguments as for `pose_at`."""
        return self.pose_at(link, s, lateral).point

    def heading_at(self, link: ArrayLike, s: ArrayLike) -> FloatArray:
        """Headings of lanes `(N,)`, counter-clockwise from east, -pi to pi [rad]; arguments as for `pose_at`."""
        links, arcs = np.broadcast_arrays(np.atleast_1d(np.asarray(link, np.int64)), np.asarray(s, np.float64))
        if len(links) < MANY_PLACES:
            return self.pose_at(links, arcs).heading
        _, _, _, x, y, _ = self.lines.poses_at(links, arcs)
        heading: FloatArray = np.arctan2(y, x)
        return heading

    def curvature_at(self, link: ArrayLike, s: ArrayLike) -> FloatArray:
        """Curvatures of lanes `(N,)`, left positive [1/m]; arguments as for `pose_at`."""
        return self._along((self.lines.curvature,), link, s)[0]

    def width_at(self, link: ArrayLike, s: ArrayLike) -> FloatArray:
        """Widths of lanes from boundary to boundary `(N,)` [m]; arguments as for `pose_at`."""
        left, right = self._along((self.left_width, self.right_width), link, s)
        return left + right

    def boundary_distances(
        self, link: ArrayLike, s: ArrayLike, lateral: ArrayLike = 0.0
    ) -> tuple[FloatArray, FloatArray]:
        """Distances from positions to the left and to the right boundary of the lane.

        Negative where the position lies beyond the boundary. Arguments as for `pose_at`.

        Returns:
            Left and right distances `(N,)` [m].
        """
        offset = np.asarray(lateral, np.float64)
        left, right = self._along((self.left_width, self.right_width), link, s)
        return left - offset, right + offset

    def _along(self, values: tuple[FloatArray, ...], link: ArrayLike, s: ArrayLike) -> list[FloatArray]:
        """Values `(P,)` each at points of the lines, interpolated."""
        links, arcs = np.broadcast_arrays(np.atleast_1d(np.asarray(link, np.int64)), np.asarray(s, np.float64))
        segment, fraction = self.lines.segment_at(links, arcs)
        return [(1 - fraction) * value[segment] + fraction * value[segment + 1] for value in values]
