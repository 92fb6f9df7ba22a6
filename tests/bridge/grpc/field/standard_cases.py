"""Requests of the other services of the Standard API that do something or tell something, by procedure."""

from __future__ import annotations

from typing import Any

from dorosim.bridge.host import RecordStatus
from dorosim.bridge.scenario import Loading
from dorosim.sensor.ray import RayHit
from dorosim.sensor.scene.semantic import Semantic
from dorosim.world.environment.command import SetWeather
from dorosim.world.environment.weather import WeatherKind
from tests.bridge.grpc.field.actor_cases import CAR, NPC, PLACE, whom, xyz
from tests.bridge.grpc.field.world import Case

LIGHT, LINK, INTERSECTION = "TL000000", "A", "IntTL0"
WEATHER = (SetWeather(WeatherKind.FOGGY),)
SYNCHRONOUS = {"synchronous": True, "frame": 20_000_000, "time": 100_000_000}
SPAWN_POINT = {
    "object_info": whom("new", 4),
    "location": xyz(20.0, 1.0, 0.5),
    "model_name": "2015_Kia_K5",
    "pause": True,
}
VEHICLE_CONFIG: dict[str, Any] = {
    "list_vehicle_length_type": [1, 2],
    "is_close_loop": True,
    "is_lane_change": True,
    "parameter_type": 2,
    "maximum_spawn_vehicle": 4,
    "min_spawn_period": 2.0,
    "max_spawn_period": 4.0,
    "spawn_velocity_type": 2,
    "min_spawn_velocity_custom": 20.0,
    "max_spawn_velocity_custom": 30.0,
    "min_spawn_velocity_link": 50.0,
    "max_spawn_velocity_link": 60.0,
    "desired_velocity_type": 2,
    "min_desired_velocity_custom": 40.0,
    "max_desired_velocity_custom": 50.0,
    "min_desired_velocity_link": 70.0,
    "max_desired_velocity_link": 80.0,
    "destination_obj_unique_id": 3,
    "start_link_info": {"id": {"value": "A"}, "waypoint_idx": 20},
    "end_link_info": {"id": {"value": "B"}, "waypoint_idx": 40},
    "lateral_bias_mode": 2,
    "min_lateral_bias": -10.0,
    "max_lateral_bias": 10.0,
}
PEDESTRIAN_CONFIG: dict[str, Any] = {
    "select_mode": 2,
    "min_count": 1,
    "max_count": 3,
    "spawn_time": 4.0,
    "pedestrian_destination_points": [{"transform": PLACE, "scale": xyz(2.0, 3.0, 1.0)}],
}
THREE_GROUPS = {"duration": 10, "str_light_color_list": ["SG", "R", "R"]}
"""A state of the intersections IntTL1 and IntTL2."""
SCHEDULE = {
    "id": {"value": INTERSECTION},
    "vehicle": [
        {"duration": 10, "str_light_color_list": ["SG", "R"]},
        {"duration": 12, "str_light_color_list": ["R", "SG"]},
    ],
    "yellow": [{"duration": 3}, {"duration": 4}],
    "pedestrian": [
        {"tl_state_idx": 0, "synced_tl_idx": 0, "before_sec": 1, "green_light_sec": 5, "flicker_light_sec": 3}
    ],
}
AREA = {
    "object_info": whom("new", 0),
    "transform": PLACE,
    "object_name": "Puddle",
    "vertical_radius": 3.0,
    "horizontal_radius": 2.0,
    "height": 0.5,
    "multiplier": 0.4,
}
TRUTH = {"vehicle_info": CAR, "sensor_id": {"value": "1"}, "sensor_type": 8}
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
CRUISE = {"actor_info": whom("Ego", 1, ""), "cruise_on": True, "link_speed_ratio": 80, "constant_velocity": 30.0}
START: dict[str, Any] = {
    "map_and_vehicle": {"map_name": "town", "ego_vehicle_model": "2015_Kia_K5"},
    "ego_setting": {"ego_id": "Ego", "label": "mine", "client_key": "me"},
    "ego_transform": PLACE,
    "ego_cruise_setting": CRUISE | {"cruise_type": 1},
    "mode": {"type": 2, "tick_period": 20},
    "simulation_settings": {"morai_scenario_filename": "drive", "sensor_setting_filename": "rig"},
    "client_key": "me",
}
OWNED = START | {"ego_setting": {"ego_id": "Ego"}, "ego_cruise_setting": CRUISE | {"cruise_type": 2}}
HIT = RayHit(12.5, (0.0, 0.0, 0.0), (0.0, 0.0, 1.0), 0, Semantic.SKY)

