"""What the page draws over the world on request: ways, goals, areas, contacts and names, as lines and texts."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dorosim.bridge.actor_state import npc_rows
from dorosim.bridge.view.backdrop import few_points
from dorosim.road.network import RoadNetwork
from dorosim.world.scene import Scene
from dorosim.world.snapshot import Snapshot

FloatArray = NDArray[np.float64]
Lines = NDArray[np.float64]
"""Segments `(N, 2, 3)` in map [m]; none: `(0, 2, 3)`. The code that shows them subtracts the page's origin before they
become float32, which browsers take: in that, coordinates of a map in UTM are 0.25 m coarse."""

ABOVE = 0.35
"""How far lines lie above the road [m]."""
MAX_LINKS_AHEAD = 40
"""Links of a way that are drawn ahead of a vehicle."""
_ROUND = 24
_FLAG = 4.0
_LETTER, _MARGIN, _LINE = 6.8, 10.0, 19.0
"""Width of a letter, of the margins of a text, and height of a text on the page [pixels]."""
_STEEP = 0.7
"""Who looks down by more than this, of a camera's direction of length 1, looks from above."""


class Text(NamedTuple):
    """A text.

    Attributes:
        key: of what it names. text: itself. place: `(x, y, z)` in map [m], over what it names.
        reach: of that from its middle to its end [m]; who looks from above sees the text so far beside it.
    """

    key: int
    text: str
    place: tuple[float, float, float]
    reach: float = 0.0


class VisitorEye(NamedTuple):
    """A visitor's camera.

    Attributes:
        position: `(3,)` in the page's frame [m].
        turn: `(3, 3)` page_from_camera; the camera looks along z, x is right, y down.
        fov: vertical [rad]. width, height: of its picture [pixels].
    """

    position: FloatArray
    turn: FloatArray
    fov: float
    width: float
    height: float

    @property
    def is_valid(self) -> bool:
        """Whether something can be seen with it."""
        finite = np.isfinite(self.position).all() and np.isfinite(self.turn).all()
        return bool(finite) and 0.0 < self.fov < math.pi and 1.0 <= self.width < 1e5 and 1.0 <= self.height < 1e5


def beside(texts: Mapping[str, Text], eye: VisitorEye) -> dict[str, Text]:
    """Texts at other places for a visitor who looks from above, to whom they would lie on what they name.

    Args:
        texts: by name, in the page's frame [m].
        eye: that looks at them.

    Returns:
        Those that are moved, upwards in the visitor's picture; none where it looks along the ground.
    """
    if eye.turn[2, 2] > -_STEEP:
        return {}
    up = -eye.turn[:, 1]
    return {
        name: text._replace(place=tuple((np.asarray(text.place) + text.reach * up).tolist()))
        for name, text in texts.items()
        if text.reach > 0.0
    }


def apart(texts: Sequence[Text], eye: VisitorEye) -> list[bool]:
    """Which texts a picture has room for: each is seen if it covers none that was seen before it.

    Args:
        texts: in the page's frame [m], those that matter most first. The middle of the lower edge is at the place.
        eye: that looks at them. Texts behind it, or beside its picture, cover none.
    """
    places = np.array([text.place for text in texts], np.float64).reshape(-1, 3)
    x, y, z = ((places - eye.position) @ eye.turn).T
    focal = 0.5 * eye.height / math.tan(0.5 * eye.fov)
    ahead = np.maximum(z, 1e-3)
    across, down = focal * x / ahead + 0.5 * eye.width, focal * y / ahead + 0.5 * eye.height
    half = 0.5 * np.array([_MARGIN + _LETTER * len(text.text) for text in texts])
    outside = (z < 1e-3) | (across + half < 0.0) | (across - half > eye.width)
    outside |= (down < 0.0) | (down - _LINE > eye.height)
    found = np.ones(len(texts), bool)
    taken = np.zeros(len(texts), bool)
    for row in np.flatnonzero(~outside).tolist():
        beside = np.abs(across[taken] - across[row]) < half[taken] + half[row]
        if (beside & (np.abs(down[taken] - down[row]) < _LINE)).any():
            found[row] = False
        else:
            taken[row] = True
    seen: list[bool] = found.tolist()
    return seen


