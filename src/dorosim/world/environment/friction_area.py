"""Map objects that change the grip of wheels: puddles, ice, and areas of any friction; and smoke, which leaves it.

The documents attach a friction area to the map object of its unique id (documents/grpc-api-en.txt, CreateMapObject
and SetFrictionOnArea; the Standard API creates both at once, facts/standard-api.json, CreateFrictionControlAreaParam).
They leave open what the radii and the height are measured from. Here (design/seams.md: "radii are metres") an area is
an ellipse around the object's position, its vertical radius along the object's x, which points up on a plan that is
drawn in its heading, and its horizontal radius along its y. It acts on wheels that stand between `DEPTH_BELOW_OBJECT`
under the object's position and the height above it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from dorosim.ground.column import Columns, float64, int64
from dorosim.ground.unit import METRE, RADIAN, RATIO

DEPTH_BELOW_OBJECT = 0.5
"""Roads sink below the plane of an object on a slope or a crown [m]."""


@dataclass(frozen=True, slots=True)
class MapObjectModel:
    """What a map object of a name does before an area is set for it.

    Attributes:
        name: as the client writes it; upper and lower case are the same.
        vertical_radius, horizontal_radius, height: [m].
        multiplier: of the friction of dry asphalt.
        smoke: density of the smoke in its area [kg/m³].
    """

    name: str
    vertical_radius: float
    horizontal_radius: float
    height: float
    multiplier: float
    smoke: float = 0.0


MAP_OBJECT_MODELS = (
    MapObjectModel("", 0.0, 0.0, 0.0, 1.0),
    MapObjectModel("Puddle", 1.5, 1.0, 0.5, 0.6),
    MapObjectModel("Ice", 1.5, 1.0, 0.5, 0.12),
    MapObjectModel("Smoke", 10.0, 6.0, 5.0, 1.0, 3e-5),
    MapObjectModel("DenseSmoke", 10.0, 6.0, 5.0, 1.0, 3e-4),
)
"""Row 0 is every other object: it has no effect until an area is set.

Multipliers: a car tyre in puddles of 2 mm at 50 km/h has a friction of about 0.5 over 0.85 on dry road, on ice 0.1
(Bosch, "Automotive Handbook", table of static friction of tyres). The sizes are ours. Smoke fills the upper half of an
ellipsoid over its area, by its height; through it one sees 10 m, or 1 m, by the extinction that
`dorosim.world.environment.atmosphere` has.
"""


class MapObjectTable(Columns):
    """One row per map object, sorted by id."""

    x = float64(METRE, "east", frame="map")
    y = float64(METRE, "north", frame="map")
    z = float64(METRE, "up", frame="map")
    roll = float64(RADIAN, "right-handed", frame="map")
    pitch = float64(RADIAN, "right-handed", frame="map")
    yaw = float64(RADIAN, "counter-clockwise from east", frame="map")
    vertical_radius = float64(METRE, "half axis along the object's x")
    horizontal_radius = float64(METRE, "half axis along the object's y")
    height = float64(METRE, "how far above the object's position the area reaches")
    multiplier = float64(RATIO, "of the grip of wheels in the area")
    id = int64("actor id")
    model = int64("row of MAP_OBJECT_MODELS")


@dataclass(frozen=True, slots=True, eq=False)
class Friction:
    """What the ground does to wheels: part of a snapshot, never changed, only replaced.

    Attributes:
        road: friction of all roads over that of dry asphalt (Standard API, SetRoadFriction).
        objects: the map objects, read-only.
    """

    road: float = 1.0
    objects: MapObjectTable = field(default_factory=lambda: MapObjectTable.zeros(0).freeze())

    def without(self, actors: frozenset[int]) -> Friction:
        """Without some objects; ids that no object has are ignored."""
        return replace(self, objects=self.objects.take(~np.isin(self.objects.id, list(actors))).freeze())

    def row_of(self, actor: int) -> int:
        """Row of an object, -1 if there is none of this id."""
        return self.objects.row_of(actor)


def model_of(name: str) -> int:
    """The row of a model's name in `MAP_OBJECT_MODELS`, 0 for a name that is not there."""
    wanted = name.casefold()
    return next((row for row, model in enumerate(MAP_OBJECT_MODELS) if model.name.casefold() == wanted), 0)
