"""A lane change: the vehicle that makes it, its reason, and the vehicle that makes room."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from dorosim.app.analyse.plot.style import BLUE, FAINT, GREEN, GREY, INK, ORANGE, PAINT, ROAD, dress, new_figure
from dorosim.ground.column import FloatArray
from dorosim.ground.noise import Noise
from dorosim.mapmaking.track import TRACK_LANE_WIDTH, straight_map
from dorosim.road.network import network_from_mgeo
from dorosim.world.traffic.placement import CAR, new_traffic
from dorosim.world.traffic.plan import TrafficPlan
from dorosim.world.traffic.state import SpeedMode
from tools.figures.time_space import spans
from tools.traffic_run import TrafficRun

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

CHANGER, SLOW, PASSER, FOLLOWER = range(4)
"""Rows: the vehicle that changes from the right lane to the left, the slow one ahead of it, two in the left lane."""
NAMES = ("who changes", "the slow one ahead", "who passes", "who makes room")
COLOURS = (BLUE, ORANGE, GREY, GREEN)
SPEEDS_KMH = (50.0, 25.0, 50.0, 50.0)
"""Desired and first speeds."""
PLACES = (130.0, 190.0, 118.0, 60.0)
"""Where their front bumpers start [m]."""
LENGTH, DURATION = 700.0, 20.0
SHOWN_BEHIND, SHOWN_AHEAD = 62.0, 78.0
"""How much of the road is shown behind and ahead of the vehicle that changes [m]."""
SEED = 1


@dataclass(frozen=True, slots=True)
class LaneChange:
    """Four vehicles on two lanes.

    Attributes:
        time: `(T,)` [s].
        x, y, yaw: `(T, 4)` body origins and directions in map [m], [rad].
        speed: `(T, 4)` [m/s].
        changing: `(T,)` whether the first is between the lanes.
    """

    time: FloatArray
    x: FloatArray
    y: FloatArray
    yaw: FloatArray
    speed: FloatArray
    changing: NDArray[np.bool_]


def measure() -> LaneChange:
    """A vehicle comes up behind a slow one, lets another one pass, and changes lanes ahead of the next one."""
    network = network_from_mgeo(straight_map(LENGTH, lanes=2))
    left, right = network.link_index("lane0_0"), network.link_index("lane1_0")
    link = np.array((right, right, left, left))
    traffic = new_traffic((1, 2, 3, 4), [CAR] * 4, link, np.array(PLACES), Noise(SEED))
    traffic.speed_mode[:] = SpeedMode.CONSTANT
    traffic.desired_speed[:] = traffic.speed[:] = np.array(SPEEDS_KMH) / 3.6
    traffic.may_change[[SLOW, PASSER, FOLLOWER]] = 0
    run = TrafficRun.of(network, TrafficPlan.from_network(network), traffic, SEED)
    steps = round(DURATION / run.dt)
    read, changing = np.zeros((steps, 4, 4)), np.zeros(steps, np.bool_)
    for step in range(steps):
        run.step()
        read[step] = run.read()
        changing[step] = traffic.change_from[CHANGER] >= 0
    x, y, yaw, speed = read.transpose(1, 0, 2)
    return LaneChange(np.arange(1.0, steps + 1) * run.dt, x, y, yaw, speed, changing)


def draw(found: LaneChange) -> Figure:
    """The road from above at four moments, the lateral path, and the speeds."""
    changes = spans(found.changing)
    middles = [(begin + end) // 2 for begin, end in changes]
    between = [(changes[0][1] + changes[-1][0]) // 2] if len(changes) > 1 else []
    moments = sorted({changes[0][0], *middles, *between})
    figure = new_figure(10.0, 4.6 + 0.85 * len(moments))
    *strips, lateral, speed = figure.subplots(len(moments) + 2, 1, height_ratios=(*(0.5 for _ in moments), 1.2, 1.5))
    for axes, at in zip(strips, moments, strict=True):
        _draw_road(axes, found, at)
    strips[0].set_title("The road from above", loc="left", fontsize=11, color=INK, weight="bold")
    strips[-1].set_xlabel("x [m]", fontsize=9.5, color=INK)
    lateral.plot(found.time, found.y[:, CHANGER], color=BLUE, linewidth=1.8)
    for line, name in ((0.0, "middle of the left lane"), (-TRACK_LANE_WIDTH, "middle of the right lane")):
        lateral.axhline(line, color=FAINT, linewidth=0.9, linestyle=(0, (4, 3)))
        lateral.text(0.15, line + 0.15, name, fontsize=8.5, color=FAINT)
    lateral.set_ylim(-TRACK_LANE_WIDTH - 0.6, 0.9)
    dress(lateral, "Lateral path of the vehicle that changes; shaded: while it is between the lanes", "", "y [m]")
    for row, (name, colour) in enumerate(zip(NAMES, COLOURS, strict=True)):
        speed.plot(found.time, found.speed[:, row] * 3.6, color=colour, linewidth=1.8, label=name)
    speed.set_ylim(0.0, 58.0)
    speed.legend(fontsize=8.5, frameon=False, labelcolor=INK, loc="lower right", ncols=4)
    dress(speed, "Speeds", "time [s]", "speed [km/h]")
    for axes in (lateral, speed):
        axes.set_xlim(0.0, found.time[-1])
        for begin, end in changes:
            axes.axvspan(found.time[begin], found.time[end - 1], color=BLUE, alpha=0.08, linewidth=0)
    return figure


def _draw_road(axes: Axes, found: LaneChange, at: int) -> None:
    """Both lanes from above, with the vehicles at a moment and the whole path of the vehicle that changes."""
    half = 0.5 * TRACK_LANE_WIDTH
    axes.axhspan(-3 * half, half, color=ROAD, zorder=0)
    for place in range(0, round(LENGTH), 20):
        axes.plot((place, place + 8), (-half, -half), color=PAINT, linewidth=1.5, zorder=1)
    axes.plot(found.x[:, CHANGER], found.y[:, CHANGER], color=BLUE, linewidth=0.8, zorder=2)
    for row, colour in enumerate(COLOURS):
        outline = body_outline(found.x[at, row], found.y[at, row], found.yaw[at, row])
        axes.fill(*outline.T, facecolor=colour, edgecolor="white", linewidth=0.6, zorder=3)
    dress(axes, "", "", "")
    axes.set_ylabel(f"{found.time[at]:.1f} s", fontsize=9.5, color=INK, rotation=0, ha="right", va="center")
    axes.set_yticks([])
    axes.set_aspect("equal")
    axes.set_xlim(found.x[at, CHANGER] - SHOWN_BEHIND, found.x[at, CHANGER] + SHOWN_AHEAD)
    axes.set_ylim(-3 * half - 0.5, half + 0.5)


def body_outline(x: float, y: float, yaw: float) -> FloatArray:
    """Corners `(4, 2)` in map [m] of a car whose body origin is at (x, y)."""
    front, half = CAR.wheelbase + CAR.front_overhang, 0.5 * CAR.width
    corner = np.array([(front, half), (front, -half), (front - CAR.length, -half), (front - CAR.length, half)])
    turn = np.array([(np.cos(yaw), -np.sin(yaw)), (np.sin(yaw), np.cos(yaw))])
    outline: FloatArray = corner @ turn.T + (x, y)
    return outline
