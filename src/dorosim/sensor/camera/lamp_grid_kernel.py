"""Which lamps can light which part of a picture: a grid of squares on the map, each with the lamps that reach it most.

A picture of a town at night has hundreds of lamps, and each place is lit by a few of them. So lamps are sorted into
squares once for each picture, the strongest first, and a ray's hit asks those of its square only. The strongest two of
a square that are strong enough cast shadows. Squares that lie beside the picture or behind the camera get no lamps.
"""

from __future__ import annotations

from math import floor, sqrt
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.jit import inner_kernel, kernel
from dorosim.sensor.camera.beam_kernel import HIGH, LOW, PANE
from dorosim.sensor.camera.ray_bounds import ray_bounds
from dorosim.sensor.camera.ray_packet import Aim
from dorosim.sensor.scene.instance import View

GRID_SIDE: Final = 64
"""Squares along each axis."""
GRID_CELL: Final = 6.0
"""Side of a square [m]: lamps up to 190 m away light what is seen."""
MAX_LAMPS: Final = 12
"""Lamps of a square."""
UNIT_ILLUMINANCE: Final = 80_000.0
"""What a radiance of 1 of a white surface means [lx]: the sun gives 1.3 of them."""
MIN_LAMP_SHARE: Final = 0.4 / UNIT_ILLUMINANCE
"""Light below which a lamp is not asked for in a square, 0.4 lx; and its share of that of the strongest one there."""
MIN_LAMP_RATIO: Final = 0.03
_MAX_RISE, _MARGIN = 1000.0, 1.0
"""How far above or below the camera things are, and by how much more than itself a square counts as seen [m]."""
_SLACK: Final = 0.05
"""By how much squares are looked at that get too little light [m]: numbers are rounded."""
_KNEE: Final = 1.2
"""How far above the road beams are judged [m]."""


class LampGrid(NamedTuple):
    """The lamps of a picture.

    Attributes:
        source: `(S, SOURCE_COLUMNS)` those that are near enough; intensities in `UNIT_ILLUMINANCE`.
        cell: `(GRID_SIDE**2, 1 + MAX_LAMPS)` how many lamps each square has, and their rows, the strongest first; none
            where the picture shows nothing of it.
        left, low: where the grid begins [m from the scene's origin].
    """

    source: NDArray[np.float32]
    cell: NDArray[np.int32]
    left: np.float32
    low: np.float32


NO_LAMPS: Final = LampGrid(
    np.zeros((0, 18), np.float32), np.zeros((0, 1 + MAX_LAMPS), np.int32), np.float32(0.0), np.float32(0.0)
)


def lamp_grid_of(view: View, aim: Aim) -> LampGrid:
    """The lamps of one picture; by day none."""
    if not len(view.fixed_light) and not len(view.moving_light):
        return NO_LAMPS
    source = np.concatenate((view.moving_light, view.fixed_light))
    gap = source[:, :3] - aim.place
    ahead = gap @ aim.axes[2]
    half = 0.5 * GRID_SIDE * GRID_CELL
    near = (np.abs(gap[:, 0]) < half + 40.0) & (np.abs(gap[:, 1]) < half + 40.0) & (ahead > -source[:, 17])
    source = np.ascontiguousarray(source[near])
    source[:, 12:15] *= np.float32(1.0 / UNIT_ILLUMINANCE)
    left, low = (np.float32(floor(float(aim.place[axis]) / GRID_CELL) * GRID_CELL - half) for axis in (0, 1))
    cell = np.zeros((GRID_SIDE * GRID_SIDE, 1 + MAX_LAMPS), np.int32)
    span = seen_squares(aim, float(left), float(low))
    fill_cells(source, float(left), float(low), float(aim.place[2]), span, cell)
    return LampGrid(source, cell, left, low)


def seen_squares(aim: Aim, left: float, low: float) -> NDArray[np.int32]:
    """Which squares of each row a picture can show, from a first to before a last one: `(GRID_SIDE, 2)`.

    They lie on the inner side of three planes through the camera: ahead of it, and between its outer rays.

    Args:
        aim: the camera.
        left: as of `LampGrid`.
        low: the same.
    """
    low_x, high_x, _, _ = ray_bounds(aim.rays)
    right, ahead = aim.axes[0].astype(np.float64), aim.axes[2].astype(np.float64)
    normal = np.stack((ahead, right - low_x * ahead, high_x * ahead - right))
    middle = (np.arange(GRID_SIDE) + 0.5) * GRID_CELL
    east, north = left + middle - float(aim.place[0]), low + middle - float(aim.place[1])
    slack = np.abs(normal) @ (0.5 * GRID_CELL + _MARGIN, 0.5 * GRID_CELL + _MARGIN, _MAX_RISE)
    inside = normal[:, 0, None, None] * east + normal[:, 1, None, None] * north[:, None] + slack[:, None, None] >= 0.0
    seen = inside.all(axis=0)
    first, last = seen.argmax(axis=1), GRID_SIDE - seen[:, ::-1].argmax(axis=1)
    return np.where(seen.any(axis=1)[:, None], np.stack((first, last), axis=1), 0).astype(np.int32)


