"""Ways that vehicles are given, by links or to a place: the meaning that both gRPC APIs share, in SI units and ids."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

from dorosim.bridge.actor import ActorKind, kind_of
from dorosim.bridge.actor_state import ActorReader
from dorosim.bridge.drive import EgoType, problem_with_vehicle, problem_with_whose
from dorosim.bridge.link import LinkPoint
from dorosim.bridge.surroundings import lane_at
from dorosim.bridge.vehicle_state import VehicleReader
from dorosim.ground.error import InputError
from dorosim.road.route import RouteEnd, position_end
from dorosim.world.actor.command import SetGoal
from dorosim.world.command import Vector
from dorosim.world.effect_common import is_pose
from dorosim.world.scene import Scene
from dorosim.world.snapshot import Snapshot
from dorosim.world.traffic.lane_return import MAX_RETURN_DISTANCE
from dorosim.world.vehicle.mode import ControlMode

MAX_GOAL_LANE_DISTANCE = 50.0
"""A destination farther than this from every lane [m] is on none."""


class RouteError(IntEnum):
    """Why a way cannot be driven (documents/grpc-api-en.txt, ERROR_CODE)."""

    SUCCESS = 0
    FAILED = 1
    NULL_EXCEPTION = 2
    NOT_FOUND_UNIQUE_ID = 3
    NOT_CREATE_OBJECT = 4
    EMPTY_LIST = 5
    NOT_EGO_CRUISE_MODE = 6
    NOT_FOUND_LINK_ID = 7
    NOT_FOUND_PATH = 8
    DIFFERENT_START_LINK = 9


@dataclass(frozen=True, slots=True)
class PlannedRoute:
    """A way that was asked for, or why there is none.

    Attributes:
        error: SUCCESS if it can be driven. reason: else one sentence. command: that lets the vehicle drive it.
    """

    error: RouteError
    reason: str = ""
    command: SetGoal | None = None


class RouteFinder:
    """Finds ways on one map; safe to use from any thread.

    Args:
        scene: the map.
        actors: reads where vehicles are.
        vehicles: reads on which lanes.
    """

    def __init__(self, scene: Scene, actors: ActorReader, vehicles: VehicleReader) -> None:
        self._scene, self._actors, self._vehicles = scene, actors, vehicles
        self._rows = {link: row for row, link in enumerate(scene.network.link_ids)}

    def along(
        self,
        now: Snapshot,
        actor: int,
        text: str,
        places: Sequence[LinkPoint],
        reach: float = 0.0,
        whose: int = EgoType.ANY,
    ) -> PlannedRoute:
        """The way along links.

        The first has to be the one that the vehicle is on. Where a link does not lead on to the next one, the shortest
        way between them is put in. The way ends at the given point of the last link, at its end for point 0.

        Args:
            now: the snapshot.
            actor: id of the vehicle.
            text: the id as it was asked for.
            places: the links.
            reach: how near to the end counts as there [m], 0 for as near as usual.
            whose: of which type the vehicle was said to be.
        """
        wrong = self._problem(now, actor, text, whose)
        if wrong is not None:
            return wrong
        if not places:
            return PlannedRoute(RouteError.EMPTY_LIST, "the list of links is empty")
        network, rows = self._scene.network, []
        for place in places:
            row = self._rows.get(place.link, -1)
            if row < 0 or not network.link_drivable[row]:
                why = "the map has no link" if row < 0 else "vehicles do not use the link"
                return PlannedRoute(RouteError.NOT_FOUND_LINK_ID, f"{why} {place.link!r}")
            if not 0 <= place.point < len(network.points_of(row)):
                count = len(network.points_of(row))
                return PlannedRoute(
                    RouteError.FAILED, f"link {place.link!r} has points 0 to {count - 1}, not {place.point}"
                )
            rows.append(row)
        if rows[0] not in self._start_links(now, actor):
            return PlannedRoute(
                RouteError.DIFFERENT_START_LINK, f"the vehicle is not on the first link, {places[0].link!r}"
            )
        try:
            links = self._joined(rows)
        except InputError as error:
            return PlannedRoute(RouteError.NOT_FOUND_PATH, f"{error.place}: {error.problem}")
        last = places[-1].point
        end = _point(network.points_of(rows[-1])[last].tolist()) if last else None
        return PlannedRoute(RouteError.SUCCESS, command=SetGoal(actor, links, end, max(reach, 0.0)))

    def to(
        self,
        now: Snapshot,
        actor: int,
        text: str,
        position: Vector | None,
        reach: float = 0.0,
        whose: int = EgoType.ANY,
    ) -> PlannedRoute:
        """The shortest way to a place in map [m], or rather to the lane nearest to it; arguments as of `along`."""
        wrong = self._problem(now, actor, text, whose)
        if wrong is not None:
            return wrong
        if position is None:
            return PlannedRoute(RouteError.NULL_EXCEPTION, "the position of the destination is missing")
        if not is_pose(position):
            return PlannedRoute(RouteError.NOT_FOUND_PATH, f"{position} is not a valid place in the map")
        state = self._actors.state(now, actor)
        link, s = self._vehicles.lane_of(state) if state is not None else (-1, 0.0)
        if link < 0 and state is not None and state.kind is ActorKind.NPC:
            # one that stands far off the lanes drives onto the next one first
            link, s = lane_at(self._scene.network, state.position, state.rotation[2], MAX_RETURN_DISTANCE)
        if link < 0:
            return PlannedRoute(RouteError.NOT_FOUND_PATH, f"{text!r} is on no lane")
        try:
            goal = position_end(self._scene.network, position)
            links = self._scene.router.find_route(RouteEnd(link=link, s=s), goal).links.tolist()
        except InputError as error:
            return PlannedRoute(RouteError.NOT_FOUND_PATH, f"{error.place}: {error.problem}")
        lane = self._scene.network.pose_at(goal.link, goal.s or 0.0).point[0].tolist()
        if math.dist(lane[:2], position[:2]) > MAX_GOAL_LANE_DISTANCE:
            return PlannedRoute(
                RouteError.NOT_FOUND_PATH, f"there is no lane within {MAX_GOAL_LANE_DISTANCE:g} m of the destination"
            )
        return PlannedRoute(RouteError.SUCCESS, command=SetGoal(actor, tuple(links), _point(lane), max(reach, 0.0)))

    def links_of(self, rows: Sequence[int]) -> list[str]:
        """Ids of links."""
        return [self._scene.network.link_ids[row] for row in rows]

    def _problem(self, now: Snapshot, actor: int, text: str, whose: int) -> PlannedRoute | None:
        """What is wrong with the vehicle itself."""
        if not text and whose == EgoType.ANY:
            return PlannedRoute(RouteError.NULL_EXCEPTION, "neither unique_id nor type says which vehicle is meant")
        if whose == EgoType.MULTIEGO and len(now.egos) < 2:
            return PlannedRoute(RouteError.NOT_CREATE_OBJECT, "no further ego vehicle was created")
        problem = problem_with_vehicle(now, actor, text)
        if problem:
            return PlannedRoute(RouteError.NOT_FOUND_UNIQUE_ID, problem)
        kind = kind_of(now, actor)
        if kind is ActorKind.GHOST:
            return PlannedRoute(RouteError.FAILED, f"{text!r} is placed from outside and drives nowhere by itself")
        if kind is ActorKind.NPC:
            return PlannedRoute(RouteError.FAILED, f"{text!r} is an NPC vehicle") if whose != EgoType.ANY else None
        problem = problem_with_whose(actor, text, whose)
        if problem:
            return PlannedRoute(RouteError.FAILED, problem)
        if now.vehicle.control_mode[now.row_of(actor)] != ControlMode.CRUISE:
            return PlannedRoute(RouteError.NOT_EGO_CRUISE_MODE, f"{text!r} is not in cruise mode; set it first")
        return None

    def _start_links(self, now: Snapshot, actor: int) -> set[int]:
        """Links that a vehicle is on: under its origin, and under its front."""
        state, row = self._actors.state(now, actor), now.traffic.row_of(actor)
        under = self._vehicles.lane_of(state)[0] if state is not None else -1
        return {under, int(now.traffic.link[row]) if row >= 0 else -1}

    def _joined(self, rows: Sequence[int]) -> tuple[int, ...]:
        """The links with those put in that lead from one to the next.

        Raises:
            InputError: there is no way.
        """
        links, following = [rows[0]], self._scene.network.successors
        for link in rows[1:]:
            if link == links[-1]:
                continue
            if link in following.of(links[-1]):
                links.append(link)
            else:
                found = self._scene.router.find_route(RouteEnd(link=links[-1]), RouteEnd(link=link))
                links += found.links[1:].tolist()
        return tuple(links)


def _point(values: Sequence[float]) -> Vector:
    x, y, z = values
    return (float(x), float(y), float(z))
