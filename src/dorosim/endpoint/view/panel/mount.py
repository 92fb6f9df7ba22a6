"""The folder in which visitors add sensors to the followed vehicle, move them and take them off."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, get_args

from dorosim.bridge.sensor.kind import OUTPUTS
from dorosim.endpoint.view.page_context import DoneText, PageContext, assign
from dorosim.ground.error import InputError
from dorosim.ground.unit import DEGREE
from dorosim.world.mount.command import AddSensor, MoveSensor, RemoveSensor
from dorosim.world.mount.setting import AnySettings
from dorosim.world.mount.state import Mount

NO_SENSOR = "none"
SETTINGS: dict[str, Any] = {OUTPUTS[kind.KIND].name: kind for kind in get_args(AnySettings)}
"""Settings of each kind of sensor, by the name of the kind."""
ROOF = (1.3, 0.0, 1.7)
"""Where a new sensor is put at first, in the body frame [m]: above the front seats of a car."""
LIDAR_ROOF = (1.2, 0.0, 1.9)
"""The same of a lidar, which the roof would hide the road from."""
MAX_RATE = 1000.0
"""Of a new sensor [Hz]."""


class MountFolder:
    """The folder. Each sensor begins with the usual settings of its kind.

    Args:
        context: what all parts have in common.
    """

    def __init__(self, context: PageContext) -> None:
        self._context = context
        self._mounts: dict[str, Mount] = {}
        self._adding = False
        gui = context.server.gui
        with gui.add_folder("Add and move"):
            self._kind = gui.add_dropdown("Kind", tuple(SETTINGS))
            self._rate = gui.add_number("Rate [Hz]", 0.0, min=0.0, max=MAX_RATE, step=1.0, hint="0: as usual")
            self._place = gui.add_vector3(
                "Place [m]", ROOF, step=0.05, hint="Forward, left and up from the middle of the rear axle on the road"
            )
            self._turn = gui.add_vector3("Turn [°]", (0.0, 0.0, 0.0), step=1.0, hint="Roll, pitch (down), yaw (left)")
            self._add = gui.add_button("Add to the followed vehicle", color="blue")
            self._which = gui.add_dropdown("Sensor", (NO_SENSOR,), hint="Choose one: the fields show where it is")
            self._move = gui.add_button("Move it there", color="blue")
            self._remove = gui.add_button("Take it off", color="red")
        context.on_press(self._add, "Sensors", self._mount)
        context.on_press(self._move, "Sensors", self._shift)
        context.on_press(self._remove, "Sensors", self._unmount)
        context.on_input(self._which, "Sensors", self._show_place)
        context.on_input(self._kind, "Sensors", self._begin_place)

    def set_mounts(self, mounts: Mapping[str, Mount]) -> None:
        """List these sensors, by name; one that was just added is chosen."""
        new = [name for name in mounts if name not in self._mounts]
        self._mounts = dict(mounts)
        options = tuple(mounts) or (NO_SENSOR,)
        if self._which.options != options:
            chosen = new[-1] if self._adding and new else self._which.value
            self._which.options = options
            if chosen in options:
                assign(self._which, chosen)
            self._adding = self._adding and not new

    def _mount(self) -> DoneText:
        if self._kind.value not in SETTINGS:
            raise InputError("sensor", "", f"there is no kind {self._kind.value!r}")
        place, turn = self._pose()
        rate = _finite(self._rate.value, "the rate")
        period = round(1e9 / rate) if rate > 0.0 else None
        actor = self._context.followed
        command = AddSensor(actor, settings=SETTINGS[self._kind.value](), position=place, rotation=turn, period=period)
        self._adding = True
        self._context.proxy.do(command)
        return DoneText(f"{self._kind.value} on vehicle {actor}")

    def _shift(self) -> DoneText:
        mount = self._chosen()
        place, turn = self._pose()
        self._context.proxy.do(MoveSensor(mount.id, position=place, rotation=turn))
        return DoneText(f"{self._which.value} is at {', '.join(f'{part:g}' for part in place)} m")

    def _unmount(self) -> DoneText:
        name = self._which.value
        self._context.proxy.do(RemoveSensor(self._chosen().id))
        return DoneText(f"{name} is taken off")

    def _begin_place(self) -> None:
        assign(self._place, LIDAR_ROOF if self._kind.value == "lidar" else ROOF)
        assign(self._turn, (0.0, 0.0, 0.0))

    def _show_place(self) -> None:
        mount = self._chosen()
        assign(self._place, tuple(round(part, 3) for part in mount.position))
        assign(self._turn, tuple(round(math.degrees(part), 2) for part in mount.rotation))

    def _chosen(self) -> Mount:
        mount = self._mounts.get(str(self._which.value))
        if mount is None:
            raise InputError("sensor", "", "none is chosen", "add one, or choose one from the list")
        return mount

    def _pose(self) -> tuple[tuple[float, float, float], tuple[float, float, float]]:
        """Place [m] and turn [rad] from the fields."""
        x, y, z = (_finite(part, "the place") for part in self._place.value)
        roll, pitch, yaw = (_finite(part, "the turn") * DEGREE.factor for part in self._turn.value)
        return (x, y, z), (roll, pitch, yaw)


def _finite(value: float, what: str) -> float:
    if not math.isfinite(value):
        raise InputError("sensor", "", f"{what} is {value}", "give a number")
    return float(value)
