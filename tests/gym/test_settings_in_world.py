"""Settings of an environment are those of its world, each by what it changes there."""

from __future__ import annotations

import numpy as np
import pytest

from dorosim.gym import DrivingEnv
from dorosim.road.network import RoadNetwork
from dorosim.world.environment.weather import WeatherKind
from dorosim.world.snapshot import Snapshot


def world_of(**settings) -> tuple[RoadNetwork, Snapshot]:
    """The roads and the first snapshot of an environment."""
    env = DrivingEnv("Town", **({"map": "village", "vehicles": 0} | settings))
    try:
        env.reset(seed=1)
        return env.task.scene.network, env.episode.world.now
    finally:
        env.close()


def test_traffic_is_as_many_as_asked_for():
    _, none = world_of()
    _, some = world_of(vehicles=4, pedestrians=3)
    assert (none.traffic.rows, len(none.people)) == (0, 0)
    assert (some.traffic.rows, len(some.people)) == (4, 3)


def test_the_map_is_another_one():
    (village, _), (town, _) = world_of(), world_of(map="town")
    assert village.link_count < town.link_count


def test_the_weather_is_that_of_the_table():
    _, fine = world_of()
    _, rainy = world_of(weather={"weather": "rainy", "time_of_day": 22.0})
    assert (fine.environment.weather[0], rainy.environment.weather[0]) == (WeatherKind.SUNNY, WeatherKind.RAINY)
    assert float(rainy.environment.time_of_day[0]) == pytest.approx(22.0 * 3600.0, abs=1.0)


def test_the_vehicle_is_of_its_model():
    _, car = world_of()
    _, bus = world_of(vehicle="2018_Hyundai_ElecCity")
    assert float(bus.parameter.wheelbase[0]) > 1.5 * float(car.parameter.wheelbase[0])


@pytest.mark.parametrize("settings", [{"tick_ms": 50.0}, {"ticks": 2}, {"tick_ms": 50.0, "ticks": 3}], ids=str)
def test_a_step_is_its_ticks(settings):
    env = DrivingEnv("Town", map="village", vehicles=0, **settings)
    try:
        env.reset(seed=1)
        _, _, _, _, info = env.step(np.zeros(2, np.float32))
        wanted = settings.get("tick_ms", 100.0) * settings.get("ticks", 1) * 1e-3
        assert info["time"] == pytest.approx(wanted)
    finally:
        env.close()
