"""Kernels that cast rays: packets of 16 into Embree, without the GIL.

A packet is a float32 array `(21, 16)` that begins at a multiple of 64 bytes, an `RTCRayHit16` of Embree 4.4: one row a
field, one column ("lane") a ray. A kernel makes one with `new_packet`, fills it with `set_ray`, calls `intersect16`,
and reads it with `hit_row` and `hit_normal`; or, after `occluded16`, with `is_occluded`.

A ray is cast into the static world first and then, no farther than it came there, among the instances. What it hit in
the static world has a geometry and no instance.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import llvmlite.binding
import numpy as np
from numba import types
from numpy.typing import NDArray

from dorosim.ground.jit import inner_kernel, kernel
from dorosim.sensor.scene.embree import casts_sixteen, library_path

if TYPE_CHECKING:
    from dorosim.sensor.scene.instance import View

llvmlite.binding.load_library_permanently(str(library_path()))
_QUERY = types.void(types.uintp, types.uintp, types.uintp, types.uintp)
_HANDLE, _TWO = types.void(types.uintp), types.void(types.uintp, types.uintp)
_intersect16 = types.ExternalFunction("rtcIntersect16", _QUERY)
_occluded16 = types.ExternalFunction("rtcOccluded16", _QUERY)
_intersect8 = types.ExternalFunction("rtcIntersect8", _QUERY)
_occluded8 = types.ExternalFunction("rtcOccluded8", _QUERY)
_set_transform = types.ExternalFunction(
    "rtcSetGeometryTransform", types.void(types.uintp, types.uint32, types.int32, types.uintp)
)
_set_mask = types.ExternalFunction("rtcSetGeometryMask", types.void(types.uintp, types.uint32))
_set_model = types.ExternalFunction("rtcSetGeometryInstancedScene", _TWO)
_commit_geometry = types.ExternalFunction("rtcCommitGeometry", _HANDLE)
_enable = types.ExternalFunction("rtcEnableGeometry", _HANDLE)
_disable = types.ExternalFunction("rtcDisableGeometry", _HANDLE)
_commit_scene = types.ExternalFunction("rtcCommitScene", _HANDLE)

SIMD_WIDTH = 16
"""Rays of a packet."""
_ROWS = 21
"""Fields of a packet: 12 of the rays, 9 of the hits."""
NOTHING = 0xFFFFFFFF
"""Geometry of a ray that hits nothing, and instance of one that hits no actor (RTC_INVALID_GEOMETRY_ID)."""
_FLOAT3X4_ROW_MAJOR = 0x9134
_WHOLE = casts_sixteen()
"""Whether packets go to Embree whole, or in two halves."""
_HALF = SIMD_WIDTH // 2
_X, _NEAR, _DX, _TIME, _FAR, _MASK, _FLAGS = 0, 3, 4, 7, 8, 9, 11
_NX, _FACE, _GEOMETRY, _INSTANCE = 12, 17, 18, 19

Packet = NDArray[np.float32]
Words = NDArray[np.uint32]
Valid = NDArray[np.int32]


@inner_kernel
def _aligned(count: int) -> NDArray[np.float32]:
    """`(count,)` float32 whose memory begins where Embree wants it: at a multiple of 64 bytes."""
    space = np.empty(count + 16, np.float32)
    skip = (-np.int64(space.ctypes.data)) % 64 // 4
    return space[skip : skip + count]


@inner_kernel
def new_packet() -> Packet:
    """A packet `(21, 16)` float32, its memory aligned; its words are `packet.view(np.uint32)`."""
    return _aligned(_ROWS * SIMD_WIDTH).reshape(_ROWS, SIMD_WIDTH)


@inner_kernel
def new_valid() -> Valid:
    """`(16,)` int32, aligned: -1 for rays that are cast, 0 for those that are not."""
    valid = _aligned(SIMD_WIDTH).view(np.int32)
    valid[:] = -1
    return valid


@inner_kernel
def set_ray(
    packet: Packet, words: Words, lane: int, x: float, y: float, z: float, dx: float, dy: float, dz: float, far: float
) -> None:
    """Fill in one ray.

    Args:
        packet: written.
        words: the same memory as uint32.
        lane: 0 to 15.
        x: where it begins, east of the scene's origin [m].
        y: the same, north.
        z: the same, up.
        dx: where it goes, east; distances are in lengths of this direction.
        dy: the same, north.
        dz: the same, up.
        far: where it ends [lengths of the direction].
    """
    packet[_X, lane] = x
    packet[_X + 1, lane] = y
    packet[_X + 2, lane] = z
    packet[_NEAR, lane] = 0.0
    packet[_DX, lane] = dx
    packet[_DX + 1, lane] = dy
    packet[_DX + 2, lane] = dz
    packet[_TIME, lane] = 0.0
    packet[_FAR, lane] = far
    words[_MASK, lane] = NOTHING
    words[_FLAGS, lane] = 0
    words[_GEOMETRY, lane] = NOTHING
    words[_INSTANCE, lane] = NOTHING


@inner_kernel
def intersect16(static: int, top: int, arguments: int, packet: Packet, valid: Valid) -> None:
    """Find the nearest hit of each ray; `static`, `top` and `arguments` as of `View`."""
    if _WHOLE:
        lanes, rays = np.uint64(valid.ctypes.data), np.uint64(packet.ctypes.data)
        _intersect16(lanes, np.uint64(static), rays, np.uint64(arguments))
        if top != 0:
            _intersect16(lanes, np.uint64(top), rays, np.uint64(arguments))
    else:
        cast_halves(static, top, arguments, packet, valid, False)


@inner_kernel
def occluded16(static: int, top: int, arguments: int, packet: Packet, valid: Valid) -> None:
    """Find out of each ray whether it hits anything; `static`, `top` and `arguments` as of `View`. Fields of hits stay.

    Rays that are stopped by the static world have ended, so that they are not cast a second time.
    """
    if _WHOLE:
        lanes, rays = np.uint64(valid.ctypes.data), np.uint64(packet.ctypes.data)
        _occluded16(lanes, np.uint64(static), rays, np.uint64(arguments))
        if top != 0:
            _occluded16(lanes, np.uint64(top), rays, np.uint64(arguments))
    else:
        cast_halves(static, top, arguments, packet, valid, True)


@inner_kernel
def cast_halves(static: int, top: int, arguments: int, packet: Packet, valid: Valid, occluded: bool) -> None:
    """`intersect16` or `occluded16` for processors that cast eight rays at a time."""
    flat, half, some = packet.reshape(-1), _aligned(_ROWS * _HALF), new_valid()
    rays, lanes = np.uint64(half.ctypes.data), np.uint64(some.ctypes.data)
    for side in range(0, SIMD_WIDTH, _HALF):
        for row in range(_ROWS):
            for lane in range(_HALF):
                half[row * _HALF + lane] = flat[row * SIMD_WIDTH + side + lane]
        for lane in range(_HALF):
            some[lane] = valid[side + lane]
        for scene in (np.uint64(static), np.uint64(top)):
            if scene != 0 and occluded:
                _occluded8(lanes, scene, rays, np.uint64(arguments))
            elif scene != 0:
                _intersect8(lanes, scene, rays, np.uint64(arguments))
        for row in range(_FAR, _FAR + 1 if occluded else _ROWS):
            for lane in range(_HALF):
                flat[row * SIMD_WIDTH + side + lane] = half[row * _HALF + lane]


@inner_kernel
def is_occluded(packet: Packet, lane: int) -> bool:
    """Whether a ray met anything, after `occluded16`."""
    return bool(packet[_FAR, lane] < 0.0)


@inner_kernel
def hit_row(words: Words, lane: int) -> np.int64:
    """The instance that a ray hit, a row of the arrays of `View`; -1 for none."""
    if words[_GEOMETRY, lane] == NOTHING:
        return np.int64(-1)
    instance = words[_INSTANCE, lane]
    return np.int64(0) if instance == NOTHING else np.int64(instance)


@inner_kernel
def hit_distance(packet: Packet, lane: int) -> np.float32:
    """How far the hit is [lengths of the direction]; where there is none, what `far` was."""
    return np.float32(packet[_FAR, lane])


@inner_kernel
def hit_face(words: Words, lane: int) -> np.int64:
    """The face that was hit, within its model: `view.material[view.first_face[row] + face]` is its material."""
    return np.int64(words[_FACE, lane])


@inner_kernel
def hit_normal(
    normal: NDArray[np.float32], packet: Packet, lane: int, row: int | np.int64
) -> tuple[float, float, float]:
    """The unit normal of the surface that was hit, in map, on the side that the ray came from.

    Args:
        normal: `view.normal`, `(A, 3, 3)`.
        packet: after `intersect16`.
        lane: of the ray.
        row: `hit_row` of it, not -1.
    """
    x = packet[_NX, lane]
    y = packet[_NX + 1, lane]
    z = packet[_NX + 2, lane]
    if row > 0:
        turn = normal[row]
        along = turn[0, 0] * x + turn[0, 1] * y + turn[0, 2] * z
        across = turn[1, 0] * x + turn[1, 1] * y + turn[1, 2] * z
        z = turn[2, 0] * x + turn[2, 1] * y + turn[2, 2] * z
        x, y = along, across
    scale = np.float32(1.0) / np.sqrt(x * x + y * y + z * z)
    if x * packet[_DX, lane] + y * packet[_DX + 1, lane] + z * packet[_DX + 2, lane] > 0.0:
        scale = -scale
    return x * scale, y * scale, z * scale


@inner_kernel
def actor_mask(actor: int) -> int:
    """The mask of an actor's instance: its number, and the complement of it.

    All masks have 16 bits of 32, so none holds another: rays with all bits but those of one actor miss that actor and
    meet all others, the static world too, whose mask has all bits.

    Args:
        actor: 0 to 65,535.
    """
    return (actor & 0xFFFF) | ((actor & 0xFFFF ^ 0xFFFF) << 16)


@kernel
def cast_rays(
    view: View, origin: NDArray[np.float64], direction: NDArray[np.float64], far: NDArray[np.float64], own: int
) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.int64], NDArray[np.int64]]:
    """Cast rays, and return what they hit.

    Args:
        view: of a `SensorScene`.
        origin: `(N, 3)` in map [m].
        direction: `(N, 3)` in map, of length 1.
        far: `(N,)` length of each ray [m].
        own: number of the actor that the rays do not see, that which carries the sensor; 0 for none.

    Returns:
        Distance `(N,)` [m], infinite for none; unit normal `(N, 3)` in map on the ray's side; instance `(N,)`, a row of
        the view, -1 for none; material `(N,)`, -1 for none.
    """
    count = len(origin)
    distance, normal = np.empty(count, np.float32), np.zeros((count, 3), np.float32)
    instance, material = np.empty(count, np.int64), np.empty(count, np.int64)
    packet, valid = new_packet(), new_valid()
    words = packet.view(np.uint32)
    mask = np.uint32(NOTHING) ^ np.uint32(actor_mask(own)) if own else np.uint32(NOTHING)
    for start in range(0, count, SIMD_WIDTH):
        rays = min(SIMD_WIDTH, count - start)
        for lane in range(SIMD_WIDTH):
            j = start + min(lane, rays - 1)
            x, y, z = origin[j, 0] - view.origin[0], origin[j, 1] - view.origin[1], origin[j, 2] - view.origin[2]
            set_ray(packet, words, lane, x, y, z, direction[j, 0], direction[j, 1], direction[j, 2], far[j])
            words[_MASK, lane] = mask
            valid[lane] = -1 if lane < rays else 0
        intersect16(view.static, view.top, view.scattered, packet, valid)
        for lane in range(rays):
            j = start + lane
            row = hit_row(words, lane)
            instance[j] = row
            if row < 0:
                distance[j], material[j] = np.inf, -1
                continue
            distance[j] = hit_distance(packet, lane)
            normal[j, 0], normal[j, 1], normal[j, 2] = hit_normal(view.normal, packet, lane, row)
            material[j] = view.material[view.first_face[row] + hit_face(words, lane)]
    return distance, normal, instance, material


@inner_kernel
def place_ball(transform: NDArray[np.float32], model: NDArray[np.float32], ball: NDArray[np.float32]) -> None:
    """The ball of an instance from that of its model; scales may differ along the axes."""
    for i in range(3):
        ball[i] = transform[i, 0] * model[0] + transform[i, 1] * model[1] + transform[i, 2] * model[2] + transform[i, 3]
    largest = np.float32(0.0)
    for j in range(3):
        length = transform[0, j] ** 2 + transform[1, j] ** 2 + transform[2, j] ** 2
        largest = max(largest, length)
    ball[3] = model[3] * np.sqrt(largest)


@kernel
def place_instances(
    top: int,
    geometry: NDArray[np.uint64],
    model: NDArray[np.uint64],
    shown: NDArray[np.int64],
    wanted: NDArray[np.int64],
    masked: NDArray[np.int64],
    actor: NDArray[np.int64],
    before: int,
    pose: NDArray[np.float64],
    origin: NDArray[np.float64],
    transform: NDArray[np.float32],
    normal: NDArray[np.float32],
    model_ball: NDArray[np.float32],
    ball: NDArray[np.float32],
) -> None:
    """Put instances where they are now, instance `k + 1` with model `wanted[k]`; those after them are disabled.

    Args:
        top: the scene of the instances.
        geometry: `(capacity,)` handles of instances.
        model: `(models,)` handles of models.
        shown: `(capacity,)` model that each instance shows, -1 none yet; written.
        wanted: `(N,)` model of each instance.
        masked: `(capacity,)` number by which each instance is masked, -1 none yet; written.
        actor: `(N,)` number of each instance.
        before: how many instances were placed the last time.
        pose: `(N, 3, 4)` map-from-model [m].
        origin: `(3,)` the scene's origin in map [m].
        transform: `(capacity, 3, 4)` local-from-model; written.
        normal: `(capacity, 3, 3)` that turns normals of the model into the map; written.
        model_ball: `(models, 4)` middle and radius of a ball that holds each model, in its frame.
        ball: `(capacity, 4)` the same of each instance, in local; written.
    """
    count = len(wanted)
    for k in range(count):
        row = k + 1
        handle = np.uint64(geometry[row])
        for i in range(3):
            for j in range(3):
                transform[row, i, j] = pose[k, i, j]
            transform[row, i, 3] = pose[k, i, 3] - origin[i]
        for i in range(3):
            a, b = (i + 1) % 3, (i + 2) % 3
            for j in range(3):
                c, d = (j + 1) % 3, (j + 2) % 3
                normal[row, i, j] = pose[k, a, c] * pose[k, b, d] - pose[k, a, d] * pose[k, b, c]
        place_ball(transform[row], model_ball[wanted[k]], ball[row])
        if shown[row] != wanted[k]:
            _set_model(handle, np.uint64(model[wanted[k]]))
            shown[row] = wanted[k]
        if masked[row] != actor[k]:
            _set_mask(handle, np.uint32(actor_mask(actor[k])))
            masked[row] = actor[k]
        if k >= before:
            _enable(handle)
        _set_transform(handle, np.uint32(0), np.int32(_FLOAT3X4_ROW_MAJOR), np.uint64(transform[row:].ctypes.data))
        _commit_geometry(handle)
    for k in range(count, before):
        _disable(np.uint64(geometry[k + 1]))
    _commit_scene(np.uint64(top))
