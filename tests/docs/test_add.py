"""add-a-message.md, add-a-vehicle.md and add-a-sensor.md are true: what they say is done in a copy of the sources."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from dorosim.ground.unit import RATIO
from dorosim.wire.codec import compile_codec
from dorosim.wire.message import Envelope, Layout, Wire, f32, message
from tests.docs.block import ROOT, Block, blocks_of

DRIVES = """
import runpy, sys
from dorosim.world.vehicle import model_table
model_table.TEXT += sys.argv.pop(1)
runpy.run_module("dorosim", run_name="__main__")
"""
"""Starts dorosim with one vehicle more, with the kernels of the sources as they are: compiling takes a minute."""

READS = """
import json, pathlib, sys, tomllib
from dorosim.world.mount.setting import settings_from_text
(row,) = tomllib.loads(pathlib.Path(sys.argv[1]).read_text())["sensor"]
print(settings_from_text(json.dumps({"kind": row["kind"], **row["settings"]}).encode()))
"""
"""Reads the settings of the page's sensor."""


@pytest.fixture
def copy(tmp_path):
    """A copy of the sources and tests."""
    for name in ("src", "tests"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def edit(copy: Path, page: str) -> None:
    """Do what the page says to do with files."""
    for block in blocks_of(f"docs/how-to/{page}"):
        marks = block.marks
        if "file" in marks:
            (copy / marks["file"]).write_text(block.text, encoding="utf-8")
        elif "append" in marks:
            path = copy / marks["append"]
            path.write_text(f"{path.read_text(encoding='utf-8')}\n\n{block.text}", encoding="utf-8")
        elif "change" in marks:
            path = copy / marks["change"]
            path.write_text(changed(path.read_text(encoding="utf-8"), block), encoding="utf-8")


def changed(text: str, block: Block) -> str:
    """The text with the changes of a block made, each at the one place where its lines stand."""
    for hunk in block.text.split("...\n"):
        lines = hunk.splitlines(keepends=True)
        old = "".join(line[1:] for line in lines if not line.startswith("+"))
        new = "".join(line[1:] for line in lines if not line.startswith("-"))
        assert text.count(old) == 1, f"{block}: these lines stand there {text.count(old)} times:\n{old}"
        text = text.replace(old, new)
    return text


def commands(page: str) -> list[str]:
    """The commands of a page, one a line."""
    blocks = blocks_of(f"docs/how-to/{page}")
    return [line for block in blocks if block.language == "sh" for line in block.text.splitlines()]


def run(copy: Path, command: str, *, start: tuple[str, ...] = ("-m", "dorosim"), sources: Path | None = None) -> str:
    """Run a command of a page on the copy, or with other sources."""
    program, *words = shlex.split(command)
    told = {"dorosim": start, "pytest": ("-m", "pytest", "-p", "no:cacheprovider", "-n", "0")}[program]
    where = sources or copy
    done = subprocess.run(
        [sys.executable, *told, *words],
        cwd=copy,
        env=os.environ | {"PYTHONPATH": f"{where / 'src'}:{where}", "COLUMNS": "120", "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def test_a_message(copy):
    edit(copy, "add-a-message.md")
    show, check = commands("add-a-message.md")
    assert "over that of dry asphalt" in " ".join(run(copy, show).split())
    assert re.search(r"\d+ passed", run(copy, check))


def test_a_table_that_does_not_add_up_is_refused():
    @message(Envelope("Wrong"), to="user", source="none", layouts=(Layout(99),))
    class Wrong(Wire):
        """Too short."""

        friction: float = f32(RATIO, "a number")

    with pytest.raises(ValueError, match="makes 29 bytes, its layout says 99"):
        compile_codec(Wrong, Layout(99))


def test_a_vehicle(copy):
    edit(copy, "add-a-vehicle.md")
    check, drive = commands("add-a-vehicle.md")
    assert "passed" in run(copy, f"{check} -k Shuttle")
    (row,) = (block.text for block in blocks_of("docs/how-to/add-a-vehicle.md") if block.language == "toml")
    network = copy / "network.toml"
    network.write_text('[[listen]]\naddress = "127.0.0.1:0"\n')
    quiet = f"{drive} --network {network} --grpc off --ros-server off"
    assert "ego 2026_Our_Shuttle at" in run(copy, quiet, start=("-c", DRIVES, row), sources=ROOT)


def test_a_sensor(copy):
    edit(copy, "add-a-sensor.md")
    check, listing = commands("add-a-sensor.md")
    assert "1 passed" in run(copy, check)
    assert "odometer" in run(copy, listing)
    assert "noise=0.1" in run(copy, "dorosim dorosim.toml", start=("-c", READS))
