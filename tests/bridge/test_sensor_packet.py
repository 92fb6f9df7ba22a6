"""Packets of readings, as revisions and settings have them."""

from __future__ import annotations

import math
import struct

import numpy as np
import pytest

from dorosim.bridge.sensor.kind import packets_of
from dorosim.bridge.sensor.packet import Packer, SensorForm
from dorosim.ground.noise import Noise
from dorosim.sensor.camera.palette import MAX_INSTANCE_IDS, instance_colour, instance_picture
from dorosim.sensor.reading import CameraReading, ImuReading
from dorosim.sensor.rig import Rig
from dorosim.sensor.scene.semantic import COLOUR, Semantic
from dorosim.wire.device.camera import decode_boxes, decode_image_chunk
from dorosim.wire.device.lidar_2d import decode_lidar_2d
from dorosim.wire.udp.revision import DEFAULT_REVISION, REVISIONS
from dorosim.world.fault.code import FaultSubclass
from dorosim.world.fault.command import SetSensorFault
from dorosim.world.mount.command import AddSensor
from dorosim.world.mount.setting import Lidar2dSettings
from dorosim.world.snapshot import EGO
from dorosim.world.start import first_snapshot
from dorosim.world.step import step
from tests.sensor.camera.shot import camera, shoot, view_of
from tests.sensor.drive import SCENE
from tests.sensor.scene.build import box, plane, pose
from tests.sensor.witness import real_stage
from tests.world.world import CAR

EPOCH = 1_700_000_000_950_000_000


