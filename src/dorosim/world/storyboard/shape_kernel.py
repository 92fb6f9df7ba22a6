"""The shapes of transitions (ASAM OpenSCENARIO XML 1.3, DynamicsShape): from 0 to 1 over a share of their length."""

from __future__ import annotations

import math
from enum import IntEnum

from dorosim.ground.jit import inner_kernel


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


@inner_kernel
def shape_part(shape: int, share: float) -> float:
    """How much of a transition is done at a share of its length."""
    if shape == TransitionShape.STEP or share >= 1.0:
        return 1.0
    if shape == TransitionShape.LINEAR:
        return share
    if shape == TransitionShape.SINUSOIDAL:
        return (1.0 - math.cos(math.pi * share)) / 2.0
    return share * share * (3.0 - 2.0 * share)


@inner_kernel
def shape_slope(shape: int, share: float) -> float:
    """The slope of a transition at a share of its length."""
    if shape == TransitionShape.STEP or share >= 1.0:
        return 0.0
    if shape == TransitionShape.LINEAR:
        return 1.0
    if shape == TransitionShape.SINUSOIDAL:
        return math.pi / 2.0 * math.sin(math.pi * share)
    return 6.0 * share * (1.0 - share)


@inner_kernel
def shape_peak(shape: int) -> float:
    """The greatest slope of a shape."""
    if shape == TransitionShape.STEP:
        return 0.0
    if shape == TransitionShape.LINEAR:
        return 1.0
    return math.pi / 2.0 if shape == TransitionShape.SINUSOIDAL else 1.5
