"""Sums and bytes against ROS 1 itself, where Debian's is installed: genmsg, genpy and the packages of Noetic."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings

from dorosim.wire.ros.registry import GENERATIONS, registry_of
from tests.bridge.ros.message_strategy import messages

PYTHON = Path("/usr/bin/python3")
PEER = r"""
import importlib, json, sys
from io import BytesIO
from genpy.dynamic import generate_dynamic
from roslib.message import get_message_class

def tell(name, definition, data):
    made = generate_dynamic(name, definition)[name] if definition else get_message_class(name)
    message = made()
    message.deserialize(bytes.fromhex(data))
    out = BytesIO()
    message.serialize(out)
    return [made._md5sum, out.getvalue().hex()]

json.dump([tell(*one) for one in json.load(sys.stdin)], sys.stdout)
"""


def peer(asked: list[tuple[str, str, str]]) -> list[tuple[str, str]]:
    """What ROS makes of messages: the sum of the type, and the bytes when it has read and written them again."""
    tools = [PYTHON, "-c", "import genpy.dynamic, roslib"]
    if not PYTHON.exists() or subprocess.run(tools, capture_output=True, check=False).returncode:
        pytest.skip("needs ROS 1 as Debian has it (python3-genpy, python3-roslib)")
    done = subprocess.run([PYTHON, "-c", PEER], input=json.dumps(asked), capture_output=True, text=True, check=True)
    return [tuple(one) for one in json.loads(done.stdout)]


def one_of(registry, name: str) -> bytes:
    """The bytes of some message of a type with something in its fields."""
    found = []

    @seed(7)
    @settings(
        max_examples=8, database=None, deadline=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck)
    )
    @given(messages(registry, name))
    def draw(message):
        found.append(bytes(registry.encode(message)))

    draw()
    return max(found, key=lambda data: len(set(data)))


@pytest.mark.parametrize("generation", GENERATIONS)
def test_messages_are_read_by_ros_as_they_were_written(generation):
    registry = registry_of(generation)
    before = registry_of(GENERATIONS[max(GENERATIONS.index(generation) - 1, 0)])
    names = [name for name in registry.types if name.startswith("morai_msgs/")]
    if generation != GENERATIONS[0]:
        names = [one for one in names if one not in before.types or before.md5(one) != registry.md5(one)]
        assert len(names) >= 3
    asked = [(name, registry.definition(name), one_of(registry, name).hex()) for name in names]
    for (name, _, data), (md5, again) in zip(asked, peer(asked), strict=True):
        assert md5 == registry.md5(name), name
        assert again == data, name


def test_standard_messages_are_those_of_the_installed_packages():
    registry = registry_of("2024")
    names = [name for name in registry.types if not name.startswith(("morai_msgs/", "rosapi/"))]
    asked = [(name, "", one_of(registry, name).hex()) for name in names]
    for (name, _, data), (md5, again) in zip(asked, peer(asked), strict=True):
        assert md5 == registry.md5(name), name
        assert again == data, name
