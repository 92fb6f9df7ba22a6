"""Processes that compile the same kernels at the same time share the work; what cannot be kept is used all the same."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numba import njit, types
from numba.core.errors import TypingError
from numba.core.registry import cpu_target

from dorosim.ground import kernel_cache
from dorosim.ground.jit import inner_kernel, kernel
from dorosim.ground.kernel_cache import SharedCache, compile_ahead
from dorosim.ground.kernel_signature import read_type, write_type
from dorosim.road.surface import SurfaceArrays

SIGNATURE = (types.float64,)
MODULE = """
from time import sleep
from numba import njit
from dorosim.ground.kernel_cache import SharedCache

def twice(x):
    return 2.0 * x

def made(folder):
    kernel = njit(twice)
    kernel._cache = SharedCache(twice, folder)
    return kernel
"""
PROGRAM = """
import sys
from twice_module import made
kernel = made(sys.argv[1])
assert kernel(21.0) == 42.0
print(sum(kernel.stats.cache_misses.values()))
"""


def program(folder: Path, *command: str) -> subprocess.Popen[str]:
    (folder / "twice_module.py").write_text(MODULE)
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(folder), *sys.path])}
    return subprocess.Popen(
        [sys.executable, "-c", *command], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def test_of_processes_that_need_a_kernel_at_once_one_compiles_it(tmp_path):
    running = [program(tmp_path, PROGRAM, str(tmp_path / "cache")) for _ in range(3)]
    told = [one.communicate(timeout=120) for one in running]
    assert [one.returncode for one in running] == [0, 0, 0], told
    assert sorted(out.strip() for out, _ in told) == ["0", "0", "1"]


ARRAY_MODULE = """
import numpy as np
from numba import njit
from dorosim.ground.kernel_cache import SharedCache

def ones(count):
    return np.ones(count)

def made(folder):
    kernel = njit(ones)
    kernel._cache = SharedCache(ones, folder)
    return kernel
"""
ARRAY_PROGRAM = """
import sys
from ones_module import made
kernel = made(sys.argv[1])
assert kernel(3).tolist() == [1.0, 1.0, 1.0]
print(sum(kernel.stats.cache_misses.values()))
"""


def test_a_kernel_that_makes_an_array_runs_in_a_process_that_has_compiled_nothing(tmp_path):
    (tmp_path / "ones_module.py").write_text(ARRAY_MODULE)
    for misses in ("1", "0"):
        out, err = (running := program(tmp_path, ARRAY_PROGRAM, str(tmp_path / "cache"))).communicate(timeout=120)
        assert running.returncode == 0, err
        assert out.strip() == misses


def test_a_kernel_that_another_process_compiles_is_left_to_it_until_that_has_ended(tmp_path):
    pytest.importorskip("fcntl")

    def twice(x):
        return 2.0 * x

    def cache() -> SharedCache:
        return SharedCache(twice, str(tmp_path))

    one, other = cache(), cache()
    context = cpu_target.target_context
    context.refresh()
    assert not other.is_taken(SIGNATURE, context.codegen())
    assert one.load_overload(SIGNATURE, context) is None
    assert other.is_taken(SIGNATURE, context.codegen())
    one._locks.pop(SIGNATURE).close()  # as when its process ends
    assert not other.is_taken(SIGNATURE, context.codegen())

    compiled, seen = njit(twice), njit(twice)
    compiled._cache, seen._cache = one, other
    assert compile_ahead(compiled, SIGNATURE)
    assert not compile_ahead(seen, SIGNATURE)
    assert seen(4.0) == 8.0
    assert sum(seen.stats.cache_hits.values()) == 1


def test_a_kernel_that_cannot_be_compiled_says_so_each_time_it_is_called(tmp_path):
    def wrong(x):
        return x + "no number"

    made = njit(wrong)
    made._cache = SharedCache(wrong, str(tmp_path))
    for _ in range(2):
        with pytest.raises(TypingError):
            made(4.0)
    made._cache._locks.popitem()[1].close()


@pytest.mark.parametrize("place", ["file", "file/below"])
def test_a_kernel_that_cannot_be_kept_is_used_and_the_reason_is_noted(tmp_path, monkeypatch, place):
    monkeypatch.setattr(kernel_cache, "problems", [])
    (tmp_path / "file").write_text("")

    def twice(x):
        return 2.0 * x

    made = njit(twice)
    made._cache = SharedCache(twice, str(tmp_path / place))
    assert made(4.0) == 8.0
    (noted,) = kernel_cache.problems
    assert str(tmp_path / "file") in noted


def test_a_file_that_was_cut_short_is_compiled_anew(tmp_path):
    def twice(x):
        return 2.0 * x

    def used() -> int:
        made = njit(twice)
        made._cache = SharedCache(twice, str(tmp_path))
        assert made(4.0) == 8.0
        return sum(made.stats.cache_misses.values())

    assert (used(), used()) == (1, 0)
    for path in tmp_path.rglob("*.nbc"):
        path.write_bytes(b"")
    assert (used(), used()) == (1, 0)


def test_a_function_that_only_kernels_call_has_the_bits_of_numbas_own_compilation():
    def mixed(x, y):
        total = 0.0
        for part in (0.1, 0.2, 0.3, 1e-17):
            total += part * x / (y + part) - total * 1e-3
        return total

    inner = inner_kernel(mixed)
    plain = njit(mixed, error_model="numpy")

    @kernel
    def ours(x, y):
        return inner(x, y) + inner(y, x)

    @njit(error_model="numpy")
    def theirs(x, y):
        return plain(x, y) + plain(y, x)

    for x, y in np.random.default_rng(0).normal(size=(100, 2)) * 1e3:
        assert ours(x, y) == theirs(x, y)
    assert np.isnan(ours(0.0, -0.1))


def test_types_are_read_as_they_were_written():
    array = types.Array(types.float64, 2, "C", readonly=True)
    whole = types.Array(types.int64, 1, "C")
    fields = [array, *(whole for _ in SurfaceArrays._fields[1:])]
    kinds = (
        *(array, whole, types.boolean, types.int32, types.BaseTuple.from_types(fields, SurfaceArrays)),
        *(types.UniTuple(types.float64, 2), types.Tuple((types.float64, whole))),
    )
    assert tuple(read_type(write_type(kind)) for kind in kinds) == kinds
    with pytest.raises(TypeError, match="no kernel takes"):
        write_type(types.unicode_type)


CALLER_MODULE = """
from twice_module import made
from numba import njit

def told(folder):
    twice = made(folder)
    assert twice(21.0) == 42.0
    library = twice.overloads[twice.signatures[0]].library
    before = library._shared_module is None

    @njit
    def thrice(x):
        return twice(x) + x

    found = thrice(2.0)
    return before, library._shared_module is not None, found
"""
CALLER_PROGRAM = "import sys; from caller_module import told; print(*told(sys.argv[1]))"


def test_a_kernel_that_was_loaded_is_taken_in_by_one_that_is_compiled(tmp_path):
    """The code that another kernel takes in is read when it does so, not when the kernel is loaded."""
    (tmp_path / "caller_module.py").write_text(CALLER_MODULE)
    first = program(tmp_path, PROGRAM, str(tmp_path / "cache"))
    out, problem = first.communicate(timeout=120)
    assert (first.returncode, out.strip()) == (0, "1"), problem
    second = program(tmp_path, CALLER_PROGRAM, str(tmp_path / "cache"))
    out, problem = second.communicate(timeout=120)
    assert (second.returncode, out.strip()) == (0, "True True 6.0"), problem
