"""Commands as official clients build them: bytes packed here by hand, from the offsets of the documents.

Offsets, widths and padding are those of facts/udp-wire.md, section 3; nothing here uses our own encoder.
"""

from __future__ import annotations

import math
import struct

import pytest

from dorosim.wire.error import WireError
from dorosim.wire.limit import limit
from dorosim.wire.udp.code import CtrlMode, Gear, LongCmdType, ObjectType, SteerType, TurnSignal
from dorosim.wire.udp.datagram import DatagramReader, codec_of
from dorosim.wire.udp.revision import REVISIONS, revision_named
from dorosim.wire.udp.status import CollisionData, CollisionSlot, EgoVehicleStatus, ObjectInfo, ObjectSlot
from tests.packet import envelope


def read(datagram: bytes, revision: str = "24.R2"):
    found = DatagramReader(REVISIONS[revision], "simulator").read(datagram, len(datagram))
    return limit(*found)[0]


def control(*, steer: float = 0.25, accel: float = 0.5, brake: float = 0.0, mode: int = 2, gear: int = 4) -> bytes:
    return envelope("MoraiCtrlCmd", struct.pack("<3b5f", mode, gear, 1, 36.0, 1.5, accel, brake, steer))


def test_ego_control_of_55_bytes():
    datagram = control()
    assert len(datagram) == 55
    message = read(datagram)
    assert (message.ctrl_mode, message.gear, message.cmd_type) == (CtrlMode.AUTO, Gear.D, LongCmdType.THROTTLE)
    assert message.velocity == pytest.approx(10.0), "36 km/h"
    assert (message.acceleration, message.accel, message.brake) == (1.5, 0.5, 0.0)


def test_ego_control_of_59_bytes_has_a_rear_axle():
    datagram = envelope("MoraiCtrlCmd", struct.pack("<3b6f", 2, 4, 1, 0, 0, 0, 0, 0.25, -0.5))
    assert len(datagram) == 59
    message = read(datagram, "26.R1")
    assert (message.steer, message.rear_steer) == (0.25, -0.5)


@pytest.mark.parametrize(
    ("revision", "inside"), [("22.R1", -0.25), ("24.R1", -0.25), ("24.R2", -0.25), ("25.S4", 0.25), ("26.R1", 0.25)]
)
def test_positive_steering_turns_right_until_24_r2_and_left_since(revision, inside):
    assert read(control(steer=0.25), revision).steer == inside


def test_the_sign_of_steering_has_a_switch_of_its_own():
    revision = revision_named("24.R2", "left")
    _, message = DatagramReader(revision, "simulator").read(control(steer=0.25), 55)
    assert message.steer == 0.25
    assert codec_of(EgoVehicleStatus, revision).size == 229


def test_ghost_control():
    datagram = envelope("EgoGhostCmd", struct.pack("<8f", 1, 2, 3, 0, 0, 90, 18, 10))
    assert len(datagram) == 63
    message = read(datagram)
    assert message.position == (1, 2, 3)
    assert message.rotation == pytest.approx((0, 0, math.pi / 2))
    assert message.speed == pytest.approx(5.0)
    assert message.steer_angle == pytest.approx(math.radians(-10)), "right positive on the wire of 24.R2"


def test_trajectory():
    points = struct.pack("<8f", 1, 2, 3, 4, 5, 6, 7, 8) + bytes(28 * 16)
    datagram = envelope("TrajectoryTrackingCmd", struct.pack("<iibB", 10, 500, -1, 2) + points)
    assert len(datagram) == 531
    message = read(datagram)
    assert (message.time, message.sequence, message.trajectory_count) == (10_000_000_500, -1, 2)
    assert [(*point.position, point.speed) for point in message.points] == [(1, 2, 3, 4), (5, 6, 7, 8)]


def ground(msg_type: int, payload: bytes) -> bytes:
    return struct.pack("<3IBHIIIIBB", 0, msg_type, 0, 0, 0, 0, 0, 0, 0, 0, 0) + payload


def test_ground_vehicle_direct():
    datagram = ground(65, struct.pack("<I12f", 2, 0.5, 0.1, *[0.1 * i for i in range(10)]))
    assert len(datagram) == 85
    message = read(datagram)
    assert message.steer_type is SteerType.ACKERMANN
    assert message.throttle == 0.5
    assert message.steer_angle == pytest.approx([0.1 * i for i in range(10)])


