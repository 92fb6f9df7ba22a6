"""Entities that others than the default controller move: tyres, and a user's program."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from dorosim.app.run.scenario_ready import ready_scenario
from dorosim.app.run.scenario_run import RunTick, world_ticks
from dorosim.endpoint.loop.clock import PacedClock
from dorosim.endpoint.loop.loop import Loop
from dorosim.ground.noise import Noise
from dorosim.scenario.openscenario.document import open_document
from dorosim.scenario.openscenario.engine.compile import compile_scenario
from dorosim.world.snapshot import EGO
from dorosim.world.storyboard.mover import Mover
from dorosim.world.vehicle.command import DriveVehicle
from dorosim.world.vehicle.mode import ControlKind, ControlMode
from tests.scenario.openscenario.storyboard_text import TIME, event, file_text, speed
from tests.scenario.openscenario.world_run import NOISE, scene_with, snapshots, start_of
from tests.source import ROOT

TELEPORT = """<PrivateAction><TeleportAction><Position><WorldPosition x="{x}" y="0" h="0"/></Position>
  </TeleportAction></PrivateAction>"""
TICK = 10_000_000


def ticks_of_cut_in(ego: str, name: str = "Other", limit: float = 4.0, **parameters: str) -> list[RunTick]:
    """A car changes lanes before another one, which comes nearer; `ego` moves the named one of the two."""
    file, given = ROOT / "examples/scenario/cut_in.xosc", {"EgoSpeed": "18", **parameters}
    ready = ready_scenario(str(file), Path("/nowhere"), parameters=given, ego=ego, ego_name=name)
    return list(world_ticks(ready.world(TICK), Noise(0), limit))


def test_tyres_follow_a_lane_change():
    exact, tyres = ticks_of_cut_in("default"), ticks_of_cut_in("dynamics")
    row = 1
    gaps, slips = [], []
    for one, other in zip(exact, tyres, strict=True):
        mine, theirs = one.state.entity, other.state.entity
        gaps.append(math.hypot(mine.x[row] - theirs.x[row], mine.y[row] - theirs.y[row]))
        slips.append(float(np.abs(other.world.vehicle.tire_slip_angle[:, 0]).max()))
    assert exact[0].state.entity.lane[row] == -2
    assert tyres[-1].state.entity.lane[row] == exact[-1].state.entity.lane[row] == -1
    # it is no point on rails: tyres slip, and it is late where 7.7 m/s2 are asked of them
    assert 0.01 < max(gaps) < 1.0
    assert gaps[-1] < 0.05
    assert max(slips) > math.radians(0.2)


def test_tyres_do_what_they_can_of_a_leap_of_speed():
    events = event("brake", speed(0.0), TIME.format(time=1.0)) + event("go", speed(5.0), TIME.format(time=8.0))
    scene = scene_with(file_text(events, speed(20.0), end=14.0), Mover.DYNAMICS)
    start = start_of(scene)
    assert start.vehicle.velocity_x[0] == 20.0
    ticks = list(snapshots(scene, 1300, start))
    speeds = np.array([now.vehicle.velocity_x[0] for now in ticks])
    fall = -np.diff(speeds).min() / 0.01
    assert 7.0 < fall < 12.0, "full brake on dry asphalt"
    assert speeds[90] == pytest.approx(20.0, abs=0.1)
    assert abs(speeds[700]) < 0.01
    assert speeds.min() > -0.05, "it does not go back to where it should have stopped"
    assert speeds[-1] == pytest.approx(5.0, abs=0.1)
    # conditions and messages see where it is
    last = ticks[-1]
    assert last.storyboard.entity.x[0] == last.vehicle.x[0]
    assert last.storyboard.entity.speed[0] == last.vehicle.velocity_x[0]


def test_a_program_has_speed_and_way_and_the_scenario_the_rest():
    init = speed(10.0) + speed(30.0, "linear", "time", 5.0)
    events = event("faster", speed(40.0), TIME.format(time=0.5)) + event(
        "elsewhere", TELEPORT.format(x=100), TIME.format(time=1.0)
    )
    scene = scene_with(file_text(events, init, end=9.0), Mover.EXTERNAL)
    start = start_of(scene)
    assert (start.vehicle.control_mode[0], start.vehicle.control_kind[0]) == (ControlMode.AUTO, ControlKind.ROLL)
    roll = list(snapshots(scene, 130, start))
    # init applies, and what it began ends with it: the vehicle rolls
    assert 9.0 < roll[40].vehicle.velocity_x[0] < 10.0
    lines = {number: now.storyboard_report.journal for number, now in enumerate(roll) if now.storyboard_report.journal}
    assert lines == {50: ("car: SpeedChange ends at once, since a program drives it",)}
    assert roll[60].vehicle.velocity_x[0] < 10.0
    # teleports act, with the speed that it has
    assert roll[100].vehicle.x[0] == pytest.approx(100.0, abs=0.2)
    assert roll[101].vehicle.x[0] - roll[100].vehicle.x[0] == pytest.approx(0.09, abs=0.02)
    driven = list(snapshots(scene, 130, start, (DriveVehicle(EGO, ControlKind.PEDALS, brake=1.0),)))
    assert driven[90].vehicle.velocity_x[0] < 2.0
    for now in (*roll, *driven):
        table = now.storyboard.entity
        assert (table.x[0], table.y[0], table.speed[0]) == (
            now.vehicle.x[0],
            now.vehicle.y[0],
            now.vehicle.velocity_x[0],
        )


def test_a_driver_wishes_what_its_actions_command():
    ticks = ticks_of_cut_in("driver", limit=6.0, EgoSpeed="17", CutInSpeed="13.5", CutInGap="45")
    table = ticks[-1].state.entity
    assert ticks[0].state.entity.lane[1] == -2
    # it changes lanes in its own way, not in the 1.5 s that the action says
    assert table.lane[1] == -1
    late = next(tick.state_time for tick in ticks if tick.state.entity.lane[1] == -1)
    assert late > 2_500_000_000
    assert table.speed[1] == pytest.approx(13.5, abs=0.2)


def test_a_driver_keeps_its_distance_whatever_is_commanded():
    ticks = ticks_of_cut_in("driver", "Ego", 6.0)
    assert not any(tick.world.contact.rows for tick in ticks)
    assert min(tick.state.entity.speed[0] for tick in ticks) < 12.5
    exact = ticks_of_cut_in("default", "Ego", 6.0)
    assert any(tick.world.contact.rows for tick in exact)


def test_a_driver_keeps_beside_the_middle_of_its_lane_as_it_is_told():
    offset = """<PrivateAction><LateralAction><LaneOffsetAction continuous="true">
      <LaneOffsetActionDynamics dynamicsShape="step"/><LaneOffsetTarget><AbsoluteTargetLaneOffset value="0.5"/>
      </LaneOffsetTarget></LaneOffsetAction></LateralAction></PrivateAction>"""
    text = (ROOT / "examples/scenario/cut_in.xosc").read_text()
    first, rest = text.split("</Private>", 1)
    file = ROOT / "examples/scenario"
    reading = open_document(str(file / "a.xosc"), f"{first}{offset}</Private>{rest}".encode()).read()
    usual = ready_scenario(str(file / "cut_in.xosc"), Path("/nowhere"), ego="driver")
    program = compile_scenario("a.xosc", reading.scenario(), usual.program.roads, reading.parameters)
    engine = replace(usual.engine, program=program)
    ticks = list(world_ticks(replace(usual, engine=engine).world(TICK), Noise(0), 3.0))
    assert ticks[-1].state.entity.offset[0] == pytest.approx(0.5, abs=0.1)


@pytest.mark.parametrize("mover", [Mover.DYNAMICS, Mover.EXTERNAL, Mover.DRIVER])
def test_such_a_run_goes_on_from_any_snapshot(mover):
    events = event("go", speed(10.0, "sinusoidal", "time", 1.0), TIME.format(time=0.2))
    # on the lane that leads east
    scene = scene_with(file_text(events, speed(4.0)).replace('x="0" y="0"', 'x="50" y="-3.5"'), mover)
    whole = list(snapshots(scene, 120))
    assert len({now.digest() for now in whole}) == 120
    for at in (0, 30, 90):
        again = list(snapshots(scene, 119 - at, whole[at]))
        assert [now.digest() for now in again] == [now.digest() for now in whole[at + 1 :]]


def test_branches_inside_a_storyboard_are_runs_from_the_start():
    events = event("go", speed(15.0, "sinusoidal", "time", 3.0), TIME.format(time=1.0))
    scene = scene_with(file_text(events, speed(8.0), end=2.0), Mover.EXTERNAL)
    start = start_of(scene)
    *_, middle = snapshots(scene, 180, start)
    ends = []
    for brake in (0.0, 0.2, 0.4):
        command = (DriveVehicle(EGO, ControlKind.PEDALS, brake=brake),)
        *_, branched = snapshots(scene, 30, middle, command)
        *_, again = snapshots(scene, 180, start)
        *_, whole = snapshots(scene, 30, again, command)
        assert branched.digest() == whole.digest()
        assert branched.storyboard.ended == 2_000_000_000
        ends.append(branched.digest())
    assert len(set(ends)) == 3


def test_a_reset_begins_the_storyboard_anew():
    scene = scene_with(file_text(event("go", speed(15.0), TIME.format(time=0.2)), speed(8.0)))
    loop = Loop(scene, start_of(scene), NOISE, PacedClock(None))
    first = [loop.turn().digest() for _ in range(40)]
    loop.reset()
    assert [loop.turn().digest() for _ in range(40)] == first
    assert loop.now.storyboard.element.executions.max() == 1
