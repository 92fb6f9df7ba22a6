"""Figures of one actor, as its panel shows them, and their course over the last seconds."""

from __future__ import annotations

import math
from collections import deque
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dorosim.bridge.actor import ActorKind, names_of
from dorosim.bridge.actor_state import ActorReader, ActorState, model_name
from dorosim.bridge.surroundings import Lane, lane_under
from dorosim.ground.unit import DEGREE, KMH
from dorosim.world.scene import Scene
from dorosim.world.snapshot import Snapshot
from dorosim.world.vehicle.mode import ControlMode

SPAN = 20.0
"""How much of the past is drawn [s]."""
SERIES = ("speed", "along", "left", "steering", "accelerator", "brake")
"""What is drawn: km/h, m/s² forward, m/s² to the left, degrees, two of per cent."""
_STEPS = 5.0
"""Steps of an axis at most, where its ends are round figures."""


class Figures(NamedTuple):
    """What the panel shows of an actor.

    Attributes:
        state: the actor, None where it is gone. name: by which clients know it. model: its name.
        mode: control mode of a vehicle with full dynamics, "" for others.
        lane: under a vehicle with full dynamics; of NPC vehicles the link only.
    """

    state: ActorState | None
    name: str
    model: str
    mode: str
    lane: Lane


class FigureReader:
    """Reads figures of snapshots of one scene.

    Args:
        scene: of the run.
    """

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._reader = ActorReader(scene)

    def read(self, now: Snapshot, actor: int) -> Figures:
        """The figures of an actor."""
        state = self._reader.state(now, actor)
        if state is None:
            return Figures(None, "", "", "", Lane())
        name, row = names_of(now).text_of(actor), now.row_of(actor)
        if row >= 0:
            mode = ControlMode(int(now.vehicle.control_mode[row])).name.lower()
            lane = lane_under(self._scene.network, now.vehicle, row)
            return Figures(state, name, model_name(self._scene, state), mode, lane)
        lane = Lane(state.link, self._scene.network.link_ids[state.link], state.s) if state.link >= 0 else Lane()
        return Figures(state, name, model_name(self._scene, state), "", lane)


def rows_of(figures: Figures) -> tuple[tuple[str, str], ...]:
    """Figures as rows of a table: what, and how much in the units that drivers use."""
    state, lane = figures.state, figures.lane
    if state is None:
        return (("gone", "no actor of this id is on the map"),)
    x, y, z = state.position
    forward, left, _ = state.acceleration
    rows = [
        ("position", f"{x:.2f}, {y:.2f}, {z:.2f} m"),
        ("heading", f"{state.rotation[2] / DEGREE.factor:.1f}°"),
        ("acceleration", f"{_signed(forward)} forward, {_signed(left)} left m/s²"),
    ]
    if lane.link_id:
        on = f"{lane.link_id} at {lane.s:.1f} m"
        off = f"{abs(lane.lateral):.2f} m {'left' if lane.lateral >= 0 else 'right'} of its centre"
        rows.append(("link", on))
        if state.kind is ActorKind.EGO:
            rows.append(("lane", off))
    if state.kind is ActorKind.EGO:
        rows.append(("mode", figures.mode))
    return tuple(rows)


def _signed(value: float) -> str:
    return f"{value if abs(value) >= 0.005 else 0.0:.2f}"


MAX_ROWS = 1200
"""Moments of a course that are kept at most. A page at the pace of wall time, which adds ten a second, has 200."""


def fitting_range(values: NDArray[np.floating], least: tuple[float, float]) -> tuple[float, float]:
    """The ends of an axis: round figures that hold all values, and no less than what is usual.

    Args:
        values: of all lines of a plot; those that are not finite are left out.
        least: ends that the axis has at least.
    """
    known = values[np.isfinite(values)]
    low, high = least
    if len(known):
        low, high = min(low, float(known.min())), max(high, float(known.max()))
    step = 10.0 ** math.floor(math.log10(high - low))  # a tenth to the whole of what is between the ends
    step *= next((part for part in (0.2, 0.5) if (high - low) / (part * step) <= _STEPS), 1.0)
    return step * math.floor(low / step), step * math.ceil(high / step)


class Course:
    """What an actor did in the last seconds, for plots.

    Args:
        span: how long is remembered [s of simulated time].
    """

    def __init__(self, span: float = SPAN) -> None:
        self._span, self._step = span, span / MAX_ROWS
        self._rows: deque[tuple[float, ...]] = deque()

    def add(self, time: float, state: ActorState) -> bool:
        """Remember a state at a simulated time [s], if it is later than the last one by enough to be seen.

        Where time goes back, the course begins anew. Returns whether the state is remembered.
        """
        if self._rows and time < self._rows[-1][0]:
            self._rows.clear()
        if self._rows and time - self._rows[-1][0] < self._step:
            return False
        self._rows.append(
            (
                time,
                math.hypot(*state.velocity[:2]) / KMH.factor,
                state.acceleration[0],
                state.acceleration[1],
                state.steer / DEGREE.factor,
                100.0 * state.accelerator,
                100.0 * state.brake,
            )
        )
        while self._rows[0][0] < time - self._span:
            self._rows.popleft()
        return True

    def clear(self) -> None:
        """Forget all states: another actor is followed, or another run begins."""
        self._rows.clear()

    def table(self) -> NDArray[np.float64]:
        """`(1 + len(SERIES), n)`: time before the last one [s], 0 or less, and the series."""
        if not self._rows:
            return np.zeros((1 + len(SERIES), 0))
        table = np.array(self._rows).T
        table[0] -= table[0, -1]
        return table
