"""Steps of many vehicles on threads: the same bits for any number of them, for two callers, and after a fork."""

from __future__ import annotations

import os
import threading

import numpy as np
import pytest

from dorosim.endpoint.traffic_threads import MAX_TRAFFIC_THREADS, THREADS, threads_wanted, use_traffic_threads
from dorosim.ground.crew_kernel import CrewWord
from dorosim.ground.error import InputError
from dorosim.mapmaking.track import grid_map
from dorosim.road.network import network_from_mgeo
from dorosim.scenario.population import population
from dorosim.world.ordinary.tick import get_ready
from dorosim.world.signal.update import SignalPlan
from dorosim.world.step import step
from dorosim.world.traffic.crew import BLOCK, CrewCall
from dorosim.world.traffic.plan import TrafficPlan
from dorosim.world.traffic.state import Obstruction
from dorosim.world.traffic.step import step_traffic
from dorosim.world.traffic.traffic_kernel import MANY_VEHICLES
from tests.world.ordinary.both_ways import DRIVE, is_ordinary
from tests.world.traffic.rig import MIXED
from tests.world.world import town_world
from tools.traffic_run import TrafficRun

STEPS = 120


@pytest.fixture(scope="module")
def networks():
    """A dense grid with lights, and a smaller one that is nearly full."""
    return [network_from_mgeo(grid_map(side)) for side in (10, 8)]


@pytest.fixture(autouse=True)
def no_threads_left():
    yield
    use_traffic_threads(1)
    CrewCall.begin = None


def run_of(network, seed=3, count=MANY_VEHICLES + 57):
    return TrafficRun.fill(network, count, seed, bodies=MIXED)


def digest_after(run, steps=STEPS):
    for _ in range(steps):
        run.step()
    return run.digest()


@pytest.fixture(scope="module")
def alone(networks):
    """What one thread makes of each network."""
    CrewCall.begin = None
    return [digest_after(run_of(network)) for network in networks]


@pytest.mark.parametrize("threads", [2, 3, 7])
@pytest.mark.parametrize("which", [0, 1])
def test_any_number_of_threads_makes_the_same_bits(networks, alone, threads, which):
    run = run_of(networks[which])
    use_traffic_threads(threads).compile()
    jobs = int(BLOCK[CrewWord.GENERATION])
    assert digest_after(run) == alone[which]
    assert int(BLOCK[CrewWord.WORKERS]) == threads - 1
    assert int(BLOCK[CrewWord.GENERATION]) > jobs  # the crew was called


def test_bodies_in_the_way_are_passed_alike(networks):
    """Vehicles pass, and decide in every second step: most of what is done in turn."""
    network = networks[0]
    plan, lights = TrafficPlan.from_network(network), SignalPlan.from_network(network)
    first = run_of(network).traffic
    places = np.arange(0, len(first), 9)
    body = Obstruction.zeros(len(places))
    body.link[:] = first.link[places]
    body.rear[:], body.front[:] = first.s[places] + 12.0, first.s[places] + 14.5
    body.right[:], body.left[:] = -1.2, 0.3
    body.freeze()

    def made(threads):
        use_traffic_threads(threads).compile()
        state, signal = run_of(network).traffic, lights.first_state()
        for turn in range(STEPS):
            signal = lights.advance(signal, 100_000_000)
            decision = 0.1 if turn % 2 == 0 else 0.0
            given = {"decision": decision, "obstruction": body}
            step_traffic(plan, state, signal.link.entry, dt=0.1, seed=5, turn=turn, **given)
        return state

    one, three = made(1), made(3)
    assert (one.passing != 0).any()
    assert one.floats.tobytes() == three.floats.tobytes()
    assert one.ints.tobytes() == three.ints.tobytes()


