"""A visitor drives by keys, and whatever he does not do, nothing stays pressed."""

from __future__ import annotations

import math
import queue
import threading
from collections import deque
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from dorosim.bridge.view.keyboard import HOLD
from dorosim.endpoint.view.message import Status
from dorosim.endpoint.view.panel.keys import BINDINGS, KeysPart
from dorosim.world.actor.command import PauseRun
from dorosim.world.snapshot import EGO
from dorosim.world.vehicle.command import (
    DriveByKeyboard,
    DriveVehicle,
    LeaveKeyboard,
    PlaceVehicle,
    SelectMode,
    TakeKeyboard,
)
from dorosim.world.vehicle.mode import ControlKind, ControlMode, Gear
from tests.endpoint.view.stage import VISITOR, Page
from tests.timing import ManualClock


def mode_of(page: Page) -> ControlMode:
    return ControlMode(int(page.now.vehicle.control_mode[0]))


def last_drive(page: Page) -> DriveByKeyboard | None:
    return next((one for one in reversed(page.proxy.done) if isinstance(one, DriveByKeyboard)), None)


class PressQueue:
    """Presses that wait for the worker of the keys. Time passes only while it waits for one, and the test allows it."""

    def __init__(self, clock: ManualClock) -> None:
        self._clock = clock
        self._presses: deque[Any] = deque()
        self._changed = threading.Condition()
        self._due: float | None = None

    def put(self, press: Any) -> None:
        with self._changed:
            self._presses.append(press)
            self._changed.notify_all()

    def empty(self) -> bool:
        return not self._presses

    def get(self, timeout: float = math.inf) -> Any:
        with self._changed:
            self._due = due = self._clock.now + timeout
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._presses or self._clock.now >= due)
            self._due = None
            if self._presses:
                return self._presses.popleft()
        raise queue.Empty

    def settle(self) -> float:
        """Wait until the worker has done all that is due. Returns when it does more without a press."""
        with self._changed:
            assert self._changed.wait_for(self._is_settled, 30.0)
            return self._due or 0.0

    def _is_settled(self) -> bool:
        return self._due is not None and not self._presses and self._clock.now < self._due

    def run(self, seconds: float) -> None:
        """Let time pass, and the worker do what is due in it."""
        end = self._clock.now + seconds
        while (due := self.settle()) <= end:
            with self._changed:
                self._clock.now = due
                self._changed.notify_all()
        self._clock.now = end


