"""What MORAI's properties make of an entity."""

from __future__ import annotations

import math
from dataclasses import replace

from dorosim.scenario.openscenario.engine.program import EntityPlan
from dorosim.scenario.openscenario.morai import stays
from dorosim.scenario.openscenario.record.entity import ScenarioObject, Vehicle


def as_morai_has_it(plan: EntityPlan, one: ScenarioObject) -> EntityPlan:
    """An entity with what MORAI's files say of it.

    MORAI SIM writes zeros for limits of a vehicle that are not set, so a vehicle with zeros only has none. An object
    whose `moving_obstacle` is off stays.

    Args:
        plan: of the entity.
        one: its record.
    """
    chosen = one.entity_object.chosen
    if isinstance(chosen, Vehicle):
        limits = chosen.performance
        if not (limits.max_speed or limits.max_acceleration or limits.max_deceleration):
            return replace(plan, max_speed=math.inf, max_acceleration=math.inf, max_deceleration=math.inf)
    return replace(plan, stays=True, max_speed=0.0) if stays(one) else plan
