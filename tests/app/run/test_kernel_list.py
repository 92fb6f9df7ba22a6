"""The list of kernels has all that a start and the rehearsals use, and nothing else."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from dorosim.app.run import kernel_list
from dorosim.app.run.kernel_list import GROUPS, compile_listed, listed
from dorosim.ground import kernel_cache


def test_the_list_is_what_is_used(tmp_path):
    path = tmp_path / "kernels.json"
    command = [sys.executable, "-m", "tools.kernels", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0, done.stderr
    found = json.loads(path.read_text("utf-8"))
    cure = f"python -m tools.kernels {Path(kernel_list.__file__).with_name('kernels.json')} writes it anew"
    for group in GROUPS:
        wanted = {json.dumps(entry) for entry in found[group]}
        assert {json.dumps(entry) for entry in listed(group)} == wanted, cure


@pytest.mark.parametrize("group", GROUPS)
def test_each_kernel_of_the_list_is_compiled_for_its_types_in_order(monkeypatch, group):
    seen, told = [], []
    monkeypatch.setattr(kernel_cache, "compile_ahead", lambda kernel, types: seen.append((kernel, types)))
    compile_listed(group, lambda number, count: told.append((number, count)))
    entries = list(listed(group))
    assert [kernel.py_func.__name__ for kernel, _ in seen] == [name for _, name, _ in entries]
    assert [len(types) for _, types in seen] == [len(kinds) for _, _, kinds in entries]
    assert told == [(number, len(entries)) for number in range(1, len(entries) + 1)]


def test_entries_that_no_longer_fit_are_passed_over(monkeypatch):
    """As while a kernel is changed: it is compiled where it is needed."""
    module = "dorosim.road.scenery.grid_kernel"
    seen, array = [], ["array", "float64", 1, "C", False]
    entries = [
        ("dorosim.no_such_module", "draw", []),
        (module, "no_such_kernel", []),
        (module, "fill_clearance", ["float64"]),
        (module, "fill_clearance", [["named", f"{module}:PartGrid", array], "float64", "float64", array]),
        (module, "fill_clearance", [["named", f"{module}:NoSuchTuple", array], "float64", "float64", array]),
    ]
    monkeypatch.setattr(kernel_list, "listed", lambda _: iter(entries))
    monkeypatch.setattr(kernel_cache, "compile_ahead", lambda kernel, types: seen.append((kernel, types)))
    compile_listed("start")
    assert seen == []
