"""Everybody's state in packed columns: what stands in them, which are asked for, and what is refused."""

from __future__ import annotations

import math
from types import SimpleNamespace

import numpy as np
import pytest

from dorosim.bridge.grpc.bulk import BULK_COLUMNS, wanted_from_request
from dorosim.ground.error import InputError
from dorosim.wire.grpc.descriptor import method_of
from dorosim.world.obstacle.command import SpawnObstacle
from dorosim.world.pedestrian.command import SpawnPedestrian
from dorosim.world.traffic.command import PlaceNpcGhost
from tests.bridge.grpc.stage import GrpcStage

TYPES = {1: "<f8", 2: "<f4", 3: "<i8", 4: "<i4"}


@pytest.fixture
def stage():
    made = GrpcStage(egos=(("2016_Hyundai_Ioniq", (3.0, 500.0, 0.0), 0.5),))
    made.apply(
        PlaceNpcGhost(alias=7, model="", position=(50.0, 400.0, 0.0), rotation=(0.0, 0.0, 1.0)),
        SpawnPedestrian(actor=0, model=0, position=(20.0, 300.0, 0.0), yaw=-2.0),
        SpawnObstacle(actor=0, model=1, position=(10.0, 200.0, 0.5), rotation=(0.1, -0.2, 3.0)),
    )
    return made


def asked(stage, **fields):
    method = method_of("/dorosim.Bulk/GetStates")
    answer = stage._procedures[method.path](method.request(**fields), stage.situation)
    return answer, {
        column.name: np.frombuffer(column.values, TYPES[column.type]).reshape(answer.rows, column.width)
        for column in answer.columns
    }


def test_all_columns_come_in_a_fixed_order_with_a_row_for_each_actor(stage):
    answer, columns = asked(stage)
    assert list(columns) == list(BULK_COLUMNS)
    assert (answer.rows, answer.tick, answer.time_ns) == (4, stage.now.tick, stage.now.time)
    kinds = next(column for column in answer.columns if column.name == "kind").dictionary
    assert [kinds[row] for row in columns["kind"][:, 0]] == ["ego", "ghost", "pedestrian", "obstacle"]
    assert columns["id"][:, 0].tolist() == [1, 2, 3, 4]
    assert [column.unit for column in answer.columns if column.name in ("position", "velocity")] == ["m", "m/s"]


def test_numbers_are_those_of_the_snapshot(stage):
    _, columns = asked(stage, columns=["position", "rotation", "size"])
    assert columns["position"][0] == pytest.approx((3.0, 500.0, stage.now.vehicle.z[0]))
    assert columns["rotation"][:, 2] == pytest.approx([0.5, 1.0, -2.0, 3.0])
    assert columns["rotation"][3] == pytest.approx((0.1, -0.2, 3.0))
    assert columns["size"][3] == pytest.approx((0.37, 0.37, 0.70))


def test_columns_that_only_egos_have_are_nan_of_others(stage):
    answer, columns = asked(stage, columns=["steer", "gear"])
    assert not math.isnan(columns["steer"][0, 0])
    assert np.isnan(columns["steer"][1:, 0]).all()
    assert columns["gear"][1:, 0].tolist() == [-1, -1, -1]
    assert answer.columns[1].dictionary[columns["gear"][0, 0]] in "MPRNDL"


def test_only_the_kinds_and_columns_that_are_asked_for_come_in_the_order_of_the_request(stage):
    answer, columns = asked(stage, columns=["model", "id"], kinds=["pedestrian", "obstacle"])
    assert list(columns) == ["model", "id"]
    assert columns["id"][:, 0].tolist() == [3, 4]
    assert answer.columns[0].dictionary[columns["model"][1, 0]] == "cone"


def test_names_are_those_of_the_other_interfaces(stage):
    answer, columns = asked(stage, columns=["name"])
    assert list(answer.columns[0].dictionary) == ["Ego", "7"], "a ghost is known by its sender's number"
    assert sorted(columns["name"][:, 0].tolist()) == [-1, -1, 0, 1]


@pytest.mark.parametrize(
    ("columns", "kinds", "rate", "told"),
    [
        (["positon"], [], 0.0, "'position'"),
        (["id", "id"], [], 0.0, "twice"),
        ([], ["car"], 0.0, "'car'"),
        ([], [], -1.0, "rate"),
        ([], [], math.inf, "rate"),
        ([], [], 1e-308, "rate"),
    ],
)
def test_what_cannot_be_meant_is_refused_in_a_sentence(columns, kinds, rate, told):
    with pytest.raises(InputError, match=told):
        wanted_from_request(SimpleNamespace(columns=columns, kinds=kinds, rate_hz=rate))
