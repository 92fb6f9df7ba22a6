"""The states of ego vehicles that Connect streams: each field, in JSON and binary."""

from __future__ import annotations

import json
import math

import pytest

from dorosim.bridge.grpc.documented.state import EGO_STATE, KINDS, MULTI_EGO_STATE, kinds_of, rate_of, state_response
from dorosim.bridge.situation import GrpcForm
from dorosim.bridge.udp.publish import Publisher
from dorosim.ground.error import InputError
from dorosim.wire.grpc.descriptor import MORAI_MSGS
from dorosim.wire.udp.revision import DEFAULT_REVISION
from dorosim.world.actor.command import CreateNamed, SetGoal
from dorosim.world.snapshot import EGO
from dorosim.world.vehicle.command import CreateVehicle, DriveVehicle
from dorosim.world.vehicle.mode import ControlKind
from tests.bridge.grpc.stage import GrpcStage
from tests.world.world import CAR, town_scene


@pytest.fixture(scope="module")
def stage() -> GrpcStage:
    """The town, in which the ego vehicle turns left."""
    network = town_scene().network
    link = network.link_index("_11_0_R1_")
    pose = network.pose_at(link, 39.33)
    x, y, z = pose.point[0].tolist()
    made = GrpcStage(network, egos=((CAR, (x, y, z), float(pose.heading[0])),))
    made.apply(
        DriveVehicle(EGO, ControlKind.PEDALS, accelerator=0.4, steer=0.05),
        CreateNamed(CreateVehicle(model=CAR, position=(x - 15.0, y, z)), "second"),
        SetGoal(EGO, (link,)),
    )
    made.ticks(200)
    return made


def state(stage: GrpcStage):
    """That of the ego vehicle."""
    stage.form = GrpcForm(json=False)
    return MORAI_MSGS.EgoState.FromString(state_response(stage.situation, EGO_STATE).msg)


def test_the_state_is_that_of_the_vehicle(stage):
    told, vehicle = state(stage), stage.now.vehicle
    assert told.unique_id == "Ego"
    assert (told.position.x, told.position.y, told.position.z) == (vehicle.x[0], vehicle.y[0], vehicle.z[0])
    assert told.velocity.x == pytest.approx(3.6 * vehicle.velocity_x[0])
    assert told.acceleration.y == pytest.approx(vehicle.acceleration[1, 0])
    assert told.rotation.z == pytest.approx(math.degrees(math.remainder(vehicle.yaw[0], math.tau)))
    assert told.rotation.y == pytest.approx(math.degrees(vehicle.pitch[0]))
    assert told.accel == pytest.approx(0.4)
    assert told.brake == 0.0
    assert told.front_wheel_angle == pytest.approx(vehicle.steer[0], rel=1e-5)


def test_lane_and_light_are_those_that_udp_tells(stage):
    told, publisher = state(stage), Publisher(stage.scene, DEFAULT_REVISION, 0)
    light = publisher.light_status(stage.now)
    assert told.link_id.result
    assert told.link_id.link_id == publisher.ego_status(stage.now).link_id
    assert told.link_id.waypoint > 0
    assert told.tl_id == light.index
    assert told.tl_color == light.status


def test_way_and_goal(stage):
    told = state(stage)
    aux = stage.ask("GetVehicleAuxState", id_list=[{"unique_id": "Ego"}]).res_list[0]
    assert told.remaining_distance == aux.remaining_distance > 0.0
    assert told.is_pass_dest_pos is False


def test_further_egos_are_listed_without_the_first(stage):
    stage.form = GrpcForm(json=False)
    answer = state_response(stage.situation, MULTI_EGO_STATE)
    listed = MORAI_MSGS.MultiEgoStateList.FromString(answer.msg)
    assert answer.service_name == listed.service_name == MULTI_EGO_STATE
    assert [one.unique_id for one in listed.multi_ego_state_list] == ["second"]
    assert listed.multi_ego_state_list[0].position.x == stage.now.vehicle.x[1]


def test_json_has_all_fields_by_the_names_of_the_document(stage):
    stage.form = GrpcForm()
    said = json.loads(state_response(stage.situation, EGO_STATE).msg)
    assert set(said) == {field.name for field in MORAI_MSGS.EgoState.DESCRIPTOR.fields}
    assert set(said["link_id"]) == {"result", "link_id", "waypoint"}


@pytest.mark.parametrize(("msg", "rate"), [("", 50.0), (" ", 50.0), ("20", 20.0), ("0", 0.0), ('{"rate": 2.5}', 2.5)])
def test_rates(msg, rate):
    assert rate_of(msg) == rate


@pytest.mark.parametrize("msg", ["fast", "-1", "NaN", "1e99", "{}", "[1]", '{"rate": "x"}', "null", "[" * 4000])
def test_what_is_no_rate_is_refused(msg):
    with pytest.raises(InputError, match="is not a valid rate"):
        rate_of(msg)


def test_kinds_of_states():
    assert kinds_of("") == KINDS
    assert kinds_of(EGO_STATE) == (EGO_STATE,)
    with pytest.raises(InputError, match="is not a valid kind"):
        kinds_of("/morai_msgs/Other")
