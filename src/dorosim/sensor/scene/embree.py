"""Embree through ctypes: devices, triangle meshes, a static world and a scene of instances.

The library is the one that the `embreex` wheel brings; its own Python module is not used, since it holds the GIL and
knows no instances. Constants are those of the header `rtcore.h` of Embree 4.4. A device has one thread: results and
building do not depend on how many processors there are, and sensors start no threads of their own.
"""

from __future__ import annotations

import ctypes
import importlib.util
import weakref
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.error import InputError
from dorosim.ground.mesh import Mesh

_TRIANGLES, _INSTANCE = 0, 121
_INDICES, _VERTICES = 0, 1
_UINT3, _FLOAT3 = 0x5003, 0x9003
_HIGH_QUALITY = 2
_COHERENT = 1 << 16
_ALL_FEATURES = 0xFFFFFFFF
_EVERY_RAY = 0xFFFFFFFF
"""Mask of geometries that rays of any mask meet; Embree's default is 1."""

_NATIVE_16 = 34
"""Property of a device: whether the processor casts packets of 16 rays."""

_POINTER, _INT, _UINT, _SIZE = ctypes.c_void_p, ctypes.c_int, ctypes.c_uint, ctypes.c_size_t
_SIGNATURES: dict[str, tuple[object, tuple[object, ...]]] = {
    "rtcNewDevice": (_POINTER, (ctypes.c_char_p,)),
    "rtcReleaseDevice": (None, (_POINTER,)),
    "rtcGetDeviceError": (_INT, (_POINTER,)),
    "rtcGetDeviceProperty": (ctypes.c_ssize_t, (_POINTER, _INT)),
    "rtcNewScene": (_POINTER, (_POINTER,)),
    "rtcReleaseScene": (None, (_POINTER,)),
    "rtcSetSceneBuildQuality": (None, (_POINTER, _INT)),
    "rtcCommitScene": (None, (_POINTER,)),
    "rtcNewGeometry": (_POINTER, (_POINTER, _INT)),
    "rtcReleaseGeometry": (None, (_POINTER,)),
    "rtcSetNewGeometryBuffer": (_POINTER, (_POINTER, _INT, _UINT, _INT, _SIZE, _SIZE)),
    "rtcCommitGeometry": (None, (_POINTER,)),
    "rtcAttachGeometryByID": (None, (_POINTER, _POINTER, _UINT)),
    "rtcSetGeometryMask": (None, (_POINTER, _UINT)),
    "rtcSetGeometryInstancedScene": (None, (_POINTER, _POINTER)),
    "rtcDisableGeometry": (None, (_POINTER,)),
}


def library_path() -> Path:
    """Where the Embree library is.

    Raises:
        InputError: if the `embreex` wheel is not installed, or holds no library.
    """
    found = importlib.util.find_spec("embreex")
    if found is not None and found.origin is not None:
        package = Path(found.origin).parent
        for folder in (package.with_name("embreex.libs"), package, package / ".dylibs"):
            for path in sorted(folder.glob("*embree4*")):
                return path
    raise InputError("sensors", "", "the Embree library is missing", "install it with: pip install embreex")


@cache
def library() -> ctypes.CDLL:
    """The Embree library, its functions typed. Its symbols are there for compiled kernels too."""
    loaded = ctypes.CDLL(str(library_path()), mode=ctypes.RTLD_GLOBAL)
    for name, (result, arguments) in _SIGNATURES.items():
        function = getattr(loaded, name)
        function.restype, function.argtypes = result, arguments
    return loaded


@cache
def device() -> int:
    """The Embree device of this process: how scenes are built; it holds none of them.

    One for all, and never released: with a second device of one thread, a thread of the library's task scheduler waits
    without sleeping from then on, which costs a processor.
    """
    return int(library().rtcNewDevice(b"threads=1,set_affinity=0"))


def casts_sixteen() -> bool:
    """Whether the processor casts 16 rays at a time (AVX-512).

    Elsewhere Embree takes them one by one, if asked for so many, which is four times slower than eight at a time.
    """
    return bool(library().rtcGetDeviceProperty(device(), _NATIVE_16))


def aligned_words(count: int) -> NDArray[np.uint32]:
    """`(count,)` zeros that begin at a multiple of 64 bytes."""
    words = np.zeros(count + 16, np.uint32)
    skip = (-words.ctypes.data % 64) // 4
    return words[skip : skip + count]


