"""The `dorosim` command, and `python -m dorosim`: takes Ctrl-C before it loads anything else."""

from __future__ import annotations

import sys

try:
    from dorosim.app.cli.exit_code import ExitCode
    from dorosim.app.cli.interrupt import Interrupts
except KeyboardInterrupt:  # what takes it is not loaded yet; the status is ExitCode.INTERRUPTED
    sys.exit(130)


def main() -> None:
    """Run the command line. See `ExitCode` for the exit status."""
    Interrupts.take()
    try:
        from dorosim.app.cli.main import main as command
    except BaseException:  # a library that is interrupted while it loads may raise anything
        if Interrupts.came:
            sys.exit(ExitCode.INTERRUPTED)
        raise
    command()


if __name__ == "__main__":
    main()
