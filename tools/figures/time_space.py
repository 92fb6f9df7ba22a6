"""Time-space diagram of a lane through a light."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from dorosim.app.analyse.plot.style import GREEN, INK, RED, YELLOW, dress, new_figure
from dorosim.ground.column import FloatArray, IntArray
from dorosim.ground.noise import Noise
from dorosim.mapmaking.track import LIGHT, straight_map
from dorosim.road.network import network_from_mgeo
from dorosim.road.signal import Lamp
from dorosim.world.traffic.placement import CAR, new_traffic
from dorosim.world.traffic.plan import TrafficPlan
from dorosim.world.traffic.state import Presence
from tools.traffic_run import TrafficRun

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LENGTH, LIGHT_AT, GREEN_TIME = 700.0, 450.0, 30.0
DEMAND = 620.0
"""Vehicles an hour that arrive at random (Poisson)."""
DURATION = 300.0
SEED = 3


@dataclass(frozen=True, slots=True)
class LightPassage:
    """Vehicles on one lane through a light.

    Attributes:
        time: `(T,)` [s].
        place: `(T, N)` front bumpers along the road, NaN while a vehicle is not there [m].
        speed: `(T, N)` [m/s].
        lamps: `(T,)` what the light shows, a sum of `Lamp`.
    """

    time: FloatArray
    place: FloatArray
    speed: FloatArray
    lamps: IntArray


def measure(duration: float = DURATION) -> LightPassage:
    """Vehicles that come at random and drive through the light."""
    network = network_from_mgeo(straight_map(LENGTH, light_at=LIGHT_AT, green=GREEN_TIME))
    plan = TrafficPlan.from_network(network)
    waits = Noise(SEED).stream("plot/arrivals").exponential(3600.0 / DEMAND, round(2 * duration * DEMAND / 3600.0))
    arrival = np.cumsum(waits)
    arrival = arrival[arrival < duration]
    count = len(arrival)
    traffic = new_traffic(range(1, count + 1), [CAR] * count, np.zeros(count, np.int64), np.zeros(count), Noise(SEED))
    traffic.present[:], traffic.paused[:] = Presence.OFF_MAP, 1
    run = TrafficRun.of(network, plan, traffic, SEED)
    start = np.where(np.arange(2) == network.link_index("lane0_1"), LIGHT_AT, 0.0)
    light = run.lights.light_row(LIGHT)
    steps = round(duration / run.dt)
    place, speed = np.full((steps, count), np.nan), np.full((steps, count), np.nan)
    lamps = np.zeros(steps, np.int64)
    been = np.zeros(count, np.bool_)
    for step in range(steps):
        traffic.paused[:] = (arrival > step * run.dt) | (been & (traffic.present == 0))
        run.step()
        here = traffic.present == 1
        been |= here
        place[step, here] = (start[traffic.link] + traffic.s)[here]
        speed[step, here] = traffic.speed[here]
        lamps[step] = run.lights.status_of(light, run.signal)
    return LightPassage(np.arange(1.0, steps + 1) * run.dt, place, speed, lamps)


def draw(found: LightPassage) -> Figure:
    """Lines of vehicles, coloured by speed, and the light."""
    from matplotlib.collections import LineCollection

    figure = new_figure(10.0, 5.2)
    axes = figure.subplots()
    segments, colours = [], []
    for column in range(found.place.shape[1]):
        points = np.column_stack((found.time, found.place[:, column]))
        pairs = np.stack((points[:-1], points[1:]), axis=1)
        ints = np.isfinite(pairs).all(axis=(1, 2))
        segments.append(pairs[ints])
        colours.append(found.speed[1:, column][ints] * 3.6)
    lines = LineCollection(list(np.concatenate(segments)), cmap="turbo_r", linewidths=1.1, capstyle="round")
    lines.set_array(np.concatenate(colours))
    lines.set_clim(0.0, 55.0)
    axes.add_collection(lines)
    _draw_light(axes, found)
    axes.set_xlim(0.0, float(found.time[-1]))
    axes.set_ylim(0.0, LENGTH)
    title = f"A lane through a light: {DEMAND:g} vehicles an hour, {GREEN_TIME:g} s green, as long red"
    dress(axes, title, "time [s]", "place along the road [m]")
    bar = figure.colorbar(lines, ax=axes, pad=0.01, aspect=30)
    bar.set_label("speed [km/h]", fontsize=9.5, color=INK)
    bar.ax.tick_params(labelsize=8.5)
    bar.outline.set_visible(False)
    return figure


def _draw_light(axes: Axes, found: LightPassage) -> None:
    """The colours of the light over time, at its stop line."""
    for lamp, colour in ((Lamp.RED, RED), (Lamp.YELLOW, YELLOW), (Lamp.GREEN, GREEN)):
        for begin, end in spans((found.lamps & int(lamp)) != 0):
            t = (found.time[begin] - 0.1, found.time[end - 1])
            axes.plot(t, (LIGHT_AT, LIGHT_AT), color=colour, linewidth=4.5, solid_capstyle="butt", zorder=5)
    box = {"facecolor": "white", "edgecolor": "none", "alpha": 0.85, "pad": 1.5}
    axes.text(2.0, LIGHT_AT + 14.0, "stop line", fontsize=8.5, color=INK, bbox=box, zorder=6)


def spans(flags: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Where flags `(T,)` are set, as first and one past the last."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], flags, [False])).astype(np.int8)))
    return [(int(begin), int(end)) for begin, end in edges.reshape(-1, 2)]
