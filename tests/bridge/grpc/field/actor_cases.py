"""Requests of the service Actor that do something or tell something, by procedure."""

from __future__ import annotations

from typing import Any

from tests.bridge.grpc.field.world import Case


def whom(name: str, kind: int, key: str = "me") -> dict[str, Any]:
    """An ObjectInfo."""
    return {"id": {"value": name}, "object_type": kind, "client_key": key}


def xyz(x: float, y: float, z: float) -> dict[str, float]:
    """A vector."""
    return {"x": x, "y": y, "z": z}


CAR, NPC, WALKER, BOX = whom("car", 1), whom("npc", 1), whom("walker", 2), whom("box", 3)
PLACE = {"location": xyz(45.0, 1.0, 0.5), "rotation": xyz(2.0, 3.0, 10.0)}
HIGH = {"location": xyz(150.0, 0.2, 4.0), "rotation": xyz(0.0, 0.0, 0.0)}
"""On the ramp, which is the nearer of two lanes one above the other."""
COLOUR = {"r": 10, "g": 20, "b": 30, "a": 40}
POINTS = {
    "waypoints": [
        {"waypoint": xyz(41.0, 8.0, 0.0), "pause_time": 0.0, "speed": 6.0},
        {"waypoint": xyz(50.0, 9.0, 0.5), "pause_time": 1.5, "speed": 5.0},
    ]
}


def spawn(name: str, kind: int, model: str, label: str = "tag", **more: Any) -> dict[str, Any]:
    """The spawn_info of a request."""
    info = {"actor_info": whom(name, kind), "transform": PLACE, "model_name": model, "label": label, "color": COLOUR}
    return {"spawn_info": info | {key: more.pop(key) for key in ("transform",) if key in more}} | more


def each(*cases: dict[str, Any], about: dict[str, Any] | None = None, **rest: Any) -> tuple[Case, ...]:
    """Requests about an object, the ego vehicle "car" if nothing else is said; the last does not say whose it is."""
    info = about or CAR
    anybodys = {"actor_info": {"id": info["id"]}} | cases[-1]
    return (*(Case({"actor_info": info} | fields, **rest) for fields in cases), Case(anybodys, **rest))


LINKS = [{"id": {"value": "A"}}, {"id": {"value": "C"}, "waypoint_idx": 40}]
CRUISING = (("Actor/SetVehicleControlMode", {"actor_info": CAR, "mode": 6}),)
FAULTS = {
    "control": [{"fault_location": 3, "fault_class": 2, "fault_subclass": 203}],
    "tire": [{"tire_index": 1, "fault_class": 3, "fault_subclass": 301}],
    "sensor": [
        {
            "sensor_id": "1",
            "fault_class": 3,
            "fault_subclass": 302,
            "local_position_offset": xyz(0.1, 0.2, 0.3),
            "local_rotation_offset": xyz(1.0, 2.0, 3.0),
        }
    ],
}
STILL = {"sensor_id": "1", "fault_class": 1, "fault_subclass": 101}
NETWORK = {
    "actor_info": CAR,
    "enabled": True,
    "comm_type": 1,
    "frame_rate": 20,
    "protocol_settings": {"comm_type": 1, "items": [{"protocol": 256, "items": [{"type": 1, "value": "127.0.0.1"}]}]},
    "ip_settings": [{"connect_type": 1, "items": [{"type": 4, "value": "9000"}]}],
}

