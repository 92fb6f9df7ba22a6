"""The shapes of transitions (ASAM OpenSCENARIO XML 1.3, DynamicsShape): from 0 to 1 over a share of their length."""

from __future__ import annotations

import math
from enum import IntEnum


class TransitionShape(IntEnum):
    """A shape."""

    STEP = 0
    LINEAR = 1
    SINUSOIDAL = 2
    CUBIC = 3


class Dimension(IntEnum):
    """What the value of a transition measures."""

    TIME = 0
    DISTANCE = 1
    RATE = 2


class Following(IntEnum):
    """How exactly a transition is followed (1.3, FollowingMode)."""

    DEFAULT = 0
    """The file says nothing: changes of speed are bound by the entity's performance, as in the reference engine."""
    POSITION = 1
    """Exactly, whatever the entity can."""
    FOLLOW = 2
    """As the entity can: by its performance with the rates of its accelerations, and by its steering."""


PEAK_SLOPE = {
    TransitionShape.STEP: 0.0,
    TransitionShape.LINEAR: 1.0,
    TransitionShape.SINUSOIDAL: math.pi / 2.0,
    TransitionShape.CUBIC: 1.5,
}
"""The greatest slope of a shape."""

PEAK_CURVATURE = {
    TransitionShape.STEP: 0.0,
    TransitionShape.LINEAR: 6.0,
    TransitionShape.SINUSOIDAL: math.pi**2 / 2.0,
    TransitionShape.CUBIC: 6.0,
}
"""The greatest second derivative of a shape; that of a line, which has none between its ends, is taken as a cubic's."""


def part_of(shape: TransitionShape, share: float) -> float:
    """How much of a transition is done at a share of its length."""
    if shape is TransitionShape.STEP or share >= 1.0:
        return 1.0
    if shape is TransitionShape.LINEAR:
        return share
    if shape is TransitionShape.SINUSOIDAL:
        return (1.0 - math.cos(math.pi * share)) / 2.0
    return share * share * (3.0 - 2.0 * share)


def slope_of(shape: TransitionShape, share: float) -> float:
    """The slope of a transition at a share of its length."""
    if shape is TransitionShape.STEP or share >= 1.0:
        return 0.0
    if shape is TransitionShape.LINEAR:
        return 1.0
    if shape is TransitionShape.SINUSOIDAL:
        return math.pi / 2.0 * math.sin(math.pi * share)
    return 6.0 * share * (1.0 - share)
