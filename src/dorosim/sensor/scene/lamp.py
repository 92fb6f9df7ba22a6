"""Which lamps of vehicles burn: brake, turn signals, tail and head lamps, reversing lamps.

Where a Snapshot has no column for a lamp, it follows from what the driver does: NPC drivers brake, change lanes and
turn. Turn signals flash 90 times a minute (UN Regulation No. 48, 6.5.9: 90 ± 30).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.column import FloatArray
from dorosim.road.network import RoadNetwork
from dorosim.sensor.scene.material import VehicleLamp
from dorosim.world.snapshot import Snapshot
from dorosim.world.storyboard.light import brightness_of
from dorosim.world.storyboard.sun import set_sun
from dorosim.world.traffic.state import TrafficState
from dorosim.world.vehicle.mode import Gear, TurnLamp
from dorosim.world.vehicle.reported_gear import reported_gears

_FLASH = 666_666_667
"""From one flash to the next [ns]."""
MIN_BRAKE_PEDAL = 0.03
"""Brake pedal from which the brake lamps burn."""
NPC_BRAKE_LAMP_ACCELERATION = -0.7
"""Acceleration of an NPC vehicle below which its brake lamps burn [m/s²] (UN Regulation No. 13-H, 5.2.22.4)."""
STANDSTILL_SPEED = 0.1
"""An NPC vehicle that is slower than this holds its brake [m/s]."""
SUNRISE, SUNSET = 6.5 * 3600.0, 18.5 * 3600.0
"""Head lamps burn outside of these hours [s of the day], and at a visibility below `MAX_LAMP_VISIBILITY` [m]."""
MAX_LAMP_VISIBILITY = 500.0

HIGH_BEAM_CLEAR = 200.0
"""No vehicle is nearer ahead than this where high beams are on [m]."""
MIN_HIGH_BEAM_SPEED = 40.0 / 3.6
"""Slower drivers keep to their low beams [m/s]."""
_LIT_ROAD = 60.0
"""Within this of a street lamp a road counts as lit [m]."""

IntArray = NDArray[np.int64]
_BIT = {lamp: np.int64(1 << lamp) for lamp in VehicleLamp}


def ambient_lamps(now: Snapshot) -> np.int64:
    """Lamps that every vehicle has on: head and tail lamps at night, in fog and in rain."""
    _, _, visibility, _, _ = now.environment.sky[:, 0].tolist()
    raining = float(now.environment.sky[0, 0] + now.environment.sky[1, 0]) > 0.0
    time, sun = float(now.environment.sun_time[0]), set_sun(now.storyboard)
    night = not SUNRISE <= time < SUNSET if sun is None else sun.direction[2] < 0.0
    dark = raining or visibility < MAX_LAMP_VISIBILITY or night
    return _BIT[VehicleLamp.HEAD] | _BIT[VehicleLamp.TAIL] if dark else np.int64(0)


def ego_lamps(now: Snapshot) -> IntArray:
    """Lamps `(V,)` of vehicles with full dynamics, besides those that burn everywhere."""
    state = now.vehicle
    flash = np.int64(now.time % _FLASH < _FLASH // 2)
    hazard = state.emergency_lamp != 0
    left, right = (hazard | (state.turn_lamp == side) for side in (TurnLamp.LEFT, TurnLamp.RIGHT))
    lamps = (state.brake > MIN_BRAKE_PEDAL) * _BIT[VehicleLamp.BRAKE]
    lamps |= left * (flash * _BIT[VehicleLamp.TURN_LEFT]) | right * (flash * _BIT[VehicleLamp.TURN_RIGHT])
    lamps |= (reported_gears(state) == Gear.R) * _BIT[VehicleLamp.REVERSE]
    return np.asarray(lamps, np.int64)


_LIGHTS: dict[str, int] = {
    "daytimeRunningLights": 1 << VehicleLamp.HEAD,
    "lowBeam": 1 << VehicleLamp.HEAD | 1 << VehicleLamp.TAIL,
    "highBeam": 1 << VehicleLamp.HEAD,
    "fogLightsFront": 1 << VehicleLamp.HEAD,
    "fogLightsRear": 1 << VehicleLamp.TAIL,
    "fogLights": 1 << VehicleLamp.HEAD | 1 << VehicleLamp.TAIL,
    "brakeLights": 1 << VehicleLamp.BRAKE,
    "warningLights": 1 << VehicleLamp.TURN_LEFT | 1 << VehicleLamp.TURN_RIGHT,
    "indicatorLeft": 1 << VehicleLamp.TURN_LEFT,
    "indicatorRight": 1 << VehicleLamp.TURN_RIGHT,
    "reversingLights": 1 << VehicleLamp.REVERSE,
    "licensePlateIllumination": 1 << VehicleLamp.TAIL,
    "specialPurposeLights": 1 << VehicleLamp.BEACON_BLUE,
}
"""Lamps of ours that stand for a light of OpenSCENARIO, which a storyboard can switch."""
_LIT = 0.5
"""A light that is less bright than this is not lit."""


def switched_lamps(now: Snapshot) -> dict[int, tuple[int, int]]:
    """Lamps that a storyboard has switched, by actor: bits of those that it decides about, and of those that burn."""
    storyboard = now.storyboard
    if not len(storyboard.light):
        return {}
    found: dict[int, tuple[int, int]] = {}
    texts, actors, table = storyboard.texts(), storyboard.entity.actor.tolist(), storyboard.light
    time = now.time - storyboard.started
    for row, (entity, kind) in enumerate(zip(table.entity.tolist(), table.kind.tolist(), strict=True)):
        bits = _LIGHTS.get(texts[kind], 0)
        if not bits or not actors[entity]:
            continue
        decided, burning = found.get(actors[entity], (0, 0))
        lit = brightness_of(table, row, time) >= _LIT
        found[actors[entity]] = decided | bits, burning | bits if lit else burning
    return found


def with_switched_lamps(now: Snapshot, ids: IntArray, lamps: IntArray) -> IntArray:
    """Lamps `(N,)` of vehicles, with those that a storyboard has switched in place of their own.

    Args:
        now: the snapshot.
        ids: `(N,)` of the vehicles.
        lamps: `(N,)` their own.
    """
    switched = switched_lamps(now)
    if not switched:
        return lamps
    after = lamps.copy()
    for row, actor in enumerate(ids.tolist()):
        decided, burning = switched.get(actor, (0, 0))
        after[row] = (int(after[row]) & ~decided) | burning
    return after


def link_sides(network: RoadNetwork) -> IntArray:
    """`(L,)` where a lane turns in a junction: 1 left, -1 right, 0 neither."""
    words = [movement.split("_")[0] for movement in network.link_movements]
    return np.array([{"left": 1, "right": -1, "uturn": 1}.get(word, 0) for word in words], np.int64)


def npc_lamps(traffic: TrafficState, rows: IntArray, side_of_link: IntArray, time: int) -> IntArray:
    """Lamps `(N,)` of some NPC vehicles, besides those that burn everywhere.

    Args:
        traffic: all of them.
        rows: `(N,)` which.
        side_of_link: see `link_sides`.
        time: simulated time [ns].
    """
    flash = np.int64(time % _FLASH < _FLASH // 2)
    changing = traffic.change_from[rows] >= 0
    lateral = traffic.lateral[rows]  # it comes from the left of the new lane's middle to the right
    side = np.where(changing, -np.sign(lateral).astype(np.int64), side_of_link[traffic.link[rows]])
    lamps = (
        (traffic.acceleration[rows] < NPC_BRAKE_LAMP_ACCELERATION) | (traffic.speed[rows] < STANDSTILL_SPEED)
    ) * _BIT[VehicleLamp.BRAKE]
    lamps |= (side > 0) * (flash * _BIT[VehicleLamp.TURN_LEFT]) | (side < 0) * (flash * _BIT[VehicleLamp.TURN_RIGHT])
    return np.asarray(lamps, np.int64)


def high_beams(place: FloatArray, yaw: FloatArray, speed: FloatArray, street_lamps: FloatArray) -> NDArray[np.bool_]:
    """Which drivers `(N,)` have their high beams on in the dark: those who meet no one and follow no one.

    UN Regulation No. 48, 6.1.9.3.1: automatic high beams go off for oncoming and preceding vehicles (at 400 and 100 m
    at least, here `HIGH_BEAM_CLEAR` for both) and where roads are lit.

    Args:
        place: `(N, 2)` of vehicles in map [m].
        yaw: `(N,)` [rad].
        speed: `(N,)` [m/s].
        street_lamps: `(K, 2)` in map [m].
    """
    gap = place[None, :, :] - place[:, None, :]
    ahead = np.cos(yaw)[:, None] * gap[:, :, 0] + np.sin(yaw)[:, None] * gap[:, :, 1]
    aside = np.abs(np.cos(yaw)[:, None] * gap[:, :, 1] - np.sin(yaw)[:, None] * gap[:, :, 0])
    met = ((ahead > 0.5) & (ahead < HIGH_BEAM_CLEAR) & (aside < 5.0 + 0.3 * ahead)).any(axis=1)
    lit = np.zeros(len(place), bool)
    if len(street_lamps):
        far = np.abs(place[:, None, :] - street_lamps[None, :, :]).max(axis=2)
        lit = (far < _LIT_ROAD).any(axis=1)
    return (speed > MIN_HIGH_BEAM_SPEED) & ~met & ~lit
