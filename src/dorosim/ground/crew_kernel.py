"""A crew: threads in compiled code that take parts of one thread's work.

Work is a row of *phases*, each of so many *parts* that may be done at once. The *caller* begins a job, opens each phase
when what comes before it is done, takes parts itself, and goes on when all parts are done. Others take parts, too,
where they come in time: the caller waits for parts that others have begun and for nothing else. What a part writes
depends on its number alone, so results do not depend on how many threads there are or on who did what.

The caller takes the first part that is left, others take the last one. So where phases go over the same tables, a core
mostly finds in its caches what it had in the phase before.

A crew is a block of numbers at an address that stays as long as the program; 0 stands for none. One caller has it at a
time; others do their work alone. Threads that leave a job late touch nothing but the block.
"""

from __future__ import annotations

from enum import IntEnum

from dorosim.ground.atomic_kernel import add, exchange, give_way, load, sleep_while, store, wake
from dorosim.ground.jit import inner_kernel

MAX_PHASES = 4
"""The most phases of a job."""

_LINE = 8
"""Numbers that a processor fetches at once: what one thread writes is not beside what another one reads."""

_GENERATIONS = (1 << 31) - 1
_BACK = 1 << 32
_LOOKS = 10_000
"""How often a thread looks at a number before it gives its core away: for longer than what is done between phases."""

_MAX_PAUSES = 50
"""How often a thread that waits for the next phase gives its core away before it leaves the job."""


class CrewWord(IntEnum):
    """Where the numbers of a crew are in its block."""

    LOCK = 0
    """1 while a caller has the crew."""
    GENERATION = _LINE
    """Counts jobs; threads sleep at it."""
    SLEEPERS = 2 * _LINE
    """How many threads sleep, or are about to."""
    WORKERS = 3 * _LINE
    """How many threads the crew has besides the caller."""
    STOP = 4 * _LINE
    """1 if they are to end."""
    OPEN = 5 * _LINE
    """1 while there is a job."""
    INSIDE = 6 * _LINE
    """How many threads may look at the job."""
    PHASE = 7 * _LINE
    """1 + number of the last phase that is open."""
    NEXT = 8 * _LINE
    """Of each phase, how many parts were taken from the front, and from the back 2^32 times as many."""
    DONE = (8 + MAX_PHASES) * _LINE
    """Of each phase, how many parts are done."""
    READY = (8 + 2 * MAX_PHASES) * _LINE
    """From which part on the parts of a phase may be done that the caller has opened by `open_phase`."""
    FIRST_FREE = READY + _LINE
    """Where numbers of the work itself begin."""


_LOCK, _GENERATION, _SLEEPERS = int(CrewWord.LOCK), int(CrewWord.GENERATION), int(CrewWord.SLEEPERS)
_WORKERS, _STOP, _OPEN = int(CrewWord.WORKERS), int(CrewWord.STOP), int(CrewWord.OPEN)
_INSIDE, _PHASE = int(CrewWord.INSIDE), int(CrewWord.PHASE)
_NEXT, _DONE, _READY = int(CrewWord.NEXT), int(CrewWord.DONE), int(CrewWord.READY)


@inner_kernel
def call_crew(crew: int) -> bool:
    """Take a crew for a job that is yet to be written into its block; whether it was free and has threads."""
    if crew == 0 or load(crew + 8 * _WORKERS) == 0 or exchange(crew + 8 * _LOCK, 1) != 0:
        return False
    if load(crew + 8 * _INSIDE) != 0:
        # a thread that has not noticed yet that the last job is over
        store(crew + 8 * _LOCK, 0)
        return False
    store(crew + 8 * _PHASE, 0)
    for phase in range(MAX_PHASES):
        store(crew + 8 * (_NEXT + phase * _LINE), 0)
        store(crew + 8 * (_DONE + phase * _LINE), 0)
    return True


@inner_kernel
def begin_job(crew: int) -> None:
    """Let the threads of a crew that was called come to the job in its block."""
    store(crew + 8 * _OPEN, 1)
    store(crew + 8 * _GENERATION, (load(crew + 8 * _GENERATION) + 1) & _GENERATIONS)
    if load(crew + 8 * _SLEEPERS) > 0:
        wake(crew + 8 * _GENERATION, _GENERATIONS)


