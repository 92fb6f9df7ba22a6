"""The command line, in this process or in one of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from contextlib import redirect_stderr, redirect_stdout, suppress
from pathlib import Path
from typing import TextIO
from unittest.mock import patch

from dorosim.app.cli.main import main
from tests.loaded import loaded_command

SURROUNDINGS = {"COLUMNS": "200", "NO_COLOR": "1"}

Done = subprocess.CompletedProcess[str]


def dorosim_process(*arguments: str | Path, timeout: float = 240) -> Done:
    """Run the command in a process of its own and wait for its end."""
    return subprocess.run(
        [*loaded_command(), *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=timeout,
        env=os.environ | SURROUNDINGS,
        check=False,
    )


def dorosim(*arguments: str | Path, coloured: bool = False) -> Done:
    """Run the command here: the start of a process takes longer than what most commands do.

    It has files for its output, since a run looks whether they take more.

    Args:
        arguments: of the command.
        coloured: whether its surroundings allow colours, as those of a terminal do.
    """
    told = [*map(str, arguments)]
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        status = _status(told, out, err, coloured=coloured)
        texts = []
        for file in (out, err):
            file.seek(0)
            texts.append(file.read())
    return subprocess.CompletedProcess(told, status, *texts)


def dorosim_unread(*arguments: str | Path) -> int:
    """Run the command here with a pipe for all its output whose reader has gone already; its exit status."""
    reader, writer = os.pipe()
    os.close(reader)
    with suppress(BrokenPipeError), os.fdopen(writer, "w") as pipe:
        status = _status([*map(str, arguments)], pipe, pipe)
    return status


def _status(told: list[str], out: TextIO | None, err: TextIO, *, coloured: bool = False) -> int:
    """Run the command here; its exit status."""
    surroundings = {"COLUMNS": "200", "TERM": "xterm-256color"} if coloured else SURROUNDINGS
    status = None
    with (
        redirect_stdout(out),
        redirect_stderr(err),
        patch.object(sys, "argv", ["dorosim", *told]),
        patch.dict(os.environ, surroundings),
    ):
        for name in ("NO_COLOR", "FORCE_COLOR") if coloured else ():
            os.environ.pop(name, None)
        interrupt = signal.getsignal(signal.SIGINT)  # that of the tests, which go on
        try:
            main()
        except SystemExit as end:
            status = end.code
        finally:
            signal.signal(signal.SIGINT, interrupt)
    return int(status or 0)
