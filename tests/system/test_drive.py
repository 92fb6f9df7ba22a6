"""The whole simulator, driven by datagrams over a transport in memory."""

from __future__ import annotations

import csv
import math
import struct
from itertools import pairwise

import pytest

from dorosim.app.setting.settings import EgoSettings
from dorosim.sensor.scene.lamp import ego_lamps
from dorosim.sensor.scene.material import VehicleLamp
from dorosim.world.vehicle.mode import ControlKind, ControlMode, Gear
from tests.packet import control, ghost, ground_direct, ground_state, multi_ego, status_number, trajectory
from tests.shared import shared
from tests.system.client import PathFollower
from tests.system.rig import rig

X, Y, YAW, SPEED = 77, 81, 97, 101
"""Offsets in the 229-byte ego status (facts/udp-wire.md, section 3.3)."""


def status(run, offset: int) -> float:
    return status_number(run.endpoint.outgoing["EgoVehicleStatus"], offset)


def drive_path(run, points, metres: float, top_kmh: float = 60.0) -> PathFollower:
    """Follow a path at 30 Hz until so many metres have been driven."""
    client = PathFollower(points, top_kmh)
    ticks = 0
    while client.travelled < metres:
        if ticks % 3 == 0:
            run.send(client.command(run.endpoint.outgoing["EgoVehicleStatus"]))
        run.turn()
        ticks += 1
        assert ticks < 40_000, "the ego vehicle got stuck"
    return client


def test_before_the_first_command_the_ego_stands_held_in_auto_mode_and_gear_d(town):
    before = town.now.vehicle
    after = town.turn(500).vehicle
    assert (after.control_mode[0], after.gear[0], after.control_kind[0]) == (ControlMode.AUTO, Gear.D, ControlKind.HOLD)
    assert (after.x[0], after.y[0]) == (before.x[0], before.y[0])
    data = town.endpoint.outgoing["EgoVehicleStatus"]
    assert (data[35], data[36]) == (2, 4)
    assert status(town, SPEED) == 0.0


def test_pedals_velocity_and_acceleration_control(town):
    town.send(control(accel=1.0))
    town.turn(200)
    assert status(town, SPEED) > 15.0
    assert status(town, 45) == pytest.approx(1.0)
    town.send(control(brake=1.0))
    town.turn(400)
    assert status(town, SPEED) == 0.0
    town.send(control(kind=2, velocity_kmh=18.0))
    town.turn(300)
    assert status(town, SPEED) == pytest.approx(3 * 3.6, abs=1.0), "1 m/s^2 for 3 s, as documented"
    town.turn(600)
    assert status(town, SPEED) == pytest.approx(18.0, abs=0.3)
    town.send(control(kind=3, acceleration=-1.0))
    town.turn(200)
    assert status(town, SPEED) == pytest.approx(18.0 - 2 * 3.6, abs=1.0)


def test_a_command_holds_until_it_is_replaced_and_the_last_of_a_tick_wins(town):
    town.send(control(accel=0.9), control(accel=0.2), control(accel=0.4))
    town.turn(50)
    assert town.now.vehicle.target_accelerator[0] == pytest.approx(0.4)


def test_positive_steering_turns_right_at_24_r2_and_left_at_25_s4(tmp_path):
    turned = {}
    for revision in ("24.R2", "25.S4"):
        run = rig(tmp_path, revision=revision)
        run.send(control(accel=0.3, steer=0.5))
        yaw = float(run.now.vehicle.yaw[0])
        turned[revision] = float(run.turn(300).vehicle.yaw[0]) - yaw
    assert turned["24.R2"] < -0.2
    assert turned["25.S4"] > 0.2


def test_keyboard_mode_shuts_udp_out_until_auto_mode_is_asked_for(town):
    town.send(control(accel=1.0, mode=1))
    assert town.turn(100).vehicle.velocity_x[0] == 0.0, "a held vehicle stays held"
    town.send(control(accel=1.0, mode=0))
    assert town.turn(100).vehicle.velocity_x[0] == 0.0, "0 keeps the present mode, which is keyboard"
    town.send(trajectory([(0.0, 0.0, 0.0, 5.0)]), ghost(1.0, 2.0, 3.0, 4.0))
    town.turn(2)
    assert town.journal.counts["refused"] == 3, "what does not count is counted"
    town.send(control(accel=1.0, mode=2))
    assert town.turn(100).vehicle.velocity_x[0] > 1.0


