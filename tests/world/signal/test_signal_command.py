"""Commands to traffic lights: single lights, intersections, schedules; who may go by them."""

from __future__ import annotations

import math

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dorosim.ground.state_tree import arrays_of
from dorosim.mapmaking.plan import Size
from dorosim.road.network import RoadNetwork, network_from_mgeo
from dorosim.road.signal import Controller, Light, PedestrianPhase, ProgrammeState
from dorosim.world.signal.command import (
    SetIntersection,
    SetLight,
    SetSchedule,
    TimedColours,
)
from dorosim.world.signal.effect import LAMPS
from dorosim.world.signal.permission import LinkPair, Permission
from dorosim.world.signal.state import NO_LAMP, SignalState, WalkSignal
from dorosim.world.signal.update import SignalPlan
from tests.road.generated_town import town_of
from tests.road.real_map import SUBURB, real_network
from tests.world.effect import changed
from tests.world.lights import CAR, GREEN, LEFT, RED, YELLOW, after, plan_of_lights, status

TICK = 10_000_000


def small_plan() -> SignalPlan:
    """Two groups of two car heads, the first with a pedestrian head too; a light without a controller."""
    lights = [Light(f"C{i}", (0.0, 0.0, 5.0), 0.0, CAR, "car", (), "", 0, i // 2) for i in range(4)]
    lights.append(Light("P0", (0.0, 0.0, 3.0), 0.0, (), "pedestrian", (), "", 0, 0))
    lights.append(Light("alone", (0.0, 0.0, 5.0), 0.0, CAR, "car", ()))
    states = (ProgrammeState(20.0, 3.0, ("SG", "R")), ProgrammeState(10.0, 2.0, ("R", "G_with_GLeft")))
    phases = (PedestrianPhase(0, 0, 2.0, 7.0, 9.0),)
    controller = Controller("IntTL7", ((0, 1, 4), (2, 3)), states, phases)
    return plan_of_lights(lights, controller)


def later(plan: SignalPlan, now: SignalState, seconds: float) -> SignalState:
    for _ in range(round(seconds * 100)):
        now = plan.advance(now, TICK)
    return now


# one light ---------------------------------------------------------------------------------------------------


def test_a_light_that_is_set_for_good_outlasts_the_programmes_states():
    plan = small_plan()
    now = after(plan, plan.first_state().freeze(), SetLight(plan.light_row("C0"), RED))
    assert status(plan, now) == [RED, GREEN, RED, RED, RED, NO_LAMP]
    assert status(plan, later(plan, now, 60.0))[0] == RED
    back = after(plan, now, SetLight(plan.light_row("C0"), NO_LAMP))
    assert status(plan, back)[0] == GREEN, "-1 gives it back to its programme"


def test_a_light_that_is_set_for_once_lasts_until_the_next_state():
    plan = small_plan()
    now = after(plan, plan.first_state().freeze(), SetLight(0, RED | YELLOW, once=True))
    assert status(plan, later(plan, now, 22.99))[0] == RED | YELLOW, "the yellow belongs to the state"
    now = later(plan, now, 23.0)
    assert status(plan, now)[0] == RED, "the programme's second state"
    assert status(plan, later(plan, now, 12.0))[0] == GREEN


def test_siblings_are_the_heads_of_the_same_kind_on_the_same_entry_road():
    plan = small_plan()
    now = after(plan, plan.first_state().freeze(), SetLight(3, GREEN | LEFT, siblings=True))
    assert status(plan, now) == [GREEN, GREEN, GREEN | LEFT, GREEN | LEFT, RED, NO_LAMP]
    now = after(plan, now, SetLight(2, NO_LAMP, siblings=True))
    assert status(plan, now) == status(plan, plan.first_state())


def test_a_light_without_a_programme_obeys_and_becomes_dark_again():
    plan = small_plan()
    now = after(plan, plan.first_state().freeze(), SetLight(5, YELLOW, once=True))
    assert status(plan, later(plan, now, 50.0))[5] == YELLOW, "it has no next state"
    assert status(plan, after(plan, now, SetLight(5, NO_LAMP)))[5] == NO_LAMP


@pytest.mark.parametrize(("light", "has"), [(0, RED | YELLOW | LEFT | GREEN), (4, LAMPS)])
def test_every_sum_of_the_lamps_of_a_light_is_legal_and_nothing_else(light, has):
    """A light of which the map names no lamps, as the pedestrian head here, may have any."""
    plan, now = small_plan(), small_plan().first_state().freeze()
    for lamps in range(-3, 2 * LAMPS):
        legal = lamps == NO_LAMP or (lamps > 0 and lamps & ~has == 0)
        new, problem = changed("signal", now, SetLight(light, lamps), plan=plan)
        assert bool(problem) != legal
        assert legal or new is now
    assert changed("signal", now, SetLight(99, 1), plan=plan)[1] == "the map has no light 99"


# pedestrian heads --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seconds", "walk", "shown"),
    [
        (0.0, WalkSignal.STAY, RED),
        (1.99, WalkSignal.STAY, RED),
        (2.0, WalkSignal.GO, GREEN),
        (8.99, WalkSignal.GO, GREEN),
        (9.0, WalkSignal.FLICKER, GREEN),
        (17.99, WalkSignal.FLICKER, GREEN),
        (18.0, WalkSignal.STAY, RED),
        (25.0, WalkSignal.STAY, RED),
        (37.0, WalkSignal.GO, GREEN),
    ],
)
def test_pedestrian_heads_follow_the_pedestrian_schedule(seconds, walk, shown):
    plan = small_plan()
    now = later(plan, plan.first_state().freeze(), seconds)
    assert (now.light.walk[4], now.light.status[4]) == (walk, shown)


def test_a_pedestrian_head_obeys_commands():
    plan = small_plan()
    now = after(plan, plan.first_state().freeze(), SetLight(4, GREEN))
    assert (now.light.walk[4], now.light.status[4]) == (WalkSignal.GO, GREEN)
    now = after(plan, later(plan, now, 3.0), SetLight(4, RED))
    assert (now.light.walk[4], now.light.status[4]) == (WalkSignal.STAY, RED)
    assert (now.light.walk[:4] == WalkSignal.NONE).all()


# intersections -----------------------------------------------------------------------------------------------


def test_an_intersection_is_set_with_its_elapsed_time_and_goes_on_from_there():
    plan = small_plan()
    now = after(plan, plan.first_state().freeze(), SetIntersection(0, 1, 4.5))
    assert (now.state[0], plan.elapsed_of(0, now)) == (1, 4.5)
    assert status(plan, now)[:4] == [RED, RED, GREEN | LEFT, GREEN | LEFT]
    assert later(plan, now, 7.49).state[0] == 1
    assert later(plan, now, 7.5).state[0] == 0


def test_setting_an_intersection_ends_commands_for_once():
    plan = small_plan()
    now = after(plan, plan.first_state().freeze(), SetLight(0, YELLOW, once=True))
    now = after(plan, now, SetLight(1, YELLOW))
    assert status(plan, after(plan, now, SetIntersection(0, 1)))[:2] == [RED, YELLOW]


@pytest.mark.parametrize(
    ("command", "problem"),
    [
        (SetIntersection(3, 0), "the map has no controller 3"),
        (SetIntersection(0, 2), "controller IntTL7 has states 0 to 1, not 2"),
        (SetIntersection(0, -1), "controller IntTL7 has states 0 to 1, not -1"),
        (SetIntersection(0, 0, -1.0), "-1 s of a state cannot have passed"),
        (SetIntersection(0, 0, math.nan), "nan s of a state cannot have passed"),
    ],
)
def test_an_intersection_refuses_what_its_programme_has_not(command, problem):
    plan = small_plan()
    now = plan.first_state().freeze()
    assert changed("signal", now, command, plan=plan) == (now, problem)


# schedules ---------------------------------------------------------------------------------------------------


def test_a_schedule_changes_states_colours_yellows_and_pedestrians():
    plan = small_plan()
    first = plan.first_state().freeze()
    states = tuple(TimedColours(5.0, colours) for colours in (("LG", "r"), ("R", "R_with_gleft"), ("UTG", "RG")))
    walk = (PedestrianPhase(1, 1, 1.0, 2.0, 1.0), PedestrianPhase(2, 0, 0.0, 3.0, 0.0))
    now = after(plan, later(plan, first, 30.0), SetSchedule(0, states, (1.0, 0.0, 2.0), walk))
    assert (now.state[0], plan.elapsed_of(0, now)) == (0, 0.0)
    assert status(plan, now)[:4] == [LEFT, LEFT, RED, RED]
    assert status(plan, later(plan, now, 5.5))[:4] == [YELLOW, YELLOW, RED, RED]
    assert status(plan, later(plan, now, 6.0))[:4] == [RED, RED, RED | LEFT, RED | LEFT]
    assert later(plan, now, 11.0).light.walk[4] == WalkSignal.GO
    assert later(plan, now, 14.0).light.walk[4] == WalkSignal.STAY
    assert later(plan, now, 18.0).state[0] == 0
    assert (first.programme.count[0], now.programme.count[0]) == (2, 3), "the earlier snapshot keeps its own"


def test_parts_of_a_schedule_that_are_not_given_stay():
    plan = small_plan()
    now = after(plan, plan.first_state().freeze(), SetSchedule(0, yellow=(5.0, 4.0)))
    assert now.programme.duration[0].tolist() == [25_000_000_000, 14_000_000_000]
    assert later(plan, now, 3.0).light.walk[4] == WalkSignal.GO
    now = after(plan, now, SetSchedule(0, pedestrian=()))
    assert later(plan, now, 3.0).light.walk[4] == WalkSignal.NONE, "no state lets people walk: the head is dark"
    now = after(plan, now, SetSchedule(0, (TimedColours(8.0, ("SG", "R")), TimedColours(8.0, ("R", "SG")))))
    assert now.programme.yellow[0].tolist() == [5_000_000_000, 4_000_000_000]


@pytest.mark.parametrize(
    ("command", "problem"),
    [
        (SetSchedule(0, (TimedColours(5.0, ("SG",)),)), "state 0: 1 colours for 2 groups"),
        (SetSchedule(0, (TimedColours(5.0, ("SG", "mauve")),)), "state 0: no colour is called 'mauve'"),
        (SetSchedule(0, (TimedColours(0.0, ("SG", "R")),)), "state 0: a state lasts 0.1 to 86400 s, not 0"),
        (SetSchedule(0, (TimedColours(math.nan, ("SG", "R")),)), "state 0: a state lasts"),
        (SetSchedule(0, yellow=(1.0,)), "1 yellow durations for 2 states"),
        (SetSchedule(0, yellow=(1.0, -1.0)), "yellow 1: it lasts 0 to 86400 s, not -1"),
        (SetSchedule(0, pedestrian=(PedestrianPhase(2, 0, 0, 5, 5),)), "pedestrian row 0: state 2, group 0"),
        (SetSchedule(0, pedestrian=(PedestrianPhase(0, 0, 0, 0, 5),)), "pedestrian row 0: green is more than 0 s"),
        (SetSchedule(0, pedestrian=(PedestrianPhase(1, 0, 0, 9, 9),)), "pedestrian row 0: 18 s do not fit"),
        (SetSchedule(4), "the map has no controller 4"),
    ],
)
def test_a_broken_schedule_is_refused_with_its_place(command, problem):
    plan = small_plan()
    now = plan.first_state().freeze()
    new, answer = changed("signal", now, command, plan=plan)
    assert new is now
    assert answer.startswith(problem)


def test_commands_survive_the_recording():
    union = SetLight | SetIntersection | SetSchedule
    commands = [
        SetLight(3, 48, once=True),
        SetSchedule(0, (TimedColours(5.0, ("R",)),), (3.0,), (PedestrianPhase(0, 0, 1.0, 2.0, 3.0),)),
    ]
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(commands), type=list[union]) == commands


