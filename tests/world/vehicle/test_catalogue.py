"""The catalogue is complete, consistent, and says where its numbers come from."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dorosim.ground.error import InputError
from dorosim.world.vehicle.catalogue import VEHICLE_MODELS, model_of, model_row, nearest_model_row, parameters_of
from dorosim.world.vehicle.mode import DynamicsKind
from dorosim.world.vehicle.model import GroundVehicle, RoadVehicle, VehicleModel
from dorosim.world.vehicle.parameter import VehicleParameter

every_model = pytest.mark.parametrize("model", VEHICLE_MODELS, ids=lambda model: model.name)


@every_model
def test_length_is_overhangs_and_wheelbase(model: VehicleModel) -> None:
    assert model.front_overhang + model.wheelbase + model.rear_overhang == pytest.approx(model.length, abs=1e-9)


@every_model
def test_sizes_and_limits_are_those_of_a_vehicle(model: VehicleModel) -> None:
    assert 0.1 < model.width < 3.0
    assert 0.1 < model.height < 4.0
    assert model.mass > 1.0
    assert model.max_speed >= model.max_reverse_speed > 0.0
    assert 0.0 <= model.max_steer <= math.radians(60)


@every_model
def test_a_row_names_its_source_and_its_estimates(model: VehicleModel) -> None:
    assert len(model.source) > 20
    for name in model.estimated:
        assert hasattr(model, name), name


@pytest.mark.parametrize("model", [m for m in VEHICLE_MODELS if isinstance(m, RoadVehicle)], ids=lambda m: m.name)
def test_road_vehicles_are_plausible(model: RoadVehicle) -> None:
    assert model.dynamics == DynamicsKind.SINGLE_TRACK
    assert 0.3 < model.front_weight_share < 0.7
    assert 0.30 < model.cg_height / model.height < 0.45
    assert model.front_track < model.width
    assert model.rear_track < model.width
    assert model.drive_power / model.mass < 150
    box = model.mass * (model.length**2 + model.width**2) / 12
    assert 0.6 < model.yaw_inertia / box < 1.1
    assert 10 < model.wheelbase / math.tan(model.max_steer) * 3 < 30


@pytest.mark.parametrize("model", [m for m in VEHICLE_MODELS if isinstance(m, GroundVehicle)], ids=lambda m: m.name)
def test_axles_of_ground_vehicles_run_from_front_to_the_origin(model: GroundVehicle) -> None:
    positions = [position for position, _ in model.axles]
    assert positions == sorted(positions, reverse=True)
    assert positions[-1] == 0.0
    assert positions[0] == pytest.approx(model.wheelbase)
    assert 2 <= model.axle_count <= 10
    assert model.axles[0][1] == model.max_steer


def test_names_are_unique_and_found_in_any_case() -> None:
    assert len({model.name.casefold() for model in VEHICLE_MODELS}) == len(VEHICLE_MODELS)
    assert model_of("2023_hyundai_IONIQ5").name == "2023_Hyundai_Ioniq5"
    assert VEHICLE_MODELS[model_row("WeGoERP42")].name == "WeGoERP42"


def test_largest_angles_are_those_of_the_documents() -> None:
    for name, degrees in (("2016_Hyundai_Ioniq", 36.25), ("2016_Kia_Niro(HEV)", 36.25), ("2023_Hyundai_Ioniq5", 40.0)):
        assert math.degrees(model_of(name).max_steer) == pytest.approx(degrees)


def test_the_captured_vehicle_is_the_k5() -> None:
    """Sizes in the captured ego status (facts/udp-wire.md, section 3.3)."""
    model = model_of("2015_Kia_K5")
    sizes = (model.length, model.width, model.height, model.front_overhang, model.wheelbase, model.rear_overhang)
    assert sizes == (4.845, 1.835, 1.455, 0.965, 2.795, 1.085)


@pytest.mark.parametrize(
    ("wrong", "meant"),
    [
        ("2016_Hyundai_Ionic", "2016_Hyundai_Ioniq"),
        ("ioniq", "2016_Hyundai_Ioniq"),
        ("Ionic", "2016_Hyundai_Ioniq"),
        ("K5", "2015_Kia_K5"),
        ("2015_Kia_Niro(HEV)", "2016_Kia_Niro(HEV)"),
    ],
)
def test_an_unknown_name_gives_the_nearest_names_as_cure(wrong: str, meant: str) -> None:
    with pytest.raises(InputError) as caught:
        model_row(wrong, "dorosim.toml", "vehicle.name")
    assert str(caught.value).startswith(f"dorosim.toml: vehicle.name: no vehicle is called {wrong!r}; did you mean ")
    assert caught.value.cure.removeprefix("did you mean ").removesuffix("?").split(" or ")[0] == meant


def test_a_name_that_is_like_no_other_gives_them_all() -> None:
    with pytest.raises(InputError) as caught:
        model_row("xyz")
    assert caught.value.cure.removeprefix("use ").split(" or ") == [model.name for model in VEHICLE_MODELS]


@pytest.mark.parametrize(
    ("asked", "stands_in"),
    [
        ("2099_Kia_K5", "2015_Kia_K5"),
        ("2016_Hyundai_Ionik", "2016_Hyundai_Ioniq"),
        ("Husky", "2015_Kia_K5"),
        ("2018_Hyundai_Sonata", "2015_Kia_K5"),
        ("Volvo_Truck", "2013_Hyundai_Porter2"),
        ("City_Bus", "2018_Hyundai_ElecCity"),
    ],
)
def test_a_model_stands_in_by_its_type_or_its_class_and_not_by_its_maker(asked: str, stands_in: str) -> None:
    row, exact = nearest_model_row(asked)
    assert (VEHICLE_MODELS[row].name, exact) == (stands_in, False)


@every_model
def test_the_very_model_does_not_stand_in(model: VehicleModel) -> None:
    row, exact = nearest_model_row(f" {model.name.upper()} ")
    assert (VEHICLE_MODELS[row].name, exact) == (model.name, True)


@every_model
def test_parameters_carry_every_number_of_the_model(model: VehicleModel) -> None:
    table = parameters_of([VEHICLE_MODELS[0], model])
    for column in (*VehicleParameter.float_columns, *VehicleParameter.int_columns):
        value = getattr(table, column.name)[..., 1]
        np.testing.assert_array_equal(value, getattr(model, column.name, np.zeros_like(value)), err_msg=column.name)


def test_parameters_of_a_road_vehicle_are_complete() -> None:
    """Every column but those of ground vehicles and rear steering has a value."""
    table = parameters_of([model_of("2016_Hyundai_Ioniq")])
    empty = {c.name for c in VehicleParameter.float_columns if not getattr(table, c.name).any()}
    ground = {"max_acceleration", "max_yaw_rate", "slip_track", "axle_position", "axle_max_steer"}
    assert empty == ground | {"max_rear_steer"}
