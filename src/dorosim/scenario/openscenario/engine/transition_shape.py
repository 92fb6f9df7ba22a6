"""The shapes of transitions (ASAM OpenSCENARIO XML 1.3, DynamicsShape): from 0 to 1 over a share of their length."""

from __future__ import annotations

import math
from enum import IntEnum

from dorosim.ground.plain_kernel import plain
from dorosim.world.storyboard.shape_kernel import Dimension, TransitionShape, shape_part, shape_slope

__all__ = ["PEAK_CURVATURE", "PEAK_SLOPE", "Dimension", "Following", "TransitionShape", "part_of", "slope_of"]


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


part_of = plain(shape_part)
"""How much of a transition is done at a share of its length."""

slope_of = plain(shape_slope)
"""The slope of a transition at a share of its length."""
