"""What the entities of a file have besides box and speed: steering, trailers, controllers."""

from __future__ import annotations

import math
from dataclasses import replace

from dorosim.scenario.openscenario.engine.names import ScenarioNames
from dorosim.scenario.openscenario.engine.program import EntityPlan, TrailerMount, Use
from dorosim.scenario.openscenario.record.entity import Entities, MiscObject, Pedestrian, ScenarioObject, Vehicle
from dorosim.scenario.openscenario.record.file import ScenarioDefinition
from dorosim.scenario.openscenario.record.property import Properties
from dorosim.scenario.openscenario.record.vehicle import TrailerCoupler, TrailerHitch

STEERING_RATIO = "steeringRatio"
"""A property of a vehicle: angle of the steering wheel over that of the front wheels."""


def objects_of(entities: Entities) -> list[ScenarioObject]:
    """The entities of a file, and behind them the trailers that stand inside of their vehicles."""
    found = list(entities.scenario_objects)
    for one in found:
        vehicle = one.entity_object.chosen
        if isinstance(vehicle, Vehicle) and vehicle.trailer is not None and vehicle.trailer.trailer is not None:
            found.append(vehicle.trailer.trailer)
    return found


def complete_entities(names: ScenarioNames, scenario: ScenarioDefinition) -> None:
    """Give the entities what the file says of steering, trailers and controllers.

    Raises:
        InputError: a trailer is not there.
    """
    completed = []
    for one, plan in zip(objects_of(scenario.entities), names.entities, strict=True):
        controllers = tuple(
            number for each in one.object_controllers if (number := names.object_controllers.add(each)) >= 0
        )
        completed.append(replace(_complete(names, one, plan), controllers=controllers))
    names.entities = tuple(completed)
    names.object_controllers.add_all(scenario.storyboard)


def _complete(names: ScenarioNames, one: ScenarioObject, plan: EntityPlan) -> EntityPlan:
    chosen = one.entity_object.chosen
    if isinstance(chosen, Pedestrian):
        role = "" if chosen.role is None else str(chosen.role.value)
        return replace(plan, mass=_mass(chosen.mass), role=role)
    if isinstance(chosen, MiscObject):
        return replace(plan, mass=_mass(chosen.mass))
    if not isinstance(chosen, Vehicle):
        return plan
    performance, front, rear = chosen.performance, chosen.axles.front_axle, chosen.axles.rear_axle
    trailer = _trailer(names, chosen)
    if trailer >= 0:
        names.uses.add(Use.TRAILER)
    return replace(
        plan,
        max_steering=0.0 if front is None else abs(front.max_steering),
        max_rear_steering=abs(rear.max_steering),
        wheel_radius=0.5 * rear.wheel_diameter,
        front_track=0.0 if front is None else front.track_width,
        rear_track=rear.track_width,
        max_acceleration_rate=_limit(performance.max_acceleration_rate),
        max_deceleration_rate=_limit(performance.max_deceleration_rate),
        mass=_mass(chosen.mass),
        steering_ratio=_number_of(chosen.properties, STEERING_RATIO, plan.steering_ratio),
        hitch=_mount(chosen.trailer_hitch),
        coupler=_mount(chosen.trailer_coupler),
        trailer=trailer,
        role="" if chosen.role is None else str(chosen.role.value),
    )


def _trailer(names: ScenarioNames, one: Vehicle) -> int:
    """The number of the trailer of a vehicle, -1 for none."""
    if one.trailer is None:
        return -1
    if one.trailer.trailer is not None:
        return names.entity(one.trailer.trailer, one.trailer.trailer.name)
    reference = one.trailer.trailer_ref
    return -1 if reference is None else names.entity(reference, reference.entity_ref)


def _mount(one: TrailerHitch | TrailerCoupler | None) -> TrailerMount | None:
    return None if one is None else TrailerMount(one.dx, math.nan if one.dz is None else one.dz)


def _mass(value: float | None) -> float:
    return math.nan if value is None or value <= 0.0 else value


def _limit(value: float | None) -> float:
    """A rate that a file does not give, or gives as 0 for unset, is not bound."""
    return math.inf if value is None or value <= 0.0 else value


def _number_of(properties: Properties | None, name: str, otherwise: float) -> float:
    """The number of a free property."""
    for one in () if properties is None else properties.properties:
        if one.name.lower() == name.lower():
            try:
                value = float(one.value)
            except ValueError:
                continue
            if math.isfinite(value) and value > 0.0:
                return value
    return otherwise
