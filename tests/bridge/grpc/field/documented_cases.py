"""Requests of the documented API that do something or tell something, by procedure."""

from __future__ import annotations

from typing import Any

from dorosim.bridge.scenario import Loading
from tests.bridge.grpc.field.actor_cases import HIGH, xyz
from tests.bridge.grpc.field.standard_cases import INTERSECTION, LIGHT, THREE_GROUPS, VEHICLE_CONFIG, WEATHER
from tests.bridge.grpc.field.world import Case

POSE = {"position": xyz(45.0, 1.0, 0.5), "rotation": xyz(2.0, 3.0, 10.0)}
SCALE = xyz(2.0, 3.0, 1.5)
LINK = {"unique_id": "A", "index": 3}
LIGHT_LINK = "_48_0_R1_"
"""A lane of the town under light TL000000."""
CAR = {"unique_id": "car"}
CRUISING = (("SendMultiEgoEventCmd", {"cmd_list": [CAR | {"option": 1, "ctrl_mode": 4}]}),)
TWO_CRUISING = (
    *CRUISING,
    (
        "SendCreateMultiEgoVehicle",
        {"req_list": [{"unique_id": "bus", "position": xyz(5.0, 0.0, 0.0), "vehicleName": "2015_Kia_K5"}]},
    ),
    ("SendMultiEgoEventCmd", {"cmd_list": [{"unique_id": "bus", "option": 1, "ctrl_mode": 4}]}),
)
DRIVES: tuple[dict[str, Any], ...] = (
    {"longCmdType": 1, "accel": 0.5, "brake": 0.1, "steering": 0.2},
    {"longCmdType": 2, "velocity": 30.0},
    {"longCmdType": 3, "acceleration": 1.0},
)
CRUISES: tuple[dict[str, Any], ...] = (
    {"cruise_on": True, "cruise_type": 1, "link_speed_ratio": 80},
    {"cruise_on": True, "cruise_type": 2, "constant_velocity": 30.0},
)


def list_of(*entries: dict[str, Any], **rest: Any) -> Case:
    """A request with a req_list."""
    return Case({"req_list": list(entries)}, **rest)


def events(**fields: Any) -> Case:
    """An event of "car"."""
    return Case({"service_name": "mine", "cmd_list": [CAR | fields]})


SPAWN_CONFIG = VEHICLE_CONFIG | {
    "start_link_info": {"unique_id": "A", "index": 20},
    "end_link_info": {"unique_id": "B", "index": 40},
}
PEDESTRIAN_CONFIG = {
    "select_mode": 2,
    "min_count": 1,
    "max_count": 3,
    "spawn_time": 4.0,
    "list_pedestrian_desination": [POSE | {"scale": SCALE}],
}
SCHEDULE = {
    "intscn_id": INTERSECTION,
    "tl_schedule": [
        {"duration": 10, "str_light_color_list": ["SG", "R"]},
        {"duration": 12, "str_light_color_list": ["R", "SG"]},
    ],
    "yellow_duration": [{"duration": 3}, {"duration": 4}],
    "ps_schedule": [
        {"tl_state_idx": 0, "synced_tl_idx": 0, "before_sec": 1, "green_light_sec": 5, "flicker_light_sec": 3}
    ],
}
CYLINDER = {"shape_type": 1, "cylinder_setting": {"segments": 8, "vertical_fov": 20.0, "range": 50.0}}
CONE = {
    "shape_type": 2,
    "cone_setting": {
        "segments": 8,
        "vertical_fov": 20.0,
        "horizontal_fov": 60.0,
        "range_min": 2.0,
        "range_max": 60.0,
        "resolution": 5,
    },
    "filter": [1, 2],
    "max_count": 3,
}
TRUTH = CAR | {"sensor_id": "1"}
WAY = CAR | {"obj_type": 2}

