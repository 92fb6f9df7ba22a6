"""Motion across lanes (ASAM OpenSCENARIO XML 1.3, LaneChangeAction and LaneOffsetAction), formulas for all callers."""

from __future__ import annotations

import math

from dorosim.ground.jit import inner_kernel
from dorosim.world.storyboard.shape_kernel import Dimension, TransitionShape, shape_part, shape_slope

_NEAR = 1e-6
_ALMOST_SIDEWAYS = math.pi / 2.0 - 1e-6
_AT_LEAST = 1e-9
_SLOW = 1e-3


@inner_kernel
def stepped_across(
    shape: int, dimension: int, change: tuple[float, float, float, float, float], speed: float, dt: float
) -> tuple[float, float, float, float]:
    """A lane change one tick later: length along the lane [m], angle of the way [rad], progress, offset [m].

    What a body goes sideways it does not go along the lane.

    Args:
        shape: a `TransitionShape`.
        dimension: a `Dimension`.
        change: offset at its start and at its end [m], progress and length (of the dimension), offset now.
        speed: of the body [m/s].
        dt: length of the tick [s].
    """
    start, target, done, length, offset = change
    way = abs(speed) * dt
    if shape == TransitionShape.STEP:
        return way, 0.0, length, target
    rate = (target - start) / length * shape_slope(shape, done / length)
    ahead = 1.0 if speed >= 0.0 else -1.0
    if dimension == Dimension.DISTANCE:
        along = way / math.sqrt(1.0 + rate * rate)
        done += along
        return along, math.atan(rate), done, start + (target - start) * shape_part(shape, done / length)
    across = dt * abs(rate)
    if across < way + _NEAR:
        done += dt
        offset = start + (target - start) * shape_part(shape, done / length)
        least = min(across, way)
        along = math.sqrt(max(way * way - least * least, 0.0))
        return along, math.atan2(ahead * math.copysign(across, rate), along), done, offset
    # it cannot go across faster than it drives: it goes across only
    done += way * length / max(abs(target - start), _AT_LEAST)
    offset = start + (target - start) * shape_part(TransitionShape.LINEAR, done / length)
    return 0.0, ahead * math.copysign(_ALMOST_SIDEWAYS, rate), done, offset


@inner_kernel
def is_across(start: float, target: float, done: float, length: float, offset: float) -> bool:
    """Whether a lane change has reached the new lane."""
    if done > length - _NEAR or abs(offset - target) < _NEAR:
        return True
    return done > 0.0 and (offset - target) * (start - target) < 0.0


@inner_kernel
def offset_now(
    shape: int, start: float, target: float, elapsed: float, duration: float, speed: float
) -> tuple[float, float, bool]:
    """Of a change of the offset in a lane: offset [m], angle of the way [rad], and whether its end is reached.

    Args:
        shape: a `TransitionShape`.
        start: offset at its start [m].
        target: offset at its end.
        elapsed: time since its start [s].
        duration: how long it takes.
        speed: of the body [m/s].
    """
    share = elapsed / duration if duration > 0.0 else 1.0
    offset = start + (target - start) * shape_part(shape, share)
    if share >= 1.0 - _NEAR or abs(offset - target) < _NEAR:
        return target, 0.0, True
    rate = (target - start) / duration * shape_slope(shape, share)
    return offset, math.atan(rate / max(abs(speed), _SLOW)), False
