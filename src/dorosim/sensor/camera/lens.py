"""Pinhole projection with Brown-Conrady distortion, and its inverse: points to pixels, and pixels to rays.

Points are in the optical frame: x right, y down, z forward, origin in the centre of projection [m].
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.column import FloatArray
from dorosim.ground.error import InputError
from dorosim.sensor.camera.setting import CameraModel

SIMD_WIDTH: Final = 16
"""Rays of one packet: rows of a ray table are filled up to a multiple of it."""

_NEWTON_STEPS: Final = 30
_CLOSE: Final = 1e-3
"""How close a pixel's ray must come back to it [pixels]."""
_WIDEST_TANGENT: Final = 20.0
"""Tangent of the angle to the axis up to which the search for a fold goes; 87 degrees."""
OPTICAL_FROM_MOUNT: Final = np.array([[0.0, -1.0, 0.0], [0.0, 0.0, -1.0], [1.0, 0.0, 0.0]])
"""Right, down, forward from forward, left, up."""


@dataclass(frozen=True, slots=True, eq=False)
class Lens:
    """Projection of a camera.

    Attributes:
        focal: `(2,)` fx, fy [pixels]. centre: `(2,)` cx, cy [pixels]. size: `(2,)` width, height [pixels].
        distortion: `(5,)` k1, k2, p1, p2, k3.
        reach: tangent of the angle to the axis up to which the radial distortion does not fold the picture.
    """

    focal: FloatArray
    centre: FloatArray
    size: FloatArray
    distortion: FloatArray
    reach: float

    @classmethod
    def of(cls, settings: CameraModel) -> Self:
        """The lens of a camera."""
        fx, fy, cx, cy = settings.intrinsics
        distortion = np.array(settings.distortion)
        size = np.array([settings.width, settings.height], float)
        return cls(np.array([fx, fy]), np.array([cx, cy]), size, distortion, _reach_of(distortion))

    @property
    def distorts(self) -> bool:
        """Whether straight lines are drawn bent."""
        return bool(self.distortion.any())

    def pixel_from_point(self, points: FloatArray) -> FloatArray:
        """Where points are seen.

        Args:
            points: `(..., 3)` optical frame, z > 0 [m].

        Returns:
            `(..., 2)` [pixels], outside the picture too. A point that is beyond the angle at which the lens folds is
            put where that angle is, which lies outside the picture.
        """
        flat = points[..., :2] / points[..., 2:]
        if self.distorts:
            radius = np.sqrt((flat**2).sum(axis=-1, keepdims=True))
            flat = distorted(flat * np.minimum(1.0, self.reach / np.maximum(radius, 1e-12)), self.distortion)
        pixels: FloatArray = flat * self.focal + self.centre
        return pixels

    def normalized_from_pixel(self, pixels: FloatArray) -> FloatArray:
        """Where the rays of pixels meet the plane z = 1.

        Args:
            pixels: `(..., 2)` [pixels].

        Returns:
            `(..., 2)` x and y [m].

        Raises:
            InputError: the distortion folds the picture, so that a pixel has no ray.
        """
        normalized = (pixels - self.centre) / self.focal
        if not self.distorts:
            return normalized
        flat = undistorted(normalized, self.distortion)
        radius = np.sqrt((flat**2).sum(axis=-1))
        error = np.abs((distorted(flat, self.distortion) - normalized) * self.focal).max(axis=-1)
        wrong = ~((error < _CLOSE) & (radius <= self.reach))
        if wrong.any():
            x, y = pixels[wrong][0]
            cure = "take a smaller distortion, or a longer focal length"
            raise InputError("camera", "distortion", f"the lens folds: pixel {x:g}, {y:g} has no ray", cure)
        return flat

    def ray_table(self, samples: int) -> NDArray[np.float32]:
        """The rays of all pixels, tabulated once.

        Args:
            samples: rays per pixel, 1 or 4; the first is that of the pixel's centre.

        Returns:
            `(samples, 2, height, width filled up to 16)` x and y at z = 1, float32.

        Raises:
            InputError: the distortion folds the picture.
        """
        width, height = (int(side) for side in self.size)
        filled = -(-width // SIMD_WIDTH) * SIMD_WIDTH
        table = np.empty((samples, 2, height, filled), np.float32)
        x, y = np.meshgrid(np.minimum(np.arange(filled), width - 1) + 0.5, np.arange(height) + 0.5)
        for sample, (right, down) in enumerate(_OFFSETS[:samples]):
            pixels = np.stack((x + right, y + down), axis=-1)
            table[sample] = np.moveaxis(self.normalized_from_pixel(pixels), -1, 0)
        return table


_OFFSETS: Final = ((0.0, 0.0), (0.25, -0.375), (-0.375, -0.125), (0.125, 0.375))
"""Samples inside a pixel, from its centre: no two in one row or column, so that steep and flat edges are smooth."""


def distorted(flat: FloatArray, distortion: FloatArray) -> FloatArray:
    """Apply Brown-Conrady distortion to `(..., 2)` coordinates at z = 1.

    The formula is that of OpenCV (Camera Calibration and 3D Reconstruction, detailed description).
    """
    k1, k2, p1, p2, k3 = distortion
    x, y = flat[..., 0], flat[..., 1]
    square = x * x + y * y
    radial = 1.0 + square * (k1 + square * (k2 + square * k3))
    return np.stack(
        (
            x * radial + 2.0 * p1 * x * y + p2 * (square + 2.0 * x * x),
            y * radial + p1 * (square + 2.0 * y * y) + 2.0 * p2 * x * y,
        ),
        axis=-1,
    )


def undistorted(normalized: FloatArray, distortion: FloatArray) -> FloatArray:
    """The coordinates that `distorted` takes to `normalized`, `(..., 2)`, by Newton's method from `normalized` on.

    Where there are none the result is some other point; the caller checks.
    """
    k1, k2, p1, p2, k3 = distortion
    flat = normalized.copy()
    for _ in range(_NEWTON_STEPS):
        x, y = flat[..., 0], flat[..., 1]
        square = x * x + y * y
        radial = 1.0 + square * (k1 + square * (k2 + square * k3))
        slope = 2.0 * (k1 + square * (2.0 * k2 + square * 3.0 * k3))
        xx = radial + slope * x * x + 2.0 * p1 * y + 6.0 * p2 * x
        xy = slope * x * y + 2.0 * p1 * x + 2.0 * p2 * y
        yy = radial + slope * y * y + 6.0 * p1 * y + 2.0 * p2 * x
        rest = distorted(flat, distortion) - normalized
        determinant = xx * yy - xy * xy
        determinant = np.where(np.abs(determinant) < 1e-9, 1e-9, determinant)
        step_x = (yy * rest[..., 0] - xy * rest[..., 1]) / determinant
        step_y = (xx * rest[..., 1] - xy * rest[..., 0]) / determinant
        step = np.stack((step_x, step_y), axis=-1)
        flat = np.clip(flat - step, -_WIDEST_TANGENT, _WIDEST_TANGENT)
        if np.abs(step).max() < 1e-12:
            break
    return flat


def _reach_of(distortion: FloatArray) -> float:
    """The radius at z = 1 up to which the distorted radius grows."""
    k1, k2, _, _, k3 = distortion
    radius = np.linspace(0.0, _WIDEST_TANGENT, 20_001)
    square = radius * radius
    growing = 1.0 + square * (3.0 * k1 + square * (5.0 * k2 + square * 7.0 * k3)) > 0.0
    return float(radius[-1] if growing.all() else radius[max(int(np.argmin(growing)) - 1, 0)])
