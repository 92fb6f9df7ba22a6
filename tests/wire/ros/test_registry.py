"""Message types against the facts, rosbags' own store of ROS Noetic, and bytes laid out by hand."""

from __future__ import annotations

import json
import struct

import numpy as np
import pytest
from rosbags.typesys import Stores, get_typestore

from dorosim.wire.error import RosError
from dorosim.wire.ros.registry import GENERATIONS, Registry, registry_of
from tests.shared import shared

BY_GENERATION = pytest.mark.parametrize("generation", GENERATIONS)


def facts(kind: str, generation: str) -> dict[str, dict]:
    """What the facts tell of each message or service of a generation, by name."""
    told = json.loads(shared("facts/ros_msgs.json").read_text(encoding="utf-8"))[kind]
    found = {}
    for name, revisions in told.items():
        entry = revisions.get(generation)
        while entry is not None and "same_as" in entry:
            entry = revisions[entry["same_as"]]
        if entry is not None and "INVALID" in entry["md5"]:
            entry = mended(entry, revisions["26.r1"])
        if entry is not None:
            found[name] = entry
    return found


def mended(entry: dict, later: dict) -> dict:
    """A message that does not build, as its users mend it: `uint` is uint32, which makes it that of 26.r1."""
    fields = [field.replace("uint ", "uint32 ").replace("uint[]", "uint32[]") for field in entry["fields"]]
    assert fields == later["fields"]
    return later


def by_name(registry: Registry, package: str = "morai_msgs") -> list[str]:
    """Names of the message types of a package, without those that are parts of services."""
    parts = {part for one in registry.services.values() for part in (one.request, one.response)}
    return [name for name in registry.types if name.startswith(f"{package}/") and name not in parts]


@BY_GENERATION
def test_every_message_has_the_sum_and_the_fields_of_the_facts(generation):
    registry, told = registry_of(generation), facts("msg", generation)
    names = by_name(registry)
    assert len(names) >= 45
    for name in names:
        entry = told[name.removeprefix("morai_msgs/")]
        assert registry.md5(name) == entry["md5"], name
        lines = [line.partition("#")[0].strip() for line in registry.text(name).splitlines()]
        assert [line for line in lines if line] == entry["fields"], name


@BY_GENERATION
def test_every_service_has_the_sum_of_the_facts(generation):
    registry, told = registry_of(generation), facts("srv", generation)
    assert len(registry.services) >= 11
    for name, service in registry.services.items():
        if name.startswith("morai_msgs/"):
            assert service.md5 == told[name.removeprefix("morai_msgs/")]["md5"], name


def test_what_the_documents_name_is_there():
    documented = """CtrlCmd GhostMessage NpcGhostCmd NpcGhostInfo EgoVehicleStatus ObjectStatusList ObjectStatus
        CollisionData GetTrafficLightStatus SetTrafficLight IntersectionStatus IntersectionControl ScenarioLoad
        SaveSensorData Lamps ReplayInfo SensorPosControl MoraiSimProcHandle MoraiSimProcStatus MoraiSrvResponse
        EventInfo MapSpecIndex MapSpec MultiEgoSetting VehicleCollisionData VehicleCollision MoraiTLIndex MoraiTLInfo
        VehicleSpecIndex VehicleSpec GPSMessage RadarDetections RadarDetection"""
    for generation in GENERATIONS:
        assert {f"morai_msgs/{name}" for name in documented.split()} <= set(registry_of(generation).types)
    for name in ("GVDirectCmd", "GVStateCmd"):
        assert f"morai_msgs/{name}" in registry_of("2024").types
        assert f"morai_msgs/{name}" not in registry_of("2022").types


def test_standard_types_are_those_of_ros_noetic():
    store, registry = get_typestore(Stores.ROS1_NOETIC), registry_of("2024")
    names = [name for name in registry.types if not name.startswith("morai_msgs/")]
    assert len(names) > 20
    assert (
        registry.md5("tf2_msgs/TFMessage") == "94810edda583a504dfda3829e70d7eec"
    )  # as roswiki has it; not in the store
    for name in names:
        inside = name.replace("/", "/msg/")
        if name.startswith(("tf2_msgs/", "rosapi/")):
            continue  # not in the store
        assert registry.md5(name) == store.generate_msgdef(inside, ros_version=1)[1], name


@BY_GENERATION
def test_every_morai_message_says_what_it_and_its_fields_mean(generation):
    registry = registry_of(generation)
    for name in by_name(registry):
        head, *_ = registry.text(name).splitlines()
        assert head.startswith("# "), name
        for line in registry.text(name).splitlines():
            code, _, comment = line.partition("#")
            assert not code.strip() or len(comment.strip()) > 3, f"{name}: {line}"


def test_a_control_command_lies_in_its_bytes_as_the_fields_of_the_message_say():
    # int32, then five float64, little-endian and packed: the serialisation of ROS 1
    data = struct.pack("<i5d", 2, 0.25, 0.5, -0.125, 36.0, 1.5)
    message = registry_of("2024").decode("morai_msgs/CtrlCmd", data)
    assert (message.longlCmdType, message.accel, message.brake) == (2, 0.25, 0.5)
    assert (message.steering, message.velocity, message.acceleration) == (-0.125, 36.0, 1.5)
    assert bytes(registry_of("2024").encode(message)) == data
    newer = registry_of("26.r1").decode("morai_msgs/CtrlCmd", struct.pack("<i6d", 1, 0.1, 0.2, 0.3, 0.4, 5.0, 6.0))
    assert (newer.front_steer, newer.rear_steer) == (0.3, 0.4)


def test_lists_and_texts_are_counted_by_four_bytes():
    registry = registry_of("2022")
    data = struct.pack("<I2h", 2, 4, 5) + b"".join(struct.pack("<I2f", 2, n, -n) for n in range(6))
    message = registry.decode("morai_msgs/SensorPosControl", data)
    assert message.sensor_index.tolist() == [4, 5]
    assert message.yaw.tolist() == [5.0, -5.0]
    text = b"IntTL7"
    light = registry.decode("morai_msgs/SetTrafficLight", struct.pack("<I", len(text)) + text + struct.pack("<h", 16))
    assert (light.trafficLightIndex, light.trafficLightStatus) == ("IntTL7", 16)


@pytest.mark.parametrize("data", [b"", b"\0" * 43, struct.pack("<I", 2**31) + b"x" * 8])
def test_bytes_that_are_no_message_are_an_error(data):
    for name in ("morai_msgs/CtrlCmd", "morai_msgs/SetTrafficLight", "morai_msgs/NpcGhostCmd"):
        with pytest.raises(RosError):
            registry_of("2024").decode(name, data)


def test_unknown_types_fields_and_generations_are_errors():
    registry = registry_of("2022")
    with pytest.raises(RosError, match="morai_msgs/Nothing"):
        registry.make("morai_msgs/Nothing")
    with pytest.raises(RosError, match="has no field steer"):
        registry.make("morai_msgs/CtrlCmd", steer=1.0)
    assert not hasattr(registry.make("morai_msgs/CtrlCmd", front_steer=1.0), "front_steer"), "of another generation"
    with pytest.raises(ValueError, match="2019"):
        Registry("2019")


def test_a_new_message_is_zero_and_shares_nothing():
    registry = registry_of("26.r1")
    one, other = (registry.make("morai_msgs/MultiEgoSetting") for _ in range(2))
    assert one.ego_index.dtype == np.int32
    assert one.ego_index is not other.ego_index
    assert registry.make("morai_msgs/GVDirectCmd").steerAngle.tolist() == [0.0] * 10
