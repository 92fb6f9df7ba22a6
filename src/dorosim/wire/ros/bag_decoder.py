"""Decodes messages by the definition that a bag has of them, whatever generation of morai_msgs it was recorded with."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

from rosbags.serde import SerdeError
from rosbags.typesys import Stores, get_types_from_msg, get_typestore
from rosbags.typesys.base import TypesysError

from dorosim.wire.error import RosError
from dorosim.wire.ros.bag import Connection
from dorosim.wire.ros.registry import MAX_SEQUENCE_LENGTH

MAX_DEFINITION_LENGTH = 1 << 16
"""A longer definition is none of those that are decoded here [characters]."""


def decoder_of(connection: Connection) -> Callable[[bytes | memoryview], Any]:
    """A function that decodes the messages of a topic in a bag; it raises RosError for bytes that are no message.

    Raises:
        RosError: the definition is not valid, or its md5 sum is not the one in the bag.
    """
    package, _, name = connection.type.partition("/")
    inside = f"{package}/msg/{name}"
    what = f"{connection.topic} ({connection.type})"
    if len(connection.definition) > MAX_DEFINITION_LENGTH:
        raise RosError(f"{what}: a definition of {len(connection.definition):,} characters is not valid")
    store = get_typestore(Stores.EMPTY)
    store.max_sequence_length = MAX_SEQUENCE_LENGTH
    try:
        store.register(get_types_from_msg(connection.definition, inside))
        md5 = store.generate_msgdef(inside, ros_version=1)[1]
    except (TypesysError, KeyError, ValueError, RecursionError) as error:
        raise RosError(f"{what}: its definition is not valid: {error}") from None
    if connection.md5 not in ("", "*", md5):
        raise RosError(f"{what}: it says md5 {connection.md5}, but its definition has {md5}")

    def decode(data: bytes | memoryview) -> Any:
        try:
            return store.deserialize_ros1(data, inside)
        except (SerdeError, ValueError, MemoryError, IndexError, struct.error, AssertionError) as error:
            raise RosError(f"{what}: {len(data)} bytes that are not valid: {error}") from None

    return decode
