"""A storyboard as the page shows it: its tree, its conditions in words, and what is drawn of it."""

from __future__ import annotations

import dataclasses
import importlib
import math
import pkgutil

import numpy as np
import pytest

from dorosim.bridge.view import storyboard_condition
from dorosim.bridge.view.driver import who_drives
from dorosim.bridge.view.storyboard import StoryboardGuide, element_texts
from dorosim.bridge.view.storyboard_condition import number_text
from dorosim.bridge.view.transition import OVER, storyboard_texts
from dorosim.scenario.openscenario.engine import condition
from dorosim.scenario.openscenario.engine.condition.collision import Collides
from dorosim.scenario.openscenario.engine.condition.entity import ByEntity, Speed
from dorosim.scenario.openscenario.engine.condition.value import SimulationTime
from dorosim.world.snapshot import EGO
from dorosim.world.storyboard.state import ElementState, Verdict
from tests.scenario.openscenario.storyboard_text import TIME, event, file_text, speed
from tests.scenario.openscenario.world_run import scene_with, snapshots, start_of

REACH = """<ByEntityCondition><TriggeringEntities triggeringEntitiesRule="any"><EntityRef entityRef="car"/>
</TriggeringEntities><EntityCondition><ReachPositionCondition tolerance="2">
<Position><WorldPosition x="30" y="0" h="0"/></Position></ReachPositionCondition></EntityCondition>
</ByEntityCondition>"""
FOLLOW = """<PrivateAction><RoutingAction><FollowTrajectoryAction><TrajectoryRef>
<Trajectory name="way" closed="false"><Shape><Polyline>
<Vertex time="0"><Position><WorldPosition x="30" y="0" h="0"/></Position></Vertex>
<Vertex time="1"><Position><WorldPosition x="40" y="5" h="0"/></Position></Vertex>
</Polyline></Shape></Trajectory></TrajectoryRef><TimeReference><None/></TimeReference>
<TrajectoryFollowingMode followingMode="position"/></FollowTrajectoryAction></RoutingAction></PrivateAction>"""


def by_entity(text: str, condition: str) -> str:
    """A file whose first condition by value is one by entity."""
    return text.replace(f"<ByValueCondition>{TIME.format(time=9)}</ByValueCondition>", condition, 1)


def played(text: str, ticks: int):
    """A guide to the storyboard of a file, the scene, and the last snapshot of some ticks."""
    scene = scene_with(text)
    now = [start_of(scene), *snapshots(scene, ticks)][-1]
    return StoryboardGuide(scene.storyboard, "a.xosc"), scene, now


def test_the_tree_has_states_times_and_present_values():
    text = file_text(
        event("first", speed(10.0, "linear", over=1.0), TIME.format(time=0.1))
        + event("later", speed(0.0), TIME.format(time=2), edge="rising", delay=0.5, count=3)
    )
    guide, _, now = played(text, 30)
    lines = {line.name: line for line in guide.lines(now.storyboard)}
    assert [line.depth for line in guide.lines(now.storyboard)] == [0, 1, 2, 3, 4, 5, 4, 5]
    assert lines["group"].actors == "car"
    assert lines["first"].state is ElementState.RUNNING
    assert lines["first"].since == pytest.approx(0.1, abs=0.011)
    later = lines["later"]
    assert (later.state, later.runs, later.waits) == (ElementState.STANDBY, "0 of 3", True)
    ((found,),) = later.start
    assert found.text == "simulation time ≥ 2 s · rising · delay 0.5 s"
    assert (found.value, found.seen, found.met) == ("0.29 s", True, False)
    assert lines["later action"].state is ElementState.IDLE
    assert lines["later action"].since is None


def test_the_summary_says_when_it_is_over():
    text = file_text(event("go", speed(5.0), TIME.format(time=0.1)), end=0.2)
    guide, _, now = played(text, 5)
    found = guide.summary(now.storyboard, now.time)
    assert (found.ended, found.waiting, found.complete) == (False, 1, 0)
    assert found.time == pytest.approx(0.05)
    guide, _, now = played(text, 60)
    found = guide.summary(now.storyboard, now.time)
    assert (found.ended, found.verdict, found.complete) == (True, Verdict.NONE, 1)
    assert found.time == pytest.approx(0.2)
    assert now.time == 600_000_000


