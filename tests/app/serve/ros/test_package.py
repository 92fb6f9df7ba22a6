"""`dorosim ros msgs DIR`: a package that ROS 1 builds, and nothing of the user's is lost."""

from __future__ import annotations

import json
import re
import subprocess
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from typer.testing import CliRunner

from dorosim.app.cli.main import app
from dorosim.app.store import ros_package
from dorosim.ground.error import InputError
from dorosim.wire.ros.registry import GENERATIONS, registry_of

PYTHON = Path("/usr/bin/python3")
SUMS = r"""
import json, pathlib, sys
from genmsg import MsgContext, load_depends, load_msg_by_type
from genmsg.gentools import compute_md5
from genmsg.msg_loader import load_srv_from_file
folder = pathlib.Path(sys.argv[1])
search = {"morai_msgs": [str(folder / "msg")]}
search.update({name: [f"/usr/share/{name}/msg"] for name in ("std_msgs", "geometry_msgs", "sensor_msgs")})
context, sums = MsgContext.create_default(), {}
for path in folder.glob("msg/*.msg"):
    spec = load_msg_by_type(context, f"morai_msgs/{path.stem}", search)
    load_depends(context, spec, search)
    sums[path.stem] = compute_md5(context, spec)
for path in folder.glob("srv/*.srv"):
    spec = load_srv_from_file(context, str(path), f"morai_msgs/{path.stem}")
    load_depends(context, spec, search)
    sums[path.stem] = compute_md5(context, spec)
json.dump(sums, sys.stdout)
"""


def msgs(*arguments):
    return CliRunner().invoke(app, ["ros", "msgs", *map(str, arguments)])


def files_in(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("generation", GENERATIONS)
def test_ros_reads_the_definitions_and_finds_the_sums_of_the_official_package(tmp_path, generation):
    tools = [PYTHON, "-c", "import genmsg; open('/usr/share/geometry_msgs/msg/Vector3.msg')"]
    if not PYTHON.exists() or subprocess.run(tools, capture_output=True, check=False).returncode:
        pytest.skip("needs genmsg and message definitions of ROS 1 as Debian has them")
    run = msgs(tmp_path, "--generation", generation)
    assert run.exit_code == 0, run.output
    done = subprocess.run(
        [PYTHON, "-c", SUMS, str(tmp_path / "morai_msgs")],
        env={"PATH": "/usr/bin:/bin", "LC_ALL": "C", "PYTHONUTF8": "0"},
        capture_output=True,
        text=True,
        check=True,
    )
    found = json.loads(done.stdout)
    registry = registry_of(generation)  # whose sums are those of the facts: tests/wire/ros/test_registry.py
    known = {name: registry.services[name].md5 for name in registry.services}
    known |= {name: registry.md5(name) for name in registry.types}
    assert found == {name: known[f"morai_msgs/{name}"] for name in found}
    assert len(found) > 55


MODULES = r"""
import json, sys
import morai_msgs.msg, morai_msgs.srv
sums = {}
for module in (morai_msgs.msg, morai_msgs.srv):
    sums |= {one._type: one._md5sum for one in vars(module).values() if hasattr(one, "_md5sum")}
command = morai_msgs.msg.CtrlCmd(longlCmdType=2, accel=0.25, velocity=36.0)
from io import BytesIO
out = BytesIO()
command.serialize(out)
json.dump([sums, out.getvalue().hex()], sys.stdout)
"""


@pytest.mark.parametrize("generation", GENERATIONS)
def test_python_modules_are_those_of_the_generation_and_write_its_bytes(tmp_path, generation):
    tools = [PYTHON, "-c", "import genpy.generator, std_msgs.msg, geometry_msgs.msg, sensor_msgs.msg"]
    if not PYTHON.exists() or subprocess.run(tools, capture_output=True, check=False).returncode:
        pytest.skip("needs genpy and messages of ROS 1 as Debian has them")
    run = msgs(tmp_path, "--python", "--generation", generation)
    assert run.exit_code == 0, run.output
    assert run.output.endswith(f"generation {generation}, {len(files_in(tmp_path))} files written, 0 there already\n")
    assert "0 files written" in msgs(tmp_path, "--python", "--generation", generation).output
    done = subprocess.run(
        [PYTHON, "-B", "-c", MODULES],
        env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    sums, written = json.loads(done.stdout)
    registry = registry_of(generation)
    known = {name: service.md5 for name, service in registry.services.items()}
    known |= {name: registry.md5(name) for name in registry.types}
    assert len(sums) > 55
    assert {name: known[name] for name in sums} == sums
    command = registry.make("morai_msgs/CtrlCmd", longlCmdType=2, accel=0.25, velocity=36.0)
    assert bytes(registry.encode(command)).hex() == written


def test_without_genpy_it_is_told_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setattr(ros_package, "SYSTEM_PYTHON", "/nowhere/python3")
    monkeypatch.setattr("sys.executable", "/nowhere/python")
    run = msgs(tmp_path, "--python")
    assert isinstance(run.exception, InputError)
    assert "has genpy" in str(run.exception)
    assert "apt install python3-genpy" in str(run.exception)
    assert files_in(tmp_path) == {}


def test_the_package_lists_its_files_and_what_they_need(tmp_path):
    run = msgs(tmp_path, "--json")
    told = json.loads(run.output)
    folder = tmp_path / "morai_msgs"
    files = files_in(folder)
    assert told == {"folder": str(folder), "generation": "2024", "written": len(files), "kept": 0}
    cmake = (folder / "CMakeLists.txt").read_text()
    definitions = {Path(name).name for name in files if name.endswith((".msg", ".srv"))}
    assert set(re.findall(r"\w+\.(?:msg|srv)", cmake)) == definitions
    package = ElementTree.fromstring(files["package.xml"])
    assert package.findtext("name") == "morai_msgs"
    depends = {one.text for one in package.findall("depend")}
    used = {found for text in files.values() for found in re.findall(r"^(\w+)/\w+ ", text.decode(), re.MULTILINE)}
    assert depends == used | {"std_msgs"}
    assert not any(b"documents/" in text or b"facts/" in text for text in files.values())


def test_each_generation_is_written_and_no_other_one(tmp_path):
    written = {}
    for generation in GENERATIONS:
        msgs(tmp_path / generation, "--generation", generation)
        written[generation] = files_in(tmp_path / generation)
    assert b"steering" in written["2022"]["morai_msgs/msg/CtrlCmd.msg"]
    assert b"front_steer" in written["26.r1"]["morai_msgs/msg/CtrlCmd.msg"]
    assert "morai_msgs/msg/GVDirectCmd.msg" not in written["2022"]
    run = msgs(tmp_path, "--generation", "2023")
    assert str(run.exception) == "--generation: there is no generation '2023'; use 2022, 2024, 24.r2, 26.r1"


def test_files_of_users_are_kept_unless_forced(tmp_path):
    foreign = tmp_path / "morai_msgs/msg/CtrlCmd.msg"
    foreign.parent.mkdir(parents=True)
    foreign.write_text("int32 mine\n")
    run = msgs(tmp_path)
    assert isinstance(run.exception, InputError)
    assert "CtrlCmd.msg is there and differs; give another folder, or --force" in str(run.exception)
    assert files_in(tmp_path) == {"morai_msgs/msg/CtrlCmd.msg": b"int32 mine\n"}
    assert msgs(tmp_path, "--force").exit_code == 0
    assert foreign.read_text() != "int32 mine\n"
    assert "0 files written" in msgs(tmp_path).output
