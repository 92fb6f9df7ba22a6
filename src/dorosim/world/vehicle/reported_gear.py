"""The gear that interfaces report of a vehicle: that of its selector, or of the way a ground vehicle command drives."""

from __future__ import annotations

import numpy as np

from dorosim.ground.column import IntArray
from dorosim.world.vehicle.mode import ControlKind, Gear, SteerType
from dorosim.world.vehicle.state import VehicleState


def reported_gear(gear: int, kind: int, steer_type: int, throttle: float, velocity: float) -> Gear:
    """The gear of one vehicle, as interfaces report it and as its reversing lamps show it.

    Ground vehicle commands carry no gear and drive either way, whatever the selector says (facts/udp-wire.md, 3.12): R
    while one drives backwards, D while one drives forwards against the selector. The selector itself stays, so a later
    command with pedals finds it unchanged.

    Args:
        gear: of the selector.
        kind: `ControlKind`.
        steer_type: `SteerType`.
        throttle: of GROUND_DIRECT, forward positive; on the spot it turns the vehicle and drives it nowhere.
        velocity: of GROUND_STATE, forward positive [m/s].
    """
    way = 0.0
    if kind == ControlKind.GROUND_STATE:
        way = velocity
    elif kind == ControlKind.GROUND_DIRECT and steer_type != SteerType.ZERO_TURN:
        way = throttle
    if way < 0.0:
        return Gear.R
    if way > 0.0 and gear in {Gear.P, Gear.R, Gear.N}:
        return Gear.D
    return Gear(gear)


def reported_gears(state: VehicleState) -> IntArray:
    """`(V,)` gears of all vehicles with full dynamics; see `reported_gear`."""
    columns = state.gear, state.control_kind, state.steer_type, state.throttle, state.target_velocity
    rows = zip(*(column.tolist() for column in columns), strict=True)
    return np.array([reported_gear(*row) for row in rows], np.int64)


def reported_gear_at(state: VehicleState, row: int) -> Gear:
    """The gear of the vehicle of a row; see `reported_gear`."""
    return reported_gear(
        int(state.gear[row]),
        int(state.control_kind[row]),
        int(state.steer_type[row]),
        float(state.throttle[row]),
        float(state.target_velocity[row]),
    )
