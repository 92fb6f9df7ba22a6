"""How a project wants its vehicles to follow others: its AgentModels, by which built-in drivers drive them.

A vehicle with full dynamics that cruises is driven after a plan, which is a row of the traffic with numbers of its own
(`dorosim.world.vehicle.cruise`). It gets those of the project in the tick after the one in which it begins to cruise.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from dorosim.bridge.actor import names_of
from dorosim.bridge.tcp_step.name import StepNames
from dorosim.world.command import Command
from dorosim.world.effect_common import MAX_COMMANDED_SPEED
from dorosim.world.ordinary.kept import kept_frame
from dorosim.world.snapshot import NO_ACTOR, Snapshot
from dorosim.world.traffic.command import ChangeDriver
from dorosim.world.traffic.effect import DRIVER_RANGES
from dorosim.world.vehicle.command import SetCruise

MODEL, EXPONENT = "idm", 4.0
"""The following model that dorosim has, and its exponent."""
KEYS = {
    "timeGap": "time_gap",
    "minDistance": "standstill_gap",
    "maxAcceleration": "acceleration",
    "comfortDeceleration": "deceleration",
}
"""Which number of `ChangeDriver` each key of an agent is."""
SPEED, NAME, KIND = "desiredSpeed", "agentName", "carFollowingModel"
_SILENT = frozenset({NAME, KIND, "group"})


class ProjectAgents:
    """The agents of a project in a run.

    Args:
        rows: AgentModels, as the project has them.
        now: a snapshot of the run, at its start.

    Attributes:
        opening: commands for the first tick. notes: what is used and what is not, a line for each agent.
    """

    def __init__(self, rows: Sequence[dict[str, Any]] = (), now: Snapshot | None = None) -> None:
        self.opening: list[Command] = []
        self.notes: list[str] = []
        self._drivers: dict[int, ChangeDriver] = {}
        self._frame: object = None
        if now is not None:
            names = StepNames(now, names_of(now))
            for row in rows:
                self._take(row, names.actor_of(str(row.get(NAME, ""))))

    def due(self, now: Snapshot) -> list[Command]:
        """What is to be done after a snapshot, so that those that drive themselves do so as the project says."""
        if not self._drivers:
            return []
        frame = kept_frame(now)
        if frame is not None and frame is self._frame:
            return []
        self._frame = frame
        return [one for actor, one in self._drivers.items() if _differs(now, now.traffic.row_of(actor), one)]

    def _take(self, row: dict[str, Any], actor: int) -> None:
        """Use an agent's numbers, as far as dorosim has them."""
        head = f"AgentModels of {row.get(NAME)}: {row.get(KIND, '')}"
        is_idm = str(row.get(KIND, "")).lower() == MODEL and row.get("accelerationExponent", EXPONENT) == EXPONENT
        if actor == NO_ACTOR or not is_idm:
            self.notes.append(f"{head}, {len(set(row) - {NAME})} numbers and words, kept and not used")
            return
        numbers = {name: _within(row.get(key), *DRIVER_RANGES[name]) for key, name in KEYS.items()}
        speed = _within(row.get(SPEED), 0.0, MAX_COMMANDED_SPEED)
        given = {key for key, name in KEYS.items() if numbers[name] is not None} | ({SPEED} if speed else set())
        if speed:
            self.opening.append(SetCruise(actor, speed=speed))
        if any(one is not None for one in numbers.values()):
            self._drivers[actor] = ChangeDriver(actor, **numbers)
        used = ", ".join(key for key in (*KEYS, SPEED) if key in given)
        left = ", ".join(sorted(set(row) - given - _SILENT - {"accelerationExponent"}))
        note = f"{head}: {used or 'nothing'} used where it drives itself"
        self.notes.append(f"{note}; {left} kept and not used" if left else note)


def _differs(now: Snapshot, row: int, asked: ChangeDriver) -> bool:
    """Whether a row of the traffic is there and drives by other numbers than those asked for."""
    if row < 0:
        return False
    traffic = now.traffic
    pairs = (
        (traffic.time_gap, asked.time_gap),
        (traffic.standstill_gap, asked.standstill_gap),
        (traffic.comfortable_acceleration, asked.acceleration),
        (traffic.comfortable_deceleration, asked.deceleration),
    )
    return any(value is not None and float(column[row]) != value for column, value in pairs)


def _within(value: Any, low: float, high: float) -> float | None:
    """A number above one and up to another, None for anything else."""
    usable = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    return float(value) if usable and low < value <= high else None
