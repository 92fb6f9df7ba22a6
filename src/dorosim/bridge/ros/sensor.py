"""The topics of sensors: which there are, their names and frames, and where the frames are.

Names come from the user's settings and from sensor set files; a sensor that neither names has the product's default
name (facts/ros-grpc-mgeo.md, 1.3 "Sensor topics"), with the sensor's number if another one has that already. An IMU has
two default names, since the product's page and its own sensor sets differ.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from dorosim.bridge.ros.topic import Published, RosForm, no_message
from dorosim.bridge.sensor.kind import CAMERA_INFO, COMPRESSED, DEPTH, IMU, IMU_LOWER, OUTPUTS
from dorosim.scenario.sensor_set.read import SensorLink
from dorosim.wire.ros.tcpros import is_name
from dorosim.world.mount.setting import CameraImage, CameraSettings, SensorKind
from dorosim.world.mount.state import Mount
from dorosim.world.snapshot import EGO

if TYPE_CHECKING:
    from dorosim.sensor.pose import Pose

_IMU_TOPIC = next(row.topic for row in OUTPUTS[SensorKind.IMU].topics if row.key == IMU)
SENSORS: tuple[Published, ...] = (
    *(
        Published(row.key, row.topic, row.type, no_message, frame=row.frame, on=row.on, pushed=True)
        for output in OUTPUTS.values()
        for row in output.topics
    ),
    Published("tf_static", "/tf_static", "tf2_msgs/TFMessage", no_message, latched=True, pushed=True),
)
"""Topics of a sensor of each kind; `frame` is what its frame id begins with, before its number."""


@dataclass(frozen=True, slots=True)
class SensorTopics:
    """The topics of a sensor.

    Attributes:
        kind: of the sensor. link: what was said of it. frame: frame id of its messages.
        rows: topics by key. depth: whether the sensor is a camera for depth.
    """

    kind: SensorKind
    link: SensorLink
    frame: str
    rows: Mapping[str, Published]
    depth: bool = False


def topics_of(
    mounts: Iterable[Mount],
    links: Mapping[int, SensorLink],
    rows: Mapping[str, Published],
    before: Mapping[int, SensorTopics],
    taken: Collection[str],
    report: Callable[[str, str], None],
) -> dict[int, SensorTopics]:
    """The topics of sensors, by number.

    Args:
        mounts: the sensors, in the order of their numbers.
        links: what is said of some of them.
        rows: `SENSORS` by key, as the settings change them.
        before: topics of sensors so far, which keep their names.
        taken: names of topics that are no sensor's.
        report: called with kind and text for each link that cannot be granted.
    """
    found: dict[int, SensorTopics] = {}
    used = set(taken)
    new: list[tuple[Mount, SensorLink, bool]] = []
    for mount in mounts:
        link, depth = links.get(mount.id, SensorLink()), _sees_depth(mount)
        old = before.get(mount.id)
        if old is not None and (old.kind, old.link, old.depth) == (mount.kind, link, depth):
            found[mount.id] = old
            used |= {one.topic for one in old.rows.values()}
        elif OUTPUTS[mount.kind].topics and link.on:
            new.append((mount, link, depth))
    for mount, link, depth in sorted(
        new, key=lambda one: (not is_name(one[1].topic), one[0].id)
    ):  # names that are said first
        made = _topics_of(mount, link, depth, rows, used, report)
        used |= {one.topic for one in made.rows.values()}
        found[mount.id] = made
    return dict(sorted(found.items()))


def _topics_of(
    mount: Mount,
    link: SensorLink,
    depth: bool,
    rows: Mapping[str, Published],
    used: set[str],
    report: Callable[[str, str], None],
) -> SensorTopics:
    main, *others = (row.key for row in OUTPUTS[mount.kind].topics)
    main = DEPTH if depth else main
    base = rows[main]
    frame = link.frame.lstrip("/") or f"{base.frame}-{mount.id}"
    asked = link.topic
    if asked and not is_name(asked):
        report("ROS topic", f"sensor {mount.id}: {asked[:80]!r} is not a valid name of a topic; it has a default one")
        asked = ""
    name = _completed(asked, main) if asked else base.topic
    free = _free(name, mount.id, used)
    if asked and free != name:
        report("ROS topic", f"sensor {mount.id}: another topic has the name {name}; it is {free}")
    made = {main: replace(base, topic=free, frame=frame)} if base.on else {}
    for key in others:
        row = rows[key]
        if key == DEPTH:
            continue
        if key == IMU_LOWER and (asked or base.topic != _IMU_TOPIC):
            continue  # a link or the settings name the topic, so the sensor has that one only
        if row.on and (base.on or key != CAMERA_INFO):
            topic = _beside(free) if row.topic == f"/{CAMERA_INFO}" else row.topic
            made[key] = replace(row, topic=_free(topic, mount.id, used), frame=frame)
    return SensorTopics(mount.kind, link, frame, made, depth)


def _completed(name: str, key: str) -> str:
    """A name as a topic has it: from the root; pictures end in /compressed, once (facts/ros-grpc-mgeo.md, 1.3)."""
    name = name if name.startswith("/") else f"/{name}"
    if key not in ("camera", DEPTH):
        return name
    stem = name.removesuffix(COMPRESSED) or name
    return f"{stem}{COMPRESSED}" if key == "camera" else stem


def _beside(name: str) -> str:
    """Where image_transport looks for the camera_info of a picture."""
    return f"{name.removesuffix(COMPRESSED).rpartition('/')[0]}/{CAMERA_INFO}"


def _free(name: str, number: int, used: Collection[str]) -> str:
    """A name that no other topic has: with the sensor's number, if need be more than once."""
    stem = name.removesuffix(COMPRESSED)
    end = name[len(stem) :]
    while f"{stem}{end}" in used:
        stem = f"{stem}_{number}"
    return f"{stem}{end}"


