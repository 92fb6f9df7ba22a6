"""Towns that several tests look at, made once, and what they ask of them."""

import functools

import numpy as np

from dorosim.mapmaking.plan import Size
from dorosim.mapmaking.town import generate_town
from dorosim.road.mgeo.record import Link, MGeoMap

TOWNS = ((1, Size.SMALL), (2, Size.SMALL), (1, Size.DEFAULT), (8, Size.DEFAULT))
"""Seeds and sizes that the tests look at."""


@functools.cache
def town_of(seed: int, size: Size) -> MGeoMap:
    """A town; do not change it."""
    return generate_town(seed, size, f"{size.value} {seed}")


def lanes_of(town: MGeoMap) -> list[Link]:
    """Links that one drives on."""
    return [link for link in town.links if not link.lazy_init]


def legs(points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Lengths in the plane and headings of the segments of a line `(N, 3)`."""
    way = np.diff(points[:, :2], axis=0)
    return np.hypot(way[:, 0], way[:, 1]), np.unwrap(np.arctan2(way[:, 1], way[:, 0]))


def resampled(points: np.ndarray, step: float) -> np.ndarray:
    """Points along a line `(N, 3)`, about `step` apart."""
    length, _ = legs(points)
    arc = np.concatenate(([0.0], np.cumsum(length)))
    s = np.linspace(0.0, arc[-1], max(2, int(arc[-1] / step) + 1))
    return np.column_stack([np.interp(s, arc, points[:, axis]) for axis in range(3)])


def nearest(a: np.ndarray, b: np.ndarray) -> float:
    """The least distance in the plane between the points of two lines."""
    return float(np.min(np.hypot(a[:, None, 0] - b[None, :, 0], a[:, None, 1] - b[None, :, 1])))
