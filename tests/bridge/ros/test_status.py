"""What is told of the ego vehicle, in every generation: each field against the snapshot."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from dorosim.bridge.ros.status import quaternion
from dorosim.bridge.surroundings import lane_under
from dorosim.wire.ros.registry import GENERATIONS
from dorosim.world.snapshot import EGO
from dorosim.world.vehicle.command import DriveVehicle, PlaceVehicle
from dorosim.world.vehicle.mode import ControlKind, Gear
from tests.bridge.ros.stage import EPOCH, RosStage

CAR = "2016_Hyundai_Ioniq"
ALL = pytest.mark.parametrize("generation", GENERATIONS)
NINE = ["header", "unique_id", "acceleration", "position", "velocity", "heading", "accel", "brake", "wheel_angle"]


def moving(generation: str) -> RosStage:
    """A car that turns left, 0.5 m to the left of the lane's centre."""
    stage = RosStage(generation=generation, egos=((CAR, (5.0, 0.5, 0.0), 0.0),))
    stage.apply(PlaceVehicle(EGO, (5.0, 0.5, 0.0), (0.0, 0.0, 0.02), 12.0, Gear.D))
    stage.apply(DriveVehicle(EGO, ControlKind.PEDALS, accelerator=0.3, steer=0.03))
    stage.ticks(20)
    return stage


@ALL
def test_every_field_tells_what_the_snapshot_holds(generation):
    stage = moving(generation)
    told, vehicle = stage.told("ego"), stage.now.vehicle
    assert told.header.frame_id == "map"
    assert (told.header.stamp.sec, told.header.stamp.nanosec) == divmod(EPOCH + stage.now.time, 10**9)
    assert told.unique_id == EGO
    one = [float(column[0]) for column in (vehicle.x, vehicle.y, vehicle.z)]
    assert [told.position.x, told.position.y, told.position.z] == one
    assert told.velocity.x == pytest.approx(float(vehicle.velocity_x[0])) != 0.0, "m/s, along the body"
    assert told.velocity.y == float(vehicle.velocity_y[0])
    assert [told.acceleration.x, told.acceleration.y, told.acceleration.z] == vehicle.acceleration[:, 0].tolist()
    assert told.acceleration.y > 0.1, "to the left"
    assert told.heading == pytest.approx(math.degrees(float(vehicle.yaw[0])))
    assert told.heading > 0.02, "counter-clockwise from east"
    assert told.accel == pytest.approx(0.3)
    assert told.brake == 0.0
    wheel = told.wheel_angle if generation != "26.r1" else told.front_steer_angle
    assert wheel == pytest.approx(math.degrees(float(vehicle.steer[0])))
    assert wheel > 0.5, "left positive, degrees"


def test_the_first_generation_has_nine_fields():
    told = moving("2022").told("ego")
    assert [name for name in vars(told) if name != "__msgtype__"] == NINE


@pytest.mark.parametrize("generation", GENERATIONS[1:])
def test_later_ones_tell_of_tyres_and_the_lane(generation):
    stage = moving(generation)
    told, vehicle = stage.told("ego"), stage.now.vehicle
    for row, wheel in enumerate(("fl", "fr", "rl", "rr")):
        force, slip = float(vehicle.tire_lateral_force[row, 0]), float(vehicle.tire_slip_angle[row, 0])
        assert getattr(told, f"tire_lateral_force_{wheel}") == pytest.approx(force, rel=1e-6)
        assert getattr(told, f"side_slip_angle_{wheel}") == pytest.approx(math.degrees(slip), rel=1e-6)
        stiffness = float(vehicle.tire_cornering_stiffness[row, 0])
        assert getattr(told, f"tire_cornering_stiffness_{wheel}") == pytest.approx(stiffness, rel=1e-6)
        assert stiffness > 1e3
    assert told.tire_lateral_force_fl > 10.0, "the tyres push to the left"
    lane = lane_under(stage.scene.network, vehicle, 0)
    assert lane.lateral > 0.3
    assert told.lateral_offset == pytest.approx(lane.lateral), "left positive"
    if generation == "26.r1":
        assert told.cross_track_error == pytest.approx(-lane.lateral), "right positive"
        assert told.distance_left_lane_boundary == pytest.approx(lane.left)
        assert told.distance_right_lane_boundary == pytest.approx(lane.right)
        assert told.distance_left_lane_boundary < told.distance_right_lane_boundary
        assert told.rear_steer_angle == pytest.approx(math.degrees(float(vehicle.rear_steer[0])))


