"""The service Environment: every field of every request counts."""

import pytest

from dorosim.sensor.scene.lamp import ambient_lamps
from dorosim.world.environment.weather import CHANGE_TIME, sun_direction
from dorosim.world.snapshot import EGO
from tests.bridge.grpc.stage import GrpcStage


@pytest.fixture
def stage() -> GrpcStage:
    return GrpcStage()


def done(answer) -> bool:
    return answer.status == 1


def test_the_time_of_day_is_set_and_told(stage):
    before = stage.ask("Environment/GetTime")
    assert (before.hour, before.data_only, before.instantly) == (12, False, True)
    assert done(stage.ask("Environment/SetTime", hour=21, instantly=True))
    assert stage.ask("Environment/GetTime").hour == 21
    assert sun_direction(stage.now.environment)[2] < 0.0
    assert ambient_lamps(stage.now)


def test_a_time_that_does_not_come_at_once_comes_bit_by_bit(stage):
    stage.ask("Environment/SetTime", hour=18)
    assert stage.ask("Environment/GetTime").hour == 12
    assert not stage.ask("Environment/GetTime").instantly
    stage.ticks(CHANGE_TIME // stage.scene.tick + 1)
    after = stage.ask("Environment/GetTime")
    assert (after.hour, after.data_only, after.instantly) == (18, False, True)


@pytest.mark.parametrize("instantly", [True, False])
def test_the_clock_alone_can_be_set(stage, instantly):
    sun = sun_direction(stage.now.environment)
    assert done(stage.ask("Environment/SetTime", hour=23, data_only=True, instantly=instantly))
    stage.ticks(CHANGE_TIME // stage.scene.tick + 1)
    told = stage.ask("Environment/GetTime")
    assert (told.hour, told.data_only) == (23, True)
    assert sun_direction(stage.now.environment) == sun
    stage.ask("Environment/SetTime", hour=23, instantly=True)
    assert sun_direction(stage.now.environment) != sun
    assert not stage.ask("Environment/GetTime").data_only


@pytest.mark.parametrize("hour", [-1, 24])
def test_an_hour_that_no_day_has_is_refused(stage, hour):
    answer = stage.ask("Environment/SetTime", hour=hour, instantly=True)
    assert not done(answer)
    assert f"{hour} is not a valid hour; use 0 to 23" in answer.description


@pytest.mark.parametrize("kind", range(6))
def test_weather_comes_at_once_or_bit_by_bit(stage, kind):
    assert done(stage.ask("Environment/SetWeather", type=kind, instantly=True))
    told = stage.ask("Environment/GetWeather")
    assert (told.type, told.instantly) == (kind, True)
    goal = stage.now.environment.sky.tolist()
    stage.ask("Environment/SetWeather", type=(kind + 3) % 6)
    told = stage.ask("Environment/GetWeather")
    assert (told.type, told.instantly) == ((kind + 3) % 6, False)
    assert stage.now.environment.sky.tolist() == goal, "it has only begun to change"


def test_the_season_is_set_and_told(stage):
    for season in range(4):
        assert done(stage.ask("Environment/SetSeason", type=season))
        assert stage.ask("Environment/GetSeason").type == season


def test_the_friction_of_roads_is_set_and_told(stage):
    assert stage.ask("Environment/GetRoadFriction").value == 1.0
    assert done(stage.ask("Environment/SetRoadFriction", value=0.25))
    assert stage.ask("Environment/GetRoadFriction").value == 0.25
    assert stage.now.row_of(EGO) == 0
    answer = stage.ask("Environment/SetRoadFriction", value=-1.0)
    assert not done(answer)
    assert "friction: 0 to 2, not -1" in answer.description
    assert stage.ask("Environment/GetRoadFriction").value == 0.25


def test_puddles_are_hidden_and_shown(stage):
    assert done(stage.ask("Environment/SetVisibility", type=0, is_visible=False))
    assert stage.now.environment.puddles[0] == 0
    assert done(stage.ask("Environment/SetVisibility", type=0, is_visible=True))
    assert stage.now.environment.puddles[0] == 1
