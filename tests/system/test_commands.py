"""Every command of the simulator's own interface, as a datagram, and what the world is like after the tick."""

from __future__ import annotations

import math
import struct

import numpy as np
import pytest

from dorosim.app.setting.settings import EgoSettings
from dorosim.bridge.answer import Refusal
from dorosim.bridge.signal import SignalNames
from dorosim.bridge.udp.receive import Receiver
from dorosim.wire.udp.revision import DEFAULT_REVISION
from dorosim.wire.udp.simulator import SaveSensorData
from dorosim.world.mount.command import AddSensor
from dorosim.world.mount.setting import GpsSettings
from dorosim.world.snapshot import EGO
from dorosim.world.traffic.command import PauseActor
from dorosim.world.vehicle.catalogue import model_row
from dorosim.world.vehicle.mode import ControlMode, Gear, TurnLamp
from tests.packet import (
    control,
    intersection,
    lamps,
    light,
    move_sensor,
    multi_ego,
    npc_ghosts,
    object_slots,
    status_number,
)
from tests.system.rig import Rig, rig

CRUISE = 4


def ahead(run: Rig, metres: float, left: float = 0.0) -> tuple[float, float, float]:
    """A place ahead of the ego vehicle."""
    vehicle = run.now.vehicle
    yaw = float(vehicle.yaw[0])
    x = float(vehicle.x[0]) + metres * math.cos(yaw) - left * math.sin(yaw)
    y = float(vehicle.y[0]) + metres * math.sin(yaw) + left * math.cos(yaw)
    return x, y, float(vehicle.z[0])


def test_lamps_are_switched_and_kept(town):
    town.send(lamps(1, 0))
    now = town.turn().vehicle
    assert (now.turn_lamp[0], now.emergency_lamp[0]) == (TurnLamp.LEFT, 0)
    town.send(lamps(2, 1))
    now = town.turn().vehicle
    assert (now.turn_lamp[0], now.emergency_lamp[0]) == (TurnLamp.RIGHT, 1)
    town.send(lamps(3, 0))
    now = town.turn().vehicle
    assert (now.turn_lamp[0], now.emergency_lamp[0]) == (TurnLamp.RIGHT, 0), "3 keeps the turn signal"
    town.send(lamps(0, 0))
    assert town.turn().vehicle.turn_lamp[0] == TurnLamp.OFF
    town.send(lamps(4, 0))
    town.turn()
    assert town.journal.counts["bad value"] == 1


def test_ghosts_appear_move_and_stay(town):
    (x, y, z), (u, v, w) = ahead(town, 20.0), ahead(town, 40.0)
    town.send(npc_ghosts((7, "2015_Kia_K5", x, y, z, 90.0), (-3, "2018_Hyundai_ElecCity", u, v, w, 0.0)))
    now = town.turn()
    assert now.ghost.alias.tolist() == [7, -3]
    assert now.ghost.model.tolist() == [model_row("2015_Kia_K5"), model_row("2018_Hyundai_ElecCity")]
    assert (now.ghost.x[0], now.ghost.yaw[0]) == (pytest.approx(x, abs=1e-4), pytest.approx(math.pi / 2))
    for step in range(1, 11):
        town.send(npc_ghosts((7, "2015_Kia_K5", x, y + 0.1 * step, z, 90.0)))
        now = town.turn()
    assert len(now.ghost) == 2, "one that is not told of stays"
    assert now.ghost.velocity_y[0] == pytest.approx(10.0, rel=1e-2), "0.1 m a tick of 10 ms"
    town.turn()
    first, second = object_slots(town.status("ObjectInfo"))
    assert first.velocity == pytest.approx((36.0, 0.0, 0.0), abs=0.5), "forward in its own frame, km/h"
    assert (first.type, second.type, second.velocity) == (1, 1, (0.0, 0.0, 0.0))
    assert town.journal.counts["refused"] == 0


def test_a_ghost_of_an_unknown_model_is_one_that_is_called_alike(town):
    town.send(npc_ghosts((1, "2015_Kia_K5_black", *ahead(town, 20.0), 0.0)))
    assert town.turn().ghost.model.tolist() == [model_row("2015_Kia_K5")]


def told_light(run: Rig) -> tuple[str, int]:
    index, _, status = struct.unpack_from("<12s2h", run.status("GetTrafficLightStatus"), 30)
    return index.rstrip(b"\0").decode(), status


def test_a_light_is_set_for_good_and_given_back(town):
    index, before = told_light(town)
    assert before in {1, 4, 16, 32, 48}
    other = 16 if before != 16 else 1
    town.send(light(index, other))
    town.turn()
    assert told_light(town) == (index, other)
    town.turn(12_000)
    assert told_light(town) == (index, other), "for two minutes, whatever the programme does"
    town.send(light(index, -1))
    now = town.turn()
    row = SignalNames(town.built.scene.network.signals).light_row(index)
    assert now.signal.light.command[row] == -1
    assert told_light(town)[1] == town.built.scene.signal_plan.status_of(row, now.signal)


def test_the_other_heads_of_the_junction_stay_as_they_are(town):
    index, before = told_light(town)
    status = town.now.signal.light.status.copy()
    town.send(light(index, 16 if before != 16 else 1))
    now = town.turn()
    row = SignalNames(town.built.scene.network.signals).light_row(index)
    assert np.flatnonzero(now.signal.light.status != status).tolist() == [row]


