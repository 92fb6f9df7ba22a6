"""The notebook of the tutorial runs from the top, against a simulator, and shows pictures."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time

from dorosim.client import running
from dorosim.client.run_file import Run
from tests.client.program import program
from tests.docs.block import ROOT

NOTEBOOK = ROOT / "docs/tutorial/sensors.ipynb"
PATIENCE = 60.0
"""Wall time in which a run that answers has written its file [s]."""
PNG = b"\x89PNG\r\n\x1a\n".hex()


def _run_at(address: str) -> Run:
    """The run at an address: gRPC answers a moment before its file is written."""
    end = time.monotonic() + PATIENCE
    while True:
        found = [one for one in running() if one.grpc == address]
        if found or time.monotonic() > end:
            (run,) = found
            return run
        time.sleep(0.04)


def test_the_notebook_is_small_and_has_no_outputs():
    found = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    assert (found["nbformat"], found["nbformat_minor"]) == (4, 5)
    code = [cell for cell in found["cells"] if cell["cell_type"] == "code"]
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in code)
    assert len({cell["id"] for cell in found["cells"]}) == len(found["cells"])
    assert NOTEBOOK.stat().st_size < 20_000


def test_the_notebook_runs_from_the_top_and_shows_pictures(tmp_path, monkeypatch):
    runtime = tmp_path / "runtime"
    runtime.mkdir(mode=0o700)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(runtime))
    with program(tmp_path, "--vehicles", "20") as address:
        run = _run_at(address)
        done = subprocess.run(
            [sys.executable, "-m", "tests.docs.notebook", str(NOTEBOOK)],
            cwd=ROOT,
            env=os.environ | {"PYTHONPATH": f"{ROOT / 'src'}:{ROOT}", "DOROSIM_RUN": run.id},
            capture_output=True,
            text=True,
            timeout=400,
            check=False,
        )
    assert done.returncode == 0, done.stdout + done.stderr
    shown = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    pictures = [one for one in shown if one["kind"] == "png"]
    assert len(pictures) == 5
    assert all(one["head"] == PNG and one["size"] > 2000 for one in pictures)
    assert [one["head"][:4] for one in shown if one["kind"] == "svg"] == ["<svg"]
    assert "points, forward" in done.stdout
