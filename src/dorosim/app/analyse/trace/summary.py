"""A trace in figures."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from dorosim.app.analyse.trace.gap import moved_on
from dorosim.app.analyse.trace.trace import Trace
from dorosim.app.run.report.json_output import Facts
from dorosim.ground.column import FloatArray


def summary_of(trace: Trace) -> Facts:
    """The figures of a trace, as `dorosim plot --json` prints them; None where one cannot be computed."""
    against, error = trace.cross_track
    driven = np.hypot(np.diff(trace.x), np.diff(trace.y))
    moved = driven[moved_on(trace.time, trace.x, trace.y, trace.speed)]
    here = np.isfinite(trace.x)
    span = float(trace.time[-1] - trace.time[0])
    gaps, timing = trace.gaps, trace.timing
    return {
        "actor": trace.actor,
        "model": trace.model,
        "from_s": float(trace.time[0]),
        "to_s": float(trace.time[-1]),
        "distance_m": float(moved.sum()),
        "mean_speed_kmh": _mean(trace.time[here], trace.speed[here] * 3.6),
        "max_speed_kmh": _largest(trace.speed * 3.6),
        "max_longitudinal_acceleration_mps2": _largest(np.abs(trace.acceleration[:, 0])),
        "max_lateral_acceleration_mps2": _largest(np.abs(trace.acceleration[:, 1])),
        "max_longitudinal_jerk_mps3": _largest(np.abs(trace.jerk[:, 0])),
        "max_lateral_jerk_mps3": _largest(np.abs(trace.jerk[:, 1])),
        "cross_track_against": against,
        "rms_cross_track_m": _root_mean_square(error),
        "max_cross_track_m": _largest(np.abs(error)),
        "min_distance_m": _least(gaps.nearest),
        "min_gap_ahead_m": _least(gaps.ahead),
        "min_time_gap_s": _least(gaps.ahead_time),
        "collisions": len(trace.collisions),
        "faults": len(trace.faults),
        "real_time_factor": None if timing is None or not span else _factor(trace),
        "late_p99_ms": None if timing is None else _percentile(timing.late * 1e3),
        "step_p99_ms": None if timing is None else _percentile(timing.step * 1e3),
        "notes": list(trace.notes),
    }


def summary_lines(figures: Facts) -> list[tuple[str, str]]:
    """The same as names and values for people."""
    speed, impacts = "mean {:.1f}, max {:.1f} km/h", ", impacts too" if figures["collisions"] else ""
    forward, left = figures["max_longitudinal_acceleration_mps2"], figures["max_lateral_acceleration_mps2"]
    beside = _text("rms {:.3f} m, max {:.3f} m", figures["rms_cross_track_m"], figures["max_cross_track_m"])
    lines = [
        ("vehicle", f"{figures['actor']}, {figures['model']}"),
        ("simulated time", f"{figures['from_s']:.2f} to {figures['to_s']:.2f} s"),
        ("distance", f"{figures['distance_m']:,.0f} m"),
        ("speed", _text(speed, figures["mean_speed_kmh"], figures["max_speed_kmh"])),
        (f"largest acceleration{impacts}", _text("{:.2f} m/s² along, {:.2f} m/s² across", forward, left)),
        (f"beside the {figures['cross_track_against']}", beside),
        ("nearest other", _text("{:.2f} m", figures["min_distance_m"])),
        ("nearest ahead", _text("{:.2f} m, {:.2f} s", figures["min_gap_ahead_m"], figures["min_time_gap_s"])),
        ("collisions, faults", f"{figures['collisions']}, {figures['faults']}"),
    ]
    if figures["step_p99_ms"] is None:
        lines.append(("wall time", "no timing was recorded"))
    else:
        late = figures["late_p99_ms"]
        lateness = "as fast as it went" if late is None else f"99 % of ticks at most {late:.2f} ms late"
        lines.append(("wall time", f"{figures['real_time_factor'] or 0.0:.2f} x real time, {lateness}"))
    return lines


def _text(form: str, first: float | None, second: float | None = None) -> str:
    """One or two values; without the second, the part of the form before its comma."""
    if first is None:
        return "none"
    return form.format(first, second) if second is not None else form.split(",")[0].format(first)


def _mean(time: FloatArray, values: FloatArray) -> float | None:
    """The mean over time."""
    if len(time) < 2:
        return float(values[0]) if len(values) else None
    return float(np.trapezoid(values, time) / (time[-1] - time[0]))


def _of_known(figure: Callable[[FloatArray], Any], values: FloatArray) -> float | None:
    """A figure of those values that are finite, None without any."""
    known = values[np.isfinite(values)]
    return float(figure(known)) if len(known) else None


_largest, _least = partial(_of_known, np.max), partial(_of_known, np.min)
_percentile = partial(_of_known, lambda known: np.percentile(known, 99))
_root_mean_square = partial(_of_known, lambda known: np.sqrt(np.mean(known**2)))


def _factor(trace: Trace) -> float | None:
    """Simulated over wall time of all ticks that have times."""
    timing = trace.timing
    if timing is None or len(timing) < 2:
        return None
    wall = float(timing.begun[-1] - timing.begun[0])
    return float(trace.timing_time[-1] - trace.timing_time[0]) / wall if wall > 0.0 else None
