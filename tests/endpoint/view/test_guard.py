"""A page that hangs or dies while it drives lets go of the vehicle; what happens between frames is told of."""

from __future__ import annotations

import multiprocessing
import time

from dorosim.endpoint.answering import Desk
from dorosim.endpoint.clock import PacedClock
from dorosim.endpoint.loop import Loop
from dorosim.endpoint.view.guard import KeyboardGuard
from dorosim.endpoint.view.link import PageLink, PlayedRun
from dorosim.endpoint.view.message import Order, RunBegun
from dorosim.endpoint.view.watch import MOST_KEPT, RunWatch
from dorosim.ground.noise import Noise
from dorosim.world.command.actor import Source
from dorosim.world.command.keyboard import DriveByKeyboard, LeaveKeyboard, TakeKeyboard
from dorosim.world.command.traffic import RemoveActor
from dorosim.world.command.vehicle import DriveVehicle
from dorosim.world.snapshot import EGO
from dorosim.world.vehicle.mode import ControlKind
from tests.bridge.view.shown import world_on_street
from tests.endpoint.view.stage import wait_for


def guard_of(silence: float = 0.15):
    put: list[LeaveKeyboard] = []
    return KeyboardGuard(put.extend, silence), put


def test_a_page_that_is_silent_while_a_pedal_is_pressed_drives_no_longer():
    guard, put = guard_of()
    guard.note([TakeKeyboard(EGO), DriveByKeyboard(EGO, accelerator=1.0)])
    wait_for(lambda: put)
    assert put == [LeaveKeyboard(EGO)]
    guard.close()
    assert put == [LeaveKeyboard(EGO)]


def test_a_page_that_goes_on_telling_drives_on():
    guard, put = guard_of()
    end = time.monotonic() + 0.5
    while time.monotonic() < end:
        guard.note([DriveByKeyboard(EGO, steer=0.1)])
        time.sleep(0.02)
    assert not put
    guard.close()


def test_who_has_let_go_or_brakes_may_be_silent():
    guard, put = guard_of()
    guard.note([DriveByKeyboard(EGO, accelerator=1.0), DriveByKeyboard(EGO)])
    time.sleep(0.4)
    guard.note([DriveByKeyboard(EGO, brake=1.0)])
    time.sleep(0.4)
    assert not put
    guard.close()
    assert put == [LeaveKeyboard(EGO)], "but not gone"


def test_what_was_left_or_belongs_to_another_run_is_nobody_s():
    guard, put = guard_of()
    guard.note([DriveByKeyboard(EGO, accelerator=1.0), LeaveKeyboard(EGO)])
    guard.note([DriveByKeyboard(5, accelerator=1.0)])
    guard.forget()
    time.sleep(0.3)
    guard.close()
    guard.note([DriveByKeyboard(EGO, accelerator=1.0)])
    time.sleep(0.2)
    assert not put


def test_a_page_that_dies_at_full_speed_leaves_a_vehicle_that_stops():
    """With a real run and a real connection, whose other end is closed."""
    import threading

    world = world_on_street()
    loop = Loop(world.scene, world.now, Noise(0), PacedClock(8.0))
    running = threading.Thread(target=loop.run, daemon=True)
    running.start()
    mine, its = multiprocessing.Pipe()
    gone = threading.Event()
    link = PageLink(mine, lambda *_: None, gone.set)
    link.begin(PlayedRun(RunBegun(1, None, world.now), Desk(loop, Source.PAGE), {}))
    link.start()
    its.send(Order(1, (TakeKeyboard(EGO), DriveByKeyboard(EGO, accelerator=1.0))))
    wait_for(lambda: loop.now.vehicle.velocity_x[0] > 3.0)
    assert loop.now.vehicle.seized[0] == 1
    its.close()
    assert gone.wait(5.0)
    wait_for(lambda: loop.now.vehicle.velocity_x[0] == 0.0)
    assert loop.now.vehicle.seized[0] == 0
    assert loop.now.vehicle.control_kind[0] == ControlKind.HOLD
    loop.stop()
    running.join(5.0)


def test_who_drives_and_what_is_refused_is_remembered():
    world, watch = world_on_street(), RunWatch()
    drive, wrong = DriveVehicle(EGO, ControlKind.PEDALS), RemoveActor(99)
    world.do(drive)
    watch.see(world.now, (drive,))
    assert 0.0 <= watch.driven()[EGO] < 1.0
    for _ in range(MOST_KEPT + 4):
        reason = world.refuse(wrong)
        watch.see(world.now, (wrong,))
    refused = watch.refused()
    assert len(refused) == MOST_KEPT
    assert refused[-1] == (MOST_KEPT + 4, world.now.time, reason)
    late = DriveVehicle(2, ControlKind.PEDALS)
    world.refuse(late)
    watch.see(world.now, (late,))
    assert set(watch.driven()) == {EGO}, "who is refused does not drive"