DOCUMENTED_CASES: dict[str, tuple[Case, ...]] = {
    "SetEgoCtrlCmd": tuple(Case(one) for one in DRIVES),
    "SetEgo": (
        *(Case(POSE | {"velocity": 20.0, "cruise_settings": one}) for one in CRUISES),
        Case({"position": HIGH["location"]}),
    ),
    "SendEgoCruiseCtrl": tuple(Case(one) for one in CRUISES),
    "Connect": (
        Case({"service_name": "/morai_msgs/EgoState", "msg": "20"}),
        Case({"service_name": "/morai_msgs/MultiEgoState"}),
    ),
    "SendMultiEgoCtrlCmd": tuple(Case({"service_name": "mine", "multi_ego_ctrl_cmd": [CAR | one]}) for one in DRIVES),
    "SendMultiEgoEventCmd": (
        events(option=1, ctrl_mode=4),
        events(option=2, gear=2),
        events(option=4, turn_signal=1, emergency_signal=0),
        events(option=8, set_pause=True),
    ),
    "SendCreateMultiEgoVehicle": (
        Case(
            {
                "service_name": "mine",
                "req_list": [
                    POSE | {"unique_id": "new", "velocity": 20.0, "vehicleName": "2015_Kia_K5", "pause": True}
                ],
            },
            first=(("Pause", {}),),
        ),
        Case({"req_list": [{"unique_id": "new", "position": HIGH["location"], "vehicleName": "2015_Kia_K5"}]}),
    ),
    "SendDeleteMultiEgoVehicle": (Case({"req_delete": True}),),
    "SendDeleteTargetMultiEgoVehicle": (Case(CAR, "lively"),),
    "LoadSimScenario": (Case({"scenario_filename": "drive"}, around={"loading": Loading(WEATHER, "drive", ())}),),
    "Start": (Case({"service_name": "mine", "cmd_start": True}),),
    "Stop": (Case({"service_name": "mine", "cmd_start": True}),),
    "GetLeftLink": (Case(LINK),),
    "GetRightLink": (Case(LINK | {"unique_id": "L"}),),
    "GetToLinks": (Case(LINK),),
    "GetFromLinks": (Case(LINK | {"unique_id": "C"}),),
    "GetVehiclesOnLink": (Case(LINK),),
    "CreateSpawnPoint": (list_of({"unique_id": "new", "position": POSE["position"], "sub_category": 1}),),
    "EnableSpawnPoint": (list_of({"unique_id": "gate", "is_active": True}),),
    "SetSpawnPoint": (
        list_of({"unique_id": "gate", "info": SPAWN_CONFIG, "spawn_object_name": "2015_Kia_K5", "pause": True}),
    ),
    "SetPedestrianSpawnPoint": (
        list_of({"unique_id": "door", "info": PEDESTRIAN_CONFIG, "spawn_object_name": "child", "pause": True}),
    ),
    "GetTrafficLightInfoByLink": (Case({"unique_id": LIGHT_LINK, "index": 1}, "town"),),
    "GetTrafficLightInfoByUid": (Case({"unique_id": LIGHT}, "town"),),
    "GetIntscnTLInfo": (Case({"unique_id": INTERSECTION}, "town"),),
    "SetTrafficLightState": (Case({"req_list": [{"tl_id": LIGHT, "tl_color": 4, "set_sibling": True}]}, "town"),),
    "SetIntersectionState": (Case({"req_list": [{"intscn_id": INTERSECTION, "state_idx": 1}]}, "town"),),
    "SetIntersectionSchedule": (
        list_of(SCHEDULE, world="town"),
        list_of({"intscn_id": "IntTL1", "tl_schedule": [THREE_GROUPS]}, world="town"),
    ),
    "SetFaultStatusOnCtrl": (list_of(CAR | {"fault_location": 3, "fault_class": 2, "fault_subclass": 203}),),
    "SetFaultStatusOnTire": (list_of(CAR | {"tire_index": 1, "fault_class": 3, "fault_subclass": 301}),),
    "SetFaultStatusOnSensor": (
        list_of(
            TRUTH
            | {
                "fault_class": 3,
                "fault_subclass": 302,
                "local_position_offset": xyz(0.1, 0.2, 0.3),
                "local_rotation_offset": xyz(1.0, 2.0, 3.0),
            }
        ),
        list_of(TRUTH | {"fault_class": 1, "fault_subclass": 101}),
    ),
    "CreateMapObject": (list_of(POSE | {"unique_id": "new", "spawn_object_name": "Puddle"}),),
    "SetFrictionOnArea": (
        list_of(
            {"unique_id": "pool", "vertical_radius": 4.0, "horizontal_radius": 3.0, "height": 0.7, "multiplier": 0.6}
        ),
    ),
    "AddSensor": (list_of(CAR | POSE | {"sensor_type": 5}),),
    "RemoveSensor": (list_of(TRUTH),),
    "SetGroundTruthSensor": tuple(list_of(TRUTH | {"gt_setting": one}) for one in (CYLINDER, CONE)),
    "GetGroundTruthData": (list_of(TRUTH),),
    "CreatePedestrian": (
        list_of(
            POSE
            | {
                "unique_id": "new",
                "velocity": 4.0,
                "active_dist": 3.0,
                "move_dist": 30.0,
                "pedestrian_name": "runner",
                "start_action": True,
            }
        ),
    ),
    "SendStartPedestrian": (list_of({"unique_id": "walker"}),),
    "CreateObstacle": (list_of(POSE | {"unique_id": "new", "scale": SCALE, "obstacle_name": "cone"}),),
    "DeleteSpawnObstacles": (Case({"vehicle": True}), Case({"obstacle": True})),
    "ObjectPause": (list_of(WAY | {"set_pause": True}), list_of(CAR | {"set_pause": True})),
    "SendVehicleRoutes": (
        list_of(CAR | {"link_list": [{"unique_id": "A"}, {"unique_id": "C"}]}, first=TWO_CRUISING),
        list_of(WAY | {"link_list": [{"unique_id": "A"}, {"unique_id": "C", "index": 40}]}, first=CRUISING),
    ),
    "SendVehicleDestinations": (
        list_of(CAR | {"position": HIGH["location"]}, first=TWO_CRUISING),
        list_of(WAY | {"decision_range": 6.0, "position": xyz(150.0, 28.0, 0.0)}, first=CRUISING),
        list_of(WAY | {"decision_range": 6.0, "position": HIGH["location"]}, first=CRUISING),
    ),
    "SendVehiclePathOffset": tuple(list_of(one | {"value": 20.0, "lat_bias_mode": 1}) for one in (WAY, CAR)),
    "GetVehicleAuxState": (Case({"id_list": [CAR]}),),
    "Pause": (Case(),),
    "Resume": (Case(first=(("Pause", {}),)),),
    "LoadMap": (Case({"map_name": "town", "ego_name": "2015_Kia_K5"}),),
}
