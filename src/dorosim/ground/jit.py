"""The one way in which dorosim compiles kernels.

Importing this module imports numba (0.2 s), so only `*kernel*.py` modules import it, and those are imported
where a world is built, not by the command line.

numba notices that a cached kernel is stale by the date of its own file alone, not by the files of the kernels
that it calls or of the tables whose column numbers it has taken in. So all kernels of one state of the sources share
a cache folder named after a digest of every module of the floors that have kernels: a change anywhere compiles anew,
and an installation in a read-only place works too. Kernels of sensors have a folder of their own, so that a change of
a sensor does not compile the world anew.

numba looks a kernel up by the place and content of its file (by its date before 0.68) and by the processor. So the
place is part of the digest, and the mark that all kernels are there holds for one place, numba and processor: a copy of
the sources elsewhere has to compile, a fresh checkout in the same place has not.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TypeVar, cast

import numba
from llvmlite import binding
from numba import njit

KERNEL_FLOORS = ("ground", "road", "world")
"""Floors of whose modules the kernels of the world are made."""

SENSOR_FLOORS = (*KERNEL_FLOORS, "sensor")
"""Floors of whose modules the kernels of sensors are made."""

F = TypeVar("F", bound=Callable[..., object])


@cache
def cache_folder(floors: tuple[str, ...] = KERNEL_FLOORS) -> Path:
    """The folder of compiled kernels for the sources of some floors as they are.

    It lies where the XDG base directory specification wants caches.
    """
    digest = hashlib.blake2b(str(_sources()).encode(), digest_size=8)
    for floor in floors:
        digest.update(_digest_of(floor))
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "dorosim" / "kernels" / digest.hexdigest()


def _sources() -> Path:
    """The folder of all floors."""
    return Path(__file__).absolute().parents[1]


@cache
def _digest_of(floor: str) -> bytes:
    """A digest of all modules of a floor."""
    digest = hashlib.blake2b(digest_size=8)
    for path in sorted((_sources() / floor).rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.digest()


def kernel(function: F) -> F:
    """Compile a function of scalars and arrays; cached on disk, without the GIL, IEEE arithmetic.

    `fastmath` stays off: what enters a Snapshot must not depend on how a compiler reorders sums.
    Division by zero gives infinity or NaN as in numpy and does not raise.
    """
    of_sensor = function.__module__.startswith("dorosim.sensor.")
    numba.config.CACHE_DIR = str(cache_folder(SENSOR_FLOORS if of_sensor else KERNEL_FLOORS))  # njit reads it here
    return cast(F, njit(function, cache=True, nogil=True, fastmath=False, error_model="numpy"))


def inner_kernel(function: F) -> F:
    """Compile a small function that only kernels call: it is inlined into its callers and cached with them.

    Python cannot call it: wrappers that could are a quarter of the time to compile a kernel of many parts.
    """
    wrapped = njit(
        function,
        nogil=True,
        fastmath=False,
        error_model="numpy",
        forceinline=True,
        no_cpython_wrapper=True,
        no_cfunc_wrapper=True,
    )
    return cast(F, wrapped)


def _mark(floors: tuple[str, ...], what: str = "complete") -> Path:
    """The file that says that kernels are there, as numba would find them."""
    digest = hashlib.blake2b(f"{sys.version} {numba.__version__} {_processor()}".encode(), digest_size=8)
    return cache_folder(floors) / f"{what}_{digest.hexdigest()}"


@cache
def _processor() -> str:
    """What machine code is made for; a folder of kernels may come from another machine."""
    return f"{binding.get_host_cpu_name()} {binding.get_host_cpu_features().flatten()}"


def is_cold() -> bool:
    """Whether kernels that every run needs from its start have not been compiled on this machine yet."""
    return not (_mark(KERNEL_FLOORS, "started").exists() or is_complete())


def mark_started() -> None:
    """Note down that the kernels have been compiled that every run needs from its start."""
    _write(_mark(KERNEL_FLOORS, "started"))


def is_complete(floors: tuple[str, ...] = KERNEL_FLOORS) -> bool:
    """Whether all kernels of some floors, as their sources are, have been compiled on this machine."""
    return _mark(floors).exists()


def mark_complete(floors: tuple[str, ...] = KERNEL_FLOORS) -> None:
    """Note down that all kernels of some floors have been compiled."""
    _write(_mark(floors))


def _write(mark: Path) -> None:
    mark.parent.mkdir(parents=True, exist_ok=True)
    mark.touch()
