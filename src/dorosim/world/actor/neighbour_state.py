"""What messages report of an actor around a vehicle."""

from __future__ import annotations

from dorosim.ground.column import Columns, float64, float64_vector, int64
from dorosim.ground.unit import METRE, METRE_PER_SECOND, METRE_PER_SECOND2, RADIAN


class NeighbourState(Columns):
    """One row per actor, as seen from one vehicle, nearest first.

    The origin is the centre of the rear axle on the ground, of pedestrians and obstacles the centre of the base. No
    number of it is NaN or infinite. The columns have the order in which messages report an object.
    """

    x = float64(METRE, "origin, east", frame="map")
    y = float64(METRE, "origin, north", frame="map")
    z = float64(METRE, "origin, up", frame="map")
    heading = float64(RADIAN, "counter-clockwise from east", frame="map")
    length = float64(METRE, "along body x")
    width = float64(METRE, "along body y")
    height = float64(METRE, "along body z")
    front_overhang = float64(METRE, "front axle to front bumper; 0 of what is no vehicle")
    wheelbase = float64(METRE, "between the axles; 0 of what is no vehicle")
    rear_overhang = float64(METRE, "rear axle to rear bumper; 0 of what is no vehicle")
    velocity = float64_vector(3, METRE_PER_SECOND, "of the origin: forward, left, up", frame="body of the actor")
    acceleration = float64_vector(3, METRE_PER_SECOND2, "of the origin, without gravity", frame="body of the actor")
    id = int64("actor id")
    told = int64("number by which it is told of where there is room for an id: that, or the alias of a ghost")
    number = int64("number by which UDP tells of it")
    kind = int64("BodyKind")
    model = int64("row of the catalogue of its kind")
    link = int64("link under the origin of an NPC vehicle that drives on its lane, else -1")
