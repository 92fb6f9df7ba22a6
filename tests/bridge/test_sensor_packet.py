"""Packets of readings: the time words of pictures and boxes."""

from __future__ import annotations

import struct

import pytest

from dorosim.bridge.sensor.packet import Packer, SensorForm
from dorosim.sensor.reading import CameraReading
from dorosim.wire.udp.revision import DEFAULT_REVISION
from tests.sensor.camera.shot import camera, shoot, view_of
from tests.sensor.scene.build import box, plane, pose

EPOCH = 1_700_000_000_950_000_000


@pytest.mark.parametrize(("milliseconds", "word"), [(False, 950_000_000), (True, 950)])
def test_the_second_time_word_of_boxes_counts_what_is_asked_for(milliseconds, word):
    seen = shoot(view_of(plane(), [box((2.0, 0.9, 0.7))], [pose(10, 0, 0)]), lens=camera(64, 48))
    reading = CameraReading(sensor=1, time=0, image=seen.rgb, boxes=seen.boxes)
    packer = Packer(DEFAULT_REVISION, EPOCH, SensorForm(box_milliseconds=milliseconds))
    image, boxes = packer.packets(reading)
    assert struct.unpack_from("<3s2i", image.data) == (b"MOR", 1_700_000_000, 950_000_000)
    assert struct.unpack_from("<3s2i", boxes.data) == (b"BOX", 1_700_000_000, word)
