"""Triangles with a colour at each corner as bytes of a binary glTF 2.0 file (Khronos, ISO/IEC 12113)."""

from __future__ import annotations

import json
import struct
from typing import Any

import numpy as np
from numpy.typing import NDArray

_MAGIC, _JSON, _BIN = 0x46546C67, 0x4E4F534A, 0x004E4942
_FLOAT, _UINT32, _UINT16, _UINT8 = 5126, 5125, 5123, 5121
_VERTICES, _INDICES = 34962, 34963


def glb_of(
    vertices: NDArray[np.float32],
    faces: NDArray[np.integer],
    colour: NDArray[np.uint8],
    *,
    unlit: bool = False,
) -> bytes:
    """A file of one mesh without normals, which viewers shade flat.

    Args:
        vertices: `(V, 3)` in the viewer's own frame; no axis is turned [m].
        faces: `(F, 3)` rows of vertices.
        colour: `(V, 4)` linear red, green, blue and opacity of each, 0 to 255.
        unlit: it shines by itself: no light changes its colours.
    """
    index_type = np.uint16 if len(vertices) <= np.iinfo(np.uint16).max else np.uint32
    blocks = [
        np.ascontiguousarray(vertices, np.float32).tobytes(),
        np.ascontiguousarray(colour, np.uint8).tobytes(),
        np.ascontiguousarray(faces, index_type).tobytes(),
    ]
    starts = np.cumsum([0, *(_padded_size(block) for block in blocks)]).tolist()
    head: dict[str, Any] = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0, "COLOR_0": 1}, "indices": 2, "material": 0}]}],
        "materials": [_material(unlit=unlit, blended=bool((colour[:, 3] < 255).any()))],
        "buffers": [{"byteLength": starts[-1]}],
        "bufferViews": [
            {"buffer": 0, "byteOffset": start, "byteLength": len(block), "target": target}
            for start, block, target in zip(starts, blocks, (_VERTICES, _VERTICES, _INDICES), strict=False)
        ],
        "accessors": _accessors(vertices, 3 * len(faces), _UINT16 if index_type is np.uint16 else _UINT32),
    }
    if unlit:
        head["extensionsUsed"] = ["KHR_materials_unlit"]
    return _file(head, b"".join(block + bytes(_padded_size(block) - len(block)) for block in blocks))


def _material(*, unlit: bool, blended: bool) -> dict[str, Any]:
    material: dict[str, Any] = {
        "doubleSided": True,
        "pbrMetallicRoughness": {"metallicFactor": 0.0, "roughnessFactor": 1.0},
    }
    if unlit:
        material["extensions"] = {"KHR_materials_unlit": {}}
    if blended:
        material["alphaMode"] = "BLEND"
    return material


def _accessors(vertices: NDArray[np.float32], indices: int, index_type: int) -> list[dict[str, Any]]:
    """How places, colours and indices are read, in the order of their blocks."""
    count = len(vertices)
    low = vertices.min(axis=0).tolist() if count else [0.0] * 3
    high = vertices.max(axis=0).tolist() if count else [0.0] * 3
    return [
        {"bufferView": 0, "componentType": _FLOAT, "count": count, "type": "VEC3", "min": low, "max": high},
        {"bufferView": 1, "componentType": _UINT8, "normalized": True, "count": count, "type": "VEC4"},
        {"bufferView": 2, "componentType": index_type, "count": indices, "type": "SCALAR"},
    ]


def _file(head: dict[str, Any], content: bytes) -> bytes:
    """A file of a head, which is padded here, and of blocks with sizes that are multiples of four."""
    text = json.dumps(head, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 4)
    size = 12 + 8 + len(text) + 8 + len(content)
    return b"".join(
        (
            struct.pack("<III", _MAGIC, 2, size),
            struct.pack("<II", len(text), _JSON),
            text,
            struct.pack("<II", len(content), _BIN),
            content,
        )
    )


def with_colour(glb: bytes, colour: NDArray[np.uint8]) -> bytes:
    """Returns a file that `glb_of` made, with other colours `(V, 4)`."""
    (size,) = struct.unpack_from("<I", glb, 12)
    place = json.loads(glb[20 : 20 + size])["bufferViews"][1]
    start = 20 + size + 8 + int(place["byteOffset"])
    content = np.ascontiguousarray(colour, np.uint8).tobytes()
    if len(content) != place["byteLength"]:
        raise ValueError(f"{len(content)} bytes of colours instead of {place['byteLength']}")
    return glb[:start] + content + glb[start + len(content) :]


def _padded_size(block: bytes) -> int:
    return len(block) + -len(block) % 4