ACTOR_CASES: dict[str, tuple[Case, ...]] = {
    "Actor/SpawnVehicle": (
        Case(spawn("new", 1, "2015_Kia_K5", velocity=20.0, multi_ego=True)),
        Case(spawn("", 1, "2015_Kia_K5", velocity=20.0, multi_ego=True)),
        Case(spawn("new", 1, "2015_Kia_K5", velocity=20.0)),
        Case(spawn("new", 1, "2015_Kia_K5", velocity=20.0, multi_ego=True, transform=HIGH)),
    ),
    "Actor/SpawnPedestrian": (
        Case(spawn("new", 2, "runner", velocity=4.0, active_dist=3.0, move_dist=30.0, start_action=True)),
        Case(spawn("", 2, "runner", velocity=4.0, waypoints=POINTS, start_action=True)),
    ),
    "Actor/SpawnObstacle": (
        Case(spawn("new", 3, "cone", scale=xyz(1.0, 2.0, 3.0))),
        Case(spawn("", 3, "cone", scale=xyz(1.0, 2.0, 3.0))),
    ),
    "Actor/DestroyActor": tuple(Case(one) for one in (CAR, NPC, WALKER, BOX, whom("gate", 4), whom("pool", 3))),
    "Actor/DestroyAllActors": (Case({"value": "me"}), Case({"value": ""})),
    "Actor/ControlVehicle": each(
        {"long_cmd_type": 1, "throttle": 0.5, "brake": 0.1, "steer": 0.2},
        {"long_cmd_type": 2, "velocity": 30.0},
        {"long_cmd_type": 3, "acceleration": 1.0},
    ),
    "Actor/ControlPedestrian": each({"direction": xyz(1.0, 2.0, 0.5), "speed": 5.0}, about=WALKER),
    "Actor/ControlObstacle": each(
        {"mode": 2, "velocity_x": 5.0, "velocity_y": 2.0, "yaw_rate": 10.0, "height": 0.5}, {"mode": 1}, about=BOX
    ),
    "Actor/GetActorState": tuple(Case(one) for one in (CAR, {"id": CAR["id"]}, NPC, WALKER, BOX)),
    "Actor/GetAllActorsState": (Case({"client_key": "me", "vehicle": True}), Case({})),
    "Actor/GetVehicleSpec": (Case(CAR, "lively"), Case({"id": CAR["id"]}, "lively")),
    "Actor/GetOptionName": (Case(CAR), Case({"id": CAR["id"]}, "lively")),
    "Actor/GetVehicleNetworkSetting": (Case(CAR),),
    "Actor/GetVehicleControlMode": (Case(CAR), Case({"id": CAR["id"]}, first=CRUISING)),
    "Actor/SetScale": each({"scale": xyz(1.5, 2.0, 2.5)}, about=BOX),
    "Actor/SetTransform": (*each({"transform": PLACE}), *each({"transform": PLACE}, about=BOX)),
    "Actor/SetObstacleAnimation": each({"enabled": True, "object_type": 1, "animation_key": "open"}, about=BOX),
    "Actor/SetTrainSignalLight": each({"color": 1}, about=BOX),
    "Actor/SetPause": each({"enable": True}),
    "Actor/SetAI": each({"enable": False}, about=NPC),
    "Actor/SetPhysics": each({"enable": False}),
    "Actor/SetVelocity": each({"velocity": 25.0}),
    "Actor/SetVehicleLimiter": each(
        {"limiter_type": 1, "min_saturation": 0.1, "max_saturation": 0.5, "falling_rate": 0.2, "rising_rate": 0.3}
    ),
    "Actor/SetVehicleDynamicsSteer": each({"max_steer_angle": 20.0}),
    "Actor/SetVehicleDynamicsSpeedLimit": each({"speed_limiter": True, "speed_limit": 40.0}),
    "Actor/SetVehicleDynamicsMass": each({"mass": 1800.0}),
    "Actor/SetVehiclePathOffset": each({"value": 20.0, "lat_bias_mode": 1}),
    "Actor/SetVehicleDisturbance": each({"situation": 1, "behavior": 1, "duration": 2.0, "magnitude": 0.3}),
    "Actor/SetVehicleFaultInjection": each(
        *({"type": kind} | FAULTS for kind in (1, 2)), {"type": 2, "sensor": [STILL]}, {"type": 0} | FAULTS
    ),
    "Actor/SetVehicleRoute": each({"decision_range": 6.0, "links": LINKS}, first=CRUISING),
    "Actor/SetVehicleDestination": each(
        {"decision_range": 6.0, "position": xyz(150.0, 28.0, 0.0)},
        {"decision_range": 6.0, "position": HIGH["location"]},
        first=CRUISING,
    ),
    "Actor/SetVehicleEgoCruise": each(
        {"cruise_on": True, "cruise_type": 1, "link_speed_ratio": 80},
        {"cruise_on": True, "cruise_type": 2, "constant_velocity": 30.0},
    ),
    "Actor/SetVehicleNetwork": (Case(NETWORK),),
    "Actor/SetVehicleSteer": each({"steer": 0.2}),
    "Actor/SetVehicleControlMode": each({"mode": 6}),
    "Actor/SetVehicleGear": each({"gear": 2}),
    "Actor/SetVehicleTailLight": each({"signal": 1}),
    "Actor/SetPedestrianWaypoint": each({"is_create": True, "waypoints": POINTS}, about=WALKER),
}
