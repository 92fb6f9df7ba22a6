"""The ROS package morai_msgs, to be built in a user's workspace: `dorosim ros msgs`.

With `--python` it is written as Python modules, for users with rospy and without catkin: genpy of ROS makes them, as it
does for catkin. It needs no place of its own here: the Python that it is installed for runs it, which with Debian's ROS
is the system's and seldom that of dorosim.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from dorosim import __version__
from dorosim.ground.error import InputError
from dorosim.wire.ros.registry import GENERATIONS, registry_of

PACKAGE = "morai_msgs"
SYSTEM_PYTHON = "/usr/bin/python3"
_GENPY_TIMEOUT_S = 120.0
"""Wall time that genpy may take [s]; it takes two."""
_GENERATE = f"""\
import sys
from pathlib import Path
from genpy.generate_initpy import write_module, write_modules
from genpy.generator import MsgGenerator, SrvGenerator
source, out = Path(sys.argv[1]), Path(sys.argv[2])
search = {{folder.name: [str(folder / "msg")] for folder in source.iterdir()}}
failed = 0
for generator, kind in ((MsgGenerator(), "msg"), (SrvGenerator(), "srv")):
    files = sorted(map(str, source.glob(f"{PACKAGE}/{{kind}}/*.{{kind}}")))
    failed |= generator.generate_messages("{PACKAGE}", files, str(out / kind), search)
    write_modules(str(out / kind))
write_module(str(out), [])
sys.exit(failed)
"""
_ASCII = str.maketrans({"²": "^2", "³": "^3", "°": " deg"})
"""Generators of ROS 1 read definitions by the locale, which may know no more than ASCII."""

_PACKAGE_XML = """\
<?xml version="1.0"?>
<package format="2">
  <name>{package}</name>
  <version>{version}</version>
  <description>Messages and services of MORAI SIM, generation {generation}, written by dorosim.</description>
  <maintainer email="nobody@example.org">nobody</maintainer>
  <license>Apache-2.0</license>
  <buildtool_depend>catkin</buildtool_depend>
{depends}
  <build_depend>message_generation</build_depend>
  <exec_depend>message_runtime</exec_depend>
</package>
"""
_CMAKE = """\
cmake_minimum_required(VERSION 3.0.2)
project({package})
find_package(catkin REQUIRED COMPONENTS message_generation {depends})
add_message_files(FILES
{messages}
)
add_service_files(FILES
{services}
)
generate_messages(DEPENDENCIES {depends})
catkin_package(CATKIN_DEPENDS message_runtime {depends})
"""


def ros_package(generation: str) -> dict[Path, bytes]:
    """The files of the package morai_msgs as catkin builds it, by their paths, which begin with its name.

    Raises:
        InputError: there is no such generation.
    """
    texts = definitions_of(generation)
    depends = sorted({name for text in texts.values() for name in re.findall(r"^(\w+)/", text, re.MULTILINE)})
    depends = sorted({*depends, "std_msgs"} - {PACKAGE})
    files = {
        "package.xml": _PACKAGE_XML.format(
            package=PACKAGE,
            version=__version__,
            generation=generation,
            depends="\n".join(f"  <depend>{name}</depend>" for name in depends),
        ),
        "CMakeLists.txt": _CMAKE.format(
            package=PACKAGE,
            depends=" ".join(depends),
            messages="\n".join(f"  {Path(name).name}" for name in texts if name.endswith(".msg")),
            services="\n".join(f"  {Path(name).name}" for name in texts if name.endswith(".srv")),
        ),
        **texts,
    }
    return {Path(PACKAGE, name): text.encode("ascii") for name, text in files.items()}


def definitions_of(generation: str) -> dict[str, str]:
    """Texts of all messages and services of the package by path in it, in order.

    Raises:
        InputError: there is no such generation.
    """
    if generation not in GENERATIONS:
        raise InputError("--generation", "", f"there is no generation {generation!r}", f"use {', '.join(GENERATIONS)}")
    registry = registry_of(generation)
    halves = {half for one in registry.services.values() for half in (one.request, one.response)}
    messages = [name for name in registry.types if name.startswith(f"{PACKAGE}/") and name not in halves]
    texts = {f"msg/{name.partition('/')[2]}.msg": registry.text(name) for name in messages}
    for name, service in sorted(registry.services.items()):
        if name.startswith(f"{PACKAGE}/"):
            texts[f"srv/{name.partition('/')[2]}.srv"] = service.text
    return {name: plain_text(text) for name, text in texts.items()}


def plain_text(text: str) -> str:
    """A definition without the line that names the sources of ours, in ASCII."""
    lines = [line for line in text.strip("\n").split("\n") if not line.startswith("# Source:")]
    return "\n".join(lines).translate(_ASCII) + "\n"


def ros_modules(generation: str) -> dict[Path, bytes]:
    """The modules `msg/_NAME.py` and `srv/_NAME.py` with their packages, by their paths, which begin with its name.

    Raises:
        InputError: there is no such generation, or no genpy, or it fails.
    """
    texts = {f"{PACKAGE}/{name}": text for name, text in definitions_of(generation).items()}
    registry = registry_of(generation)
    for name in registry.types:  # what those of the package are made of
        package, _, own = name.partition("/")
        if package != PACKAGE:
            texts[f"{package}/msg/{own}.msg"] = plain_text(registry.text(name))
    python = _python_with_genpy()
    with tempfile.TemporaryDirectory() as place:
        source, out = Path(place, "source"), Path(place, "out")
        _write(source, texts)
        done = _run(python, "-c", _GENERATE, str(source), str(out))
        if done.returncode:
            lines = done.stderr.strip().splitlines() or [f"it ended with {done.returncode}"]
            raise InputError("--python", "", f"genpy of {python} fails: {lines[-1]}", "is it that of ROS 1?")
        return {Path(PACKAGE, path.relative_to(out)): path.read_bytes() for path in sorted(out.rglob("*.py"))}


def _write(folder: Path, texts: Mapping[str, str]) -> None:
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="ascii")


def _python_with_genpy() -> str:
    """The Python that has genpy: this one, or the system's.

    Raises:
        InputError: neither has.
    """
    for python in (sys.executable, SYSTEM_PYTHON):
        try:
            if _run(python, "-c", "import genpy.generator, genpy.generate_initpy").returncode == 0:
                return python
        except FileNotFoundError:
            continue
    cure = "install it, in Debian with 'apt install python3-genpy', or build without --python by catkin"
    raise InputError(
        "--python", "", f"neither this Python nor {SYSTEM_PYTHON} has genpy, which makes the modules", cure
    )


def _run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        words, capture_output=True, text=True, errors="replace", timeout=_GENPY_TIMEOUT_S, check=False
    )
