"""What collisions do to the actors of a draft: the step's share of `dorosim.world.collision`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dorosim.world.body import Bodies, bodies_of
from dorosim.world.collision.body import BodyChange
from dorosim.world.collision.contact import remember_contacts
from dorosim.world.collision.impact import collide
from dorosim.world.collision.slide import slide_bodies
from dorosim.world.collision.vehicle import hit_vehicles
from dorosim.world.draft import Draft
from dorosim.world.pedestrian.state import Stage
from dorosim.world.scene import Scene
from dorosim.world.traffic.state import Presence

Rows = NDArray[np.int64]


def collide_actors(scene: Scene, draft: Draft, dt: float) -> None:
    """Let bodies that nobody drives slide, and let those that meet push each other.

    An NPC vehicle that is hit leaves its lane, a pedestrian falls, an obstacle comes loose: from then on they slide.

    Args:
        scene: gives sizes and masses.
        draft: after everybody has moved by the tick; it is changed.
        dt: the tick [s].
    """
    bodies = bodies_of(scene, draft)
    loose = loose_rows(draft, bodies)
    if len(loose):
        slide_bodies(bodies.table, loose, dt, draft.friction.road)
    found = collide(bodies.table, dt)
    change = found.change
    if change is not None:
        hit_vehicles(draft.vehicle, draft.parameter, bodies.table, change, dt)
        _come_loose(draft, bodies, np.flatnonzero(change.touched))
        loose = loose_rows(draft, bodies)
    if len(loose):
        _write_back(draft, bodies, loose, change)
    draft.contact = remember_contacts(draft.contact, found.contacts, draft.time)


def loose_rows(draft: Draft, bodies: Bodies) -> Rows:
    """Rows of the bodies that nobody drives."""
    parts: list[Rows] = []
    if len(bodies.npc_row):
        parts.append(bodies.npc + np.flatnonzero(draft.traffic.present[bodies.npc_row] == Presence.OFF_LANE))
    if len(draft.people):
        parts.append(bodies.person + np.flatnonzero(draft.people.state.stage == Stage.DOWN))
    if len(draft.obstacles):
        parts.append(bodies.obstacle + np.flatnonzero(draft.obstacles.state.loose))
    return np.concatenate(parts) if parts else np.zeros(0, np.int64)


def _come_loose(draft: Draft, bodies: Bodies, hit: Rows) -> None:
    """Take those who were hit off their lane, their feet or their stand."""
    hit = hit[bodies.table.movable[hit] == 1]
    npc = bodies.npc_row[hit[(hit >= bodies.npc) & (hit < bodies.ghost)] - bodies.npc]
    if len(npc):
        draft.traffic.present[npc] = Presence.OFF_LANE
        draft.traffic.patience[npc] = 0.0
    person = hit[(hit >= bodies.person) & (hit < bodies.obstacle)] - bodies.person
    if len(person):
        draft.people.state.stage[person] = Stage.DOWN
    thing = hit[hit >= bodies.obstacle] - bodies.obstacle
    if len(thing):
        draft.obstacles.state.loose[thing] = 1


def _write_back(draft: Draft, bodies: Bodies, loose: Rows, change: BodyChange | None) -> None:
    """Write places and velocities of bodies that nobody drives into the tables of their actors."""
    table = bodies.table
    velocity_x, velocity_y, turn = table.velocity_x[loose], table.velocity_y[loose], table.yaw_rate[loose]
    x, y, yaw = table.x[loose], table.y[loose], table.yaw[loose]
    if change is not None:
        velocity_x, velocity_y = velocity_x + change.velocity_x[loose], velocity_y + change.velocity_y[loose]
        turn, x, y = turn + change.yaw_rate[loose], x + change.shift_x[loose], y + change.shift_y[loose]
    npc = (loose >= bodies.npc) & (loose < bodies.ghost)
    if npc.any():
        traffic, row = draft.traffic, bodies.npc_row[loose[npc] - bodies.npc]
        middle = traffic.wheelbase[row] + traffic.front_overhang[row] - 0.5 * traffic.length[row]
        traffic.x[row], traffic.y[row] = x[npc] - middle * np.cos(yaw[npc]), y[npc] - middle * np.sin(yaw[npc])
        traffic.yaw[row], traffic.yaw_rate[row] = yaw[npc], turn[npc]
        traffic.slide_x[row], traffic.slide_y[row] = velocity_x[npc], velocity_y[npc]
        traffic.speed[row] = np.hypot(velocity_x[npc], velocity_y[npc])
        traffic.acceleration[row] = 0.0
    person = (loose >= bodies.person) & (loose < bodies.obstacle)
    if person.any():
        people, row = draft.people.state, loose[person] - bodies.person
        people.x[row], people.y[row], people.yaw[row] = x[person], y[person], yaw[person]
        people.velocity_x[row], people.velocity_y[row] = velocity_x[person], velocity_y[person]
        people.yaw_rate[row], people.speed[row] = turn[person], np.hypot(velocity_x[person], velocity_y[person])
    thing = loose >= bodies.obstacle
    if thing.any():
        obstacles, row = draft.obstacles.state, loose[thing] - bodies.obstacle
        obstacles.x[row], obstacles.y[row], obstacles.yaw[row] = x[thing], y[thing], yaw[thing]
        obstacles.velocity_x[row], obstacles.velocity_y[row] = velocity_x[thing], velocity_y[thing]
        obstacles.yaw_rate[row] = turn[thing]
