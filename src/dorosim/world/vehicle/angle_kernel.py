"""Trigonometry of small angles, by series that are exact in double precision and faster than the library."""

from __future__ import annotations

from math import atan, cos, sin

from dorosim.ground.jit import inner_kernel


@inner_kernel
def rotation(angle: float) -> tuple[float, float]:
    """Cosine and sine; by their series where it is exact in double precision, since turns of a step are small."""
    if abs(angle) > 0.05:
        return cos(angle), sin(angle)
    a = angle * angle
    cosine = 1.0 - a * (0.5 - a * (1.0 / 24.0 - a * (1.0 / 720.0 - a / 40320.0)))
    sine = angle * (1.0 - a * (1.0 / 6.0 - a * (1.0 / 120.0 - a * (1.0 / 5040.0 - a / 362880.0))))
    return cosine, sine


@inner_kernel
def arc_tangent(value: float) -> float:
    """Arc tangent; by its series where it is exact to 1e-16, since slip angles and slopes are mostly small."""
    if abs(value) > 0.06:
        return atan(value)
    a = value * value
    return value * (1.0 - a * (1.0 / 3.0 - a * (0.2 - a * (1.0 / 7.0 - a * (1.0 / 9.0 - a / 11.0)))))
