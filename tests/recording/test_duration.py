"""Simulated time of recordings: ticks in which the run was paused, or waited for a step, take none."""

from __future__ import annotations

from pathlib import Path

import pytest

from dorosim.app.analyse.recording_file import print_recording, recording_facts
from dorosim.app.run.replay_script import frame_times
from dorosim.recording.duration import elapsed_ticks
from dorosim.recording.format import Tick, decode_recording, raw_ticks
from dorosim.recording.writer import RecordingWriter
from dorosim.world.actor.command import PauseRun
from dorosim.world.command import Source
from tests.recording.header import header_of
from tests.system.rig import rig

TICK = 0.01


def recorded(folder: Path, *, reset: bool = False) -> tuple[object, Path, list[float]]:
    """A run that drives, is paused, drives, waits for steps, and drives; its file; and its time after each tick [s]."""
    run, path = rig(folder), folder / "run.rec"
    writer, times = RecordingWriter(path), [0.0]
    writer.begin(header_of(run), run.now)
    before = 0

    def watch(now, _) -> None:
        nonlocal before
        times.append(times[-1] + (now.time - (before if now.tick > 1 else 0)) * 1e-9)
        before = now.time

    run.loop.observers = (writer, watch)
    run.turn(30)
    run.loop.put(Source.PEER, PauseRun(True))
    run.turn(7)
    run.loop.put(Source.PEER, PauseRun(False))
    run.turn(20)
    for _ in range(4):
        run.loop.turn(held=True)
    run.turn(10)
    if reset:
        run.loop.put(Source.PEER, PauseRun(True))
        run.turn(3)
        run.loop.reset()
        run.turn(15)
    writer.close()
    return run, path, times


@pytest.mark.parametrize("reset", [False, True])
def test_frames_have_the_simulated_times_of_the_run(tmp_path, reset):
    run, path, times = recorded(tmp_path, reset=reset)
    _, ticks = decode_recording("run", path.read_bytes())
    assert frame_times(run.built, tuple(ticks)) == pytest.approx(times, abs=1e-9)
    assert times[-1] < TICK * (len(times) - 1)


def test_the_information_of_a_recording_tells_its_simulated_time(tmp_path, capsys):
    _, path, times = recorded(tmp_path)
    facts = recording_facts(path)
    assert facts["duration_s"] == pytest.approx(times[-1])
    assert facts["held_ticks"] == len(times) - 1 - round(times[-1] / TICK) > 7
    print_recording(facts)
    told = capsys.readouterr().out
    assert f"{times[-1]:.2f} s simulated, time stood in {facts['held_ticks']} of them" in told


def test_commands_that_are_not_decoded_count_the_same(tmp_path):
    _, path, _ = recorded(tmp_path, reset=True)
    content = path.read_bytes()
    _, ticks = decode_recording("run", content)
    assert list(elapsed_ticks(raw_ticks("run", content))) == list(elapsed_ticks(ticks))


def test_a_recording_that_begins_in_a_pause_goes_on_when_it_is_told_to():
    ticks = [Tick(5, b""), Tick(6, b"", (PauseRun(False),)), Tick(7, b"", held=True), Tick(5, b""), Tick(6, b"")]
    assert list(elapsed_ticks(ticks, paused=True)) == [0, 1, 1, 1, 1]
    assert list(elapsed_ticks(ticks)) == [1, 2, 2, 3, 4]
    assert list(elapsed_ticks([])) == []
