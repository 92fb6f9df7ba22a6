"""ROS tells the same of the world as UDP does, in its own units and signs."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dorosim.bridge.udp.publish import Publisher
from dorosim.wire.udp.revision import REVISIONS
from dorosim.world.obstacle.command import SpawnObstacle
from dorosim.world.obstacle.state import obstacle_model_row
from dorosim.world.pedestrian.command import SpawnPedestrian
from dorosim.world.snapshot import EGO
from dorosim.world.traffic.command import CreateNpc, PlaceNpcGhost
from dorosim.world.vehicle.command import DriveVehicle, PlaceVehicle
from dorosim.world.vehicle.mode import ControlKind, Gear
from tests.bridge.ros.stage import EPOCH, RosStage
from tests.world.world import town_scene

CAR = "2015_Kia_K5"


@pytest.fixture(scope="module")
def stage() -> RosStage:
    """The ego vehicle turns left on a lane of the town and hits a box; around it is everybody."""
    scene = town_scene()
    link = int(np.flatnonzero(scene.network.link_drivable)[0])
    pose = scene.network.pose_at(link, 20.0)
    x, y, z = pose.point[0].tolist()
    yaw = float(pose.heading[0])
    stage = RosStage(scene.network, generation="26.r1", egos=(("2016_Hyundai_Ioniq", (x, y, z), yaw),))
    ahead = (x + 6.0 * math.cos(yaw), y + 6.0 * math.sin(yaw), z)
    box = obstacle_model_row("box")[0]
    others = np.flatnonzero(scene.network.link_drivable)[1:10].tolist()
    stage.apply(
        *(CreateNpc(model=CAR, link=other, s=10.0, speed=8.0) for other in others),
        PlaceVehicle(EGO, (x, y, z), (0.0, 0.0, yaw), 9.0, Gear.D),
        DriveVehicle(EGO, ControlKind.PEDALS, accelerator=0.2, steer=0.02),
        SpawnObstacle(0, box, ahead),
        SpawnPedestrian(0, 0, (x, y + 9.0, z), 1.0),
        SpawnObstacle(0, box, (x - 31.0, y, z)),
        PlaceNpcGhost(1, CAR, (x - 30.0, y, z), (0.0, 0.0, 3.0)),
    )
    stage.ticks(25)
    assert stage.now.contact.rows >= 2
    return stage


@pytest.fixture(scope="module")
def udp(stage) -> Publisher:
    return Publisher(stage.scene, REVISIONS["26.R1"], EPOCH)


def parts(vector) -> tuple[float, float, float]:
    return vector.x, vector.y, vector.z


def test_the_ego_vehicle(stage, udp):
    ros, told = stage.told("ego"), udp.ego_status(stage.now)
    assert ros.header.stamp.sec * 10**9 + ros.header.stamp.nanosec == told.time
    assert (parts(ros.position), parts(ros.velocity)) == (told.position, told.velocity)
    assert parts(ros.acceleration) == told.acceleration
    assert math.radians(ros.heading) == pytest.approx(math.remainder(told.rotation[2], math.tau))
    assert (ros.accel, ros.brake) == (pytest.approx(told.accel), pytest.approx(told.brake))
    assert math.radians(ros.front_steer_angle) == pytest.approx(told.steer_angle)
    assert math.radians(ros.rear_steer_angle) == pytest.approx(told.rear_steer_angle)
    for row, wheel in enumerate(("fl", "fr", "rl", "rr")):
        assert getattr(ros, f"tire_lateral_force_{wheel}") == pytest.approx(told.tire_lateral_force[row])
        assert math.radians(getattr(ros, f"side_slip_angle_{wheel}")) == pytest.approx(told.side_slip_angle[row])
        stiffness = told.tire_cornering_stiffness[row]
        assert getattr(ros, f"tire_cornering_stiffness_{wheel}") == pytest.approx(stiffness)
    assert ros.distance_left_lane_boundary == pytest.approx(told.distance_left_lane_boundary)
    assert ros.distance_right_lane_boundary == pytest.approx(told.distance_right_lane_boundary)
    assert ros.cross_track_error == pytest.approx(told.cross_track_error)


def test_objects(stage, udp):
    ros, told = stage.told("objects"), list(udp.object_info(stage.now).objects)
    listed = {one.unique_id: one for one in (*ros.npc_list, *ros.pedestrian_list, *ros.obstacle_list)}
    assert set(listed) == {slot.obj_id for slot in told}
    assert len(told) >= 12
    for slot in told:
        one = listed[slot.obj_id]
        assert one.type == slot.obj_type
        # UDP has room for single precision only
        assert parts(one.position) == pytest.approx(slot.position, abs=1e-4)
        assert parts(one.size) == pytest.approx(slot.size, rel=1e-6)
        assert math.radians(one.heading) == pytest.approx(math.remainder(slot.heading, math.tau), abs=1e-6)
        assert [part / 3.6 for part in parts(one.velocity)] == pytest.approx(slot.velocity, abs=1e-5)
        assert parts(one.acceleration) == pytest.approx(slot.acceleration, abs=1e-5)


def test_collisions(stage, udp):
    ros, told = stage.told("collision"), udp.collision_data(stage.now).collisions
    assert [one.unique_id for one in ros.collision_object] == [slot.obj_id for slot in told]
    assert [parts(one.position) for one in ros.collision_object] == [slot.position for slot in told]
    offset = (ros.global_offset_x, ros.global_offset_y, ros.global_offset_z)
    assert told
    assert {slot.global_offset for slot in told} == {offset}
    pairs = stage.told("npc_collision").collisions
    expected = [(pair.obj_id_1, pair.obj_id_2) for pair in udp.npc_collision_data(stage.now).pairs]
    assert expected
    assert [tuple(one.unique_id for one in pair.crashed_vehicles) for pair in pairs] == expected


def test_lights(stage, udp):
    ros, told = stage.told("light"), udp.light_status(stage.now)
    assert told.index
    assert ros.trafficLightIndex.startswith(told.index)
    assert (ros.trafficLightType, ros.trafficLightStatus) == (told.type, told.status)
    where, expected = stage.told("intersection"), udp.intersection_status(stage.now)
    assert (where.intersection_index, where.intersection_status) == (expected.index, expected.status)
    assert where.intersection_status_time == pytest.approx(expected.elapsed)
