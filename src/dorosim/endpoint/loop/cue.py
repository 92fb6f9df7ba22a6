"""What a script sets for a tick of the loop, and how a run is to begin again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from dorosim.world.command import Command
from dorosim.world.inbox import CommandBatch, OutcomeCallback
from dorosim.world.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Cue:
    """What a script sets for the next tick.

    Attributes:
        commands: in order. held: whether it has no duration.
        start: the snapshot from which it goes on, None for the present one.
        final: whether they come after all others of the tick, whatever their rank: an actor that the script moves stays
            where the script has put it.
        on_outcomes: is called with the outcomes of the commands; None for no call.
        epoch: wall time of simulated time 0 [ns since 1970] in stamps from this tick on; None: as it is.
    """

    commands: Sequence[Command]
    held: bool = False
    start: Snapshot | None = None
    final: bool = False
    on_outcomes: OutcomeCallback | None = None
    epoch: int | None = None


@dataclass(frozen=True, slots=True)
class Reset:
    """How the run is to begin again.

    Attributes:
        stepped: whether in synchronous mode; None: as it is.
        batch: of the first tick, besides the opening.
    """

    stepped: bool | None
    batch: CommandBatch | None


Script = Callable[[Snapshot], Cue | None]
"""The loop calls it before every tick with the last snapshot. Returns what the tick holds; None for nothing. For
replays."""