def _sees_depth(mount: Mount) -> bool:
    return isinstance(mount.settings, CameraSettings) and mount.settings.image is CameraImage.DEPTH


def frames_message(form: RosForm, mounts: Iterable[Mount], topics: Mapping[int, SensorTopics], time: int) -> Any:
    """tf2_msgs/TFMessage for /tf_static: where the frames of sensors are on their vehicles.

    The frame of a camera is its optical one: x right, y down, z forward, as messages of pictures have it (REP-103).
    Vehicles other than the first ego have the frame `<body_frame>_<id>`.

    Args:
        form: choices of the user.
        mounts: the sensors.
        topics: of those that have some.
        time: ns.
    """
    make = form.registry.make
    transforms = []
    for mount in mounts:
        if mount.id not in topics:
            continue
        pose = body_from_frame(mount)
        x, y, z = pose.position.tolist()
        body = form.body_frame if mount.actor == EGO else f"{form.body_frame}_{mount.actor}"
        transforms.append(
            make(
                "geometry_msgs/TransformStamped",
                header=make("std_msgs/Header", stamp=form.registry.time(form.epoch + time), frame_id=body),
                child_frame_id=topics[mount.id].frame,
                transform=make(
                    "geometry_msgs/Transform",
                    translation=make("geometry_msgs/Vector3", x=x, y=y, z=z),
                    rotation=_quaternion(make, pose),
                ),
            )
        )
    return make("tf2_msgs/TFMessage", transforms=transforms)


def body_from_frame(mount: Mount) -> Pose:
    """Where the axes of a sensor's messages are on its vehicle, faults apart."""
    from dorosim.sensor.pose import Pose, body_from_sensor

    pose = body_from_sensor(mount)
    if mount.kind is not SensorKind.CAMERA:
        return pose
    from dorosim.sensor.camera.lens import OPTICAL_FROM_MOUNT

    return Pose(pose.position, pose.rotation @ OPTICAL_FROM_MOUNT.T)


def _quaternion(make: Callable[..., Any], pose: Pose) -> Any:
    from dorosim.sensor.imu_kernel import quaternion_from_rotation

    w, x, y, z = quaternion_from_rotation(np.ascontiguousarray(pose.rotation)).tolist()
    return make("geometry_msgs/Quaternion", x=x, y=y, z=z, w=w)
