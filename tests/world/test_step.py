"""`step` is pure, a Snapshot never changes, and the same commands give the same bytes."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import FrozenInstanceError

import pytest

from dorosim.ground.noise import Noise
from dorosim.ground.state_tree import arrays_of
from dorosim.world.command import Source
from dorosim.world.inbox import Inbox, commands_of
from dorosim.world.snapshot import EGO, Snapshot
from dorosim.world.step import step
from dorosim.world.vehicle.command import DriveVehicle, PlaceVehicle, SelectCamera
from dorosim.world.vehicle.mode import ControlKind, ControlMode, Gear
from tests.system.rig import Rig

DRIVE = DriveVehicle(actor=EGO, kind=ControlKind.PEDALS, gear=Gear.D, accelerator=0.5, steer=0.1)


def after(run: Rig, now: Snapshot, *commands, paused: bool = False) -> Snapshot:
    return step(run.built.scene, now, commands, Noise(0), paused=paused)


def test_a_snapshot_is_never_changed(town):
    before = town.now
    digest = before.digest()
    for block in arrays_of(before):
        assert not block.flags.writeable
        if block.size:
            with pytest.raises(ValueError, match="read-only"):
                block[...] = 0
    with pytest.raises(FrozenInstanceError):
        before.tick = 5
    now = after(town, before, DRIVE)
    for block in arrays_of(now):
        assert not block.flags.writeable
    assert before.digest() == digest
    assert now.digest() != digest


def test_step_is_pure(town):
    first = after(town, town.now, DRIVE)
    again = after(town, town.now, DRIVE)
    assert first.digest() == again.digest()


def test_two_worlds_in_one_process_do_not_meet(tmp_path, town):
    from tests.system.rig import rig

    other = rig(tmp_path)
    alone = [after(town, town.now, DRIVE)]
    for _ in range(50):
        alone.append(after(town, alone[-1]))
    mixed, side = after(town, town.now, DRIVE), other.now
    for _ in range(50):
        side = after(other, side, DriveVehicle(actor=EGO, kind=ControlKind.PEDALS, accelerator=1.0))
        mixed = after(town, mixed)
    assert mixed.digest() == alone[-1].digest()


def test_a_paused_tick_applies_commands_and_takes_no_time(town):
    now = after(town, town.now, DRIVE, paused=True)
    assert (now.tick, now.time) == (1, 0)
    assert now.vehicle.target_accelerator[0] == 0.5
    assert now.vehicle.x[0] == town.now.vehicle.x[0]


def test_commands_of_a_tick_are_ordered_by_rank_then_arrival():
    inbox = Inbox()
    for source, number in [(Source.PAGE, 1), (Source.PEER, 2), (Source.SCENARIO, 3), (Source.PEER, 4)]:
        inbox.put(source, SelectCamera(actor=number))
    assert [command.actor for command in commands_of(inbox.take())] == [3, 2, 4, 1]
    assert inbox.take() == []


def test_a_command_to_nobody_is_refused_with_a_reason(town):
    now = after(town, town.now, DriveVehicle(actor=77, kind=ControlKind.PEDALS))
    assert now.refusals == ("DriveVehicle: no vehicle 77",)


def test_a_ghost_that_is_placed_becomes_a_vehicle_again(town):
    town.send(__import__("tests.packet", fromlist=["ghost"]).ghost(0.0, 0.0, 0.0, 0.0))
    now = town.turn()
    assert now.vehicle.control_mode[0] == ControlMode.GHOST
    place = PlaceVehicle(
        actor=EGO, position=(0.0, 0.0, 0.0), rotation=(0.0, 0.0, 0.0), speed=5.0, gear=Gear.D, mode=ControlMode.AUTO
    )
    now = after(town, now, place)
    for _ in range(20):
        now = after(town, now)
    assert now.vehicle.x[0] > 0.8


TWIN = """
from pathlib import Path
import sys
from tests.packet import control
from tests.system.rig import rig
run = rig(Path(sys.argv[1]))
run.send(control(accel=0.7, steer=0.3))
print(run.turn(300).digest().hex())
"""


def test_two_processes_give_the_same_digest(tmp_path):
    digests = {
        subprocess.run([sys.executable, "-c", TWIN, str(tmp_path)], capture_output=True, text=True, check=True).stdout
        for _ in range(2)
    }
    assert len(digests) == 1
    assert len(digests.pop().strip()) == 64
