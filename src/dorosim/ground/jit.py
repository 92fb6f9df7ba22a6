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

What lies in the cache is run. So a cache that another user could have written is left alone, and kernels are compiled
into a folder that goes with the program.
"""

from __future__ import annotations

import atexit
import errno
import hashlib
import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from functools import cache, cached_property
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from llvmlite import binding
from numba import njit, typeof

from dorosim.ground.inlined_kernel_compiler import InlinedCompiler
from dorosim.ground.kernel_cache import SharedCache, note_problem, problems
from dorosim.ground.kernel_pack import holds_group
from dorosim.ground.private_folder import make_private, who_else_writes

KERNEL_FLOORS = ("ground", "road", "world")
"""Floors of whose modules the kernels of the world are made."""

SENSOR_FLOORS = (*KERNEL_FLOORS, "sensor")
"""Floors of whose modules the kernels of sensors are made."""

_GROUPS = {KERNEL_FLOORS: ("start", "world"), SENSOR_FLOORS: ("sensor",)}
"""Groups of kernels, as those that come with dorosim have them, by floors."""

INSTEAD = "DOROSIM_KERNELS"
"""Environment variable that gives the programs that this program starts the folder that it uses instead."""

F = TypeVar("F", bound=Callable[..., object])


@cache
def cache_folder(floors: tuple[str, ...] = KERNEL_FLOORS) -> Path:
    """The folder of compiled kernels for the sources of some floors as they are; only this user can write there.

    It lies where the XDG base directory specification wants caches, or, if that place is not this user's alone, in one
    that goes with the program.
    """
    digest = hashlib.blake2b(str(_sources()).encode(), digest_size=8)
    for floor in floors:
        digest.update(_digest_of(floor))
    usual = _usual()
    if usual is not None and not _why_not(usual / digest.hexdigest()):
        return usual / digest.hexdigest()
    folder = _instead() / digest.hexdigest()
    with suppress(OSError):
        make_private(folder)
    return folder


def _usual() -> Path | None:
    """The folder of all compiled kernels; None where this user has no home."""
    try:
        base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    except RuntimeError:
        return None
    return Path(base) / "dorosim" / "kernels"


def distrust() -> str:
    """The reason why kernels of other starts are not used, or why none are kept, with the remedy; "" if there is none.

    It ends with what to do. Where all kernels have come with dorosim, there is no need to keep any.
    """
    if all(map(holds_group, ("start", "world", "sensor"))):
        return ""
    cache_folder(), cache_folder(SENSOR_FLOORS)
    if _usual() is None:
        return f"this user has no home folder, {_ANEW}; {_ELSEWHERE}"
    if why := next((why for why in _WHY_NOT.values() if why), ""):
        return why
    return f"{problems[0]}: compiled kernels cannot be kept there, {_ANEW}; {_FREE}" if problems else ""


_ANEW = "so they are compiled anew at each start, which takes up to a minute"
_ELSEWHERE = "let XDG_CACHE_HOME name a folder that you can write"
_FREE = f"free some space, or {_ELSEWHERE}"
_PROBE = bytes(1 << 20)
"""As much as a disk must have room for before kernels are kept on it."""
_WHY_NOT: dict[Path, str] = {}


def _why_not(folder: Path) -> str:
    """Why a folder of kernels cannot be used; "" if it can.

    Another user could have put something into it, which would be run; or it cannot be written.
    """
    if folder not in _WHY_NOT:
        _WHY_NOT[folder] = _find_why_not(folder)
    return _WHY_NOT[folder]


def _find_why_not(folder: Path) -> str:
    try:
        if who := who_else_writes(folder):
            notice = f"compiled kernels in {folder.parent} are not used, since another user could have put them there"
            cure = "to have them kept again, remove that folder, and see that those above it are yours alone"
            return f"{notice}: {who}; {cure}"
        make_private(folder)
        if not any(folder.glob("complete_*")):
            with tempfile.TemporaryFile(dir=folder) as probe:
                probe.write(_PROBE)
    except OSError as error:
        cure = _FREE if error.errno in _FULL else _ELSEWHERE
        return f"{folder}: compiled kernels cannot be kept there: {error.strerror}, {_ANEW}; {cure}"
    return ""


_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def can_share() -> bool:
    """Whether kernels that one process compiles can be loaded by others."""
    return not problems and not _find_why_not(cache_folder())


@cache
def _instead() -> Path:
    """A folder that goes with the program that made it; programs that it starts use it, too."""
    given = os.environ.get(INSTEAD)
    if given and Path(given).is_dir() and not who_else_writes(Path(given)):
        return Path(given)
    try:
        made = tempfile.mkdtemp(prefix="dorosim-kernels-")
    except OSError:  # no place at all: kernels are kept nowhere
        return Path(os.devnull)
    os.environ[INSTEAD] = made
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    return Path(made)


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
    made = njit(function, nogil=True, fastmath=False, error_model="numpy", no_cfunc_wrapper=True)
    made._cache = SharedCache(function, str(cache_folder(SENSOR_FLOORS if of_sensor else KERNEL_FLOORS)))
    return cast(F, made)


def inner_kernel(function: F) -> F:
    """Compile a small function that only kernels call: it is inlined into its callers and cached with them.

    Python cannot call it: wrappers that could are a quarter of the time to compile a kernel of many parts.
    """
    return cast(F, _InnerKernel(function, forceinline=True))


def outlined_kernel(function: F) -> F:
    """Compile a function that only kernels call and seldom: it is called and not inlined, cached with its callers.

    A large function that is inlined wherever it is called lengthens both the compilation of its callers and their code.
    """
    return cast(F, _InnerKernel(function, forceinline=False))


class _InnerKernel:
    """A function that numba sees first when a kernel that calls it is compiled: most starts compile none."""

    def __init__(self, function: Callable[..., object], *, forceinline: bool) -> None:
        self.__wrapped__, self.__name__, self.__doc__ = function, function.__name__, function.__doc__
        self._forceinline = forceinline

    @cached_property
    def _dispatcher(self) -> Any:
        return njit(
            self.__wrapped__,
            nogil=True,
            fastmath=False,
            error_model="numpy",
            forceinline=self._forceinline,
            no_cpython_wrapper=True,
            no_cfunc_wrapper=True,
            pipeline_class=InlinedCompiler,
        )

    @property
    def _numba_type_(self) -> Any:
        """What numba takes it for where a kernel names it."""
        return typeof(self._dispatcher)


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
    return not (holds_group("start") or _mark(KERNEL_FLOORS, "started").exists() or is_complete())


def mark_started() -> None:
    """Mark the kernels that every run needs from its start as compiled."""
    _write(_mark(KERNEL_FLOORS, "started"))


def is_complete(floors: tuple[str, ...] = KERNEL_FLOORS) -> bool:
    """Whether all kernels of some floors, as their sources are, have come compiled or been compiled on this machine."""
    return (floors in _GROUPS and all(map(holds_group, _GROUPS[floors]))) or _mark(floors).exists()


def mark_complete(floors: tuple[str, ...] = KERNEL_FLOORS) -> None:
    """Mark all kernels of some floors as compiled."""
    _write(_mark(floors))


def _write(mark: Path) -> None:
    try:
        make_private(mark.parent)
        mark.touch()
    except OSError as error:
        note_problem(error)
