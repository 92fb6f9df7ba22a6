"""Messages in parts: the same bytes, with long arrays not copied."""

from __future__ import annotations

import numpy as np
import pytest

from dorosim.wire.ros.registry import BULK, registry_of

REGISTRY = registry_of("2024")


@pytest.mark.parametrize("kind", ["sensor_msgs/PointCloud2", "sensor_msgs/Image", "sensor_msgs/CompressedImage"])
@pytest.mark.parametrize("size", [0, 10, BULK - 1, BULK, 1_200_000])
def test_the_parts_together_are_the_message(kind, size):
    header = REGISTRY.make("std_msgs/Header", seq=3, frame_id="lidar")
    data = np.arange(size, dtype=np.uint64).astype(np.uint8)
    message = REGISTRY.make(kind, header=header, data=data, is_dense=True) if "Cloud" in kind else None
    message = message or REGISTRY.make(kind, header=header, data=data)
    parts = REGISTRY.encode_parts(message)
    assert b"".join(parts) == bytes(REGISTRY.encode(message))
    assert (len(parts) > 1) == (size >= BULK)
    if size >= BULK:
        assert np.shares_memory(np.frombuffer(parts[2], np.uint8), data)


def test_an_array_with_gaps_is_made_whole():
    data = np.arange(4 * BULK, dtype=np.uint64).astype(np.uint8)[::2]
    message = REGISTRY.make("sensor_msgs/Image", data=data)
    assert b"".join(REGISTRY.encode_parts(message)) == bytes(REGISTRY.encode(message))


def test_every_other_message_is_one_part():
    for name in REGISTRY.types:
        message = REGISTRY.make(name)
        assert REGISTRY.encode_parts(message) == (REGISTRY.encode(message),)
