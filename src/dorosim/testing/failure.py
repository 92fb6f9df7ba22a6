"""What is kept of a test that fails: its recording, its log and a video."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from dorosim.testing.pool import RecordedSimulator

VIDEO_TIMEOUT_S = 300.0
"""Wall time that a video may take [s]."""
VIDEO_SIZE = "640x360"


def failure_folder(folder: Path, test: str) -> Path:
    """The folder of a test, by its id as pytest has it: `FILE::TEST[PARAMETER]`."""
    return folder / re.sub(r"[^\w.-]+", "-", test).strip("-.")


def keep_failure(recorded: RecordedSimulator, folder: Path, *, video: bool) -> list[str]:
    """Keep what there is of a test in a folder.

    Args:
        recorded: the simulator, whose recording has ended.
        folder: made anew.
        video: whether a video is made.

    Returns:
        Lines that say what was kept and how to see it.
    """
    return list(_kept(recorded, folder, video=video))


def keep_recordings(recordings: Sequence[Path], folder: Path) -> list[str]:
    """Keep the recordings of scenarios of a test in a folder, beside what else is there.

    Returns:
        Lines that say what was kept and how to see it.
    """
    lines = []
    for number, path in enumerate(recordings):
        if path.is_file():
            folder.mkdir(parents=True, exist_ok=True)
            kept = folder / f"{path.stem}-{number}{path.suffix}"
            shutil.copyfile(path, kept)
            lines.append(f"recording: {kept}; the same run again: dorosim replay {kept}")
    return lines


def _kept(recorded: RecordedSimulator, folder: Path, *, video: bool) -> Iterator[str]:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    log = recorded.log or "the simulator reported nothing during this test\n"
    (folder / "dorosim.log").write_text(log, encoding="utf-8")
    yield f"log of the simulator: {folder / 'dorosim.log'}"
    if not recorded.simulator.program.alive:
        yield "the simulator ended during the test"
    if not recorded.recording.is_file():
        yield "there is no recording"
        return
    recording = folder / "test.rec"
    shutil.copyfile(recorded.recording, recording)
    yield f"recording: {recording}; the same drive again: dorosim replay {recording}"
    if video:
        yield _video(recording, folder / "test.mp4")


def _video(recording: Path, out: Path) -> str:
    """Make a video. Returns a line about it."""
    command = [sys.executable, "-m", "dorosim", "video", "--quiet", "--size", VIDEO_SIZE, str(recording), str(out)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=VIDEO_TIMEOUT_S, check=False)
    except subprocess.TimeoutExpired:
        return f"no video: it took longer than {VIDEO_TIMEOUT_S:g} s"
    if done.returncode:
        return f"no video: {done.stderr.strip().splitlines()[-1] if done.stderr.strip() else done.returncode}"
    return f"video: {out}"
