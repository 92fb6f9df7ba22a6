"""Lets actors enter that are due at spawn points, and actors leave whose way has ended."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.column import FloatArray, IntArray
from dorosim.world.actor.effect import forget
from dorosim.world.draft import Draft
from dorosim.world.effect.catalogue import EFFECTS
from dorosim.world.pedestrian.command import SpawnPedestrian
from dorosim.world.pedestrian.model import PASSERS_BY
from dorosim.world.scene import Scene
from dorosim.world.spawn.mode import SpeedRule
from dorosim.world.spawn.pedestrian import PedestrianSpawn, spawn_pedestrians_due
from dorosim.world.spawn.table import PedestrianSpawnTable, VehicleSpawnTable, count_owned
from dorosim.world.spawn.vehicle import VehicleSpawn, spawn_vehicles_due
from dorosim.world.traffic.command import CreateNpc
from dorosim.world.traffic.insertion_gap import room_at
from dorosim.world.traffic.lane_insertion import egos_near, rear_of_next
from dorosim.world.traffic.obstruction import obstructions_in
from dorosim.world.traffic.placement import PlacedBody
from dorosim.world.traffic.route import compact_routes, renew_routes
from dorosim.world.traffic.state import NO_OBSTRUCTION
from dorosim.world.waypoint import Waypoint

Points = TypeVar("Points", VehicleSpawnTable, PedestrianSpawnTable)
SPARE_ROUTES = 64
"""Routes that no vehicle follows are kept up to this many, and as many as there are vehicles."""
END_REACH = 1.0
"""A vehicle that is this near to the end of its way has arrived [m]."""
MOST_ENTRIES = 256
"""Spawn points of vehicles that are looked at in a tick; where more are due, the others have their turn in the next."""
LONGEST_BODY = 12.0
"""Room that an entry needs for whatever may come in [m]."""
_ROOM = PlacedBody(length=LONGEST_BODY, width=2.5, wheelbase=6.0, front_overhang=3.0, model=0)


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
        refused = [one.point for one in vehicles if EFFECTS[CreateNpc](scene, draft, _npc_of(scene, one))]
        table = _without(table, refused)
    if len(people) and bool(((people.enabled != 0) & (people.next_time <= time)).any()):
        counts = count_owned(people, draft.people.state.origin)
        people, persons = spawn_pedestrians_due(people, points.destination, PASSERS_BY, time, counts, draft.noise)
        # a pedestrian that is refused, since all ids have been given, does not count as having entered
        people = _without(people, [one.point for one in persons if _enter(scene, draft, one)])
    draft.made = 0
    draft.pack()
    if table is not points.vehicle or people is not points.pedestrian:
        draft.spawn = type(points)(table.freeze(), people.freeze(), points.destination)


def _enter(scene: Scene, draft: Draft, person: PedestrianSpawn) -> str:
    """Let a pedestrian enter. Returns why that is refused, or an empty string."""
    return EFFECTS[SpawnPedestrian](scene, draft, _pedestrian_of(person))


def _without(table: Points, refused: list[int]) -> Points:
    """The points, with one less in `spawned` for each refused actor, given by the id of its point."""
    if not refused:
        return table
    after = table.copy()
    np.subtract.at(after.spawned, np.searchsorted(after.id, refused), 1)
    return after


def _npc_of(scene: Scene, vehicle: VehicleSpawn) -> CreateNpc:
    return CreateNpc(
        model=scene.models[vehicle.model].name,
        link=vehicle.link,
        s=vehicle.s,
        speed=vehicle.speed,
        ratio=vehicle.desired_ratio,
        # the point draws how its vehicles differ
        exact_ratio=True,
        desired_speed=vehicle.desired_speed,
        end=vehicle.end_link,
        close_loop=vehicle.close_loop,
        lane_change=vehicle.lane_change,
        bias=vehicle.bias,
        spawn_point=vehicle.point,
    )


def _pedestrian_of(person: PedestrianSpawn) -> SpawnPedestrian:
    return SpawnPedestrian(
        actor=0,
        model=person.model,
        position=person.position,
        yaw=person.yaw,
        speed=person.speed,
        start=True,
        way=tuple(Waypoint(*place) for place in person.way),
        mode=person.mode,
        # a pedestrian without a way stays where it entered
        leaves=bool(person.way),
        origin=person.point,
    )


def _blocked(scene: Scene, draft: Draft, table: VehicleSpawnTable) -> NDArray[np.bool_]:
    """`(rows,)` points at whose entry a body stands, or a vehicle comes from behind or would have to brake.

    Bodies of all kinds count: also people, obstacles, ghosts and wrecks on the lanes, or about to step on them.
    """
    traffic = draft.traffic
    blocked = np.zeros(len(table), np.bool_)
    due = (table.enabled != 0) & (table.next_time <= draft.time) & (table.start_link >= 0)
    rows = np.flatnonzero(due).tolist()
    if len(rows) > MOST_ENTRIES:
        blocked[rows] = True
        turn = draft.tick * MOST_ENTRIES % len(rows)
        rows = (rows[turn:] + rows[:turn])[:MOST_ENTRIES]
        blocked[rows] = False
    obstruction = obstructions_in(scene, draft) if rows else NO_OBSTRUCTION
    for row in rows:
        link, s, safety = int(table.start_link[row]), float(table.start_s[row]), float(table.safety_distance[row])
        front = s + LONGEST_BODY + safety
        stands = egos_near(scene, draft, link, s + LONGEST_BODY, _ROOM)
        if stands or rear_of_next(scene.network, traffic, link, front, LONGEST_BODY + 2.0 * safety) is not None:
            blocked[row] = True
            continue
        behind = (traffic.link == link) & (traffic.present == 1) & (traffic.s <= s)
        closing = (s - traffic.s[behind]) < traffic.speed[behind] * float(table.time_to_collision[row])
        speed = _slowest_entry(scene, table, row)
        blocked[row] = closing.any() or not room_at(
            scene.traffic_plan, traffic, link, s + LONGEST_BODY, LONGEST_BODY, speed, obstruction
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
    reach = traffic.s[rows] + 1.5 * traffic.speed[rows] * dt + END_REACH
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
