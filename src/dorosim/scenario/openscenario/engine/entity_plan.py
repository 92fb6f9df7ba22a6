"""An entity of a file as a plan."""

from __future__ import annotations

from dorosim.scenario.openscenario.engine.program import BodyBox, EntityKind, EntityPlan
from dorosim.scenario.openscenario.record.entity import (
    ExternalObjectReference,
    MiscObject,
    Pedestrian,
    ScenarioObject,
    Vehicle,
)
from dorosim.scenario.openscenario.record.property import Properties
from dorosim.scenario.openscenario.record.vehicle import BoundingBox


def entity_plan(one: ScenarioObject) -> EntityPlan:
    """An entity of the file."""
    chosen = one.entity_object.chosen
    if isinstance(chosen, Vehicle):
        performance, axle = chosen.performance, chosen.axles.front_axle
        return EntityPlan(
            name=one.name,
            kind=EntityKind.VEHICLE,
            model=chosen.model3d or chosen.name,
            category=chosen.vehicle_category.value,
            is_ego=_is_ego(chosen.properties),
            box=_box(chosen.bounding_box),
            max_speed=performance.max_speed,
            max_acceleration=performance.max_acceleration,
            max_deceleration=performance.max_deceleration,
            wheelbase=axle.position_x if axle is not None else 0.0,
        )
    if isinstance(chosen, Pedestrian):
        return EntityPlan(
            name=one.name,
            kind=EntityKind.PEDESTRIAN,
            model=chosen.model3d or chosen.model or chosen.name,
            category=chosen.pedestrian_category.value,
            box=_box(chosen.bounding_box),
        )
    if isinstance(chosen, MiscObject):
        return EntityPlan(
            name=one.name,
            kind=EntityKind.MISC,
            model=chosen.model3d or chosen.name,
            category=chosen.misc_object_category.value,
            box=_box(chosen.bounding_box),
        )
    outside = chosen.name if isinstance(chosen, ExternalObjectReference) else ""
    return EntityPlan(name=one.name, kind=EntityKind.EXTERNAL, external=outside)


def _is_ego(properties: Properties | None) -> bool:
    """Whether a vehicle is marked as the ego vehicle, as CARLA's scenario runner and MORAI SIM have it."""
    known = () if properties is None else properties.properties
    return any(one.name == "type" and one.value == "ego_vehicle" for one in known)


def _box(box: BoundingBox) -> BodyBox:
    center, size = box.center, box.dimensions
    return BodyBox(center.x, center.y, center.z, size.length, size.width, size.height)