# permissions -------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def town() -> RoadNetwork:
    return network_from_mgeo(town_of(1, Size.DEFAULT))


def expected(network: RoadNetwork, now: SignalState, link: int) -> set[int]:
    """What the lamps over a link of the generated town allow, told head by head."""
    allowed = set()
    for row in network.signals.lights_of_link.of(link).tolist():
        if network.signals.lights[row].kind == "pedestrian":
            continue
        lamps, movement = int(now.light.status[row]), network.link_movements[link]
        if lamps & YELLOW and not lamps & (GREEN | LEFT):
            allowed |= {Permission.CLEAR, Permission.STOP, Permission.STOP_THEN_YIELD}
        elif movement == "left":
            allowed.add(Permission.GO if lamps & LEFT else Permission.CLEAR if lamps & YELLOW else Permission.STOP)
        elif movement == "right_unprotected":
            allowed.add(Permission.YIELD if lamps & GREEN else Permission.STOP_THEN_YIELD)
        elif movement == "left_unprotected":
            allowed.add(Permission.YIELD if lamps & GREEN else Permission.STOP)
        else:
            allowed.add(Permission.GO if lamps & GREEN else Permission.STOP)
    return allowed or {Permission.FREE}


def test_links_of_the_town_may_be_entered_as_their_lamps_say(town):
    plan = SignalPlan.from_network(town)
    now = plan.first_state().freeze()
    seen = set()
    for _ in range(130):
        now = plan.advance(now, 1_000_000_000)
        for link in range(town.link_count):
            assert now.link.entry[link] in expected(town, now, link)
        seen |= set(now.link.entry.tolist())
    assert seen == set(Permission)


