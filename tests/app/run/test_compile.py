"""What is compiled ahead is all that runs with sensors need, and who has to wait is told."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
from numba.core.dispatcher import Dispatcher
from rich.console import Console

import dorosim.sensor
from dorosim.app.run.compile import alone, read_sensors, rehearsal, sensor_rehearsal
from dorosim.app.run.kernel_warmup import (
    FIRST_SENSORS,
    FIRST_START,
    POLITENESS,
    Kernels,
    first_sensors,
    prepare_kernels,
)
from dorosim.ground import jit, kernel_pack
from dorosim.ground.noise import Noise
from dorosim.sensor.rig import Rig
from dorosim.world.mount.command import AddSensor
from dorosim.world.mount.setting import (
    CameraSettings,
    Lidar2dSettings,
    Lidar3dSettings,
    LidarIntensity,
    LidarModel,
    LidarReturn,
    SensorKind,
)
from dorosim.world.snapshot import EGO
from dorosim.world.step import step
from tests.sensor.scene.town import town, town_scene

CALLED_BY_KERNELS = {"quaternion_from_rotation"}
ROOT = Path(dorosim.sensor.__file__).parent
OTHER_SETTINGS = (
    *(Lidar3dSettings(model=model, returns=LidarReturn.DUAL, ideal=True) for model in LidarModel),
    *(Lidar3dSettings(intensity=intensity, returns=LidarReturn.LAST) for intensity in LidarIntensity),
    *(Lidar2dSettings(intensity=intensity) for intensity in LidarIntensity),
    CameraSettings(width=32, height=24, focal_length=(20.0, 21.0), principal_point=(15.0, 12.0)),
    CameraSettings(width=32, height=24, samples=4, exposure=1.0),
)


@pytest.fixture
def all_compiled_here(monkeypatch):
    """As where no kernels have come with dorosim that fit."""
    monkeypatch.setattr(kernel_pack, "pack", lambda: None)


def kernels() -> list[Dispatcher]:
    """All that Python calls, but for those of the bench, of scenes of maps, which are cached as files, and of agents.

    Runs have no agents: environments compile theirs.
    """
    found = []
    for path in sorted(ROOT.rglob("*kernel.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        if parts[-1] == "bare_kernel" or parts[0] == "agent" or "static" in parts:
            continue
        name = ".".join((dorosim.sensor.__name__, *parts))
        for one in vars(import_module(name)).values():
            if isinstance(one, Dispatcher) and one.py_func.__module__ == name:
                found += [] if one.targetoptions.get("no_cpython_wrapper") else [one]
    return found


def read(*commands: AddSensor) -> None:
    """Read everything once, and a whole turn of what spins."""
    made, noise = town(), Noise(0)
    before = step(made.scene, made.first, (*rehearsal(made), *commands), noise)
    assert not before.refusals
    rig = Rig(made.scene, noise, town_scene)
    read_sensors(made.scene, before, rig, noise)
    assert not rig.problems


def test_the_rehearsal_has_every_kind_uses_every_kernel_and_leaves_none_to_other_settings():
    cast = sensor_rehearsal(town())
    assert {command.settings.KIND for command in cast if isinstance(command, AddSensor)} == set(SensorKind)
    read(*cast)
    used = kernels()
    assert len(used) > 8
    assert [
        one.py_func.__name__ for one in used if not one.signatures and one.py_func.__name__ not in CALLED_BY_KERNELS
    ] == [], "these are compiled when they are first needed"
    versions = [list(one.signatures) for one in used]
    read(*(AddSensor(EGO, settings=settings) for settings in OTHER_SETTINGS))
    assert [list(one.signatures) for one in used] == versions


@pytest.mark.parametrize("there", [False, True])
def test_a_run_with_sensors_says_that_it_compiles(monkeypatch, there):
    monkeypatch.setattr(jit, "is_complete", lambda floors: there)
    monkeypatch.setattr("dorosim.app.run.kernel_warmup.compile_listed", lambda *_: None)
    console = Console(file=io.StringIO(), width=120)
    with first_sensors(console):
        pass
    assert (FIRST_SENSORS in console.file.getvalue()) is not there


@pytest.mark.usefixtures("all_compiled_here")
def test_the_world_and_the_sensors_are_complete_each_by_itself(monkeypatch, tmp_path):
    monkeypatch.setattr(jit, "cache_folder", lambda floors=jit.KERNEL_FLOORS: tmp_path / floors[-1])
    assert not jit.is_complete()
    jit.mark_complete()
    assert jit.is_complete()
    assert not jit.is_complete(jit.SENSOR_FLOORS)
    jit.mark_complete(jit.SENSOR_FLOORS)
    assert jit.is_complete(jit.SENSOR_FLOORS)


def test_kernels_are_complete_for_one_place_and_processor_whatever_the_dates(monkeypatch, tmp_path):
    for copy in ("one", "two"):
        module = tmp_path / copy / "ground" / "sum_kernel.py"
        module.parent.mkdir(parents=True)
        module.write_text("# the same")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(jit, "cache_folder", jit.cache_folder.__wrapped__)

    monkeypatch.setattr(jit, "_sources", lambda: tmp_path / "one")
    jit.mark_complete(("ground",))
    os.utime(tmp_path / "one" / "ground" / "sum_kernel.py", (0, 0))
    assert jit.is_complete(("ground",)), "a fresh checkout has other dates"
    monkeypatch.setattr(jit, "_sources", lambda: tmp_path / "two")
    assert not jit.is_complete(("ground",)), "numba looks kernels up by the place of their sources"
    monkeypatch.setattr(jit, "_sources", lambda: tmp_path / "one")
    monkeypatch.setattr(jit, "_processor", lambda: "another")
    assert not jit.is_complete(("ground",)), "and by the processor: the folder may be kept by a CI, which has many"


def test_numba_loads_what_was_compiled_from_a_file_of_another_date(monkeypatch, tmp_path):
    source = "import numba\n\n\n@numba.njit(cache=True)\ndef twice(x):\n    return 2 * x\n\n\nassert twice(21) == 42\n"
    source += "print(sum(twice.stats.cache_hits.values()), sum(twice.stats.cache_misses.values()))\n"
    module = tmp_path / "twice.py"
    found = []
    for date in (1_000_000_000, 1_100_000_000):
        module.write_text(source)
        os.utime(module, (date, date))
        environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
        command = [sys.executable, str(module)]
        found.append(subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout)
    assert found == ["0 1\n", "1 0\n"], "the marks hold for sources of any date"


@pytest.mark.usefixtures("all_compiled_here")
def test_a_start_is_cold_until_one_has_compiled_what_it_needs(monkeypatch, tmp_path):
    monkeypatch.setattr(jit, "cache_folder", lambda floors=jit.KERNEL_FLOORS: tmp_path / floors[-1])
    (tmp_path / jit.KERNEL_FLOORS[-1]).mkdir()
    assert jit.is_cold(), "a start that was broken off has left the folder"
    jit.mark_started()
    assert not jit.is_cold()
    assert not jit.is_complete()


@pytest.mark.parametrize("cold", [False, True])
def test_a_first_start_says_so_where_no_line_moves(monkeypatch, capfd, cold):
    monkeypatch.setattr(jit, "is_cold", lambda: cold)
    monkeypatch.setattr(jit, "is_complete", lambda *_: True)
    monkeypatch.setenv("FORCE_COLOR", "1")
    # rich takes the console for a terminal then, but a file is none
    with prepare_kernels(Console(stderr=True)):
        assert (FIRST_START in capfd.readouterr().err) is cold


class Made:
    """A process that compiles, and how nice it is by now."""

    def __init__(self) -> None:
        self.process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)

    @property
    def niceness(self) -> int:
        return os.getpriority(os.PRIO_PROCESS, self.process.pid)


@pytest.mark.skipif(not hasattr(os, "setpriority"), reason="this system has no priorities of processes")
@pytest.mark.parametrize("waited", [False, True])
def test_who_compiles_stands_back_unless_somebody_waits(monkeypatch, waited):
    made, before = Made(), os.getpriority(os.PRIO_PROCESS, 0)
    seen, there = [], iter((False, False, True))
    uses = [("kernels", lambda: seen.append(made.niceness - before))]
    monkeypatch.setattr("dorosim.app.run.kernel_warmup.start_uses", lambda *_: uses)
    monkeypatch.setattr("dorosim.app.run.kernel_warmup._step", lambda *_: seen.append(made.niceness - before))
    monkeypatch.setattr(jit, "mark_started", lambda: None)
    monkeypatch.setattr("dorosim.app.run.kernel_warmup.compile_listed", lambda *_: None)
    monkeypatch.setattr(jit, "is_complete", lambda *_: (seen.append(made.niceness - before), next(there))[1])
    try:
        kernels = Kernels(Console(file=io.StringIO()), (made.process,))
        kernels.prepare(None, None, (object(),) if waited else ())
        assert seen == ([0, 0, 0, 0, POLITENESS] if waited else [POLITENESS])
    finally:
        made.process.communicate(b"\n")


class Compiling:
    """A process that compiles for so many looks at it."""

    def __init__(self, looks: int) -> None:
        self.looks = looks

    def poll(self) -> int | None:
        self.looks -= 1
        return None if self.looks >= 0 else 0


def test_who_needs_all_kernels_waits_for_them_or_for_the_end_of_the_process(monkeypatch):
    monkeypatch.setattr(jit, "is_complete", lambda *_: False)
    console = Console(file=io.StringIO())
    assert Kernels(console).wait(0.0)
    kernels = Kernels(console, (Compiling(looks=3),))
    assert not kernels.wait(0.0)
    assert kernels.wait(5.0), "it has ended: nobody else compiles them"
    kernels = Kernels(console, (Compiling(looks=1_000),))
    assert not kernels.wait(0.1)
    monkeypatch.setattr(jit, "is_complete", lambda *_: True)
    assert kernels.wait(0.0)


def test_programs_that_start_side_by_side_compile_one_after_the_other(tmp_path):
    fcntl = pytest.importorskip("fcntl")
    with (tmp_path / "lock").open("ab") as other:
        with alone(tmp_path), pytest.raises(BlockingIOError):
            fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
        fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)


def test_a_folder_that_cannot_be_written_keeps_no_program_from_compiling(tmp_path):
    with alone(tmp_path / "missing"):
        pass
