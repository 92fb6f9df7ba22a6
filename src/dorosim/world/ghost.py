"""NPC vehicles driven from outside: they are where their sender says (UDP NpcGhostCmd, facts/udp-wire.md, 4.3)."""

from __future__ import annotations

import math

from dorosim.ground.column import Columns, real, whole
from dorosim.ground.unit import METRE, METRE_PER_SECOND, NANOSECOND, RADIAN, RADIAN_PER_SECOND
from dorosim.world.command.traffic import PlaceNpcGhost

LONGEST_PAUSE = 1_000_000_000
"""A ghost that is told of after a longer pause than this [ns] has been put elsewhere and has not driven there."""
MOST_STEER = 1.4
"""Bound of a front wheel angle [rad]."""
FASTEST = 150.0
"""What would be faster than this [m/s] is a jump."""


class GhostState(Columns):
    """One row per ghost, in ascending order of ids. Roll, pitch and yaw as of `VehicleState`."""

    x = real(METRE, "body origin, east", frame="map")
    y = real(METRE, "body origin, north", frame="map")
    z = real(METRE, "body origin, up", frame="map")
    roll = real(RADIAN, "left side up positive", frame="map")
    pitch = real(RADIAN, "nose down positive", frame="map")
    yaw = real(RADIAN, "counter-clockwise from east", frame="map")
    velocity_x = real(METRE_PER_SECOND, "of the body origin, told or between the last two poses, east", frame="map")
    velocity_y = real(METRE_PER_SECOND, "the same, north", frame="map")
    yaw_rate = real(RADIAN_PER_SECOND, "told or between the last two poses")
    id = whole("actor id")
    alias = whole("id that the sender gives")
    model = whole("vehicle model, an index into the scene's models")
    told = whole("when its last pose came [ns]", NANOSECOND)


def new_ghost(actor: int, model: int, command: PlaceNpcGhost, time: int) -> GhostState:
    """A writable row of a ghost that stands where it is told to be."""
    row = GhostState.zeros(1)
    row.id[0], row.alias[0], row.model[0], row.told[0] = actor, command.alias, model, time
    row.x[0], row.y[0], row.z[0] = command.position
    row.roll[0], row.pitch[0], row.yaw[0] = command.rotation
    return row


def tell_motion(ghosts: GhostState, row: int, command: PlaceNpcGhost, wheelbase: float) -> None:
    """Let a ghost move as its sender says, if he says how, and not as its places do; `ghosts` is written.

    The origin is the centre of the rear axle, which moves along the body and turns with the front wheels.
    """
    if command.speed is None:
        return
    yaw = command.rotation[2]
    ghosts.velocity_x[row], ghosts.velocity_y[row] = command.speed * math.cos(yaw), command.speed * math.sin(yaw)
    ghosts.yaw_rate[row] = command.speed * math.tan(command.steer) / wheelbase


def place_ghost(ghosts: GhostState, row: int, command: PlaceNpcGhost, time: int) -> None:
    """Put a ghost where its sender says; its velocity is that between the last two places.

    Args:
        ghosts: writable.
        row: of the ghost.
        command: where it is.
        time: simulated time [ns].
    """
    dx, dy = command.position[0] - ghosts.x[row], command.position[1] - ghosts.y[row]
    turn = math.remainder(command.rotation[2] - ghosts.yaw[row], math.tau)
    dt = (time - int(ghosts.told[row])) * 1e-9
    if 0.0 < dt <= LONGEST_PAUSE * 1e-9 and math.hypot(dx, dy) <= FASTEST * dt:
        ghosts.velocity_x[row], ghosts.velocity_y[row], ghosts.yaw_rate[row] = dx / dt, dy / dt, turn / dt
    elif dt > 0.0:
        ghosts.velocity_x[row] = ghosts.velocity_y[row] = ghosts.yaw_rate[row] = 0.0
    ghosts.x[row], ghosts.y[row], ghosts.z[row] = command.position
    ghosts.roll[row], ghosts.pitch[row], ghosts.yaw[row] = command.rotation
    ghosts.told[row] = time


def rest_ghosts(ghosts: GhostState, time: int) -> None:
    """Let ghosts stand of which nothing has been heard for long; `ghosts` is written."""
    if not ghosts.rows:
        return
    silent = time - ghosts.told > LONGEST_PAUSE
    if silent.any():
        for column in (ghosts.velocity_x, ghosts.velocity_y, ghosts.yaw_rate):
            column[silent] = 0.0
