"""What the meaning of messages needs of the program around the world: the suite that clients have loaded."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from dorosim.world.command import Command


class Suites(Protocol):
    """The suite that clients have loaded."""

    @property
    def name(self) -> str:
        """Of the suite, "" for none."""

    @property
    def scenarios(self) -> tuple[str, ...]:
        """Names of its scenarios, in order."""

    @property
    def active(self) -> str:
        """Name of the scenario that is the present run, "" for none."""

    @property
    def opening(self) -> Sequence[Command]:
        """What the project says of its vehicles, for the first tick of a run that begins again."""

    def load(self, path: str) -> None:
        """Read a suite, and let its first scenario be the run, which stands at its start.

        Raises:
            InputError: it cannot be; the present run goes on.
        """

    def choose(self, name: str) -> None:
        """Let another scenario of the suite be the run, which stands at its start.

        Raises:
            InputError: there is none of this name, or it cannot be; the present run goes on.
        """
