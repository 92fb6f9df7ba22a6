"""Copies of sweeps in a store: what is fetched from there goes on, or has its report made, on another machine."""

from __future__ import annotations

import json
import threading

import pytest

from dorosim.app.sweep.cell import CellLine, CellWork, encode_line
from dorosim.app.sweep.journal import JournalWriter
from dorosim.app.sweep.plan_file import plan_from_file
from dorosim.app.sweep.store import SweepStore, stored
from dorosim.app.sweep.sweep_folder import SweepFolder, make_folder
from dorosim.ground.error import InputError
from dorosim.recording.whole_file import OutputError
from tests.app.command import dorosim
from tests.sweep.sweep_case import lines, plan, rows_of, tree
from tests.timing import wait_for

fsspec = pytest.importorskip("fsspec", reason="fsspec is not installed")


@pytest.fixture
def memory():
    """An address of an object store that is in this process."""
    yield "memory://bucket/sweep"
    fsspec.filesystem("memory").store.clear()


def begun(folder, name, made):
    """The folder of a sweep that has begun."""
    out = folder / name
    out.mkdir()
    make_folder(out, made, folder, 10, resume=False)
    return out


def test_a_sweep_goes_on_on_another_machine(tmp_path):
    """Its folder is gone, and the files that its plan names stand elsewhere."""
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir()
    url, out = (tmp_path / "store").as_uri(), tmp_path / "new"
    given = tree(here, data=str(tmp_path / "data"), scenario=[{"file": "brake.xosc"}])
    (here / "plan.toml").write_text(json.dumps(given))
    made = plan_from_file(here / "plan.toml")[0]
    begin, rows = begun(here, "out", made), rows_of(made, here)
    writer = JournalWriter(begin / "journal/001-000-1.jsonl")
    for row in rows[:5]:
        writer.write(encode_line(CellLine(row=row, work=CellWork(host="the first one"))))
    writer.close()
    (begin / "lock").write_text("1 mark")
    SweepStore(url).push(begin)
    copy = tmp_path / "store/journal/001-000-1.jsonl"
    copy.write_bytes(copy.read_bytes()[:-50])  # as it was copied while a worker wrote its fifth line
    here.rename(there)
    done = dorosim("sweep", there / "plan.toml", "--out", out, "--workers", "1", "--store", url, "--resume")
    assert done.returncode == 1, done.stderr
    assert [line.row for line in lines(out)] == rows
    assert [line.work.host == "the first one" for line in lines(out)] == [True] * 4 + [False] * 6
    assert len(list((tmp_path / "store/journal").iterdir())) == 2
    shown = dorosim("sweep", "report", tmp_path / "elsewhere", "--store", url, "--no-worst")
    assert shown.returncode == 0, shown.stderr
    assert (tmp_path / "store/report/index.html").read_bytes() == (
        tmp_path / "elsewhere/report/index.html"
    ).read_bytes()


def test_only_what_has_changed_is_copied(tmp_path, memory):
    out = begun(tmp_path, "out", plan(tmp_path))
    store = SweepStore(memory)
    assert store.push(out) == 2
    assert store.push(out) == 0
    writer = JournalWriter(out / "journal/a.jsonl")
    writer.write(b"{}")
    (out / "log/a.log").write_text("what a worker printed")
    assert store.push(out) == 1
    assert store.push(out) == 0
    writer.write(b"{}")
    writer.close()
    assert store.push(out) == 1
    files = fsspec.filesystem("memory").find("/bucket/sweep")
    assert [one.removeprefix("/bucket/sweep/") for one in files] == ["journal/a.jsonl", "plan.json", "sweep.json"]


def test_it_is_copied_while_it_runs_and_as_it_breaks_off(tmp_path, memory):
    out = begun(tmp_path, "out", plan(tmp_path))
    place = fsspec.filesystem("memory")

    def broken_off():
        with stored(SweepStore(memory), out, 0.01):
            wait_for(lambda: place.exists("/bucket/sweep/sweep.json"))
            JournalWriter(out / "journal/late.jsonl").close()
            raise KeyboardInterrupt

    before = threading.active_count()
    with pytest.raises(KeyboardInterrupt):
        broken_off()
    assert place.exists("/bucket/sweep/journal/late.jsonl")
    assert threading.active_count() == before


def test_one_store_has_one_sweep(tmp_path, memory):
    out = begun(tmp_path, "out", plan(tmp_path))
    SweepStore(memory).push(out)
    other = begun(tmp_path, "other", plan(tmp_path, name="other"))
    with pytest.raises(InputError, match="has another sweep than"):
        SweepStore(memory).begin(other, tmp_path, resume=True)
    with pytest.raises(InputError, match="has a sweep already"):
        SweepStore(memory).begin(tmp_path / "new", tmp_path, resume=False)
    SweepStore(memory).begin(out, tmp_path, resume=True)
    SweepStore(memory).begin(tmp_path / "fetched", tmp_path / "moved", resume=True)
    assert SweepFolder(tmp_path / "fetched").base == tmp_path / "moved"


def test_what_no_sweep_has_is_left_in_the_store(tmp_path, memory):
    out = begun(tmp_path, "out", plan(tmp_path))
    SweepStore(memory).push(out)
    place = fsspec.filesystem("memory")
    for name in ("x/plan.toml", "journal/x/a.jsonl", "notes.txt", "journal/a.txt"):
        place.pipe_file(f"/bucket/sweep/{name}", b"x")
    assert SweepStore(memory).pull(tmp_path / "fetched") == 2
    assert not (tmp_path / "fetched/x").exists()


@pytest.mark.parametrize(
    ("url", "problem"),
    [("nosuch://a", "nosuch"), ("memory://nothing/here", "has no sweep"), ("file:///dev/null/x", "has no sweep")],
)
def test_a_store_that_is_none(url, problem, tmp_path):
    with pytest.raises(InputError, match=problem):
        SweepStore(url).pull(tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_store_that_cannot_be_written(tmp_path):
    out = begun(tmp_path, "out", plan(tmp_path))
    with pytest.raises(OutputError, match="cannot be written: Not a directory"):
        SweepStore("file:///dev/null/x").push(out)
