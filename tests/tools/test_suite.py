"""Tests that failed beside others are run again alone, if they are few and may meet the machine's clock."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tools.suite import CLOCKED, suite

UNSTEADY = """
from pathlib import Path

def test_late():
    tried = Path("tried")
    was = tried.exists()
    tried.touch()
    assert was
"""
BROKEN = "def test_wrong():\n    assert False\n"
GOOD = "def test_right():\n    assert True\n"


def run_in(folder: Path, monkeypatch: pytest.MonkeyPatch, **texts: str) -> tuple[int, list[str], int]:
    """The status for a tree of tests, what was said, and how often pytest was run."""
    for place, text in texts.items():
        path = folder / "tests" / place / "test_it.py"
        path.parent.mkdir(parents=True)
        path.write_text(text)
    (folder / "pytest.ini").write_text("[pytest]\naddopts = --import-mode=importlib\n")
    monkeypatch.chdir(folder)
    lines: list[str] = []
    runs: list[object] = []

    def run(arguments):
        runs.append(arguments)
        words = [sys.executable, "-m", "pytest", *arguments]
        return subprocess.run(words, check=False, capture_output=True, env=os.environ | {"PYTHONPATH": ""}).returncode

    return suite(["-n", "0"], run, lines.append), lines, len(runs)


def test_a_test_that_passes_alone_is_named(tmp_path, monkeypatch):
    status, lines, runs = run_in(tmp_path, monkeypatch, app=UNSTEADY, world=GOOD)
    assert (status, runs) == (0, 2)
    assert lines == [
        "failed beside others, run once more alone; unsteady if they pass now: tests/app/test_it.py::test_late"
    ]


def test_a_test_that_fails_twice_fails(tmp_path, monkeypatch):
    status, lines, runs = run_in(tmp_path, monkeypatch, app=BROKEN, world=GOOD)
    assert (status, runs, len(lines)) == (1, 2, 1)


def test_a_test_below_the_endpoints_is_not_run_again(tmp_path, monkeypatch):
    assert run_in(tmp_path, monkeypatch, app=UNSTEADY, world=BROKEN) == (1, [], 1)


def test_many_failed_tests_are_not_run_again(tmp_path, monkeypatch):
    many = "".join(BROKEN.replace("wrong", f"wrong_{number}") for number in range(6))
    assert run_in(tmp_path, monkeypatch, app=many) == (1, [], 1)


def test_a_file_that_cannot_be_read_is_not_run_again(tmp_path, monkeypatch):
    status, lines, runs = run_in(tmp_path, monkeypatch, app="import no_such_module")
    assert (status != 0, lines, runs) == (True, [], 1)


def test_folders_that_are_named_are_there():
    root = Path(__file__).parents[2]
    assert [one for one in CLOCKED if not (root / one).is_dir()] == []
