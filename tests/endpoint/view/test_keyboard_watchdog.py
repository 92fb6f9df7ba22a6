"""A page that hangs or dies while it drives lets go of the vehicle; what happens between frames is told of."""

from __future__ import annotations

import multiprocessing
import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass, field

import pytest

from dorosim.endpoint.command_gateway import CommandGateway
from dorosim.endpoint.loop.clock import PacedClock
from dorosim.endpoint.loop.loop import Loop
from dorosim.endpoint.view.keyboard_watchdog import KeyboardWatchdog
from dorosim.endpoint.view.link import PageLink, PlayedRun
from dorosim.endpoint.view.message import Answer, Order, RunBegun
from dorosim.endpoint.view.watch import MAX_HAPPENINGS, RunWatch
from dorosim.ground.noise import Noise
from dorosim.world.actor.command import PauseRun, PlaceActor, RemoveActor
from dorosim.world.command import Source
from dorosim.world.fault.command import SetControlFault
from dorosim.world.snapshot import EGO
from dorosim.world.vehicle.command import DriveByKeyboard, DriveVehicle, LeaveKeyboard, TakeKeyboard
from dorosim.world.vehicle.mode import ControlKind, ControlMode
from tests.bridge.view.shown import world_on_street
from tests.timing import wait_for

TIMEOUT = 1_000.0
"""By the clock of the tests [s]; the watchdog's own thread never sees it over."""


class Clock:
    """A wall clock that the test sets [s]."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@dataclass
class Guarded:
    """A watchdog, and what it has put by now."""

    clock: Clock = field(default_factory=Clock)
    put: list[LeaveKeyboard] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.guard = KeyboardWatchdog(self.put.extend, TIMEOUT, self.clock)
        self.note, self.close = self.guard.note, self.guard.close

    def after(self, seconds: float) -> list[LeaveKeyboard]:
        self.clock.now += seconds
        self.guard.release_overdue()
        return self.put


@pytest.fixture
def page():
    made = Guarded()
    yield made
    made.close()


def test_a_page_that_is_silent_while_a_pedal_is_pressed_drives_no_longer(page):
    page.note([TakeKeyboard(EGO), DriveByKeyboard(EGO, accelerator=1.0)])
    assert page.after(0.9 * TIMEOUT) == []
    assert page.after(0.2 * TIMEOUT) == [LeaveKeyboard(EGO)]
    page.close()
    assert page.put == [LeaveKeyboard(EGO)]


def test_the_watchdog_notices_by_itself_that_a_page_is_silent():
    put: list[LeaveKeyboard] = []
    guard = KeyboardWatchdog(put.extend, 0.05)
    guard.note([DriveByKeyboard(EGO, accelerator=1.0)])
    wait_for(lambda: put)
    assert put == [LeaveKeyboard(EGO)]
    guard.close()


def test_a_page_that_goes_on_telling_drives_on(page):
    for _ in range(10):
        page.note([DriveByKeyboard(EGO, steer=0.1)])
        assert page.after(0.9 * TIMEOUT) == []


def test_who_has_let_go_or_brakes_may_be_silent(page):
    page.note([DriveByKeyboard(EGO, accelerator=1.0), DriveByKeyboard(EGO)])
    assert page.after(3.0 * TIMEOUT) == []
    page.note([DriveByKeyboard(EGO, brake=1.0)])
    assert page.after(3.0 * TIMEOUT) == []
    page.close()
    assert page.put == [LeaveKeyboard(EGO)], "but not gone"


def test_what_was_left_or_belongs_to_another_run_is_nobody_s(page):
    page.note([DriveByKeyboard(EGO, accelerator=1.0), LeaveKeyboard(EGO)])
    page.note([DriveByKeyboard(5, accelerator=1.0)])
    page.guard.forget()
    assert page.after(3.0 * TIMEOUT) == []
    page.close()
    page.note([DriveByKeyboard(EGO, accelerator=1.0)])
    assert page.after(3.0 * TIMEOUT) == []


def test_what_is_ordered_after_the_end_is_let_go_of_by_another_end(page):
    page.close()
    page.note([DriveByKeyboard(EGO, accelerator=1.0)])
    assert page.after(3.0 * TIMEOUT) == []
    page.close()
    assert page.put == [LeaveKeyboard(EGO)]


def test_who_waits_for_the_world_is_not_silent(page):
    page.note([DriveByKeyboard(EGO, accelerator=1.0)])
    page.note([DriveByKeyboard(EGO, accelerator=1.0)], done=False)
    assert page.after(3.0 * TIMEOUT) == []
    page.note([DriveByKeyboard(EGO, accelerator=1.0)])
    assert page.after(1.1 * TIMEOUT) == [LeaveKeyboard(EGO)]


class OrderClock:
    """A wall clock that goes on while a page's order is under way and stands between two of them [s]."""

    def __init__(self) -> None:
        self._past, self._since = 0.0, None

    def __call__(self) -> float:
        since = self._since
        return self._past if since is None else self._past + time.monotonic() - since

    @contextmanager
    def going(self):
        self._since = time.monotonic()
        yield
        self._past, self._since = self(), None