def test_a_moving_car_that_the_keyboard_takes_over_lets_go_of_the_pedals(town):
    town.send(control(accel=1.0, steer=0.2))
    town.turn(200)
    town.send(control(accel=1.0, brake=0.0, mode=1))
    now = town.turn(50).vehicle
    assert (now.accelerator[0], now.target_steer[0]) == (0.0, 0.0)
    assert status(town, 45) == 0.0


def test_gears(town):
    town.send(control(accel=0.5, gear=2))
    assert town.turn(200).vehicle.velocity_x[0] < -0.5
    assert town.endpoint.outgoing["EgoVehicleStatus"][36] == 2
    town.send(control(brake=1.0))
    town.turn(300)
    town.send(control(accel=1.0, gear=1))
    assert town.turn(200).vehicle.velocity_x[0] == 0.0


def test_ghost_control_places_the_ego_as_told(town):
    town.send(ghost(3.0, 4.0, 1.0, 45.0, speed_kmh=36.0, steer_deg=10.0))
    town.turn(2)
    assert (status(town, X), status(town, Y)) == (3.0, 4.0)
    assert status(town, YAW) == pytest.approx(45.0)
    assert status(town, SPEED) == pytest.approx(36.0)
    assert status(town, 137) == pytest.approx(10.0)
    town.turn(100)
    assert (status(town, X), status(town, Y)) == (3.0, 4.0), "a ghost moves only as told"


def test_a_trajectory_is_followed_to_its_end(town):
    vehicle = town.now.vehicle
    x, y, yaw = float(vehicle.x[0]), float(vehicle.y[0]), float(vehicle.yaw[0])
    points = [(x + 3 * i * math.cos(yaw), y + 3 * i * math.sin(yaw), 0.0, 5.0) for i in range(1, 21)]
    town.send(trajectory(points))
    worst = 0.0
    for _ in range(2500):
        now = town.turn().vehicle
        side = (now.y[0] - y) * math.cos(yaw) - (now.x[0] - x) * math.sin(yaw)
        worst = max(worst, abs(float(side)))
    assert worst < 0.3
    assert math.dist((now.x[0], now.y[0]), points[-1][:2]) < 3.0
    assert now.velocity_x[0] == 0.0


def test_a_trajectory_is_driven_forwards_whatever_the_gear_was(town):
    vehicle = town.now.vehicle
    x, y, yaw = float(vehicle.x[0]), float(vehicle.y[0]), float(vehicle.yaw[0])
    town.send(control(gear=1))
    town.turn()
    town.send(trajectory([(x + 20 * math.cos(yaw), y + 20 * math.sin(yaw), 0.0, 5.0)]))
    now = town.turn(1500).vehicle
    assert math.dist((now.x[0], now.y[0]), (x + 20 * math.cos(yaw), y + 20 * math.sin(yaw))) < 3.0


def test_ground_vehicles_drive_by_direct_and_state_commands(tmp_path):
    run = rig(tmp_path, egos=[EgoSettings(vehicle="Clearpath_Husky_A200")])
    yaw = float(run.now.vehicle.yaw[0])
    run.send(ground_state(0.5, 0.3))
    after = run.turn(200).vehicle
    assert after.velocity_x[0] == pytest.approx(0.5, abs=0.05)
    assert after.yaw[0] - yaw > 0.3
    run.send(ground_direct(3, 1.0))
    before = float(run.turn(100).vehicle.yaw[0])
    assert run.turn(100).vehicle.yaw[0] < before, "zero turn: positive throttle turns right"
    run.send(ground_direct(1, 0.5, 0.0))
    assert run.turn(200).vehicle.velocity_x[0] > 0.1


def test_cars_take_ground_commands_and_robots_take_pedals(town, tmp_path):
    """The page speaks of wheel-based ground vehicles, vehicles and robots."""
    town.send(ground_state(1.0, 0.0))
    assert town.turn(400).vehicle.velocity_x[0] == pytest.approx(1.0, abs=0.1)
    robot = rig(tmp_path, egos=[EgoSettings(vehicle="Clearpath_Husky_A200")])
    robot.send(control(accel=1.0))
    assert robot.turn(200).vehicle.velocity_x[0] == pytest.approx(1.0, abs=0.05)


