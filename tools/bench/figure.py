"""A figure, and how long a piece of code takes."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured figure.

    Attributes:
        name: what was measured. value: the figure, None if it cannot be had here. unit: of it, "x" for a ratio.
        target: what it should reach; None for a figure that is only reported.
        at_most: the target is an upper bound.
        detail: the measured parts, or why there is no value.
    """

    name: str
    value: float | None
    unit: str
    target: float | None = None
    at_most: bool = False
    detail: str = ""

    @property
    def reached(self) -> bool:
        """Whether the target is reached."""
        if self.target is None or self.value is None:
            return True
        return self.value <= self.target if self.at_most else self.value >= self.target


@dataclass(frozen=True, slots=True)
class FigureTable:
    """Several figures side by side.

    Attributes:
        title: what was measured. head: names of the columns, with their units. rows: as texts.
    """

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def seconds_of(work: Callable[[], object], at_least: float = 0.2, rounds: int = 5) -> float:
    """Seconds that one call takes: the best of several rounds, each of many calls."""
    count = 1
    while True:
        started = time.perf_counter()
        for _ in range(count):
            work()
        spent = time.perf_counter() - started
        if spent >= at_least / rounds:
            break
        count = max(count * 2, int(count * at_least / rounds / max(spent, 1e-9)))

    def many() -> None:
        for _ in range(count):
            work()

    return best_seconds(many, rounds) / count


def best_seconds(work: Callable[[], object], rounds: int, clock: Callable[[], float] = time.perf_counter) -> float:
    """The least time that a call takes in some rounds [s]."""
    times = []
    for _ in range(rounds):
        started = clock()
        work()
        times.append(clock() - started)
    return min(times)


def least_seconds(ours: Callable[[], object], floor: Callable[[], object], seconds: float = 2.0) -> tuple[float, float]:
    """The least processor time that each of two needs for a call [s]; they take turns, so both see the same machine.

    What others on the machine do can only add to a time, so the least is the best measure of short work on one thread.
    """
    mine = other = float("inf")
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        started = time.thread_time()
        ours()
        between = time.thread_time()
        floor()
        ended = time.thread_time()
        mine, other = min(mine, between - started), min(other, ended - between)
    return mine, other


def paired_ratio(
    ours: Callable[[], object], floor: Callable[[], object], rounds: int = 7
) -> tuple[float, float, float]:
    """How fast ours is beside a floor: the median of the ratios of neighbouring rounds, and the median times [s].

    Returns:
        floor time / our time, our time, floor time.
    """
    mine, other = [], []
    for _ in range(rounds):
        mine.append(seconds_of(ours, 0.1, 2))
        other.append(seconds_of(floor, 0.1, 2))
    ratios = sorted(b / a for a, b in zip(mine, other, strict=True))
    middle = rounds // 2
    return ratios[middle], sorted(mine)[middle], sorted(other)[middle]
