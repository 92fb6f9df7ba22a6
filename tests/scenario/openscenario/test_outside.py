"""What comes from outside a storyboard: values of clients, and entities that the scenario does not make."""

from __future__ import annotations

import math

import pytest

from dorosim.world.actor.command import CreateNamed, PlaceActor, RemoveActor
from dorosim.world.command import Command
from dorosim.world.obstacle.command import SpawnObstacle
from dorosim.world.scene import Scene
from dorosim.world.snapshot import Snapshot
from dorosim.world.storyboard.command import SetUserDefinedValue
from dorosim.world.storyboard.effect import MAX_OUTSIDE_TEXT, MAX_OUTSIDE_VALUES
from tests.scenario.openscenario.staged import SEEN, Body, by_entity, by_value, event, group, in_world, story, text
from tests.scenario.openscenario.world_run import scene_with, snapshots

EGO = Body("ego", in_world(20.0, 0.0))
GO = by_value('<UserDefinedValueCondition name="mode" rule="equalTo" value="go"/>')


def scene_of(condition: str, *bodies: Body) -> Scene:
    """A scene whose event `watch` sets the variable once its condition is met."""
    stories = story(group(["ego"], event("watch", SEEN, condition)))
    return scene_with(text([EGO, *bodies], stories, end=60.0).decode())


def after(scene: Scene, count: int, now: Snapshot | None = None, *commands: Command) -> Snapshot:
    """The snapshot some ticks later; the commands are those of the first one."""
    return list(snapshots(scene, count, now, commands))[-1]


def seen(now: Snapshot) -> float:
    return float(now.storyboard.variable.value[0])


def test_a_client_gives_a_value() -> None:
    scene = scene_of(GO)
    now = after(scene, 3)
    now = after(scene, 3, now, SetUserDefinedValue("mode", "stop"), SetUserDefinedValue("other", "go"))
    assert seen(now) == 0.0
    given = after(scene, 1, now, SetUserDefinedValue("mode", "go"))
    assert (given.refusals, seen(given)) == ((), 0.0)
    assert seen(after(scene, 1, given)) == 1.0
    assert given.storyboard.outside_values() == {"mode": "go", "other": "go"}


@pytest.mark.parametrize(
    ("command", "problem"),
    [
        (SetUserDefinedValue("", "go"), "the value has no name"),
        (
            SetUserDefinedValue("mode", "x" * (MAX_OUTSIDE_TEXT + 1)),
            f"a text of {MAX_OUTSIDE_TEXT + 1} letters is too long",
        ),
        (
            SetUserDefinedValue("x" * (MAX_OUTSIDE_TEXT + 1), ""),
            f"a text of {MAX_OUTSIDE_TEXT + 1} letters is too long",
        ),
    ],
)
def test_a_value_is_refused(command: SetUserDefinedValue, problem: str) -> None:
    now = after(scene_of(GO), 1, None, command)
    assert problem in now.refusals[0]
    assert now.storyboard.outside_values() == {}


def test_there_is_an_end_to_values() -> None:
    scene = scene_of(GO)
    many = [SetUserDefinedValue(f"v{number}", "1") for number in range(MAX_OUTSIDE_VALUES + 1)]
    now = after(scene, 1, None, *many)
    assert len(now.storyboard.outside_values()) == MAX_OUTSIDE_VALUES
    assert f"there are {MAX_OUTSIDE_VALUES} values already" in now.refusals[0]
    assert after(scene, 1, now, SetUserDefinedValue("v0", "2")).storyboard.outside_values()["v0"] == "2"


UNKNOWN = Body("unknown", in_world(0.0, 0.0), kind="ExternalObjectReference")


def without_init(scene_text: str) -> str:
    """The scenario does not put the external entity anywhere."""
    return scene_text.replace(UNKNOWN.init(), "")


def test_an_external_entity_is_what_bears_its_name_in_the_world() -> None:
    near = '<RelativeDistanceCondition entityRef="unknown" relativeDistanceType="longitudinal" freespace="false" '
    condition = by_entity(near + 'rule="lessThan" value="8"/>', "ego")
    stories = story(group(["ego"], event("watch", SEEN, condition)))
    scene = scene_with(without_init(text([EGO, UNKNOWN], stories, end=60.0).decode()))
    now = after(scene, 2)
    assert now.storyboard.entity.present.tolist() == [1, 0]
    make = CreateNamed(make=SpawnObstacle(0, 0, (40.0, 0.0, 0.0)), name="thing")
    now = after(scene, 2, now, make)
    assert now.refusals == ()
    assert (now.storyboard.entity.present.tolist(), seen(now)) == ([1, 1], 0.0)
    assert now.storyboard.entity.x[1] == pytest.approx(40.0)
    (actor,) = now.label.bearers_of("thing")
    now = after(scene, 2, now, PlaceActor(actor, (26.0, 0.0, 0.0), (0.0, 0.0, math.pi)))
    assert now.refusals == ()
    assert (float(now.storyboard.entity.x[1]), seen(now)) == (pytest.approx(26.0), 1.0)
    assert now.storyboard.entity.heading[1] == pytest.approx(math.pi)
    now = after(scene, 2, now, RemoveActor(actor))
    assert now.storyboard.entity.present.tolist() == [1, 0]
