"""Operations, the requests that they make, the answers, and what those are read as."""

from __future__ import annotations

import base64
import gzip
import math
from typing import Any, NamedTuple

from dorosim.client import Light, MountedSensor, WalkPoint

EGO = {"id": {"value": "Ego"}, "object_type": "OBJECT_TYPE_VEHICLE"}
SEVEN = {"id": {"value": "7"}, "object_type": "OBJECT_TYPE_VEHICLE"}
ANY = {"id": {"value": "7"}}
SENSOR_KINDS = ("camera", "lidar_3d", "lidar_2d", "gps", "imu", "radar", "ultrasonic", "ground_truth")
HERE = {"location": {"x": 1.0, "y": 2.0, "z": 0.0}, "rotation": {"x": 0.0, "y": 0.0, "z": 90.0}}
QUARTER = math.pi / 2


class Case(NamedTuple):
    """An operation, the request that it makes (its fields that are not zero), the answer and what it is read as."""

    name: str
    args: tuple[Any, ...]
    options: dict[str, Any]
    asked: str
    request: dict[str, Any]
    answer: dict[str, Any] | None = None
    result: Any = None


def made(kind: str, **rest: Any) -> dict[str, Any]:
    info = {"id": {"value": "mine"}, "object_type": f"OBJECT_TYPE_{kind}", "client_key": "me"}
    return {"spawn_info": {"actor_info": info, "transform": HERE, "model_name": "m"}, **rest}


