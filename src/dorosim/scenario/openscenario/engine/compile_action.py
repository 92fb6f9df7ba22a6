"""Actions of a file, made ready to be done in a run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dorosim.scenario.openscenario.engine.action.lane_change import LaneChange, LaneTarget
from dorosim.scenario.openscenario.engine.action.place_action import (
    AddEntity,
    DeleteEntity,
    NoEffect,
    Teleport,
    Visibility,
)
from dorosim.scenario.openscenario.engine.action.speed import SpeedChange, SpeedTarget
from dorosim.scenario.openscenario.engine.action.value import (
    CustomCommand,
    ModifyVariable,
    SetPhase,
    SetSignal,
    SetVariable,
)
from dorosim.scenario.openscenario.engine.compile_condition import value_of
from dorosim.scenario.openscenario.engine.compile_position import position_plan
from dorosim.scenario.openscenario.engine.names import Names
from dorosim.scenario.openscenario.engine.program import ActionPlan
from dorosim.scenario.openscenario.engine.transition_shape import Dimension, Shape
from dorosim.scenario.openscenario.record import action as record
from dorosim.scenario.openscenario.record import global_action, motion, routing, signal
from dorosim.scenario.openscenario.record.dynamics import (
    DynamicsDimension,
    DynamicsShape,
    SpeedActionTarget,
    SpeedTargetValueType,
)
from dorosim.scenario.openscenario.record.table import Record

SHAPES = {
    DynamicsShape.STEP: Shape.STEP,
    DynamicsShape.LINEAR: Shape.LINEAR,
    DynamicsShape.SINUSOIDAL: Shape.SINUSOIDAL,
    DynamicsShape.CUBIC: Shape.CUBIC,
}
DIMENSIONS = {
    DynamicsDimension.TIME: Dimension.TIME,
    DynamicsDimension.DISTANCE: Dimension.DISTANCE,
    DynamicsDimension.RATE: Dimension.RATE,
}


def leaf_of(one: Record) -> Record:
    """The action that an element stands for, in all that is around it."""
    while type(one) not in ACTIONS and type(one) in _AROUND:
        chosen = one.chosen
        if chosen is None:
            return one
        one = chosen
    return one


def action_plan(names: Names, one: Record) -> ActionPlan:
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
    if type(leaf) in _AROUND:
        raise names.refuse(leaf, f"{type(leaf).__name__} is empty", "give an action")
    names.note(leaf, f"{type(leaf).__name__} has no effect")
    return NoEffect()


_AROUND: set[type] = {
    record.Action,
    record.GlobalAction,
    record.UserDefinedAction,
    record.PrivateAction,
    motion.LongitudinalAction,
    motion.LateralAction,
    routing.RoutingAction,
    signal.InfrastructureAction,
    signal.TrafficSignalAction,
}


def speed_target(names: Names, one: SpeedActionTarget) -> SpeedTarget:
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


def _speed(names: Names, one: motion.SpeedAction) -> ActionPlan:
    dynamics = one.speed_action_dynamics
    return SpeedChange(
        speed_target(names, one.speed_action_target),
        SHAPES[dynamics.dynamics_shape],
        DIMENSIONS[dynamics.dynamics_dimension],
        dynamics.value,
    )


def _lane_change(names: Names, one: motion.LaneChangeAction) -> ActionPlan:
    target, dynamics = one.lane_change_target, one.lane_change_action_dynamics
    if target.absolute_target_lane is not None:
        try:
            lane = LaneTarget(int(target.absolute_target_lane.value))
        except ValueError:
            raise names.refuse(target, f"lane {target.absolute_target_lane.value!r} is no id of a lane", "") from None
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
    )


def _entity_action(names: Names, one: global_action.EntityAction) -> ActionPlan:
    entity = names.entity(one, one.entity_ref)
    if one.add_entity_action is not None:
        return AddEntity(entity, position_plan(names, one.add_entity_action.position))
    return DeleteEntity(entity)


def _visibility(names: Names, one: routing.VisibilityAction) -> ActionPlan:
    del names
    return Visibility((not one.graphics) + 2 * (not one.sensors) + 4 * (not one.traffic))


def _parameter(names: Names, one: global_action.ParameterAction) -> ActionPlan:
    return _variable_action(names, one, one.parameter_ref)


def _variable(names: Names, one: global_action.VariableAction) -> ActionPlan:
    return _variable_action(names, one, one.variable_ref)


def _variable_action(names: Names, one: Any, name: str) -> ActionPlan:
    number = names.variable(one, name)
    if one.set_action is not None:
        text = one.set_action.value
        declared = names.variables[number]
        value = text if isinstance(declared.value, str) else value_of(text)
        return SetVariable(number, value)
    rule = None if one.modify_action is None else one.modify_action.rule
    if rule is not None and rule.add_value is not None:
        return ModifyVariable(number, 1.0, rule.add_value.value)
    if rule is not None and rule.multiply_by_value is not None:
        return ModifyVariable(number, rule.multiply_by_value.value, 0.0)
    raise names.refuse(one, "the action has no value", "set, add or multiply one")


def _monitor(names: Names, one: global_action.SetMonitorAction) -> ActionPlan:
    return SetVariable(names.variable(one, one.monitor_ref), float(one.value))


ACTIONS: dict[type, Callable[[Names, Any], Any]] = {
    motion.SpeedAction: _speed,
    motion.LaneChangeAction: _lane_change,
    routing.TeleportAction: lambda names, one: Teleport(position_plan(names, one.position)),
    routing.VisibilityAction: _visibility,
    global_action.ParameterAction: _parameter,
    global_action.VariableAction: _variable,
    global_action.SetMonitorAction: _monitor,
    signal.TrafficSignalStateAction: lambda names, one: SetSignal(names.signal(one.name), one.state),
    signal.TrafficSignalControllerAction: lambda names, one: SetPhase(
        names.controller(one, one.traffic_signal_controller_ref), one.phase
    ),
    record.CustomCommandAction: lambda names, one: CustomCommand(one.type, one.content),
}
"""How each action is made ready."""
