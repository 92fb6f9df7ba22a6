"""All actors as bodies: the one table that collisions, traffic, messages and sensors look at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from dorosim.ground.column import IntArray, writable
from dorosim.world.actor.body_kernel import write_npc_bodies, write_person_bodies
from dorosim.world.collision.body import VEHICLE_DRAG_FACTOR, BodyKind, BodyTable
from dorosim.world.collision.vehicle import bodies_from_vehicles
from dorosim.world.obstacle.state import OBSTACLE_MODELS, Obstacles
from dorosim.world.pedestrian.model import PEDESTRIAN_MODELS
from dorosim.world.pedestrian.state import Pedestrians
from dorosim.world.scene import Scene
from dorosim.world.traffic.ghost import GhostState
from dorosim.world.traffic.state import TrafficState
from dorosim.world.vehicle.parameter import VehicleParameter
from dorosim.world.vehicle.state import VehicleState


class Actors(Protocol):
    """What has actors: a Snapshot, or the draft of one."""

    @property
    def vehicle(self) -> VehicleState:
        """Vehicles with full dynamics."""

    @property
    def parameter(self) -> VehicleParameter:
        """Their parameters."""

    @property
    def traffic(self) -> TrafficState:
        """NPC vehicles."""

    @property
    def ghost(self) -> GhostState:
        """NPC vehicles that are driven from outside."""

    @property
    def people(self) -> Pedestrians:
        """Pedestrians."""

    @property
    def obstacles(self) -> Obstacles:
        """Obstacles."""


@dataclass(slots=True, eq=False)
class Bodies:
    """The bodies of all actors: first vehicles with full dynamics, then NPC vehicles, ghosts, people, obstacles.

    Attributes:
        table: one row each; a vehicle that waits off the map has none.
        npc, ghost, person, obstacle: first row of each kind; vehicles with full dynamics begin at 0.
        scenery: the row after the last actor, where collisions add bodies of scenery.
        npc_row: `(ghost - npc,)` row in the traffic table of each NPC vehicle that has a body.
        knocked_off: whether some of those are off their lane.
        knocked_down: whether some of the pedestrians were knocked down.
    """

    table: BodyTable
    npc: int
    ghost: int
    person: int
    obstacle: int
    scenery: int
    npc_row: IntArray
    knocked_off: bool
    knocked_down: bool = False

    def other_than_people(self) -> IntArray:
        """`(N,)` rows of the bodies of vehicles and obstacles; writable."""
        return np.concatenate((np.arange(self.person), np.arange(self.obstacle, self.scenery)))


def bodies_of(scene: Scene, actors: Actors, *, on_lane: bool = True) -> Bodies:
    """The bodies of all actors, as they are now.

    Args:
        scene: gives the models of vehicles.
        actors: a draft, or a Snapshot.
        on_lane: False leaves out NPC vehicles that drive on their lanes.
    """
    bodies = vehicle_bodies(scene, actors, on_lane=on_lane)
    add_people(bodies, actors)
    add_obstacles(bodies, actors)
    return bodies


def vehicle_bodies(scene: Scene, actors: Actors, *, on_lane: bool = True) -> Bodies:
    """The bodies of all vehicles, with room in the table for people and obstacles; arguments as of `bodies_of`."""
    traffic, ghosts = actors.traffic, actors.ghost
    npc, candidates = actors.vehicle.rows, traffic.rows
    table = BodyTable.zeros(npc + candidates + ghosts.rows + actors.people.state.rows + actors.obstacles.state.rows)
    bodies_from_vehicles(table, actors.parameter, actors.vehicle)
    npc_row, count, knocked_off = np.empty(candidates, np.int64), 0, False
    if candidates:
        state, ints, size = writable(traffic.floats), writable(traffic.ints), scene.body_sizes
        count, off = write_npc_bodies(state, ints, size, table.floats, table.ints, npc, on_lane, npc_row)
        knocked_off = off > 0
    ghost = npc + count
    if ghosts.rows:
        _write_ghosts(scene, ghosts, table, ghost)
    person = ghost + ghosts.rows
    obstacle = person + actors.people.state.rows
    rows = obstacle + actors.obstacles.state.rows
    if count < candidates:
        table = BodyTable(table.floats[:, :rows].copy(), table.ints[:, :rows].copy())
    return Bodies(table, npc, ghost, person, obstacle, rows, npc_row[:count], knocked_off)


def add_people(bodies: Bodies, actors: Actors) -> None:
    """Write the bodies of people, as they are now."""
    table = bodies.table
    if bodies.person < bodies.obstacle:
        state, ints = writable(actors.people.state.floats), writable(actors.people.state.ints)
        down = write_person_bodies(state, ints, PERSON_SIZES, table.floats, table.ints, bodies.person)
        bodies.knocked_down = down > 0


def add_obstacles(bodies: Bodies, actors: Actors) -> None:
    """Write the bodies of obstacles, as they are now."""
    if bodies.obstacle < bodies.table.rows:
        _write_obstacles(actors.obstacles, bodies.table, bodies.obstacle)


def _write_ghosts(scene: Scene, ghost: GhostState, table: BodyTable, start: int) -> None:
    rows = slice(start, start + len(ghost))
    length, width, height, _, middle = scene.body_sizes[ghost.model].T
    c, s = np.cos(ghost.yaw), np.sin(ghost.yaw)
    table.x[rows], table.y[rows] = ghost.x + middle * c, ghost.y + middle * s
    table.z[rows], table.yaw[rows] = ghost.z + 0.5 * height, ghost.yaw
    table.half_length[rows], table.half_width[rows], table.half_height[rows] = 0.5 * length, 0.5 * width, 0.5 * height
    table.velocity_x[rows] = ghost.velocity_x - ghost.yaw_rate * middle * s
    table.velocity_y[rows] = ghost.velocity_y + ghost.yaw_rate * middle * c
    table.yaw_rate[rows], table.mass[rows] = ghost.yaw_rate, 1.0
    table.drag_factor[rows] = VEHICLE_DRAG_FACTOR
    table.id[rows], table.kind[rows] = ghost.id, BodyKind.GHOST


def _write_obstacles(obstacles: Obstacles, table: BodyTable, start: int) -> None:
    state, rows = obstacles.state, slice(start, start + len(obstacles))
    mass = _OBSTACLE_MASS[state.model] * np.prod(state.scale, axis=0)
    table.x[rows], table.y[rows], table.z[rows] = state.x, state.y, state.z + 0.5 * state.height
    table.yaw[rows], table.yaw_rate[rows] = state.yaw, state.yaw_rate
    table.half_length[rows], table.half_width[rows] = 0.5 * state.length, 0.5 * state.width
    table.half_height[rows], table.mass[rows] = 0.5 * state.height, mass
    table.velocity_x[rows], table.velocity_y[rows] = state.velocity_x, state.velocity_y
    table.drag_factor[rows] = VEHICLE_DRAG_FACTOR
    fixed = (state.loose == 0) & (state.driven == 0) & (state.moving == 0)
    limit = np.where(fixed, _OBSTACLE_BREAKAWAY_SPEED[state.model], 0.0)
    table.breakaway_speed[rows] = limit
    table.id[rows], table.kind[rows] = state.id, BodyKind.OBSTACLE
    table.movable[rows] = (mass > 0.0) & (limit == 0.0)


PERSON_SIZES = np.array([(model.length, model.width, model.height, model.mass) for model in PEDESTRIAN_MODELS])
"""`(models, 4)` length, width, height [m] and mass [kg] of each pedestrian model, read-only."""
_OBSTACLE_MASS = np.array([model.mass for model in OBSTACLE_MODELS])
_OBSTACLE_BREAKAWAY_SPEED = np.array([model.breakaway_speed for model in OBSTACLE_MODELS])
for _table in (PERSON_SIZES, _OBSTACLE_MASS, _OBSTACLE_BREAKAWAY_SPEED):
    _table.flags.writeable = False
