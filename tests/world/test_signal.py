"""Traffic light programmes: durations, yellow, and the lamps of each group."""

from __future__ import annotations

from dorosim.road.signal import Controller, Lamp, Light, ProgrammeState
from dorosim.world.signal.permission import Permission
from dorosim.world.signal.state import NO_LAMP
from dorosim.world.signal.update import SignalPlan
from tests.road.small_map import network_of, straight
from tests.world.lights import plan_of_lights

TICK = 10_000_000


def plan(*states: ProgrammeState) -> SignalPlan:
    """Two lights, each a group of one controller, and a light without a controller."""
    lamps = ("red", "yellow", "left", "straight")
    lights = [Light(str(i), (0.0, 0.0, 5.0), 0.0, lamps, "car", (), "", 0, i) for i in range(2)]
    lights.append(Light("alone", (0.0, 0.0, 5.0), 0.0, lamps, "car", ()))
    controller = Controller("IntTL0", ((0,), (1,)), states)
    return plan_of_lights(lights, controller)


def shown(of: SignalPlan, seconds: float) -> tuple[int, list[int]]:
    """State and status of all lights after a time."""
    now = of.first_state().freeze()
    for _ in range(round(seconds * 100)):
        now = of.advance(now, TICK)
    return int(now.state[0]), now.light.status.tolist()


def test_a_programme_shows_its_states_with_yellow_between():
    programme = plan(ProgrammeState(10.0, 3.0, ("SG", "R")), ProgrammeState(5.0, 2.0, ("R", "G_with_GLeft")))
    green, red, yellow = int(Lamp.GREEN), int(Lamp.RED), int(Lamp.YELLOW)
    both = int(Lamp.GREEN | Lamp.LEFT)
    assert shown(programme, 0.0) == (0, [green, red, NO_LAMP])
    assert shown(programme, 9.99) == (0, [green, red, NO_LAMP])
    assert shown(programme, 10.0) == (0, [yellow, red, NO_LAMP])
    assert shown(programme, 13.0) == (1, [red, both, NO_LAMP])
    assert shown(programme, 18.5) == (1, [red, yellow, NO_LAMP])
    assert shown(programme, 20.0) == (0, [green, red, NO_LAMP])


def test_a_lamp_that_stays_lit_stays_beside_the_yellow_of_the_other():
    programme = plan(ProgrammeState(4.0, 2.0, ("G_with_GLeft", "R")), ProgrammeState(4.0, 2.0, ("SG", "R")))
    assert shown(programme, 5.0)[1][0] == int(Lamp.YELLOW | Lamp.GREEN), "20: yellow with green"


def test_the_elapsed_time_counts_from_the_start_of_the_state():
    programme = plan(ProgrammeState(4.0, 2.0, ("SG", "R")), ProgrammeState(4.0, 2.0, ("R", "SG")))
    now = programme.first_state().freeze()
    for _ in range(750):
        now = programme.advance(now, TICK)
    assert (int(now.state[0]), programme.elapsed_of(0, now)) == (1, 1.5)


def test_a_controller_without_a_programme_shows_nothing():
    programme = plan()
    assert shown(programme, 3.0) == (0, [NO_LAMP] * 3)
    assert programme.elapsed_of(0, programme.first_state()) == 0.0


def test_durations_that_no_light_has_do_no_harm():
    for duration in (1e308, -5.0, 0.0, float(2**63)):
        programme = plan(ProgrammeState(duration, duration, ("SG", "R")), ProgrammeState(4.0, 2.0, ("R", "SG")))
        assert shown(programme, 0.2)[0] in (0, 1)


def test_a_map_without_any_controller_has_a_state_that_goes_on():
    plan = SignalPlan.from_network(network_of(straight("a", "A", "B", (0, 0, 0), (10, 0, 0))))
    state = plan.advance(plan.first_state(), 10_000_000)
    assert (len(state.controller), len(state.light), state.link.entry.tolist()) == (0, 0, [Permission.FREE])
