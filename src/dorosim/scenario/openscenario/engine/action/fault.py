"""Faults of ours that a custom command of a scenario causes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dorosim.scenario.openscenario.engine.action.place_action import AtOnce
from dorosim.scenario.openscenario.engine.frame import StoryboardFrame
from dorosim.scenario.openscenario.engine.program import Domain
from dorosim.scenario.openscenario.engine.rows import ActionRow
from dorosim.world.fault.code import FaultClass, FaultLocation, FaultSubclass, FaultTarget
from dorosim.world.fault.command import SetControlFault, SetFault, SetSensorFault, SetTireFault


@dataclass(frozen=True, slots=True)
class InjectFault(AtOnce):
    """Cause a fault of a vehicle, or clear those of a place.

    Attributes:
        entity: the vehicle. target, place: what is at fault: a `FaultLocation`, number of a tyre or of a sensor.
        fault: NONE clears. parameters: of the fault, by name.
    """

    entity: int
    target: FaultTarget
    place: int
    fault: FaultSubclass
    parameters: tuple[tuple[str, float], ...] = ()
    domain: Domain = Domain.NONE

    def start(self, frame: StoryboardFrame, entity: int, row: ActionRow) -> None:
        """Command it to the world."""
        name, actor = frame.program.entities[self.entity].name, frame.entity[self.entity].actor
        if frame.world is None or not actor:
            frame.journal.append(f"{name} is not in the world, and can have no fault")
        else:
            frame.commands.append(self._command(actor))
            what = self.fault.name.lower() if self.fault else "no fault any more"
            frame.journal.append(f"{name}: {self._place()}: {what}")
        row.finish()

    def _command(self, actor: int) -> SetFault:
        given: dict[str, Any] = {
            "actor": actor,
            "fault_class": int(FaultClass(self.fault // 100)),
            "fault_subclass": int(self.fault),
            **dict(self.parameters),
        }
        if self.target is FaultTarget.CONTROL:
            return SetControlFault(location=self.place, **given)
        if self.target is FaultTarget.TIRE:
            return SetTireFault(tire=self.place, **given)
        return SetSensorFault(sensor=self.place, **given)

    def _place(self) -> str:
        if self.target is FaultTarget.CONTROL:
            return FaultLocation(self.place).name.lower()
        return f"{self.target.name.lower()} {self.place}"
