"""Conditions of a file, made ready to be looked at in a run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from dorosim.scenario.openscenario.engine.compile_position import position_plan
from dorosim.scenario.openscenario.engine.condition import entity as by_entity
from dorosim.scenario.openscenario.engine.condition import value as by_value
from dorosim.scenario.openscenario.engine.condition.angle import Angle, AngleIs
from dorosim.scenario.openscenario.engine.condition.clearance import ClearanceAround
from dorosim.scenario.openscenario.engine.condition.collision import Collides
from dorosim.scenario.openscenario.engine.condition.comparison import ValueRule
from dorosim.scenario.openscenario.engine.condition.time_to_collision import TimeToCollision
from dorosim.scenario.openscenario.engine.declared_value import value_as, value_of
from dorosim.scenario.openscenario.engine.distance import Direction, DistancePlan, System
from dorosim.scenario.openscenario.engine.names import ScenarioNames
from dorosim.scenario.openscenario.engine.program import (
    ConditionPlan,
    Edge,
    ElementKind,
    EntityKind,
    Measure,
    TriggerPlan,
)
from dorosim.scenario.openscenario.engine.way_search import WayChoice
from dorosim.scenario.openscenario.record import condition as record
from dorosim.scenario.openscenario.record import entity_condition as entity_record
from dorosim.scenario.openscenario.record.distance_condition import (
    DistanceCondition,
    ReachPositionCondition,
    RelativeClearanceCondition,
    RelativeDistanceCondition,
    TimeHeadwayCondition,
    TimeToCollisionCondition,
)
from dorosim.scenario.openscenario.record.motion_condition import (
    AccelerationCondition,
    AngleCondition,
    AngleType,
    CollisionCondition,
    DirectionalDimension,
    EndOfRoadCondition,
    OffroadCondition,
    RelativeAngleCondition,
    RelativeSpeedCondition,
    SpeedCondition,
    StandStillCondition,
    TraveledDistanceCondition,
)
from dorosim.scenario.openscenario.record.parameter import Rule
from dorosim.scenario.openscenario.record.place import CoordinateSystem, RelativeDistanceType, RoutingAlgorithm
from dorosim.scenario.openscenario.record.value_condition import (
    ParameterCondition,
    SimulationTimeCondition,
    StoryboardElementState,
    StoryboardElementStateCondition,
    StoryboardElementType,
    TimeOfDayCondition,
    TrafficSignalCondition,
    TrafficSignalControllerCondition,
    UserDefinedValueCondition,
    VariableCondition,
)
from dorosim.scenario.openscenario.record.vehicle import ObjectType
from dorosim.world.storyboard.state import ElementState, Transition
from dorosim.world.storyboard.vector_kernel import Part

_NANOSECONDS = 1e9

RULES = {
    Rule.EQUAL_TO: ValueRule.EQUAL,
    Rule.GREATER_THAN: ValueRule.GREATER,
    Rule.LESS_THAN: ValueRule.LESS,
    Rule.GREATER_OR_EQUAL: ValueRule.GREATER_OR_EQUAL,
    Rule.LESS_OR_EQUAL: ValueRule.LESS_OR_EQUAL,
    Rule.NOT_EQUAL_TO: ValueRule.NOT_EQUAL,
}
EDGES = {
    record.ConditionEdge.NONE: Edge.NONE,
    record.ConditionEdge.RISING: Edge.RISING,
    record.ConditionEdge.FALLING: Edge.FALLING,
    record.ConditionEdge.RISING_OR_FALLING: Edge.BOTH,
}
SYSTEMS = {
    CoordinateSystem.ENTITY: System.ENTITY,
    CoordinateSystem.LANE: System.LANE,
    CoordinateSystem.ROAD: System.ROAD,
    CoordinateSystem.TRAJECTORY: System.TRAJECTORY,
    CoordinateSystem.WORLD: System.WORLD,
}
DIRECTIONS = {
    RelativeDistanceType.EUCLIDIAN_DISTANCE: Direction.EUCLIDEAN,
    RelativeDistanceType.CARTESIAN_DISTANCE: Direction.EUCLIDEAN,
    RelativeDistanceType.LONGITUDINAL: Direction.LONGITUDINAL,
    RelativeDistanceType.LATERAL: Direction.LATERAL,
}
_WAYS = {
    RoutingAlgorithm.ASSIGNED_ROUTE: WayChoice.ASSIGNED,
    RoutingAlgorithm.FASTEST: WayChoice.FASTEST,
    RoutingAlgorithm.LEAST_INTERSECTIONS: WayChoice.LEAST_INTERSECTIONS,
    RoutingAlgorithm.SHORTEST: WayChoice.SHORTEST,
    RoutingAlgorithm.UNDEFINED: WayChoice.SHORTEST,
}
_STATES = {
    StoryboardElementState.STANDBY_STATE: ElementState.STANDBY,
    StoryboardElementState.RUNNING_STATE: ElementState.RUNNING,
    StoryboardElementState.COMPLETE_STATE: ElementState.COMPLETE,
}
_TRANSITIONS = {
    StoryboardElementState.START_TRANSITION: Transition.START,
    StoryboardElementState.END_TRANSITION: Transition.END,
    StoryboardElementState.STOP_TRANSITION: Transition.STOP,
    StoryboardElementState.SKIP_TRANSITION: Transition.SKIP,
}
KINDS = {
    ObjectType.VEHICLE: EntityKind.VEHICLE,
    ObjectType.PEDESTRIAN: EntityKind.PEDESTRIAN,
    ObjectType.MISCELLANEOUS: EntityKind.MISC,
    ObjectType.EXTERNAL: EntityKind.EXTERNAL,
}
_PARTS = {
    None: Part.ALL,
    DirectionalDimension.LONGITUDINAL: Part.LONGITUDINAL,
    DirectionalDimension.LATERAL: Part.LATERAL,
    DirectionalDimension.VERTICAL: Part.VERTICAL,
}
_ANGLES = {
    AngleType.HEADING: Angle.HEADING,
    AngleType.PITCH: Angle.PITCH,
    AngleType.ROLL: Angle.ROLL,
}


class ConditionCompiler:
    """Makes triggers ready; the conditions of all of them are numbered together.

    Args:
        names: of the scenario, with its elements.
    """

    def __init__(self, names: ScenarioNames) -> None:
        self._names = names
        self.conditions: list[ConditionPlan] = []

    def trigger(self, one: record.Trigger | None) -> TriggerPlan | None:
        """A trigger of the file; None for none.

        Raises:
            InputError: a condition names what there is not.
        """
        return None if one is None else self.groups(one.condition_groups) or TriggerPlan(())

    def groups(self, groups: Sequence[record.ConditionGroup]) -> TriggerPlan | None:
        """Groups of conditions as a trigger; None for none.

        Raises:
            InputError: a condition names what there is not.
        """
        found = tuple(tuple(self._condition(one) for one in group.conditions) for group in groups if group.conditions)
        return TriggerPlan(found) if found else None

    def _condition(self, one: record.Condition) -> int:
        """The number of a condition."""
        names = self._names
        measure: Measure
        if one.by_entity_condition is not None:
            measure = _by_entity(names, one.by_entity_condition)
        elif one.by_value_condition is not None and one.by_value_condition.chosen is not None:
            chosen = one.by_value_condition.chosen
            make = VALUE_CONDITIONS.get(type(chosen))
            if make is None:
                names.note(chosen, f"{type(chosen).__name__} is not supported yet; it is never met")
                measure = by_value.NeverMet()
            else:
                measure = make(names, chosen)
        else:
            raise names.refuse(one, f"condition {one.name!r} is empty", "give one")
        plan = ConditionPlan(one.name, EDGES[one.condition_edge], round(one.delay * _NANOSECONDS), measure)
        self.conditions.append(plan)
        return len(self.conditions) - 1


def _by_entity(names: ScenarioNames, one: entity_record.ByEntityCondition) -> Measure:
    chosen = one.entity_condition.chosen
    if chosen is None:
        raise names.refuse(one, "the condition is empty", "give one")
    make = ENTITY_CONDITIONS.get(type(chosen))
    if make is None:
        names.note(chosen, f"{type(chosen).__name__} is not supported yet; it is never met")
        return by_value.NeverMet()
    needs_all = one.triggering_entities.triggering_entities_rule is entity_record.TriggeringEntitiesRule.ALL
    entities = names.members(one.triggering_entities.entity_refs)
    return by_entity.ByEntity(entities, needs_all, make(names, chosen))


def distance_of(one: Any) -> DistancePlan:
    """How a condition or action measures, by its attributes; what it does not say is as the standard has it."""
    system = one.coordinate_system
    along_route = getattr(one, "along_route", None)
    direction = getattr(one, "relative_distance_type", None)
    found = (System.LANE if along_route else System.ENTITY) if system is None else SYSTEMS[system]
    if direction is None:
        measured = Direction.LONGITUDINAL if along_route else Direction.EUCLIDEAN
    else:
        measured = DIRECTIONS[direction]
    choice = _WAYS[getattr(one, "routing_algorithm", None) or RoutingAlgorithm.UNDEFINED]
    return DistancePlan(found, measured, bool(getattr(one, "freespace", False)), choice)


def _element_state(names: ScenarioNames, one: StoryboardElementStateCondition) -> Measure:
    kind = {
        StoryboardElementType.STORY: ElementKind.STORY,
        StoryboardElementType.ACT: ElementKind.ACT,
        StoryboardElementType.MANEUVER_GROUP: ElementKind.MANEUVER_GROUP,
        StoryboardElementType.MANEUVER: ElementKind.MANEUVER,
        StoryboardElementType.EVENT: ElementKind.EVENT,
        StoryboardElementType.ACTION: ElementKind.ACTION,
    }[one.storyboard_element_type]
    elements = names.elements_named(one, one.storyboard_element_ref, kind)
    return by_value.ElementStateIs(elements, _STATES.get(one.state), _TRANSITIONS.get(one.state, Transition.NONE))


def _variable(names: ScenarioNames, one: Any, name: str) -> Measure:
    number = names.variable(one, name)
    found = value_as(names.variables[number].kind, one.value)
    return by_value.VariableIs(number, RULES[one.rule], None if isinstance(found, str) else found, one.value)


def _outside_value(names: ScenarioNames, one: UserDefinedValueCondition) -> Measure:
    del names
    found = value_of(one.value)
    return by_value.OutsideValueIs(one.name, RULES[one.rule], None if isinstance(found, str) else found, one.value)


def _controller(names: ScenarioNames, one: TrafficSignalControllerCondition) -> Measure:
    number = names.controller(one, one.traffic_signal_controller_ref)
    return _ControllerIs(number, one.phase)


class _ControllerIs:
    """A controller is in a phase; its row is behind those of the lights, of which there are more than now."""

    def __init__(self, controller: int, phase: str) -> None:
        self._controller, self._phase = controller, phase

    def met(self, frame: Any, number: int) -> tuple[bool, float]:
        """Compare it."""
        row = len(frame.program.signals) + self._controller
        return by_value.SignalIs(row, self._phase).met(frame, number)


VALUE_CONDITIONS: dict[type, Callable[[ScenarioNames, Any], Measure]] = {
    SimulationTimeCondition: lambda _, one: by_value.SimulationTime(RULES[one.rule], one.value),
    StoryboardElementStateCondition: _element_state,
    VariableCondition: lambda names, one: _variable(names, one, one.variable_ref),
    ParameterCondition: lambda names, one: _variable(names, one, one.parameter_ref),
    TimeOfDayCondition: lambda _, one: by_value.DateAndTime(RULES[one.rule], one.date_time.timestamp()),
    UserDefinedValueCondition: _outside_value,
    TrafficSignalCondition: lambda names, one: by_value.SignalIs(names.signal(one.name), one.state),
    TrafficSignalControllerCondition: _controller,
}
"""How each condition by value is made ready."""


def _duration(what: by_entity.Lasting) -> Callable[[ScenarioNames, Any], by_entity.EntityMeasure]:
    return lambda _, one: by_entity.Lasts(what, round(one.duration * _NANOSECONDS))


def _collision(names: ScenarioNames, one: CollisionCondition) -> by_entity.EntityMeasure:
    if one.entity_ref is not None:
        return Collides(names.members([one.entity_ref]))
    return Collides(None, None if one.by_type is None else KINDS[one.by_type.type])


def _time_to_collision(names: ScenarioNames, one: TimeToCollisionCondition) -> by_entity.EntityMeasure:
    target = one.time_to_collision_condition_target
    other = -1 if target.entity_ref is None else names.entity(one, target.entity_ref.entity_ref)
    position = None if target.position is None else position_plan(names, target.position)
    if other < 0 and position is None:
        raise names.refuse(one, "the condition has no target", "give an entity or a position")
    return TimeToCollision(other, position, distance_of(one), RULES[one.rule], one.value)


def _angle(names: ScenarioNames, one: Any) -> by_entity.EntityMeasure:
    other = -1 if getattr(one, "entity_ref", None) is None else names.entity(one, one.entity_ref)
    system = System.WORLD if one.coordinate_system is None else SYSTEMS[one.coordinate_system]
    return AngleIs(_ANGLES[one.angle_type], one.angle, one.angle_tolerance, other, system)


def _clearance(names: ScenarioNames, one: RelativeClearanceCondition) -> by_entity.EntityMeasure:
    ranges = tuple(
        (
            -(2**31) if each.from_ is None else each.from_,
            2**31 if each.to is None else each.to,
        )
        for each in one.relative_lane_ranges
    )
    plan = DistancePlan(System.LANE, Direction.LONGITUDINAL, one.free_space)
    others = names.members(one.entity_refs)
    return ClearanceAround(
        others, one.distance_forward or 0.0, one.distance_backward or 0.0, ranges, one.opposite_lanes, plan
    )


ENTITY_CONDITIONS: dict[type, Callable[[ScenarioNames, Any], by_entity.EntityMeasure]] = {
    EndOfRoadCondition: _duration(by_entity.Lasting.END_OF_ROAD),
    OffroadCondition: _duration(by_entity.Lasting.OFF_ROAD),
    StandStillCondition: _duration(by_entity.Lasting.STILL),
    CollisionCondition: _collision,
    TimeHeadwayCondition: lambda names, one: by_entity.TimeHeadway(
        names.entity(one, one.entity_ref), distance_of(one), RULES[one.rule], one.value
    ),
    TimeToCollisionCondition: _time_to_collision,
    AccelerationCondition: lambda _, one: by_entity.Acceleration(RULES[one.rule], one.value, _PARTS[one.direction]),
    SpeedCondition: lambda _, one: by_entity.Speed(RULES[one.rule], one.value, _PARTS[one.direction]),
    RelativeSpeedCondition: lambda names, one: by_entity.RelativeSpeed(
        names.entity(one, one.entity_ref), RULES[one.rule], one.value, _PARTS[one.direction]
    ),
    TraveledDistanceCondition: lambda _, one: by_entity.Travelled(one.value),
    ReachPositionCondition: lambda names, one: by_entity.ReachesPosition(
        position_plan(names, one.position), one.tolerance, getattr(one.position.chosen, "orientation", None) is not None
    ),
    DistanceCondition: lambda names, one: by_entity.DistanceToPosition(
        position_plan(names, one.position), distance_of(one), RULES[one.rule], one.value
    ),
    RelativeDistanceCondition: lambda names, one: by_entity.DistanceToEntity(
        names.entity(one, one.entity_ref), distance_of(one), RULES[one.rule], one.value
    ),
    RelativeClearanceCondition: _clearance,
    AngleCondition: _angle,
    RelativeAngleCondition: _angle,
}
"""How each condition by entity is made ready."""
