"""Driving by keys of which browsers report presses, but not releases.

A key that is held repeats: browsers report it about half a second after the first press, then thirty times a second,
and only the last key where several are held. So a press counts for `HOLD`; then the pedal comes back, or the wheels
turn straight. A browser that draws slowly reports repetitions as seldom as it draws, so those count for longer.
While keys steer, a pedal comes back more slowly. Nothing here reads a clock: the caller passes moments.
"""

from __future__ import annotations

import math
from enum import Enum
from typing import NamedTuple

from dorosim.world.vehicle.mode import Gear

HOLD = 0.6
"""How long a press counts at least [s]: longer than the pause before the first repetition of a key that is held."""
REPEATED = 1.5
"""A press that comes sooner after the last one of the same key repeats it [s]."""
BUNCH = 0.02
"""Presses that come sooner after each other waited together in a slow browser [s]: a key repeats every 0.03 s."""
MAX_HOLD = 2.5
"""How long a press counts at most [s]; a repeated one counts for twice the time since the press before."""
FIRST_STEP, _STEP = 0.35, 0.15
"""What the first press and each later one add to a pedal."""
STEER_STEP = 0.25
"""What a press adds to the steering, over the most that the speed allows."""
RELEASE = 3.0
"""How fast a pedal comes back, and the wheels turn straight [1/s]."""
EASING = 0.3
"""How fast a pedal comes back while keys steer [1/s]."""
SIDEWAYS = 5.0
"""Lateral acceleration that full steering asks for at speed [m/s²]: one that tyres hold on a dry road, and drivers
bear."""
STILL = 0.5
"""A vehicle that is slower than this stands [m/s]."""
RESTING = 0.3
"""A vehicle slower than this along the gear, without accelerator, is braked [m/s]: so it does not roll down a hill."""
_TURNING = 2.0
"""A vehicle that is slower than this may change from forwards to backwards [m/s]."""


class Key(Enum):
    """What a key asks for."""

    ACCELERATE = "accelerate"
    BRAKE = "brake"
    FULL_BRAKE = "full brake"
    LEFT = "left"
    RIGHT = "right"


class Pedals(NamedTuple):
    """Positions of pedals and steering.

    Attributes:
        accelerator, brake: 0 to 1.
        steering: -1 to 1 of the most that the speed allows, left positive.
    """

    accelerator: float = 0.0
    brake: float = 0.0
    steering: float = 0.0


NEUTRAL = Pedals()


class KeyDriver:
    """Pedals and steering by keys. Moments are of any clock that does not go back [s]."""

    def __init__(self) -> None:
        self._pedals = NEUTRAL
        self._at = -math.inf
        self._foot = self._hand = -math.inf
        self._last: dict[Key, float] = {}

    def press(self, key: Key, now: float) -> Pedals:
        """Note that a key is pressed, or repeats. Returns the pedals then."""
        accelerator, brake, steering = self.at(now)
        match key:
            case Key.ACCELERATE:
                accelerator, brake = _pressed(accelerator), 0.0
            case Key.BRAKE:
                accelerator, brake = 0.0, _pressed(brake)
            case Key.FULL_BRAKE:
                accelerator, brake = 0.0, 1.0
            case Key.LEFT:
                steering = min(max(steering, 0.0) + STEER_STEP, 1.0)
            case Key.RIGHT:
                steering = max(min(steering, 0.0) - STEER_STEP, -1.0)
        until = self._counts_until(key, now)
        if key in (Key.LEFT, Key.RIGHT):
            self._hand = until
        else:
            self._foot = until
        self._pedals = Pedals(accelerator, brake, steering)
        return self._pedals

    def _counts_until(self, key: Key, now: float) -> float:
        """Returns the moment until which a press that comes now counts."""
        last, self._last[key] = self._last.get(key, -math.inf), now
        if now - last >= REPEATED:
            return now + HOLD
        held = now + min(max(HOLD, 2.0 * (now - last)), MAX_HOLD)
        if now - last > BUNCH:
            return held
        return max(held, self._hand if key in (Key.LEFT, Key.RIGHT) else self._foot)

    def at(self, now: float) -> Pedals:
        """Returns the pedals at a moment, by the presses so far."""
        begun, self._at = self._at, max(now, self._at)
        if self._pedals == NEUTRAL:
            return NEUTRAL
        # while keys steer, a pedal comes back by EASING only; the rest of the time by RELEASE
        rest, easing = _span(begun, self._at, self._foot, self._hand)
        lost = RELEASE * rest + EASING * easing
        straight, _ = _span(begun, self._at, self._hand, -math.inf)
        accelerator, brake, steering = self._pedals
        turned = max(abs(steering) - RELEASE * straight, 0.0)
        self._pedals = Pedals(max(accelerator - lost, 0.0), max(brake - lost, 0.0), math.copysign(turned, steering))
        if not any(self._pedals):
            self._pedals = NEUTRAL
        return self._pedals

    def release(self) -> None:
        """Release pedals and steering at once."""
        self._pedals = NEUTRAL
        self._foot = self._hand = -math.inf
        self._last.clear()


def held_at_rest(pedals: Pedals, gear: Gear, speed: float) -> Pedals:
    """Returns pedals with full brake where a vehicle in gear stands, or rolls against the gear, without accelerator.

    Otherwise, and in gear N, the pedals are as given.

    Args:
        pedals: what keys ask for.
        gear: the present one.
        speed: along the vehicle, forwards [m/s].
    """
    if pedals.accelerator > 0.0 or gear is Gear.N:
        return pedals
    along = -speed if gear is Gear.R else speed
    return pedals._replace(brake=1.0) if along < RESTING else pedals


def _pressed(pedal: float) -> float:
    return min(pedal + (_STEP if pedal > 0.0 else FIRST_STEP), 1.0)


def _span(begun: float, now: float, held: float, eased: float) -> tuple[float, float]:
    """How much of a span of time lies after a moment, and after another one too; and how much after the first only."""
    start = max(begun, held)
    late = max(now - max(start, eased), 0.0)
    return late, max(now - start, 0.0) - late


def steering_limit(speed: float, wheelbase: float, most: float) -> float:
    """Returns the largest wheel angle that keys ask for [rad]: the faster the vehicle, the smaller.

    Args:
        speed: forwards or backwards [m/s].
        wheelbase: [m].
        most: the largest that the vehicle has [rad].
    """
    if speed == 0.0:
        return most
    return min(most, math.atan(SIDEWAYS * wheelbase / speed**2))


def problem_with_gear(gear: Gear, speed: float) -> str:
    """Returns why a gear cannot be chosen at a speed along the vehicle [m/s], or an empty string."""
    if gear is Gear.P and abs(speed) > STILL:
        return "stop first: P locks the wheels"
    if (gear is Gear.R and speed > _TURNING) or (gear is Gear.D and speed < -_TURNING):
        return f"slow down first: {gear.name} turns the way round"
    return ""
