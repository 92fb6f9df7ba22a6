"""Ghosts: NPC vehicles that a client places, at the poses that it sends (UDP NpcGhostCmd, facts/udp-wire.md, 4.3)."""

from __future__ import annotations

import math

import numpy as np

from dorosim.ground.column import Columns, IntArray, float64, int64
from dorosim.ground.unit import METRE, METRE_PER_SECOND, METRE_PER_SECOND2, NANOSECOND, RADIAN, RADIAN_PER_SECOND
from dorosim.world.actor.number import LAST_NUMBER
from dorosim.world.traffic.command import PlaceNpcGhost

MAX_GHOST_PAUSE = 1_000_000_000
"""A pose that comes later than this after the one before [ns] counts as a jump, not as a drive; without a new pose for
so long a ghost stands."""
MAX_GHOST_STEER = 1.4
"""Bound of a front wheel angle [rad]."""
MAX_GHOST_SPEED = 150.0
"""A ghost that would be faster than this between two poses [m/s] counts as put there."""


class GhostState(Columns):
    """One row per ghost, in ascending order of ids. Roll, pitch and yaw as of `VehicleState`.

    Every interface publishes a ghost under the alias that its sender gives, where no actor has that number when the
    ghost is made, and else under its id (docs/decisions/0035-numbers-on-udp.md).
    """

    x = float64(METRE, "body origin, east", frame="map")
    y = float64(METRE, "body origin, north", frame="map")
    z = float64(METRE, "body origin, up", frame="map")
    roll = float64(RADIAN, "left side up positive", frame="map")
    pitch = float64(RADIAN, "nose down positive", frame="map")
    yaw = float64(RADIAN, "counter-clockwise from east", frame="map")
    velocity_x = float64(METRE_PER_SECOND, "of the body origin, told or between the last two poses, east", frame="map")
    velocity_y = float64(METRE_PER_SECOND, "the same, north", frame="map")
    yaw_rate = float64(RADIAN_PER_SECOND, "told or between the last two poses")
    acceleration_x = float64(
        METRE_PER_SECOND2, "of the body origin, between the last two velocities, east", frame="map"
    )
    acceleration_y = float64(METRE_PER_SECOND2, "the same, north", frame="map")
    id = int64("actor id")
    alias = int64("id that the sender gives")
    model = int64("vehicle model, an index into the scene's models")
    told = int64("when its last pose came [ns]", NANOSECOND)
    is_told = int64("1: it is told of by its alias, 0: by its id")
    moves = int64("1: its velocity is known, 0: it has been put where it is")

    def row_reported_as(self, number: int) -> int:
        """Row of the ghost that is published under an alias, -1 for none."""
        rows = np.flatnonzero((self.alias == number) & (self.is_told != 0))
        return int(rows[0]) if len(rows) else -1

    def reported_besides(self) -> IntArray:
        """`(N,)` rows of ghosts published under an alias that is a UDP number but not their id; they use two."""
        rows = (self.is_told != 0) & (self.alias > 0) & (self.alias <= LAST_NUMBER) & (self.alias != self.id)
        return np.flatnonzero(rows)


def new_ghost(actor: int, model: int, command: PlaceNpcGhost, time: int, wheelbase: float) -> GhostState:
    """A writable row of a ghost at the commanded pose; it stands, unless the command gives a speed.

    Args:
        actor: its id.
        model: row of the catalogue.
        command: its pose, and its speed if given.
        time: simulated time [ns].
        wheelbase: of the model [m].
    """
    row = GhostState.zeros(1)
    row.id[0], row.alias[0], row.model[0], row.told[0] = actor, command.alias, model, time
    row.x[0], row.y[0], row.z[0] = command.position
    row.roll[0], row.pitch[0], row.yaw[0] = command.rotation
    motion = _told_motion(command, wheelbase)
    if motion is not None:
        row.velocity_x[0], row.velocity_y[0], row.yaw_rate[0] = motion
        row.moves[0] = 1
    return row


def place_ghost(ghosts: GhostState, row: int, command: PlaceNpcGhost, time: int, wheelbase: float) -> None:
    """Put a ghost at the commanded pose.

    Its velocity is the commanded one if the command has a speed, else that between the last two poses; its acceleration
    is that between the last two velocities.

    Args:
        ghosts: writable.
        row: of the ghost.
        command: its pose, and its speed if given.
        time: simulated time [ns].
        wheelbase: of its model [m].
    """
    dx, dy = command.position[0] - ghosts.x[row], command.position[1] - ghosts.y[row]
    turn = math.remainder(command.rotation[2] - ghosts.yaw[row], math.tau)
    dt = (time - int(ghosts.told[row])) * 1e-9
    driven = 0.0 < dt <= MAX_GHOST_PAUSE * 1e-9 and math.hypot(dx, dy) <= MAX_GHOST_SPEED * dt
    motion = _told_motion(command, wheelbase)
    if motion is None and driven:
        motion = (dx / dt, dy / dt, turn / dt)
    if motion is not None:
        vx, vy, rate = motion
        if driven and ghosts.moves[row]:
            ghosts.acceleration_x[row] = (vx - ghosts.velocity_x[row]) / dt
            ghosts.acceleration_y[row] = (vy - ghosts.velocity_y[row]) / dt
        elif dt > 0.0:
            ghosts.acceleration_x[row] = ghosts.acceleration_y[row] = 0.0
        ghosts.velocity_x[row], ghosts.velocity_y[row], ghosts.yaw_rate[row] = vx, vy, rate
        ghosts.moves[row] = 1
    elif dt > 0.0:
        _stop(ghosts, np.array([row]))
    ghosts.x[row], ghosts.y[row], ghosts.z[row] = command.position
    ghosts.roll[row], ghosts.pitch[row], ghosts.yaw[row] = command.rotation
    ghosts.told[row] = time


def _told_motion(command: PlaceNpcGhost, wheelbase: float) -> tuple[float, float, float] | None:
    """Velocity east and north [m/s] and yaw rate [rad/s] by the commanded speed; None where the command has none.

    The origin is the centre of the rear axle, which moves along the body and turns with the front wheels.
    """
    if command.speed is None:
        return None
    yaw = command.rotation[2]
    rate = command.speed * math.tan(command.steer) / wheelbase
    return command.speed * math.cos(yaw), command.speed * math.sin(yaw), rate


def rest_ghosts(ghosts: GhostState, time: int) -> None:
    """Let ghosts stand whose last pose came more than MAX_GHOST_PAUSE ago; `ghosts` is written."""
    if not ghosts.rows:
        return
    silent = np.flatnonzero(time - ghosts.told > MAX_GHOST_PAUSE)
    if len(silent):
        _stop(ghosts, silent)


def _stop(ghosts: GhostState, rows: IntArray) -> None:
    """Let ghosts stand, and mark their motion as not known."""
    motion = (ghosts.velocity_x, ghosts.velocity_y, ghosts.yaw_rate, ghosts.acceleration_x, ghosts.acceleration_y)
    for column in motion:
        column[rows] = 0.0
    ghosts.moves[rows] = 0
