"""The map while it is drawn: gives ids, joins ends that meet in one node, and puts every line on the ground.

What draws (streets, junctions, ring) speaks of plane curves and of lift above the ground; only here they become
MGeo records with rounded coordinates.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dorosim.mapmaking.curve import LEVEL, Along, Curve, CurvePose, Reals, spaced
from dorosim.mapmaking.terrain import HillyGround
from dorosim.road.mgeo.record import LaneBoundary, Link, MGeoMap, NodeRecord, RoadPolygon

LANE_TYPE_DEF = "ngii_model2"
"""Link, line and node codes are those of the Korean precise road map (NGII)."""

NODE_JUNCTION, NODE_LANE_CHANGE, NODE_ROUNDABOUT, NODE_OTHER = "1", "7", "10", "99"
LINK_IN_JUNCTION, LINK_ORDINARY = "1", "6"

_COMFORTABLE_ACCELERATION = 2.0
"""Lateral acceleration that passengers find easy [m/s^2]."""

_NODE_DISTANCE = 0.05
"""Ends of lines closer than this are one node [m]."""


@dataclass(frozen=True, slots=True)
class DraftLine:
    """A line to draw along a curve.

    Attributes:
        curve: what it follows.
        reach: (first, last) arc length [m].
        left: lateral offset, to the left [m].
        lift: height above the ground [m].
    """

    curve: Curve
    reach: tuple[float, float]
    left: Along = LEVEL
    lift: Along = LEVEL

    def pose(self, s: float) -> CurvePose:
        """The pose of the line at arc length `s` of its curve; its offset must be level there."""
        return self.curve.pose(s, float(self.left(np.array([s]))[0]))

    def beside(self, shift: float, end_shift: float | None = None) -> DraftLine:
        """The line `shift` metres further left, and `end_shift` at its end."""
        change = (shift if end_shift is None else end_shift) - shift
        first, last = self.reach
        base = self.left

        def left(s: Reals) -> Reals:
            return base(s) + shift + change * np.clip((s - first) / (last - first), 0.0, 1.0)

        return DraftLine(self.curve, self.reach, left, self.lift)


@dataclass(frozen=True, slots=True)
class Paint:
    """How a line on the road looks.

    Attributes:
        code: NGII line kind: 501 centre line, 503 lane line, 505 edge, 506 no lane change, 525 guide,
            530 stop line, 599 not painted.
        dash: (painted, gap) [m] of a broken line.
    """

    code: int
    color: str = "white"
    shape: str = "Solid"
    dash: tuple[float, float] = (0.0, 0.0)
    width: float = 0.15


CENTRE = Paint(501, "yellow")
CENTRE_DOUBLE = Paint(501, "yellow", "Solid Solid")
DIVIDER = Paint(503, "white", "Broken", (3.0, 5.0))
OPENING = Paint(503, "white", "Broken", (1.5, 1.5))
NO_CHANGE = Paint(506)
EDGE = Paint(505)
MEDIAN_EDGE = Paint(505, "yellow")
GUIDE = Paint(525, "white", "Broken", (0.75, 0.75))
STOP_LINE = Paint(530, width=0.6)
YIELD_LINE = Paint(530, "white", "Broken", (0.6, 0.4), 0.45)
UNPAINTED = Paint(599, "", "", width=0.0)


class _NodeBook:
    """Nodes by place: asking twice within a few centimetres gives the same node."""

    def __init__(self, nodes: list[NodeRecord]) -> None:
        self._nodes = nodes
        self._cells: dict[tuple[int, int, int], list[NodeRecord]] = {}

    def at(self, point: tuple[float, float, float]) -> NodeRecord:
        cell = tuple(math.floor(value) for value in point)
        for step in itertools.product((-1, 0, 1), repeat=3):
            near = (cell[0] + step[0], cell[1] + step[1], cell[2] + step[2])
            for node in self._cells.get(near, ()):
                if math.dist(node.point, point) < _NODE_DISTANCE:
                    return node
        node = NodeRecord(idx=f"ND{len(self._nodes):06d}", point=point, node_type=NODE_OTHER)
        self._nodes.append(node)
        self._cells.setdefault((cell[0], cell[1], cell[2]), []).append(node)
        return node


class MapDraft:
    """A town on the drawing board.

    Attributes:
        town: the map so far.
        terrain: its ground.
    """

    def __init__(self, name: str, terrain: HillyGround) -> None:
        self.town = MGeoMap(name)
        self.terrain = terrain
        self._nodes = _NodeBook(self.town.nodes)
        self._lane_nodes = _NodeBook(self.town.lane_nodes)
        self._node_of: dict[str, NodeRecord] = {}
        self._roads = itertools.count()
        self._counts: dict[str, int] = {}

    def road_id(self) -> str:
        """A road id that no other road has."""
        return str(next(self._roads))

    def name(self, prefix: str, digits: int = 6) -> str:
        """The next id with the given prefix."""
        number = self._counts.get(prefix, 0)
        self._counts[prefix] = number + 1
        return f"{prefix}{number:0{digits}d}" if digits else f"{prefix}{number}"

    def ground(self, xy: Reals, lift: Reals | float = 0.0, *, decimals: int = 3) -> Reals:
        """Points `(N, 3)` on the ground or `lift` metres above it, rounded to millimetres."""
        z = self.terrain.height(xy[:, 0], xy[:, 1]) + lift
        return np.asarray(np.round(np.column_stack((xy, z)), decimals) + 0.0, np.float64)

    def ground_point(self, x: float, y: float, lift: float = 0.0) -> tuple[float, float, float]:
        """One point on the ground or `lift` metres above it."""
        east, north, up = self.ground(np.array([[x, y]]), lift)[0].tolist()
        return east, north, up

    def ground_points(self, places: Sequence[tuple[float, float]], lift: float = 0.0) -> Reals:
        """Points `(N, 3)` on the ground or `lift` metres above it at places in the map."""
        return self.ground(np.array(places, np.float64), lift)

    def trace(self, line: DraftLine, *, step: float, bend_deg: float, decimals: int = 3) -> Reals:
        """The points of a line, `(N, 3)`; `step` and `bend_deg` bound its segments."""
        s = spaced(line.curve, line.reach, line.left, step=step, bend=math.radians(bend_deg))
        return self.ground(line.curve.beside(s, line.left(s)), line.lift(s), decimals=decimals)

    def add_link(self, link_idx: str, line: DraftLine, **fields: object) -> Link:
        """Draw a lane, with heading jumps below two degrees and segments of at most 4.5 m.

        Its points are kept to tenths of a millimetre, since they lie so close in bends that rounding to millimetres
        would turn the segments by up to half a degree.
        """
        points = self.trace(line, step=4.5, bend_deg=1.7, decimals=4)
        first, last = self._nodes.at(tuple(points[0].tolist())), self._nodes.at(tuple(points[-1].tolist()))
        points[0], points[-1] = first.point, last.point
        link = Link(
            idx=link_idx,
            from_node_idx=first.idx,
            to_node_idx=last.idx,
            points=points,
            link_type_def=LANE_TYPE_DEF,
            **fields,  # type: ignore[arg-type]
        )
        self._node_of[first.idx], self._node_of[last.idx] = first, last
        if link.recommended_speed is None:
            link.recommended_speed = _comfortable_speed(points, link.max_speed)
        self.town.links.append(link)
        return link

    def add_single_lane(
        self, path: DraftLine, widths: tuple[float, float], lines: tuple[list[str], list[str]], **fields: object
    ) -> Link:
        """Draw the only lane of a road of its own; its widths at start and end [m], ids of its left and right lines."""
        road = self.road_id()
        return self.add_link(
            f"_{road}_0_R1_",
            path,
            road_id=road,
            ego_lane=1,
            width_start=widths[0],
            width_end=widths[1],
            lane_mark_left=lines[0],
            lane_mark_right=lines[1],
            **fields,
        )

    def add_lane_change(self, path: Sequence[Link]) -> None:
        """Add the link that stands for a change over neighbouring lanes, as the product's maps have it."""
        first, last = path[0], path[-1]
        start = self._node_of[first.from_node_idx or ""]
        end = self._node_of[last.to_node_idx or ""]
        self.town.links.append(
            Link(
                idx=f"{first.idx}-{last.idx}",
                from_node_idx=start.idx,
                to_node_idx=end.idx,
                points=np.array([start.point, end.point]),
                max_speed=0.0,
                speed_unit="",
                lazy_init=True,
                lane_ch_link_path=[link.idx for link in path],
            )
        )

    def add_line(self, line: DraftLine, paint: Paint) -> str:
        """Draw a line on the road; returns its id."""
        return self.add_polyline(self.trace(line, step=9.0, bend_deg=4.0), paint)

    def add_polyline(self, points: Reals, paint: Paint) -> str:
        """Draw a line on the road through points `(N, 3)`; returns its id."""
        first, last = self._lane_nodes.at(tuple(points[0].tolist())), self._lane_nodes.at(tuple(points[-1].tolist()))
        points[0], points[-1] = first.point, last.point
        painted = bool(paint.shape)
        boundary = LaneBoundary(
            idx=self.name("LB"),
            from_node_idx=first.idx,
            to_node_idx=last.idx,
            points=points,
            lane_type_def=LANE_TYPE_DEF,
            lane_type=[paint.code],
            lane_color=[paint.color] if painted else [],
            lane_shape=[paint.shape] if painted else [],
            lane_width=paint.width,
            dash_interval_L1=paint.dash[0],
            dash_interval_L2=paint.dash[1],
        )
        self.town.lane_boundaries.append(boundary)
        return boundary.idx

    def add_paving(self, outline: Reals) -> None:
        """Pave the inside of an outline `(N, 3)` that its middle sees all of: triangles about the middle."""
        middle = self.ground(outline[:, :2].mean(axis=0)[None])
        last = len(outline)
        self.town.road_polygons.append(
            RoadPolygon(
                idx=self.name("RP"),
                points=np.concatenate((middle, outline)),
                type="junction",
                faces=[[0, corner, corner % last + 1] for corner in range(1, last + 1)],
            )
        )

    def points_of_line(self, line_idx: str) -> Reals:
        """The points `(N, 3)` of a line on the road, by its id."""
        return self.town.lane_boundaries[int(line_idx.removeprefix("LB"))].points

    def mark_nodes(self, link: Link, node_type: str, junction: str | None = None) -> None:
        """Say of what kind both ends of a link are, and to which junction they belong."""
        for idx in (link.from_node_idx, link.to_node_idx):
            node = self._node_of[idx or ""]
            node.node_type = node_type
            if junction is not None and junction not in node.junction:
                node.junction.append(junction)

    def mark_stop(self, link: Link) -> None:
        """Say that the end of a link is on a stop line."""
        self._node_of[link.to_node_idx or ""].on_stop_line = True


def map_degrees(heading: float) -> float:
    """A heading [rad] as the map keeps it: 0 to 360 degrees, in thousandths."""
    return round(math.degrees(heading) % 360.0, 3) % 360.0


def _comfortable_speed(points: Reals, limit_kmh: float) -> float | None:
    """The speed at which the sharpest bend of a lane takes that acceleration [km/h], where it is below the limit."""
    leg = np.diff(points[:, :2], axis=0)
    length = np.hypot(leg[:, 0], leg[:, 1])
    bend = np.abs(np.diff(np.unwrap(np.arctan2(leg[:, 1], leg[:, 0]))))
    if not len(bend):
        return None
    curvature = bend / (0.5 * (length[1:] + length[:-1]))
    speed = 3.6 * math.sqrt(_COMFORTABLE_ACCELERATION / max(float(curvature.max()), 1e-9))
    return float(math.floor(speed)) if speed < limit_kmh else None
