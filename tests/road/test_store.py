"""A compiled network comes back as it was, and anything else is refused."""

import dataclasses

import numpy as np
import pytest

from dorosim.ground.error import InputError
from dorosim.road import store
from dorosim.road.location import locate
from dorosim.road.network import RoadNetwork
from dorosim.road.store import network_from_bytes, network_to_bytes
from tests.road.real_map import REAL_MAPS, real_network
from tests.road.small_map import network_of, straight


def assert_same(a, b):
    assert type(a) is type(b)
    if isinstance(a, np.ndarray):
        assert a.dtype == b.dtype
        assert not b.flags.writeable
        np.testing.assert_array_equal(a, b)
    elif isinstance(a, tuple):
        assert len(a) == len(b)
        for one, other in zip(a, b, strict=True):
            assert_same(one, other)
    elif dataclasses.is_dataclass(a):
        for item in dataclasses.fields(a):
            assert_same(getattr(a, item.name), getattr(b, item.name))
    else:
        assert a == b


@pytest.mark.parametrize("name", REAL_MAPS)
def test_a_real_network_survives(name):
    w = real_network(name)
    assert_same(w, network_from_bytes(network_to_bytes(w)))


def test_an_empty_network_survives():
    w = network_of()
    assert_same(w, network_from_bytes(network_to_bytes(w)))


def a_network() -> RoadNetwork:
    return network_of(straight("L", "A", "B", (0, 0, 0), (10, 0, 0)))


def test_the_same_network_gives_the_same_bytes():
    assert network_to_bytes(a_network()) == network_to_bytes(a_network())


def test_arrays_that_parts_share_are_shared_again():
    w = network_from_bytes(network_to_bytes(a_network()))
    assert w.surface.first is w.lines.first
    assert w.surface.drivable is w.link_drivable


def test_kernels_take_a_network_from_bytes_without_compiling_again():
    from dorosim.road.location_kernel import locate_points

    locate(a_network(), [1, 2, 0])
    compiled = len(locate_points.signatures)
    assert locate(network_from_bytes(network_to_bytes(a_network())), [1, 2, 0]).lateral[0] == 2
    assert len(locate_points.signatures) == compiled


def test_other_bytes_and_damaged_ones_are_refused():
    content = network_to_bytes(a_network())
    damaged = [b"", b"PK\x03\x04 a zip file of the usual kind", content[:-1], content[:40], content + b"x"]
    damaged += [
        content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :] for place in range(0, len(content), 97)
    ]
    for other in damaged:
        with pytest.raises(InputError, match="it is made again from the map"):
            network_from_bytes(other, "cache")


def test_another_version_of_the_format_is_refused(monkeypatch):
    content = network_to_bytes(a_network())
    monkeypatch.setattr(store, "FORMAT_VERSION", store.FORMAT_VERSION + 1)
    with pytest.raises(InputError, match="another version of dorosim"):
        network_from_bytes(content)
