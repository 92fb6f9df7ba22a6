"""What kind of drivers there are, and how much they differ."""

from __future__ import annotations

from dataclasses import dataclass

from dorosim.ground.noise import Noise
from dorosim.road.conflict import LONG_BODY
from dorosim.world.traffic.state import TrafficState


@dataclass(frozen=True, slots=True, kw_only=True)
class DriverParameter:
    """The parameters of IDM and MOBIL. The exponent of the IDM is 4, MOBIL's safe deceleration 4 m/s².

    Attributes:
        time_gap: T [s]. standstill_gap: s0 [m].
        comfortable_acceleration, comfortable_deceleration: a, b [m/s²].
        politeness: p. change_threshold: Δa_th [m/s²].
        reaction_time: from when the way is free to when a vehicle that stands drives off [s].
        speed_spread, gap_spread, acceleration_spread, politeness_spread, reaction_spread: half widths of the even
            distributions of desired speed, T, a and b, p, and the reaction time, relative to their means.
    """

    time_gap: float = 1.5
    standstill_gap: float = 2.0
    comfortable_acceleration: float = 1.4
    comfortable_deceleration: float = 2.0
    politeness: float = 0.5
    change_threshold: float = 0.55
    reaction_time: float = 0.6
    speed_spread: float = 0.1
    gap_spread: float = 0.2
    acceleration_spread: float = 0.15
    politeness_spread: float = 0.6
    reaction_spread: float = 0.5


DRIVER = DriverParameter()
"""A. Kesting, M. Treiber and D. Helbing, "Enhanced intelligent driver model to access the impact of driving strategies
on traffic capacity", Phil. Trans. R. Soc. A 368 (2010), table 1; the figures have not been checked against the paper.
MOBIL's p as in TRR 1999 (2007), 0.2 to 0.5 and more; p and Δa_th such that vehicles change lanes as often as in highD
(`make bench`, subject motorway). Spread of the desired
speed: a choice, half of the 20 % in the latter, since limits hold in towns. Reaction: 0.3 to 0.9 s, about the brake
reaction times to an expected signal, whose median is 0.66 s (Johansson and Rumar, "Drivers' brake reaction times",
Human Factors 13, 1971)."""

HEAVY_VEHICLE_TIME_GAP, HEAVY_VEHICLE_ACCELERATION = 2.0 / 1.5, 0.7 / 1.4
"""T and a of heavy vehicles over those of cars: table 1 of the same paper."""

MOTORWAY_DRIVER = DriverParameter(
    time_gap=1.6,
    comfortable_acceleration=0.73,
    comfortable_deceleration=1.67,
    speed_spread=0.0,
    gap_spread=0.0,
    acceleration_spread=0.0,
    politeness=0.2,
    change_threshold=0.1,
    reaction_time=0.0,
    politeness_spread=0.0,
)
"""M. Treiber, A. Hennecke and D. Helbing, Phys. Rev. E 62, 1805 (2000), table I; all alike."""


def draw_drivers(state: TrafficState, driver: DriverParameter, noise: Noise) -> None:
    """Write drivers into all rows, each with its own spread by its id; a row's draws do not depend on other rows.

    `desired_speed` is multiplied by its spread, so it must be set before; so must `length`: those of long bodies keep
    more distance and accelerate less.
    """
    names = (f"traffic/driver/{actor}" for actor in state.id.tolist())
    drawn = noise.first_draws(names, -1.0, 1.0, 6).T
    state.desired_speed[:] *= 1.0 + driver.speed_spread * drawn[0]
    state.time_gap[:] = driver.time_gap * (1.0 + driver.gap_spread * drawn[1])
    acceleration, deceleration = 1.0 + driver.acceleration_spread * drawn[2:4]
    state.comfortable_acceleration[:] = driver.comfortable_acceleration * acceleration
    state.comfortable_deceleration[:] = driver.comfortable_deceleration * deceleration
    heavy = state.length > LONG_BODY
    state.time_gap[heavy] *= HEAVY_VEHICLE_TIME_GAP
    state.comfortable_acceleration[heavy] *= HEAVY_VEHICLE_ACCELERATION
    state.standstill_gap[:] = driver.standstill_gap
    state.politeness[:] = driver.politeness * (1.0 + driver.politeness_spread * drawn[4])
    state.reaction_time[:] = driver.reaction_time * (1.0 + driver.reaction_spread * drawn[5])
    state.change_threshold[:] = driver.change_threshold
