"""A visitor drives by keys, and whatever he does not do, nothing stays pressed."""

from __future__ import annotations

import time
from functools import partial
from statistics import median
from types import SimpleNamespace

import numpy as np
import pytest

from dorosim.bridge.view.keyboard import HOLD
from dorosim.endpoint.view.message import Status
from dorosim.endpoint.view.panel import keys
from dorosim.endpoint.view.panel.keys import BINDINGS, KeysPart
from dorosim.world.snapshot import EGO
from dorosim.world.traffic.command import PauseRun
from dorosim.world.vehicle.command import DriveVehicle, PlaceVehicle, SelectMode
from dorosim.world.vehicle.keyboard_command import DriveByKeyboard, LeaveKeyboard, TakeKeyboard
from dorosim.world.vehicle.mode import ControlKind, ControlMode, Gear
from tests.endpoint.view.stage import VISITOR, Page, wait_for


def mode_of(page: Page) -> ControlMode:
    return ControlMode(int(page.now.vehicle.control_mode[0]))


def last_drive(page: Page) -> DriveByKeyboard | None:
    return next((one for one in reversed(page.proxy.done) if isinstance(one, DriveByKeyboard)), None)


def drive_off(page: Page, key: str = "W", visitor: int = VISITOR) -> KeysPart:
    part = page.add(KeysPart)
    page.press(key, visitor)
    wait_for(lambda: last_drive(page))
    return part


def is_let_go(page: Page) -> bool:
    last = last_drive(page)
    return last is not None and (last.accelerator, last.steer) == (0.0, 0.0)


def test_a_vehicle_that_nobody_drives_is_driven_by_the_first_press(page):
    drive_off(page)
    assert isinstance(page.proxy.done[0], TakeKeyboard)
    assert mode_of(page) is ControlMode.KEYBOARD
    assert page.now.vehicle.target_accelerator[0] > 0.0
    assert page.proxy.run(0.5).vehicle.velocity_x[0] > 0.2


def test_presses_are_told_25_times_a_second_and_end_with_all_let_go(page, monkeypatch):
    moments, do = [], page.proxy.do

    def noted(*commands):
        moments.append(time.monotonic())
        return do(*commands)

    monkeypatch.setattr(page.proxy, "do", noted)
    drive_off(page)
    wait_for(lambda: is_let_go(page))
    told = [one for one in page.proxy.done if isinstance(one, DriveByKeyboard)]
    assert 0.6 < moments[-1] - moments[0] < 5.0
    assert 0.038 < median(np.diff(moments)) < 0.06
    time.sleep(0.2)
    assert [one for one in page.proxy.done if isinstance(one, DriveByKeyboard)] == told, "then nothing more is said"
    assert mode_of(page) is ControlMode.KEYBOARD


@pytest.mark.parametrize(("key", "sign"), [("A", 1), ("arrowleft", 1), ("D", -1), ("arrowright", -1)])
def test_keys_steer(page, key, sign):
    drive_off(page, key)
    wait_for(lambda: last_drive(page).steer)
    steer = max((one.steer for one in page.proxy.done if isinstance(one, DriveByKeyboard)), key=abs)
    assert steer * sign > 0.05


@pytest.mark.parametrize(("key", "least"), [("S", 0.3), ("arrowdown", 0.3), ("space", 1.0)])
def test_keys_brake(page, key, least):
    drive_off(page, key)
    wait_for(lambda: page.now.vehicle.target_brake[0] >= least)


@pytest.mark.parametrize(("key", "gear"), [("1", Gear.P), ("2", Gear.R), ("3", Gear.N), ("4", Gear.D)])
def test_digits_choose_the_gears_of_their_codes(page, key, gear):
    assert int(key) == int(gear)
    drive_off(page, key)
    assert page.now.vehicle.gear[0] == gear


def test_who_accelerates_in_p_drives_off(page):
    drive_off(page, "1")
    page.show()
    page.press("W")
    wait_for(lambda: page.now.vehicle.gear[0] == Gear.D)


