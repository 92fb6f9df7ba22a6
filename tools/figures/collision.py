"""A collision seen from above: two cars before and after, the impulse, and where their momentum goes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from dorosim.app.analyse.plot.style import BLUE, FAINT, INK, ORANGE, RED, ROAD, dress, new_figure
from dorosim.app.analyse.trace.gap import boxes_of, corners_of
from dorosim.ground.column import FloatArray
from dorosim.world.collision.body import BodyTable
from dorosim.world.collision.impact import collide
from dorosim.world.collision.vehicle import bodies_from_vehicles, hit_vehicles
from dorosim.world.vehicle.kernel import step_vehicles
from dorosim.world.vehicle.mode import ControlKind
from dorosim.world.vehicle.placement import new_vehicle_rows, place

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MODEL = "2016_Hyundai_Ioniq"
NAMES = ("from the west", "from the south")
COLOURS = (BLUE, ORANGE)
STARTS = ((-16.5, 0.0, 0.0, 50.0), (2.2, -11.5, 0.5 * np.pi, 36.0))
"""Of each car: x, y of its body origin in the map [m], heading [rad], speed [km/h]."""
TICK, DURATION = 0.01, 3.5
STROBE = 0.25
"""Time between the outlines that are drawn [s]."""
IMPULSE_SCALE = 2500.0
"""Impulse that an arrow of 1 m stands for [N·s]."""


@dataclass(frozen=True, slots=True)
class Crash:
    """Two cars that collide.

    Attributes:
        time: `(T,)` since the first contact [s].
        bodies: of both cars; each column is `(T, 2)`. outline: `(T, 2, 4, 2)` their corners in map [m].
        before, after: `(2, 2)` velocities of their centres of gravity in map right before and after the first impact
            [m/s].
        contact: `(2,)` where the impulse acts in map [m].
        impulse: `(2,)` on the second car, its opposite on the first [N·s].
    """

    time: FloatArray
    bodies: BodyTable
    outline: FloatArray
    before: FloatArray
    after: FloatArray
    contact: FloatArray
    impulse: FloatArray

    @property
    def mass(self) -> float:
        """Of either car [kg]."""
        return float(self.bodies.mass[0, 0])

    @property
    def velocity(self) -> FloatArray:
        """`(T, 2, 2)` of their centres of gravity in map [m/s]."""
        return _velocity(self.bodies)


def _velocity(bodies: BodyTable) -> FloatArray:
    return np.stack((bodies.velocity_x, bodies.velocity_y), axis=-1)


def measure() -> Crash:
    """Two cars on full dynamics roll into each other at a crossroads; from then on both brake."""
    vehicle, parameter = new_vehicle_rows((1, 2), (MODEL, MODEL))
    parameter.freeze()
    for row, (x, y, heading, speed_kmh) in enumerate(STARTS):
        place(vehicle, row, (x, y, 0.0), heading, speed_kmh / 3.6)
    vehicle.control_kind[:] = ControlKind.PEDALS
    bodies, rows, outlines = BodyTable.zeros(2), [], []
    impact: tuple[int, FloatArray, FloatArray, FloatArray, FloatArray] | None = None
    for tick in range(round(DURATION / TICK)):
        step_vehicles(parameter.floats, parameter.ints, vehicle.floats, vehicle.ints, TICK, 1)
        bodies_from_vehicles(bodies, parameter, vehicle)
        found = collide(bodies, TICK)
        if found.change is not None:
            before = _velocity(bodies)
            hit_vehicles(vehicle, parameter, bodies, found.change, TICK)
            bodies_from_vehicles(bodies, parameter, vehicle)
            vehicle.control_kind[:] = ControlKind.HOLD
            if impact is None:
                contact = found.contacts
                normal = np.array((contact.normal_x[0], contact.normal_y[0]))
                impulse = contact.normal_impulse[0] * normal
                impulse += contact.tangent_impulse[0] * np.array((-normal[1], normal[0]))
                impact = (tick, before, _velocity(bodies), np.array((contact.x[0], contact.y[0])), impulse)
        rows.append(bodies.floats.copy())
        outlines.append(corners_of(boxes_of(bodies, np.arange(2))))
    assert impact is not None, "the cars of this module are on a collision course"
    first, *moment = impact
    table = BodyTable(np.stack(rows, axis=1), np.zeros((0, 0), np.int64))
    return Crash(np.arange(-float(first), len(rows) - first) * TICK, table, np.array(outlines), *moment)


def draw(found: Crash) -> Figure:
    """From above on the left; momentum, speeds and turning on the right."""
    figure = new_figure(11.0, 6.0)
    grid = figure.add_gridspec(3, 2, width_ratios=(1.45, 1.0), height_ratios=(1.5, 1.0, 1.0))
    _draw_above(figure.add_subplot(grid[:, 0]), found)
    _draw_momentum(figure.add_subplot(grid[0, 1]), found)
    speed, yaw_rate = figure.add_subplot(grid[1, 1]), figure.add_subplot(grid[2, 1])
    for car in range(2):
        style: dict[str, Any] = {"color": COLOURS[car], "linewidth": 1.6, "label": NAMES[car]}
        speed.plot(found.time, np.hypot(*found.velocity[:, car].T) * 3.6, **style)
        yaw_rate.plot(found.time, np.degrees(found.bodies.yaw_rate[:, car]), **style)
    dress(speed, "Speed of the centres of gravity", "", "[km/h]")
    dress(yaw_rate, "Yaw rate", "time since the impact [s]", "[°/s]")
    speed.legend(fontsize=8.5, frameon=False, labelcolor=INK, loc="upper right")
    for axes in (speed, yaw_rate):
        axes.axvline(0.0, color=RED, linewidth=0.9)
        axes.set_xlim(found.time[0], found.time[-1])
    speed.set_ylim(bottom=0.0)
    return figure


def _draw_above(axes: Axes, found: Crash) -> None:
    """Outlines of the bodies before, at and after the impact, and the impulse."""
    axes.axhspan(-1.75, 1.75, color=ROAD, zorder=0)
    axes.axvspan(0.45, 3.95, color=ROAD, zorder=0)
    first = int(np.flatnonzero(found.time >= 0)[0])
    step = round(STROBE / TICK)
    moments = range(first % step, len(found.time), step)
    for car in range(2):
        axes.plot(*found.outline[:, car].mean(axis=1).T, color=COLOURS[car], linewidth=0.9, zorder=3)
        for at in moments:
            outline = found.outline[at, car]
            if at == first:
                axes.fill(*outline.T, facecolor=COLOURS[car], alpha=0.85, edgecolor="white", zorder=5)
            else:
                axes.fill(*outline.T, facecolor="none", edgecolor=COLOURS[car], alpha=0.55, linewidth=1.0, zorder=4)
        axes.fill(*found.outline[-1, car].T, facecolor=COLOURS[car], alpha=0.35, edgecolor=COLOURS[car], zorder=4)
    for sign in (1.0, -1.0):
        _draw_arrow(axes, found.contact, found.contact + sign * found.impulse / IMPULSE_SCALE, RED, 2.2)
    axes.plot(*found.contact, marker="o", color=RED, markersize=4, zorder=8)
    x, y = (found.contact + found.impulse / IMPULSE_SCALE).tolist()
    axes.text(
        x,
        y - 0.4,
        f"impulse on\neither car:\n{np.hypot(*found.impulse) / 1000.0:.1f} kN·s",
        fontsize=9,
        color=RED,
        va="top",
    )
    dress(axes, f"From above, every {STROBE:g} s; filled: at the impact, pale: at the end", "x [m]", "y [m]")
    axes.set_aspect("equal", adjustable="datalim")


def _draw_momentum(axes: Axes, found: Crash) -> None:
    """Momenta of both cars, tip to tail, before and after: the sum stays."""
    total = np.zeros(2)
    for velocity, style, when in ((found.before, "solid", "before"), (found.after, (0, (4, 2)), "after")):
        total = np.zeros(2)
        for car in range(2):
            start, total = total, total + velocity[car] * found.mass / 1000.0
            _draw_arrow(axes, start, total, COLOURS[car], 1.8, style)
        axes.plot([], [], color=FAINT, linestyle=style, label=when)
    _draw_arrow(axes, np.zeros(2), total, INK, 1.2)
    x, y = (0.5 * total).tolist()
    axes.text(x - 0.5, y + 0.6, "sum", fontsize=8.5, color=INK, ha="right")
    axes.legend(fontsize=8.5, frameon=False, labelcolor=INK, loc="upper left")
    dress(axes, "Momentum: the sum stays", "east [kN·s]", "north [kN·s]")
    axes.set_aspect("equal", adjustable="datalim")


def _draw_arrow(
    axes: Axes, start: FloatArray, end: FloatArray, colour: str, width: float, style: Any = "solid"
) -> None:
    """An arrow from point to point."""
    looks = {"arrowstyle": "-|>", "color": colour, "linewidth": width, "linestyle": style, "shrinkA": 0, "shrinkB": 0}
    axes.annotate("", tuple(end.tolist()), tuple(start.tolist()), arrowprops=looks, zorder=7)
    axes.update_datalim([start.tolist(), end.tolist()])
    axes.autoscale_view()
