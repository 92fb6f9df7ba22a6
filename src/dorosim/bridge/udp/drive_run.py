"""Control commands of a run: where many come together, each is made only when it is asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from dorosim.bridge.control_mode import CTRL_MODES, LONG_CMD_TYPES, by_ability
from dorosim.ground.column import FloatArray
from dorosim.wire.run import RunReader
from dorosim.world.command import Command
from dorosim.world.vehicle.command import DriveVehicle
from dorosim.world.vehicle.mode import Gear

DRIVE_CODES: Mapping[str, Any] = {
    "ctrl_mode": CTRL_MODES,
    "cmd_type": LONG_CMD_TYPES,
    "gear": {int(one) for one in Gear},
}
"""The codes of fields of a control command that ask for something: others are refused, one by one."""
_GEARS = {int(one): one for one in Gear}


class DriveRun(Sequence[Command]):
    """What the control commands of a run ask for, in their order: as `dorosim.bridge.drive.drive_ego` of each.

    Args:
        reader: that read them.
        values: `(N, columns)` what it read.
        ego: id of the ego vehicle.
        limits: greatest wheel angle of its front and of its rear wheels [rad].
        by_ability: as of `dorosim.bridge.udp.receive.UdpSituation`.
    """

    def __init__(
        self, reader: RunReader, values: FloatArray, ego: int, limits: tuple[float, float], *, by_ability: bool
    ) -> None:
        self._reader, self._values, self._ego, self._limits = reader, values, ego, limits
        self._by_ability = by_ability
        self._made: tuple[Command, ...] | None = None

    def __len__(self) -> int:
        """How many there are."""
        return len(self._values)

    def __getitem__(self, index: Any) -> Any:
        """A command, or several."""
        return self._commands()[index]

    def __iter__(self) -> Iterator[Command]:
        """The commands in order."""
        return iter(self._commands())

    def _commands(self) -> tuple[Command, ...]:
        if self._made is None:
            self._made = tuple(self._make())
        return self._made

    def _make(self) -> Iterator[Command]:
        at, (front, rear) = self._reader.columns, self._limits
        kinds = {code: by_ability(kind, wanted=self._by_ability) for code, kind in LONG_CMD_TYPES.items()}
        mode, gear, kind = at["ctrl_mode"], at["gear"], at["cmd_type"]
        accelerator, brake, steer = at["accel"], at["brake"], at["steer"]
        velocity, acceleration, rear_steer = at["velocity"], at["acceleration"], at.get("rear_steer")
        for row in self._values.tolist():
            yield DriveVehicle(
                self._ego,
                kinds[row[kind]],
                CTRL_MODES[row[mode]],
                _GEARS[row[gear]],
                accelerator=row[accelerator],
                brake=row[brake],
                velocity=row[velocity],
                acceleration=row[acceleration],
                steer=row[steer] * front,
                rear_steer=(0.0 if rear_steer is None else row[rear_steer]) * rear,
            )