def test_p_waits_until_the_vehicle_stands(page):
    page.proxy.do(PlaceVehicle(EGO, (50.0, 0.0, 0.0), (0.0, 0.0, 0.0), 15.0, Gear.D))
    page.add(KeysPart)
    page.press("Q")
    wait_for(lambda: mode_of(page) is ControlMode.KEYBOARD)
    page.press("1")
    wait_for(lambda: page.context.notes)
    assert "stop first" in page.context.notes[0]
    assert page.now.vehicle.gear[0] == Gear.D


def test_q_takes_a_vehicle_from_a_client_and_gives_it_back_braked(page):
    client = DriveVehicle(EGO, ControlKind.VELOCITY, ControlMode.AUTO, velocity=8.0)
    page.proxy.do(client)
    page.add(KeysPart)
    page.press("W")
    wait_for(lambda: page.context.notes)
    assert "Q takes it over" in page.context.notes[0]
    assert mode_of(page) is ControlMode.AUTO
    page.press("Q")
    wait_for(lambda: mode_of(page) is ControlMode.KEYBOARD)
    with pytest.raises(Exception, match="keyboard"):
        page.proxy.do(client)
    time.sleep(HOLD)
    page.press("Q")
    wait_for(lambda: mode_of(page) is ControlMode.AUTO)
    assert page.now.vehicle.control_kind[0] == ControlKind.HOLD
    page.proxy.do(client)
    assert page.now.vehicle.control_kind[0] == ControlKind.VELOCITY


def test_escape_pauses_and_plays(page):
    page.add(KeysPart)
    for paused in (True, False):
        page.press("escape")
        wait_for(lambda: page.now.paused is paused)  # noqa: B023
        page.show()
        time.sleep(HOLD)


def hold(page: Page, key: str, seconds: float = 1.2) -> None:
    """Hold a key, as browsers tell of it: again after half a second, then thirty times a second."""
    begun = time.monotonic()
    page.press(key)
    time.sleep(0.45)
    while time.monotonic() < begun + seconds:
        page.show()
        page.press(key)
        time.sleep(0.03)
    time.sleep(0.1)


@pytest.fixture
def long_hold(monkeypatch):
    """Wall time within which presses are one [s]: long enough for a machine on which they come late."""
    monkeypatch.setattr(keys, "HOLD", 2.0)
    return 2.0


def test_escape_that_is_held_pauses_once(page, long_hold):
    page.add(KeysPart)
    hold(page, "escape")
    assert page.proxy.done == [PauseRun(paused=True)]
    page.press("escape", VISITOR + 1)
    wait_for(lambda: not page.now.paused)
    page.show()
    time.sleep(long_hold)
    page.press("escape")
    wait_for(lambda: page.now.paused)


def test_q_that_is_held_switches_once(page, long_hold):
    page.add(KeysPart)
    hold(page, "Q")
    assert [one for one in page.proxy.done if isinstance(one, TakeKeyboard | LeaveKeyboard)] == [TakeKeyboard(EGO)]
    time.sleep(long_hold)
    page.press("Q")
    wait_for(lambda: mode_of(page) is ControlMode.AUTO)


def test_keys_do_not_drive_while_clients_step_the_run(page):
    page.add(KeysPart)
    page.context.status = Status(wall=0.0, synchronous=True)
    page.press("W")
    wait_for(lambda: page.context.notes)
    assert "synchronous" in page.context.notes[0]
    assert not page.proxy.done


def test_clients_who_begin_to_step_the_run_get_the_vehicle(page):
    page.add(KeysPart)
    page.press("Q")
    wait_for(lambda: mode_of(page) is ControlMode.KEYBOARD)
    page.context.status = Status(wall=0.0, synchronous=True)
    wait_for(lambda: mode_of(page) is ControlMode.AUTO)
    assert not page.now.vehicle.seized[0]


def test_a_vehicle_that_was_taken_by_accident_is_given_back_when_it_stands(page):
    page.proxy.do(PlaceVehicle(EGO, (50.0, 0.0, 0.0), (0.0, 0.0, 0.0), 0.0, Gear.D))
    page.add(partial(KeysPart, idle=0.3))
    page.press("A")
    wait_for(lambda: mode_of(page) is ControlMode.KEYBOARD)
    page.proxy.do(PlaceVehicle(EGO, (50.0, 0.0, 0.0), (0.0, 0.0, 0.0), 5.0, Gear.D))
    page.show()
    time.sleep(0.6)
    assert page.now.vehicle.seized[0] == 1, "who rolls is not let go of"
    page.proxy.do(PlaceVehicle(EGO, (50.0, 0.0, 0.0), (0.0, 0.0, 0.0), 0.0, Gear.D))
    page.show()
    wait_for(lambda: mode_of(page) is ControlMode.AUTO)
    page.proxy.do(DriveVehicle(EGO, ControlKind.VELOCITY, velocity=8.0))


