"""A run with the kernels that come with dorosim compiles none: its ticks would wait for seconds."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from dorosim.ground.kernel_pack import holds_group

RUN = "run --duration 45 --speed max --ports auto -q --seed 1 --no-view --vehicles 20 --pedestrians 8"


def test_a_run_in_which_lamps_change_compiles_nothing(tmp_path: Path) -> None:
    """In a town with lights, vehicles and people."""
    if not all(map(holds_group, ("start", "world"))):
        pytest.skip("the kernels that come with dorosim do not fit this machine, or sources have changed since")
    homes = {"XDG_CACHE_HOME": tmp_path / "cache", "XDG_RUNTIME_DIR": tmp_path / "run"}
    for home in homes.values():
        home.mkdir(mode=0o700)
    command = [sys.executable, "-m", "dorosim", *RUN.split(), "--data", str(tmp_path / "data")]
    environment = os.environ | {name: str(home) for name, home in homes.items()}
    subprocess.run(command, env=environment, check=True, capture_output=True, timeout=300)
    compiled = sorted(path.name for path in (tmp_path / "cache").rglob("*.nb[ci]"))
    assert compiled == []
