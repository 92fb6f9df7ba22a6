"""What can be set on a camera, and what is refused."""

from __future__ import annotations

import math

import msgspec
import pytest

from dorosim.ground.error import InputError
from dorosim.sensor.camera.setting import CameraModel

NAN, INFINITE = math.nan, math.inf


@pytest.mark.parametrize(
    "odd",
    [
        {"width": 0},
        {"width": 640.5},
        {"height": -480},
        {"width": 8192, "height": 8192},
        {"field_of_view": NAN},
        {"field_of_view": 0.0},
        {"field_of_view": math.pi},
        {"focal_length": (0.0, 100.0)},
        {"focal_length": (500.0, NAN)},
        {"focal_length": (500.0,)},
        {"principal_point": (INFINITE, 0.0)},
        {"distortion": (NAN, 0.0, 0.0, 0.0, 0.0)},
        {"distortion": (0.1, 0.0)},
        {"quality": 0},
        {"quality": 101},
        {"exposure": NAN},
        {"near": 0.0},
        {"near": 10.0, "far": 10.0},
        {"far": INFINITE},
        {"samples": 2},
        {"smallest_box": 0},
    ],
)
def test_odd_settings_are_refused(odd):
    with pytest.raises(InputError) as refused:
        CameraModel(**odd)
    assert refused.value.source == "camera"
    assert refused.value.place.split()[0] in odd or "width" in refused.value.place


def test_settings_are_text_and_back():
    settings = CameraModel(width=1280, height=720, focal_length=(900.0, 905.0), distortion=(-0.2, 0.03, 0, 0, 0))
    assert msgspec.json.decode(msgspec.json.encode(settings), type=CameraModel) == settings


def test_odd_settings_in_text_are_refused():
    with pytest.raises(InputError):
        msgspec.json.decode(b'{"quality": 500}', type=CameraModel)


def test_the_focal_length_follows_from_the_field_of_view():
    settings = CameraModel(width=640, height=480, field_of_view=math.radians(70.0))
    fx, fy, cx, cy = settings.intrinsics
    assert fx == fy == pytest.approx(457.0, abs=0.1), (
        "as the product saves it (samples, sensor set: 457.1 at 70 degrees)"
    )
    assert (cx, cy) == (320.0, 240.0)