def test_movements_that_cross_are_never_both_protected(town):
    """Two links that both have GO do not cross, unless they come from one node or lead to one."""
    shapely = pytest.importorskip("shapely")
    plan = SignalPlan.from_network(town)
    now = plan.first_state().freeze()
    lines = {int(link): shapely.LineString(town.points_of(int(link))[:, :2]) for link in plan.links.governed}
    for _ in range(65):
        now = plan.advance(now, 2_000_000_000)
        go = [link for link in lines if now.link.entry[link] == Permission.GO]
        for a in go:
            for b in go:
                apart = (
                    town.link_from_node[a] != town.link_from_node[b] and town.link_to_node[a] != town.link_to_node[b]
                )
                if a < b and apart:
                    assert not lines[a].crosses(lines[b]), (town.link_ids[a], town.link_ids[b])


@pytest.mark.parametrize("name", ["town", SUBURB])
def test_every_governed_link_gets_its_turn_within_a_round(town, name):
    network = town if name == "town" else real_network(name)
    plan = SignalPlan.from_network(network)
    now = plan.first_state().freeze()
    turn = np.zeros(network.link_count, np.bool_)
    for _ in range(200):
        turn |= now.link.entry <= Permission.STOP_THEN_YIELD
        now = plan.advance(now, 1_000_000_000)
    assert turn.all()
    assert set(plan.links.approach) == {
        link
        for link in np.flatnonzero(np.isfinite(network.signals.stop_line)).tolist()
        if set(network.successors.of(link).tolist()) & set(plan.links.governed.tolist())
    }


