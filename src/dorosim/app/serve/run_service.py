"""What an interface beside the runs of a program has, with the values of one that has nothing to say."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

from dorosim.ground.error import DorosimError

if TYPE_CHECKING:
    from dorosim.app.run.switch import CurrentRun
    from dorosim.endpoint.loop.loop import Observer
    from dorosim.wire.value_text import ValueText


class RunService(ABC):
    """An interface beside the runs of a program.

    Attributes:
        lines, notices: for the banner. problem: why the program ended for it, None for nothing.
    """

    lines: Collection[str] = ()
    notices: Collection[str] = ()
    problem: DorosimError | None = None

    @property
    def counts(self) -> Counter[str]:
        """What happened at the interface, by kind."""
        return Counter()

    def last_of(self, kind: str) -> list[ValueText]:  # noqa: ARG002 - of those that count
        """The fields of the last message of a kind that it counts, which are read only now; empty for none."""
        return []

    @property
    def addresses(self) -> Mapping[str, str] | None:
        """Where it can be reached, by the interface's name; None while that is not known yet."""
        return {}

    @property
    def observers(self) -> Collection[Observer]:
        """Functions that the loop calls after each tick of the next run."""
        return ()

    def open_now(self) -> None:  # noqa: B027 - most have nothing to open
        """Open what is opened after the first tick otherwise: that tick waits for a client. The run has begun."""

    @abstractmethod
    def serve(self, current: CurrentRun) -> None:
        """A run is about to begin: serve it."""

    @abstractmethod
    def close(self) -> None:
        """Close the addresses and end the threads of the interface."""