def test_ground_vehicle_state():
    datagram = ground(66, struct.pack("<2f", 1.5, -0.5))
    assert len(datagram) == 41
    message = read(datagram)
    assert (message.target_longitudinal_velocity, message.target_angular_velocity) == (1.5, -0.5)


def test_traffic_light_with_a_short_id_padded_by_spaces_or_nul():
    for pad in (b" ", b"\0"):
        datagram = envelope("TrafficLight", b"653".ljust(12, pad) + struct.pack("<h", 16))
        assert len(datagram) == 46
        message = read(datagram)
        assert (message.index, message.status) == ("653", 16)


def test_intersection_scenario_lamps():
    datagram = envelope("SetIntStatus", struct.pack("<hhf", 3, 1, 2.5))
    assert len(datagram) == 40
    assert (read(datagram).index, read(datagram).status, read(datagram).elapsed) == (3, 1, 2.5)
    datagram = envelope("ScenarioLoad", b"lap one".ljust(30) + bytes([1, 0, 1, 0, 1, 0, 1]))
    assert len(datagram) == 69
    message = read(datagram)
    assert (message.file_name, message.delete_all, message.load_object_data, message.set_pause) == (
        "lap one",
        True,
        False,
        True,
    )
    datagram = envelope("LampControl", bytes([2, 1]))
    assert len(datagram) == 33
    assert (read(datagram).turn_signal, read(datagram).emergency_signal) == (TurnSignal.RIGHT, True)


def test_sensor_messages():
    datagram = envelope("SensorControl", struct.pack("<h6f", 2, 1, 0, 1.5, 0, 0, -90))
    assert len(datagram) == 59
    assert read(datagram).rotation[2] == pytest.approx(-math.pi / 2)
    datagram = envelope("SaveSensorData", b"\1" + b"front".ljust(30) + b"today".ljust(60))
    assert len(datagram) == 125
    assert (read(datagram).custom_file_name, read(datagram).file_dir) == ("front", "today")


def test_multi_ego_and_npc_ghost():
    slot = struct.pack("<h7f2b", 1, 1, 2, 3, 0, 0, 90, 36, 4, 16)
    datagram = envelope("MultiEgoSetting", struct.pack("<2i", 1, 1) + slot + bytes(19 * 32))
    assert len(datagram) == 683
    ego = read(datagram).egos[0]
    assert (ego.ego_index, ego.gear, ego.ctrl_mode) == (1, Gear.D, CtrlMode.AUTO_MULTI_EGO)
    assert ego.speed == pytest.approx(10.0)
    slot = struct.pack("<b25s6f", 5, b"2015_Kia_K5".ljust(25), 1, 2, 3, 0, 0, 90)
    datagram = envelope("NpcGhostCmd", slot + bytes(19 * 50))
    assert len(datagram) == 1031
    assert (read(datagram).vehicles[0].unique_id, read(datagram).vehicles[0].car_name) == (5, "2015_Kia_K5")


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_numbers_that_are_not_finite_are_refused(value):
    with pytest.raises(WireError, match="accel is"):
        read(control(accel=value))


def test_pedals_and_steering_are_clamped_and_unknown_codes_refused():
    message = read(control(accel=7.0, brake=-1.0, steer=-3.0))
    assert (message.accel, message.brake, message.steer) == (1.0, 0.0, 1.0)
    with pytest.raises(WireError, match="unknown code 9"):
        read(control(gear=9))
    with pytest.raises(WireError, match="position is"):
        read(envelope("EgoGhostCmd", struct.pack("<8f", 1e30, 0, 0, 0, 0, 0, 0, 0)))


def status(**changes) -> EgoVehicleStatus:
    facts = {
        "time": 12 * 10**9 + 34,
        "ctrl_mode": CtrlMode.AUTO,
        "gear": Gear.D,
        "signed_velocity": 10.0,
        "map_data_id": 10001,
        "accel": 0.25,
        "brake": 0.0,
        "size": (4.5, 1.8, 1.4),
        "overhang": 0.9,
        "wheelbase": 2.7,
        "rear_overhang": 0.9,
        "position": (1.0, 2.0, 3.0),
        "rotation": (0.0, 0.0, math.pi / 2),
        "velocity": (10.0, 0.5, 0.0),
        "angular_velocity": (0.0, 0.0, math.pi),
        "acceleration": (1.0, 2.0, 0.0),
        "steer_angle": math.radians(5),
        "link_id": "A1",
    }
    return EgoVehicleStatus(**(facts | changes))


