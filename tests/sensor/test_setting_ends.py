"""What a mount takes, a sensor can be: settings at all ends of their bounds."""

from __future__ import annotations

import math
from typing import Any

import msgspec
import msgspec.inspect as shape
import pytest

from dorosim.ground.error import InputError
from dorosim.sensor.kind import make_sensor
from dorosim.world.mount.command import AddSensor, change_mounts
from dorosim.world.mount.setting import MOST_PIXELS, SETTINGS, CameraSettings, SensorKind
from dorosim.world.mount.state import Mounts
from tests.world.world import street

SCENE = street()


def ends(kind: shape.Type) -> list[Any]:
    """The least and the greatest values of a type, or all that it has."""
    if isinstance(kind, shape.FloatType):
        low = kind.ge if kind.gt is None else math.nextafter(kind.gt, math.inf)
        high = kind.le if kind.lt is None else math.nextafter(kind.lt, -math.inf)
        return [-1e300 if low is None else low, 1e300 if high is None else high]
    if isinstance(kind, shape.IntType):
        return [-(2**63) if kind.ge is None else kind.ge, 2**63 - 1 if kind.le is None else kind.le]
    if isinstance(kind, shape.TupleType):
        return list(zip(*map(ends, kind.item_types), strict=True))
    if isinstance(kind, shape.UnionType):
        return [end for one in kind.types for end in ends(one)]
    if isinstance(kind, shape.EnumType):
        return list(kind.cls)
    if isinstance(kind, shape.LiteralType):
        return list(kind.values)
    return {shape.BoolType: [False, True], shape.NoneType: [None]}.get(type(kind), [])


@pytest.mark.parametrize("kind", SensorKind)
def test_every_end_of_a_setting_is_refused_at_once_or_makes_a_sensor(kind):
    made = 0
    for field in shape.type_info(SETTINGS[kind]).fields:
        for value in ends(field.type):
            settings = msgspec.structs.replace(SETTINGS[kind](), **{field.name: value})
            mounts, problem = change_mounts(Mounts.empty(), AddSensor(1, settings=settings, sensor=1), 0)
            if problem:
                continue
            try:
                make_sensor(mounts.mount(0), SCENE)
            except InputError as error:
                assert "the lens folds" in error.problem, f"{field.name} = {value}"  # noqa: PT017
            made += 1
    assert made > 5


def test_a_picture_may_have_so_many_pixels_only():
    for height, refused in ((MOST_PIXELS // 8192, False), (MOST_PIXELS // 8192 + 1, True)):
        settings = CameraSettings(width=8192, height=height)
        _, problem = change_mounts(Mounts.empty(), AddSensor(1, settings=settings), 0)
        assert ("pixels are more than" in problem) is refused