@pytest.mark.parametrize("lamp", [1, 4, 16, 32, 48, 20, 36, 5])
def test_every_state_of_the_documents_can_be_set(town, lamp):
    index, _ = told_light(town)
    town.send(light(index, lamp))
    town.turn()
    assert told_light(town) == (index, lamp)


def test_a_status_that_is_no_sum_of_lamps_is_refused(town):
    index, before = told_light(town)
    town.send(light(index, 2), light(index, 0), light("nowhere", 1))
    town.turn()
    assert town.journal.counts["refused"] == 3
    assert told_light(town) == (index, before)


def told_intersection(run: Rig) -> tuple[int, int, float]:
    index, state, elapsed = struct.unpack_from("<2hf", run.status("GetIntersectionStatus"), 27)
    return index, state, elapsed


def test_an_intersection_is_set_to_a_state_and_a_time_and_goes_on(town):
    number, state, _ = told_intersection(town)
    row = SignalNames(town.built.scene.network.signals).controller_row(number)
    programme = town.now.signal.programme
    after = (state + 2) % int(programme.count[row])
    town.send(intersection(number, after, 1.5))
    town.turn()
    assert told_intersection(town) == (number, after, pytest.approx(1.51, abs=1e-6))
    town.turn(50)
    assert told_intersection(town)[2] == pytest.approx(2.01, abs=1e-6)
    left = float(programme.duration[row, after]) * 1e-9 - 2.01
    town.turn(round(left * 100) + 1)
    assert told_intersection(town)[1] == (after + 1) % int(programme.count[row])


def test_the_lights_of_an_intersection_follow_its_state(town):
    index, _ = told_light(town)
    number, _, _ = told_intersection(town)
    seen = set()
    for state in range(4):
        town.send(intersection(number, state, 0.0))
        town.turn()
        assert told_intersection(town)[1] == state
        seen.add(told_light(town))
    assert {one for one, _ in seen} == {index}
    assert len(seen) > 1


def test_an_intersection_that_cannot_be_set_says_so(town):
    number, state, _ = told_intersection(town)
    town.send(intersection(number, 99, 0.0), intersection(400, 0, 0.0))
    town.turn()
    assert town.journal.counts["refused"] == 2
    assert told_intersection(town)[:2] == (number, state)


def status(run: Rig) -> tuple[int, int, float]:
    data = run.status("EgoVehicleStatus")
    return data[35], data[36], status_number(data, 101)


@pytest.mark.parametrize("code", [4, 6])
def test_cruise_mode_drives_the_ego_along_the_lanes(town, code):
    town.send(control(mode=code, gear=1))
    town.turn(1000)
    mode, gear, speed = status(town)
    assert (mode, gear) == (CRUISE, Gear.D)
    assert speed > 10.0
    assert object_slots(town.status("ObjectInfo")) == [], "its driver's plan is no object"
    town.send(control(mode=0, accel=1.0))
    town.turn(2)
    assert town.journal.counts["refused"] == 1, "the driver model drives until auto mode is asked for"
    town.send(control(mode=2, brake=1.0))
    town.turn(600)
    assert status(town)[0] == 2
    assert status(town)[2] == 0.0


def test_multi_ego_setting_starts_cruise_mode(tmp_path):
    run = rig(tmp_path, egos=[EgoSettings(), EgoSettings()])
    vehicle = run.now.vehicle
    x, y, yaw = float(vehicle.x[1]), float(vehicle.y[1]), math.degrees(float(vehicle.yaw[1]))
    data = bytearray(multi_ego((2, x, y, yaw, 0.0)))
    data[41 + 31] = CRUISE
    data[41 + 30] = Gear.P
    run.send(bytes(data))
    now = run.turn(500)
    assert now.vehicle.control_mode.tolist() == [ControlMode.AUTO, ControlMode.CRUISE]
    assert now.vehicle.velocity_x[1] > 2.0


def test_a_paused_ego_is_told_to_stand(town):
    town.send(control(accel=1.0))
    town.turn(300)
    assert status(town)[2] > 10.0
    town.put(PauseActor(actor=EGO, paused=True))
    before = town.turn().vehicle.x[0]
    assert town.turn(10).vehicle.x[0] == before
    data = town.status("EgoVehicleStatus")
    assert (status_number(data, 37), status(town)[2]) == (0.0, 0.0)
    assert struct.unpack_from("<9f", data, 101) == (0.0,) * 9, "velocity, angular velocity and acceleration"
    town.put(PauseActor(actor=EGO, paused=False))
    town.turn(2)
    assert status(town)[2] > 10.0


def test_a_sensor_is_moved_by_its_number(town):
    town.put(AddSensor(EGO, settings=GpsSettings(), sensor=4))
    town.turn()
    town.send(move_sensor(4), move_sensor(5))
    (gps,) = town.turn().mounts.all()
    assert gps.position == (1.0, 0.0, 1.5)
    assert town.told == ["refused: MoveSensor: no sensor 5; there are 4"]


def test_sensor_data_is_not_saved_where_there_is_no_folder(town):
    receiver = Receiver(DEFAULT_REVISION, town.built.scene)
    (answer,) = receiver.commands(
        SaveSensorData(is_custom_file_name=True, custom_file_name="scene", file_dir=""), town.now
    )
    assert answer == Refusal("refused", "SaveSensorData: this run has no folder of sensor data")
