"""Who sees an entity, and custom commands."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from dorosim.ground.error import InputError
from dorosim.ground.noise import Noise
from dorosim.sensor.rig import Rig
from dorosim.sensor.scene.actor.catalogue import actor_models
from dorosim.sensor.scene.placement import ActorPlacement
from dorosim.world.actor.body import bodies_of
from dorosim.world.fault.code import FaultLocation, FaultSubclass
from dorosim.world.mount.command import AddSensor
from dorosim.world.mount.setting import GroundTruthSettings
from dorosim.world.pedestrian.command import SpawnPedestrian
from dorosim.world.scene import Scene
from dorosim.world.snapshot import Snapshot
from dorosim.world.step import step
from dorosim.world.storyboard.visibility import HiddenFrom, hidden_actors, without_hidden
from tests.scenario.openscenario.action_case import (
    MAP,
    at,
    built,
    case,
    case_text,
    going,
    in_world,
    private,
    run,
    vehicle,
)
from tests.scenario.openscenario.traffic_text import car_record, distribution, entry, source
from tests.scenario.openscenario.worldless import verdict_on

MS = 1_000_000


def visibility(graphics="true", sensors="true", traffic="true", names: tuple[str, ...] = ()) -> str:
    listed = "".join(f'<SensorReference name="{one}"/>' for one in names)
    listed = f"<SensorReferenceSet>{listed}</SensorReferenceSet>" if listed else ""
    return private(
        f'<VisibilityAction graphics="{graphics}" sensors="{sensors}" traffic="{traffic}">{listed}</VisibilityAction>'
    )


def watched(folder: Path, action: str, end=0.6) -> Iterator[tuple[Scene, Snapshot, dict[int, list[int]]]]:
    """Each tick with what two sensors of the first vehicle report: actors by the sensor's number.

    The second entity is hidden after 0.3 s.
    """
    text = case_text(
        vehicle("Ego") + vehicle("other"),
        {"Ego": at(-1, 50.0), "other": at(-1, 70.0)},
        (0.3, action),
        end=end,
        actors=("other",),
        logic=MAP,
    )
    ready, noise = built(folder, text), Noise(1)
    ego = int(ready.first.storyboard.entity.actor[0])
    mounts = [AddSensor(ego, settings=GroundTruthSettings(), sensor=one, period=10 * MS) for one in (1, 2)]
    rig, before = Rig(ready.scene, noise, lambda: pytest.fail("no geometry is asked for")), ready.first
    while not before.storyboard_report.ended:
        now = step(ready.scene, before, mounts, noise)
        mounts = []
        yield ready.scene, now, {one.sensor: one.actor.tolist() for one in rig.read(before, now)}
        before = now


def last_seen(folder: Path, action: str) -> tuple[int, dict[int, list[int]], dict[int, list[int]]]:
    """Id of the other vehicle, and what the sensors report before and after it is hidden."""
    ticks = list(watched(folder, action))
    other = int(ticks[-1][1].storyboard.entity.actor[1])
    return other, ticks[20][2], ticks[-2][2]


def test_sensors_do_not_see_what_is_hidden_from_them(tmp_path):
    other, before, after = last_seen(tmp_path, visibility(sensors="false"))
    assert before == {1: [other], 2: [other]}
    assert after == {1: [], 2: []}


@pytest.mark.parametrize("name", ["2", "ground_truth 2", "Ground_Truth 2"])
def test_only_the_named_sensors_do_not_see_it(tmp_path, name):
    other, before, after = last_seen(tmp_path, visibility(sensors="false", names=(name, "nothing")))
    assert before == {1: [other], 2: [other]}
    assert after == {1: [other], 2: []}


def test_what_is_hidden_from_pictures_is_seen_by_sensors(tmp_path):
    ticks = list(watched(tmp_path, visibility(graphics="false")))
    scene, now, seen = ticks[-2]
    other = int(now.storyboard.entity.actor[1])
    assert seen == {1: [other], 2: [other]}
    placement = ActorPlacement(scene, actor_models(scene.models))
    assert other in placement.of(now).actor
    assert other not in placement.of(now, HiddenFrom.GRAPHICS).actor


def test_what_is_hidden_from_sensors_is_drawn(tmp_path):
    scene, now, _ = list(watched(tmp_path, visibility(sensors="false")))[-2]
    other = int(now.storyboard.entity.actor[1])
    placement = ActorPlacement(scene, actor_models(scene.models))
    assert other not in placement.of(now).actor
    assert other in placement.of(now, HiddenFrom.GRAPHICS).actor


@pytest.mark.parametrize("traffic", ["true", "false"])
def test_traffic_brakes_only_for_what_it_sees(tmp_path, traffic):
    stays = distribution(entry(1.0, (1.0, car_record()), properties='<Property name="laneChange" value="false"/>'))
    behind = source(stays, s=900.0, radius=1.0, rate=4.0, more='speed="15"', name="one")
    stop = '<GlobalAction><TrafficAction trafficName="one"><TrafficStopAction/></TrafficAction></GlobalAction>'
    text = case_text(
        vehicle("car"),
        {"car": at(-2, 960.0) + going(0.0) + visibility(traffic=traffic)},
        (0.1, behind),
        (0.5, stop),
        end=7.0,
        logic=MAP,
    )
    ticks = in_world(tmp_path, text)
    speeds = [float(tick.world.traffic.speed[0]) for tick in ticks if tick.world and tick.world.traffic.rows]
    slowest = min(speeds[:350])
    assert slowest < 8.0 if traffic == "true" else slowest > 12.0


@pytest.mark.parametrize("traffic", ["true", "false"])
def test_people_heed_only_what_they_see(tmp_path, traffic):
    text = case_text(
        vehicle("car"), {"car": at(-2, 60.0) + going(0.0) + visibility(traffic=traffic)}, end=2.5, logic=MAP
    )
    ready, noise = built(tmp_path, text), Noise(1)
    car = ready.first.storyboard.entity
    place = (float(car.x[0]) + 7.0, float(car.y[0]), 0.0)
    walker = SpawnPedestrian(actor=0, model=0, position=place, yaw=math.pi, speed=1.2, move_distance=9.0, start=True)
    commands, now, heeded = [walker], ready.first, []
    while not now.storyboard_report.ended:
        now = step(ready.scene, now, commands, noise)
        commands, person = [], now.people.state
        heeded.append(bool(person.side[0] or person.barred[0] or np.isfinite(person.allowed_speed[0])))
    assert any(heeded) == (traffic == "true")


def test_one_who_is_hidden_is_waited_for_at_no_crosswalk(tmp_path):
    text = case_text(
        vehicle("car") + vehicle("seen"),
        {"car": at(-1, 9.0) + visibility(traffic="false"), "seen": at(-2, 9.0)},
        end=0.1,
        logic=MAP,
    )
    now = next(tick.world for tick in in_world(tmp_path, text) if tick.world is not None)
    hidden = hidden_actors(now.storyboard, HiddenFrom.TRAFFIC)
    scene = built(tmp_path, text).scene
    bodies = bodies_of(scene, now)
    rows = without_hidden(bodies.table, np.arange(bodies.person), hidden)
    assert bodies.table.take(rows).id.tolist() == [int(now.storyboard.entity.actor[1])]


# ---------------------------------------------------------------- custom commands


def command(kind: str, content: str = "") -> str:
    return f'<UserDefinedAction><CustomCommandAction type="{kind}">{content}</CustomCommandAction></UserDefinedAction>'


@pytest.mark.parametrize(
    ("kind", "content", "verdict"),
    [
        ("exit", "", "pass"),
        ("exit", "failure", "fail"),
        ("exitSuccess", "", "pass"),
        ("exitFailure", "", "fail"),
    ],
)
def test_a_command_ends_the_run_with_a_verdict(kind, content, verdict):
    made = case(vehicle("car"), {"car": at(-1, 10.0)}, (0.5, command(kind, content)), end=2.0)
    ticks = run(made)
    assert verdict_on(made, ticks).verdict == verdict
    assert ticks[-1].time == 500_000_000


def test_other_commands_are_lines_of_the_journal():
    made = case(vehicle("car"), {"car": at(-1, 10.0)}, (0.5, command("shell", "rm -rf /tmp/x")), end=1.0)
    assert [line for tick in run(made) for line in tick.journal] == ["command 'shell': rm -rf /tmp/x"]


def faults(folder: Path, *contents: str) -> tuple[Snapshot, list[str]]:
    actions = [(0.2 + 0.1 * n, command("fault", one)) for n, one in enumerate(contents)]
    ticks = in_world(folder, case_text(vehicle("car"), {"car": at(-1, 10.0)}, *actions, end=0.8, logic=MAP))
    world = ticks[-1].world
    assert world is not None
    return world, [line for tick in ticks for line in tick.journal]


def test_a_command_causes_a_fault_of_ours(tmp_path):
    world, journal = faults(tmp_path, "car brake stuck_in_range magnitude=0.25", "car tire 2 puncture")
    table, actor = world.fault, int(world.storyboard.entity.actor[0])
    assert set(table.actor.tolist()) == {actor}
    assert sorted(table.subclass.tolist()) == [FaultSubclass.STUCK_IN_RANGE, FaultSubclass.PUNCTURE]
    brake = table.subclass.tolist().index(FaultSubclass.STUCK_IN_RANGE)
    assert (int(table.place[brake]), float(table.magnitude[brake])) == (FaultLocation.BRAKE, 0.25)
    assert journal == ["car: brake: stuck_in_range", "car: tire 2: puncture"]


def test_a_command_clears_a_fault(tmp_path):
    world, journal = faults(tmp_path, "car steering offset", "car steering none")
    assert len(world.fault) == 0
    assert journal[-1] == "car: steering: no fault any more"


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("car brake", "is not understood"),
        ("ego brake open", "there is no entity 'ego'"),
        ("car wing open", "no 'wing' that can fail"),
        ("car brake puncture", "not one of control"),
        ("car brake open length=3", "no number of a fault"),
        ("car brake open duration=nan", "no number of a fault"),
    ],
)
def test_a_fault_that_is_not_understood_is_refused(content, problem):
    with pytest.raises(InputError, match=problem):
        case(vehicle("car"), {"car": at(-1, 10.0)}, (0.5, command("fault", content)))
