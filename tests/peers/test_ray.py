"""A sweep on Ray has the rows of one on processes of this machine; skipped where Ray is not installed."""

from __future__ import annotations

import sys
from importlib.util import find_spec

import pytest

from dorosim.app.sweep.runner import SweepOptions, run_sweep
from tests.sweep.sweep_case import lines, plan, rows_of

pytestmark = [
    pytest.mark.peer,
    pytest.mark.skipif(find_spec("ray") is None, reason="Ray is not installed: pip install dorosim[ray]"),
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="sweeps run on Linux only"),
    pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::DeprecationWarning", "ignore::FutureWarning"),
]


def test_a_sweep_on_ray_has_the_rows_of_this_process(tmp_path):
    made = plan(tmp_path)
    found = run_sweep(made, tmp_path, SweepOptions(out=tmp_path / "out", workers=2, ray="local"))
    assert found.done == 10
    assert [line.row for line in lines(tmp_path / "out")] == rows_of(made, tmp_path)
