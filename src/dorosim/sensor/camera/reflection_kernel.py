"""What wet ground mirrors of things by day: one more ray for each pixel that mirrors enough.

What it hits is shaded by the light of the sky, without a shadow ray: it is seen weakly, in a surface that moves.
"""

from __future__ import annotations

import numpy as np

from dorosim.ground.jit import inner_kernel
from dorosim.sensor.camera import ray_packet as at
from dorosim.sensor.camera.light import SceneLight
from dorosim.sensor.camera.ray_packet import RayPacket, ShadingTables, Valid, Words
from dorosim.sensor.camera.shading_tables import NOISE_SIDE
from dorosim.sensor.camera.sky_kernel import between, texel
from dorosim.sensor.scene.embree_kernel import NOTHING, SIMD_WIDTH, actor_mask
from dorosim.sensor.scene.instance import View
from dorosim.sensor.scene.material import FIRST_LAMP, LAMPS, PAINTS

_F = np.float32
_0, _1, _2, _HALF = _F(0.0), _F(1.0), _F(2.0), _F(0.5)
_ALL = np.uint32(NOTHING)
MIN_MIRROR = _F(0.04)
"""Share of mirrored light from which on it is looked for."""
_MAX_MIRROR_DISTANCE = _F(150.0)
_RIPPLE, _MIN_RIPPLE = _F(0.07), _F(0.006)
"""How much normals of a damp road and of a pool waver."""
_RIPPLES, _GRAINS = _F(28.0), np.uint32(NOISE_SIDE * NOISE_SIDE)
"""Places of the noise per metre, and where the fine noise begins in its table."""
_SUN_SHARE = _F(0.3)
"""Of the sun on surfaces of all directions, lit and not."""


@inner_kernel
def aim_mirrored(packet: RayPacket, words: Words, valid: Valid, finish: ShadingTables, own: int) -> int:
    """Rays from wet surfaces the way they mirror; how many there are.

    Args:
        packet: after shading; its rays are overwritten.
        words: the same memory as whole numbers.
        valid: -1 for lanes that are cast, else 0; written.
        finish: has a fine noise, by which the water moves.
        own: number of the actor that is left out; 0 for none.
    """
    for k in range(SIMD_WIDTH):
        ripple = _RIPPLE * (_1 - packet[at.SMOOTH + k]) + _MIN_RIPPLE
        grain = finish.noise[texel(packet[at.X + k] * _RIPPLES, packet[at.Y + k] * _RIPPLES) + _GRAINS]
        first = grain - _HALF
        second = grain * _F(37.0)
        second = second - _F(np.int32(second)) - _HALF
        nx, ny, nz = packet[at.NX + k] + ripple * first, packet[at.NY + k] + ripple * second, packet[at.NZ + k]
        vx, vy, vz = packet[at.VX + k], packet[at.VY + k], packet[at.VZ + k]
        twice = -_2 * (vx * nx + vy * ny + vz * nz)
        sz = vz + twice * nz
        sz = sz if sz > _F(0.01) else _F(0.01)
        packet[at.DX + k], packet[at.DY + k], packet[at.DZ + k] = vx + twice * nx, vy + twice * ny, sz
        packet[at.NEAR + k] = _0
        packet[at.FAR + k] = _MAX_MIRROR_DISTANCE
    mask = _ALL ^ np.uint32(actor_mask(own)) if own else _ALL
    for k in range(SIMD_WIDTH):
        words[at.MASK + k] = mask
        words[at.GEOMETRY + k] = _ALL
        words[at.INSTANCE + k] = _ALL
    count = 0
    for k in range(SIMD_WIDTH):
        wanted = packet[at.WET + k] > _0 and packet[at.MIRROR + k] > MIN_MIRROR and packet[at.HIT + k] > _0
        valid[k] = -1 if wanted else 0
        count += 1 if wanted else 0
    return count


@inner_kernel
def add_mirrored(
    packet: RayPacket, words: Words, valid: Valid, view: View, light: SceneLight, finish: ShadingTables
) -> None:
    """Add what the mirrored rays hit, in place of the sky there."""
    first, materials, table, paint = view.first_face, view.material, finish.material, view.paint
    for k in range(SIMD_WIDTH):
        if valid[k] == 0:
            continue
        packet[at.SX + k], packet[at.SY + k], packet[at.SZ + k] = (
            packet[at.DX + k],
            packet[at.DY + k],
            packet[at.DZ + k],
        )
        if words[at.GEOMETRY + k] == _ALL:
            continue
        row = words[at.INSTANCE + k]
        row = np.uint32(0) if row == _ALL else row
        material = materials[np.uint64(first[row]) + np.uint64(words[at.FACE + k])]
        shines = not (FIRST_LAMP <= material < FIRST_LAMP + LAMPS) or view.lamp[row] >> (material - FIRST_LAMP) & 1
        haze = between(light.extinction * packet[at.FAR + k])
        mirror = packet[at.MIRROR + k]
        for colour in range(3):
            albedo = paint[row, material, colour] if row > 0 and material < PAINTS else table[material, colour]
            around = _HALF * (light.above[colour] + light.below[colour]) + _SUN_SHARE * light.sun[colour]
            seen = albedo * around + (table[material, 3 + colour] if shines else _0)
            packet[at.R + colour * SIMD_WIDTH + k] += mirror * (seen + (light.air[colour] - seen) * haze)
        packet[at.MIRROR + k] = _0