@pytest.mark.parametrize("model", ["Clearpath_Husky_A200", "2016_Hyundai_Ioniq"])
def test_the_gear_that_is_told_is_r_while_ground_vehicle_commands_reverse(tmp_path, model):
    run = rig(tmp_path, egos=[EgoSettings(vehicle=model)])

    def gear_after(*datagrams: bytes) -> Gear:
        run.send(*datagrams)
        run.turn(2)
        return Gear(run.status("EgoVehicleStatus")[36])

    assert gear_after(ground_direct(2, -0.5)) is Gear.R
    assert ego_lamps(run.turn(100))[0] & 1 << VehicleLamp.REVERSE, "the reversing lamps burn"
    assert run.now.vehicle.velocity_x[0] < -0.05
    assert gear_after(ground_direct(2, 0.0)) is Gear.D
    assert gear_after(ground_direct(2, 0.5)) is Gear.D
    assert gear_after(ground_state(-0.5, 0.0)) is Gear.R
    assert gear_after(ground_state(0.5, 0.0)) is Gear.D
    assert gear_after(ground_direct(3, -1.0)) is Gear.D, "zero turn drives nowhere"
    assert gear_after(control(gear=1), ground_state(0.5, 0.0)) is Gear.D, "it drives in spite of the selector"
    assert gear_after(ground_state(0.0, 0.0)) is Gear.P
    assert gear_after(ground_direct(1, -1.0), control(gear=4)) is Gear.D, "who drives by pedals has his own gear"
    assert not ego_lamps(run.now)[0] & 1 << VehicleLamp.REVERSE


def test_axle_angles_are_fractions_of_each_axles_own_limit(tmp_path):
    run = rig(tmp_path, egos=[EgoSettings(vehicle="2018_HyundaiRotem_K808")])
    run.send(ground_direct(2, 0.0, angles=(0.5, 0.5)))
    now = run.turn(300)
    limits = now.parameter.axle_max_steer[:2, 0]
    assert limits[0] != limits[1]
    assert now.vehicle.axle_angle[:2, 0] == pytest.approx(-0.5 * limits), "right positive on the wire"


def test_a_ghost_reports_the_motion_that_its_poses_make(town):
    for step in range(100):
        angle = 0.004 * step
        town.send(ghost(10 * math.sin(angle), 10 - 10 * math.cos(angle), 0.0, math.degrees(angle), speed_kmh=7.2))
        town.turn(2)
    assert status(town, 121) == pytest.approx(math.degrees(0.2), rel=0.2), "yaw rate in degrees a second"
    town.turn(300)
    assert abs(status(town, 121)) < 0.1


def test_the_competition_status_has_no_place(tmp_path):
    run = rig(tmp_path, revision="25.S4")
    run.send(control(accel=1.0))
    run.turn(200)
    data = run.endpoint.publisher.builder("CompetitionVehicleStatus")(run.now)
    assert len(data) == 181
    assert struct.unpack_from("<3f", data, 77) == (0.0, 0.0, 0.0)
    assert struct.unpack_from("<3f", data, 125) == (0.0, 0.0, 0.0)
    assert status_number(data, 101) > 5.0
    assert data[141:179].rstrip(b"\0")


def test_multi_ego_setting_places_each_by_its_number(tmp_path):
    run = rig(tmp_path, egos=[EgoSettings(), EgoSettings(vehicle="2016_Kia_Niro(HEV)")])
    run.send(multi_ego((2, 5.0, 6.0, 90.0, 36.0), (1, -5.0, -6.0, 0.0, 0.0), camera=2))
    now = run.turn()
    assert now.vehicle.y[1] == pytest.approx(6.0, abs=0.2)
    assert now.vehicle.velocity_x[1] == pytest.approx(10.0, abs=0.1)
    assert now.vehicle.x[0] == pytest.approx(-5.0, abs=0.1)
    assert now.camera == 2
    run.turn()
    slot = run.endpoint.outgoing["ObjectInfo"][38:144]
    assert struct.unpack_from("<hh", slot) == (2, 1), "another ego is a vehicle to the ego"
    assert run.endpoint.outgoing["ObjectInfo"][144:250] == bytes(106)
    run.send(multi_ego((3, 0.0, 0.0, 0.0, 0.0), (0, 7.0, 8.0, 0.0, 0.0)))
    now = run.turn()
    assert run.journal.counts["refused"] == 1, "an unknown number is refused, and the others are placed"
    assert (now.vehicle.x[0], now.vehicle.y[0]) == pytest.approx((7.0, 8.0), abs=0.1), "0 is the first one, too"


