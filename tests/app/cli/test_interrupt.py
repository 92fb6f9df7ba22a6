"""Ctrl-C at any moment of any command ends it without a word of a fault, and leaves nothing half written."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from dorosim.app.cli.main import app
from tests.app.command import SURROUNDINGS
from tests.app.recorded_drive import record
from tests.loaded import COMMAND

ENDS = (0, 1, 130, -signal.SIGINT)
"""How a command may end by Ctrl-C: done already, with what it found, or interrupted."""
BLIND_S = 0.1
"""Wall time in which Python itself starts, before any line of ours [s]."""
SOAK_MOMENTS = 20

QUICK = ("packet list", "map check town", "config show")
SLOW = (
    "run --ports auto --speed max --duration 1 --no-view",
    "sensor shot --after 0 --out shot.png",
    "sensor view --after 0 --out turn.png",
    "sensor ray --from=0,0,1.5 --to=40,3,1 --after 0",
    "sensor list",
    "config init made.toml",
    "config check made.toml",
    "map generate made --size small",
    "map plot town --out town.png",
    "map info town",
    "plot drive.rec --out drive.png",
    "video drive.rec drive.mp4 --size 320x180",
    "replay drive.rec",
    "recording info drive.rec",
    "bag record drive.rec drive.mcap",
    "bag info none.mcap",
    "bag repair none.mcap",
    "bag replay none.mcap",
    "state show none.snap",
    "state diff none.snap none.snap",
    "packet show EgoVehicleStatus",
    "packet decode --hex 00",
    "grpc proto stubs",
    "ros msgs package",
    "scenario check none.json",
    "scenario show none.xosc",
    "scenario coverage",
    "scenario run none.xosc",
    "scenario export none.rec out.xosc",
    "sweep run none.toml",
    "sweep check none.toml",
    "sweep again none 1",
    "sweep report none",
    "sweep compare none none",
    "map lanes none.xodr --step 5 --csv lanes.csv",
    "map convert none none.xodr",
    "doctor",
)
NOT_TRIED = {"bench"}
"""It measures for minutes, and each of its figures is what another command does."""


def test_every_command_is_tried():
    tried = {" ".join(words.split()[:2]) for words in (*QUICK, *SLOW)}
    groups = {group.name: group.typer_instance for group in app.registered_groups}
    every = {one.callback.__name__ for one in app.registered_commands}
    for name, group in groups.items():
        every |= {f"{name} {one.name or one.callback.__name__}" for one in group.registered_commands}
    untried = {words for words in every if words not in tried and words not in {one.split()[0] for one in tried}}
    assert untried == NOT_TRIED


def interrupted(words: str, folder: Path, after: float) -> tuple[float | None, str]:
    """Start a command, and press Ctrl-C after so long [s].

    Returns:
        How long the command took where it was over before, None where it was not; and what was wrong, "" for nothing.
    """
    before = set(folder.rglob("*"))
    started = time.monotonic()
    process = subprocess.Popen(
        [*COMMAND, *words.split()],
        cwd=folder,
        env=os.environ | SURROUNDINGS | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    took = None
    try:
        process.wait(after)
        took = time.monotonic() - started
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=60)
    # a traceback without a line of ours is of Python itself, which still starts
    problem = told if "fault of dorosim" in told or f"{os.sep}dorosim{os.sep}" in told else ""
    if process.returncode not in ENDS and not (process.returncode == 2 and took is not None):
        problem += f"status {process.returncode}: {told}"
    left = [str(path) for path in set(folder.rglob("*")) - before if path.name.endswith((".part", ".new", ".tmp"))]
    return took, problem + "".join(f"left: {path}" for path in left)


def over_its_life(words: str, folder: Path, moments: int) -> dict[float, str]:
    """Press Ctrl-C at moments over the life of a command; what was wrong, by the moment."""
    took, _ = interrupted(words, folder, 300.0)
    assert took is not None
    problems = {}
    for k in range(moments):
        moment = BLIND_S + (took - BLIND_S) * k / moments
        _, problem = interrupted(words, folder, moment)
        if problem:
            problems[moment] = problem
    return problems


@pytest.mark.parametrize("words", QUICK)
def test_ctrl_c_early_is_no_fault(words, tmp_path):
    assert over_its_life(words, tmp_path, 5) == {}


@pytest.mark.soak
@pytest.mark.parametrize("words", [*QUICK, *SLOW])
def test_ctrl_c_at_any_moment_is_no_fault(words, tmp_path):
    record(tmp_path / "drive.rec")
    assert over_its_life(words, tmp_path, SOAK_MOMENTS) == {}


def test_an_error_that_a_library_makes_of_an_interrupt_is_no_fault(tmp_path):
    script = (
        "import os, signal, sys\n"
        "from dorosim.app.cli.interrupt import Interrupts\n"
        "import dorosim.app.cli.main as m\n"
        "def lost(**_):\n"
        "    try:\n"
        "        os.kill(os.getpid(), signal.SIGINT)\n"
        "        for _ in range(10**7): pass\n"
        "    except KeyboardInterrupt:\n"
        "        raise {error}('cannot be loaded')\n"
        "    print('came to its end')\n"
        "m.app_for = lambda _: lost\n"
        "m.main()\n"
    )
    for error in ("ImportError", "SystemError", "RuntimeError", "AttributeError"):
        done = subprocess.run(
            [sys.executable, "-c", script.format(error=error)],
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )
        assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_an_interrupt_that_a_callback_loses_comes_again(tmp_path):
    script = (
        "import os, signal, time\n"
        "import dorosim.app.cli.main as m\n"
        "class Loses:\n"
        "    def __del__(self):\n"
        "        os.kill(os.getpid(), signal.SIGINT)\n"
        "        for _ in range(10**6): pass\n"
        "def lost(**_):\n"
        "    Loses()\n"
        "    time.sleep(20)\n"
        "    print('came to its end')\n"
        "m.app_for = lambda _: lost\n"
        "m.main()\n"
    )
    begun = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")
    assert time.monotonic() - begun < 19.0
