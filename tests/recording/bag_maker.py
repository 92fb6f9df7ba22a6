"""Messages as a simulator publishes them, and bags of them."""

from __future__ import annotations

import math
from pathlib import Path

from dorosim.recording.bag.writer import open_bag
from dorosim.wire.ros.registry import Registry, registry_of

SECOND = 1_000_000_000
BEGIN = 1_700_000_000 * SECOND
VECTOR = "geometry_msgs/Vector3"


class Described:
    """What a bag says of a type."""

    def __init__(self, registry: Registry, name: str) -> None:
        self.type, self.md5, self.definition = name, registry.md5(name), registry.definition(name)
        self.latched = False


def ego_status(registry: Registry, time: int, x: float, y: float, heading_deg: float, speed: float = 0.0, **rest):
    """An EgoVehicleStatus."""
    return registry.make(
        "morai_msgs/EgoVehicleStatus",
        header=registry.make("std_msgs/Header", stamp=registry.time(time), frame_id="map"),
        unique_id=1,
        position=registry.make(VECTOR, x=x, y=y, z=0.5),
        velocity=registry.make(VECTOR, x=speed),
        heading=heading_deg,
        **rest,
    )


def somebody(
    registry: Registry, number: int, kind: int, name: str, x: float, y: float, heading_deg: float, size=(0.0,) * 3
):
    """An ObjectStatus."""
    return registry.make(
        "morai_msgs/ObjectStatus",
        unique_id=number,
        type=kind,
        name=name,
        heading=heading_deg,
        position=registry.make(VECTOR, x=x, y=y, z=0.5),
        size=registry.make(VECTOR, **dict(zip("xyz", size, strict=True))),
    )


def objects(
    registry: Registry, time: int, npcs=(), people=(), obstacles=(), name="morai_msgs/ObjectStatusList", **rest
):
    """An ObjectStatusList."""
    return registry.make(
        name,
        header=registry.make("std_msgs/Header", stamp=registry.time(time), frame_id="map"),
        num_of_npcs=len(npcs),
        num_of_pedestrian=len(people),
        num_of_obstacle=len(obstacles),
        npc_list=list(npcs),
        pedestrian_list=list(people),
        obstacle_list=list(obstacles),
        **rest,
    )


def write_bag(path: Path, messages, registry: Registry | None = None) -> Path:
    """A bag of (topic, message, time [ns])."""
    registry = registry or registry_of("2024")
    writer = open_bag(path)
    for topic, message, time in messages:
        name = message.__msgtype__.replace("/msg/", "/")
        writer.add(topic, Described(registry, name), time, registry.encode(message))
    writer.close()
    return path


def ego_at(t: float) -> tuple[float, float, float]:
    """The ego vehicle of `drive_bag` on a circle of 30 m at 10 m/s: x, y [m] and heading [deg]."""
    angle = t / 3.0
    return 30.0 * math.sin(angle), 30.0 * (1.0 - math.cos(angle)), math.degrees(angle)


def drive_messages(registry: Registry, seconds: float = 4.0, generation_topic: str = "/Object_topic"):
    """Everybody moves: an ego vehicle, an NPC vehicle, a pedestrian, a moving and a standing obstacle; at 50 Hz.

    A second NPC vehicle is there from second 1 to second 2 only.
    """
    for number in range(round(seconds * 50) + 1):
        t = number / 50.0
        time = BEGIN + number * 20_000_000
        x, y, heading = ego_at(t)
        yield "/Ego_topic", ego_status(registry, time, x, y, heading, 10.0, wheel_angle=5.0), time
        npcs = [somebody(registry, 21, 1, "2015_Kia_K5", 50.0 + 8.0 * t, -20.0, 0.0, (4.8, 1.8, 1.5))]
        if 1.0 <= t < 2.0:
            npcs.append(somebody(registry, 22, 1, "2015_Kia_K5", 80.0, -30.0, 90.0))
        people = [somebody(registry, 31, 0, "adult_female", 10.0, -20.0 + 1.5 * t, 90.0)]
        boxes = [
            somebody(registry, 41, 2, "box", 15.0 + t, -40.0, 10.0 * t, (2.0, 1.0, 0.5)),
            somebody(registry, 42, 2, "cone", 5.0, -45.0, 0.0),
        ]
        yield generation_topic, objects(registry, time, npcs, people, boxes), time + 1_000_000