def leaning(number: int, roll: float, pitch: float, yaw: float = 90.0) -> bytes:
    data = bytearray(multi_ego((number, 5.0, 6.0, yaw, 0.0)))
    struct.pack_into("<2f", data, 41 + 14, roll, pitch)
    return bytes(data)


def test_roll_and_pitch_of_multi_ego_setting_are_told_as_given_and_the_body_settles_from_there(town):
    town.send(leaning(1, 0.0, 0.0))
    now = town.turn().vehicle
    ground = pytest.approx((float(now.roll[0]), float(now.pitch[0])), abs=1e-4)
    town.send(leaning(1, 8.0, -365.0))
    town.turn()
    roll, pitch, yaw = struct.unpack_from("<3f", town.status("EgoVehicleStatus"), 89)
    assert (roll, pitch, yaw) == pytest.approx((8.0, -5.0, 90.0), abs=1e-4), "a whole turn more is the same"
    lean = [float(town.turn(5).vehicle.roll[0]) for _ in range(12)]
    assert all(after < before for before, after in pairwise(lean))
    now = town.turn(100).vehicle
    assert (now.roll[0], now.pitch[0]) == ground
    assert now.velocity_x[0] == 0.0


@pytest.mark.parametrize("wrong", [math.nan, math.inf, 1e9])
def test_a_lean_that_is_none_places_nobody(town, wrong):
    before = town.now.vehicle.x[0]
    town.send(leaning(1, wrong, 0.0))
    now = town.turn().vehicle
    assert now.x[0] == before
    assert abs(now.roll[0]) < 0.02, "it leans as the road does"


def test_camera_index_0_is_the_first_ego_vehicle_and_an_unknown_one_is_refused(tmp_path):
    run = rig(tmp_path, egos=[EgoSettings(), EgoSettings()])
    run.send(multi_ego(camera=2))
    assert run.turn().camera == run.now.egos[1]
    run.send(multi_ego(camera=0))
    assert run.turn().camera == run.now.egos[0]
    for wrong in (3, -1, 2**31 - 1):
        run.send(multi_ego(camera=wrong))
        assert run.turn().camera == run.now.egos[0]
    assert run.journal.counts["refused"] == 3
    assert "camera_index 3: ego vehicles count from 1 to 2" in run.told[0]


def test_slots_that_do_not_count_may_hold_anything(town):
    data = bytearray(multi_ego((1, 5.0, 6.0, 90.0, 0.0)))
    data[41 + 32 : 41 + 64] = b"\xff" * 32
    town.send(bytes(data))
    assert town.turn().vehicle.x[0] == pytest.approx(5.0, abs=0.1)
    points = bytearray(trajectory([(1.0, 2.0, 3.0, 4.0), (5.0, 6.0, 7.0, 8.0)]))
    points[49 + 32 : 49 + 48] = struct.pack("<4f", *[math.nan] * 4)
    town.send(bytes(points))
    assert town.turn().vehicle.control_kind[0] == ControlKind.TRAJECTORY


def test_a_placed_ego_forgets_what_was_asked_of_it_elsewhere(town):
    town.send(control(accel=1.0))
    town.turn(100)
    town.send(multi_ego((1, 5.0, 6.0, 90.0, 0.0)))
    now = town.turn(200).vehicle
    assert (now.x[0], now.velocity_x[0]) == (pytest.approx(5.0, abs=0.1), 0.0)


def test_objects_are_told_nearest_first(tmp_path):
    poses = [(0.0, 0.0, 0.0), (50.0, 0.0, 0.0), (10.0, 0.0, 0.0), (-20.0, 0.0, 0.0)]
    run = rig(tmp_path, egos=[EgoSettings(pose=pose) for pose in poses])
    data = run.endpoint.outgoing["ObjectInfo"]
    ids = [struct.unpack_from("<h", data, 38 + 106 * i)[0] for i in range(4)]
    assert ids == [3, 4, 2, 0]


def test_a_students_client_follows_the_reference_path_of_a_real_map(tmp_path):
    folder = shared("maps/V_RHT_Suburb_03")
    with (folder / "reference_path.csv").open(newline="") as file:
        points = [(float(row["x"]), float(row["y"])) for row in csv.DictReader(file)]
    run = rig(tmp_path, map_name=str(folder), egos=[EgoSettings(pose=(0.0, 0.0, -90.0))])
    client = drive_path(run, points, 1500.0)
    assert client.worst < 2.5
    link = run.endpoint.outgoing["EgoVehicleStatus"][141:179].rstrip(b"\0").decode()
    assert link in run.built.scene.network.link_ids
