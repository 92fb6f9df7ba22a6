"""Randomness is addressed: a stream depends on its seed, name and tick, and on nothing else."""

from __future__ import annotations

import numpy as np
import pytest

from dorosim.ground.noise import MANY_STREAMS, Noise

KNOWN = 0.3627459071643804
"""First number of a stream: recordings made by other versions depend on it."""


def test_a_stream_is_the_same_whenever_it_is_asked_for():
    noise = Noise(5)
    first = noise.stream("sensor/1", 7).normal(size=10)
    noise.stream("sensor/2", 7).normal(size=1000)
    np.testing.assert_array_equal(noise.stream("sensor/1", 7).normal(size=10), first)


def test_streams_of_other_addresses_differ():
    values = {
        float(Noise(seed).stream(name, tick).random())
        for seed in (0, 1)
        for name in ("a", "b", "a/1")
        for tick in (0, 1)
    }
    assert len(values) == 12


def test_known_values_do_not_change_between_versions():
    np.testing.assert_allclose(Noise(1).stream("known").random(), KNOWN, rtol=0, atol=1e-15)


def test_a_negative_seed_is_refused():
    with pytest.raises(ValueError, match="non-negative"):
        Noise(-1)


@pytest.mark.parametrize("count", [1, 4, 6, 9])
def test_first_draws_of_many_streams_are_theirs(count):
    """Few are drawn by numpy, many by a kernel of our own."""
    noise = Noise(12345)
    for many in (0, 3, MANY_STREAMS + 5):
        names = [f"a/{number}" for number in range(many)]
        one_by_one = [noise.stream(name).uniform(-1.5, 7.25, count) for name in names]
        drawn = noise.first_draws(iter(names), -1.5, 7.25, count)
        assert drawn.tobytes() == np.array(one_by_one).tobytes()
        assert drawn.shape == (many, count)
