"""The pages on adding something are true: their diffs are applied to a copy of the sources, and what is added works.

A page may change only so many files of src (`LIMITS`), which `CONTRIBUTING.md` promises.
"""

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

LIMITS = {
    "add-a-sensor.md": 7,
    "add-a-message.md": 4,
    "add-a-command.md": 3,
    "add-a-topic.md": 2,
    "add-a-vehicle.md": 1,
    "add-an-rpc.md": 2,
}
"""Files of src that the diff of a page may change."""

DRIVES = """
import runpy, sys
from dorosim.world.vehicle import model_table
model_table.TEXT += sys.argv.pop(1)
runpy.run_module("dorosim", run_name="__main__")
"""
"""Starts dorosim with one vehicle more, with the kernels of the sources as they are: compiling takes a minute."""

CHECKS = """
import sys, pytest
from dorosim.world.vehicle import model_table
model_table.TEXT += sys.argv.pop(1)
sys.exit(pytest.main(["-p", "no:cacheprovider", "-n", "0", *sys.argv[1:]]))
"""
"""Runs tests with one vehicle more, in the same way."""

READS = """
import json, pathlib, sys, tomllib
from dorosim.world.mount.setting import settings_from_text
(row,) = tomllib.loads(pathlib.Path(sys.argv[1]).read_text())["sensor"]
print(settings_from_text(json.dumps({"kind": row["kind"], **row["settings"]}).encode()))
"""
"""Reads the settings of the page's sensor."""

SENDS = """
import pathlib, sys
from dorosim.app.setting.network import read_network
print(read_network(pathlib.Path(sys.argv[1])))
"""
"""Reads the network settings of the page's message."""


FOLDERS = ("src", "tests", "tools")


@pytest.fixture(scope="module")
def links(tmp_path_factory):
    """A copy of the sources, tools and tests, made of links to files; nothing is compiled again."""
    folder = tmp_path_factory.mktemp("copy")
    for name in FOLDERS:
        shutil.copytree(ROOT / name, folder / name, copy_function=os.symlink)
    shutil.copy(ROOT / "pyproject.toml", folder)
    return folder


@pytest.fixture
def copy(links):
    """The same copy for each test, since thousands of links take time. What a test changes in it is undone."""
    yield links
    for path in links.iterdir():
        if path.name not in FOLDERS:
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    shutil.copy(ROOT / "pyproject.toml", links)
    for name in FOLDERS:
        for folder, inner, files in os.walk(links / name):
            if Path(folder).name != "__pycache__":
                undo(Path(folder), ROOT / Path(folder).relative_to(links), inner, files)


def undo(folder: Path, ours: Path, inner: list[str], files: list[str]) -> None:
    """Let a folder of the copy have links to all our files, and nothing else."""
    for name in [name for name in inner if not (ours / name).exists()]:
        inner.remove(name)  # it is not walked through
        shutil.rmtree(folder / name)
    for name in files:
        if not (folder / name).is_symlink():
            (folder / name).unlink()
    for path in ours.iterdir():
        if path.is_file() and not (folder / path.name).is_symlink():
            (folder / path.name).symlink_to(path)


def edit(copy: Path, page: str, *, only: str = "") -> set[str]:
    """Do what the page says to do with files, or with one of them; returns the files."""
    edited = set()
    for block in blocks_of(f"docs/how-to/{page}"):
        marks = block.marks
        name = next((marks[mark] for mark in ("file", "append", "change") if mark in marks), "")
        if not name or only not in ("", name):
            continue
        path = copy / name
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        if "file" in marks:
            assert not text, f"{block}: {name} is there already"
        made = {"file": block.text, "append": f"{text}\n\n{block.text}"}
        path.unlink(missing_ok=True)  # a link to the file of the project
        kind = next(mark for mark in ("file", "append", "change") if mark in marks)
        path.write_text(made[kind] if kind in made else changed(text, block), encoding="utf-8")
        edited.add(name)
    return edited


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


