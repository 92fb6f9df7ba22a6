"""Sensors of a gRPC stage, and what they see."""

from __future__ import annotations

import pytest

from dorosim.world.mount.setting import SensorKind
from dorosim.world.vehicle.catalogue import VEHICLE_MODELS
from tests.bridge.grpc.stage import GrpcStage

CAR = VEHICLE_MODELS[0].name


def seen(stage: GrpcStage, api: str) -> dict[str, object]:
    """What sensor 1 sees, by id."""
    if api == "documented":
        (found,) = stage.ask("GetGroundTruthData", req_list=[{"unique_id": "Ego", "sensor_id": "1"}]).res_list
        assert found.success
        return {one.unique_id: one for one in found.data}
    found = stage.ask("Sensor/GetSensorData", sensor_info_of("1"))
    assert found.sensor_info.sensor_id.value == "1"
    assert found.sensor_info.sensor_type == SensorKind.GROUND_TRUTH
    return {one.id.value: one for one in found.ground_truth.data}


def sensor_info_of(sensor: str, vehicle: str = "Ego", **rest):
    from google.protobuf.json_format import ParseDict

    from dorosim.wire.grpc.descriptor import message_class

    fields = {"vehicle_info": {"id": {"value": vehicle}}, "sensor_id": {"value": sensor}} | rest
    return ParseDict(fields, message_class("morai_sim_api.sensor.SensorInfo")())


def setting(stage: GrpcStage, api: str, viz: bool = False, **settings) -> str:
    """Set sensor 1, and say why it cannot be, "" if it was."""
    if api == "documented":
        one = {"unique_id": "Ego", "sensor_id": "1", "gt_setting": settings, "viz_range": viz}
        answer = stage.ask("SetGroundTruthSensor", req_list=[one])
        assert answer.success == (not answer.description)
    else:
        info = {"vehicle_info": {"id": {"value": "Ego"}}, "sensor_id": {"value": "1"}}
        answer = stage.ask("Sensor/SetSensorSetting", sensor_info=info, gt_sensor={**settings, "viz_range": viz})
        assert answer.status == (not answer.description)
    return answer.description


BOTH = pytest.mark.parametrize("api", ["documented", "standard"])
