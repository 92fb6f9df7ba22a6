"""A console for work that goes on after the reader of its output has gone."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from contextlib import suppress
from typing import TextIO

from rich.console import Console

from dorosim.ground.error import one_line


class LastingConsole(Console):
    """A console whose reader may go, as in `dorosim run 2>&1 | head -1`; it prints nothing from then on.

    A plain console ends the program there, which is right for commands that do nothing but print.
    """

    def on_broken_pipe(self) -> None:
        """Print nothing any more. The file leads to the null device, where Python can write its buffer at the end."""
        self.quiet = True
        to_nowhere(sys.stderr if self.stderr else sys.stdout)


def print_line(console: Console, text: str, style: str | None = None) -> None:
    """Print text of any origin as one line: never cut, and read as no markup."""
    console.print(one_line(text), style=style, markup=False, soft_wrap=True)


def print_notices(console: Console, notices: Iterable[str]) -> None:
    """Print a line for each notice."""
    for notice in notices:
        print_line(console, f"notice: {notice}", "yellow")


def to_nowhere(file: TextIO) -> None:
    """Discard all that is written to a file of the program whose reader has gone, or that is full."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, file.fileno())
        os.close(nowhere)
