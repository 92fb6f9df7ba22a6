"""What a run begins with of sensors, as its settings and files ask for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dorosim.app.store.scene import SceneLoader
    from dorosim.endpoint.sensor.interface import SensorAddress
    from dorosim.scenario.sensor_set.read import SensorLink, SensorSet
    from dorosim.world.command import Command


@dataclass(frozen=True, slots=True)
class SensorPlan:
    """The sensors that a run begins with.

    Attributes:
        set: the sensor set file, None for none.
        commands: of the first tick.
        addresses: where packets go, by number; None for sensors that send nothing by UDP.
        links: the same, as sensor set files have it.
        lines: for the banner. notices: what of the file is not done.
        ahead: the geometry that they will look at, where it is being built already.
    """

    set: SensorSet | None = None
    commands: tuple[Command, ...] = ()
    addresses: Mapping[int, SensorAddress | None] = field(default_factory=dict)
    links: Mapping[int, SensorLink] = field(default_factory=dict)
    lines: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()
    ahead: SceneLoader | None = None
