"""Services about events, the map and vehicles."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from dorosim.ground.error import InputError
from dorosim.world.pedestrian.command import SpawnPedestrian
from dorosim.world.snapshot import EGO
from dorosim.world.traffic.command import CreateNpc, PlaceNpcGhost
from dorosim.world.vehicle.catalogue import VEHICLE_MODELS
from dorosim.world.vehicle.command import ChangeLimits
from dorosim.world.vehicle.mode import ControlMode, Gear, TurnLamp
from tests.bridge.ros.stage import EPOCH, RosStage

CAR, OTHER = "2016_Hyundai_Ioniq", "2015_Kia_K5"


@pytest.fixture
def stage() -> RosStage:
    return RosStage(egos=((CAR, (0.0, 30.0, 0.0), 0.0),))


def event(stage, option: int, *, turn: int = 3, emergency: int = 0, **fields):
    lamps = stage.make("Lamps", turnSignal=turn, emergencySignal=emergency)
    return stage.call("event", option=option, lamps=lamps, **fields)


def test_fields_that_the_option_does_not_pick_change_nothing(stage):
    told = event(stage, 2, ctrl_mode=1, gear=2, turn=1, emergency=1, set_pause=True)
    assert (told.option, told.gear, told.ctrl_mode, told.set_pause) == (2, Gear.R, 3, False)
    assert (told.lamps.turnSignal, told.lamps.emergencySignal) == (TurnLamp.OFF, 0)
    vehicle = stage.now.vehicle
    assert (vehicle.gear[0], vehicle.control_mode[0]) == (Gear.R, ControlMode.AUTO)


def test_each_part_is_picked_by_its_bit_and_told_as_it_is_then(stage):
    told = event(stage, 15, ctrl_mode=1, gear=3, turn=2, emergency=1, set_pause=True)
    assert (told.ctrl_mode, told.gear, told.set_pause) == (1, Gear.N, True)
    assert (told.lamps.turnSignal, told.lamps.emergencySignal) == (TurnLamp.RIGHT, 1)
    assert (told.lamps.header.stamp.sec, told.lamps.header.stamp.nanosec) == divmod(EPOCH + stage.now.time, 10**9)
    assert stage.now.paused
    told = event(stage, 12, turn=3, emergency=0, set_pause=False)
    assert (told.lamps.turnSignal, told.lamps.emergencySignal) == (TurnLamp.RIGHT, 0), "3 keeps the turn signal"
    assert not stage.now.paused


@pytest.mark.parametrize(("generation", "code"), [("2022", 4), ("2024", 4), ("26.r1", 6)])
def test_cruise_is_told_by_the_number_of_the_generation_and_asked_for_by_both(generation, code):
    for asked in (4, 6):
        stage = RosStage(generation=generation, egos=((CAR, (10.0, 0.0, 0.0), 0.0),))
        assert event(stage, 1, ctrl_mode=asked).ctrl_mode == code
        assert stage.now.vehicle.control_mode[0] == ControlMode.CRUISE


def test_a_vehicle_that_is_placed_from_outside_is_told_as_in_auto_mode(stage):
    stage.send("ghost_cmd")
    assert event(stage, 2, gear=-1).ctrl_mode == 3
    assert stage.now.vehicle.gear[0] == Gear.D, "-1 keeps the gear"


@pytest.mark.parametrize(
    ("option", "fields", "reason"),
    [
        (16, {}, "option 16"),
        (3, {"ctrl_mode": 7, "gear": 2}, "ctrl_mode 7"),
        (3, {"ctrl_mode": 1, "gear": 9}, "gear 9"),
        (6, {"gear": 2, "turn": 5}, "turnSignal 5"),
        (6, {"gear": 2, "emergency": 2}, "emergencySignal 2"),
    ],
)
def test_a_code_that_nobody_knows_refuses_all_of_it(stage, option, fields, reason):
    before = stage.now
    with pytest.raises(InputError, match=reason):
        event(stage, option, **fields)
    assert stage.now is before


def test_an_event_that_picks_nothing_asks_for_the_present_state(stage):
    before = stage.now
    answer = event(stage, 0, gear=2)
    assert (answer.option, answer.gear, answer.ctrl_mode) == (0, Gear.D, 3)
    assert stage.now is before


def with_map(stage, system: str, number: int):
    network = replace(stage.scene.network, coordinate_system=system)
    scene = replace(stage.scene, network=network, map_data_id=number, map_origin=(302_459.9, 4_122_635.5, 28.9))
    stage.scene = scene
    return stage.call("map_spec", load_map_data=False)


def test_a_real_map_is_told_by_its_utm_zone(stage):
    told = with_map(stage, "UTM52N", 1)
    assert (told.plane_coordinate_system, told.utm_num, told.ellipse) == (0, 52, "WGS84")
    assert (told.utm_offset.x, told.utm_offset.y, told.utm_offset.z) == (302_459.9, 4_122_635.5, 28.9)
    assert (told.central_latitude, told.central_meridian) == pytest.approx((0.0, 129.0))
    assert (told.scale_factor, told.false_easting, told.false_northing) == (0.9996, 500_000.0, 0.0)


def test_a_map_in_another_projection_is_told_by_its_parameters(stage):
    told = with_map(stage, "+proj=tmerc +lat_0=38 +lon_0=127 +k=1 +x_0=200000 +y_0=600000 +ellps=GRS80 +units=m", 1)
    assert (told.plane_coordinate_system, told.utm_num, told.ellipse) == (1, 0, "GRS80")
    assert (told.central_latitude, told.central_meridian) == pytest.approx((38.0, 127.0))
    assert (told.scale_factor, told.false_easting, told.false_northing) == (1.0, 200_000.0, 600_000.0)


def test_a_virtual_map_counts_as_utm_of_no_zone(stage):
    told = with_map(stage, "UTM52N", 10_005)
    assert (told.plane_coordinate_system, told.utm_num) == (0, 0)
    assert told.central_meridian == pytest.approx(129.0)


def test_a_map_without_a_projection_is_an_error_of_the_call(stage):
    with pytest.raises(InputError, match="names no projection"):
        with_map(stage, "", 1)


def test_a_vehicle_of_any_kind_has_its_measures(stage):
    stage.apply(
        CreateNpc(model=OTHER, link=0, s=30.0),
        PlaceNpcGhost(9, OTHER, (80.0, 10.0, 0.0), (0.0, 0.0, 0.0)),
        ChangeLimits(EGO, max_steer=0.4),
    )
    for unique_id, name in ((0, CAR), (EGO, CAR), (2, OTHER), (3, OTHER)):
        model = next(one for one in VEHICLE_MODELS if one.name == name)
        told = stage.call("vehicle_spec", unique_id=unique_id)
        assert (told.size.x, told.size.y, told.size.z) == (model.length, model.width, model.height)
        assert told.wheel_base == pytest.approx(model.wheelbase)
        assert (told.overhang, told.rear_overhang) == pytest.approx((model.front_overhang, model.rear_overhang))
        most = 0.4 if name == CAR else model.max_steer
        assert told.max_steering == pytest.approx(math.degrees(most)), "degrees"


@pytest.mark.parametrize("unique_id", [-1, 77, 2])
def test_what_is_no_vehicle_has_no_measures(stage, unique_id):
    stage.apply(SpawnPedestrian(0, 0, (0.0, 5.0, 0.0), 0.0))
    with pytest.raises(InputError, match=f"no vehicle {unique_id}"):
        stage.call("vehicle_spec", unique_id=unique_id)
