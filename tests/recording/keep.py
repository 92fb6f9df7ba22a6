"""Makes the files of `kept/`: a run of this version, which later versions must replay and go on with, bit for bit.

    python -m tests.recording.keep NAME

`NAME.rec` is a recording of `TICKS` ticks of the built-in town under every command of the world, `NAME.snapshot` the
state after `SPLIT` of them, and `NAME.probe` what this machine makes of some functions: where another makes something
else of them, its runs go another way in the last bits, and the files prove nothing there. New ones are made when
`dorosim.world.physics.PHYSICS_VERSION` is raised, and at no other time.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from dorosim.ground.jit import kernel
from dorosim.recording.snapshot import write_snapshot
from dorosim.recording.writer import RecordingWriter
from dorosim.world.actor.command import Category, RemoveCategories
from dorosim.world.command import Command, Source
from dorosim.world.mount.command import RemoveAllSensors
from tests.recording.header import header_of, run_header
from tests.system.chooser import Chooser
from tests.system.command_generator import any_command
from tests.system.living_world import first_commands, later_commands
from tests.system.rig import Rig, rig

FOLDER = Path(__file__).with_name("kept")
TICKS, SPLIT = 500, 210
QUIET = 150
"""Ticks in which the world has its own commands only: people walk, vehicles drive, programmes go round."""

LAST = {
    TICKS - 20: (RemoveAllSensors(),),
    TICKS - 10: (RemoveCategories(Category.PEDESTRIAN | Category.OBSTACLE),),
}
"""What leaves little behind comes at the end."""


def probe() -> str:
    """A digest of what this machine makes of functions that are not the same to the last bit everywhere."""
    x = np.linspace(-20.0, 20.0, 4001)
    made = (
        np.sin(x),
        np.cos(x),
        np.tan(x),
        np.exp(x),
        np.arctan2(x, 1.5),
        np.hypot(x, 0.3),
        np.abs(x) ** 0.7,
        compiled(x),
    )
    return hashlib.blake2b(b"".join(part.tobytes() for part in made), digest_size=16).hexdigest()


@kernel
def compiled(x: np.ndarray) -> np.ndarray:
    """The same functions as kernels have them, and sums that a processor might fuse."""
    out = np.empty_like(x)
    for i in range(len(x)):
        out[i] = np.sin(x[i]) * np.cos(x[i]) + np.exp(-abs(x[i])) * x[i] + np.arctan2(x[i], 1.5) * np.sqrt(abs(x[i]))
    return out


def keep(name: str) -> None:
    """Run, and write the three files."""
    with TemporaryDirectory() as folder:
        run = rig(Path(folder))
        FOLDER.mkdir(exist_ok=True)
        writer = RecordingWriter(FOLDER / f"{name}.rec")
        writer.begin(header_of(run), run.now)
        run.loop.observers = (writer,)
        for commands in _commands(run):
            for command in commands:
                run.loop.put(Source.SCENARIO, command)
            if run.turn().tick == SPLIT:
                write_snapshot(FOLDER / f"{name}.snapshot", run_header(run), run.now)
        writer.close()
    (FOLDER / f"{name}.probe").write_text(probe() + "\n")


def _commands(run: Rig) -> Iterator[Sequence[Command]]:
    """What is asked before each tick: of a living world, and after a while of anything."""
    scene, chooser = run.built.scene, Chooser(7, run.built.scene)
    for tick in range(TICKS):
        asked = list(later_commands(scene, tick) if tick else first_commands(scene))
        if tick > QUIET:
            chooser.look(run.now)
            asked += [any_command(chooser) for _ in range(chooser.one_of((0, 0, 1, 1, 2, 4)))]
        asked += LAST.get(tick, ())
        yield asked


if __name__ == "__main__":
    keep(sys.argv[1])