@kernel
def fill_cells(
    source: NDArray[np.float32], left: float, low: float, eye: float, span: NDArray[np.int32], cell: NDArray[np.int32]
) -> None:
    """Sort lamps into the squares that they reach.

    Args:
        source: as of `LampGrid`.
        left: the same.
        low: the same.
        eye: height of the camera [m].
        span: of `seen_squares`.
        cell: the same; written.
    """
    strength = np.zeros((len(cell), MAX_LAMPS), np.float32)
    for s in range(len(source)):
        x, y, z, reach = float(source[s, 0]), float(source[s, 1]), float(source[s, 2]), float(source[s, 17])
        power = max(float(source[s, 12]), float(source[s, 13]), float(source[s, 14]))
        forward_x, forward_y = float(source[s, 3]), float(source[s, 4])
        left_x, left_y = float(source[s, 6]), float(source[s, 7])
        beam = source[s, 15]
        thrown = beam in (LOW, HIGH)
        fall = z - (eye - _KNEE)
        least = 0.25 * fall * fall + (8.0 if beam == PANE else 1.0)
        # how far away the nearest place of a square can be that gets the least light
        if power < MIN_LAMP_SHARE * least:
            continue
        wide = min(reach, sqrt(power / MIN_LAMP_SHARE - least) + _SLACK) + 0.7 * GRID_CELL
        first_i, last_i = floor((x - wide - left) / GRID_CELL - 0.5), floor((x + wide - left) / GRID_CELL + 0.5)
        first_j, last_j = floor((y - wide - low) / GRID_CELL - 0.5), floor((y + wide - low) / GRID_CELL + 0.5)
        first_i = max(first_i, floor((x - reach - left) / GRID_CELL))
        last_i = min(last_i, floor((x + reach - left) / GRID_CELL))
        first_j = max(first_j, floor((y - reach - low) / GRID_CELL))
        last_j = min(last_j, floor((y + reach - low) / GRID_CELL))
        for j in range(max(first_j, 0), min(last_j, GRID_SIDE - 1) + 1):
            for i in range(max(first_i, span[j, 0]), min(last_i + 1, span[j, 1])):
                dx, dy = left + (i + 0.5) * GRID_CELL - x, low + (j + 0.5) * GRID_CELL - y
                # the nearest place of the square, and the brightest direction near it
                flat = max(sqrt(dx * dx + dy * dy) - 0.7 * GRID_CELL, 0.0)
                if flat >= reach:
                    continue
                ahead = forward_x * dx + forward_y * dy
                if thrown and ahead < -GRID_CELL:
                    continue
                square = flat * flat + least
                beamed = 1.0
                if thrown:
                    side = abs(left_x * dx + left_y * dy)
                    aside = max(side - GRID_CELL, 0.0) / max(ahead + GRID_CELL, 1.0)
                    beamed = 1.0 / (1.0 + 8.0 * aside * aside)
                if power * beamed / square < MIN_LAMP_SHARE:
                    continue
                _insert(cell[j * GRID_SIDE + i], strength[j * GRID_SIDE + i], s, np.float32(power * beamed / square))
    for square in range(len(cell)):
        while cell[square, 0] > 1 and strength[square, cell[square, 0] - 1] < MIN_LAMP_RATIO * strength[square, 0]:
            cell[square, 0] -= 1
        if cell[square, 0] > 0:
            middle_x = left + (square % GRID_SIDE + 0.5) * GRID_CELL
            middle_y = low + (square // GRID_SIDE + 0.5) * GRID_CELL
            _leave_behind(cell[square], source, middle_x, middle_y)


@inner_kernel
def _leave_behind(cell: NDArray[np.int32], source: NDArray[np.float32], x: float, y: float) -> None:
    """Take lamps from a square's list that shine forward only, and away from all of it.

    Args:
        cell: of the square; written.
        source: of `LampGrid`.
        x: the square's middle [m].
        y: the same.
    """
    kept = 0
    for n in range(cell[0]):
        row = source[cell[1 + n]]
        across = abs(row[3]) + abs(row[4])
        ahead = row[3] * (x - row[0]) + row[4] * (y - row[1]) + across * (0.5 * GRID_CELL + _SLACK)
        if row[15] == PANE or ahead + abs(row[5]) * row[17] > -_SLACK:
            cell[1 + kept] = cell[1 + n]
            kept += 1
    cell[0] = kept


@inner_kernel
def _insert(cell: NDArray[np.int32], strength: NDArray[np.float32], source: int, value: np.float32) -> None:
    """Put a lamp into a square's list where its strength belongs; the weakest of a full list goes."""
    count = cell[0]
    at = count
    while at > 0 and strength[at - 1] < value:
        at -= 1
    if at >= MAX_LAMPS:
        return
    last = min(count, MAX_LAMPS - 1)
    for k in range(last, at, -1):
        strength[k] = strength[k - 1]
        cell[1 + k] = cell[k]
    strength[at] = value
    cell[1 + at] = source
    cell[0] = min(count + 1, MAX_LAMPS)