class Keyboard:
    """The keys of a page, without wall time."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.presses = PressQueue(page.clock)
        self.settle, self.run = self.presses.settle, self.presses.run
        self.part = page.add(lambda context: KeysPart(context, presses=self.presses))
        self.settle()

    def press(self, key: str, visitor: int = VISITOR) -> None:
        self.page.press(key, visitor)
        self.settle()

    def hold(self, key: str, seconds: float = 1.2) -> None:
        """Hold a key, as browsers report it: again after half a second, then thirty times a second."""
        end = self.page.clock.now + seconds
        self.press(key)
        self.run(0.45)
        while self.page.clock.now < end:
            self.page.show()
            self.press(key)
            self.run(0.03)

    def leave(self, visitor: int) -> None:
        self.page.leave(visitor)
        self.settle()


@pytest.fixture
def keyboard(page) -> Keyboard:
    """The keys of the page."""
    return Keyboard(page)


def is_let_go(page: Page) -> bool:
    last = last_drive(page)
    return last is not None and (last.accelerator, last.steer) == (0.0, 0.0)


def test_a_vehicle_that_nobody_drives_is_driven_by_the_first_press(page, keyboard):
    keyboard.press("W")
    assert isinstance(page.proxy.done[0], TakeKeyboard)
    assert mode_of(page) is ControlMode.KEYBOARD
    assert page.now.vehicle.target_accelerator[0] > 0.0
    assert page.proxy.run(0.5).vehicle.velocity_x[0] > 0.2


def test_presses_are_sent_25_times_a_second_and_end_with_all_let_go(page, keyboard, monkeypatch):
    moments, do = [], page.proxy.do

    def noted(*commands):
        if isinstance(commands[0], DriveByKeyboard):
            moments.append(page.clock.now)
        return do(*commands)

    monkeypatch.setattr(page.proxy, "do", noted)
    keyboard.press("W")
    keyboard.run(2.0)
    assert is_let_go(page)
    assert HOLD < moments[-1] - moments[0] < HOLD + 0.2
    assert np.diff(moments) == pytest.approx(0.04)
    sent = page.proxy.done[:]
    keyboard.run(5.0)
    assert page.proxy.done == sent, "then nothing more is sent"
    assert mode_of(page) is ControlMode.KEYBOARD


@pytest.mark.parametrize(("key", "sign"), [("A", 1), ("arrowleft", 1), ("D", -1), ("arrowright", -1)])
def test_keys_steer(page, keyboard, key, sign):
    keyboard.press(key)
    assert last_drive(page).steer * sign > 0.05


@pytest.mark.parametrize(("key", "least"), [("S", 0.3), ("arrowdown", 0.3), ("space", 1.0)])
def test_keys_brake(page, keyboard, key, least):
    keyboard.press(key)
    assert page.now.vehicle.target_brake[0] >= least


@pytest.mark.parametrize(("key", "gear"), [("1", Gear.P), ("2", Gear.R), ("3", Gear.N), ("4", Gear.D)])
def test_digits_choose_the_gears_of_their_codes(page, keyboard, key, gear):
    assert int(key) == int(gear)
    keyboard.press(key)
    assert page.now.vehicle.gear[0] == gear


def test_who_accelerates_in_p_drives_off(page, keyboard):
    keyboard.press("1")
    page.show()
    keyboard.press("W")
    assert page.now.vehicle.gear[0] == Gear.D


def test_p_waits_until_the_vehicle_stands(page):
    page.proxy.do(PlaceVehicle(EGO, (50.0, 0.0, 0.0), (0.0, 0.0, 0.0), 15.0, Gear.D))
    keyboard = Keyboard(page)
    keyboard.press("Q")
    assert mode_of(page) is ControlMode.KEYBOARD
    keyboard.press("1")
    assert "stop first" in page.context.notes[0]
    assert page.now.vehicle.gear[0] == Gear.D


def test_q_takes_a_vehicle_from_a_client_and_gives_it_back_braked(page):
    client = DriveVehicle(EGO, ControlKind.VELOCITY, ControlMode.AUTO, velocity=8.0)
    page.proxy.do(client)
    keyboard = Keyboard(page)
    keyboard.press("W")
    assert "Q takes it over" in page.context.notes[0]
    assert mode_of(page) is ControlMode.AUTO
    keyboard.press("Q")
    assert mode_of(page) is ControlMode.KEYBOARD
    with pytest.raises(Exception, match="keyboard"):
        page.proxy.do(client)
    keyboard.run(HOLD + 0.01)
    keyboard.press("Q")
    assert mode_of(page) is ControlMode.AUTO
    assert page.now.vehicle.control_kind[0] == ControlKind.HOLD
    page.proxy.do(client)
    assert page.now.vehicle.control_kind[0] == ControlKind.VELOCITY


def test_escape_pauses_and_plays(page, keyboard):
    for paused in (True, False):
        keyboard.press("escape")
        assert page.now.paused is paused
        page.show()
        keyboard.run(HOLD + 0.01)


def test_escape_that_is_held_pauses_once(page, keyboard):
    keyboard.hold("escape")
    assert page.proxy.done == [PauseRun(paused=True)]
    keyboard.press("escape", VISITOR + 1)
    assert not page.now.paused
    page.show()
    keyboard.run(HOLD + 0.01)
    keyboard.press("escape")
    assert page.now.paused


def test_q_that_is_held_switches_once(page, keyboard):
    keyboard.hold("Q")
    assert [one for one in page.proxy.done if isinstance(one, TakeKeyboard | LeaveKeyboard)] == [TakeKeyboard(EGO)]
    keyboard.run(HOLD + 0.01)
    keyboard.press("Q")
    assert mode_of(page) is ControlMode.AUTO


def test_keys_do_not_drive_while_clients_step_the_run(page, keyboard):
    page.context.status = Status(wall=0.0, synchronous=True)
    keyboard.press("W")
    assert "synchronous" in page.context.notes[0]
    assert not page.proxy.done


def test_clients_who_begin_to_step_the_run_get_the_vehicle(page, keyboard):
    keyboard.press("Q")
    assert mode_of(page) is ControlMode.KEYBOARD
    page.context.status = Status(wall=0.0, synchronous=True)
    keyboard.run(0.1)
    assert mode_of(page) is ControlMode.AUTO
    assert not page.now.vehicle.seized[0]


def test_a_vehicle_that_was_taken_by_accident_is_given_back_when_it_stands(page):
    page.proxy.do(PlaceVehicle(EGO, (50.0, 0.0, 0.0), (0.0, 0.0, 0.0), 0.0, Gear.D))
    keyboard = Keyboard(page)
    keyboard.press("A")
    assert mode_of(page) is ControlMode.KEYBOARD
    page.proxy.do(PlaceVehicle(EGO, (50.0, 0.0, 0.0), (0.0, 0.0, 0.0), 5.0, Gear.D))
    page.show()
    keyboard.run(20.0)
    assert page.now.vehicle.seized[0] == 1, "who rolls is not let go of"
    page.proxy.do(PlaceVehicle(EGO, (50.0, 0.0, 0.0), (0.0, 0.0, 0.0), 0.0, Gear.D))
    page.show()
    keyboard.run(0.1)
    assert mode_of(page) is ControlMode.AUTO
    page.proxy.do(DriveVehicle(EGO, ControlKind.VELOCITY, velocity=8.0))


def test_a_vehicle_that_stands_is_given_back_ten_seconds_after_the_last_key(page, keyboard):
    keyboard.press("A")
    keyboard.run(9.0)
    assert page.now.vehicle.seized[0] == 1
    keyboard.run(1.1)
    assert mode_of(page) is ControlMode.AUTO


def test_a_vehicle_that_was_taken_by_q_is_kept(page, keyboard):
    keyboard.press("Q")
    assert mode_of(page) is ControlMode.KEYBOARD
    keyboard.run(60.0)
    assert page.now.vehicle.seized[0] == 1


def test_only_ego_vehicles_are_driven(page, keyboard):
    page.context.followed = 2
    keyboard.press("W")
    assert "only ego vehicles" in page.context.notes[0]
    assert not page.proxy.done


def test_who_lets_go_at_a_standstill_is_held_and_who_rolls_on_is_not(page, keyboard):
    keyboard.press("Q")
    assert last_drive(page).brake == 1.0
    keyboard.press("W")
    assert last_drive(page).accelerator > 0.0
    page.proxy.do(PlaceVehicle(EGO, (60.0, 0.0, 0.0), (0.0, 0.0, 0.0), 10.0, Gear.D))
    page.show()
    keyboard.run(2.0)
    assert is_let_go(page)
    assert last_drive(page).brake == 0.0
    page.proxy.do(PlaceVehicle(EGO, (60.0, 0.0, 0.0), (0.0, 0.0, 0.0), -1.0, Gear.D))
    page.show()
    keyboard.run(0.1)
    assert last_drive(page).brake == 1.0


@pytest.mark.parametrize(("visitor", "other"), [(VISITOR, VISITOR + 1), (0, 1), (1, 0)])
def test_a_visitor_who_leaves_in_the_middle_leaves_the_vehicle_braked(page, keyboard, visitor, other):
    """viser numbers visitors from 0."""
    keyboard.press("W", visitor)
    keyboard.leave(other)
    assert page.now.vehicle.control_kind[0] == ControlKind.ROLL, "somebody else has left"
    assert page.now.vehicle.seized[0] == 1
    assert visitor in page.context.keyed
    keyboard.leave(visitor)
    assert page.now.vehicle.control_kind[0] == ControlKind.HOLD
    assert mode_of(page) is ControlMode.KEYBOARD
    assert not page.now.vehicle.seized[0]


def test_who_follows_another_actor_drives_no_longer(page, keyboard):
    keyboard.press("W")
    page.context.follow(EGO)
    keyboard.settle()
    assert mode_of(page) is ControlMode.KEYBOARD
    page.context.follow(2)
    keyboard.settle()
    assert mode_of(page) is ControlMode.AUTO
    assert page.now.vehicle.control_kind[0] == ControlKind.HOLD


def test_a_vehicle_that_the_run_has_put_back_is_taken_anew(page, keyboard):
    """The run begins anew while keys drive: the vehicle is in auto mode again, and the page notices it."""
    keyboard.press("W")
    keyboard.run(0.9)
    assert is_let_go(page)
    world = page.proxy.world
    vehicle = world.now.vehicle.copy()
    vehicle.seized[0], vehicle.control_mode[0], vehicle.control_kind[0] = 0, ControlMode.AUTO, ControlKind.HOLD
    world.now = replace(world.now, vehicle=vehicle.freeze())
    keyboard.run(0.2)
    page.show()
    keyboard.press("W")
    assert mode_of(page) is ControlMode.KEYBOARD
    assert [type(one) for one in page.proxy.done].count(TakeKeyboard) == 2


def test_a_scenario_s_keyboard_mode_is_driven_at_once(page):
    page.proxy.do(SelectMode(EGO, ControlMode.KEYBOARD))
    Keyboard(page).press("W")
    assert page.now.vehicle.seized[0] == 1


def test_no_key_has_two_meanings():
    keys = [key for binding in BINDINGS for key in binding.keys]
    assert len(keys) == len(set(keys)) == 15
