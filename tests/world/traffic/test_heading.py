"""Headings along the axes of a map are found sooner, and are those of `math.atan2` to the bit."""

from __future__ import annotations

import itertools
import math
import struct

import pytest

from dorosim.ground.jit import kernel
from dorosim.world.traffic.move_kernel import heading_of

SIDES = (0.0, -0.0, 1.0, -1.0, 4.7, -4.7, 1e-12, -1e-12, 5e-324, 1e300)


@kernel
def heading(dx, dy):
    return heading_of(dx, dy)


def bits(number):
    return struct.pack("d", number)


@pytest.mark.parametrize(("dx", "dy"), list(itertools.product(SIDES, SIDES)))
def test_a_heading_is_that_of_atan2(dx, dy):
    assert bits(heading(dx, dy)) == bits(math.atan2(dy, dx))
