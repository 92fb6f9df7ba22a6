"""Compiled kernels that come with dorosim, so that a first start loads them instead of compiling for a minute.

They lie in `kernels.zip` beside this module. `python -m tools.kernel_pack` makes it: for one system, one version of
numba and llvmlite, some of CPython, and every x86-64 processor of the level v3 (AVX2 and FMA: Intel since Haswell, AMD
since Zen). A kernel is used only where all that fits, and where no file that it is made of has changed since. Else
it is compiled, as always. Both have the same bits: no kernel lets the compiler reorder or fuse floating point
operations.

`DOROSIM_COMPILE=1` compiles all kernels on this machine instead.

Source of the level: System V ABI, AMD64 supplement, section 3.1.1, micro-architecture levels.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import sys
from functools import cache
from pathlib import Path
from typing import Any, TypedDict
from zipfile import BadZipFile, ZipFile

import numba
from llvmlite import __version__ as llvmlite_version
from llvmlite import binding

PROCESSOR = "x86-64-v3"
FEATURES = (
    *("sse3", "ssse3", "sse4.1", "sse4.2", "popcnt", "cx16", "sahf"),
    *("avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe", "xsave"),
)
"""What every processor of the level has, in LLVM's words."""

PYTHONS = ((3, 11), (3, 12), (3, 13))
"""Versions of CPython that take the same kernels: machine code meets Python in functions of its C interface alone."""

COMPILE = "DOROSIM_COMPILE"
"""Environment variable that has all kernels compiled on this machine."""

PACK = Path(__file__).with_name("kernels.zip")
INDEX = "index.json"


class Index(TypedDict):
    """What a pack says of itself."""

    made_for: list[str]
    """System, Python, numba, llvmlite; see `here`."""
    files: dict[str, str]
    """Digests of the sources, by their path below the folder of `dorosim`."""
    modules: dict[str, list[str]]
    """Paths of the sources that a module of kernels is made of, itself included, by its name."""
    groups: dict[str, list[str]]
    """Modules whose kernels belong to a group of `dorosim.app.run.kernel_list`."""
    kernels: list[str]
    """Keys of the kernels; each is the name of a member."""


def here() -> list[str]:
    """For what kernels are made here: system, Python, numba, llvmlite."""
    version = sys.version_info[:2]
    known = sys.implementation.name == "cpython" and version in PYTHONS
    return [
        f"{sys.platform} {platform.machine()}",
        "cpython" if known else f"{sys.implementation.name} {version[0]}.{version[1]}",
        numba.__version__,
        llvmlite_version,
    ]


def key_of(module: str, name: str, signature: object) -> str:
    """The key of a kernel: a digest of its module, name and the types of its arguments."""
    text = f"{module}:{name}{signature}"
    return hashlib.blake2b(text.encode(), digest_size=12).hexdigest()


def digest_of(path: Path) -> str:
    """A digest of a file."""
    return hashlib.blake2b(path.read_bytes(), digest_size=8).hexdigest()


class Pack:
    """The kernels of a file that fit this machine and these sources.

    Args:
        path: of the file. One that is missing or broken holds no kernel.
        sources: folder of `dorosim`.
    """

    def __init__(self, path: Path, sources: Path) -> None:
        self._sources, self._zip = sources, None
        self._index: Index | None = None
        self._fits: dict[str, bool] = {}
        self._same: dict[str, bool] = {}
        try:
            self._zip = ZipFile(path)
            index: Index = json.loads(self._zip.read(INDEX))
            self._kernels = frozenset(index["kernels"])
            if index["made_for"] == here() and _has_features():
                self._index = index
        except (OSError, BadZipFile, KeyError, TypeError, ValueError):
            self._index = None

    def find(self, module: str, name: str, signature: object) -> bytes | None:
        """What numba would have kept of a kernel; None if the pack has none for these sources."""
        if not self.holds(module, name, signature):
            return None
        assert self._zip is not None
        try:
            return self._zip.read(key_of(module, name, signature))
        except (OSError, BadZipFile, KeyError, EOFError):
            return None

    def holds(self, module: str, name: str, signature: object) -> bool:
        """Whether the pack has a kernel for these sources."""
        return self._is_fresh(module) and key_of(module, name, signature) in self._kernels

    def holds_group(self, group: str) -> bool:
        """Whether the pack has all kernels of a group for these sources."""
        return self._index is not None and all(map(self._is_fresh, self._index["groups"][group]))

    def _is_fresh(self, module: str) -> bool:
        if self._index is None or module not in self._index["modules"]:
            return False
        if module not in self._fits:
            self._fits[module] = all(map(self._is_same, self._index["modules"][module]))
        return self._fits[module]

    def _is_same(self, path: str) -> bool:
        if path not in self._same:
            assert self._index is not None
            try:
                self._same[path] = digest_of(self._sources / path) == self._index["files"][path]
            except (OSError, KeyError):
                self._same[path] = False
        return self._same[path]


def _has_features() -> bool:
    features: dict[str, bool] = binding.get_host_cpu_features()
    return all(features.get(name, False) for name in FEATURES)


@cache
def pack() -> Pack | None:
    """The kernels that come with dorosim; None where all are to be compiled here."""
    if os.environ.get(COMPILE, "") not in ("", "0"):
        return None
    return Pack(PACK, Path(__file__).absolute().parents[1])


def holds_group(group: str) -> bool:
    """Whether all kernels of a group have come with dorosim."""
    found = pack()
    return found is not None and found.holds_group(group)


def find(function: Any, signature: object) -> bytes | None:
    """What numba would have kept of a kernel that has come with dorosim; None if it has to be compiled."""
    found = pack()
    return None if found is None else found.find(function.__module__, function.__qualname__, signature)


def holds(function: Any, signature: object) -> bool:
    """Whether a kernel has come with dorosim."""
    found = pack()
    return found is not None and found.holds(function.__module__, function.__qualname__, signature)