def run(
    copy: Path,
    command: str,
    *,
    start: tuple[str, ...] = ("-m", "dorosim"),
    sources: Path | None = None,
    fails: bool = False,
) -> str:
    """Run a command of a page on the copy, or with other sources; returns what it prints."""
    program, *words = shlex.split(command)
    before = {"dorosim": start, "pytest": ("-m", "pytest", "-p", "no:cacheprovider", "-n", "0"), "python": ()}[program]
    where = sources or copy
    done = subprocess.run(
        [sys.executable, *before, *words],
        cwd=copy,
        env=os.environ | {"PYTHONPATH": f"{where / 'src'}:{where}", "COLUMNS": "120", "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert (done.returncode != 0) == fails, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.mark.parametrize("page", LIMITS)
def test_a_page_changes_no_more_files_of_src_than_it_may(page, copy):
    files = sorted(name for name in edit(copy, page) if name.startswith("src/"))
    assert 0 < len(files) <= LIMITS[page], files


def test_contributing_promises_the_same():
    text = " ".join((ROOT / "CONTRIBUTING.md").read_text().split())
    for page, limit in LIMITS.items():
        assert re.search(rf"\(docs/how-to/{re.escape(page)}\) \| {limit}\b", text), page


def test_a_message(copy):
    edit(copy, "add-a-message.md")
    show, check = commands("add-a-message.md")
    assert "over that of dry asphalt" in " ".join(run(copy, show).split())
    assert re.search(r"\d+ passed", run(copy, check))
    assert "message='RoadFriction'" in run(copy, "dorosim network.toml", start=("-c", SENDS))


def test_a_table_that_does_not_add_up_is_refused():
    @message(Envelope("Wrong"), to="user", source="none", layouts=(Layout(99),))
    class Wrong(Wire):
        """Too short."""

        friction: float = f32(RATIO, "a number")

    with pytest.raises(ValueError, match="makes 29 bytes, its layout says 99"):
        compile_codec(Wrong, Layout(99))


@pytest.mark.parametrize("page", ["add-a-command.md", "add-a-topic.md"])
def test_what_is_added_works(page, copy):
    edit(copy, page)
    (check,) = commands(page)
    assert re.search(r"\d+ passed", run(copy, check))


def test_an_rpc(copy):
    edit(copy, "add-an-rpc.md")
    generated = copy / "src/dorosim/wire/grpc/generated"
    for path in generated.glob("*.binpb"):
        path.unlink()
    compiling, check = commands("add-an-rpc.md")
    run(copy, compiling)
    assert "1 passed" in run(copy, check)


def test_a_command(copy):
    edit(copy, "add-a-command.md")
    (check,) = commands("add-a-command.md")
    assert "3 passed" in run(copy, check)


def test_a_vehicle(copy):
    check, drive = commands("add-a-vehicle.md")
    (row,) = (block.text for block in blocks_of("docs/how-to/add-a-vehicle.md") if block.language == "toml")
    tests = check.replace("pytest ", "dorosim ", 1)
    assert "passed" in run(copy, f"{tests} -k Shuttle", start=("-c", CHECKS, row), sources=ROOT)
    network = copy / "network.toml"
    network.write_text('[[listen]]\naddress = "127.0.0.1:0"\n')
    quiet = f"{drive} --network {network} --grpc off --ros-server off"
    assert "ego 2026_Our_Shuttle at" in run(copy, quiet, start=("-c", DRIVES, row), sources=ROOT)


def test_a_sensor(copy):
    edit(copy, "add-a-sensor.md")
    check, listing = commands("add-a-sensor.md")
    assert re.search(r"\d+ passed", run(copy, check))
    assert "odometer: 50 Hz, UDP to port 1240" in run(copy, listing)
    assert "noise=0.1" in run(copy, "dorosim dorosim.toml", start=("-c", READS))


def test_a_sensor_that_only_has_settings_is_told_what_it_lacks(copy):
    edit(copy, "add-a-sensor.md", only="src/dorosim/world/mount/setting.py")
    told = run(copy, "pytest tests/sensor/test_kind.py", fails=True)
    for table in ("DESCRIPTORS of sensor/kind.py", "ENTRIES of scenario/sensor_set/kind.py"):
        assert f"{table} has no ODOMETER" in told
    assert "OUTPUTS of bridge/sensor/kind.py has no ODOMETER" in told
