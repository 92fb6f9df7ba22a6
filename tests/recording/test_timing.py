"""Wall times beside recordings: what they say, and that nothing depends on them."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np

from dorosim.endpoint.loop.clock import PacedClock
from dorosim.endpoint.loop.turn_timer import TurnTimer
from dorosim.recording.format import decode_recording
from dorosim.recording.timing import MAGIC, ROW, TimingWriter, read_timing, timing_path
from dorosim.recording.writer import RecordingWriter
from tests.app.recorded_drive import header_of, make_run, record


class _Watch:
    begun = 5_000_000_000
    late: int | None = 2_000_000


def written(path: Path, header: bytes = b"header") -> None:
    path.write_bytes(b"a recording")
    watch = _Watch()
    writer = TimingWriter(path, header, watch)
    writer.add(1, 5_000_700_000)
    watch.begun, watch.late = 5_010_000_000, None
    writer.add(2, 5_010_000_900)
    watch.begun, watch.late = 9_999_000_000_000, 1 << 60
    writer.add(3, 20_000_000_000_000)
    writer.close()


def test_times_come_back_as_they_were(tmp_path):
    path = tmp_path / "run.rec"
    written(path)
    found = read_timing(path, b"header", np.array([1, 2, 3]))
    assert found is not None
    assert found.tick.tolist() == [1, 2, 3]
    np.testing.assert_allclose(found.begun, (0.0, 0.01, 9994.0))
    np.testing.assert_allclose(found.step, (0.0007, 9e-7, (2**32 - 1) * 1e-9))
    np.testing.assert_allclose(found.late, (0.002, np.nan, (2**31 - 1) * 1e-6))
    part = found.between(1, 2)
    assert part is not None
    assert part.tick.tolist() == [2]
    assert found.between(3, 9) is None


def test_times_of_another_recording_are_none(tmp_path):
    path = tmp_path / "run.rec"
    assert read_timing(path, b"header", np.array([1])) is None
    written(path)
    assert read_timing(path, b"another", np.array([1, 2, 3])) is None
    assert read_timing(path, b"header", np.array([1, 2, 4])) is None
    assert read_timing(path, b"header", np.array([], np.int64)) is None
    place = timing_path(path)
    whole = place.read_bytes()
    place.write_bytes(whole[: -ROW.size - 3])
    shorter = read_timing(path, b"header", np.array([1, 2, 3]))
    assert shorter is not None
    assert len(shorter) == 1
    for broken in (b"", MAGIC, whole[: len(MAGIC) + 7], b"x" * 100):
        place.write_bytes(broken)
        assert read_timing(path, b"header", np.array([1, 2, 3])) is None


def test_a_run_leaves_the_times_of_its_ticks_and_the_same_recording(tmp_path):
    """Wall times differ from run to run; the recordings are the same bytes with and without them."""
    clock = PacedClock()
    plain, timed = tmp_path / "plain.rec", tmp_path / "timed.rec"
    record(plain, 30)
    before = time.monotonic()
    record(timed, 30, clock=clock)
    wall = time.monotonic() - before
    assert plain.read_bytes() == timed.read_bytes()
    assert not timing_path(plain).exists()
    timing_path(plain).write_bytes(b"of the run before")
    record(plain, 30)
    assert not timing_path(plain).exists()
    content = timed.read_bytes()
    _, ticks = decode_recording("run", content)
    numbers = np.array([tick.tick for tick in ticks])
    size = len(b"dorosim recording 1\n")
    header = content[size : size + 4 + int.from_bytes(content[size : size + 4], "little")]
    found = read_timing(timed, header, numbers)
    assert found is not None
    assert len(found) == 30
    assert (np.diff(found.begun) > 0.0).all()
    assert found.begun[-1] + found.step[-1] < wall
    assert (found.step > 0.0).all()
    # nobody waited for the clock, so each tick is as late as it is after its time
    np.testing.assert_allclose(np.diff(found.late), np.diff(found.begun) - 0.01, atol=2e-6)


def test_a_file_that_cannot_be_written_ends_the_times_and_nothing_else(tmp_path):
    path = tmp_path / "run.rec"
    timing_path(path).mkdir()
    record(path, 20, clock=PacedClock())
    assert len(list(decode_recording("run", path.read_bytes())[1])) == 20
    writer = RecordingWriter(Path("/dev/null"), TurnTimer())
    run = make_run(tmp_path)
    writer.begin(header_of(run), run.now)
    writer.close()
    assert not Path("/dev/null.timing").exists()


def test_a_watch_tells_how_late_a_turn_begins():
    watch, clock = TurnTimer(), PacedClock(2.0)
    clock.start(1_000_000_000)
    watch.begin(clock, 1_000_000_000)
    assert watch.late is not None
    assert 0 <= watch.late < 1e9
    watch.begin(clock, 3_000_000_000)
    assert watch.late < 0, "it is due a second later"
    watch.begin(clock, None)
    assert watch.late is None
    watch.begin(PacedClock(None), 5)
    assert watch.late is None