def test_the_stop_line_tells_the_freest_way_on(town):
    plan = SignalPlan.from_network(town)
    now = plan.first_state().freeze()
    governed = set(plan.links.governed.tolist())
    for _ in range(40):
        now = plan.advance(now, 3_000_000_000)
        for link in plan.links.approach.tolist():
            ways = [int(now.link.entry[after]) for after in town.successors.of(link).tolist() if after in governed]
            assert now.link.stop_line[link] == min(ways)


def test_a_command_for_one_of_two_heads_moves_traffic(town):
    plan = SignalPlan.from_network(town)
    now = plan.first_state().freeze()
    link = next(int(k) for k in plan.links.governed if now.link.entry[k] == Permission.STOP)
    light = int(plan.links.pair[LinkPair.at.light, plan.links.start[plan.links.governed.searchsorted(link)]])
    greens = (GREEN | LEFT) & int(plan.lamps[light])
    assert after(plan, now, SetLight(light, greens)).link.entry[link] == Permission.GO
    assert after(plan, now, SetLight(light, YELLOW)).link.entry[link] == Permission.CLEAR


# the whole ---------------------------------------------------------------------------------------------------


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(-1, 140), st.booleans(), st.integers(0, 30)), max_size=8))
def test_what_is_shown_follows_from_clocks_commands_and_programmes(steps):
    """Working all out anew gives what the ticks with their short cuts gave, and arrays are read-only."""
    plan = small_plan()
    now = plan.first_state().freeze()
    for light, lamps, once, seconds in steps:
        now, _ = changed("signal", now, SetLight(light, lamps, once, siblings=light % 2 == 0), plan=plan)
        for _ in range(seconds * 10):
            now = plan.advance(now, 10 * TICK)
        anew = plan.show(now.controller.copy(), now.light, now.programme)
        assert all(np.array_equal(a, b) for a, b in zip(arrays_of(now), arrays_of(anew), strict=True))
        assert not any(block.flags.writeable for block in arrays_of(now))


def test_a_tick_in_which_nothing_changes_only_counts_clocks_down():
    plan = small_plan()
    now = plan.first_state().freeze()
    quiet = plan.advance(now, TICK)
    assert (quiet.light, quiet.link, quiet.programme) == (now.light, now.link, now.programme), "shared, not copied"
    assert quiet.remaining[0] == now.remaining[0] - TICK


@pytest.mark.parametrize("elapsed", [23.0, 1e9, math.inf])
def test_a_time_beyond_the_state_is_its_end(elapsed):
    plan = small_plan()
    now = after(plan, plan.first_state().freeze(), SetIntersection(0, 0, elapsed))
    assert (now.state[0], plan.elapsed_of(0, now)) == (0, pytest.approx(23.0))
    assert later(plan, now, 0.01).state[0] == 1
