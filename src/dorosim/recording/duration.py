"""How much simulated time the ticks of a recording took: none while the run was paused or waited for a step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Protocol

from dorosim.world.actor.command import PauseRun


class _RecordedTick(Protocol):
    """What counts of a tick of a recording."""

    @property
    def tick(self) -> int: ...

    @property
    def held(self) -> bool: ...

    @property
    def commands(self) -> tuple[Any, ...]: ...


def elapsed_ticks(ticks: Iterable[_RecordedTick], *, paused: bool = False) -> Iterator[int]:
    """How many ticks of simulated time have passed after each tick of a recording, counted on over resets.

    Args:
        ticks: in order; commands are decoded, or as they stand in the file (`RawTick`).
        paused: whether the run was paused at the beginning of the recording, and is so after each reset.
    """
    count, first, standing = 0, -1, paused
    for one in ticks:
        if first < 0:
            first = one.tick
        elif one.tick == first:
            standing = paused
        for command in one.commands:
            told = _pause_of(command)
            standing = standing if told is None else told
        count += not (one.held or standing)
        yield count


def _pause_of(command: Any) -> bool | None:
    """Whether a command pauses the run or lets it go on; None if it does neither."""
    if isinstance(command, PauseRun):
        return command.paused
    if isinstance(command, dict) and command.get("type") == PauseRun.__struct_config__.tag:
        return bool(command.get("paused"))
    return None
