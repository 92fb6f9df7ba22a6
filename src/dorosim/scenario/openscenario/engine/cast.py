"""Which actors the entities of a scenario become: the models of the world that are most like them."""

from __future__ import annotations

import math
from collections.abc import Sequence

from dorosim.scenario.openscenario.engine.program import BodyBox, EntityKind, EntityPlan
from dorosim.world.obstacle.state import OBSTACLE_MODELS, obstacle_model_row
from dorosim.world.pedestrian.model import PEDESTRIAN_MODELS, pedestrian_model_row
from dorosim.world.storyboard.engine import NO_ENTITY, BodyShape, Cast, EntityBody
from dorosim.world.vehicle.catalogue import VEHICLE_MODELS, nearest_model_row

EGO_NAMES = ("Ego", "hero")
"""Names of the ego vehicle where no property names it, in any case of letters: esmini and CARLA use these."""
_CLASSES = {
    "car": ("hatchback", "sedan", "suv", "van"),
    "van": ("van",),
    "truck": ("truck", "bus"),
    "semitrailer": ("truck", "bus"),
    "trailer": ("truck", "bus"),
    "bus": ("bus",),
    "tram": ("bus",),
    "train": ("bus",),
}
"""Classes of our vehicles that stand for a category of the standard."""
_ROLES = {"publicTransport": {"van": ("bus",), "truck": ("bus",)}}
"""Classes for a role and a category, where the role says more."""
_RIDDEN = {"bicycle": "bicycle", "motorbike": "motorbike"}
"""Categories of vehicles that are persons with a vehicle in the world."""
_OBSTACLES = {"barrier": "barrier", "railing": "barrier", "soundBarrier": "concrete_barrier", "tree": "tree"}
"""Models of obstacles by the category; others are boxes."""
_FLAT = frozenset({"crosswalk", "parkingSpace", "patch", "roadMark", "trafficIsland", "wind"})
"""Categories of objects that nothing bumps into."""


def cast_of(entities: Sequence[EntityPlan], ego_name: str = "") -> Cast:
    """The entities as bodies of the world.

    Args:
        entities: of a scenario.
        ego_name: the entity that is the ego vehicle; "": as `ego_row` finds it.
    """
    return Cast(bodies=tuple(map(_body, entities)), ego=ego_row(entities, ego_name))


def ego_row(entities: Sequence[EntityPlan], name: str = "") -> int:
    """Row of the ego vehicle, NO_ENTITY where there is none.

    It is the vehicle of that name; without a name that with the property type=ego_vehicle, else one of a usual name,
    else the first one.
    """
    rows = [row for row, one in enumerate(entities) if _shape(one) is BodyShape.VEHICLE]
    if name:
        return next((row for row in rows if entities[row].name == name), NO_ENTITY)
    marked = [row for row in rows if entities[row].is_ego]
    named = [row for usual in EGO_NAMES for row in rows if entities[row].name.casefold() == usual.casefold()]
    return next(iter((*marked, *named, *rows)), NO_ENTITY)


def _shape(plan: EntityPlan) -> BodyShape:
    if plan.kind is EntityKind.PEDESTRIAN or plan.category in _RIDDEN:
        return BodyShape.PERSON
    if plan.kind is EntityKind.MISC:
        return BodyShape.NONE if plan.category in _FLAT else BodyShape.OBSTACLE
    return BodyShape.VEHICLE


def _body(plan: EntityPlan) -> EntityBody:
    shape, box = _shape(plan), plan.box
    if shape is BodyShape.VEHICLE:
        model = _vehicle_model(plan)
    elif shape is BodyShape.PERSON:
        model = _person_model(plan)
    else:
        model = _obstacle_model(plan)
    return EntityBody(
        name=plan.name,
        shape=shape,
        model=model,
        length=box.length,
        width=box.width,
        height=box.height,
        middle=(box.x, box.y, box.z),
        wheelbase=plan.wheelbase,
        mass=0.0 if math.isnan(plan.mass) else plan.mass,
        wheel_radius=plan.wheel_radius,
        tracks=(plan.front_track, plan.rear_track),
        max_steer=plan.max_steering,
        max_rear_steer=plan.max_rear_steering,
        max_speed=plan.max_speed,
        max_acceleration=plan.max_acceleration,
        max_deceleration=plan.max_deceleration,
    )


def _vehicle_model(plan: EntityPlan) -> int:
    """The model of that name, else the one of a fitting class that is nearest in size."""
    row, exact = nearest_model_row(plan.model)
    if exact:
        return row
    classes = _ROLES.get(plan.role, {}).get(plan.category) or _CLASSES.get(plan.category, ())
    fitting = [at for at, model in enumerate(VEHICLE_MODELS) if model.category in classes]
    if not fitting or not _has_size(plan.box):
        return row if not fitting or VEHICLE_MODELS[row].category in classes else fitting[0]
    return min(fitting, key=lambda at: _unlikeness(plan.box, at))


def _unlikeness(box: BodyBox, row: int) -> float:
    """How far the sizes of a box and of a model of vehicles are apart: sum of the logarithms of their ratios."""
    model = VEHICLE_MODELS[row]
    pairs = ((box.length, model.length), (box.width, model.width), (box.height, model.height))
    return sum(abs(math.log(one / other)) for one, other in pairs)


def _person_model(plan: EntityPlan) -> int:
    if plan.category in _RIDDEN:
        return pedestrian_model_row(_RIDDEN[plan.category])[0]
    if plan.category == "wheelchair":
        return pedestrian_model_row("wheelchair")[0]
    row, exact = pedestrian_model_row(plan.model)
    if plan.category == "animal" and not exact:
        return pedestrian_model_row("child")[0]  # the smallest of those that walk
    if exact or not _has_size(plan.box) or row:
        return row
    child = pedestrian_model_row("child")[0]
    adult, small = PEDESTRIAN_MODELS[0].height, PEDESTRIAN_MODELS[child].height
    return child if plan.box.height < 0.5 * (adult + small) else 0


def _obstacle_model(plan: EntityPlan) -> int:
    row, exact = obstacle_model_row(plan.model)
    if exact or (row and OBSTACLE_MODELS[row].name in plan.model.casefold()):
        return row
    return obstacle_model_row(_OBSTACLES.get(plan.category, "box"))[0]


def _has_size(box: BodyBox) -> bool:
    return box.length > 0.0 and box.width > 0.0 and box.height > 0.0
