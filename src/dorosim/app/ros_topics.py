"""Which topics and services of ROS are offered, by the settings; imported when ROS is opened."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import msgspec

from dorosim.app.settings import Settings
from dorosim.bridge.ros.catalogue import Offer, TopicChange, offer
from dorosim.wire.ros.registry import Registry, registry_of
from dorosim.wire.udp.revision import revision_named


def ros_registry(settings: Settings) -> Registry:
    """The message types of the user's generation of morai_msgs; that of the UDP revision where none is named.

    Raises:
        InputError: there is no such revision.
    """
    return registry_of(settings.ros.generation or revision_named(settings.udp.revision).ros_generation)


def ros_offer(settings: Settings, *, others: Collection[str] = ()) -> Offer:
    """Topics and services under the names, at the rates and in the frames of the settings.

    Args:
        settings: of the program.
        others: keys of `[ros.topic.KEY]` that are somebody else's, such as those of sensors.

    Raises:
        InputError: a key or a value that cannot be; it names the key path.
    """
    changes = {key: TopicChange(**msgspec.structs.asdict(row)) for key, row in settings.ros.topic.items()}
    if settings.ros.clock:
        changes["clock"] = replace(changes.get("clock", TopicChange()), on=True)
    return offer(ros_registry(settings), changes, others=others)
