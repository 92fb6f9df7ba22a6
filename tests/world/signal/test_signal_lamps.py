"""Which lamps a light has, and that others are refused."""

from __future__ import annotations

import pytest

from dorosim.road.signal import Controller, Lamp, Light, ProgrammeState
from dorosim.world.signal.command import SetLight
from dorosim.world.signal.state import NO_LAMP
from dorosim.world.signal.update import SignalPlan
from tests.world.effect import changed
from tests.world.lights import CAR, GREEN, LEFT, RED, YELLOW, after, plan_of_lights, status

HEADS = {
    "round": ("red", "yellow", "straight"),
    "arrow": ("red", "yellow", "left"),
    "four": CAR,
    "amber": ("yellow",),
    "unknown": ("red", "yellow", "blinker"),
    "silent": (),
    "walk": ("red", "green"),
}


def plan_of_heads(colours: tuple[str, ...] = ()) -> SignalPlan:
    """One head of each kind in one group, whose programme shows colours; without colours there is no programme."""
    kinds = {"walk": "pedestrian"}
    lights = tuple(
        Light(name, (0.0, 0.0, 5.0), 0.0, lamps, kinds.get(name, "car"), (), "", 0, 0) for name, lamps in HEADS.items()
    )
    states = tuple(ProgrammeState(20.0, 3.0, (colour,)) for colour in colours)
    controller = Controller("IntTL0", (tuple(range(len(lights))),), states)
    return plan_of_lights(lights, controller)


@pytest.mark.parametrize(
    ("head", "lamps", "missing"),
    [
        ("round", LEFT, "32 LEFT; it has 1 RED, 4 YELLOW, 16 GREEN"),
        ("round", GREEN | LEFT, "32 LEFT"),
        ("arrow", GREEN, "16 GREEN; it has 1 RED, 4 YELLOW, 32 LEFT"),
        ("four", GREEN | LEFT, None),
        ("four", int(Lamp.RIGHT), "64 RIGHT"),
        ("amber", RED, "1 RED; it has 4 YELLOW"),
        ("amber", YELLOW, None),
        ("walk", YELLOW, "4 YELLOW"),
        ("walk", GREEN, None),
        ("unknown", int(Lamp.UPPER_LEFT), None),
        ("silent", GREEN | LEFT, None),
    ],
)
def test_lamps_that_a_light_does_not_have_are_refused(head, lamps, missing):
    plan = plan_of_heads()
    now = plan.first_state().freeze()
    row = plan.light_row(head)
    new, problem = changed("signal", now, SetLight(row, lamps), plan=plan)
    if missing is None:
        assert (problem, status(plan, new)[row]) == ("", lamps)
        return
    assert f"traffic light {head} has no lamp {missing}" in problem
    assert new is now


def test_a_lamp_that_the_programme_lights_is_there_whatever_the_map_calls_the_head():
    plan = plan_of_heads(("SG", "G_with_GLeft", "R"))
    now = plan.first_state().freeze()
    assert status(plan, after(plan, now, SetLight(plan.light_row("round"), LEFT)))[0] == LEFT
    assert changed("signal", now, SetLight(plan.light_row("round"), int(Lamp.RIGHT)), plan=plan)[1]


def test_siblings_show_what_they_have_of_the_lamps():
    plan = plan_of_heads()
    now = after(plan, plan.first_state().freeze(), SetLight(plan.light_row("four"), GREEN | LEFT, siblings=True))
    shown = dict(zip(plan.ids, status(plan, now), strict=True))
    wanted = {"round": GREEN, "arrow": LEFT, "four": GREEN | LEFT, "amber": NO_LAMP}
    assert {name: shown[name] for name in wanted} == wanted
    assert now.light.command[plan.light_row("walk")] == NO_LAMP, "another kind of head is no sibling"