def test_a_car_whose_rear_wheels_steer_tells_of_them():
    stage = moving("26.r1")
    stage.now = replace(stage.now, vehicle=changed(stage.now.vehicle, rear_steer=-0.05))
    assert stage.told("ego").rear_steer_angle == pytest.approx(math.degrees(-0.05))


def changed(table, **values):
    """A read-only copy with some columns overwritten."""
    copy = table.copy()
    for name, value in values.items():
        getattr(copy, name)[...] = value
    return copy.freeze()


def test_a_heading_is_within_half_a_turn():
    stage = moving("2024")
    stage.now = replace(stage.now, vehicle=changed(stage.now.vehicle, yaw=3.0 * math.pi + 0.1))
    assert stage.told("ego").heading == pytest.approx(math.degrees(0.1) - 180.0)


def test_the_transform_leads_from_the_map_to_the_body():
    stage = moving("2024")
    vehicle = stage.now.vehicle
    stage.now = replace(stage.now, vehicle=changed(vehicle, roll=0.1, pitch=-0.2, yaw=2.5))
    (told,) = stage.told("tf").transforms
    assert (told.header.frame_id, told.child_frame_id) == ("map", "base_link")
    where = told.transform.translation
    assert [where.x, where.y, where.z] == [float(part[0]) for part in (vehicle.x, vehicle.y, vehicle.z)]
    turn = told.transform.rotation
    assert rotation(turn.x, turn.y, turn.z, turn.w) == pytest.approx(about(0.1, -0.2, 2.5))


def test_frames_are_the_users_choice():
    stage = moving("2024")
    stage.form = replace(stage.form, map_frame="/map", body_frame="car")
    (told,) = stage.told("tf").transforms
    assert (told.header.frame_id, told.child_frame_id) == ("/map", "car")
    assert stage.told("ego").header.frame_id == "/map"


@pytest.mark.parametrize("yaw", [0.0, 1.0, 3.1, -3.1, 7.0])
def test_a_quaternion_is_the_rotation_about_z_then_y_then_x(yaw):
    for roll, pitch in ((0.0, 0.0), (0.3, -0.4), (-2.0, 1.2)):
        x, y, z, w = quaternion(roll, pitch, yaw)
        assert w >= 0.0
        assert rotation(x, y, z, w) == pytest.approx(about(roll, pitch, yaw))


def rotation(x: float, y: float, z: float, w: float):
    """The matrix of a unit quaternion, from its definition q v q*."""
    assert x * x + y * y + z * z + w * w == pytest.approx(1.0)
    columns = []
    for vx, vy, vz in np.eye(3):
        # q v, then times the conjugate; quaternions as (w, x, y, z)
        a = (-x * vx - y * vy - z * vz, w * vx + y * vz - z * vy, w * vy + z * vx - x * vz, w * vz + x * vy - y * vx)
        b = (w, -x, -y, -z)
        columns.append(
            (
                a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
                a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
                a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
            )
        )
    return np.array(columns).T


def about(roll: float, pitch: float, yaw: float):
    """Rotation about z, then y, then x."""
    c, s = math.cos, math.sin
    turn = np.array([[c(yaw), -s(yaw), 0.0], [s(yaw), c(yaw), 0.0], [0.0, 0.0, 1.0]])
    nod = np.array([[c(pitch), 0.0, s(pitch)], [0.0, 1.0, 0.0], [-s(pitch), 0.0, c(pitch)]])
    lean = np.array([[1.0, 0.0, 0.0], [0.0, c(roll), -s(roll)], [0.0, s(roll), c(roll)]])
    return turn @ nod @ lean
