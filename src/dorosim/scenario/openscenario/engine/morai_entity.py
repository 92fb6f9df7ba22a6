"""What MORAI's properties make of an entity."""

from __future__ import annotations

import math
from dataclasses import replace

from dorosim.scenario.openscenario.engine.program import EntityPlan
from dorosim.scenario.openscenario.morai import (
    DRIVER_PROPERTIES,
    DYNAMICS,
    MOTION_MODEL,
    plain_word,
    property_of,
    stays,
)
from dorosim.scenario.openscenario.record.entity import ScenarioObject, Vehicle
from dorosim.world.storyboard.mover import Mover


def as_morai_has_it(plan: EntityPlan, one: ScenarioObject) -> EntityPlan:
    """An entity with what MORAI's files say of it.

    MORAI SIM writes zeros for limits of a vehicle that are not set, so a vehicle with zeros only has none. An object
    whose `moving_obstacle` is off stays. A vehicle whose `MotionModel` is "Dynamics" follows its actions by tyres; one
    that checks lights or keeps a distance has a driver, which is what these are for.

    Args:
        plan: of the entity.
        one: its record.
    """
    chosen = one.entity_object.chosen
    if isinstance(chosen, Vehicle):
        plan = replace(plan, mover=mover_of(chosen))
        limits = chosen.performance
        if not (limits.max_speed or limits.max_acceleration or limits.max_deceleration):
            return replace(plan, max_speed=math.inf, max_acceleration=math.inf, max_deceleration=math.inf)
        return plan
    return replace(plan, stays=True, max_speed=0.0) if stays(one) else plan


def mover_of(vehicle: Vehicle) -> Mover:
    """Who moves a vehicle by its properties."""
    for name in DRIVER_PROPERTIES:
        if plain_word(property_of(vehicle.properties, name) or "") in ("true", "1", "on"):
            return Mover.DRIVER
    model = plain_word(property_of(vehicle.properties, MOTION_MODEL) or "")
    return Mover.DYNAMICS if model == DYNAMICS else Mover.DEFAULT