DONE = {"status": "STATUS_CODE_SUCCESS", "custom_message": "9"}
LIGHT = {"id": {"value": "C1"}, "color": "TL_COLOR_R_WITH_GLEFT"}
TRUTH = {
    "id": {"value": "4"},
    "type": 2,
    "name": "man",
    "heading": 180.0,
    "position": {"x": 1.0},
    "velocity": {"x": 36.0},
    "size": {"z": 1.8},
}
FILE = base64.b64encode(gzip.compress(b'[{"idx": "L1"}]')).decode()
RAY = {"source": {"x": 0.0, "y": 0.0, "z": 1.0}, "target": {"x": 1.0, "y": 2.0, "z": 3.0}}
CASES = [
    Case(
        "spawn_vehicle",
        ((1.0, 2.0), QUARTER, "m"),
        {"speed": 10.0, "ego": True, "name": "mine", "paused": True},
        "Actor/SpawnVehicle",
        made("VEHICLE", velocity=36.0, pause=True, multi_ego=True),
        DONE,
        "9",
    ),
    Case(
        "spawn_pedestrian",
        ((1.0, 2.0), (0.0, 0.0, QUARTER), "m"),
        {"speed": 1.0, "way": [WalkPoint((3.0, 4.0), 2.0, 2.5)], "distance": 9.0, "near": 5.0, "name": "mine"},
        "Actor/SpawnPedestrian",
        made(
            "PEDESTRIAN",
            velocity=3.6,
            active_dist=5.0,
            move_dist=9.0,
            start_action=True,
            waypoints={
                "waypoints": [{"waypoint": {"x": 3.0, "y": 4.0, "z": 0.0}, "pause_time": 2.0, "speed": 9.0}],
            },
        ),
        DONE,
        "9",
    ),
    Case(
        "spawn_obstacle",
        ((1.0, 2.0), QUARTER, "m"),
        {"scale": (1.0, 2.0, 3.0), "name": "mine"},
        "Actor/SpawnObstacle",
        made("OBSTACLE", scale={"x": 1.0, "y": 2.0, "z": 3.0}),
        DONE,
        "9",
    ),
    Case("destroy", (7,), {}, "Actor/DestroyActor", ANY),
    Case("destroy_all", (), {}, "Actor/DestroyAllActors", {"value": "me"}),
    Case("destroy_all", ("other",), {}, "Actor/DestroyAllActors", {"value": "other"}),
    Case("place", (7, (1.0, 2.0), QUARTER), {}, "Actor/SetTransform", {"actor_info": ANY, "transform": HERE}),
    Case("set_speed", (7, 10.0), {}, "Actor/SetVelocity", {"actor_info": ANY, "velocity": 36.0}),
    Case("hold", (7,), {}, "Actor/SetPause", {"actor_info": ANY, "enable": True}),
    Case(
        "walk",
        (7, (0.0, 1.0), 1.0),
        {},
        "Actor/ControlPedestrian",
        {
            "actor_info": {"id": {"value": "7"}, "object_type": "OBJECT_TYPE_PEDESTRIAN"},
            "direction": {"x": 0.0, "y": 1.0, "z": 0.0},
            "speed": 3.6,
        },
    ),
    Case(
        "drive",
        (),
        {"accelerator": 0.3, "brake": 0.1, "steer": -0.2},
        "Actor/ControlVehicle",
        {"actor_info": EGO, "long_cmd_type": "LONG_CMD_TYPE_THROTTLE", "throttle": 0.3, "brake": 0.1, "steer": -0.2},
    ),
    Case(
        "drive_at_speed",
        (7,),
        {"speed": 10.0, "steer": 0.1},
        "Actor/ControlVehicle",
        {"actor_info": SEVEN, "long_cmd_type": "LONG_CMD_TYPE_SPEED", "velocity": 36.0, "steer": 0.1},
    ),
    Case(
        "drive_with_acceleration",
        (7,),
        {"acceleration": -2.0},
        "Actor/ControlVehicle",
        {"actor_info": SEVEN, "long_cmd_type": "LONG_CMD_TYPE_ACCELERATION", "acceleration": -2.0},
    ),
    Case("steer", (7,), {"angle": 0.25}, "Actor/SetVehicleSteer", {"actor_info": SEVEN, "steer": 0.25}),
    Case(
        "cruise",
        (7,),
        {"limit_ratio": 0.8},
        "Actor/SetVehicleEgoCruise",
        {"actor_info": SEVEN, "cruise_on": True, "cruise_type": "EGO_CRUISE_TYPE_LINK", "link_speed_ratio": 80},
    ),
    Case(
        "cruise",
        (7,),
        {"speed": 10.0},
        "Actor/SetVehicleEgoCruise",
        {
            "actor_info": SEVEN,
            "cruise_on": True,
            "cruise_type": "EGO_CRUISE_TYPE_CONSTANT",
            "link_speed_ratio": 100,
            "constant_velocity": 36.0,
        },
    ),
    Case(
        "set_mode",
        (7, "cruise"),
        {},
        "Actor/SetVehicleControlMode",
        {"actor_info": SEVEN, "mode": "VEHICLE_CONTROL_CRUISE_MODE"},
    ),
    Case(
        "mode",
        (7,),
        {},
        "Actor/GetVehicleControlMode",
        SEVEN,
        {"mode": "VEHICLE_CONTROL_AUTO_MODE"},
        "auto",
    ),
    Case("set_gear", (7, "R"), {}, "Actor/SetVehicleGear", {"actor_info": SEVEN, "gear": "GEAR_MODE_R"}),
    Case(
        "set_lamps",
        (7, "hazard"),
        {},
        "Actor/SetVehicleTailLight",
        {"actor_info": SEVEN, "signal": "VEHICLE_TURN_SIGNAL_ALL"},
    ),
    Case(
        "set_route",
        (7, ["A", "B"]),
        {"near": 3.0},
        "Actor/SetVehicleRoute",
        {"actor_info": SEVEN, "decision_range": 3.0, "links": [{"id": {"value": "A"}}, {"id": {"value": "B"}}]},
    ),
    Case(
        "set_destination",
        (7, (1.0, 2.0)),
        {"near": 3.0},
        "Actor/SetVehicleDestination",
        {"actor_info": SEVEN, "decision_range": 3.0, "position": {"x": 1.0, "y": 2.0, "z": 0.0}},
    ),
    Case(
        "set_path_offset",
        (7, 0.5),
        {"random": True},
        "Actor/SetVehiclePathOffset",
        {"actor_info": SEVEN, "value": 50.0, "lat_bias_mode": "PATH_OFFSET_TYPE_RANDOM_GAUSSIAN"},
    ),
    Case("weather", (), {}, "Environment/GetWeather", {}, {"type": "WEATHER_TYPE_SNOWY"}, "snowy"),
    Case(
        "set_weather",
        ("rainy",),
        {},
        "Environment/SetWeather",
        {"type": "WEATHER_TYPE_RAINY", "instantly": True},
    ),
    Case("hour", (), {}, "Sky/GetSky", {}, {"time_of_day_s": 79_200.0}, 22.0),
    Case("set_hour", (6.5,), {}, "Sky/SetSky", {"time_of_day_s": 23_400.0}),
    Case("set_hour", (6,), {"at_once": False}, "Sky/SetSky", {"time_of_day_s": 21_600.0, "gradually": True}),
    Case(
        "set_sky",
        (),
        {"rain": 36.0, "visibility": 300.0, "cloud": 1.0},
        "Sky/SetSky",
        {"rain": 1e-5, "visibility": 300.0, "cloud": 1.0},
    ),
    Case(
        "sky",
        (),
        {},
        "Sky/GetSky",
        {},
        {"time_of_day_s": 46_800.0, "rain": 1.0 / 3.6e6, "visibility": 500.0, "wind": 3.0},
        "Sky(hour=13.0, rain=1.0, snow=0.0, visibility=500.0, cloud=0.0, wind=3.0, water_depth=0.0, snow_depth=0.0)",
    ),
    Case("season", (), {}, "Environment/GetSeason", {}, {"type": "SEASON_TYPE_FALL"}, "fall"),
    Case("set_season", ("spring",), {}, "Environment/SetSeason", {"type": "SEASON_TYPE_SPRING"}),
    Case("friction", (), {}, "Environment/GetRoadFriction", {}, {"value": 0.5}, 0.5),
    Case("set_friction", (0.5,), {}, "Environment/SetRoadFriction", {"value": 0.5}),
    Case(
        "light",
        ("C1",),
        {},
        "Infrastructure/GetTrafficLightInfo",
        {"type": "GET_TL_INFO_BY_TL_ID", "value": "C1"},
        LIGHT,
        "TrafficLight(id='C1', color=<Light.RED|LEFT: 33>)",
    ),
    Case(
        "light_of_link",
        ("A",),
        {},
        "Infrastructure/GetTrafficLightInfo",
        {"type": "GET_TL_INFO_BY_LINK_ID", "value": "A"},
        {"color": "TL_COLOR_NOT_DETECTED"},
        "TrafficLight(id='', color=<Light.OFF: 0>)",
    ),
    Case(
        "set_light",
        ("C1", Light.RED | Light.LEFT),
        {"for_good": False, "siblings": True},
        "Infrastructure/SetTrafficLightState",
        {"info": LIGHT, "is_impulse": True, "set_sibling": True},
    ),
    Case(
        "set_light",
        ("C1", None),
        {},
        "Infrastructure/SetTrafficLightState",
        {"info": {"id": {"value": "C1"}, "color": "TL_COLOR_UNDEFINED"}},
    ),
    Case(
        "set_phase",
        ("I1", 2),
        {},
        "Infrastructure/SetIntersectionPhase",
        {"id": {"value": "I1"}, "phase": 2},
    ),
    Case(
        "set_control_fault",
        ("brake", "lost"),
        {},
        "Actor/SetVehicleFaultInjection",
        {
            "actor_info": EGO,
            "control": [
                {
                    "fault_location": "VEHICLE_FAULT_LOCATION_BRAKE",
                    "fault_class": "VEHICLE_FAULT_CLASS_TIMING",
                    "fault_subclass": "VEHICLE_FAULT_SUBCLASS_LOSS_AND_TIMEOUT",
                }
            ],
        },
    ),
    Case(
        "set_tire_fault",
        ("RL",),
        {"actor": 7},
        "Actor/SetVehicleFaultInjection",
        {
            "actor_info": SEVEN,
            "type": "VEHICLE_FAULT_TYPE_TIRE",
            "tire": [
                {
                    "tire_index": 2,
                    "fault_class": "VEHICLE_FAULT_CLASS_HARDWARE",
                    "fault_subclass": "VEHICLE_FAULT_SUBCLASS_PUNCTURE",
                }
            ],
        },
    ),
    Case("pause", (), {}, "Simulation/Pause", {}),
    Case("load_scenario", ("s",), {}, "Scenario/LoadMoraiScenario", {"value": "s"}),
    Case(
        "set_synchronous",
        (),
        {"period": 0.05},
        "Simulation/SetSynchronousMode",
        {"type": "SYNC_MODE_TYPE_SYNCHRONOUS", "tick_period": 50},
    ),
    Case(
        "tick",
        (5,),
        {},
        "Simulation/Tick",
        {"value": 5},
        {"frame_count": 12, "elapsed_time": 240},
        "Moment(frame=12, time=0.24)",
    ),
    Case(
        "start_recording",
        ("r",),
        {},
        "Simulation/SetResimRecordMode",
        {"status": "RESIM_RECORD_STATUS_START", "filepath": "r"},
    ),
    Case("maps", (), {}, "Simulator/GetAvailableMaps", {}, {"values": ["town"]}, ("town",)),
    Case(
        "map_files",
        ("town",),
        {},
        "Map/GetMGeo",
        {"value": "town"},
        {"objects": [{"filename": "link_set.json", "compressed_data": FILE}]},
        {"link_set.json": [{"idx": "L1"}]},
    ),
    Case(
        "neighbour_links",
        ("A", "to"),
        {},
        "Map/GetNeighborLink",
        {"type": "NEIGHBORLINK_TYPE_TO", "target_link_id": {"value": "A"}},
        {"values": ["B"]},
        ("B",),
    ),
    Case(
        "add_sensor",
        ("lidar_3d",),
        {"position": (1.0, 2.0), "rotation": QUARTER},
        "Sensor/AddSensor",
        {"vehicle_id": EGO, "sensor_type": "SENSOR_TYPE_LIDAR3D", "transform": HERE},
        DONE,
        "9",
    ),
    Case(
        "sensors",
        (),
        {},
        "Sensor/GetSensorInfos",
        EGO,
        {
            "values": [
                {"vehicle_info": EGO, "sensor_id": {"value": str(number)}, "sensor_type": number}
                for number in range(1, 1 + len(SENSOR_KINDS))
            ]
        },
        tuple(MountedSensor(str(number), kind, "Ego") for number, kind in enumerate(SENSOR_KINDS, start=1)),
    ),
    Case(
        "cast_ray",
        ((0.0, 0.0, 1.0), (1.0, 2.0, 3.0)),
        {"reach": 50.0},
        "Sensing/RayCast",
        {**RAY, "max_dist": 50.0, "through": "Ego"},
        {"met": True, "distance": 12.5},
        12.5,
    ),
    Case(
        "cast_ray",
        ((0.0, 0.0, 1.0), (1.0, 2.0, 3.0)),
        {"own_vehicle": True},
        "Sensing/RayCast",
        {**RAY, "max_dist": 200.0},
        {"met": False},
    ),
]
