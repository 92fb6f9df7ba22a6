"""What the plots of a run show, whatever draws them: panels with lines and bands over simulated time."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from dorosim.app.analyse.plot.style import BLUE, DARK_GREEN, DARK_RED, GREEN, GREY, INK, ORANGE, RED, YELLOW
from dorosim.app.analyse.trace.trace import Trace
from dorosim.ground.column import FloatArray
from dorosim.ground.error import InputError
from dorosim.world.vehicle.mode import ControlKind, ControlMode, Gear

PATH = "path"
"""The panel that has no time: the way on the map."""
MAX_DISTANCE, MAX_TIME_GAP = 100.0, 10.0
"""Distances [m] and time gaps [s] beyond are not drawn."""
MIN_VALUE_RANGE = 0.05
"""Values that differ by less are shown as the same: the last digits of a solver are of no interest."""
PACE_SPAN = 1.0
"""Wall time over which the real-time factor is averaged [s]."""


@dataclass(frozen=True, slots=True, eq=False)
class PlotCurve:
    """A line over time.

    Attributes:
        name: in the legend. time, value: `(n,)`; NaN where there is nothing.
        colour: of the line. style: "line", "dash", "step" or "dots". faint: thinner, behind the others.
    """

    name: str
    time: FloatArray
    value: FloatArray
    colour: str
    style: str = "line"
    faint: bool = False


@dataclass(frozen=True, slots=True)
class Band:
    """A span of time in which something was so.

    Attributes:
        row: which line of bands. begin, end: simulated [s]. label: what it was. colour: of it.
    """

    row: str
    begin: float
    end: float
    label: str
    colour: str


@dataclass(frozen=True, slots=True)
class Panel:
    """A plot over simulated time.

    Attributes:
        key: its name for `--only`. title, unit: of the plot and of its values.
        curves, bands: what it shows. low, high: values that are always in view, None: as they come.
        note: what stands there instead, where there is nothing to show.
        peaks: whether single peaks may be beyond the frame, where they would flatten all else.
        logarithmic: whether values are.
    """

    key: str
    title: str
    unit: str
    curves: tuple[PlotCurve, ...] = ()
    bands: tuple[Band, ...] = ()
    low: float | None = None
    high: float | None = None
    note: str = ""
    peaks: bool = False
    logarithmic: bool = False

    @property
    def frame(self) -> tuple[float, float] | None:
        """Lowest and highest value to show, None: as they come."""
        known = [one.value[np.isfinite(one.value)] for one in self.curves]
        values = np.concatenate(known) if known else np.zeros(0)
        if self.logarithmic or not len(values):
            return None
        lowest, highest = float(values.min()), float(values.max())
        if self.peaks:
            low, high = np.percentile(values, (0.3, 99.7)).tolist()
            margin = 1.0 + 0.6 * (high - low)
            lowest, highest = max(lowest, low - margin), min(highest, high + margin)
        lowest, highest = (
            lowest if self.low is None else min(self.low, lowest),
            highest if self.high is None else max(self.high, highest),
        )
        room = 0.05 * (highest - lowest) if highest - lowest > MIN_VALUE_RANGE else MIN_VALUE_RANGE
        return (lowest if self.low == lowest else lowest - room), highest + room

    @property
    def heading(self) -> str:
        """Title with the unit, and what is beyond the frame."""
        unit = f" [{self.unit}]" if self.unit not in ("", "1") else ""
        frame = self.frame
        if frame is None or not self.peaks:
            return f"{self.title}{unit}"
        beyond = [
            value
            for one in self.curves
            for value in (float(np.nanmin(one.value, initial=0.0)), float(np.nanmax(one.value, initial=0.0)))
            if not frame[0] <= value <= frame[1]
        ]
        peak = f", peaks to {max(beyond, key=abs):.0f}" if beyond else ""
        return f"{self.title}{unit}{peak}"


def panels_of(trace: Trace, only: tuple[str, ...] = ()) -> tuple[Panel, ...]:
    """The panels of a trace over time, in their order; `only` names those that are wanted, none: all.

    Raises:
        InputError: one has an unknown name.
    """
    check_names(only)
    wanted = [name for name in MAKERS if not only or name in only]
    return tuple(MAKERS[name](trace) for name in wanted)


def check_names(only: tuple[str, ...]) -> None:
    """Refuse names of panels that there are not.

    Raises:
        InputError: with those that there are.
    """
    for name in only:
        if name not in (PATH, *MAKERS):
            raise InputError("--only", "", f"there is no {name!r}", f"use {', '.join((PATH, *MAKERS))}")


def _speed(trace: Trace) -> Panel:
    limit = PlotCurve("limit of the lane", trace.time, trace.limit * 3.6, RED, "step", faint=True)
    speed = PlotCurve("speed", trace.time, trace.speed * 3.6, BLUE)
    return Panel("speed", "Speed", "km/h", (limit, speed), low=0.0)


def _gap(trace: Trace) -> Panel:
    gaps, title = trace.gaps, "Distance to others"
    if not np.isfinite(gaps.nearest).any():
        return Panel("gap", title, "m", note="there was no other actor")
    nearest = np.where(gaps.nearest <= MAX_DISTANCE, gaps.nearest, np.nan)
    if not np.isfinite(nearest).any():  # a body ahead is no nearer than the nearest one
        return Panel("gap", title, "m", note=f"there was no actor within {MAX_DISTANCE:.0f} m")
    curves = (
        PlotCurve("nearest in any direction", trace.time, nearest, GREY, faint=True),
        PlotCurve("ahead on the way", trace.time, gaps.ahead, ORANGE),
    )
    return Panel("gap", title, "m", curves, low=0.0)


def _time_gap(trace: Trace) -> Panel:
    title = "Time gap to the one ahead"
    gap = np.where(trace.gaps.ahead_time <= MAX_TIME_GAP, trace.gaps.ahead_time, np.nan)
    if not np.isfinite(gap).any():
        return Panel("time-gap", title, "s", note="there was no actor ahead")
    return Panel("time-gap", title, "s", (PlotCurve("time gap", trace.time, gap, ORANGE),), low=0.0)


def _pedals(trace: Trace) -> Panel:
    state = trace.state
    if state is None:
        return Panel("pedals", "Pedals", "%", note="traffic has no pedals")
    asked = state.asked_control * 100.0
    curves = (
        PlotCurve("accelerator, asked", trace.time, asked[0], DARK_GREEN, "dash", faint=True),
        PlotCurve("accelerator", trace.time, state.accelerator * 100.0, GREEN),
        PlotCurve("brake, asked", trace.time, asked[1], DARK_RED, "dash", faint=True),
        PlotCurve("brake", trace.time, state.brake * 100.0, RED),
    )
    return Panel("pedals", "Pedals", "%", curves, low=0.0, high=100.0)


def _steering(trace: Trace) -> Panel:
    state = trace.state
    title = "Angle of the front wheels, left positive"
    if state is None:
        return Panel("steering", title, "°", note="traffic has no steering")
    curves = (
        PlotCurve("asked", trace.time, np.degrees(state.asked_control[2]), INK, "dash", faint=True),
        PlotCurve("actual", trace.time, np.degrees(state.steer), BLUE),
    )
    return Panel("steering", title, "°", curves)


def _acceleration(trace: Trace) -> Panel:
    curves = (
        PlotCurve("lateral, left positive", trace.time, trace.acceleration[:, 1], ORANGE),
        PlotCurve("longitudinal", trace.time, trace.acceleration[:, 0], BLUE),
    )
    return Panel("acceleration", "Acceleration", "m/s²", curves, peaks=True)


def _jerk(trace: Trace) -> Panel:
    curves = (
        PlotCurve("lateral", trace.time, trace.jerk[:, 1], ORANGE),
        PlotCurve("longitudinal", trace.time, trace.jerk[:, 0], BLUE),
    )
    return Panel("jerk", "Jerk over 0.1 s", "m/s³", curves, peaks=True)


def _cross_track(trace: Trace) -> Panel:
    title = "Cross-track error, left positive"
    curves = [PlotCurve("to the lane", trace.time, trace.lane_error, GREY, faint=True)]
    if np.isfinite(trace.trajectory_error).any():
        curves.append(PlotCurve("to the trajectory", trace.time, trace.trajectory_error, GREEN))
    if trace.reference_error is not None:
        curves.append(PlotCurve("to the reference", trace.time, trace.reference_error, BLUE))
    if len(curves) == 1:
        curves = [PlotCurve("to the lane", trace.time, trace.lane_error, BLUE)]
    if not any(np.isfinite(curve.value).any() for curve in curves):
        return Panel("cross-track", title, "m", note="it was on no lane")
    return Panel("cross-track", title, "m", tuple(curves))


def _mode(trace: Trace) -> Panel:
    state = trace.state
    if state is None:
        return Panel("mode", "Gear and mode", "", note="traffic has neither gear nor mode")
    rows = (("gear", state.gear, _GEARS), ("mode", state.control_mode, _MODES), ("command", state.control_kind, _KINDS))
    bands = [
        Band(row, begin, end, *names[code])
        for row, codes, names in rows
        for begin, end, code in _spans(trace.time, codes)
        if code >= 0
    ]
    return Panel("mode", "Gear, mode, and kind of command", "", bands=tuple(bands))


def _pace(trace: Trace) -> Panel:
    title = "Real-time factor"
    if trace.timing is None or len(trace.timing) < 2:
        return Panel("pace", title, "1", note=_NO_TIMING)
    factor = pace_of(trace.timing_time, trace.timing.begun)
    return Panel("pace", title, "1", (PlotCurve("over 1 s of wall time", trace.timing_time, factor, BLUE),), low=0.0)


def _latency(trace: Trace) -> Panel:
    title = "Latency of ticks"
    timing = trace.timing
    if timing is None:
        return Panel("latency", title, "ms", note=_NO_TIMING)
    curves = [PlotCurve("step", trace.timing_time, timing.step * 1e3, GREY, "dots", faint=True)]
    if np.isfinite(timing.late).any():
        ready = (timing.late + timing.step) * 1e3
        curves.append(PlotCurve("snapshot after it was due", trace.timing_time, ready, BLUE, "dots"))
    return Panel("latency", title, "ms", tuple(curves), logarithmic=True)


MAKERS: dict[str, Callable[[Trace], Panel]] = {
    "mode": _mode,
    "speed": _speed,
    "pedals": _pedals,
    "steering": _steering,
    "acceleration": _acceleration,
    "jerk": _jerk,
    "gap": _gap,
    "time-gap": _time_gap,
    "cross-track": _cross_track,
    "pace": _pace,
    "latency": _latency,
}
"""The panels by their names, in the order in which they are drawn."""
_NO_TIMING = "no timing was recorded"
_Names = dict[int, tuple[str, str]]
"""What codes mean, and the colours of their bands."""


def _names(kind: type[IntEnum], colours: dict[int, str]) -> _Names:
    return {one.value: (one.name.lower().replace("_", " "), colours.get(one.value, GREY)) for one in kind}


_GEARS: _Names = {
    gear.value: (gear.name, colour) for gear, colour in zip(Gear, (BLUE, RED, ORANGE, GREY, BLUE, GREEN), strict=True)
}
_MODES = _names(ControlMode, {ControlMode.KEYBOARD: GREEN, ControlMode.AUTO: BLUE, ControlMode.CRUISE: ORANGE})
_KINDS = _names(
    ControlKind,
    {
        ControlKind.PEDALS: BLUE,
        ControlKind.VELOCITY: GREEN,
        ControlKind.VELOCITY_BY_ABILITY: GREEN,
        ControlKind.ACCELERATION: ORANGE,
        ControlKind.TRAJECTORY: YELLOW,
    },
)


def pace_of(time: FloatArray, begun: FloatArray) -> FloatArray:
    """Simulated over wall time, over the last `PACE_SPAN` before each tick.

    Args:
        time: `(N,)` simulated [s].
        begun: `(N,)` wall time [s].

    Returns:
        `(N,)`; NaN as long as a quarter of the span has not gone by.
    """
    before = np.searchsorted(begun, begun - PACE_SPAN)
    wall = begun - begun[before]
    factor = np.full(len(time), math.nan)
    known = wall > 0.25 * PACE_SPAN
    factor[known] = (time - time[before])[known] / wall[known]
    return factor


def _spans(time: FloatArray, codes: NDArray[np.int64]) -> list[tuple[float, float, int]]:
    """Where codes `(N,)` stay the same: from when to when [s], and which."""
    edges = [0, *(np.flatnonzero(np.diff(codes)) + 1).tolist(), len(codes)]
    last = float(time[-1])
    return [(float(time[a]), float(time[b]) if b < len(codes) else last, int(codes[a])) for a, b in pairwise(edges)]


def thinned(time: FloatArray, value: FloatArray, max_points: int) -> tuple[FloatArray, FloatArray]:
    """A line of few points that keeps the lowest and highest of each piece of time, and one gap of those that have any.

    Args:
        time: `(n,)` [s].
        value: `(n,)` at them.
        max_points: at least 4; half as many more where there are gaps.
    """
    count = len(time)
    if count <= max_points:
        return time, value
    size = math.ceil(count / (max_points // 2))
    edges = np.arange(0, count, size)
    low = np.where(np.isfinite(value), value, np.inf)
    high = np.where(np.isfinite(value), value, -np.inf)
    missing = ~np.isfinite(value)
    kept = []
    for a in edges.tolist():
        part = slice(a, a + size)
        kept += [a + int(np.argmin(low[part])), a + int(np.argmax(high[part]))]
        if missing[part].any():
            kept.append(a + int(np.argmax(missing[part])))
    rows = np.unique(np.array([0, *kept, count - 1]))
    return time[rows], value[rows]
