"""Which topics and services of ROS are offered, by the settings; imported when ROS is opened."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import msgspec

from dorosim.app.setting.settings import Settings
from dorosim.bridge.ros.catalogue import RosOffer, TopicChange, check_change, offer
from dorosim.bridge.ros.sensor import SENSORS
from dorosim.bridge.ros.topic import Published
from dorosim.ground.error import InputError
from dorosim.wire.ros.registry import Registry, registry_of
from dorosim.wire.udp.revision import revision_named


def ros_registry(settings: Settings) -> Registry:
    """The message types of the user's generation of morai_msgs; that of the UDP revision where none is named.

    Raises:
        InputError: there is no such revision.
    """
    return registry_of(settings.ros.generation or revision_named(settings.udp.revision).ros_generation)


SENSOR_KEYS = tuple(row.key for row in SENSORS)


def ros_offer(settings: Settings, *, others: Collection[str] = SENSOR_KEYS) -> RosOffer:
    """Topics and services under the names, at the rates and in the frames of the settings.

    Args:
        settings: of the program.
        others: keys of `[ros.topic.KEY]` that are not handled here, such as those of sensors.

    Raises:
        InputError: a key or a value that cannot be; it names the key path.
    """
    changes = _changes(settings)
    if settings.ros.clock:
        changes["clock"] = replace(changes.get("clock", TopicChange()), on=True)
    return offer(ros_registry(settings), changes, others=others)


def sensor_rows(settings: Settings) -> dict[str, Published]:
    """Topics of sensors of each kind by key, as the settings change them.

    Raises:
        InputError: a value that cannot be; it names the key path.
    """
    rows = {row.key: row for row in SENSORS}
    for key, change in _changes(settings).items():
        row = rows.get(key)
        if row is None:
            continue
        check_change(key, change, row)
        if change.rate_hz is not None:
            cure = "give the sensor another rate"
            raise InputError("settings", f"ros.topic.{key}.rate_hz", "sensors tell when they read", cure)
        rows[key] = replace(
            row,
            topic=change.name or row.topic,
            frame=change.frame or row.frame,
            on=row.on if change.on is None else change.on,
        )
    return rows


def _changes(settings: Settings) -> dict[str, TopicChange]:
    return {key: TopicChange(**msgspec.structs.asdict(row)) for key, row in settings.ros.topic.items()}