def lines_along(points: FloatArray) -> Lines:
    """Segments through points `(n, 3)`."""
    return np.stack((points[:-1], points[1:]), axis=1).reshape(-1, 2, 3)


def joined(parts: Iterable[Lines]) -> Lines:
    """All of them."""
    return np.concatenate([np.zeros((0, 2, 3)), *parts])


def way_lines(network: RoadNetwork, links: Sequence[int]) -> Lines:
    """The centre lines of links."""
    lines = network.lines
    parts = []
    for link in links:
        rows = slice(int(lines.first[link]), int(lines.first[link + 1]))
        kept = few_points(lines.arc[rows], lines.tangent[rows], lines.grade[rows])
        parts.append(lines_along(lines.points[rows][kept] + (0.0, 0.0, ABOVE)))
    return joined(parts)


def route_of(now: Snapshot, actor: int) -> list[int]:
    """Links that a vehicle means to drive, from the one under it on; empty if it has no way."""
    table = now.goal.table
    rows = np.flatnonzero((table.actor == actor) & (table.passed == 0))
    if len(rows):
        return [int(link) for link in now.goal.way.of(int(rows[0]))][:MAX_LINKS_AHEAD]
    traffic = now.traffic
    mine = np.flatnonzero(np.where(traffic.plan_of_ego != 0, traffic.plan_of_ego, traffic.id) == actor)
    if not len(mine):
        return []
    row = int(mine[0])
    return _links_ahead(now, row)


def _links_ahead(now: Snapshot, row: int) -> list[int]:
    """Links of the way of a row of the traffic table, from its own on."""
    traffic, route, cursor = now.traffic, int(now.traffic.route[row]), int(now.traffic.cursor[row])
    here = [int(traffic.link[row])]
    if route < 0 or cursor < 0:
        return here
    ahead: list[int] = now.route.link[cursor : min(int(now.route.first[route + 1]), cursor + MAX_LINKS_AHEAD)].tolist()
    return ahead if ahead and ahead[0] == here[0] else here + ahead


def all_routes(network: RoadNetwork, now: Snapshot) -> Lines:
    """The ways of all NPC vehicles, each link once."""
    links = sorted({link for row in npc_rows(now).tolist() for link in _links_ahead(now, row)})
    return way_lines(network, links)


def sent_points(now: Snapshot) -> tuple[Lines, Lines]:
    """What egos have been sent: trajectories as lines, goals as flags."""
    ways = []
    for row in range(now.vehicle.rows):
        count = int(now.trajectory.counts[row])
        ways.append(lines_along(now.trajectory.points[row, :count, :3] + (0.0, 0.0, ABOVE)))
    table = now.goal.table
    goals = zip(table.x.tolist(), table.y.tolist(), table.z.tolist(), table.reach.tolist(), strict=True)
    flags = [joined((_pole(x, y, z), ring((x, y, z), reach, reach, 0.0))) for x, y, z, reach in goals]
    return joined(ways), joined(flags)


def spawn_points(now: Snapshot) -> Lines:
    """Arrows at all spawn points, along which vehicles and people come."""
    parts = []
    for table in (now.spawn.vehicle, now.spawn.pedestrian):
        yaws = table.yaw.tolist() if hasattr(table, "yaw") else [0.0] * len(table)
        for x, y, z, yaw in zip(table.x.tolist(), table.y.tolist(), table.z.tolist(), yaws, strict=True):
            parts.append(joined((_pole(x, y, z), _arrow((x, y, z), yaw))))
    return joined(parts)


def stop_lines(network: RoadNetwork) -> Lines:
    """Bars across lanes where vehicles stop for lights."""
    at = network.signals.stop_line
    links = np.flatnonzero(np.isfinite(at) & network.link_drivable)
    if not len(links):
        return joined(())
    half = 0.5 * network.width_at(links, at[links])
    ends = [network.point_at(links, at[links], side * half) for side in (1.0, -1.0)]
    return np.add(np.stack(ends, axis=1), (0.0, 0.0, ABOVE))


