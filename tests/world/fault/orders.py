"""Commands that set faults."""

from __future__ import annotations

from typing import Any

from dorosim.world.fault.command import SetControlFault, SetSensorFault, SetTireFault

SECOND = 1_000_000_000
"""[ns]"""


def control(location: int, subclass: int, actor: int = 1, **more: Any) -> SetControlFault:
    """A fault of a part of the controls, by the numbers of the documents."""
    return SetControlFault(actor=actor, location=location, fault_class=subclass // 100, fault_subclass=subclass, **more)


def tire(index: int, subclass: int, actor: int = 1, **more: Any) -> SetTireFault:
    """A fault of a tyre, by the numbers of the documents."""
    return SetTireFault(actor=actor, tire=index, fault_class=subclass // 100, fault_subclass=subclass, **more)


def sensor(number: int, subclass: int, actor: int = 1, **more: Any) -> SetSensorFault:
    """A fault of a sensor, by the numbers of the documents."""
    return SetSensorFault(actor=actor, sensor=number, fault_class=subclass // 100, fault_subclass=subclass, **more)
