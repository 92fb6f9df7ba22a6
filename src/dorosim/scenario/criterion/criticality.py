"""Measures of criticality (docs/explanation/criticality.md): formulas of numbers, in SI.

A gap is from the front of a vehicle to the rear of what is ahead of it [m]; a closing speed is by how much it is faster
than that [m/s]. A time that never comes is infinite.
"""

from __future__ import annotations

import math

STEADY = 1e-12
"""A denominator smaller than this is none."""


def time_to_collision(gap: float, closing: float) -> float:
    """Time until a gap is closed if speeds stay [s] (Hayward 1972)."""
    if gap <= 0.0:
        return 0.0
    return gap / closing if closing > STEADY else math.inf


def time_to_collision_accelerated(gap: float, closing: float, closing_acceleration: float) -> float:
    """Time until a gap is closed if accelerations stay [s] (Jansson 2005, 5.26).

    Args:
        gap: [m].
        closing: [m/s].
        closing_acceleration: by how much the acceleration behind is greater than that ahead [m/s2].
    """
    if gap <= 0.0:
        return 0.0
    square = closing * closing + 2.0 * gap * closing_acceleration
    if square < 0.0:
        return math.inf
    # this form of the root has no difference of nearly equal numbers, and holds without acceleration, too
    divisor = closing + math.sqrt(square)
    return 2.0 * gap / divisor if divisor > STEADY else math.inf


def time_headway(gap: float, speed: float) -> float:
    """Time until a vehicle's front is where the rear of what is ahead is now, if its speed stays [s]."""
    if gap <= 0.0:
        return 0.0
    return gap / speed if speed > STEADY else math.inf


def deceleration_to_avoid_crash(gap: float, closing: float) -> float:
    """Deceleration that ends the closing just before the gap does, if the speed ahead stays [m/s2] (DRAC)."""
    if closing <= 0.0:
        return 0.0
    return closing * closing / (2.0 * gap) if gap > 0.0 else math.inf


def required_deceleration(gap: float, closing: float, lead_acceleration: float) -> float:
    """The same if the acceleration ahead stays [m/s2], 0 where none is needed (Jansson 2005, 5.3.5).

    Args:
        gap: [m].
        closing: [m/s].
        lead_acceleration: of what is ahead, along the way [m/s2].
    """
    return max(deceleration_to_avoid_crash(gap, closing) - lead_acceleration, 0.0)


def mean_jerk(before: float, now: float, duration: float) -> float:
    """Change of an acceleration by time [m/s3]."""
    return (now - before) / duration


def post_encroachment_time(entered: tuple[float, float], left: tuple[float, float]) -> float:
    """Time from when the first of two leaves an area until the other one enters it [s] (Allen 1978).

    Args:
        entered: when each of both entered the area [s].
        left: when each of both left it [s].

    Returns:
        Infinite where one never enters or the first never leaves; 0 where both were in it at once.
    """
    first = 0 if entered[0] <= entered[1] else 1
    if not (math.isfinite(entered[1 - first]) and math.isfinite(left[first])):
        return math.inf
    return max(entered[1 - first] - left[first], 0.0)
