"""Fundamental diagram: how much traffic flows at which density, measured on a lap and by the model's own formula."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from dorosim.app.analyse.plot.style import BLUE, FAINT, INK, ORANGE, dress, new_figure
from dorosim.ground.column import FloatArray
from dorosim.ground.noise import Noise
from dorosim.mapmaking.track import QUARTERS, circle_map
from dorosim.road.network import network_from_mgeo
from dorosim.world.traffic.driver import DRIVER, DriverParameter
from dorosim.world.traffic.equilibrium import equilibrium_flow, equilibrium_speed
from dorosim.world.traffic.placement import CAR, new_traffic
from dorosim.world.traffic.plan import TrafficPlan
from tools.traffic_run import TrafficRun

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LAP = 2000.0
"""Length of the lap [m]."""
LIMIT_KMH = 50.0
COUNTS = (10, 20, 30, 40, 50, 55, 60, 70, 80, 100, 120, 140, 160, 180, 200, 220, 240, 260, 280)
"""Vehicles on the lap; 303 would touch the gap at standstill."""
SETTLING, MEASURING = 600.0, 300.0
"""Time before and during the measurement [s]."""
SEED = 5

ALIKE = replace(DRIVER, speed_spread=0.0, gap_spread=0.0, acceleration_spread=0.0)
"""Drivers without spread, for whom the formula holds."""


@dataclass(frozen=True, slots=True)
class FlowPoint:
    """One run on the lap.

    Attributes:
        density: [1/m]. flow: past a place, counted at four of them [1/s]. speed: mean of all [m/s].
        formula_flow, formula_speed: of the IDM in equilibrium at this density [1/s], [m/s].
    """

    density: float
    flow: float
    speed: float
    formula_flow: float
    formula_speed: float


@dataclass(frozen=True, slots=True)
class FlowDensity:
    """Runs with drivers that are all alike, and with drivers as they drive in towns."""

    alike: tuple[FlowPoint, ...]
    spread: tuple[FlowPoint, ...]


def measure(counts: Iterable[int] = COUNTS, settling: float = SETTLING, measuring: float = MEASURING) -> FlowDensity:
    """Runs at several densities."""
    counts = tuple(counts)
    network = network_from_mgeo(circle_map(LAP, LIMIT_KMH))
    plan = TrafficPlan.from_network(network)
    lap = float(network.link_length.sum())

    def points(driver: DriverParameter) -> tuple[FlowPoint, ...]:
        found = []
        for count in counts:
            place = np.arange(count) / count * lap
            link = np.searchsorted(np.cumsum(network.link_length), place, "right")
            s = place - (np.cumsum(network.link_length) - network.link_length)[link]
            traffic = new_traffic(range(1, count + 1), [CAR] * count, link, s, Noise(SEED), driver)
            run = TrafficRun.of(network, plan, traffic, SEED)
            found.append(_point(run, lap, settling, measuring, driver))
        return tuple(found)

    return FlowDensity(points(ALIKE), points(DRIVER))


def _point(run: TrafficRun, lap: float, settling: float, measuring: float, driver: DriverParameter) -> FlowPoint:
    for _ in range(round(settling / run.dt)):
        run.step()
    passed = int(run.traffic.counter.sum())
    speeds = []
    for _ in range(round(measuring / run.dt)):
        run.step()
        speeds.append(float(run.traffic.speed.mean()))
    flow = (int(run.traffic.counter.sum()) - passed) / QUARTERS / measuring
    density = np.array([len(run.traffic) / lap])
    limit = LIMIT_KMH / 3.6
    return FlowPoint(
        float(density[0]),
        flow,
        float(np.mean(speeds)),
        float(equilibrium_flow(density, limit, CAR.length, driver)[0]),
        float(equilibrium_speed(density, limit, CAR.length, driver)[0]),
    )


def lines(found: FlowDensity) -> list[str]:
    """Flow and density beside the formula, as text."""
    text = ["flow [1/h] over density [1/km] on a lap of one lane: by the IDM's equilibrium, and counted"]
    text.append("    density     formula    drivers alike    with their spread")
    for alike, spread in zip(found.alike, found.spread, strict=True):
        parts = [f"{point.flow * 3600:8.0f} ({point.flow / point.formula_flow - 1:+6.1%})" for point in (alike, spread)]
        text.append(f"{alike.density * 1000:11.1f} {alike.formula_flow * 3600:11.0f} {'   '.join(parts)}")
    flow = max(abs(point.flow / point.formula_flow - 1) for point in found.alike)
    speed = max(abs(point.speed / point.formula_speed - 1) for point in found.alike)
    text.append(
        f"drivers that are alike: flow within {flow:.1%} of the formula (it is counted), speed within {speed:.1%}"
    )
    return text


def draw(found: FlowDensity) -> Figure:
    """Flow over density, and speed over density."""
    figure = new_figure(10.0, 4.4)
    left, right = figure.subplots(1, 2)
    density = np.linspace(0.5, 1000.0 / (CAR.length + DRIVER.standstill_gap), 400) / 1000.0
    limit = LIMIT_KMH / 3.6
    speed = equilibrium_speed(density, limit, CAR.length, DRIVER)
    for axes, curve in ((left, density * speed * 3600.0), (right, speed * 3.6)):
        axes.plot(density * 1000.0, curve, color=INK, linewidth=1.6, label="IDM in equilibrium (formula)", zorder=2)
    for points, colour, marker, label in (
        (found.spread, ORANGE, "^", "simulated, drivers with their spread"),
        (found.alike, BLUE, "o", "simulated, drivers alike"),
    ):
        table = _table(points)
        style = {"color": colour, "marker": marker, "markersize": 5.5, "linestyle": "none", "zorder": 3}
        left.plot(table[0] * 1000.0, table[1] * 3600.0, label=label, **style)
        right.plot(table[0] * 1000.0, table[2] * 3.6, label=label, **style)
    dress(left, "Flow on a lap of one lane", "density [vehicles/km]", "flow [vehicles/h]")
    dress(right, "Speed on it", "density [vehicles/km]", "mean speed [km/h]")
    for axes in (left, right):
        axes.set_xlim(0.0, 160.0)
        axes.set_ylim(bottom=0.0)
    left.legend(fontsize=8.5, frameon=False, labelcolor=INK, loc="upper right")
    note = f"v0 = {LIMIT_KMH:g} km/h, T = {DRIVER.time_gap:g} s, s0 = {DRIVER.standstill_gap:g} m, "
    note += f"a = {DRIVER.comfortable_acceleration:g} m/s², length {CAR.length:g} m"
    right.text(
        0.98,
        0.97,
        note.replace(", a", ",\na"),
        transform=right.transAxes,
        fontsize=8.5,
        color=FAINT,
        ha="right",
        va="top",
    )
    return figure


def _table(points: Iterable[FlowPoint]) -> FloatArray:
    """`(3, n)` density, flow, speed."""
    return np.array([(point.density, point.flow, point.speed) for point in points]).T
