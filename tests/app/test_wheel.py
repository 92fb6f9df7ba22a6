"""The wheel that is published: whole without the checkout, and without what only developers use."""

from __future__ import annotations

import fcntl
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from hashlib import sha256
from pathlib import Path

import pytest

from dorosim import __version__
from tests.app.network import network_file
from tests.port import free_port

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    """The wheel, built as `make dist` builds it."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True)
    (made,) = folder.glob("*.whl")
    return made


@pytest.fixture(scope="module")
def bare(wheel, pytestconfig, tmp_path_factory) -> Path:
    """Python of a new environment with the wheel, and with the dependencies of this one: nothing is downloaded.

    It is kept as long as the wheel is the same: compiled kernels are looked up by the place of their sources.
    """
    cached = pytestconfig.pluginmanager.hasplugin("cacheprovider")
    around = pytestconfig.cache.mkdir("wheel") if cached else tmp_path_factory.mktemp("wheel")
    folder = around / sha256(wheel.read_bytes()).hexdigest()[:16]
    with (around / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # two processes of the tests may want it at once
        if not (folder / "whole").exists():
            for old in around.iterdir():
                if old.is_dir():
                    shutil.rmtree(old)
            subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
            packages = folder / f"lib/python{sys.version_info.major}.{sys.version_info.minor}/site-packages"
            (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
            with zipfile.ZipFile(wheel) as packed:
                packed.extractall(packages)
            (folder / "whole").touch()
    return folder / "bin/python"


def dorosim(bare: Path, folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [bare, "-m", "dorosim", *words]
    return subprocess.run(command, capture_output=True, text=True, cwd=folder, timeout=300, check=False)


def test_the_wheel_has_the_package_and_nothing_of_the_tools(wheel):
    assert wheel.name == f"dorosim-{__version__}-py3-none-any.whl"
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.split("/")[0] for name in names} == {"dorosim", f"dorosim-{__version__}.dist-info"}
    for needed in ("app/town.zip", "wire/grpc/generated/descriptors.binpb", "py.typed"):
        assert f"dorosim/{needed}" in names


def test_it_is_the_wheel_that_runs(bare, tmp_path):
    told = subprocess.run(
        [bare, "-c", "import dorosim; print(dorosim.__file__)"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=True,
    )
    assert Path(told.stdout.strip()).is_relative_to(bare.parents[1])


def test_doctor_and_a_drive(bare, tmp_path):
    checked = dorosim(bare, tmp_path, "doctor")
    assert checked.returncode in {0, 1}, checked.stderr
    assert f"dorosim {__version__}" in checked.stdout
    path = network_file(tmp_path, free_port(), free_port())
    closed = ("--no-view", "--grpc", "off", "--ros-server", "off")
    words = (
        *closed,
        "--network",
        path.name,
        "--speed",
        "max",
        "--duration",
        "2",
        "--record",
        "drive.rec",
        "--data",
        "data",
    )
    driven = dorosim(bare, tmp_path, "run", *words)
    assert driven.returncode == 0, driven.stderr
    replayed = dorosim(bare, tmp_path, "replay", "drive.rec", "--data", "data")
    assert replayed.returncode == 0, replayed.stderr


def test_the_bench_says_where_it_measures(bare, tmp_path):
    told = dorosim(bare, tmp_path, "bench", "codec")
    assert told.returncode == 2
    assert "clone its repository" in told.stderr