class RealRun:
    """A run that goes on, and a page's connection to it."""

    def __init__(self, factor: float) -> None:
        world = world_on_street()
        self.loop = Loop(world.scene, world.now, Noise(0), PacedClock(factor))
        self.running = threading.Thread(target=self.loop.run, daemon=True)
        mine, self.its = multiprocessing.Pipe()
        self.gone = threading.Event()
        self.link = PageLink(mine, lambda *_: None, self.gone.set)
        self.link.begin(PlayedRun(RunBegun(1, None, world.now), CommandGateway(self.loop, Source.PAGE), {}))
        self.link.start()
        self.running.start()

    def close(self) -> None:
        self.its.close()
        self.link.close()
        self.loop.stop()
        self.running.join(60.0)


@pytest.fixture
def real_run():
    """A maker of runs at a pace."""
    made = []

    def make(factor: float) -> RealRun:
        made.append(RealRun(factor))
        return made[-1]

    yield make
    for one in made:
        one.close()


def test_orders_that_a_dead_page_has_left_do_not_drive_on(real_run):
    run = real_run(1.0)
    run.its.send(Order(1, (PauseRun(paused=False),)))
    run.its.send(Order(2, (TakeKeyboard(EGO), DriveByKeyboard(EGO, accelerator=1.0))))
    run.its.close()
    assert run.gone.wait(60.0)
    run.link._threads[2].join(60.0)
    before = run.loop.now.tick
    wait_for(lambda: run.loop.now.tick > before + 2)
    vehicle = run.loop.now.vehicle
    assert vehicle.control_mode[0] == ControlMode.KEYBOARD, "the orders were done"
    assert (vehicle.seized[0], vehicle.control_kind[0]) == (0, ControlKind.HOLD)


def test_a_page_drives_on_at_a_pace_at_which_a_tick_takes_longer_than_its_silence(real_run):
    run = real_run(0.02)  # a tick of 10 ms takes 0.5 s
    clock, seized = OrderClock(), []
    run.link._watchdog._timeout, run.link._watchdog._clock = 0.4, clock
    for number in range(1, 5):
        with clock.going():  # a busy machine may come to the next order late
            run.its.send(Order(number, (TakeKeyboard(EGO), DriveByKeyboard(EGO, accelerator=1.0))[number > 1 :]))
            while not isinstance(last := run.its.recv(), Answer):
                pass
        assert last.number == number
        seized.append(int(run.loop.now.vehicle.seized[0]))
    assert seized == [1] * 4


