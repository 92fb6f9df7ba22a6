"""Actions on traffic of a file, made ready."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from dorosim.scenario.openscenario.engine.action.traffic import (
    AreaTraffic,
    TrafficSink,
    TrafficSource,
    TrafficStop,
    TrafficSwarm,
)
from dorosim.scenario.openscenario.engine.cast import cast_of
from dorosim.scenario.openscenario.engine.compile_position import position_plan
from dorosim.scenario.openscenario.engine.entity_plan import entity_plan
from dorosim.scenario.openscenario.engine.names import ScenarioNames
from dorosim.scenario.openscenario.engine.program import ActionPlan, EntityKind, EntityPlan, Use
from dorosim.scenario.openscenario.engine.traffic_mix import TrafficKind, TrafficMix
from dorosim.scenario.openscenario.engine.traffic_place import (
    Disc,
    Ellipse,
    PolygonArea,
    Stretch,
    Stretches,
    TrafficShape,
)
from dorosim.scenario.openscenario.record.controller import Controller
from dorosim.scenario.openscenario.record.entity import ScenarioObject
from dorosim.scenario.openscenario.record.property import Properties
from dorosim.scenario.openscenario.record.table import OscRecord
from dorosim.scenario.openscenario.record.traffic import (
    TrafficAction,
    TrafficAreaAction,
    TrafficSinkAction,
    TrafficSourceAction,
    TrafficSwarmAction,
)
from dorosim.scenario.openscenario.record.traffic_area import RoadCursor, RoadRange, TrafficArea
from dorosim.scenario.openscenario.record.traffic_content import TrafficDefinition, TrafficDistribution
from dorosim.scenario.openscenario.record.vehicle import Role, VehicleCategory
from dorosim.world.pedestrian.model import pedestrian_model_row
from dorosim.world.storyboard.engine import BodyShape
from dorosim.world.vehicle.catalogue import VEHICLE_MODELS

_CLASSES = {
    VehicleCategory.CAR: ("hatchback", "sedan", "suv"),
    VehicleCategory.VAN: ("van",),
    VehicleCategory.TRUCK: ("truck",),
    VehicleCategory.SEMITRAILER: ("truck",),
    VehicleCategory.TRAILER: ("truck",),
    VehicleCategory.BUS: ("bus",),
    VehicleCategory.TRAM: ("bus",),
    VehicleCategory.TRAIN: ("bus",),
}
"""Classes of our vehicles by the category of the standard; bicycles and motorbikes are persons who ride."""
_RIDDEN = {VehicleCategory.BICYCLE: "bicycle", VehicleCategory.MOTORBIKE: "motorbike"}
_ROLES = {
    Role.AMBULANCE: "ambulance",
    Role.FIRE: "fire",
    Role.POLICE: "police",
    Role.PUBLIC_TRANSPORT: "bus",
    Role.ROAD_ASSISTANCE: "truck",
    Role.MILITARY: "truck",
}
"""What is in the name or class of a vehicle that has a role."""
DESIRED_SPEED, LANE_CHANGE = "desiredSpeed", "laneChange"
"""Properties of a controller, or of a part of traffic, that our drivers know: a constant speed [m/s], and whether they
change lanes for their own advantage."""


def _traffic(names: ScenarioNames, one: TrafficAction) -> ActionPlan:
    names.uses.add(Use.TRAFFIC)
    chosen, name = one.chosen, one.traffic_name or ""
    if one.traffic_stop_action is not None:
        return TrafficStop(name)
    names.traffic += 1
    make = _ACTIONS.get(type(chosen))
    if make is None:
        raise names.refuse(one, "the action on traffic is empty", "give one of its elements")
    found: ActionPlan = make(names, chosen, {"name": name, "number": names.traffic})
    return found


def _source(names: ScenarioNames, one: TrafficSourceAction, common: dict[str, Any]) -> ActionPlan:
    return TrafficSource(
        **common,
        mix=_mix(names, one, one.traffic_distribution, one.traffic_definition),
        shape=Disc(position_plan(names, one.position), one.radius),
        rate=max(one.rate, 0.0),
        speed=math.nan if one.speed is None else max(one.speed, 0.0),
    )


def _sink(names: ScenarioNames, one: TrafficSinkAction, common: dict[str, Any]) -> ActionPlan:
    mix = TrafficMix() if one.traffic_definition is None else _mix(names, one, None, one.traffic_definition)
    rate = math.inf if one.rate is None else max(one.rate, 0.0)
    return TrafficSink(**common, mix=mix, shape=Disc(position_plan(names, one.position), one.radius), rate=rate)


def _swarm(names: ScenarioNames, one: TrafficSwarmAction, common: dict[str, Any]) -> ActionPlan:
    speeds, ways = one.initial_speed_range, one.direction_of_travel_distribution
    entity = names.entity(one.central_object, one.central_object.entity_ref)
    return TrafficSwarm(
        **common,
        mix=_mix(names, one, one.traffic_distribution, one.traffic_definition),
        shape=Ellipse(entity, one.offset, one.semi_major_axis, one.semi_minor_axis, one.inner_radius),
        count=int(one.number_of_vehicles),
        speeds=(math.nan, math.nan) if speeds is None else (speeds.lower_limit, speeds.upper_limit),
        same=0.0 if ways is None else max(ways.same, 0.0),
        opposite=0.0 if ways is None else max(ways.opposite, 0.0),
    )


def _area(names: ScenarioNames, one: TrafficAreaAction, common: dict[str, Any]) -> ActionPlan:
    return AreaTraffic(
        **common,
        mix=_mix(names, one, one.traffic_distribution, None),
        shape=_shape(names, one.traffic_area),
        count=int(one.number_of_entities),
        is_continuous=one.continuous,
    )


def _shape(names: ScenarioNames, one: TrafficArea) -> TrafficShape:
    """The shape of an area."""
    if one.polygon is not None:
        return PolygonArea(tuple(position_plan(names, each) for each in one.polygon.positions))
    parts = [part for each in one.road_ranges for part in _stretches(names, each)]
    if not parts:
        raise names.refuse(one, "the area is empty", "give a Polygon or a RoadRange")
    return Stretches(tuple(parts))


def _stretches(names: ScenarioNames, one: RoadRange) -> list[Stretch]:
    """The parts of roads from cursor to cursor, as far as the length of the range."""
    roads = names.roads
    found: list[Stretch] = []
    for here, there in zip(one.road_cursors, one.road_cursors[1:], strict=False):
        road, other = names.road(here, here.road_id), names.road(there, there.road_id)
        assert roads is not None
        length, further = roads.roads[road].length, roads.roads[other].length
        lanes = tuple(lane.id for lane in here.lanes)
        if road == other:
            begin, end = _s_of(here, 0.0, length), _s_of(there, length, length)
            found.append(Stretch(road, min(begin, end), max(begin, end), lanes))
            continue
        found.append(Stretch(road, _s_of(here, 0.0, length), length, lanes))
        if there is one.road_cursors[-1]:
            after = tuple(lane.id for lane in there.lanes)
            found.append(Stretch(other, 0.0, _s_of(there, further, further), after))
    return _cut(found, one.length)


def _s_of(one: RoadCursor, otherwise: float, length: float) -> float:
    return min(max(otherwise if one.s is None else one.s, 0.0), length)


def _cut(parts: Sequence[Stretch], length: float | None) -> list[Stretch]:
    """Parts of roads up to a length of all of them [m]."""
    if length is None:
        return list(parts)
    found, left = [], length
    for part in parts:
        if left <= 0.0:
            break
        end = min(part.end, part.begin + left)
        found.append(part._replace(end=end))
        left -= end - part.begin
    return found


def _mix(
    names: ScenarioNames,
    one: OscRecord,
    distribution: TrafficDistribution | None,
    definition: TrafficDefinition | None,
) -> TrafficMix:
    """What traffic is made of: cars, where neither form is given.

    Raises:
        InputError: it is of nothing.
    """
    kinds = _any_car()
    if distribution is not None:
        kinds = _of_distribution(names, distribution)
    elif definition is not None:
        kinds = _of_definition(names, definition)
    if sum(kind.weight for kind in kinds) <= 0.0:
        raise names.refuse(one, "the traffic is made of nothing", "give a TrafficDistribution with weights above 0")
    return TrafficMix(tuple(kinds))


def _of_distribution(names: ScenarioNames, one: TrafficDistribution) -> list[TrafficKind]:
    found = []
    for part in one.traffic_distribution_entries:
        entries = part.entity_distribution.entity_distribution_entries
        total = sum(max(each.weight, 0.0) for each in entries)
        for each in entries:
            if total <= 0.0:
                continue
            template = each.scenario_object_template
            weight = max(part.weight, 0.0) * max(each.weight, 0.0) / total
            reference = template.entity_object.catalog_reference
            if reference is not None and reference.entry is None:
                found += [kind._replace(weight=kind.weight * weight) for kind in _any_car()]
                continue
            plan = entity_plan(ScenarioObject(name="", entity_object=template.entity_object))
            wishes = _properties(part.properties)
            for controller in template.object_controllers:
                number = names.object_controllers.add(controller)
                wishes |= dict(names.object_controllers.plans[number].properties) if number >= 0 else {}
            found.append(_kind_of(names, one, plan, weight, wishes))
    return found


def _kind_of(
    names: ScenarioNames, one: OscRecord, plan: EntityPlan, weight: float, wishes: dict[str, str]
) -> TrafficKind:
    """A vehicle or a person like an entity."""
    if plan.kind is EntityKind.MISC or plan.kind is EntityKind.EXTERNAL:
        raise names.refuse(one, "traffic is made of vehicles and pedestrians", "give one of them in the template")
    body = cast_of((plan,)).bodies[0]
    desired, changes = _wishes(wishes)
    if body.shape is BodyShape.PERSON:
        return TrafficKind(weight, "", body.model, desired, changes)
    return TrafficKind(weight, VEHICLE_MODELS[body.model].name, -1, desired, changes)


def _of_definition(names: ScenarioNames, one: TrafficDefinition) -> list[TrafficKind]:
    """The old form: categories, roles and controllers are drawn by themselves."""
    categories = one.vehicle_category_distribution.vehicle_category_distribution_entries
    roles: list[tuple[Role, float]] = [(Role.NONE, 1.0)]
    if one.vehicle_role_distribution is not None:
        entries = one.vehicle_role_distribution.vehicle_role_distribution_entries
        roles = [(each.role, max(each.weight, 0.0)) for each in entries]
    drivers = []
    for entry in one.controller_distribution.controller_distribution_entries:
        chosen: Any = entry.chosen
        chosen = getattr(chosen, "target", chosen)
        properties = chosen.properties if isinstance(chosen, Controller) else None
        drivers.append((_properties(properties), max(entry.weight, 0.0)))
    drivers = drivers or [({}, 1.0)]
    del names
    found = []
    for category in categories:
        for role, often in roles:
            for wishes, weight in drivers:
                desired, changes = _wishes(wishes)
                share = max(category.weight, 0.0) * often * weight
                if category.category in _RIDDEN:
                    row = pedestrian_model_row(_RIDDEN[category.category])[0]
                    found.append(TrafficKind(share, "", row, desired, changes))
                    continue
                models = _models_of(category.category, role)
                found += [TrafficKind(share / len(models), name, -1, desired, changes) for name in models]
    return found


def _any_car() -> list[TrafficKind]:
    """Cars of all models, for files that do not say what their traffic is made of."""
    models = _models_of(VehicleCategory.CAR, Role.NONE)
    return [TrafficKind(1.0 / len(models), name, -1, 0.0, True) for name in models]


def _models_of(category: VehicleCategory, role: Role) -> list[str]:
    """Names of our vehicles of a category, and of a role where some have it."""
    fitting = [one for one in VEHICLE_MODELS if one.category in _CLASSES.get(category, ("sedan",))]
    word = _ROLES.get(role, "")
    having = [one for one in VEHICLE_MODELS if word and (word in one.name.lower() or word == one.category)]
    both = [one for one in fitting if one in having]
    return [one.name for one in both or having or fitting] or [VEHICLE_MODELS[0].name]


def _properties(one: Properties | None) -> dict[str, str]:
    return {} if one is None else {each.name: each.value for each in one.properties}


def _wishes(properties: dict[str, str]) -> tuple[float, bool]:
    """A desired speed [m/s], 0 for none, and whether lanes are changed."""
    try:
        desired = float(properties.get(DESIRED_SPEED, "0"))
    except ValueError:
        desired = 0.0
    changes = properties.get(LANE_CHANGE, "true").strip().lower() not in ("false", "0")
    return (min(desired, 100.0) if math.isfinite(desired) and desired > 0.0 else 0.0), changes


_ACTIONS: dict[type, Callable[[ScenarioNames, Any, dict[str, Any]], ActionPlan]] = {
    TrafficSourceAction: _source,
    TrafficSinkAction: _sink,
    TrafficSwarmAction: _swarm,
    TrafficAreaAction: _area,
}

TRAFFIC_ACTIONS: dict[type[OscRecord], Callable[[ScenarioNames, Any], ActionPlan]] = {TrafficAction: _traffic}
"""How actions on traffic are made ready."""
