"""How traffic flows on the generated motorway, beside what was observed on real ones.

Sources: R. Krajewski, J. Bock, L. Kloeker and L. Eckstein, "The highD dataset", ITSC 2018: 5,600 complete lane changes
on 45,000 vehicle-kilometres, 0.124 each. Highway Capacity Manual (2000), exhibit 23-2, and M. Treiber and A. Kesting,
"Traffic Flow Dynamics" (2013), chapter 4: capacity of a lane 1,800 to 2,400 vehicles an hour; chapter 18: the fronts of
jams run back at 12 to 18 km/h.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dorosim.ground.column import FloatArray
from tools.bench.figure import Figure
from tools.motorway_run import STRETCH, MotorwayRun

HIGHD_LANE_CHANGES = 0.124
"""Complete lane changes for each vehicle-kilometre."""

MIN_CAPACITY, MAX_CAPACITY = 1_800.0, 2_400.0
"""Vehicles an hour and lane."""

MIN_WAVE_SPEED, MAX_WAVE_SPEED = 12.0, 18.0
"""Of a jam's front, backwards [km/h]."""

INFLOW, FULL_INFLOW, JAM_INFLOW = 1_200.0, 2_700.0, 1_500.0
"""Vehicles an hour and lane that want in."""

_WARM_STEPS, _STEPS = 1_500, 12_000
_BEGIN = 200.0
_BLOCK_PLACE, _BLOCK_STEPS, _BLOCK_REACH = 1_700.0, 1_200, 40.0


def figures() -> Iterator[Figure]:
    """Lane changes, capacity, and the speed of a jam's wave, each with the nearer end of its range as target."""
    rate, way = lane_changes()
    detail = f"{way:,.0f} vehicle-km; highD {HIGHD_LANE_CHANGES}, range 0.8 to 1.2"
    yield from _within("lane changes, to highD", rate / HIGHD_LANE_CHANGES, "x", 0.8, 1.2, detail)
    flow = capacity()
    yield from _within("capacity of a lane", flow, "vehicles/h", MIN_CAPACITY, MAX_CAPACITY, "observed 1,800 to 2,400")
    wave = wave_speed()
    yield from _within("a jam's wave", wave, "km/h", MIN_WAVE_SPEED, MAX_WAVE_SPEED, "backwards; observed 12 to 18")


def _within(name: str, value: float, unit: str, low: float, high: float, detail: str) -> Iterator[Figure]:
    """One figure with both ends of its range as targets."""
    yield Figure(f"{name}, at least", value, unit, low, detail=detail)
    yield Figure(f"{name}, at most", value, unit, high, at_most=True, detail=detail)


def lane_changes(seed: int = 1, steps: int = _STEPS) -> tuple[float, float]:
    """Lane changes for each vehicle-kilometre at `INFLOW`, and the vehicle-kilometres."""
    motorway, changes, way = MotorwayRun.of(INFLOW, seed), 0, 0.0
    state = motorway.run.traffic
    for step in range(steps):
        before = state.change_from.copy()
        motorway.step()
        if step > _WARM_STEPS:
            place = motorway.places()
            inside = (place > _BEGIN) & (place < STRETCH)
            changes += int(((before < 0) & (state.change_from >= 0) & inside).sum())
            way += float(state.speed[inside].sum()) * motorway.run.dt * 1e-3
    return changes / way, way


def capacity(seed: int = 1, steps: int = _STEPS) -> float:
    """Vehicles an hour and lane that pass the middle of the stretch where more want in than can."""
    motorway, passed = MotorwayRun.of(FULL_INFLOW, seed), 0
    place = motorway.places()
    for step in range(steps):
        motorway.step()
        before, place = place, motorway.places()
        if step > _WARM_STEPS:
            passed += int(((before < 0.5 * STRETCH) & (place >= 0.5 * STRETCH)).sum())
    return passed / len(motorway.lanes) / ((steps - _WARM_STEPS) * motorway.run.dt) * 3600.0


def wave_speed(seed: int = 1) -> float:
    """How fast the front of a jam at which vehicles drive off runs backwards [km/h]."""
    motorway = MotorwayRun.of(JAM_INFLOW, seed)
    state = motorway.run.traffic
    for _ in range(_WARM_STEPS):
        motorway.step()
    for _ in range(_BLOCK_STEPS):
        motorway.step()
        place = motorway.places()
        state.paused[(place > _BLOCK_PLACE) & (place < _BLOCK_PLACE + _BLOCK_REACH)] = 1
    state.paused[np.isfinite(motorway.places())] = 0
    stands, starts = motorway.places(), np.full(len(state), np.nan)
    stands[state.speed > 0.1] = np.nan
    for _ in range(_BLOCK_STEPS):
        motorway.step()
        moves = np.isfinite(stands) & np.isnan(starts) & (state.speed > 2.0)
        starts[moves] = motorway.time
    return -3.6 * _slope(stands, starts)


def _slope(place: FloatArray, time: FloatArray) -> float:
    """Place over time, by least squares [m/s]; rows with NaN do not count."""
    known = np.isfinite(place) & np.isfinite(time)
    return float(1.0 / np.polyfit(place[known], time[known], 1)[0])
