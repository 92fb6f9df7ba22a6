"""What messages report of an actor around a vehicle."""

from __future__ import annotations

from dorosim.ground.column import Columns, real, reals, whole
from dorosim.ground.unit import METRE, METRE_PER_SECOND, METRE_PER_SECOND2, RADIAN


class NeighbourState(Columns):
    """One row per actor, as seen from one vehicle, nearest first.

    The origin is the centre of the rear axle on the ground, of pedestrians and obstacles the centre of the base. No
    number of it is NaN or infinite. The columns have the order in which messages report an object.
    """

    x = real(METRE, "origin, east", frame="map")
    y = real(METRE, "origin, north", frame="map")
    z = real(METRE, "origin, up", frame="map")
    heading = real(RADIAN, "counter-clockwise from east", frame="map")
    length = real(METRE, "along body x")
    width = real(METRE, "along body y")
    height = real(METRE, "along body z")
    front_overhang = real(METRE, "front axle to front bumper; 0 of what is no vehicle")
    wheelbase = real(METRE, "between the axles; 0 of what is no vehicle")
    rear_overhang = real(METRE, "rear axle to rear bumper; 0 of what is no vehicle")
    velocity = reals(3, METRE_PER_SECOND, "of the origin: forward, left, up", frame="body of the actor")
    acceleration = reals(3, METRE_PER_SECOND2, "of the origin, without gravity", frame="body of the actor")
    id = whole("actor id")
    told = whole("number by which it is told of where there is room for an id: that, or the alias of a ghost")
    number = whole("number by which UDP tells of it")
    kind = whole("BodyKind")
    model = whole("row of the catalogue of its kind")
    link = whole("link under the origin of an NPC vehicle that drives on its lane, else -1")
