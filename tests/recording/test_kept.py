"""A run of an earlier version replays, and goes on from its middle, bit for bit.

Classes may move and change their names; the tags of commands, the names of noise streams and the leaves of the Snapshot
may not, as long as `PHYSICS_VERSION` is the same. `tests/recording/keep.py` made the files of `kept/`.
"""

from __future__ import annotations

import pytest

from dorosim.ground.noise import Noise
from dorosim.recording.format import decode_recording
from dorosim.recording.replay import replay
from dorosim.recording.snapshot import read_snapshot
from tests.recording.keep import FOLDER, SPLIT, TICKS, probe
from tests.system.rig import rig

KINDS = {"0.7": 72}
"""How many classes of commands there were."""
NAMES = sorted(path.stem for path in FOLDER.glob("*.rec"))


@pytest.fixture(params=NAMES)
def kept(request) -> str:
    """Name of the files; the test is skipped where the processor's functions differ from those that made them."""
    if (FOLDER / f"{request.param}.probe").read_text().strip() != probe():
        pytest.skip("sines and sums of this processor differ in the last bit from those of the one that made the files")
    return request.param


def ticks_of(name: str):
    return list(decode_recording(name, (FOLDER / f"{name}.rec").read_bytes())[1])


def test_the_recording_replays(kept, tmp_path):
    built = rig(tmp_path).built
    done = replay(built.scene, built.first, Noise(0), ticks_of(kept))
    assert (done.ticks, done.diverged) == (TICKS, None)


def test_the_snapshot_goes_on(kept, tmp_path):
    built = rig(tmp_path).built
    middle = read_snapshot(FOLDER / f"{kept}.snapshot").snapshot
    done = replay(built.scene, middle, Noise(0), ticks_of(kept)[SPLIT:])
    assert (done.ticks, done.diverged) == (TICKS - SPLIT, None)


def test_files_are_kept():
    assert NAMES


@pytest.mark.parametrize("name", NAMES)
def test_the_recording_has_every_command_there_was(name):
    """On any processor: what was written is read, and is what its writer meant."""
    found = {type(command).__name__ for tick in ticks_of(name) for command in tick.commands}
    assert len(found) == KINDS[name]
