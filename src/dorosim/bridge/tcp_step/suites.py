"""What the meaning of messages needs of the program around the world: the suite that clients have loaded."""

from __future__ import annotations

from typing import Protocol


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
