"""What can be set on a camera, and what is refused."""

from __future__ import annotations

import math
from typing import Final

import msgspec

from dorosim.ground.error import InputError
from dorosim.world.mount.setting import MAX_FOV, MAX_PIXELS, MIN_FOV

MAX_IMAGE_SIDE: Final = 8192
SAMPLES: Final = (1, 4)
"""Rays per pixel."""


class CameraModel(msgspec.Struct, frozen=True, kw_only=True):
    """How a camera sees; a camera is aimed along x of its mount, with z up.

    Pixel coordinates are continuous: the picture reaches from 0 to width and from 0 to height, the centre of the first
    pixel is (0.5, 0.5), and the principal point of a centred lens is (width / 2, height / 2), as clients of the product
    reckon (facts/udp-wire.md, 5.2).

    Attributes:
        width, height: [pixels].
        field_of_view: horizontal, without distortion [rad]; not used where `focal_length` is given.
        focal_length: fx, fy [pixels], or None.
        principal_point: cx, cy [pixels], or None for the middle.
        distortion: k1, k2, p1, p2, k3 of the Brown-Conrady model in OpenCV's order
            (D. C. Brown, Photogrammetric Engineering 32 (1966) 444).
        rgb, depth, semantic, instance: which pictures are made. boxes: whether boxes of actors are.
        quality: of JPEG, 1 to 100.
        exposure: correction of the automatic exposure [stops], doubling the light for each.
        near, far: range of the depth picture [m along the optical axis]; nothing nearer than `near` is seen at all.
        samples: rays per pixel, 1, or 4 for smooth edges. Depth, classes and instances are those of the pixel's centre.
        smallest_box: actors of fewer visible pixels get no box.
    """

    width: int = 640
    height: int = 480
    field_of_view: float = math.radians(90.0)
    focal_length: tuple[float, float] | None = None
    principal_point: tuple[float, float] | None = None
    distortion: tuple[float, float, float, float, float] = (0.0, 0.0, 0.0, 0.0, 0.0)
    rgb: bool = True
    depth: bool = False
    semantic: bool = False
    instance: bool = False
    boxes: bool = False
    quality: int = 90
    exposure: float = 0.0
    near: float = 0.05
    far: float = 1000.0
    samples: int = 1
    smallest_box: int = 1

    def __post_init__(self) -> None:
        """Refuse what no camera can do.

        Raises:
            InputError: a setting is out of its range or not a number.
        """
        for name in ("width", "height", "quality", "smallest_box"):
            if not isinstance(getattr(self, name), int):
                raise InputError("camera", name, f"{getattr(self, name)} is not a whole number")
        _check("width", self.width, 1, MAX_IMAGE_SIDE)
        _check("height", self.height, 1, MAX_IMAGE_SIDE)
        _check("width times height", self.width * self.height, 1, MAX_PIXELS)
        _check("field_of_view", self.field_of_view, MIN_FOV, MAX_FOV)
        if self.focal_length is not None:
            _check_all("focal_length", self.focal_length, 2, 1.0, 1e6)
        if self.principal_point is not None:
            _check_all("principal_point", self.principal_point, 2, -1e5, 1e5)
        _check_all("distortion", self.distortion, 5, -1e3, 1e3)
        _check("quality", self.quality, 1, 100)
        _check("exposure", self.exposure, -20.0, 20.0)
        _check("near", self.near, 1e-3, 1e4)
        _check("far", self.far, self.near, 1e5)
        if self.far <= self.near:
            raise InputError("camera", "far", f"{self.far:g} is not beyond near, {self.near:g}")
        if self.samples not in SAMPLES:
            raise InputError("camera", "samples", f"there are no {self.samples} rays per pixel", "use 1 or 4")
        _check("smallest_box", self.smallest_box, 1, MAX_PIXELS)

    @property
    def intrinsics(self) -> tuple[float, float, float, float]:
        """fx, fy, cx, cy [pixels]."""
        square = 0.5 * self.width / math.tan(0.5 * self.field_of_view)
        fx, fy = self.focal_length or (square, square)
        cx, cy = self.principal_point or (0.5 * self.width, 0.5 * self.height)
        return fx, fy, cx, cy


def _check_all(name: str, values: tuple[float, ...], count: int, low: float, high: float) -> None:
    if len(values) != count:
        raise InputError("camera", name, f"{len(values)} numbers instead of {count}")
    for value in values:
        _check(name, value, low, high)


def _check(name: str, value: float, low: float, high: float) -> None:
    if not low <= value <= high:
        raise InputError("camera", name, f"{value:g} is not between {low:g} and {high:g}")
