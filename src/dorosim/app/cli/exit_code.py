"""Exit statuses of the `dorosim` command; every subcommand keeps to them."""

from __future__ import annotations

from enum import IntEnum


class ExitCode(IntEnum):
    """The exit statuses of a command. Values are fixed: scripts compare them.

    Attributes:
        meaning: a sentence for people.
    """

    meaning: str

    def __new__(cls, value: int, meaning: str) -> ExitCode:
        """A code and its meaning."""
        code = int.__new__(cls, value)
        code._value_ = value
        code.meaning = meaning
        return code

    OK = 0, "All went as asked. A run that ends by Ctrl-C, SIGTERM or its duration has ended well."
    FOUND = 1, "The command worked and found what it looks for: a difference, a fault, a missed target."
    BAD_INPUT = 2, "An option, argument, file, setting or address cannot be used; the error says which and why."
    FAILED = 3, "Something broke that should not have: a fault of dorosim. A traceback comes with it."
    INTERRUPTED = 130, "Ended by Ctrl-C before it was done; a run, before it had begun, or in a tick that did not end."
