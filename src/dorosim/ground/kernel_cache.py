"""Where numba keeps compiled kernels, shared by processes that compile at the same time.

A process that needs a kernel which another one compiles waits for it and loads it, so that none is compiled twice. A
process that ends in between leaves its locks to others: the system lets them go. Kernels call others, but no kernel
calls itself in a circle, so no two processes wait for each other.

A kernel that cannot be kept, since the folder cannot be written or the disk is full, is used all the same.

A kernel that has come with dorosim (`dorosim.ground.kernel_pack`) is loaded from there.
"""

from __future__ import annotations

import hashlib
import pickle
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

import numba
from numba.core.caching import CompileResultCacheImpl, FunctionCache, UserProvidedCacheLocator
from numba.core.runtime import rtsys

from dorosim.ground import kernel_pack
from dorosim.ground.loaded_kernel import rebuilt
from dorosim.ground.private_folder import make_private

try:
    from fcntl import LOCK_EX, LOCK_NB, flock
except ImportError:  # a system without such locks, where each process compiles what it needs
    flock = None  # type: ignore[assignment]

problems: list[str] = []
"""Why kernels could not be kept, each once."""


class SharedCache(FunctionCache):  # type: ignore[misc]
    """numba's cache of one kernel, which processes fill together."""

    class _Impl(CompileResultCacheImpl):  # type: ignore[misc]
        class _Locator(UserProvidedCacheLocator):  # type: ignore[misc]
            @classmethod
            def from_function(cls, py_func: Callable[..., object], py_file: str) -> Any:
                # numba would write a file to see whether it can, for each kernel at each start
                return cls(py_func, py_file)

        _locator_classes = (_Locator,)

        def rebuild(self, target_context: Any, payload: tuple[Any, ...]) -> Any:
            """A kernel from what is kept of it."""
            return rebuilt(target_context, payload)

    _impl_class = _Impl

    def __init__(self, function: Callable[..., object], folder: str) -> None:
        numba.config.CACHE_DIR = folder  # read by the locator
        super().__init__(function)
        self._function = function
        self._locks: dict[object, IO[bytes]] = {}

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """A kernel that is there; None if this process is to compile it, and then others wait for it."""
        found = self._load(sig, target_context)
        if found is not None or flock is None or sig in self._locks:  # which it holds since it could not compile it
            return found
        with suppress(OSError):
            lock = self._open_lock(sig, target_context.codegen())
            flock(lock, LOCK_EX)
            found = self._load(sig, target_context)
            if found is None:
                self._locks[sig] = lock
            else:
                lock.close()
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep a kernel, and let those who wait for it go on."""
        try:
            self._impl.locator.ensure_cache_path()
            with _held(self._lock_path("lock")):  # its index lists the kernels of all signatures
                super().save_overload(sig, data)
        except OSError as error:
            note_problem(error)
        finally:
            if lock := self._locks.pop(sig, None):
                lock.close()

    def is_kept(self, sig: Any, codegen: Any) -> bool:
        """Whether a kernel has come with dorosim, or has been compiled and kept."""
        if kernel_pack.holds(self._function, sig):
            return True
        with suppress(OSError):
            return self._index_key(sig, codegen) in self._cache_file._load_index()
        return False

    def is_taken(self, sig: Any, codegen: Any) -> bool:
        """Whether a kernel is there, or another process compiles it."""
        if self.is_kept(sig, codegen):
            return True
        with suppress(OSError):
            if flock is not None:
                with self._open_lock(sig, codegen) as lock:
                    try:
                        flock(lock, LOCK_EX | LOCK_NB)
                    except BlockingIOError:
                        return True
        return False

    def _load(self, sig: Any, target_context: Any) -> Any:
        try:
            # not through `super().load_overload`: it makes numba ready to compile, a tenth of a start that only loads;
            # but kernels that make arrays call its runtime, whose functions are at no address before this
            rtsys.initialize(target_context)
            if (packed := kernel_pack.find(self._function, sig)) is not None:
                return self._impl.rebuild(target_context, pickle.loads(packed))
            return self._load_overload(sig, target_context)
        except (OSError, EOFError):  # no folder can be read there, or a full disk has cut a file short
            return None

    def _lock_path(self, ending: str) -> Path:
        return Path(self._cache_path) / f"{self._impl.filename_base}.{ending}"

    def _open_lock(self, sig: Any, codegen: Any) -> IO[bytes]:
        digest = hashlib.blake2b(str(self._index_key(sig, codegen)).encode(), digest_size=8).hexdigest()
        path = self._lock_path(f"{digest}.lock")
        make_private(path.parent)
        return path.open("ab")


def note_problem(error: OSError) -> None:
    """Note why something could not be kept in the folder of kernels."""
    text = f"{error.filename}: {error.strerror}" if error.filename else str(error.strerror or error)
    if text not in problems:
        problems.append(text)


def compile_ahead(dispatcher: Any, signature: tuple[Any, ...]) -> bool:
    """Compile a kernel for a signature unless it is there, or another process compiles it.

    Returns:
        Whether it was compiled.
    """
    cache, context = dispatcher._cache, dispatcher.targetctx
    context.refresh()
    if isinstance(cache, SharedCache) and cache.is_taken(signature, context.codegen()):
        return False
    dispatcher.compile(signature)
    return True


@contextmanager
def _held(path: Path) -> Iterator[None]:
    with path.open("ab") as lock:
        if flock is not None:
            flock(lock, LOCK_EX)
        yield  # closing the file lets the lock go
