"""What rays hit: its row of the view, its material, its class, and what shading asks of the material."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.jit import inner_kernel
from dorosim.sensor.camera import ray_packet as at
from dorosim.sensor.camera.ray_packet import FINISH_COLUMNS, RayPacket, Spots, Valid, Words
from dorosim.sensor.scene.embree_kernel import NOTHING, SIMD_WIDTH
from dorosim.sensor.scene.instance import View
from dorosim.sensor.scene.material import FIRST_LAMP, LAMPS, PAINTS, Material
from dorosim.sensor.scene.semantic import Semantic

_0, _1 = np.float32(0.0), np.float32(1.0)
_ALL = np.uint32(NOTHING)
_GLASS = np.uint16(Material.GLASS)
_BEHIND_GLASS, _ENDLESS = np.float32(1e-3), np.float32(1e30)
_SKY_CLASS = np.uint32(Semantic.SKY)


@inner_kernel
def find(words: Words, spots: Spots, view: View) -> tuple[int, int]:
    """Row, material and class of what each ray hit; how many hit anything, and how many an actor."""
    hits = actors = 0
    sky = np.uint32(len(view.albedo))
    first, materials, labels, classes = view.first_face, view.material, view.label, view.semantic
    for k in range(SIMD_WIDTH):
        if words[at.GEOMETRY + k] == _ALL:
            spots[at.ROW + k] = 0
            spots[at.MATERIAL + k] = sky
            spots[at.LABEL + k] = _SKY_CLASS
            continue
        row = words[at.INSTANCE + k]
        row = np.uint32(0) if row == _ALL else row  # the static world is no instance
        material = materials[np.uint64(first[row]) + np.uint64(words[at.FACE + k])]
        label = labels[row]
        spots[at.ROW + k] = row
        spots[at.MATERIAL + k] = material
        spots[at.LABEL + k] = label if label >= 0 else classes[material]
        hits += 1
        actors += 1 if row > 0 else 0
    return hits, actors


@inner_kernel
def pass_glass(packet: RayPacket, words: Words, valid: Valid, view: View, through: int) -> int:
    """Let rays that hit a window of one actor begin anew behind it.

    Args:
        packet: rays that were cast.
        words: the same memory as whole numbers.
        valid: -1 for lanes that are to be cast again, else 0; written.
        view: the scene.
        through: id of the actor.

    Returns:
        how many rays are to be cast again.
    """
    again = 0
    first, materials, actors = view.first_face, view.material, view.actor
    for k in range(SIMD_WIDTH):
        valid[k] = 0
        row = words[at.INSTANCE + k]
        if words[at.GEOMETRY + k] == _ALL or row == _ALL or actors[np.uint64(row)] != through:
            continue
        if materials[np.uint64(first[row]) + np.uint64(words[at.FACE + k])] != _GLASS:
            continue
        valid[k] = -1
        again += 1
        packet[at.NEAR + k] = packet[at.FAR + k] + _BEHIND_GLASS
        packet[at.FAR + k] = _ENDLESS
        words[at.GEOMETRY + k] = _ALL
        words[at.INSTANCE + k] = _ALL
    return again


@inner_kernel
def count(spots: Spots, lanes: int, seen: NDArray[np.int32]) -> None:
    """Add up how often each actor is seen."""
    for k in range(lanes):
        row = spots[at.ROW + k]
        if row > 0:
            seen[row] += 1


@inner_kernel
def differ(spots: Spots) -> bool:
    """Whether lanes have different materials; neighbours often have the same."""
    others = 0
    for k in range(SIMD_WIDTH):
        others += 1 if spots[at.MATERIAL + k] != spots[at.MATERIAL] else 0
    return others > 0


@inner_kernel
def gather(packet: RayPacket, spots: Spots, finish: NDArray[np.float32]) -> None:
    """What shading asks of the materials, lane by lane."""
    for k in range(SIMD_WIDTH):
        material = spots[at.MATERIAL + k]
        for i in range(FINISH_COLUMNS):
            packet[at.R + i * SIMD_WIDTH + k] = finish[material, i]


@inner_kernel
def share(packet: RayPacket, spots: Spots, finish: NDArray[np.float32]) -> None:
    """What shading asks of the material of all lanes."""
    material = spots[at.MATERIAL]
    for i in range(FINISH_COLUMNS):
        value = finish[material, i]
        for k in range(SIMD_WIDTH):
            packet[at.R + i * SIMD_WIDTH + k] = value


@inner_kernel
def mark(packet: RayPacket, words: Words) -> None:
    """Marks the lanes whose ray hit anything. The others get distance 0 and a unit normal, which no picture shows."""
    for k in range(SIMD_WIDTH):
        packet[at.HIT + k] = _0 if words[at.GEOMETRY + k] == _ALL else _1
    for k in range(SIMD_WIDTH):
        hit = packet[at.HIT + k] > _0
        packet[at.FAR + k] = packet[at.FAR + k] if hit else _0
        packet[at.NX + k] = packet[at.NX + k] if hit else _0
        packet[at.NY + k] = packet[at.NY + k] if hit else _0
        packet[at.NZ + k] = packet[at.NZ + k] if hit else _1


@inner_kernel
def dress(packet: RayPacket, spots: Spots, view: View) -> None:
    """Give actors their normals in the map, their paint, and the lamps that burn."""
    normal, paint = view.normal, view.paint
    for k in range(SIMD_WIDTH):
        row, material = spots[at.ROW + k], spots[at.MATERIAL + k]
        if row == 0:
            continue
        a, b, c = packet[at.NX + k], packet[at.NY + k], packet[at.NZ + k]
        packet[at.NX + k] = normal[row, 0, 0] * a + normal[row, 0, 1] * b + normal[row, 0, 2] * c
        packet[at.NY + k] = normal[row, 1, 0] * a + normal[row, 1, 1] * b + normal[row, 1, 2] * c
        packet[at.NZ + k] = normal[row, 2, 0] * a + normal[row, 2, 1] * b + normal[row, 2, 2] * c
        packet[at.GRAIN + k] = _0
        if material < PAINTS:
            packet[at.R + k] = paint[row, material, 0]
            packet[at.G + k] = paint[row, material, 1]
            packet[at.B + k] = paint[row, material, 2]
        elif FIRST_LAMP <= material < FIRST_LAMP + LAMPS and not view.lamp[row] >> (material - FIRST_LAMP) & 1:
            packet[at.ER + k] = _0
            packet[at.EG + k] = _0
            packet[at.EB + k] = _0
