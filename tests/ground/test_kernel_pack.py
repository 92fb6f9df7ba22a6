"""Kernels that come with dorosim are used where they fit, and nowhere else."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

from dorosim.app.run.kernel_list import GROUPS, listed
from dorosim.ground import kernel_pack
from dorosim.ground.kernel_pack import COMPILE, FEATURES, INDEX, PACK, Pack, here, key_of
from dorosim.ground.kernel_signature import read_type
from tools.kernel_sources import SOURCES, sources_of

CURE = "kernels have changed: `python -m tools.kernel_pack` compiles them anew"
MADE_FOR = json.loads(ZipFile(PACK).read(INDEX))["made_for"]
fits = pytest.mark.skipif(here() != MADE_FOR, reason=f"the kernels that come with dorosim are for {MADE_FOR}")
DRIVE = """
import hashlib, pickle, sys
from pathlib import Path
from dorosim.app.run.build import build
from dorosim.app.run.compile import rehearsal, sensor_rehearsal
from dorosim.app.setting.settings import Settings
from dorosim.app.store.scene import sensor_scene
from dorosim.ground.noise import Noise
from dorosim.sensor.rig import Rig
from dorosim.world.snapshot import EGO
from dorosim.world.step import step
from dorosim.world.vehicle.command import DriveVehicle
from dorosim.world.vehicle.mode import ControlKind

made, what, noise = build(Settings(), Path()), sys.argv[1], Noise(0)
commands = {"ego": (), "world": rehearsal(made), "sensor": (*rehearsal(made), *sensor_rehearsal(made))}[what]
before = step(made.scene, made.first, commands, noise)
rig = Rig(made.scene, noise, lambda: sensor_scene(made)) if what == "sensor" else None
for tick in range(300):
    pedals = DriveVehicle(EGO, ControlKind.PEDALS, accelerator=0.4, brake=0.5 * (tick > 200), steer=0.001 * (tick % 50))
    now = step(made.scene, before, (pedals,), noise)
    for reading in rig.read(before, now) if rig else ():
        print(hashlib.blake2b(pickle.dumps(reading)).hexdigest())
    before = now