STANDARD_CASES: dict[str, tuple[Case, ...]] = {
    "Environment/GetTime": (
        Case(),
        Case(first=(("Environment/SetTime", {"hour": 20, "data_only": True, "instantly": True}),)),
        Case(first=(("Environment/SetTime", {"hour": 20}),)),
    ),
    "Environment/SetTime": (Case({"hour": 20}),),
    "Environment/GetWeather": (Case(), Case(first=(("Environment/SetWeather", {"type": 4}),))),
    "Environment/SetWeather": (Case({"type": 4}),),
    "Environment/GetSeason": (Case(), *(Case(first=(("Environment/SetSeason", {"type": kind}),)) for kind in (0, 3))),
    "Environment/SetSeason": (Case({"type": 3}),),
    "Environment/GetRoadFriction": (Case(), Case(first=(("Environment/SetRoadFriction", {"value": 0.5}),))),
    "Environment/SetRoadFriction": (Case({"value": 0.5}),),
    "Environment/SetVisibility": (Case({"is_visible": False}),),
    "Infrastructure/GetTrafficLightInfo": (
        Case({"type": 2, "value": LIGHT}, "town"),
        Case({"type": 1, "value": LINK}),
    ),
    "Infrastructure/SetTrafficLightState": (
        Case({"info": {"id": {"value": LIGHT}, "color": 4}, "set_sibling": True}, "town"),
    ),
    "Infrastructure/GetIntersectionTLInfo": (
        Case({"value": INTERSECTION}, "town"),
        Case(
            {"value": INTERSECTION},
            "town",
            first=(("Infrastructure/SetIntersectionPhase", {"id": {"value": INTERSECTION}, "phase": 1}),),
        ),
    ),
    "Infrastructure/SetIntersectionPhase": (Case({"id": {"value": INTERSECTION}, "phase": 1}, "town"),),
    "Infrastructure/SetIntersectionSchedule": (
        Case(SCHEDULE, "town"),
        Case({"id": {"value": "IntTL1"}, "vehicle": [THREE_GROUPS]}, "town"),
    ),
    "Map/GetMGeo": (Case({"value": "small"}),),
    "Map/GetNeighborLink": (Case({"type": 1, "target_link_id": {"value": "A"}}),),
    "Map/GetVehiclesOnLink": (Case({"id": {"value": "A"}, "waypoint_idx": 3}),),
    "Scenario/LoadMoraiScenario": (Case({"value": "drive"}, around={"loading": Loading(WEATHER, "drive", ())}),),
    "Scenario/CreateVehicleSpawnPoint": (Case({"spawn_point_info": SPAWN_POINT, "config": VEHICLE_CONFIG}),),
    "Scenario/CreatePedestrianSpawnPoint": (
        Case({"spawn_point_info": SPAWN_POINT | {"model_name": "child"}, "config": PEDESTRIAN_CONFIG}),
    ),
    "Scenario/EnableSpawnPoint": (Case({"object_info": whom("gate", 4), "is_active": True}),),
    "Scenario/CreateFrictionControlArea": (Case(AREA),),
    "Sensor/AddSensor": (Case({"vehicle_id": CAR, "sensor_type": 5, "transform": PLACE}),),
    "Sensor/RemoveSensor": (Case(TRUTH),),
    "Sensor/SetSensorSetting": (
        Case({"sensor_info": TRUTH, "gt_sensor": CYLINDER}),
        Case({"sensor_info": TRUTH, "gt_sensor": CONE}),
    ),
    "Sensor/GetSensorData": (Case(TRUTH),),
    "Sensor/SaveSensorData": (Case({"is_custom_file_name": True, "custom_file_name": "mine", "file_dir": "there"}),),
    "Sensor/LoadSensorFile": (Case({"value": "rig"}, around={"sensors": (WEATHER, ("a note",))}),),
    "Sensor/GetSensorInfos": (Case(CAR), Case(NPC)),
    "Sensor/SetSensorCaptureMode": (Case({"sensor_id": {"value": "1"}, "is_sensor_capture_mode_on": True}),),
    "Sensor/GetSensorCaptureMode": (
        Case({"value": "1"}),
        Case(
            {"value": "1"},
            first=(("Sensor/SetSensorCaptureMode", {"sensor_id": {"value": "1"}, "is_sensor_capture_mode_on": True}),),
        ),
    ),
    "Simulation/Start": (Case(START), Case(OWNED)),
    "Simulation/Stop": (Case(), Case({"value": "me"})),
    "Simulation/Pause": (Case(),),
    "Simulation/Resume": (Case(first=(("Simulation/Pause", {}),)),),
    "Simulation/GetSynchronousMode": (Case(), Case(around=SYNCHRONOUS | {"frame": 50_000_000})),
    "Simulation/SetSynchronousMode": (Case({"type": 2, "tick_period": 30}),),
    "Simulation/Tick": (Case({"value": 2}, around=SYNCHRONOUS),),
    "Simulation/WaitForTick": (Case(around=SYNCHRONOUS), Case(around=SYNCHRONOUS | {"time": 200_000_000})),
    "Simulation/SetSimulationMode": (Case({"mode": 1}),),
    "Simulation/SetResimRecordMode": (
        Case({"status": 1, "interval": 2, "filepath": "run"}),
        Case({"status": 2}, around={"recording": RecordStatus(active=True, name="run")}),
    ),
    "Simulation/GetResimRecordStatus": (
        Case(),
        Case(around={"recording": RecordStatus(active=True, name="run")}),
        Case(around={"recording": RecordStatus(name="run")}),
    ),
    "Simulation/ResimReplayInit": (
        Case(
            {
                "weather_list": ["rainy"],
                "time_list": [7],
                "scenario_file_path": "drive",
                "resim_file_Path": "run",
                "save_sensor_file_path": "there",
            }
        ),
    ),
    "Simulation/ResimReplayStart": (Case(),),
    "Simulation/GetResimReplayStatus": (
        Case(),
        Case(around={"replaying": RecordStatus(active=True, name="run", ticks=3, end=9)}),
        Case(around={"replaying": RecordStatus(name="run", ticks=9, end=9)}),
        Case(around={"replaying": RecordStatus(name="run", ticks=4, end=9, problem="torn")}),
    ),
    "Simulation/AddResimReplayRange": (Case({"start": 3, "end": 9}),),
    "Simulation/SendMessage": (Case({"type": 2, "message": "hello"}),),
    "Simulator/GetSimulatorVersion": (Case(), Case(around={"version": "2.0.0"})),
    "Simulator/GetTimestamp": (Case(), Case(around={"epoch": 5_000_000_000})),
    "Simulator/GetAvailableMaps": (Case(),),
    "Simulator/GetAvailableObject": (Case({"vehicle": True}), Case({"obstacle": True}), Case({"map_object": True})),
    "Simulator/GetDataPath": (Case(), Case(around={"place": "/elsewhere"})),
    "Simulator/SetRenderingMode": (Case({"enable": True, "size": {"width": 640, "height": 480}}),),
    "Simulator/CheckLatency": (Case(),),
    "Util/RayCast": (
        Case({"source": xyz(0.0, 0.0, 1.0), "target": xyz(50.0, 1.0, 2.0), "max_dist": 80.0}, around={"hits": [HIT]}),
    ),
}