def test_ego_status_at_the_offsets_that_clients_read():
    """Offsets of the 229-byte packet, facts section 3.3."""
    data = codec_of(EgoVehicleStatus, REVISIONS["24.R2"]).encode(status(tire_lateral_force=(1.0, 2.0, 3.0, 4.0)))

    def number(offset: int) -> float:
        return struct.unpack_from("<f", data, offset)[0]

    assert struct.unpack_from("<ii", data, 27) == (12, 34)
    assert (data[35], data[36]) == (2, 4)
    assert number(37) == pytest.approx(36.0), "km/h"
    assert number(93 + 4) == pytest.approx(90.0), "yaw in degrees"
    assert number(101) == pytest.approx(36.0), "forward velocity in the body frame"
    assert number(121) == pytest.approx(180.0), "degrees a second"
    assert number(137) == pytest.approx(-5.0), "right positive at 24.R2"
    assert data[141:179] == b"A1".ljust(38, b"\0")
    assert [number(179 + 4 * i) for i in range(4)] == [1, 2, 3, 4]
    assert data[227:] == b"\r\n"


def test_ego_status_of_161_bytes_has_no_stamp_and_no_angular_velocity():
    data = codec_of(EgoVehicleStatus, REVISIONS["22.R1"]).encode(status())
    assert len(data) == 161
    assert (data[27], data[28]) == (2, 4)
    assert struct.unpack_from("<f", data, 69)[0] == 1.0, "position"
    assert struct.unpack_from("<f", data, 105)[0] == 1.0, "acceleration"
    assert data[121:123] == b"A1"


def test_ego_status_of_245_bytes_ends_with_the_lane():
    lane = {"distance_left_lane_boundary": 1.5, "distance_right_lane_boundary": 2.0, "cross_track_error": -0.25}
    data = codec_of(EgoVehicleStatus, REVISIONS["26.R1"]).encode(status(**lane))
    assert struct.unpack_from("<3f", data, 231) == (1.5, 2.0, -0.25)
    assert data[145:147] == b"A1"


def test_objects_and_collisions_at_their_offsets():
    slot = ObjectSlot(
        obj_id=7,
        obj_type=ObjectType.VEHICLE,
        position=(1.0, 2.0, 3.0),
        heading=math.pi,
        size=(4.0, 2.0, 1.5),
        overhang=1.0,
        wheelbase=2.5,
        rear_overhang=0.5,
        velocity=(10.0, 0.0, 0.0),
        acceleration=(0.0, 0.0, 0.0),
        link_id="L9",
    )
    data = codec_of(ObjectInfo, REVISIONS["24.R2"]).encode(ObjectInfo(time=1, objects=(slot, slot)))
    assert struct.unpack_from("<hh4f", data, 38) == (7, 1, 1.0, 2.0, 3.0, 180.0)
    assert struct.unpack_from("<f", data, 38 + 106 + 44)[0] == pytest.approx(36.0)
    assert data[38 + 106 + 68 : 38 + 106 + 70] == b"L9"
    assert data[38 + 212 : 2158] == bytes(18 * 106)
    hit = CollisionSlot(obj_type=ObjectType.OBJECT, obj_id=9, position=(1.0, 2.0, 3.0), global_offset=(4.0, 5.0, 6.0))
    data = codec_of(CollisionData, REVISIONS["24.R2"]).encode(CollisionData(time=1, collisions=(hit,)))
    assert struct.unpack_from("<hh6f", data, 39) == (2, 9, 1, 2, 3, 4, 5, 6), "type before id"


def test_values_that_do_not_fit_are_refused():
    codec = codec_of(EgoVehicleStatus, REVISIONS["24.R2"])
    with pytest.raises(WireError, match="room for 38"):
        codec.encode(status(link_id="x" * 39))
    with pytest.raises(WireError, match="does not fit"):
        codec.encode(status(map_data_id=2**40))
