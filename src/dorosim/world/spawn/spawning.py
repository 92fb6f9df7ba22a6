"""Lets actors enter that are due at spawn points, and actors leave whose way has ended."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.column import FloatArray, IntArray
from dorosim.world.actor.effect import forget
from dorosim.world.command import Command, CommandError
from dorosim.world.draft import Draft
from dorosim.world.effect_common import Effect
from dorosim.world.pedestrian.effect import spawn_pedestrian
from dorosim.world.pedestrian.model import PASSERS_BY
from dorosim.world.scene import Scene
from dorosim.world.spawn.mode import SpeedRule
from dorosim.world.spawn.pedestrian import spawn_pedestrians_due
from dorosim.world.spawn.table import PedestrianSpawnTable, VehicleSpawnTable, count_owned
from dorosim.world.spawn.vehicle import spawn_vehicles_due
from dorosim.world.traffic.effect import create_npc
from dorosim.world.traffic.insertion_gap import room_at
from dorosim.world.traffic.lane_insertion import egos_near, rear_of_next
from dorosim.world.traffic.obstruction import obstructions_in
from dorosim.world.traffic.placement import PlacedBody
from dorosim.world.traffic.route import compact_routes, renew_routes
from dorosim.world.traffic.state import NO_OBSTRUCTION

Points = TypeVar("Points", VehicleSpawnTable, PedestrianSpawnTable)
SPARE_ROUTES = 64
"""Routes that no vehicle follows are kept up to this many, and as many as there are vehicles."""
ARRIVAL_DISTANCE = 1.0
"""A vehicle that is this near to the end of its way has arrived [m]."""
MAX_SPAWN_POINTS_PER_TICK = 256
"""Spawn points of vehicles that are looked at in a tick; where more are due, the others have their turn in the next."""
MAX_SPAWN_LENGTH = 12.0
"""Room that an entry needs for whatever may come in [m]."""
_ROOM = PlacedBody(length=MAX_SPAWN_LENGTH, width=2.5, wheelbase=6.0, front_overhang=3.0, model=0)


def spawn_due(scene: Scene, draft: Draft) -> None:
    """Let vehicles and pedestrians enter at the spawn points that are due."""
    points = draft.spawn
    if not len(points):
        return
    time = draft.time
    table, people = points.vehicle, points.pedestrian
    if len(table) and bool(((table.enabled != 0) & (table.next_time <= time)).any()):
        counts = count_owned(table, draft.traffic.spawn_point)
        table, vehicles = spawn_vehicles_due(
            scene.spawn_plan, table, time, counts, draft.noise, _blocked(scene, draft, table)
        )
        refused = [one.spawn_point for one in vehicles if not _enters(create_npc, scene, draft, one)]
        table = _without(table, refused)
    if len(people) and bool(((people.enabled != 0) & (people.next_time <= time)).any()):
        counts = count_owned(people, draft.people.state.origin)
        people, persons = spawn_pedestrians_due(people, points.destination, PASSERS_BY, time, counts, draft.noise)
        # a pedestrian that is refused, since all ids have been given, does not count as having entered
        people = _without(people, [one.origin for one in persons if not _enters(spawn_pedestrian, scene, draft, one)])
    draft.made = 0
    draft.pack()
    if table is not points.vehicle or people is not points.pedestrian:
        draft.spawn = type(points)(table.freeze(), people.freeze(), points.destination)


def _enters(effect: Effect, scene: Scene, draft: Draft, command: Command) -> bool:
    """Let an actor enter; False if that is refused."""
    try:
        effect(scene, draft, command)
    except CommandError:
        return False
    return True


def _without(table: Points, refused: list[int]) -> Points:
    """The points, with one less in `spawned` for each refused actor, given by the id of its point."""
    if not refused:
        return table
    after = table.copy()
    np.subtract.at(after.spawned, np.searchsorted(after.id, refused), 1)
    return after


def _blocked(scene: Scene, draft: Draft, table: VehicleSpawnTable) -> NDArray[np.bool_]:
    """`(rows,)` points at whose entry a body stands, or a vehicle comes from behind or would have to brake.

    Bodies of all kinds count: also people, obstacles, ghosts and vehicles off their lanes, or about to step on them.
    """
    traffic = draft.traffic
    blocked = np.zeros(len(table), np.bool_)
    due = (table.enabled != 0) & (table.next_time <= draft.time) & (table.start_link >= 0)
    rows = np.flatnonzero(due).tolist()
    if len(rows) > MAX_SPAWN_POINTS_PER_TICK:
        blocked[rows] = True
        turn = draft.tick * MAX_SPAWN_POINTS_PER_TICK % len(rows)
        rows = (rows[turn:] + rows[:turn])[:MAX_SPAWN_POINTS_PER_TICK]
        blocked[rows] = False
    obstruction = obstructions_in(scene, draft) if rows else NO_OBSTRUCTION
    for row in rows:
        link, s, safety = int(table.start_link[row]), float(table.start_s[row]), float(table.safety_distance[row])
        front = s + MAX_SPAWN_LENGTH + safety
        stands = egos_near(scene, draft, link, s + MAX_SPAWN_LENGTH, _ROOM)
        if stands or rear_of_next(scene.network, traffic, link, front, MAX_SPAWN_LENGTH + 2.0 * safety) is not None:
            blocked[row] = True
            continue
        behind = (traffic.link == link) & (traffic.present == 1) & (traffic.s <= s)
        closing = (s - traffic.s[behind]) < traffic.speed[behind] * float(table.time_to_collision[row])
        speed = _slowest_entry(scene, table, row)
        blocked[row] = closing.any() or not room_at(
            scene.traffic_plan, traffic, link, s + MAX_SPAWN_LENGTH, MAX_SPAWN_LENGTH, speed, obstruction
        )
    return blocked


def _slowest_entry(scene: Scene, table: VehicleSpawnTable, row: int) -> float:
    """The least speed with which a vehicle may enter at a point [m/s]."""
    if table.speed_rule[row] == SpeedRule.LINK:
        return float(table.lowest_speed_ratio[row] * scene.network.link_speed_limit[table.start_link[row]])
    return float(table.lowest_speed[row])


def leave(scene: Scene, draft: Draft, dt: float) -> None:
    """Remove the actors that came from a spawn point and have come to the end of their way.

    Args:
        scene: gives the lengths of links.
        draft: the next snapshot, after all actors have moved.
        dt: the tick [s].
    """
    if draft.people.state.rows and len(draft.spawn):
        gone = draft.people.departed()
        if gone.any():
            actors = tuple(draft.people.state.id[gone].tolist())
            draft.people = draft.people.keep(~gone)
            forget(draft, actors)
    traffic, route = draft.traffic, draft.route
    if not traffic.rows or not len(route):
        return
    guests = np.flatnonzero((traffic.spawn_point > 0) & (traffic.cursor >= 0) & (traffic.close_loop == 0))
    if not len(guests):
        return
    cursor = traffic.cursor[guests]
    last = cursor == route.first[traffic.route[guests] + 1] - 1
    rows = guests[last & (traffic.link[guests] == route.link[cursor])]
    reach = traffic.s[rows] + 1.5 * traffic.speed[rows] * dt + ARRIVAL_DISTANCE
    arrived = rows[reach >= _ends_of(scene, draft, rows)]
    if len(arrived):
        actors = tuple(traffic.id[arrived].tolist())
        draft.traffic = traffic.take(~np.isin(traffic.id, actors))
        forget(draft, actors)


def _ends_of(scene: Scene, draft: Draft, rows: IntArray) -> FloatArray:
    """Arc length at which vehicles on the last link of their way leave: that of their spawn point, else the link's."""
    link, points = draft.traffic.link[rows], draft.spawn.vehicle
    ends: FloatArray = scene.network.link_length[link]
    if not len(points):
        return ends
    owner = draft.traffic.spawn_point[rows]
    point = np.minimum(np.searchsorted(points.id, owner), len(points) - 1)
    told = (points.id[point] == owner) & (points.end_link[point] == link)
    # a way that begins and ends on one link, and there goes on before it ends, is not driven in that order
    told &= (points.start_link[point] != link) | (points.start_s[point] < points.end_s[point])
    return np.where(told, np.minimum(points.end_s[point], ends), ends)


def maintain_routes(scene: Scene, draft: Draft, *, decides: bool) -> None:
    """Give vehicles that missed a turn a new way to their goal, and drop the routes that no vehicle follows any more.

    Args:
        scene: gives the ways.
        draft: the next snapshot, after all actors have moved.
        decides: whether drivers decide in this tick: only then do they look for new ways.
    """
    if not len(draft.route):
        return
    if decides:
        draft.route = renew_routes(scene.router, draft.traffic, draft.route)
    if len(draft.route) > 2 * len(draft.traffic) + SPARE_ROUTES:
        draft.route = compact_routes(draft.traffic, draft.route)
