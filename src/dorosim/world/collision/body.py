"""Everything that can be hit, as upright boxes in one table."""

from __future__ import annotations

from enum import IntEnum

from dorosim.ground.column import Columns, float64, int64
from dorosim.ground.unit import (
    KILOGRAM,
    KILOGRAM_METRE2,
    METRE,
    METRE_PER_SECOND,
    RADIAN,
    RADIAN_PER_SECOND,
    RATIO,
)

VEHICLE_DRAG_FACTOR = 0.7
"""Deceleration over g of a wrecked vehicle that slides on dry asphalt with its wheels locked or jammed
(R. M. Brach and R. M. Brach, "Vehicle Accident Analysis and Reconstruction Methods", 2nd ed. (2011), chapter 2)."""
PEDESTRIAN_DRAG_FACTOR = 0.66
"""The same of a person (J. Searle, "The physics of throw distance in accident reconstruction", SAE 930659)."""


class BodyKind(IntEnum):
    """The kind of a body. The NPC collision message reports what NPC vehicles and ghosts touch.

    Bodies of scenery are no actors: they are parts of what stands beside the road (`dorosim.road.scenery`), or objects
    of it that have given way.
    """

    EGO = 0
    NPC = 1
    GHOST = 2
    PEDESTRIAN = 3
    OBSTACLE = 4
    SCENERY = 5


ACTOR_KINDS: tuple[BodyKind, ...] = tuple(kind for kind in BodyKind if kind is not BodyKind.SCENERY)
"""The kinds of bodies that are actors."""


class BodyTable(Columns):
    """One row per body: a box that stands upright on its base, with planar velocity.

    Roll and pitch are left out: a vehicle on a slope of 10 % is 1 % shorter seen from above, less than the bumpers are
    rounded. The vertical extent keeps bodies on a bridge from touching those on the road below it.
    """

    x = float64(METRE, "centre of the box, east", frame="map")
    y = float64(METRE, "centre of the box, north", frame="map")
    z = float64(METRE, "centre of the box, up", frame="map")
    yaw = float64(RADIAN, "of the box, counter-clockwise from east", frame="map")
    half_length = float64(METRE, "half of the extent along the body's x")
    half_width = float64(METRE, "half of the extent along the body's y")
    half_height = float64(METRE, "half of the extent along z")
    cg_forward = float64(METRE, "centre of gravity from the centre of the box along the body's x", frame="body")
    velocity_x = float64(METRE_PER_SECOND, "of the centre of gravity, east", frame="map")
    velocity_y = float64(METRE_PER_SECOND, "of the centre of gravity, north", frame="map")
    yaw_rate = float64(RADIAN_PER_SECOND, "counter-clockwise", frame="map")
    mass = float64(KILOGRAM, "greater than 0 where the body is movable")
    inertia = float64(
        KILOGRAM_METRE2, "about the vertical axis through the centre of gravity; 0: that of a uniform box"
    )
    drag_factor = float64(RATIO, "deceleration over g where the body slides on dry asphalt without being driven")
    breakaway_speed = float64(METRE_PER_SECOND, "closing speed from which on it gives way; 0: it never does")
    id = int64("actor id, or a negative one of scenery (`dorosim.road.scenery.table.object_id`)")
    kind = int64("BodyKind")
    movable = int64("1: an impact changes its velocity; 0: it is placed from outside or stands fast")


class BodyChange(Columns):
    """What the impacts of a tick did to each body, row by row as in the `BodyTable`."""

    velocity_x = float64(METRE_PER_SECOND, "change of the centre of gravity's velocity, east", frame="map")
    velocity_y = float64(METRE_PER_SECOND, "change of the centre of gravity's velocity, north", frame="map")
    yaw_rate = float64(RADIAN_PER_SECOND, "change, counter-clockwise", frame="map")
    shift_x = float64(METRE, "correction of the position, east", frame="map")
    shift_y = float64(METRE, "correction of the position, north", frame="map")
    touched = int64("contacts that the body takes part in")
