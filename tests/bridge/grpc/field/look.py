"""Requests that show what else a response can hold: other worlds, and what cannot be."""

from __future__ import annotations

from typing import Any

from dorosim.sensor.ray import RayHit
from dorosim.sensor.scene.semantic import Semantic
from tests.bridge.grpc.field.actor_cases import CRUISING, whom
from tests.bridge.grpc.field.world import Case

PROBLEM = {"problem": "the disk is full"}
NOWHERE = {"x": 9e9, "y": 0.0, "z": 0.0}
ALIVE = ("Ego", "car", "npc", "walker", "box", "bus", "wreck", "taxi")
LIVELY = tuple(Case({"id": {"value": name}}, "lively") for name in ALIVE)


def failing(*procedures: str, **fields: Any) -> dict[str, tuple[Case, ...]]:
    """The same request to several procedures, which the program around the world cannot do."""
    return {name: (Case(fields, around=PROBLEM),) for name in procedures}


LOOKS: dict[str, tuple[Case, ...]] = {
    **failing("Simulation/ResimReplayStart", "Sensor/SaveSensorData", "Sensor/LoadSensorFile", "LoadMap"),
    **failing("Scenario/LoadMoraiScenario", "Simulation/AddResimReplayRange"),
    "Actor/GetActorState": (*LIVELY, Case({"id": {"value": "car"}}, "town")),
    "Actor/GetAllActorsState": (
        Case({}, "lively"),
        Case({}, "town", around={"synchronous": True, "epoch": 7_000_000_000}),
    ),
    "Actor/GetVehicleSpec": (Case(whom("bus", 1), "lively"), Case(whom("robot", 1), "lively")),
    "Actor/GetOptionName": (Case(whom("bus", 1), "lively"),),
    "Environment/SetTime": (Case({"hour": 24}),),
    "Environment/SetRoadFriction": (Case({"value": -1.0}),),
    "Map/GetMGeo": (Case({}, around={"map_files": (("node_set.json", b"[1]"),)}),),
    "Map/GetNeighborLink": (Case({"type": 4, "target_link_id": {"value": "A"}}),),
    "Map/GetVehiclesOnLink": (Case({"id": {"value": "A"}}, "lively"),),
    "Scenario/CreateFrictionControlArea": (Case({"transform": {"location": NOWHERE}}),),
    "Sensor/GetSensorData": (
        Case({"sensor_id": {"value": "4"}}, "lively"),
        Case({"sensor_id": {"value": "5"}}, "lively"),
    ),
    "Sensor/GetSensorInfos": (Case(whom("taxi", 1), "lively"),),
    "Simulation/SetSynchronousMode": (Case({"type": 2}, around={"problem": "no multiple of the tick"}),),
    "Simulation/Stop": (Case({"value": "other"}),),
    "Util/RayCast": (
        Case({"source": NOWHERE}, around={"hits": [RayHit(3.0, (0.0,) * 3, (0.0, 0.0, 1.0), 0, Semantic.SKY)]}),
    ),
    "SetEgoCtrlCmd": (Case({"longCmdType": 9}),),
    "SendMultiEgoCtrlCmd": (Case({"multi_ego_ctrl_cmd": [{"unique_id": "none_such"}]}),),
    "SendCreateMultiEgoVehicle": (Case({"req_list": [{"unique_id": "of no model"}]}),),
    "SetEgo": (Case({"position": NOWHERE}),),
    "Connect": tuple(
        Case({"service_name": f"/morai_msgs/{kind}"}, world)
        for kind in ("EgoState", "MultiEgoState")
        for world in ("lively", "town")
    ),
    "GetLeftLink": (Case({"unique_id": "L"}),),
    "GetRightLink": (Case({"unique_id": "A"}),),
    "GetToLinks": (Case({"unique_id": "D"}),),
    "GetFromLinks": (Case({"unique_id": "A"}), Case({"unique_id": "D"}), Case({"unique_id": "_48_0_R1_"}, "town")),
    "GetTrafficLightInfoByLink": (Case({"unique_id": "A"}),),
    "CreateSpawnPoint": (Case({"req_list": [{"unique_id": "new", "sub_category": 0}]}),),
    "CreateMapObject": (Case({"req_list": [{"unique_id": "new", "position": NOWHERE}]}),),
    "CreatePedestrian": (Case({"req_list": [{"unique_id": "new", "position": NOWHERE}]}),),
    "CreateObstacle": (Case({"req_list": [{"unique_id": "new", "position": NOWHERE}]}),),
    "AddSensor": (
        Case({"req_list": [{"unique_id": "none_such"}]}),
        Case({"req_list": [{"unique_id": "npc", "sensor_type": 4}]}),
    ),
    "GetGroundTruthData": (Case({"req_list": [{"sensor_id": "4"}]}, "lively"),),
    "GetVehicleAuxState": (Case({"id_list": [{"unique_id": "car"}, {"unique_id": "taxi"}]}, "lively"),),
    "SendVehicleRoutes": (
        Case(
            {"req_list": [{"unique_id": "car", "link_list": [{"unique_id": "A"}, {"unique_id": "B"}]}]}, first=CRUISING
        ),
    ),
}
