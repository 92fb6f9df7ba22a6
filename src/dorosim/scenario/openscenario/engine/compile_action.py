"""Actions of a file, made ready to be done in a run."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from dorosim.scenario.openscenario.engine.action.lane_change import LaneChange, LaneTarget
from dorosim.scenario.openscenario.engine.action.lane_offset import LaneOffset
from dorosim.scenario.openscenario.engine.action.lateral_distance import LateralDistance, LateralSide
from dorosim.scenario.openscenario.engine.action.longitudinal_distance import Displacement, LongitudinalDistance
from dorosim.scenario.openscenario.engine.action.place_action import (
    AddEntity,
    DeleteEntity,
    NoEffect,
    Teleport,
    Visibility,
)
from dorosim.scenario.openscenario.engine.action.routing import (
    AcquirePosition,
    AssignRoute,
    RandomRoute,
    TimeDomain,
    TrajectoryFollowing,
)
from dorosim.scenario.openscenario.engine.action.speed import SpeedChange, SpeedTarget
from dorosim.scenario.openscenario.engine.action.speed_profile import Limits, ProfileEntry, SpeedProfile
from dorosim.scenario.openscenario.engine.action.synchronize import Synchronize
from dorosim.scenario.openscenario.engine.action.value import (
    ModifyVariable,
    SetPhase,
    SetSignal,
    SetVariable,
)
from dorosim.scenario.openscenario.engine.compile_appearance import APPEARANCE_ACTIONS
from dorosim.scenario.openscenario.engine.compile_condition import SYSTEMS
from dorosim.scenario.openscenario.engine.compile_control import CONTROL_ACTIONS
from dorosim.scenario.openscenario.engine.compile_custom import custom_plan
from dorosim.scenario.openscenario.engine.compile_environment import ENVIRONMENT_ACTIONS
from dorosim.scenario.openscenario.engine.compile_position import lane_number, position_plan, route_plan
from dorosim.scenario.openscenario.engine.compile_traffic import TRAFFIC_ACTIONS
from dorosim.scenario.openscenario.engine.compile_trajectory import trajectory_plan
from dorosim.scenario.openscenario.engine.declared_value import value_as
from dorosim.scenario.openscenario.engine.distance import Direction, DistancePlan, System
from dorosim.scenario.openscenario.engine.names import ScenarioNames
from dorosim.scenario.openscenario.engine.program import ActionPlan, Domain, Use
from dorosim.scenario.openscenario.engine.transition_shape import Dimension, Following, TransitionShape
from dorosim.scenario.openscenario.record import action as record
from dorosim.scenario.openscenario.record import appearance, control, global_action, motion, routing, signal
from dorosim.scenario.openscenario.record.dynamics import (
    DynamicConstraints,
    DynamicsDimension,
    DynamicsShape,
    FollowingMode,
    LateralDisplacement,
    LongitudinalDisplacement,
    SpeedActionTarget,
    SpeedTargetValueType,
)
from dorosim.scenario.openscenario.record.place import ReferenceContext
from dorosim.scenario.openscenario.record.table import OscRecord

SHAPES = {
    DynamicsShape.STEP: TransitionShape.STEP,
    DynamicsShape.LINEAR: TransitionShape.LINEAR,
    DynamicsShape.SINUSOIDAL: TransitionShape.SINUSOIDAL,
    DynamicsShape.CUBIC: TransitionShape.CUBIC,
}
DIMENSIONS = {
    DynamicsDimension.TIME: Dimension.TIME,
    DynamicsDimension.DISTANCE: Dimension.DISTANCE,
    DynamicsDimension.RATE: Dimension.RATE,
}
FOLLOWING = {
    None: Following.DEFAULT,
    FollowingMode.POSITION: Following.POSITION,
    FollowingMode.FOLLOW: Following.FOLLOW,
}


def leaf_of(one: OscRecord) -> OscRecord:
    """The action that an element stands for, in all that is around it."""
    while type(one) not in ACTIONS and type(one) in _AROUND:
        chosen = one.chosen
        if chosen is None:
            return one
        one = chosen
    return one


def action_plan(names: ScenarioNames, one: OscRecord) -> ActionPlan:
    """An action, ready to be done; one that has no effect yet is done at once, and noted.

    Args:
        names: of the scenario.
        one: an action, or an element around one.

    Raises:
        InputError: it names what there is not, or is empty.
    """
    if isinstance(one, global_action.EntityAction):
        return _entity_action(names, one)
    leaf = leaf_of(one)
    if isinstance(leaf, global_action.EntityAction):
        return _entity_action(names, leaf)
    make = ACTIONS.get(type(leaf))
    if make is not None:
        made: ActionPlan = make(names, leaf)
        return made
    if isinstance(leaf, record.Action):
        names.note(leaf, "the action is empty, and does nothing")
        return NoEffect()
    if type(leaf) in _AROUND:
        raise names.refuse(leaf, f"{type(leaf).__name__} is empty", "give an action")
    names.note(leaf, f"{type(leaf).__name__} has no effect")
    return NoEffect()


_AROUND: set[type] = {
    record.Action,
    record.GlobalAction,
    record.UserDefinedAction,
    record.PrivateAction,
    record.TrailerAction,
    appearance.AppearanceAction,
    control.ControllerAction,
    motion.LongitudinalAction,
    motion.LateralAction,
    routing.RoutingAction,
    signal.InfrastructureAction,
    signal.TrafficSignalAction,
}


def speed_target(names: ScenarioNames, one: SpeedActionTarget) -> SpeedTarget:
    """The speed that an action is to reach.

    Raises:
        InputError: it names an entity that there is not, or is empty.
    """
    if one.absolute_target_speed is not None:
        return SpeedTarget(one.absolute_target_speed.value)
    relative = one.relative_target_speed
    if relative is None:
        raise names.refuse(one, "the action has no speed", "give one")
    return SpeedTarget(
        relative.value,
        names.entity(relative, relative.entity_ref),
        relative.speed_target_value_type is SpeedTargetValueType.FACTOR,
        relative.continuous,
    )


def _speed(names: ScenarioNames, one: motion.SpeedAction) -> ActionPlan:
    dynamics = one.speed_action_dynamics
    return SpeedChange(
        speed_target(names, one.speed_action_target),
        SHAPES[dynamics.dynamics_shape],
        DIMENSIONS[dynamics.dynamics_dimension],
        dynamics.value,
        FOLLOWING[dynamics.following_mode],
    )


def _lane_change(names: ScenarioNames, one: motion.LaneChangeAction) -> ActionPlan:
    target, dynamics = one.lane_change_target, one.lane_change_action_dynamics
    if target.absolute_target_lane is not None:
        absolute = target.absolute_target_lane
        lane = LaneTarget(lane_number(names, absolute, absolute.value))
    elif target.relative_target_lane is not None:
        relative = target.relative_target_lane
        lane = LaneTarget(relative.value, names.entity(relative, relative.entity_ref))
    else:
        raise names.refuse(one, "the action has no lane to change to", "give one")
    return LaneChange(
        lane,
        one.target_lane_offset or 0.0,
        SHAPES[dynamics.dynamics_shape],
        DIMENSIONS[dynamics.dynamics_dimension],
        dynamics.value,
        FOLLOWING[dynamics.following_mode],
    )


def _entity_action(names: ScenarioNames, one: global_action.EntityAction) -> ActionPlan:
    entity = names.entity(one, one.entity_ref)
    if one.add_entity_action is not None:
        return AddEntity(entity, position_plan(names, one.add_entity_action.position))
    return DeleteEntity(entity)


def _visibility(names: ScenarioNames, one: routing.VisibilityAction) -> ActionPlan:
    del names
    listed = () if one.sensor_reference_set is None else one.sensor_reference_set.sensor_references
    hidden = (not one.graphics) + 2 * (not one.sensors) + 4 * (not one.traffic)
    return Visibility(hidden, tuple(each.name for each in listed))


def _parameter(names: ScenarioNames, one: global_action.ParameterAction) -> ActionPlan:
    return _variable_action(names, one, one.parameter_ref)


def _variable(names: ScenarioNames, one: global_action.VariableAction) -> ActionPlan:
    return _variable_action(names, one, one.variable_ref)


def _variable_action(names: ScenarioNames, one: Any, name: str) -> ActionPlan:
    number = names.variable(one, name)
    if one.set_action is not None:
        text = one.set_action.value
        declared = names.variables[number]
        value = value_as(declared.kind, text)
        return SetVariable(number, value)
    rule = None if one.modify_action is None else one.modify_action.rule
    if rule is not None and rule.add_value is not None:
        return ModifyVariable(number, 1.0, rule.add_value.value)
    if rule is not None and rule.multiply_by_value is not None:
        return ModifyVariable(number, rule.multiply_by_value.value, 0.0)
    raise names.refuse(one, "the action has no value", "set, add or multiply one")


def _monitor(names: ScenarioNames, one: global_action.SetMonitorAction) -> ActionPlan:
    return SetVariable(names.variable(one, one.monitor_ref), float(one.value))


def limits_of(one: DynamicConstraints | None, *, of_nothing: float = math.inf) -> Limits:
    """The limits of a motion; what is not given is not bound."""

    def given(value: float | None) -> float:
        return of_nothing if value is None else abs(value)

    if one is None:
        return Limits()
    return Limits(
        given(one.max_acceleration),
        given(one.max_deceleration),
        given(one.max_acceleration_rate),
        given(one.max_deceleration_rate),
        given(one.max_speed),
    )


def _speed_profile(names: ScenarioNames, one: motion.SpeedProfileAction) -> ActionPlan:
    entries = tuple(ProfileEntry(each.speed, each.time) for each in one.speed_profile_entries)
    entity = -1 if not one.entity_ref else names.entity(one, one.entity_ref)
    smooth = one.following_mode is FollowingMode.FOLLOW
    return SpeedProfile(entries, smooth, limits_of(one.dynamic_constraints), entity)


def _longitudinal_distance(names: ScenarioNames, one: motion.LongitudinalDistanceAction) -> ActionPlan:
    value = one.time_gap if one.distance is None else one.distance
    if value is None:
        raise names.refuse(one, "the action has neither a distance nor a time gap", "give one")
    system = System.ENTITY if one.coordinate_system is None else SYSTEMS[one.coordinate_system]
    return LongitudinalDistance(
        names.entity(one, one.entity_ref),
        value,
        one.distance is None,
        _DISPLACEMENTS[one.displacement],
        one.continuous,
        DistancePlan(system, Direction.LONGITUDINAL, one.freespace),
        limits_of(one.dynamic_constraints),
    )


_DISPLACEMENTS = {
    None: Displacement.ANY,
    LongitudinalDisplacement.ANY: Displacement.ANY,
    LongitudinalDisplacement.TRAILING_REFERENCED_ENTITY: Displacement.TRAILING,
    LongitudinalDisplacement.LEADING_REFERENCED_ENTITY: Displacement.LEADING,
}


def _lateral_distance(names: ScenarioNames, one: motion.LateralDistanceAction) -> ActionPlan:
    sides = {
        LateralDisplacement.LEFT_TO_REFERENCED_ENTITY: LateralSide.LEFT,
        LateralDisplacement.RIGHT_TO_REFERENCED_ENTITY: LateralSide.RIGHT,
    }
    return LateralDistance(
        names.entity(one, one.entity_ref),
        one.distance or 0.0,
        one.freespace,
        LateralSide.ANY if one.displacement is None else sides.get(one.displacement, LateralSide.ANY),
        System.ENTITY if one.coordinate_system is None else SYSTEMS[one.coordinate_system],
        one.continuous,
        limits_of(one.dynamic_constraints),
    )


def _lane_offset(names: ScenarioNames, one: motion.LaneOffsetAction) -> ActionPlan:
    target, dynamics = one.lane_offset_target, one.lane_offset_action_dynamics
    entity, value = -1, 0.0
    if target.absolute_target_lane_offset is not None:
        value = target.absolute_target_lane_offset.value
    elif target.relative_target_lane_offset is not None:
        relative = target.relative_target_lane_offset
        entity, value = names.entity(relative, relative.entity_ref), relative.value
    greatest = math.inf if dynamics.max_lateral_acc is None else dynamics.max_lateral_acc
    return LaneOffset(value, entity, SHAPES[dynamics.dynamics_shape], greatest, one.continuous)


def _synchronize(names: ScenarioNames, one: routing.SynchronizeAction) -> ActionPlan:
    final: SpeedTarget | None = None
    master = names.entity(one, one.master_entity_ref)
    steady = None
    if one.final_speed is not None and one.final_speed.absolute_speed is not None:
        final, steady = SpeedTarget(one.final_speed.absolute_speed.value), one.final_speed.absolute_speed.steady_state
    elif one.final_speed is not None and one.final_speed.relative_speed_to_master is not None:
        relative = one.final_speed.relative_speed_to_master
        factor = relative.speed_target_value_type is SpeedTargetValueType.FACTOR
        final, steady = SpeedTarget(relative.value, master, factor, is_continuous=True), relative.steady_state
    distance = time = 0.0
    if steady is not None and steady.target_distance_steady_state is not None:
        distance = steady.target_distance_steady_state.distance
    elif steady is not None and steady.target_time_steady_state is not None:
        time = steady.target_time_steady_state.time
    return Synchronize(
        master,
        position_plan(names, one.target_position),
        position_plan(names, one.target_position_master),
        one.target_tolerance or 0.0,
        one.target_tolerance_master or 0.0,
        final,
        distance,
        time,
    )


def _assign_route(names: ScenarioNames, one: routing.AssignRouteAction) -> ActionPlan:
    given = one.route or one.catalog_reference
    if given is None:
        raise names.refuse(one, "the action has no route", "give one")
    return AssignRoute(route_plan(names, given))


def _random_route(names: ScenarioNames, _: routing.RandomRouteAction) -> ActionPlan:
    names.uses.add(Use.WANDER)
    return RandomRoute()


def _follow_trajectory(names: ScenarioNames, one: routing.FollowTrajectoryAction) -> ActionPlan:
    given = one.trajectory_ref or one.trajectory or one.catalog_reference
    if given is None:
        raise names.refuse(one, "the action has no trajectory", "give one")
    plan = trajectory_plan(names, given)
    timing = one.time_reference.timing
    domain, scale, offset = TimeDomain.NONE, 1.0, 0.0
    controls = Domain.LATERAL
    if timing is not None:
        absolute = timing.domain_absolute_relative is ReferenceContext.ABSOLUTE
        if absolute and plan.closed:
            names.note(one, "times of a closed trajectory count from the start of the action")
        domain = TimeDomain.ABSOLUTE if absolute and not plan.closed else TimeDomain.RELATIVE
        scale, offset = timing.scale, timing.offset
        if scale <= 0.0:
            raise names.refuse(timing, f"the scale is {scale}", "give more than 0")
        controls = Domain.LATERAL | Domain.LONGITUDINAL
    is_bound = one.trajectory_following_mode.following_mode is FollowingMode.FOLLOW
    first = one.initial_distance_offset or 0.0
    return TrajectoryFollowing(plan, first, domain, scale, offset, controls, is_bound)


ACTIONS: dict[type, Callable[[ScenarioNames, Any], Any]] = {
    motion.SpeedAction: _speed,
    motion.SpeedProfileAction: _speed_profile,
    motion.LongitudinalDistanceAction: _longitudinal_distance,
    motion.LaneChangeAction: _lane_change,
    motion.LaneOffsetAction: _lane_offset,
    motion.LateralDistanceAction: _lateral_distance,
    routing.SynchronizeAction: _synchronize,
    routing.AssignRouteAction: _assign_route,
    routing.AcquirePositionAction: lambda names, one: AcquirePosition(position_plan(names, one.position)),
    routing.FollowTrajectoryAction: _follow_trajectory,
    routing.RandomRouteAction: _random_route,
    routing.TeleportAction: lambda names, one: Teleport(position_plan(names, one.position)),
    routing.VisibilityAction: _visibility,
    global_action.ParameterAction: _parameter,
    global_action.VariableAction: _variable,
    global_action.SetMonitorAction: _monitor,
    signal.TrafficSignalStateAction: lambda names, one: SetSignal(names.signal(one.name), one.state),
    signal.TrafficSignalControllerAction: lambda names, one: SetPhase(
        names.controller(one, one.traffic_signal_controller_ref), one.phase
    ),
    record.CustomCommandAction: custom_plan,
    **APPEARANCE_ACTIONS,
    **CONTROL_ACTIONS,
    **ENVIRONMENT_ACTIONS,
    **TRAFFIC_ACTIONS,
}
"""How each action is made ready."""
