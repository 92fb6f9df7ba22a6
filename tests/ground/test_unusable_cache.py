"""Kernels that cannot be kept are compiled and used all the same, and one sentence says why and what to do."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

MODULE = """
from dorosim.ground.jit import kernel

@kernel
def twice(x):
    return 2.0 * x
"""
PROGRAM = """
import sys
BEFORE
from dorosim.ground.jit import can_share, distrust, is_complete, mark_complete
print(distrust())
from twice_module import twice
assert twice(21.0) == 42.0
mark_complete()
print(distrust())
print(can_share(), is_complete(), sum(twice.stats.cache_misses.values()))
"""
FULL = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))"
NO_HOME = "import os, pathlib; os.environ.pop('XDG_CACHE_HOME')\ndef _(*_): raise RuntimeError\npathlib.Path.home = _"


def told(folder: Path, cache: Path, before: str = "") -> tuple[str, str, str]:
    (folder / "twice_module.py").write_text(MODULE)
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(folder), *sys.path]), "XDG_CACHE_HOME": str(cache)}
    environment |= {"DOROSIM_COMPILE": "1"}
    environment.pop("DOROSIM_KERNELS", None)
    command = [sys.executable, "-c", PROGRAM.replace("BEFORE", before)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    first, last, end = done.stdout.splitlines()
    return first, last, end


def test_a_cache_that_can_be_written_is_used_and_nothing_is_said(tmp_path):
    assert told(tmp_path, tmp_path / "cache") == ("", "", "True True 1")
    assert told(tmp_path, tmp_path / "cache") == ("", "", "True True 0")


def test_a_file_in_place_of_the_cache_is_told_with_what_to_do(tmp_path):
    (tmp_path / "cache").write_text("")
    first, last, end = told(tmp_path, tmp_path / "cache")
    assert first == last
    assert first.count("\n") == 0
    assert "compiled kernels cannot be kept there: File exists" in first
    assert "let XDG_CACHE_HOME name a folder that you can write" in first
    assert end == "True True 1", "those of this program are kept for the processes that it starts"


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root writes everywhere")
def test_a_folder_that_cannot_be_written_is_told(tmp_path):
    (tmp_path / "cache").mkdir(mode=0o500)
    assert "cannot be kept there: Permission denied" in told(tmp_path, tmp_path / "cache")[0]


@pytest.mark.skipif(sys.platform != "linux", reason="/proc is Linux's")
def test_a_file_system_that_takes_no_files_is_told(tmp_path):
    assert "compiled kernels cannot be kept there" in told(tmp_path, Path("/proc/self/no"))[0]


def test_a_full_disk_is_told(tmp_path):
    pytest.importorskip("resource")
    first, _, end = told(tmp_path, tmp_path / "cache", FULL)
    assert "cannot be kept there: File too large" in first
    assert "free some space" in first
    assert end.split()[::2] == ["False", "1"]


def test_a_disk_that_becomes_full_later_is_told_at_the_end(tmp_path):
    pytest.importorskip("resource")
    late = "from dorosim.ground import jit; jit.distrust(); " + FULL
    first, last, end = told(tmp_path, tmp_path / "cache", late)
    assert first == ""
    assert "File too large" in last
    assert "free some space" in last
    assert end.split()[::2] == ["False", "1"]


def test_a_user_without_a_home_is_told(tmp_path):
    first, _, end = told(tmp_path, tmp_path / "cache", NO_HOME)
    assert first.startswith("this user has no home folder, so they are compiled anew at each start")
    assert "let XDG_CACHE_HOME name a folder that you can write" in first
    assert end.split()[1:] == ["True", "1"]
