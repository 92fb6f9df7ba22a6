"""MORAI's own elements of a scenario: when a run has succeeded or failed, and on which map it is."""

from __future__ import annotations

from dorosim.scenario.openscenario.record.condition import ConditionGroup
from dorosim.scenario.openscenario.record.table import EXTENSION, OscRecord, attribute, child, children, sequence


@sequence(since=EXTENSION)
class Evaluation(OscRecord):
    """Conditions that stop a run with a result (MORAI's Scenario Runner, page MORAI OpenSCENARIO).

    A run has succeeded when one of the success groups is met, and has failed when one of the failure groups is.
    """

    success_condition_groups: tuple[ConditionGroup, ...] = children("SuccessConditionGroup", default=())
    failure_condition_groups: tuple[ConditionGroup, ...] = children("FailureConditionGroup", default=())


@sequence(since=EXTENSION)
class SimulatorInfo(OscRecord):
    """What MORAI's Scenario Runner writes about the simulator."""

    map: SimulatorMap | None = child(default=None)


@sequence(since=EXTENSION)
class SimulatorMap(OscRecord):
    """The map of a scenario."""

    name: str = attribute("name, as MORAI SIM has it")
