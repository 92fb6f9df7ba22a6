"""What collisions do to the actors of a draft: the step's share of `dorosim.world.collision`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.column import FloatArray
from dorosim.road.terrain.terrain import Terrain
from dorosim.world.actor.body import Bodies
from dorosim.world.collision.body import BodyChange, BodyTable
from dorosim.world.collision.contact import one_per_pair, remember_contacts
from dorosim.world.collision.displaced import (
    advance_displaced,
    bodies_of_displaced,
    falling_rows,
    given_way,
    hit_displaced,
)
from dorosim.world.collision.impact import collide
from dorosim.world.collision.push_out import shorten_shifts
from dorosim.world.collision.scenery import parts_near, with_parts
from dorosim.world.collision.settle import settle_obstacles, settle_people, settle_vehicles
from dorosim.world.collision.slide import slide_bodies
from dorosim.world.collision.vehicle import hit_vehicles
from dorosim.world.draft import Draft
from dorosim.world.pedestrian.state import Stage
from dorosim.world.scene import Scene
from dorosim.world.traffic.state import Presence

_BODY = BodyTable.at

Rows = NDArray[np.int64]
_B = BodyTable
_MOTION = slice(_BODY.yaw, _BODY.yaw_rate + 1)
_YAW, _VX, _YAW_RATE = (column.index - _BODY.yaw for column in (_B.yaw, _B.velocity_x, _B.yaw_rate))
_OFF_LANE, _DOWN = int(Presence.OFF_LANE), int(Stage.DOWN)
_NOTHING = np.zeros(0, np.int64)
_NOTHING.flags.writeable = False


UNMOVED_SPEED = 0.5
"""An NPC vehicle that is pushed by less than this change of speed [m/s] stays on its lane."""
UNMOVED_TURN = 0.1
"""The same for the change of its yaw rate [rad/s]."""
UPRIGHT_SPEED = 1.5
"""A pedestrian that is pushed by less than this change of speed [m/s], about its walking speed, does not fall."""
MIN_OBSTACLE_IMPULSE_SPEED = 0.05
"""An obstacle that is pushed by less than this change of speed [m/s] stays where it is."""


def collide_actors(scene: Scene, draft: Draft, bodies: Bodies, dt: float) -> None:
    """Let bodies without a driver slide, and let bodies that meet push each other; scenery that stands pushes back.

    An NPC vehicle that is hit leaves its lane, a pedestrian falls, an obstacle comes loose: from then on they slide. An
    actor that is touched gently goes on, but not through the other one.

    Args:
        scene: gives the scenery.
        draft: after all actors have moved by the tick; it is changed.
        bodies: of all its actors; those of scenery are added.
        dt: the tick [s].
    """
    sliding = sliding_rows(draft, bodies)
    if bodies.knocked_off:
        off = draft.traffic.present == _OFF_LANE
        draft.traffic.slide_acceleration_x[off] = draft.traffic.slide_acceleration_y[off] = 0.0
    if bodies.knocked_down:
        down = draft.people.state.stage == _DOWN
        draft.people.state.acceleration_x[down] = draft.people.state.acceleration_y[down] = 0.0
    before = bodies.table.floats[_MOTION].copy() if len(sliding) else bodies.table.floats[_MOTION]
    if len(sliding):
        slide_bodies(bodies.table, sliding, dt, draft.friction.road)
    falling = _add_scenery(scene, draft, bodies, dt)
    found = collide(bodies.table, dt)
    change, broken = found.change, found.broken[found.broken >= bodies.scenery]
    if change is not None:
        if scene.scenery.parts.rows:
            gone = np.concatenate((draft.displaced.object, -1 - bodies.table.id[broken]))
            shorten_shifts(scene.scenery, bodies.table, change, gone, dt)
        hit_vehicles(draft.vehicle, draft.parameter, bodies.table, change, dt)
        sliding = np.union1d(sliding, _release_hit_bodies(draft, bodies, change))
        _displace(scene, draft, bodies, falling, broken, change)
    if len(sliding):
        _write_back(draft, bodies, sliding, change)
        if scene.terrain is not None:
            _settle(draft, bodies, sliding, scene.terrain, dt)
        _write_accelerations(draft, bodies, sliding, before, dt)
    contacts = one_per_pair(found.contacts) if bodies.scenery < bodies.table.rows else found.contacts
    draft.contact = remember_contacts(draft.contact, contacts, draft.time)


def _add_scenery(scene: Scene, draft: Draft, bodies: Bodies, dt: float) -> Rows:
    """Add bodies of scenery near the others: what is falling over, and then what stands.

    Returns:
        rows of `draft.displaced` of the former.
    """
    displaced, falling, gone, more = draft.displaced, _NOTHING, _NOTHING, None
    if displaced.rows:
        draft.displaced = displaced = advance_displaced(
            displaced, scene.scenery.objects, scene.terrain, dt, draft.friction.road
        )
        falling, gone = falling_rows(displaced), displaced.object
        more = bodies_of_displaced(displaced.take(falling), scene.scenery.objects)
    asked = bodies.table if more is None else bodies.table.append(more)
    parts = parts_near(scene.scenery, asked, gone, dt)
    if len(parts) or len(falling):
        bodies.table = with_parts(asked, scene.scenery, parts)
    return falling


def _displace(scene: Scene, draft: Draft, bodies: Bodies, falling: Rows, broken: Rows, change: BodyChange) -> None:
    """Write what impacts did to objects of the scenery that fall over, and add those that give way."""
    hit = np.flatnonzero(change.touched[bodies.scenery : bodies.scenery + len(falling)])
    if len(hit):
        table = draft.displaced.copy()
        hit_displaced(table, falling[hit], change.floats[:, bodies.scenery + hit])
        draft.displaced = table
    if len(broken):
        rows = -1 - bodies.table.id[broken]
        draft.displaced = draft.displaced.append(given_way(scene.scenery, rows, change.floats[:, broken]))


def _write_accelerations(draft: Draft, bodies: Bodies, loose: Rows, before: FloatArray, dt: float) -> None:
    """Write accelerations of NPC vehicles and pedestrians that slide or were pushed: change of the origin's velocity.

    Args:
        draft: after `_write_back`.
        bodies: of all its actors.
        loose: rows of the bodies that slide or were pushed.
        before: yaw, velocity east and north of the middle, and yaw rate of all bodies before, see `_MOTION`.
        dt: the tick [s].
    """
    person = loose[(loose >= bodies.person) & (loose < bodies.obstacle)]
    if len(person):
        people, row = draft.people.state, person - bodies.person
        people.acceleration_x[row] = (people.velocity_x[row] - before[_VX, person]) / dt
        people.acceleration_y[row] = (people.velocity_y[row] - before[_VX + 1, person]) / dt
    npc = loose[(loose >= bodies.npc) & (loose < bodies.ghost)]
    if not len(npc):
        return
    traffic, row = draft.traffic, bodies.npc_row[npc - bodies.npc]
    middle = traffic.wheelbase[row] + traffic.front_overhang[row] - 0.5 * traffic.length[row]
    yaw, vx, vy, yaw_rate = before[_YAW, npc], before[_VX, npc], before[_VX + 1, npc], before[_YAW_RATE, npc]
    swing, swing_before = traffic.yaw_rate[row] * middle, yaw_rate * middle
    x = traffic.slide_x[row] + swing * np.sin(traffic.yaw[row]) - (vx + swing_before * np.sin(yaw))
    y = traffic.slide_y[row] - swing * np.cos(traffic.yaw[row]) - (vy - swing_before * np.cos(yaw))
    traffic.slide_acceleration_x[row], traffic.slide_acceleration_y[row] = x / dt, y / dt


def sliding_rows(draft: Draft, bodies: Bodies) -> Rows:
    """Rows of the bodies without a driver that have not come to rest; one that stops in the air falls on."""
    parts: list[Rows] = []
    falls: list[FloatArray] = []
    if bodies.knocked_off:
        off = np.flatnonzero(draft.traffic.present[bodies.npc_row] == _OFF_LANE)
        parts.append(bodies.npc + off)
        falls.append(draft.traffic.fall_speed[bodies.npc_row[off]])
    if bodies.knocked_down:
        down = np.flatnonzero(draft.people.state.stage == _DOWN)
        parts.append(bodies.person + down)
        falls.append(draft.people.state.fall_speed[down])
    if bodies.obstacle < bodies.scenery and draft.obstacles.state.loose.any():
        loose = np.flatnonzero(draft.obstacles.state.loose)
        parts.append(bodies.obstacle + loose)
        falls.append(draft.obstacles.state.velocity_z[loose])
    if not parts:
        return _NOTHING
    rows = np.concatenate(parts)
    table = bodies.table
    moving = (table.velocity_x[rows] != 0.0) | (table.velocity_y[rows] != 0.0) | (table.yaw_rate[rows] != 0.0)
    moving |= np.concatenate(falls) != 0.0
    found: Rows = rows[moving]
    return found


def _release_hit_bodies(draft: Draft, bodies: Bodies, change: BodyChange) -> Rows:
    """NPC vehicles that were hit hard leave their lane, people fall, obstacles slide; the rows of those that move."""
    hit = np.flatnonzero((change.touched > 0) & (bodies.table.movable == 1))
    push = np.hypot(change.velocity_x[hit], change.velocity_y[hit])
    npc = hit[(hit >= bodies.npc) & (hit < bodies.ghost)]
    if len(npc):
        row, delta_v = bodies.npc_row[npc - bodies.npc], push[(hit >= bodies.npc) & (hit < bodies.ghost)]
        moved = (delta_v >= UNMOVED_SPEED) | (np.abs(change.yaw_rate[npc]) >= UNMOVED_TURN)
        moved |= draft.traffic.present[row] == _OFF_LANE
        draft.traffic.present[row[moved]] = _OFF_LANE
        draft.traffic.patience[row[moved]] = 0.0
        npc = npc[moved]
    person = hit[(hit >= bodies.person) & (hit < bodies.obstacle)]
    if len(person):
        falls = push[(hit >= bodies.person) & (hit < bodies.obstacle)] >= UPRIGHT_SPEED
        draft.people.state.stage[person[falls] - bodies.person] = _DOWN
    thing = hit[(hit >= bodies.obstacle) & (hit < bodies.scenery) & (push >= MIN_OBSTACLE_IMPULSE_SPEED)]
    if len(thing):
        draft.obstacles.state.loose[thing - bodies.obstacle] = 1
    return np.concatenate((npc, person, thing))


def _settle(draft: Draft, bodies: Bodies, loose: Rows, terrain: Terrain, dt: float) -> None:
    """Let bodies that slide or were pushed stand on the ground."""
    npc = loose[(loose >= bodies.npc) & (loose < bodies.ghost)]
    if len(npc):
        settle_vehicles(draft.traffic, bodies.npc_row[npc - bodies.npc], terrain, dt)
    person = loose[(loose >= bodies.person) & (loose < bodies.obstacle)] - bodies.person
    person = person[draft.people.state.stage[person] == _DOWN]
    if len(person):
        settle_people(draft.people.state, person, terrain, dt)
    thing = loose[(loose >= bodies.obstacle) & (loose < bodies.scenery)] - bodies.obstacle
    if len(thing):
        settle_obstacles(draft.obstacles.state, thing, terrain, dt)


def _write_back(draft: Draft, bodies: Bodies, loose: Rows, change: BodyChange | None) -> None:
    """Write places and velocities of bodies that slide or were pushed into the tables of their actors."""
    table = bodies.table
    velocity_x, velocity_y, yaw_rate = table.velocity_x[loose], table.velocity_y[loose], table.yaw_rate[loose]
    x, y, yaw = table.x[loose], table.y[loose], table.yaw[loose]
    if change is not None:
        velocity_x, velocity_y = velocity_x + change.velocity_x[loose], velocity_y + change.velocity_y[loose]
        yaw_rate, x, y = yaw_rate + change.yaw_rate[loose], x + change.shift_x[loose], y + change.shift_y[loose]
    npc = (loose >= bodies.npc) & (loose < bodies.ghost)
    if npc.any():
        traffic, row = draft.traffic, bodies.npc_row[loose[npc] - bodies.npc]
        middle = traffic.wheelbase[row] + traffic.front_overhang[row] - 0.5 * traffic.length[row]
        traffic.x[row], traffic.y[row] = x[npc] - middle * np.cos(yaw[npc]), y[npc] - middle * np.sin(yaw[npc])
        traffic.yaw[row], traffic.yaw_rate[row] = yaw[npc], yaw_rate[npc]
        traffic.slide_x[row], traffic.slide_y[row] = velocity_x[npc], velocity_y[npc]
        traffic.speed[row] = np.hypot(velocity_x[npc], velocity_y[npc])
        traffic.acceleration[row] = 0.0
    person = (loose >= bodies.person) & (loose < bodies.obstacle)
    if person.any():
        people, row = draft.people.state, loose[person] - bodies.person
        people.x[row], people.y[row], people.yaw[row] = x[person], y[person], yaw[person]
        people.velocity_x[row], people.velocity_y[row] = velocity_x[person], velocity_y[person]
        people.yaw_rate[row], people.speed[row] = yaw_rate[person], np.hypot(velocity_x[person], velocity_y[person])
    thing = loose >= bodies.obstacle
    if thing.any():
        obstacles, row = draft.obstacles.state, loose[thing] - bodies.obstacle
        obstacles.x[row], obstacles.y[row], obstacles.yaw[row] = x[thing], y[thing], yaw[thing]
        obstacles.velocity_x[row], obstacles.velocity_y[row] = velocity_x[thing], velocity_y[thing]
        obstacles.yaw_rate[row] = yaw_rate[thing]
