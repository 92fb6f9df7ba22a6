"""The ROS package morai_msgs, to be built in a user's workspace: `dorosim ros msgs`."""

from __future__ import annotations

import re
from pathlib import Path

from dorosim import __version__
from dorosim.app.store.file_copy import Copied, copy_files
from dorosim.ground.error import InputError
from dorosim.wire.ros.registry import GENERATIONS, registry_of

PACKAGE = "morai_msgs"
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


def write_ros_package(folder: Path, generation: str, force: bool = False) -> Copied:
    """Write the package morai_msgs of a generation into a folder, as catkin builds it; see `copy_files`.

    Raises:
        InputError: there is no such generation, a file is there and differs, or the folder cannot be written.
    """
    return copy_files(folder, ros_package(generation), force)


def ros_package(generation: str) -> dict[Path, bytes]:
    """The files of the package, by their paths, which begin with its name.

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
