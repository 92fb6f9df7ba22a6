"""The ROS settings in network settings files as MORAI SIM saves them (facts/ros-grpc-mgeo.md, sections 1.1 and 5).

An entry that is set to ROS names the topic of its module, a rate, a frame and the rosbridge server. The program does
not connect to that server unless the user sets `bridge = "network"`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from msgspec.structs import asdict, replace

from dorosim.app.setting.network import network_file
from dorosim.app.setting.network_check import checked_rate
from dorosim.app.setting.saved_network import HERE, ROS, decode_saved
from dorosim.app.setting.settings import RosSettings, RosTopicSettings, Settings
from dorosim.ground.error import InputError
from dorosim.wire.ros.tcpros import is_name

FROM_NETWORK = "network"
"""`ros.bridge` for the server that the network settings file names."""
UNSET = frozenset({"", "/dafault_topic", "/default_topic"})
"""Values of `Topic` in entries that name no topic."""
_TRANSFORM = 267
"""PUBSUB_TYPE of the publisher of /tf, whose entry names the frames."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedRos:
    """The ROS settings of a file.

    Attributes:
        source: the file. bridge: URL of its rosbridge server, "" for none.
        topics: by PUBSUB_TYPE. map_frame, body_frame: of /tf, "" for the usual ones.
        notices: what of it is not used.
    """

    source: str = ""
    bridge: str = ""
    topics: Mapping[int, RosTopicSettings] = field(default_factory=dict)
    map_frame: str = ""
    body_frame: str = ""
    notices: tuple[str, ...] = ()


def saved_ros_of(settings: Settings, data: Path) -> SavedRos:
    """The ROS settings of a run's network settings file; empty if it has no file, or one in dorosim's own form.

    Raises:
        InputError: the file cannot be read or is wrong somewhere.
    """
    path = network_file(settings.udp.network, data)
    return SavedRos() if path is None or path.suffix != ".json" else read_saved_ros(path)


def read_saved_ros(path: Path) -> SavedRos:
    """The ROS settings of a file.

    Raises:
        InputError: the file cannot be read, or an entry that is set to ROS is wrong.
    """
    topics: dict[int, RosTopicSettings] = {}
    notices: list[str] = []
    bridges: list[str] = []
    frames = ("", "")
    for target in decode_saved(path).targets:
        for entry in target.entries:
            config = entry.used(ROS)
            if config.transport != ROS or target.id not in HERE:
                continue
            label, said = f"target {target.id}, PUBSUB_TYPE {entry.kind}", config.ros
            topic = said.topic.strip()
            name = None if topic in UNSET else topic if topic.startswith("/") else f"/{topic}"
            if name is not None and not is_name(name):
                raise InputError(
                    str(path), f"{label}.rosConfig.Topic", f"{topic!r} is not a valid name of a topic", "mend it"
                )
            if entry.kind in topics:
                notices.append(f"{path}: {label}: is there twice; the first counts")
                continue
            rate = checked_rate(str(path), label, config.rate_hz)
            frame = said.frame.strip().lstrip("/") or None
            topics[entry.kind] = RosTopicSettings(name=name, rate_hz=rate, frame=frame, on=said.on)
            bridges += [said.bridge.strip()] if said.bridge.strip() else []
            if entry.kind == _TRANSFORM:
                frames = frame or "", said.child_frame.strip().lstrip("/")
    bridge, *others = dict.fromkeys(bridges) or [""]
    notices += [f"{path}: rosbridge server {other}: only one is connected to, {bridge}" for other in others]
    return SavedRos(
        source=str(path),
        bridge=bridge,
        topics=topics,
        map_frame=frames[0],
        body_frame=frames[1],
        notices=tuple(notices),
    )


def with_network(settings: Settings, saved: SavedRos) -> tuple[Settings, tuple[str, ...]]:
    """The settings with the ROS settings of the network settings file, and notices; what the user set counts more.

    Raises:
        InputError: the user asks for a server that no file names.
    """
    ros, notices = settings.ros, list(saved.notices)
    if ros.bridge == FROM_NETWORK and not saved.bridge:
        problem = "there is no network settings file with a rosbridge server in an entry that is set to ROS"
        raise InputError("settings", "ros.bridge", problem, "give the URL, as ws://127.0.0.1:9090")
    if ros.bridge == FROM_NETWORK:
        ros = replace(ros, bridge=saved.bridge)
    elif saved.bridge and ros.bridge is None:
        notices.append(
            f"{saved.source}: names the rosbridge server {saved.bridge}, which is not connected to "
            f'unless the settings say bridge = "{FROM_NETWORK}" in [ros]'
        )
    usual = RosSettings()
    if saved.map_frame and ros.map_frame == usual.map_frame:
        ros = replace(ros, map_frame=saved.map_frame)
    if saved.body_frame and ros.body_frame == usual.body_frame:
        ros = replace(ros, body_frame=saved.body_frame)
    if saved.topics:
        topics, more = _named_topics(saved, ros.topic)
        ros, notices = replace(ros, topic=topics), [*notices, *more]
    return replace(settings, ros=ros), tuple(notices)


def _named_topics(
    saved: SavedRos, given: Mapping[str, RosTopicSettings]
) -> tuple[dict[str, RosTopicSettings], list[str]]:
    """The topics of a file by the keys of the settings, under what the user gave, and notices of unknown ones.

    Each value that the user gave counts more. Only what is published has a rate, and only some of it a frame.
    """
    from dorosim.bridge.ros.catalogue import PROVIDED, PUBLISHED, SUBSCRIBED, AnyRow
    from dorosim.bridge.ros.topic import Published

    catalogue: tuple[AnyRow, ...] = (*PROVIDED, *SUBSCRIBED, *PUBLISHED)
    rows = {row.module: row for row in catalogue if row.module}
    found: dict[str, RosTopicSettings] = {}
    notices: list[str] = []
    for module, said in saved.topics.items():
        row = rows.get(module)
        if row is None:
            notices.append(f"{saved.source}: PUBSUB_TYPE {module} is set to ROS; no topic of this type is known")
        elif not isinstance(row, Published):
            found[row.key] = replace(said, rate_hz=None, frame=None)
        else:
            found[row.key] = said if row.frame else replace(said, frame=None)
    for key, own in given.items():
        own_values = {name: value for name, value in asdict(own).items() if value is not None}
        found[key] = replace(found.get(key, RosTopicSettings()), **own_values)
    return found, notices
