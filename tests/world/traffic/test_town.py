"""Traffic on whole maps, for minutes here and for hours in the soak: nobody touches anybody, and everybody gets on."""

from __future__ import annotations

import pytest

from dorosim.mapmaking.plan import Size
from dorosim.road.network import RoadNetwork, network_from_mgeo
from tests.road.generated_town import town_of
from tests.road.real_map import SUBURB, TRACK, real_network
from tests.world.traffic.rig import MIXED, overlaps, run_on
from tests.world.traffic.watch import Journal, watch


def longest_cycle(network: RoadNetwork) -> float:
    """Of the lights of a map [s]."""
    cycles = [sum(s.duration + s.yellow for s in c.states) for c in network.signals.controllers]
    return max(cycles, default=0.0)


def assert_all_is_well(network: RoadNetwork, journal: Journal, seconds: float) -> None:
    """Nobody stood in a queue for longer than four cycles of a light, and all got on."""
    assert journal.standing < 4.0 * longest_cycle(network) + 60.0
    assert journal.way.min() > 0.6 * seconds
    assert journal.absent < 60.0
    vehicle_hours = len(journal.way) * seconds / 3600
    assert journal.hard < 2.0 * vehicle_hours


@pytest.fixture(scope="module")
def town() -> RoadNetwork:
    return network_from_mgeo(town_of(1, Size.DEFAULT))


def test_four_minutes_on_the_town(town):
    assert_all_is_well(town, watch(run_on(town, 200, seed=200, bodies=MIXED), 240.0), 240.0)


@pytest.mark.parametrize("name", [SUBURB, TRACK])
def test_three_minutes_on_a_real_map(name):
    network = real_network(name)
    count = 200 if name == SUBURB else 60
    journal = watch(run_on(network, count, seed=1, bodies=MIXED), 180.0)
    assert journal.hard < 4
    assert journal.way.mean() > 180.0


def test_other_ticks_than_the_decisions(town):
    """Ticks of 20 ms, with a decision every fifth."""
    run = run_on(town, 100, seed=9, bodies=MIXED, dt=0.02)
    for tick in range(2000):
        run.step(decision=0.1 if tick % 5 == 0 else 0.0)
        if tick % 10 == 0:
            assert not overlaps(run.state)
    assert run.state.speed.mean() > 6.0


@pytest.mark.parametrize("seed", range(2))
def test_small_towns_of_several_seeds(seed):
    network = network_from_mgeo(town_of(seed + 1, Size.SMALL))
    watch(run_on(network, 60, seed, bodies=MIXED), 60.0)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(6))
def test_an_hour_of_200_vehicles_on_the_town(town, seed):
    journal = watch(run_on(town, 200, seed, bodies=MIXED), 3600.0)
    print(seed, journal.standing, journal.absent, journal.hard, journal.speed, journal.way.min())
    assert_all_is_well(town, journal, 3600.0)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(6))
def test_an_hour_of_200_vehicles_on_the_suburb(seed):
    network = real_network(SUBURB)
    journal = watch(run_on(network, 200, seed, bodies=MIXED), 3600.0)
    print(seed, journal.standing, journal.absent, journal.hard, journal.speed, journal.way.min())
    assert_all_is_well(network, journal, 3600.0)