def test_a_place_to_reach_is_a_circle_until_it_is_reached_and_the_trajectory_is_there_before():
    text = by_entity(file_text(event("follow", FOLLOW, TIME.format(time=9)), init=speed(20.0), end=9.0), REACH)
    guide, _, now = played(text, 50)
    drawn = guide.drawn(now.storyboard, now.time)
    away = np.hypot(drawn.unmet[..., 0] - 30.0, drawn.unmet[..., 1])
    assert away == pytest.approx(np.full(away.shape, 2.0))
    assert len(drawn.met) == len(drawn.followed) == len(drawn.ways) == 0
    assert drawn.planned[0, 0, :2].tolist() == [30.0, 0.0]
    assert drawn.planned[-1, 1, :2].tolist() == [40.0, 5.0]
    line = next(one for one in guide.lines(now.storyboard) if one.name == "follow")
    ((found,),) = line.start
    assert found.text == "car: distance from a place < 2 m"
    assert float(found.value.split()[0]) == pytest.approx(30.0 - 20.0 * 0.49, abs=0.05)
    guide, _, now = played(text, 150)
    drawn = guide.drawn(now.storyboard, now.time)
    assert len(drawn.unmet) == len(drawn.planned) == 0
    assert drawn.followed[-1, 1, :2].tolist() == [40.0, 5.0]


def test_what_happens_is_told_in_words_with_the_end():
    scene = scene_with(file_text(event("go", speed(5.0), TIME.format(time=0.1)), end=0.2))
    elements = element_texts(scene)
    told = [text for now in snapshots(scene, 40) for text in storyboard_texts(elements, now)]
    assert told == [
        "storyboard: event go starts",
        "storyboard: event go ends",
        "storyboard: act act ends",
        f"{OVER}: the stop trigger is met",
    ]


def test_the_page_says_that_the_storyboard_moves_its_entities():
    text = file_text(event("go", speed(5.0), TIME.format(time=0.1)), end=0.2)
    _, _, now = played(text, 5)
    assert who_drives(now, EGO, {}).text == "Storyboard: exactly as it commands"
    _, _, now = played(text, 60)
    assert who_drives(now, EGO, {}).text == "Storyboard: over, it stands"


def test_a_state_of_another_scenario_does_not_fit():
    guide, _, now = played(file_text(event("go", speed(5.0), TIME.format(time=0.1))), 1)
    other, _, theirs = played(
        file_text(event("a", speed(1.0), TIME.format(time=1)) + event("b", speed(1.0), TIME.format(time=1))), 1
    )
    assert guide.fits(now.storyboard)
    assert other.fits(theirs.storyboard)
    assert not guide.fits(theirs.storyboard)
    assert not guide.fits(type(now.storyboard).empty())


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (math.nan, "–"),
        (math.inf, "none"),
        (-math.inf, "none"),
        (0.0, "0"),
        (-0.0001, "0"),
        (12.346, "12.35"),
        (1e9, "1000000000"),
    ],
)
def test_numbers_are_short(value, text):
    assert number_text(value) == text


def measures() -> set[type]:
    """All classes of the engine that measure something."""
    found: set[type] = set()
    for known in pkgutil.iter_modules(condition.__path__):
        module = importlib.import_module(f"{condition.__name__}.{known.name}")
        classes = (one for one in vars(module).values() if isinstance(one, type) and one.__module__ == module.__name__)
        found |= {
            one for one in classes if dataclasses.is_dataclass(one) and (hasattr(one, "met") or hasattr(one, "of"))
        }
    return found - {ByEntity}


def test_every_measure_has_words_of_its_own():
    assert {Speed, SimulationTime, Collides} <= measures()
    assert measures() - set(storyboard_condition._DESCRIBED) == set()
