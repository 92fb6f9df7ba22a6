"""What each message means; a new one is a row here and in `dorosim.wire.tcp_step.catalogue`."""

from __future__ import annotations

from dorosim.bridge.tcp_step import object as objects
from dorosim.bridge.tcp_step import simulator, suite, time
from dorosim.bridge.tcp_step.situation import StepMeaning, StepSituation, TimeForm
from dorosim.wire.message import Wire
from dorosim.wire.tcp_step.catalogue import StepProcedure
from dorosim.wire.tcp_step.request import (
    CreateObject,
    DeleteObject,
    FixedStep,
    LoadMap,
    LoadSuite,
    LoadTrafficScenario,
    ManualControlById,
    ScenarioControl,
    SetFixedTime,
    SetSimulatorMode,
    SetTimeMode,
    SetTrajectory,
    SetVariableTime,
    TrafficGenerate,
    TransformControlById,
    TransformControlWithoutSpeed,
)
from dorosim.wire.tcp_step.response import FixedTimeStatus, NamedScenarioStatus, StepResult, TimeStatus


def _save_data(_: Wire, __: StepSituation) -> Wire:
    """The endpoint sends Vehicle Info after it; nothing changes in the world."""
    return StepResult()


QUERIES: dict[int, StepMeaning] = {
    0x1001: simulator.simulator_status,
    0x1002: simulator.simulator_mode,
    0x1101: time.time_status,
    0x1202: _save_data,
    0x1401: suite.active_suite,
    0x1504: suite.scenario_status,
}
"""Requests without fields, by their numbers."""
MEANINGS: dict[type[Wire], StepMeaning] = {
    SetSimulatorMode: simulator.set_simulator_mode,
    LoadMap: simulator.load_map,
    SetTimeMode: time.set_time_mode,
    SetVariableTime: time.set_variable_time,
    SetFixedTime: time.set_fixed_time,
    FixedStep: time.fixed_step,
    CreateObject: objects.create_object,
    ManualControlById: objects.manual_control,
    TransformControlById: objects.transform_control,
    TransformControlWithoutSpeed: objects.transform_control,
    SetTrajectory: objects.set_trajectory,
    DeleteObject: objects.delete_object,
    LoadSuite: suite.load_suite,
    ScenarioControl: suite.scenario_control,
    LoadTrafficScenario: simulator.load_traffic,
    TrafficGenerate: simulator.load_traffic,
}
"""Requests with fields, by their classes."""


def meaning_of(procedure: StepProcedure, request: Wire) -> StepMeaning | None:
    """What a request means; None for one that dorosim does not have."""
    return QUERIES.get(procedure.number) or MEANINGS.get(type(request))


def form_of_failure(procedure: StepProcedure, form: TimeForm, *, newest: bool) -> type[Wire]:
    """The form of the answer by which a connection can read that a request was not done.

    Args:
        procedure: that was asked for.
        form: in which the connection speaks of time.
        newest: whether its client reads longer answers.
    """
    if procedure.number == 0x1101:
        return TimeStatus if form is TimeForm.FIRST else FixedTimeStatus
    if procedure.number == 0x1504 and newest:
        return NamedScenarioStatus
    return procedure.responses[0]