def shade_boxes(now: Snapshot) -> Lines:
    """Outlines of areas without satellite reception; those that reach to the sky as high as a house."""
    shade = now.shade
    parts = []
    for row in range(shade.rows):
        half = 0.5 * np.array((shade.length[row], shade.width[row], shade.height[row] or 12.0))
        middle = np.array((shade.x[row], shade.y[row], shade.z[row] + (0.0 if shade.height[row] else 6.0)))
        parts.append(_box(middle, half, float(shade.yaw[row])))
    return joined(parts)


def friction_rings(now: Snapshot) -> Lines:
    """Outlines of areas of other friction."""
    area = now.friction.objects
    parts = []
    for row in range(area.rows):
        place = (float(area.x[row]), float(area.y[row]), float(area.z[row]))
        along, across = float(area.vertical_radius[row]), float(area.horizontal_radius[row])
        parts.append(ring(place, along, across, float(area.yaw[row])))
    return joined(parts)


def contact_marks(now: Snapshot) -> Lines:
    """Stars where bodies touch, or have until just now."""
    contact = now.contact
    parts = []
    for x, y, z in zip(contact.x.tolist(), contact.y.tolist(), contact.z.tolist(), strict=True):
        middle = np.array((x, y, z))
        rays = np.array([(math.cos(t), math.sin(t), u) for t in np.arange(8) * math.pi / 4 for u in (-0.5, 0.5)])
        parts.append(np.stack((middle + 0.3 * rays, middle + 1.5 * rays), axis=1))
    return joined(parts)


def link_texts(scene: Scene, place: tuple[float, float], reach: float, most: int) -> list[Text]:
    """Ids of the lanes with middles near a place in map [m], the nearest first."""
    network = scene.network
    links = np.arange(network.link_count)
    middle = network.point_at(links, 0.5 * network.link_length)
    away = np.hypot(middle[:, 0] - place[0], middle[:, 1] - place[1])
    nearest = [row for row in np.argsort(away, kind="stable")[:most].tolist() if away[row] <= reach]
    return [
        Text(row, network.link_ids[row], (float(middle[row, 0]), float(middle[row, 1]), float(middle[row, 2]) + 0.6))
        for row in nearest
    ]


def _pole(x: float, y: float, z: float) -> Lines:
    return np.array([((x, y, z), (x, y, z + _FLAG))])


def _arrow(place: tuple[float, float, float], yaw: float) -> Lines:
    tip = np.add(place, (3.0 * math.cos(yaw), 3.0 * math.sin(yaw), ABOVE))
    start = np.add(place, (0.0, 0.0, ABOVE))
    barbs = [tip - (math.cos(yaw + turn), math.sin(yaw + turn), 0.0) for turn in (0.5, -0.5)]
    return np.array([(start, tip), *((tip, barb) for barb in barbs)])


def ring(place: Sequence[float], along: float, across: float, yaw: float) -> Lines:
    """An ellipse about a place, with its half axes [m] and the heading of the first one [rad]."""
    turn = np.linspace(0.0, 2.0 * math.pi, _ROUND + 1)
    u, v = along * np.cos(turn), across * np.sin(turn)
    c, s = math.cos(yaw), math.sin(yaw)
    level = np.full(len(turn), place[2] + 0.15)
    return lines_along(np.column_stack((place[0] + u * c - v * s, place[1] + u * s + v * c, level)))


def _box(middle: FloatArray, half: FloatArray, yaw: float) -> Lines:
    c, s = math.cos(yaw), math.sin(yaw)
    turn = np.array([(c, -s, 0.0), (s, c, 0.0), (0.0, 0.0, 1.0)])
    corner = np.array([(x, y, z) for z in (-1, 1) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))]) * half
    points = middle + corner @ turn.T
    pairs = [(k + 4 * floor, (k + 1) % 4 + 4 * floor) for floor in (0, 1) for k in range(4)]
    pairs += [(k, k + 4) for k in range(4)]
    return np.asarray(points[np.array(pairs)])