def query_arguments(*, coherent: bool) -> NDArray[np.uint32]:
    """An `RTCIntersectArguments`, which serves as `RTCOccludedArguments` too.

    Args:
        coherent: whether the rays of a packet go about the same way.

    Returns:
        `(16,)`: flags, feature mask, and zeros for context, filter and functions. Pass its address, and keep it.
    """
    words = aligned_words(16)
    words[0], words[1] = _COHERENT if coherent else 0, _ALL_FEATURES
    return words


class InstancedScene:
    """Models of triangles, placed any number of times; the first one stands once, where it was built.

    Rays are cast into the first model's own scene, and then into that of all instances. As an instance among the others
    it would cost a quarter more: nearly all rays would be turned into its frame, which is the map's.

    `geometry` and `model` are what the placing kernel needs (`embree_kernel.place_instances`). Everything is released
    with the object.

    Attributes:
        static: handle of the first model's scene. top: handle of the scene of all instances.
        model: `(models,)` uint64 handles of the models' scenes.
        geometry: `(capacity,)` uint64 handles of the instances; those that are not placed are disabled. Row 0 stands
            for the first model, and has none.
    """

    def __init__(self, models: Sequence[Mesh], capacity: int = 128) -> None:
        self._library = library()
        self._device = device()
        self.model: NDArray[np.uint64] = np.array([self._new_model(mesh) for mesh in models], np.uint64)
        self.static = int(self.model[0])
        self.top = int(self._new_scene())
        self.geometry: NDArray[np.uint64] = np.zeros(0, np.uint64)
        self.grow(max(capacity, 1))
        self._check()

    def replace_first(self, mesh: Mesh) -> None:
        """Let the first model, which stands once, be another one from now on."""
        self.static = self._new_model(mesh)
        self.model[0] = self.static
        self._check()

    def grow(self, capacity: int) -> None:
        """Make room for so many instances, the first model included."""
        start = len(self.geometry)
        self.geometry = np.concatenate((self.geometry, np.zeros(capacity - start, np.uint64)))
        for row in range(max(start, 1), capacity):
            made = self._library.rtcNewGeometry(self._device, _INSTANCE)
            self._library.rtcSetGeometryInstancedScene(made, int(self.model[0]))
            self._library.rtcSetGeometryMask(made, _EVERY_RAY)
            self._library.rtcCommitGeometry(made)
            self._library.rtcAttachGeometryByID(self.top, made, row)
            self._library.rtcReleaseGeometry(made)  # the scene keeps it
            self._library.rtcDisableGeometry(made)
            self.geometry[row] = made
        self._library.rtcCommitScene(self.top)
        self._check()

    def _new_scene(self) -> int:
        """A scene without Embree's robust flag: that costs a quarter of the rays, and a test finds no gap without."""
        scene: int = self._library.rtcNewScene(self._device)
        weakref.finalize(self, self._library.rtcReleaseScene, scene)
        self._library.rtcSetSceneBuildQuality(scene, _HIGH_QUALITY)
        return scene

    def _new_model(self, mesh: Mesh) -> int:
        scene = self._new_scene()
        if len(mesh.faces):
            triangles = self._library.rtcNewGeometry(self._device, _TRIANGLES)
            self._fill(triangles, _VERTICES, _FLOAT3, mesh.vertices.astype(np.float32))
            self._fill(triangles, _INDICES, _UINT3, mesh.faces)
            self._library.rtcSetGeometryMask(triangles, _EVERY_RAY)
            self._library.rtcCommitGeometry(triangles)
            self._library.rtcAttachGeometryByID(scene, triangles, 0)
            self._library.rtcReleaseGeometry(triangles)
        self._library.rtcCommitScene(scene)
        return scene

    def _fill(self, geometry: int, kind: int, form: int, rows: NDArray[np.float32] | NDArray[np.uint32]) -> None:
        content = np.ascontiguousarray(rows)
        buffer = self._library.rtcSetNewGeometryBuffer(geometry, kind, 0, form, 12, len(content))
        ctypes.memmove(buffer, content.ctypes.data, content.nbytes)

    def _check(self) -> None:
        error = self._library.rtcGetDeviceError(self._device)
        if error:
            raise InputError("sensors", "", f"Embree reports error {error}", "is there enough memory?")
