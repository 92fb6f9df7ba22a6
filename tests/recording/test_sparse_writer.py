"""Recordings of worlds of a batch, few of whose ticks have a digest."""

from __future__ import annotations

import resource
from pathlib import Path

import pytest

from dorosim.app.analyse.recording_file import recording_facts
from dorosim.app.analyse.trace.recorded import open_recording
from dorosim.app.run.replay import replay_file
from dorosim.recording.format import MAGIC, Tick, count_ticks, decode_recording, encode_record
from dorosim.recording.sparse_writer import SparseWriter
from tests.packet import control
from tests.recording.header import header_of
from tests.system.rig import Rig, rig


def begun(run: Rig, path: Path) -> SparseWriter:
    """A writer that observes a run from now on: it writes after 7 ticks, and one of 14 has a digest."""
    writer = SparseWriter(path, (MAGIC + encode_record(header_of(run)),), run.now, 7, 14)

    def note(now, commands):
        writer.add(tuple(commands))
        if writer.is_due():
            writer.tell(lambda: now)

    run.loop.observers = (note,)
    run.send(control(accel=0.4))
    return writer


@pytest.mark.parametrize("settled", [False, True])
@pytest.mark.parametrize("ticks", [1, 2, 7, 8, 14, 15, 20, 28])
def test_one_tick_of_some_has_a_digest_and_the_last_one(tmp_path, ticks, settled):
    run, path = rig(tmp_path), tmp_path / "run.rec"
    writer = begun(run, path)
    for _ in range(ticks):
        run.turn()
        if settled:
            writer.settle()
    writer.close(run.now)
    found = list(decode_recording("run", path.read_bytes())[1])
    assert [number for number, tick in enumerate(found) if tick.digest] == sorted({*range(13, ticks, 14), ticks - 1})
    assert [tick.tick for tick in found] == list(range(1, ticks + 1))
    assert replay_file(path, None, tmp_path).equal


def test_what_is_old_is_in_the_file_while_the_world_goes_on(tmp_path):
    run, path = rig(tmp_path), tmp_path / "run.rec"
    writer = begun(run, path)
    held = []
    for _ in range(16):
        run.turn()
        held.append(count_ticks(path.read_bytes()))
    assert held == [0] * 6 + [6] * 7 + [14] * 3
    writer.close(run.now)


def test_a_replay_that_differs_ends_at_the_first_digest_that_does(tmp_path):
    run, path = rig(tmp_path), tmp_path / "run.rec"
    writer = begun(run, path)
    run.turn(20)
    writer.close(run.now)
    found = decode_recording("run", path.read_bytes())[1]
    wrong = [Tick(tick.tick, tick.digest and bytes(16)) if place >= 13 else tick for place, tick in enumerate(found)]
    path.write_bytes(MAGIC + encode_record(header_of(run)) + b"".join(map(encode_record, wrong)))
    again = replay_file(path, None, tmp_path)
    assert (again.equal, again.diverged_tick) == (False, 14)
    recorded = open_recording(path, None, tmp_path)
    assert [now.tick for now in recorded.snapshots()] == list(range(14))
    assert "from tick 14 on" in recorded.notes[-1]


def test_a_disk_that_is_full_at_once_holds_no_tick(tmp_path):
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("needs /dev/full")
    run = rig(tmp_path)
    writer = begun(run, full)
    run.turn(30)
    writer.close(run.now)
    assert run.now.tick == 30
    assert writer.problem == "holds no tick and no more: No space left on device"


@pytest.mark.parametrize("room", [3_000, 10_000, 15_001])
def test_a_full_disk_says_up_to_which_tick_the_file_holds_the_run(tmp_path, room):
    run, path = rig(tmp_path), tmp_path / "run.rec"
    writer, before = begun(run, path), resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, before[1]))
    try:
        for _ in range(600):
            run.send(control(accel=0.4))
            run.turn()
        writer.close(run.now)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    facts = recording_facts(path)
    assert path.stat().st_size == room
    assert 10 < facts["last_tick"] < 600
    assert writer.problem == f"holds ticks up to {facts['last_tick']:,} and no more: File too large"
