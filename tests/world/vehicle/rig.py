"""A test rig: vehicles on a plane, driven by held commands, with what they did as arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from dorosim.world.vehicle.catalogue import VEHICLE_MODELS
from dorosim.world.vehicle.kernel import step_vehicles
from dorosim.world.vehicle.mode import ControlKind
from dorosim.world.vehicle.model import GroundVehicle, RoadVehicle
from dorosim.world.vehicle.parameter import VehicleParameter
from dorosim.world.vehicle.placement import new_vehicle_rows, place
from dorosim.world.vehicle.state import VehicleState

TICK = 0.01

ROAD_VEHICLES = [model for model in VEHICLE_MODELS if isinstance(model, RoadVehicle)]
GROUND_VEHICLES = [model for model in VEHICLE_MODELS if isinstance(model, GroundVehicle)]


class Rig:
    """Vehicles that stand or roll straight ahead at the origin.

    `slope` is the gradient of the ground in the map; keyword arguments replace parameters of all vehicles.
    """

    def __init__(
        self,
        names: str | Sequence[str] = "2016_Hyundai_Ioniq",
        *,
        speed: float | Sequence[float] = 0.0,
        yaw: float = 0.0,
        slope: tuple[float, float] = (0.0, 0.0),
        **parameters: object,
    ) -> None:
        self.names = [names] if isinstance(names, str) else list(names)
        self.state, self.parameter = new_vehicle_rows(range(1, len(self.names) + 1), self.names)
        self.slope = slope
        for row, start in enumerate(np.broadcast_to(np.asarray(speed, float), len(self.names))):
            place(self.state, row, (0.0, 0.0, 0.0), yaw, float(start))
        for name, value in parameters.items():
            self.change(name, value)
        self.parameter.freeze()

    def change(self, name: str, value: object) -> None:
        """Replace a parameter of all vehicles."""
        table = VehicleParameter(self.parameter.floats.copy(), self.parameter.ints.copy())
        getattr(table, name)[...] = value
        self.parameter = table.freeze()

    def command(self, kind: ControlKind, **columns: object) -> Rig:
        """Hold a command."""
        self.state.control_kind[:] = kind
        for name, value in columns.items():
            getattr(self.state, name)[...] = value
        return self

    def tick(self, dt: float = TICK, substeps: int = 1) -> None:
        """One tick on the plane."""
        state = self.state
        state.ground_slope_x[:], state.ground_slope_y[:] = self.slope
        state.ground_height[:] = self.slope[0] * state.x + self.slope[1] * state.y
        step_vehicles(self.parameter.floats, self.parameter.ints, state.floats, state.ints, dt, substeps)

    def run(
        self, seconds: float, dt: float = TICK, substeps: int = 1, each: Callable[[float], None] | None = None
    ) -> History:
        """Ticks for a time; `each` is called with the time before each of them."""
        ticks = round(seconds / (dt * substeps))
        floats = np.empty((ticks + 1, *self.state.floats.shape))
        floats[0] = self.state.floats
        for k in range(ticks):
            if each is not None:
                each(k * dt * substeps)
            self.tick(dt, substeps)
            floats[k + 1] = self.state.floats
        return History(floats, np.arange(ticks + 1) * dt * substeps)


class History:
    """States over time: `history.velocity_x` is `(ticks + 1, rows)`, without the rows axis if there is one row."""

    def __init__(self, floats: np.ndarray, time: np.ndarray) -> None:
        self._floats = floats
        self.time = time

    def __getattr__(self, name: str) -> np.ndarray:
        column = getattr(VehicleState, name)
        count = getattr(column, "count", 0)
        values = self._floats[:, column.index : column.index + count] if count else self._floats[:, column.index]
        return values[..., 0] if values.shape[-1] == 1 else values
