"""Settings of sensors in the SDK: those of the simulator, with its types, defaults and bounds; mistakes are told."""

from __future__ import annotations

import json
import math
from enum import Enum
from typing import Any, get_args

import msgspec
import pytest

from dorosim.bridge.grpc.sensing import settings_from_json
from dorosim.client import (
    CameraSettings,
    GpsSettings,
    GroundTruthSettings,
    ImuSettings,
    LidarSettings,
    PlanarLidarSettings,
    RadarSettings,
    RefusedError,
    UltrasonicSettings,
)
from dorosim.client.setting import settings_of
from dorosim.client.setting_check import checked_settings
from dorosim.world.mount import setting as world

KINDS = {
    "camera": (CameraSettings, world.CameraSettings),
    "lidar_3d": (LidarSettings, world.Lidar3dSettings),
    "lidar_2d": (PlanarLidarSettings, world.Lidar2dSettings),
    "gps": (GpsSettings, world.GpsSettings),
    "imu": (ImuSettings, world.ImuSettings),
    "radar": (RadarSettings, world.RadarSettings),
    "ultrasonic": (UltrasonicSettings, world.UltrasonicSettings),
    "ground_truth": (GroundTruthSettings, world.GroundTruthSettings),
}
LEFT_OUT = {"denied", "drawn", "segments", "resolution"}
"""Lists of areas, and how the live page draws."""


@pytest.mark.parametrize("kind", KINDS)
def test_the_settings_are_those_of_the_simulator_and_so_are_their_defaults(kind):
    mine, theirs = KINDS[kind]
    known = settings_of(mine)
    assert set(known) == set(theirs.__struct_fields__) - LEFT_OUT
    defaults = {name: setting.default for name, (_, setting) in known.items() if setting.default is not None}
    plain = checked_settings(kind, mine, defaults)
    assert settings_from_json(json.dumps({"kind": kind, **plain})) == theirs()


def bounds(hint: Any) -> tuple[float, float, bool] | None:
    """Least, most, and whether the least is left out, of a type of the simulator's settings."""
    if isinstance(hint, msgspec.inspect.UnionType):
        return next((found for found in map(bounds, hint.types) if found), None)
    if isinstance(hint, msgspec.inspect.TupleType):
        return bounds(hint.item_types[0])
    if not isinstance(hint, msgspec.inspect.FloatType | msgspec.inspect.IntType):
        return None
    low = hint.ge if hint.ge is not None else hint.gt
    high = hint.le if hint.le is not None else hint.lt
    return (-math.inf if low is None else low, math.inf if high is None else high, hint.gt is not None)


@pytest.mark.parametrize("kind", KINDS)
def test_the_bounds_are_those_of_the_simulator(kind):
    mine, theirs = KINDS[kind]
    known = settings_of(mine)
    seen = 0
    for field in msgspec.inspect.type_info(theirs).fields:
        found = bounds(field.type)
        if field.name in known and found:
            setting = known[field.name][1]
            assert (setting.least, setting.most, setting.above) == found, field.name
            seen += 1
    assert seen or kind == "gps"


def test_words_are_those_of_the_simulator():
    def names(code: type[Enum]) -> list[str]:
        return [one.name.lower().replace("_", "-") for one in code]

    known = settings_of(CameraSettings) | settings_of(LidarSettings) | settings_of(GroundTruthSettings)
    for name, code in (
        ("image", world.CameraImage),
        ("exposure_mode", world.CameraExposure),
        ("model", world.LidarModel),
        ("returns", world.LidarReturn),
        ("intensity", world.LidarIntensity),
        ("shape", world.TruthShape),
    ):
        assert [one.lower() for one in get_args(known[name][0])] == names(code)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"widht": 3}, "a camera has no setting 'widht'; do you mean 'width'"),
        ({"width": 0}, "width: 0 is out of bounds; use 1 to 8192"),
        ({"width": 1.5}, "width: 1.5 is not valid; give a whole number"),
        ({"width": math.nan}, "width: nan is not valid"),
        ({"fov": math.inf}, "fov: inf is out of bounds"),
        ({"fov": math.nan}, "fov: nan is out of bounds"),
        ({"fov": "wide"}, "fov: 'wide' is not valid; give a number"),
        ({"far": 0.0}, "far: 0 is out of bounds; use more than 0 to 100000"),
        ({"image": "rbg"}, "image: 'rbg' is not valid; use 'rgb', 'depth'"),
        ({"samples": 2}, "samples: 2 is not valid; use 1, 4"),
        ({"noise": 1}, "noise: 1 is not valid; use True or False"),
        ({"distortion": (0.0, 0.0)}, r"distortion: \(0.0, 0.0\) is not valid; give 3 numbers"),
        ({"focal_length": (0.0, 9.0)}, "focal_length: 0 is out of bounds"),
    ],
)
def test_a_mistake_is_told_before_it_is_sent(given, told):
    with pytest.raises(RefusedError, match=told):
        checked_settings("camera", CameraSettings, given)


def test_none_and_words_become_what_the_simulator_takes():
    plain = checked_settings("camera", CameraSettings, {"focal_length": None, "image": "depth", "width": 64.0})
    assert plain == {"focal_length": None, "image": 1, "width": 64}
    assert checked_settings("x", GroundTruthSettings, {"filter": ("ego", "vehicle")}) == {"filter": [3, 1]}
