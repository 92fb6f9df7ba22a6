"""Every field of every message to the simulator changes what is asked for, or is listed as without effect."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from dorosim.bridge.reply import DeferredReply
from dorosim.bridge.ros import sim_proc, sync
from dorosim.bridge.ros.catalogue import PROVIDED, RANGES, SUBSCRIBED, WITHOUT_EFFECT
from dorosim.ground.error import DorosimError
from dorosim.wire.ros.registry import GENERATIONS
from dorosim.world.mount.command import AddSensor
from dorosim.world.mount.setting import GpsSettings, ImuSettings
from dorosim.world.snapshot import EGO
from dorosim.world.vehicle.command import CreateVehicle
from tests.bridge.ros.stage import RosStage
from tests.world.world import town_scene

Path = tuple[str | int, ...]
LIGHT = "TL000000"


def examples(stage: RosStage) -> dict[str, list[dict[str, Any]]]:
    """Messages by key of their topic or service; each field counts in one of them at least."""
    one, vector = (lambda value, kind=np.float64: np.array([value], kind)), stage.vector
    npc = stage.make("NpcGhostInfo", unique_id=5, name="2015_Kia_K5", **_present(stage, "NpcGhostInfo"))
    twist = {"linear": vector(1.0, 1.0, 1.0), "angular": vector(1.0, 1.0, 1.0)}
    fault = {"unique_id": EGO, "fault_class": 2, "fault_subclass": 203}
    egos = {
        "number_of_ego_vehicle": 1,
        "camera_index": 1,
        "ego_index": one(1, np.int32),
        **{f"global_position_{axis}": one(1.0) for axis in "xyz"},
        **{f"global_{angle}": one(1.0, np.float32) for angle in ("roll", "pitch", "yaw")},
        "velocity": one(1.0, np.float32),
        "gear": one(4, np.int8),
        "ctrl_mode": one(16, np.int8),
        **_present(stage, "MultiEgoSetting"),
    }
    poses = {name: one(1.0, np.float32) for name in ("pose_x", "pose_y", "pose_z", "roll", "pitch", "yaw")}
    offsets = {"local_position_offset": vector(1.0, 1.0, 1.0), "local_rotation_offset": vector(1.0, 1.0, 1.0)}
    return {
        "ctrl_cmd": [{"longlCmdType": 1}],
        "robot_cmd": [twist],
        "gv_direct_cmd": [{"steerType": code, "throttle": 0.5, "skidSteering": 0.5} for code in (1, 2)],
        "gv_state_cmd": [{"latCtrlType": code} for code in (1, 2)],
        "ghost_cmd": [{}],
        "npc_ghost": [{"npc_list": [npc]}],
        "lamps": [{"turnSignal": 1}],
        "set_light": [{"trafficLightIndex": LIGHT, "trafficLightStatus": 16}],
        "set_intersection": [{"intersection_index": 1, "intersection_status_time": 1.0}],
        "scenario": [{"file_name": "lap"}],
        "load_scenario": [{"file_name": "lap"}],
        "save_sensors": [{"is_custom_file_name": True, "custom_file_name": "lap", "file_dir": "a"}],
        "move_sensors": [{"sensor_index": one(1, np.int16), **poses}],
        "multi_ego": [egos],
        "event": [{"option": 15, "ctrl_mode": 3, "gear": 4}],
        "map_spec": [{}],
        "light_info": [{"idx": LIGHT}],
        "vehicle_spec": [{"unique_id": EGO}],
        "fault_control": [{**fault, "fault_location": 2}],
        "set_fault_control": [{**fault, "fault_location": 2}],
        "fault_tire": [{**fault, "fault_class": 3, "fault_subclass": 301}],
        "set_fault_tire": [{**fault, "fault_class": 3, "fault_subclass": 301}],
        "user_value": [{"data": "level=3"}],
        "fault_sensor": [{**fault, "sensor_id": 1, **offsets}],
        "set_fault_sensor": [{**fault, "sensor_id": 1, **offsets}],
    }


def _present(stage: RosStage, name: str) -> dict[str, Any]:
    """Lists and numbers that only some generations have."""
    has = {field for field, _ in stage.registry.fields(f"morai_msgs/{name}")}
    if "turn_signal" not in has:
        return {}
    if name == "NpcGhostInfo":
        return {"vehicle_speed": 36.0, "steering_angle": 1.0}
    return {
        "steering_angle": np.array([1.0], np.float32),
        "vehicle_speed": np.array([1.0], np.float32),
        "turn_signal": np.array([1], np.uint32),
        "brake_light": np.array([True]),
    }


def leaves(value: Any, path: Path = ()) -> Iterator[Path]:
    """The paths of all numbers and texts of a message, of lists the first entry."""
    if isinstance(value, list | np.ndarray):
        if len(value):
            yield from leaves(value[0], (*path, 0))
    elif hasattr(value, "__msgtype__"):
        for name in vars(value):
            if name != "__msgtype__":
                yield from leaves(getattr(value, name), (*path, name))
    else:
        yield path


def changed(value: Any, path: Path) -> Any:
    """A message in which the value at a path is another one."""
    if not path:
        return other(value)
    step, *rest = path
    if isinstance(value, np.ndarray):
        copy = value.copy()
        copy[step] = other(copy[step].item())
        return copy
    if isinstance(value, list):
        return [changed(value[step], tuple(rest)), *value[1:]]
    return replace(value, **{str(step): changed(getattr(value, str(step)), tuple(rest))})


def other(value: Any) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, str):
        return f"{value}2"
    return value + 1 if isinstance(value, int) else value + 0.25 if abs(value) < 0.8 else value - 0.25


def told_name(message: Any, path: Path) -> set[str]:
    """The names under which a leaf may stand in `WITHOUT_EFFECT`: that of its type, and those of what holds it."""
    names = set()
    here = message
    for at, step in enumerate(path):
        if isinstance(step, str) and hasattr(here, "__msgtype__"):
            short = here.__msgtype__.rpartition("/")[2]
            rest = [part for part in path[at:] if isinstance(part, str)]
            names |= {f"{short}.{'.'.join(rest[:count])}" for count in range(1, len(rest) + 1)}
        here = here[step] if isinstance(step, int) else getattr(here, step)
    return names


@pytest.fixture(scope="module")
def stages() -> dict[str, RosStage]:
    found = {}
    for generation in GENERATIONS:
        stage = RosStage(town_scene().network, generation=generation)
        stage.apply(
            CreateVehicle(model="2015_Kia_K5", position=(50.0, 60.0, 0.0)),
            AddSensor(EGO, settings=GpsSettings()),
            AddSensor(EGO, settings=ImuSettings()),
        )
        found[generation] = stage
    return found


ELSEWHERE = {row.key for row in (*sync.PROVIDED, *sim_proc.PROVIDED)}
"""Rows whose fields wait for ticks and files: tests/app/serve/ros/test_sync.py and test_replay.py say what they do."""
HERE = [row for row in (*SUBSCRIBED, *PROVIDED) if row.key not in ELSEWHERE]


def outcome(stage: RosStage, row: Any, message: Any) -> Any:
    """What a message asks for, of the world or of the program around it, or why it is refused."""
    stage.around.asked.clear()
    try:
        found = row.meaning(stage.through(message), stage.situation)
        asked = found.commands if isinstance(found, DeferredReply) else found if row in PROVIDED else tuple(found)
    except DorosimError as error:
        asked = str(error)
    return asked, tuple(stage.around.asked)


@pytest.mark.parametrize("generation", GENERATIONS)
@pytest.mark.parametrize(
    "row", [row for row in (*SUBSCRIBED, *PROVIDED) if row.key not in ELSEWHERE], ids=lambda row: row.key
)
def test_every_field_counts_or_is_listed(stages, generation, row):
    stage, known = stages[generation], {*stages[generation].registry.types, *stages[generation].registry.services}
    given = examples(stage)
    if row.type not in known:
        return
    counted: set[Path] = set()
    every: dict[Path, Any] = {}
    for fields in given[row.key]:
        message = _request(stage, row, fields)
        before = outcome(stage, row, message)
        for path in leaves(message):
            every[path] = message
            if repr(outcome(stage, row, changed(message, path))) != repr(before):
                counted.add(path)
    for path, message in every.items():
        listed = told_name(message, path) & WITHOUT_EFFECT.keys()
        assert (path in counted) != bool(listed), f"{path}: {'listed, but it counts' if listed else 'it is ignored'}"


def _request(stage: RosStage, row: Any, fields: dict[str, Any]) -> Any:
    if row not in PROVIDED:
        return stage.registry.make(row.type, **fields)
    service = stage.registry.services[row.type]
    (_, (_, inner)), *_rest = stage.registry.fields(service.request)
    return stage.registry.make(service.request, request=stage.registry.make(inner.replace("/msg/", "/"), **fields))


@pytest.mark.parametrize("table", [RANGES, WITHOUT_EFFECT], ids=["ranges", "without effect"])
def test_tables_name_fields_that_there_are(stages, table):
    for key in table:
        short, *path = key.split(".")
        found = False
        for stage in stages.values():
            names = [name for name in stage.registry.types if name.endswith(f"/{short}")]
            found = found or any(_has(stage, name, path) for name in names)
        assert found, key


def _has(stage: RosStage, name: str, path: list[str]) -> bool:
    here = stage.registry.make(name)
    for part in path:
        if not hasattr(here, part):
            return False
        here = getattr(here, part)
    return True