@inner_kernel
def end_job(crew: int) -> None:
    """Let a crew go; nothing where it is 0."""
    if crew != 0:
        store(crew + 8 * _OPEN, 0)
        store(crew + 8 * _LOCK, 0)


@inner_kernel
def open_phase(crew: int, phase: int, parts: int) -> None:
    """Let others come to a phase whose parts the caller is yet to prepare, from the last one to the first."""
    if crew != 0:
        store(crew + 8 * _READY, parts)
        store(crew + 8 * _PHASE, phase + 1)


@inner_kernel
def say_ready(crew: int, part: int) -> None:
    """Say that a part and those after it are prepared."""
    if crew != 0:
        store(crew + 8 * _READY, part)


@inner_kernel
def await_ready(crew: int, part: int) -> None:
    """Wait until the caller has prepared a part."""
    looks = 0
    while crew != 0 and load(crew + 8 * _READY) > part:
        looks += 1
        if looks % _LOOKS == 0:
            give_way()


@inner_kernel
def first_part(crew: int, phase: int, parts: int, is_caller: bool) -> int:
    """The first part of a phase that a thread is to do, `parts` for none; the caller opens the phase."""
    if crew == 0:
        return 0
    if is_caller:
        store(crew + 8 * _PHASE, phase + 1)
    else:
        looks = 0
        while load(crew + 8 * _PHASE) <= phase:
            if load(crew + 8 * _OPEN) == 0 or looks > _LOOKS * _MAX_PAUSES:
                return parts
            looks += 1
            if looks % _LOOKS == 0:
                give_way()
    return take_part(crew, phase, parts, is_caller)


@inner_kernel
def take_part(crew: int, phase: int, parts: int, is_caller: bool) -> int:
    """A part that no thread has taken, `parts` for none: the first one for the caller, the last one for others."""
    taken = add(crew + 8 * (_NEXT + phase * _LINE), 1 if is_caller else _BACK)
    front, back = taken & (_BACK - 1), taken >> 32
    if front + back >= parts:
        return parts
    return front if is_caller else parts - 1 - back


@inner_kernel
def next_part(crew: int, phase: int, part: int, parts: int, is_caller: bool) -> int:
    """The part that a thread is to do after one that it has done, `parts` for none."""
    if crew == 0:
        return part + 1
    add(crew + 8 * (_DONE + phase * _LINE), 1)
    return int(take_part(crew, phase, parts, is_caller))


@inner_kernel
def await_parts(crew: int, phase: int, parts: int) -> None:
    """Wait until all parts of a phase are done."""
    if crew == 0:
        return
    looks = 0
    while load(crew + 8 * (_DONE + phase * _LINE)) < parts:
        looks += 1
        if looks % _LOOKS == 0:
            give_way()


@inner_kernel
def await_job(crew: int, seen: int) -> int:
    """Wait, as a thread of a crew, for a job after the generation that was seen; the new one, -1 to end.

    A thread that has come to a job says so by `leave_job` once it is done.
    """
    looks = 0
    while load(crew + 8 * _STOP) == 0:
        now = load(crew + 8 * _GENERATION)
        if now != seen:
            seen = now
            add(crew + 8 * _INSIDE, 1)
            if load(crew + 8 * _OPEN) == 1:
                return seen
            add(crew + 8 * _INSIDE, -1)
        looks += 1
        if looks > _LOOKS:
            add(crew + 8 * _SLEEPERS, 1)
            sleep_while(crew + 8 * _GENERATION, seen)
            add(crew + 8 * _SLEEPERS, -1)
    return -1


@inner_kernel
def leave_job(crew: int) -> None:
    """Say that a thread looks at the job no more."""
    add(crew + 8 * _INSIDE, -1)


@inner_kernel
def stop_crew(crew: int) -> None:
    """Let the threads of a crew end, once the job is done that they are at."""
    store(crew + 8 * _WORKERS, 0)
    store(crew + 8 * _STOP, 1)
    store(crew + 8 * _GENERATION, (load(crew + 8 * _GENERATION) + 1) & _GENERATIONS)
    wake(crew + 8 * _GENERATION, _GENERATIONS)
