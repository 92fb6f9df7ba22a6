"""Type checkers find nothing wrong with a user's script, and find mistakes."""

from __future__ import annotations

import importlib.util
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

USER = Path(__file__).parent / "user"
SRC = Path(__file__).parents[2] / "src"
RIGHT = ("blocking_script.py", "asyncio_script.py")
WRONG = "wrong_script.py"


def mistakes() -> set[int]:
    """Lines of the wrong script that have one."""
    lines = (USER / WRONG).read_text().splitlines()
    return {number for number, line in enumerate(lines, 1) if line.endswith("# mistake")}


def test_mypy_is_strict_and_finds_the_mistakes_alone(tmp_path):
    (tmp_path / "empty.ini").write_text("[mypy]\n")
    command = [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", "--no-error-summary"]
    command += ["--config-file", str(tmp_path / "empty.ini"), "--cache-dir", str(tmp_path / "cache")]
    command += [str(USER / name) for name in (*RIGHT, WRONG)]
    done = subprocess.run(
        command, capture_output=True, text=True, cwd=tmp_path, env={"MYPYPATH": str(SRC)}, check=False
    )
    found = set(re.findall(r"(\w+\.py):(\d+): error", done.stdout))
    assert found == {(WRONG, str(line)) for line in mistakes()}, done.stdout + done.stderr


@pytest.mark.skipif(
    importlib.util.find_spec("basedpyright") is None, reason="basedpyright, which brings pyright, is not installed"
)
def test_pyright_is_strict_and_finds_the_mistakes_alone(tmp_path):
    settings = {
        "include": [str(USER)],
        "extraPaths": [str(SRC)],
        "typeCheckingMode": "strict",
        "reportUnknownMemberType": "error",
    }
    project = tmp_path / "pyrightconfig.json"
    project.write_text(json.dumps(settings))
    command = [sys.executable, "-m", "basedpyright", "--outputjson", "-p", str(project)]
    command += ["--pythonpath", sys.executable]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    told = json.loads(done.stdout)["generalDiagnostics"]
    found = {(Path(one["file"]).name, one["range"]["start"]["line"] + 1) for one in told if one["severity"] == "error"}
    assert found == {(WRONG, line) for line in mistakes()}, done.stdout
