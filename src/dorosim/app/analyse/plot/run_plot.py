"""The plot of a run, described once: `picture` draws it by matplotlib, `page` by plotly."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dorosim.app.analyse.plot.panel import PATH, Panel, panels_of
from dorosim.app.analyse.trace.recorded import Recorded
from dorosim.app.analyse.trace.summary import summary_lines, summary_of
from dorosim.app.analyse.trace.trace import Trace
from dorosim.ground.column import FloatArray
from dorosim.road.network import RoadNetwork

_MARGIN, MIN_MARGIN = 0.06, 30.0
"""What is shown beside the path, as a share of its extent, and at least so much [m]."""
MIN_MOMENT_DISTANCE = 0.05
"""Between two times that are written along the path, as a share of its extent."""
TIME_LABEL, EAST_LABEL, NORTH_LABEL, SPEED_LABEL = "simulated time [s]", "east [m]", "north [m]", "speed [km/h]"
Bounds = tuple[float, float, float, float]
"""West, south, east, north [m]."""


@dataclass(frozen=True, slots=True, eq=False)
class PathPlot:
    """The path of an actor over the lanes of the map.

    Attributes:
        bounds: the part of the map to show. network: its lanes.
        reference: `(M, 2)` line in map [m] that the path was held against, None for none.
        trace: of the actor.
        ends: name and place of its start and end.
        moments: simulated time [s] and place of further points.
    """

    bounds: Bounds
    network: RoadNetwork
    reference: FloatArray | None
    trace: Trace
    ends: Sequence[tuple[str, float, float]]
    moments: Sequence[tuple[float, float, float]]

    def lanes(self, margin: float) -> list[FloatArray]:
        """Outlines `(n, 2)` of lanes [m], up to a margin beyond the bounds, as a share of the larger side."""
        west, south, east, north = self.bounds
        room = margin * max(east - west, north - south)
        return lane_areas(self.network, (west - room, south - room, east + room, north + room))


@dataclass(frozen=True, slots=True, eq=False)
class RunPlot:
    """What the plot of a run shows.

    Attributes:
        title: above all. trace: of the actor; its collisions and faults are marks in all panels.
        path: on the map, None where it is not wanted. panels: over simulated time.
    """

    title: str
    trace: Trace
    path: PathPlot | None
    panels: tuple[Panel, ...]

    @property
    def span(self) -> tuple[float, float]:
        """Simulated time of all panels [s]."""
        return float(self.trace.time[0]), float(self.trace.time[-1])

    def facts_and_events(self, max_events: int | None = None) -> list[tuple[str, str]]:
        """The facts, and the first collisions and faults."""
        lines, trace = summary_lines(summary_of(self.trace)), self.trace
        lines += [
            (f"collision at {hit.time:.2f} s", f"{hit.kind} {hit.other}, at {hit.closing_speed:.1f} m/s")
            for hit in trace.collisions[:max_events]
        ]
        if max_events is not None and len(trace.collisions) > max_events:
            lines.append(("", f"and {len(trace.collisions) - max_events} more"))
        faults = trace.faults[:max_events]
        return lines + [(f"fault from {fault.begin:.2f} to {fault.end:.2f} s", fault.name) for fault in faults]


def title_of(recorded: Recorded, trace: Trace) -> str:
    """The recording, the vehicle, and what its run was given."""
    kind = "ego vehicle" if trace.state is not None else "vehicle"
    run = f"map {recorded.ready.scene.map_name}, seed {recorded.header.seed}"
    return f"{recorded.path.name}: {kind} {trace.actor}, {trace.model}, {run}"


def plot_of(
    trace: Trace, network: RoadNetwork, title: str, only: tuple[str, ...] = (), reference: FloatArray | None = None
) -> RunPlot:
    """The plot of a trace.

    Args:
        trace: what is drawn.
        network: the lanes under its path.
        title: of the plot.
        only: names of the panels that are wanted; none: all.
        reference: `(M, 2)` line in map [m] that it was held against.

    Raises:
        InputError: a panel has an unknown name.
    """
    path = _path(trace, network, reference) if not only or PATH in only else None
    return RunPlot(title, trace, path, panels_of(trace, only))


def _path(trace: Trace, network: RoadNetwork, reference: FloatArray | None) -> PathPlot:
    here = np.flatnonzero(np.isfinite(trace.x))
    ends = [(name, *_place(trace, row)) for row, name in ((here[0], "start"), (here[-1], "end"))]
    extent = max(np.ptp(trace.x[here]), np.ptp(trace.y[here]), 1.0)
    taken = [(x, y) for _, x, y in ends]
    shown: list[tuple[float, float, float]] = []
    for time, row in moments(trace):
        place = _place(trace, row)
        if min(math.dist(place, other) for other in taken) >= MIN_MOMENT_DISTANCE * extent:
            taken.append(place)
            shown.append((time, *place))
    return PathPlot(bounds_of(trace, reference), network, reference, trace, ends, shown)


def _place(trace: Trace, row: int) -> tuple[float, float]:
    return float(trace.x[row]), float(trace.y[row])


def bounds_of(trace: Trace, reference: FloatArray | None = None) -> Bounds:
    """The part of the map to show: the path, and what of the reference `(N, 2)` [m] is near it."""
    here = np.isfinite(trace.x)
    points = np.stack((trace.x[here], trace.y[here]), axis=1)
    low, high = points.min(axis=0), points.max(axis=0)
    margin = max(MIN_MARGIN, _MARGIN * float((high - low).max()))
    if reference is not None:
        near = (reference >= low - margin).all(axis=1) & (reference <= high + margin).all(axis=1)
        if near.any():
            low, high = np.minimum(low, reference[near].min(axis=0)), np.maximum(high, reference[near].max(axis=0))
    west, south = (low - margin).tolist()
    east, north = (high + margin).tolist()
    return west, south, east, north


def lane_areas(network: RoadNetwork, bounds: Bounds) -> list[FloatArray]:
    """Outlines `(n, 2)` of the drivable lanes that touch a part of the map [m]."""
    west, south, east, north = bounds
    found = []
    first = network.lines.first
    for link in range(network.link_count):
        if not network.link_drivable[link]:
            continue
        part = slice(int(first[link]), int(first[link + 1]))
        line, tangent = network.lines.points[part, :2], network.lines.tangent[part, :2]
        low, high = line.min(axis=0), line.max(axis=0)
        if low[0] > east or high[0] < west or low[1] > north or high[1] < south:
            continue
        normal = np.stack((-tangent[:, 1], tangent[:, 0]), axis=1)
        left = line + network.left_width[part, None] * normal
        right = line - network.right_width[part, None] * normal
        found.append(np.concatenate((left, right[::-1])))
    return found


def moments(trace: Trace, max_count: int = 8) -> list[tuple[float, int]]:
    """Moments to write along the path: a round simulated time [s] and the row of the trace."""
    span = float(trace.time[-1] - trace.time[0])
    if span <= 0.0:
        return []
    step = next(size for size in (1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1800, 3600, 1e9) if span / size <= max_count)
    first = np.ceil(trace.time[0] / step + 1e-9) * step
    times = np.arange(first, trace.time[-1] - 0.25 * step, step)
    rows = np.searchsorted(trace.time, times - 1e-6)
    return [(float(t), int(row)) for t, row in zip(times, rows, strict=True) if np.isfinite(trace.x[row])]