def planar_reading(place, yaw: float, at, turned: float):
    """What a 2D lidar tells that hangs on a car, displaced by a fault, which nobody tells of."""
    noise = Noise(1)
    mounted = AddSensor(EGO, settings=Lidar2dSettings(), position=at, rotation=(0.0, 0.0, turned))
    before = step(SCENE, first_snapshot(SCENE, [(CAR, place, yaw)]), (mounted,), noise)
    code = int(FaultSubclass.TRANSFORM)
    fault = {"fault_class": code // 100, "fault_subclass": code}
    offset = {"position_offset": (0.5, 0.5, 0.5), "rotation_offset": (0.0, 0.0, 0.3)}
    shifted = SetSensorFault(EGO, sensor=1, **fault, **offset)
    now = step(SCENE, before, (shifted,), noise)
    assert not (*before.refusals, *now.refusals)
    (reading,) = Rig(SCENE, noise, real_stage).read_now(before, now)
    return reading


@pytest.mark.parametrize(("milliseconds", "word"), [(False, 950_000_000), (True, 950)])
def test_the_second_time_word_of_boxes_counts_what_is_asked_for(milliseconds, word):
    seen = shoot(view_of(plane(), [box((2.0, 0.9, 0.7))], [pose(10, 0, 0)]), lens=camera(64, 48))
    reading = CameraReading(sensor=1, time=0, image=seen.rgb, boxes=seen.boxes)
    packer = Packer(DEFAULT_REVISION, EPOCH, SensorForm(box_milliseconds=milliseconds))
    image, boxes = packets_of(packer, reading)
    assert struct.unpack_from("<3s2i", image.data) == (b"MOR", 1_700_000_000, 950_000_000)
    assert struct.unpack_from("<3s2i", boxes.data) == (b"BOX", 1_700_000_000, word)


@pytest.mark.parametrize("revision", REVISIONS.values(), ids=lambda one: one.name)
def test_imu_packets_have_the_form_of_the_revision_unless_one_is_asked_for(revision):
    """22.R1 is older than the change of 2023 that gave them a stamp (facts/udp-wire.md, 5.5)."""
    half = math.sqrt(0.5)
    reading = ImuReading(
        sensor=4,
        time=5_000_000,
        orientation=(half, 0.0, 0.0, half),
        angular_velocity=np.array((0.1, 0.2, 0.3)),
        acceleration=np.array((1.0, 2.0, 9.81)),
    )

    def sent(stamp: bool | None) -> bytes:
        (packet,) = packets_of(Packer(revision, EPOCH, SensorForm(imu_stamp=stamp)), reading)
        return bytes(packet.data)

    stamped, plain = sent(True), sent(False)
    assert (len(stamped), len(plain)) == (115, 107)
    assert sent(None) == (plain if revision.name == "22.R1" else stamped)
    assert struct.unpack_from("<i", plain, 9) == (80,)
    assert struct.unpack_from("<2i", stamped, 25) == (1_700_000_000, 955_000_000)
    assert plain[25:105] == stamped[33:113] == struct.pack("<10d", half, 0, 0, half, 0.1, 0.2, 0.3, 1.0, 2.0, 9.81)


def crowd(**more):
    """A picture of two cars: of instances, with boxes."""
    view = view_of(plane(), [box((2.0, 0.9, 0.7))], [pose(10, -3, 0), pose(10, 3, 0)])
    seen = shoot(view, lens=camera(64, 48))
    image = instance_picture(seen.instance)
    reading = CameraReading(sensor=1, time=0, image=image, instance=seen.instance, boxes=seen.boxes)
    return (
        seen,
        image,
        [bytes(one.data) for one in packets_of(Packer(DEFAULT_REVISION, EPOCH, SensorForm(**more)), reading)],
    )


def test_colours_of_boxes_are_those_of_the_picture_of_instances():
    seen, image, (*_, boxes) = crowd()
    rows = decode_boxes(boxes).boxes
    assert len(rows) == 2
    for actor, row in zip(seen.boxes.actor.tolist(), rows, strict=True):
        shown = np.unique(image[seen.instance == actor], axis=0)
        assert shown.tolist() == [row["colour"].tolist()]
    assert len(np.unique(rows["colour"], axis=0)) == 2, "one colour an object, not one a class"


def test_boxes_may_have_the_colours_of_their_classes():
    *_, boxes = crowd(box_colour="class")[2]
    assert decode_boxes(boxes).boxes["colour"].tolist() == [COLOUR[Semantic.SEDAN].tolist()] * 2


def test_an_actor_of_any_number_has_a_colour_and_takes_no_more_room():
    most = 2**31 - 1
    picture = instance_picture(np.array([[0, 7], [MAX_INSTANCE_IDS + 1, most]], np.int32))
    assert picture[0, 0].tolist() == [0, 0, 0]
    assert picture[1].tolist() == instance_colour(np.array([MAX_INSTANCE_IDS + 1, most])).tolist()
    assert picture[0, 1].tolist() == instance_picture(np.array([[7]], np.int32))[0, 0].tolist()


def test_pictures_and_boxes_have_no_padding_if_asked():
    _, _, (*padded, padded_boxes) = crowd()
    _, _, (*short, short_boxes) = crowd(camera_padding=False)
    assert {len(data) for data in (*padded, padded_boxes)} == {65_000}
    assert len(short_boxes) == 115 * 2 + 21
    assert short_boxes == padded_boxes[: 19 + 230] + b"EO"
    for long, cut in zip(padded, short, strict=True):
        (size,) = struct.unpack_from("<i", long, 15)
        assert cut == long[: 19 + size] + long[-2:]
        assert decode_image_chunk(cut) == decode_image_chunk(long)


def test_a_2d_lidar_tells_where_it_is():
    """Its aux data are the place of the sensor as it is mounted, on a car that has turned left by 100 degrees."""
    reading = planar_reading((10.0, -5.0, 0.0), math.radians(100.0), (1.0, 0.5, 0.3), math.radians(20.0))
    (packet,) = packets_of(Packer(DEFAULT_REVISION, EPOCH), reading)
    told = decode_lidar_2d(bytes(packet.data))
    c, s = math.cos(math.radians(100.0)), math.sin(math.radians(100.0))
    assert told.position == pytest.approx((10.0 + c - 0.5 * s, -5.0 + s + 0.5 * c, 120.0), abs=1e-4)
    assert struct.unpack_from("<3f", packet.data, 13) == pytest.approx(told.position)