def test_a_page_that_dies_at_full_speed_leaves_a_vehicle_that_stops(real_run):
    """With a real run and a real connection, whose other end is closed."""
    run = real_run(8.0)
    loop = run.loop
    run.its.send(Order(1, (TakeKeyboard(EGO),)))

    def is_fast() -> bool:
        run.its.send(Order(2, (DriveByKeyboard(EGO, accelerator=1.0),)))  # a page repeats it while a key is held
        return bool(loop.now.vehicle.velocity_x[0] > 3.0)

    wait_for(is_fast)
    assert loop.now.vehicle.seized[0] == 1
    run.its.close()
    assert run.gone.wait(60.0)
    wait_for(lambda: loop.now.vehicle.velocity_x[0] == 0.0)
    assert loop.now.vehicle.seized[0] == 0
    assert loop.now.vehicle.control_kind[0] == ControlKind.HOLD


def test_who_drives_and_what_is_refused_is_remembered():
    world, watch = world_on_street(), RunWatch()
    drive, wrong = DriveVehicle(EGO, ControlKind.PEDALS), RemoveActor(99)
    world.do(drive)
    watch.see(world.now, (drive,))
    assert 0.0 <= watch.driven()[EGO] < 1.0
    for _ in range(MAX_HAPPENINGS + 4):
        reason = world.refuse(wrong)
        watch.see(world.now, (wrong,))
    refused = watch.happenings()
    assert len(refused) == MAX_HAPPENINGS
    assert refused[-1] == (MAX_HAPPENINGS + 4, world.now.time, f"refused: {reason}")
    late = DriveVehicle(2, ControlKind.PEDALS)
    world.refuse(late)
    watch.see(world.now, (late,))
    assert set(watch.driven()) == {EGO}, "who is refused does not drive"


def test_contacts_that_no_snapshot_of_the_page_shows_are_remembered():
    world, watch = world_on_street(), RunWatch()
    watch.see(world.now, ())
    for _ in range(2):
        world.do(PlaceActor(EGO, (98.0, 0.0, 0.0), (0.0, 0.0, 0.0)))
        watch.see(world.now, ())
        assert len(world.now.contact)
        world.do(PlaceActor(EGO, (50.0, 0.0, 0.0), (0.0, 0.0, 0.0)))
        for _ in range(30):
            world.run(0.01)
            watch.see(world.now, ())
        assert not len(world.now.contact), "nothing is left of it"
    first, second = watch.happenings()
    assert (first[0], first[2]) == (1, "collision of Ego and 2")
    assert (second[0], second[2]) == (2, "collision of Ego and 2")
    assert first[1] < second[1] < world.now.time


def test_faults_that_no_snapshot_of_the_page_shows_are_remembered():
    world, watch = world_on_street(), RunWatch()
    watch.see(world.now, ())
    world.do(SetControlFault(EGO, location=3, fault_class=2, fault_subclass=201))
    watch.see(world.now, ())
    world.run(0.01)
    watch.see(world.now, ())
    world.do(SetControlFault(EGO, location=3, fault_class=0, fault_subclass=0))
    watch.see(world.now, ())
    begun, ended = watch.happenings()
    assert (begun[0], begun[2]) == (1, "fault: Ego: brake: open")
    assert (ended[0], ended[2]) == (2, "fault ended: Ego: brake: open")
    assert begun[1] < ended[1] == world.now.time


def test_faults_that_are_there_when_the_watch_or_a_reset_run_begins_are_not_told():
    world, late = world_on_street(), RunWatch()
    first = world.now
    world.do(SetControlFault(EGO, location=3, fault_class=2, fault_subclass=201))
    for now in (world.now, world.run(0.01), first, world.now):
        late.see(now, ())
    assert [text for *_, text in late.happenings()] == ["fault: Ego: brake: open"], "after the reset, and not before"


def test_contacts_are_those_from_the_watch_s_beginning_on():
    world, late = world_on_street(), RunWatch()
    world.do(PlaceActor(EGO, (98.0, 0.0, 0.0), (0.0, 0.0, 0.0)))
    first = RunWatch()
    first.see(world.now, ())
    assert [text for *_, text in first.happenings()] == ["collision of Ego and 2"], "in the first tick of a run"
    world.run(0.01)
    late.see(world.now, ())
    assert late.happenings() == ()