print(before.digest().hex())
"""


def pack_of(folder: Path, **changes: object) -> Pack:
    """A pack of one kernel that is made of one file."""
    (folder / "ground").mkdir(exist_ok=True)
    (folder / "ground" / "sum.py").write_text("# a kernel")
    index = {
        "made_for": here(),
        "files": {"ground/sum.py": kernel_pack.digest_of(folder / "ground" / "sum.py")},
        "modules": {"dorosim.ground.sum": ["ground/sum.py"]},
        "groups": {"start": ["dorosim.ground.sum"]},
        "kernels": [key_of("dorosim.ground.sum", "total", "(f8)")],
    }
    with ZipFile(folder / "kernels.zip", "w") as written:
        written.writestr(key_of("dorosim.ground.sum", "total", "(f8)"), b"machine code")
        written.writestr(INDEX, json.dumps(index | changes))
    return Pack(folder / "kernels.zip", folder)


def test_a_kernel_is_found_by_module_name_and_types(tmp_path):
    pack = pack_of(tmp_path)
    assert pack.find("dorosim.ground.sum", "total", "(f8)") == b"machine code"
    assert pack.find("dorosim.ground.sum", "total", "(f4)") is None
    assert pack.find("dorosim.ground.sum", "mean", "(f8)") is None
    assert pack.find("dorosim.ground.product", "total", "(f8)") is None
    assert pack.holds_group("start")


def test_a_changed_source_is_compiled(tmp_path):
    pack_of(tmp_path)
    (tmp_path / "ground" / "sum.py").write_text("# another kernel")
    pack = Pack(tmp_path / "kernels.zip", tmp_path)
    assert pack.find("dorosim.ground.sum", "total", "(f8)") is None
    assert not pack.holds_group("start")
    (tmp_path / "ground" / "sum.py").unlink()
    assert Pack(tmp_path / "kernels.zip", tmp_path).find("dorosim.ground.sum", "total", "(f8)") is None


@pytest.mark.parametrize("place", range(4))
def test_another_system_python_numba_or_llvmlite_compiles(tmp_path, place):
    others = ["another" if index == place else one for index, one in enumerate(here())]
    pack = pack_of(tmp_path, made_for=others)
    assert pack.find("dorosim.ground.sum", "total", "(f8)") is None
    assert not pack.holds_group("start")


@pytest.mark.parametrize("lack", FEATURES)
def test_a_processor_that_lacks_something_compiles(monkeypatch, tmp_path, lack):
    features = {name: name != lack for name in FEATURES}
    monkeypatch.setattr(kernel_pack.binding, "get_host_cpu_features", lambda: features)
    assert pack_of(tmp_path).find("dorosim.ground.sum", "total", "(f8)") is None


@pytest.mark.parametrize("content", [b"", b"PK", b"no zip at all", bytes(1000)])
def test_a_broken_file_holds_nothing(tmp_path, content):
    (tmp_path / "kernels.zip").write_bytes(content)
    pack = Pack(tmp_path / "kernels.zip", tmp_path)
    assert pack.find("dorosim.ground.sum", "total", "(f8)") is None
    assert not pack.holds_group("start")


def test_a_file_cut_short_or_without_index_holds_nothing(tmp_path):
    pack_of(tmp_path)
    whole = (tmp_path / "kernels.zip").read_bytes()
    for length in range(0, len(whole), 7):
        (tmp_path / "kernels.zip").write_bytes(whole[:length])
        assert Pack(tmp_path / "kernels.zip", tmp_path).find("dorosim.ground.sum", "total", "(f8)") is None
    with ZipFile(tmp_path / "kernels.zip", "w") as written:
        written.writestr(INDEX, "[]")
    assert not Pack(tmp_path / "kernels.zip", tmp_path).holds_group("start")
    assert Pack(tmp_path / "missing.zip", tmp_path).find("dorosim.ground.sum", "total", "(f8)") is None


def test_a_kernel_is_made_of_what_defines_the_names_that_it_uses():
    found = sources_of("dorosim.world.vehicle.kernel", kernels_of("dorosim.world.vehicle.kernel"))
    functions, constants, tables = "tire_kernel.py", "mode.py", "state.py"
    assert {f"world/vehicle/{name}" for name in ("kernel.py", functions, constants, tables)} <= set(found)
    assert {"ground/jit.py", "ground/column.py", "ground/physics.py"} <= set(found)
    assert all((SOURCES / path).is_file() for path in found)


def test_a_kernel_is_not_made_of_what_only_its_neighbours_need():
    scan, weather = "dorosim.sensor.lidar.scan_kernel", SOURCES / "sensor/lidar/weather.py"
    found = sources_of(scan, kernels_of(scan))
    assert "sensor/lidar/weather.py" in found
    assert "from dorosim.world.environment.weather import" in weather.read_text()
    assert "world/environment/weather.py" not in found


def kernels_of(module: str) -> set[str]:
    """The kernels of a module that are listed."""
    return {name for group in GROUPS for found, name, _ in listed(group) if found == module}


def test_a_change_in_one_file_of_kernels_compiles_less_than_half_anew():
    """Machine code of the kernels that are made of each file, as a measure of the time to compile them."""
    with ZipFile(PACK) as written:
        modules = json.loads(written.read(INDEX))["modules"]
        sizes = {one.filename: one.file_size for one in written.infolist()}
    parts: dict[str, int] = {}
    for module, name, kinds in (entry for group in GROUPS for entry in listed(group)):
        size = sizes.get(key_of(module, name, tuple(map(read_type, kinds))), 0)
        for path in modules.get(module, ()):
            parts[path] = parts.get(path, 0) + size
    whole = parts["ground/jit.py"]
    assert whole > 1_000_000
    # what is beneath all kernels is how they are compiled, and none itself
    shares = {
        path: part / whole
        for path, part in parts.items()
        if path.endswith("_kernel.py") and not path.startswith("ground/")
    }
    assert len(shares) > 50
    assert max(shares.values()) < 0.5, max(shares, key=shares.__getitem__)


@fits
@pytest.mark.parametrize("group", GROUPS)
def test_all_kernels_of_the_list_have_come(group):
    pack = Pack(PACK, SOURCES)
    for module, name, kinds in listed(group):
        assert pack.holds(module, name, tuple(map(read_type, kinds))), f"{module} {name}: {CURE}"
    assert pack.holds_group(group), CURE


def test_what_has_come_names_nobodys_folder():
    with ZipFile(PACK) as pack:
        for name in pack.namelist():
            content = pack.read(name)
            assert str(SOURCES.parent).encode() not in content
            assert b"/home/" not in content


def driven(what: str, cache: Path, compiles: str) -> str:
    """What a drive ends with, by kernels that have come or that are compiled here."""
    environment = os.environ | {"XDG_CACHE_HOME": str(cache), COMPILE: compiles}
    command = [sys.executable, "-c", DRIVE, what]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=1200)
    assert done.returncode == 0, done.stderr
    compiled = any(cache.rglob("*.nbc"))
    assert compiled is (compiles == "1"), "what has come is not compiled, and what is asked for is"
    return done.stdout


@fits
@pytest.mark.parametrize("what", ["ego", *(pytest.param(one, marks=pytest.mark.soak) for one in ("world", "sensor"))])
def test_they_have_the_bits_of_those_compiled_here(tmp_path, what):
    assert driven(what, tmp_path / "come", "") == driven(what, tmp_path / "compiled", "1")