def test_two_threads_of_python_step_two_worlds_at_once(networks, alone):
    use_traffic_threads(3).compile()
    runs, found = [run_of(network) for network in networks], {}
    callers = [
        threading.Thread(target=lambda number=number: found.update({number: digest_after(runs[number])}))
        for number in range(2)
    ]
    for one in callers:
        one.start()
    for one in callers:
        one.join()
    assert [found[0], found[1]] == alone


def test_ordinary_ticks_of_a_town_are_the_same_on_two_threads():
    """A car that is driven among 60 others and 10 people, with lights: 400 ticks, of which drivers decide in 40."""
    get_ready()

    def digests(threads):
        use_traffic_threads(threads, fewest=20).compile()
        world = town_world(seed=6)
        orders = (DRIVE, *population(world.scene, world.now, world.noise, 60, 10))
        now, found, ordinary = world.now, [], 0
        jobs = int(BLOCK[CrewWord.GENERATION])
        for number in range(400):
            now = step(world.scene, now, orders if number == 0 else (), world.noise)
            ordinary += is_ordinary(now)
            if number % 40 == 39:
                found.append(now.digest())
        assert ordinary > 300
        assert (int(BLOCK[CrewWord.GENERATION]) > jobs) == (threads > 1)
        return found

    assert digests(1) == digests(2)


def test_worlds_of_one_map_share_scratch(networks, alone):
    """Steps of worlds of many sizes, in turns: each leaves the scratch as the next one needs it."""
    CrewCall.begin = None
    runs = [run_of(networks[0]), run_of(networks[0], count=40), run_of(networks[1]), run_of(networks[0], count=700)]
    apart = [digest_after(run_of(networks[0], count=count), 60) for count in (40, 700)]
    for number in range(STEPS):
        for run in runs:
            if number < 60 or run is runs[0] or run is runs[2]:
                run.step()
    assert [runs[0].digest(), runs[2].digest()] == alone
    assert [runs[1].digest(), runs[3].digest()] == apart


def test_few_vehicles_have_no_threads(networks):
    CrewCall.begin = None
    asked = []
    run = run_of(networks[0], count=MANY_VEHICLES - 1)
    CrewCall.begin = lambda: asked.append(1)
    run.step()
    assert asked == []
    full = run_of(networks[0], count=MANY_VEHICLES)
    full.step()
    assert asked == [1]


def test_threads_begin_with_the_first_step_of_many_vehicles(networks):
    run = run_of(networks[0])
    threads = use_traffic_threads(2)
    threads.compile()
    threads.end()
    assert int(BLOCK[CrewWord.WORKERS]) == 0
    run.step()
    assert int(BLOCK[CrewWord.WORKERS]) == 1
    threads.end()
    assert int(BLOCK[CrewWord.WORKERS]) == 0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
def test_parent_and_child_go_on_after_a_fork(networks, alone):
    use_traffic_threads(2).compile()
    run = run_of(networks[0])
    for _ in range(STEPS // 2):
        run.step()
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            done = digest_after(run, STEPS - STEPS // 2)
            os.write(writing, f"{done} {int(BLOCK[CrewWord.WORKERS])}".encode())
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        told = pipe.read().decode()
    os.waitpid(child, 0)
    assert told == f"{alone[0]} 1"
    assert digest_after(run, STEPS - STEPS // 2) == alone[0]
    assert int(BLOCK[CrewWord.WORKERS]) == 1


@pytest.mark.parametrize("text", ["-1", "two", "1.5", str(MAX_TRAFFIC_THREADS + 1), "²"])
def test_a_wrong_number_of_threads_is_refused(text):
    with pytest.raises(InputError, match=f"{THREADS}: it is a number of threads from 0"):
        threads_wanted(text)


def test_how_many_threads_are_wanted(monkeypatch):
    monkeypatch.setattr("dorosim.endpoint.traffic_threads.usable_cores", lambda: 5)
    assert [threads_wanted(text) for text in (None, "", "0", "1", "7")] == [5, 5, 5, 1, 7]
