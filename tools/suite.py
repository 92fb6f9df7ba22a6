"""Runs the tests, and those that failed once more, alone: `python -m tools.suite [arguments of pytest]`.

Tests of sockets, programs and pages meet the machine's clock, and beside others on few processors one may come late.
So tests of the floors that have such things, if few have failed, are run again one by one in one process when
nothing else runs. They are named before that, so that somebody mends those that pass then. A test of the floors below,
where no clock is, has to pass the first time.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from subprocess import run
from typing import TypeAlias

MAX_AGAIN = 5
"""Failed tests that are run again; if there are more, the tree is at fault."""
CLOCKED = (
    *("tests/app/", "tests/bridge/", "tests/browser/", "tests/client/", "tests/docs/", "tests/endpoint/", "tests/gym/"),
    *("tests/peers/", "tests/ros/", "tests/sweep/", "tests/system/", "tests/testing/", "tests/tools/"),
)
"""Folders whose tests have sockets, threads or programs."""
FAILED = 1
"""Status of pytest when tests have failed."""

Run: TypeAlias = Callable[[Sequence[str]], int]
"""Runs pytest with arguments; its status."""


def suite(arguments: Sequence[str], pytest: Run, say: Callable[[str], None] = print) -> int:
    """Run the tests.

    Args:
        arguments: of pytest.
        pytest: runs it.
        say: what to do with each line that is said.

    Returns:
        the status: 0 if all have passed, those that failed first in the second run.
    """
    with tempfile.TemporaryDirectory() as folder:
        cache = ("-o", f"cache_dir={folder}")
        status = pytest((*arguments, *cache))
        failed = failed_in(Path(folder))
        if status != FAILED or not failed or not may_run_again(failed):
            return status
        say(f"failed beside others, run once more alone; unsteady if they pass now: {', '.join(failed)}")
        return pytest((*options_of(arguments), *cache, "-n", "0", *failed))


def failed_in(cache: Path) -> list[str]:
    """Names of the tests that failed in the run before, in order.

    Args:
        cache: pytest's folder.
    """
    try:
        return sorted(json.loads((cache / "v/cache/lastfailed").read_text()))
    except FileNotFoundError:
        return []


def may_run_again(failed: Sequence[str]) -> bool:
    """Whether tests that failed may be run again: few, and each a test, not a file that cannot be read."""
    return len(failed) <= MAX_AGAIN and all("::" in name and name.startswith(CLOCKED) for name in failed)


def options_of(arguments: Sequence[str]) -> list[str]:
    """What the second run has of the arguments of the first: the marks of its tests."""
    return [part for at, part in enumerate(arguments) if part == "-m" or (at and arguments[at - 1] == "-m")]


def _run(arguments: Sequence[str]) -> int:
    return run([sys.executable, "-m", "pytest", *arguments], check=False).returncode


if __name__ == "__main__":
    sys.exit(suite(sys.argv[1:], _run))
