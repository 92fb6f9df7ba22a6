"""Lights of a real map that lost its controllers: all of them are lit, and no two that conflict are green."""

from __future__ import annotations

import numpy as np
import pytest

from dorosim.road.conflict import conflicts_of_network
from dorosim.road.network import network_from_mgeo
from dorosim.road.signal import Lamp
from dorosim.world.signal.permission import Permission
from dorosim.world.signal.state import NO_LAMP
from dorosim.world.signal.update import SignalPlan
from tests.road.real_map import CONTROLLERS, STATES, SYNCED, suburb_without
from tests.world.traffic.rig import overlaps, run_on

TEN_MINUTES = 600.0
TICK = 100_000_000
GREENS = sum(lamp for lamp in Lamp if lamp not in {Lamp.RED, Lamp.YELLOW})


@pytest.mark.parametrize("also", [(), STATES, (*STATES, SYNCED)], ids=["own", "generated", "without synced lights"])
def test_every_light_is_lit_and_no_two_that_conflict_let_go_in_ten_minutes(also):
    network = network_from_mgeo(suburb_without(CONTROLLERS, *also))
    plan = SignalPlan.from_network(network)
    lights = network.signals.lights
    cars = np.array([row for row, light in enumerate(lights) if light.kind == "car"])
    conflicts, _ = conflicts_of_network(network)
    plain = ~conflicts.long
    link, other = conflicts.link[plain], conflicts.other[plain]
    now = plan.first_state().freeze()
    greens = np.zeros(len(lights), np.int64)
    for tick in range(round(TEN_MINUTES * 1e9 / TICK)):
        assert (now.light.status[cars] != NO_LAMP).all(), tick
        goes = now.link.entry == Permission.GO
        assert not (goes[link] & goes[other]).any(), tick
        greens |= now.light.status
        now = plan.advance(now, TICK)
    assert (greens[cars] & GREENS != 0).all(), "each gets its green"
    assert (greens[cars] & Lamp.RED != 0).all()


def test_generated_programmes_never_light_greens_of_lanes_that_meet():
    """Whatever the map says or does not say of movements: heads of lanes that meet are never green together."""
    network = network_from_mgeo(suburb_without(CONTROLLERS, *STATES, SYNCED))
    plan, lights = SignalPlan.from_network(network), network.signals.lights
    conflicts, _ = conflicts_of_network(network)
    meeting = set(zip(conflicts.link[~conflicts.long].tolist(), conflicts.other[~conflicts.long].tolist(), strict=True))
    cars = [row for row, light in enumerate(lights) if light.kind == "car"]
    foes = {
        (one, two)
        for one in cars
        for two in cars
        if lights[one].group != lights[two].group
        and any((a, b) in meeting for a in lights[one].links for b in lights[two].links)
    }
    assert foes
    now = plan.first_state().freeze()
    for tick in range(round(TEN_MINUTES * 1e9 / TICK)):
        green = now.light.status & GREENS != 0
        assert not any(green[one] and green[two] for one, two in foes), tick
        now = plan.advance(now, TICK)


def test_traffic_obeys_lights_that_were_generated():
    network = network_from_mgeo(suburb_without(CONTROLLERS, *STATES))
    run = run_on(network, 60, seed=2)
    lit = np.flatnonzero(np.diff(network.signals.lights_of_link.first) > 0)
    passed, ran = 0, 0
    for _ in range(3000):
        before, permission = run.state.link.copy(), run.signal.link.entry.copy()
        run.step()
        entered = np.flatnonzero((run.state.link != before) & np.isin(run.state.link, lit) & (run.state.present == 1))
        passed += len(entered)
        ran += int((permission[run.state.link[entered]] == Permission.STOP).sum())
        if run.turn % 10 == 0:
            assert not overlaps(run.state)
    assert passed > 50
    assert ran == 0