def test_a_vehicle_that_was_taken_by_q_is_kept(page):
    page.add(partial(KeysPart, idle=0.2))
    page.press("Q")
    wait_for(lambda: mode_of(page) is ControlMode.KEYBOARD)
    time.sleep(0.6)
    assert page.now.vehicle.seized[0] == 1


def test_only_ego_vehicles_are_driven(page):
    page.add(KeysPart)
    page.context.followed = 2
    page.press("W")
    wait_for(lambda: page.context.notes)
    assert "only ego vehicles" in page.context.notes[0]
    assert not page.proxy.done


def test_who_lets_go_at_a_standstill_is_held_and_who_rolls_on_is_not(page):
    page.add(KeysPart)
    page.press("Q")
    wait_for(lambda: last_drive(page))
    assert last_drive(page).brake == 1.0
    page.press("W")
    wait_for(lambda: last_drive(page).accelerator > 0.0)
    page.proxy.do(PlaceVehicle(EGO, (60.0, 0.0, 0.0), (0.0, 0.0, 0.0), 10.0, Gear.D))
    page.show()
    wait_for(lambda: is_let_go(page))
    assert last_drive(page).brake == 0.0
    page.proxy.do(PlaceVehicle(EGO, (60.0, 0.0, 0.0), (0.0, 0.0, 0.0), -1.0, Gear.D))
    page.show()
    wait_for(lambda: last_drive(page).brake == 1.0)


@pytest.mark.parametrize(("visitor", "other"), [(VISITOR, VISITOR + 1), (0, 1), (1, 0)])
def test_a_visitor_who_leaves_in_the_middle_leaves_the_vehicle_braked(page, visitor, other):
    """viser numbers visitors from 0."""
    part = drive_off(page, visitor=visitor)
    part._visitor_left(SimpleNamespace(client_id=other))
    time.sleep(0.1)
    assert page.now.vehicle.control_kind[0] == ControlKind.PEDALS, "somebody else has left"
    assert page.now.vehicle.seized[0] == 1
    assert visitor in page.context.keyed
    part._visitor_left(SimpleNamespace(client_id=visitor))
    wait_for(lambda: page.now.vehicle.control_kind[0] == ControlKind.HOLD)
    assert mode_of(page) is ControlMode.KEYBOARD
    assert not page.now.vehicle.seized[0]


def test_who_follows_somebody_else_drives_no_longer(page):
    drive_off(page)
    page.context.follow(EGO)
    time.sleep(0.1)
    assert mode_of(page) is ControlMode.KEYBOARD
    page.context.follow(2)
    wait_for(lambda: mode_of(page) is ControlMode.AUTO)
    assert page.now.vehicle.control_kind[0] == ControlKind.HOLD


def test_a_vehicle_that_the_run_has_put_back_is_taken_anew(page):
    """Somebody begins the run anew while keys drive: the vehicle is in auto mode again, and the page sees it."""
    part = drive_off(page)
    wait_for(lambda: is_let_go(page))
    world = page.proxy.world
    vehicle = world.now.vehicle.copy()
    vehicle.seized[0], vehicle.control_mode[0], vehicle.control_kind[0] = 0, ControlMode.AUTO, ControlKind.HOLD
    from dataclasses import replace

    world.now = replace(world.now, vehicle=vehicle.freeze())
    time.sleep(1.1)
    page.show()
    page.press("W")
    wait_for(lambda: mode_of(page) is ControlMode.KEYBOARD)
    assert part is page.parts[0]


def test_a_scenario_s_keyboard_mode_is_driven_at_once(page):
    page.proxy.do(SelectMode(EGO, ControlMode.KEYBOARD))
    drive_off(page)
    assert page.now.vehicle.seized[0] == 1


def test_no_key_has_two_meanings():
    keys = [key for binding in BINDINGS for key in binding.keys]
    assert len(keys) == len(set(keys)) == 15
