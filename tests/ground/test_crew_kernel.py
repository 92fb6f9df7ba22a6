"""The caller of a crew takes parts of its work from the front, the others from the back, until they meet."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from dorosim.ground.crew_kernel import CrewWord, await_ready, open_phase, say_ready, take_part
from dorosim.ground.jit import kernel

PARTS, PHASE = 7, 1


@kernel
def take(crew, phase, parts, is_caller):
    return take_part(crew, phase, parts, is_caller)


@kernel
def prepare(crew, phase, parts):
    open_phase(crew, phase, parts)


@kernel
def say(crew, part):
    say_ready(crew, part)


@kernel
def wait(crew, part):
    await_ready(crew, part)


@pytest.fixture
def crew():
    block = np.zeros(int(CrewWord.FIRST_FREE), np.int64)
    yield block.ctypes.data
    assert block.any()


def test_the_caller_takes_the_first_part_and_others_the_last_one(crew):
    assert [take(crew, PHASE, PARTS, True) for _ in range(2)] == [0, 1]
    assert [take(crew, PHASE, PARTS, False) for _ in range(3)] == [6, 5, 4]
    assert take(crew, PHASE, PARTS, True) == 2


@pytest.mark.parametrize("callers", range(PARTS + 1))
def test_each_part_is_taken_once(crew, callers):
    taken = [take(crew, PHASE, PARTS, number < callers) for number in range(PARTS)]
    assert sorted(taken) == list(range(PARTS))
    assert take(crew, PHASE, PARTS, True) == take(crew, PHASE, PARTS, False) == PARTS  # none is left


def test_phases_are_counted_apart(crew):
    assert take(crew, PHASE, PARTS, True) == take(crew, PHASE + 1, PARTS, True) == 0


def test_who_comes_to_a_phase_that_is_being_prepared_waits_for_its_part(crew):
    prepare(crew, PHASE, PARTS)
    with ThreadPoolExecutor() as pool:
        waiting = pool.submit(wait, crew, PARTS - 2)
        say(crew, PARTS - 1)
        assert not waiting.done()
        say(crew, PARTS - 2)
        waiting.result(timeout=60.0)
