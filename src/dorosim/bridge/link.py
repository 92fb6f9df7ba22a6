"""Links as clients ask about them: links beside a link, vehicles on it, and places that are given by its points.

Sources: documents/grpc-api-en.txt, Open Scenario and Link; the Standard API's service Map.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import NamedTuple

import numpy as np

from dorosim.bridge.drive import vehicle_pose
from dorosim.bridge.surroundings import MAX_LANE_DISTANCE, lane_at
from dorosim.ground.error import InputError
from dorosim.road.location import locate
from dorosim.road.network import RoadNetwork
from dorosim.scenario.plan import LanePosition
from dorosim.world.actor.neighbour import is_alone, neighbours_of
from dorosim.world.collision.body import BodyKind
from dorosim.world.command import Vector
from dorosim.world.scene import Scene
from dorosim.world.snapshot import EGO, Snapshot

_SOURCE = "link"


class Side(Enum):
    """Where the links are that are asked for."""

    LEFT = "left"
    RIGHT = "right"
    FROM = "from"
    TO = "to"


LinkRows = Callable[[str], int]
"""Row of a link by its id, fast; -1 if the map has none (`dorosim.bridge.situation.SceneIndex.link_row`)."""


class LinkPoint(NamedTuple):
    """A point of a link, as messages name it.

    Attributes:
        link: its id, "" for none. point: index in the points of the link.
    """

    link: str
    point: int = 0


def known_link(rows: LinkRows, link_id: str) -> int:
    """Row of a link by its id.

    Raises:
        InputError: the map has no lane of this id.
    """
    row = rows(link_id)
    if row < 0:
        raise InputError(_SOURCE, "", f"the map has no link {link_id!r}")
    return row


def links_beside(network: RoadNetwork, link: int, side: Side) -> tuple[int, ...]:
    """Rows of the links on one side of a link: the lane to its left or right, those that lead into it or follow it.

    A neighbour counts whether or not one may change into it.
    """
    if side is Side.FROM:
        return tuple(network.predecessors.of(link).tolist())
    if side is Side.TO:
        return tuple(network.successors.of(link).tolist())
    lanes = network.neighbours.left if side is Side.LEFT else network.neighbours.right
    lane = int(lanes[link])
    return () if lane < 0 else (lane,)


def last_point(network: RoadNetwork, link: int) -> int:
    """Index of the last point of a link."""
    return int(network.lines.first[link + 1] - network.lines.first[link]) - 1


def place_of(network: RoadNetwork, rows: LinkRows, at: LinkPoint) -> LanePosition:
    """The place of a point of a link.

    Raises:
        InputError: there is no such link, or it has no such point.
    """
    link = known_link(rows, at.link)
    last = last_point(network, link)
    if not 0 <= at.point <= last:
        raise InputError(_SOURCE, "", f"link {at.link!r} has points 0 to {last}, not {at.point}")
    return LanePosition(link, float(network.lines.arc[network.lines.first[link] + at.point]))


def nearest_place(network: RoadNetwork, position: Vector, max_distance: float) -> LanePosition | None:
    """The place on a driving lane nearest to a position in the map [m]; None for none within a distance [m]."""
    link, s = lane_at(network, position, max_distance=max_distance)
    return None if link < 0 else LanePosition(link, s)


def vehicles_on_link(scene: Scene, now: Snapshot, link: int) -> list[int]:
    """Ids of the vehicles whose body origin is on a link, in ascending order: ego vehicles, NPC vehicles and ghosts.

    An NPC vehicle is on the link that it drives along, any other vehicle on the lane nearest to it.
    """
    position, rotation = vehicle_pose(now, EGO)
    ids, points, headings, on_link = [EGO], [position], [rotation[2]], []
    if not is_alone(now):
        most = len(now.egos) + now.traffic.rows + now.ghost.rows + now.people.state.rows + now.obstacles.state.rows
        found = neighbours_of(scene, now, EGO, most)
        vehicles = found.kind <= BodyKind.GHOST
        on_link = found.id[vehicles & (found.link == link)].tolist()
        loose = np.flatnonzero(vehicles & (found.link < 0))
        ids += found.id[loose].tolist()
        points += list(zip(*(getattr(found, axis)[loose].tolist() for axis in "xyz"), strict=True))
        headings += found.heading[loose].tolist()
    if scene.network.link_count:
        under = locate(scene.network, points, headings, drivable_only=True, reach=MAX_LANE_DISTANCE).link.tolist()
        on_link += [actor for actor, lane in zip(ids, under, strict=True) if lane == link]
    return sorted(on_link)
