"""Datagrams that a real MORAI SIM sent (../shared/vectors/captured-udp.json)."""

from __future__ import annotations

import json
import math

import pytest

from dorosim.wire.device.nmea import Gga, Rmc, decode_sentence, encode_sentence
from dorosim.wire.udp.code import CtrlMode, Gear
from dorosim.wire.udp.datagram import DatagramReader
from dorosim.wire.udp.revision import DEFAULT_REVISION
from tests.shared import shared


def captured(name: str) -> bytes:
    vectors = json.loads(shared("vectors/captured-udp.json").read_text())["vectors"]
    datagram = bytes.fromhex(vectors[name]["hex"])
    assert len(datagram) == vectors[name]["size"]
    return datagram


def read(name: str):
    datagram = captured(name)
    codec, message = DatagramReader(DEFAULT_REVISION, "user").read(datagram, len(datagram))
    return codec, message, datagram


@pytest.mark.parametrize(
    "name",
    ["traffic_light_status_48", "ego_status_229", "collision_181", "intersection_status_37", "object_info_2160"],
)
def test_an_enveloped_capture_is_written_again_byte_for_byte(name):
    codec, message, datagram = read(name)
    assert codec.encode(message) == datagram


def test_the_ego_status_of_a_parked_car():
    _, status, _ = read("ego_status_229")
    assert (status.ctrl_mode, status.gear, status.map_data_id) == (CtrlMode.KEYBOARD, Gear.P, 1)
    assert status.size == pytest.approx((4.845, 1.835, 1.455))
    assert status.size[0] == pytest.approx(status.overhang + status.wheelbase + status.rear_overhang)
    assert math.degrees(status.rotation[2]) == pytest.approx(154.836, abs=1e-3)
    assert status.link_id == "A219BS010391"
    assert abs(status.acceleration[2]) < 0.01, "the acceleration has no gravity in it"
    assert 1.72e18 < status.time < 1.73e18, "Unix epoch, September 2024"


def test_the_light_and_the_intersection():
    _, light, _ = read("traffic_light_status_48")
    assert (light.index, light.type, light.status) == ("C119BS010007", 2, 1)
    _, intersection, _ = read("intersection_status_37")
    assert (intersection.index, intersection.status) == (7, 5)
    assert intersection.elapsed == pytest.approx(5.2036, abs=1e-4)


def test_unused_slots_are_no_objects_and_no_collisions():
    assert read("object_info_2160")[1].objects == ()
    assert read("collision_181")[1].collisions == ()


def test_gps_sentences_are_written_again_byte_for_byte():
    rmc, gga = decode_sentence(captured("gps_rmc")), decode_sentence(captured("gps_gga"))
    assert isinstance(rmc, Rmc)
    assert isinstance(gga, Gga)
    assert rmc.extra_comma
    assert (rmc.latitude, rmc.longitude) == pytest.approx((37.240067, 126.773962), abs=1e-6)
    assert (gga.quality, gga.satellites, gga.altitude) == (1, 9, 29.1)
    assert encode_sentence(rmc) == captured("gps_rmc")
    assert encode_sentence(gga) == captured("gps_gga")
