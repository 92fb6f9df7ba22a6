"""Drops and flakes that lamps light, at night: what makes rain seen in beams and around lamps.

A drop is a sphere of water much larger than waves of light, so rays say where it sends the light of a lamp: on, bent,
most of it; a few percent back from its front and its rear (H. C. van de Hulst, "Light Scattering by Small Particles",
chapter 12). So rain before an oncoming lamp is bright, and rain in one's own beam is faint. A flake is matt and white,
and sends light everywhere alike.

Drops that are drawn are near the camera, so a lamp that something hides from the camera lights none.
"""

from __future__ import annotations

from functools import cache
from math import sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.column import FloatArray
from dorosim.ground.jit import inner_kernel, kernel
from dorosim.sensor.camera.beam_kernel import shape_of_beam
from dorosim.sensor.camera.lamp_grid_kernel import UNIT_ILLUMINANCE
from dorosim.sensor.camera.ray_packet import Aim
from dorosim.sensor.scene.embree_kernel import cast_rays
from dorosim.sensor.scene.instance import View
from dorosim.sensor.scene.light_source import Beam, brightest_colour

PHASE_STEPS: Final = 256
"""Rows of a table of scattering, even in the cosine of the angle by which light is turned."""
REFRACTIVE_INDEX: Final = 1.333
"""Of water, at 550 nm."""
MATT_PHASE: Final = np.full(PHASE_STEPS, 1.0 / (4.0 * np.pi), np.float32)
"""Of flakes [1/sr]."""
MAX_DROP_LAMPS: Final = 8
"""Lamps that light drops: those that are strongest at the camera."""
MIN_DROP_ILLUMINANCE: Final = 0.5
"""Of a lamp that is asked for, at the camera or at a drop [lx]."""
_RAYS: Final = 100_000
_SMOOTHED: Final = 5
"""Rows over which a table is averaged: the sun and lamps are no points, and drops are not quite round."""
_F = np.float32


@cache
def drop_phase() -> NDArray[np.float32]:
    """How a drop scatters the light that meets it, `(PHASE_STEPS,)` [1/sr], from straight on to straight back.

    Of rays that a sphere reflects, lets through, and throws back once from its rear; further ones are a part in 200.
    """
    meets = np.arcsin(np.sqrt((np.arange(_RAYS) + 0.5) / _RAYS))  # even over the disk that the drop covers
    inside = np.arcsin(np.sin(meets) / REFRACTIVE_INDEX)
    across = (np.sin(meets - inside) / np.sin(meets + inside)) ** 2
    along = (np.tan(meets - inside) / np.tan(meets + inside)) ** 2
    mirrored = 0.5 * (across + along)  # Fresnel's equations for light without polarisation
    parts = (
        (np.pi - 2.0 * meets, mirrored),
        (2.0 * (meets - inside), (1.0 - mirrored) ** 2),
        (np.pi + 2.0 * meets - 4.0 * inside, (1.0 - mirrored) ** 2 * mirrored),
    )
    total = np.zeros(PHASE_STEPS)
    for turned, share in parts:
        row = np.minimum((0.5 * (1.0 - np.cos(turned)) * PHASE_STEPS).astype(int), PHASE_STEPS - 1)
        total += np.bincount(row, weights=share, minlength=PHASE_STEPS)
    density = total / _RAYS * PHASE_STEPS / (4.0 * np.pi)
    half = _SMOOTHED // 2
    padded = np.concatenate((np.full(half, density[:half].mean()), density, np.full(half, density[-half:].mean())))
    smooth: NDArray[np.float32] = np.convolve(padded, np.full(_SMOOTHED, 1.0 / _SMOOTHED), "valid").astype(np.float32)
    return smooth


def lamps_nearby(view: View, aim: Aim) -> NDArray[np.float32]:
    """The lamps that light what falls before a camera, `(L, SOURCE_COLUMNS)`; by day none."""
    source = np.concatenate((view.moving_light, view.fixed_light))
    if not len(source):
        return source
    gap = source[:, :3] - aim.place
    away = np.sqrt((gap * gap).sum(axis=1))
    strength = brightest_colour(source) / np.maximum(away, 1.0) ** 2
    rows = np.flatnonzero((strength > MIN_DROP_ILLUMINANCE) & (source[:, 15] != Beam.PANE))
    rows = rows[np.argsort(-strength[rows], kind="stable")[: 4 * MAX_DROP_LAMPS]]
    start = np.tile(aim.place.astype(np.float64) + view.origin, (len(rows), 1))
    free = np.maximum(away[rows].astype(np.float64) - 0.4, 0.01)
    toward = gap[rows].astype(np.float64) / np.maximum(away[rows, None], 1e-3)
    hidden = np.isfinite(cast_rays(view, start, toward, free, aim.own or aim.through)[0])
    return np.ascontiguousarray(source[rows[~hidden][:MAX_DROP_LAMPS]])


@kernel
def light_particles(
    place: FloatArray,
    eye: NDArray[np.float32],
    source: NDArray[np.float32],
    phase: NDArray[np.float32],
    shine: NDArray[np.float32],
) -> None:
    """What lamps make particles shine with.

    Args:
        place: `(N, 3)` of particles [m from the scene's origin].
        eye: `(3,)` of the camera, likewise.
        source: `(L, SOURCE_COLUMNS)` of lamps; a pair lights as two.
        phase: `(PHASE_STEPS,)` how a particle scatters [1/sr].
        shine: `(N, 3)` radiance towards the camera, in that of a white surface in `UNIT_ILLUMINANCE`; written.
    """
    scale = np.pi / UNIT_ILLUMINANCE
    for n in range(len(place)):
        x, y, z = place[n, 0], place[n, 1], place[n, 2]
        ex, ey, ez = eye[0] - x, eye[1] - y, eye[2] - z
        per_eye = 1.0 / sqrt(ex * ex + ey * ey + ez * ez + 1e-9)
        red, green, blue = 0.0, 0.0, 0.0
        for s in range(len(source)):
            for half in range(2 if source[s, 16] > 0.0 else 1):
                over = source[s, 16] * (1.0 - 2.0 * half)
                dx = x - (source[s, 0] + over * source[s, 6])
                dy = y - (source[s, 1] + over * source[s, 7])
                dz = z - (source[s, 2] + over * source[s, 8])
                square = dx * dx + dy * dy + dz * dz + 0.01
                if max(source[s, 12], source[s, 13], source[s, 14]) < MIN_DROP_ILLUMINANCE * square:
                    continue
                per = 1.0 / sqrt(square)
                shape = _shape(source[s], dx * per, dy * per, dz * per)
                turned = (dx * ex + dy * ey + dz * ez) * per * per_eye
                row = min(int(0.5 * (1.0 - turned) * PHASE_STEPS), PHASE_STEPS - 1)
                sent = shape * phase[max(row, 0)] * scale / square * (0.5 if source[s, 16] > 0.0 else 1.0)
                red += sent * source[s, 12]
                green += sent * source[s, 13]
                blue += sent * source[s, 14]
        shine[n, 0], shine[n, 1], shine[n, 2] = _F(red), _F(green), _F(blue)


@inner_kernel
def _shape(row: NDArray[np.float32], dx: float, dy: float, dz: float) -> float:
    """The share of its greatest intensity that a lamp throws into a direction."""
    ahead = row[3] * dx + row[4] * dy + row[5] * dz
    side = row[6] * dx + row[7] * dy + row[8] * dz
    rise = row[9] * dx + row[10] * dy + row[11] * dz
    return float(shape_of_beam(row[15], _F(ahead), _F(side), _F(rise)))
