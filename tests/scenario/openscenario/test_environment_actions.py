"""Environments: what the world, its cameras and the storyboard have of them."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from dorosim.app.run.scenario_run import RunTick
from dorosim.scenario.openscenario.engine.action.environment import WATER_DEPTH
from dorosim.scenario.openscenario.record.environment import Wetness
from dorosim.scenario.openscenario.record.weather import CloudState, FractionalCloudCover
from dorosim.sensor.camera.light import light_of
from dorosim.sensor.scene.lamp import ambient_lamps
from dorosim.world.environment.weather import Season, sky_of
from dorosim.world.snapshot import Snapshot
from dorosim.world.storyboard.control_state import RoadWetness
from dorosim.world.storyboard.sun import set_sun
from tests.scenario.openscenario.action_case import MAP, at, case, case_text, going, in_world, run, vehicle
from tests.scenario.openscenario.sample import MemoryFiles, catalog


def environment(inside: str) -> str:
    inside = f'<Environment name="e">{inside}</Environment>'
    return f"<GlobalAction><EnvironmentAction>{inside}</EnvironmentAction></GlobalAction>"


def weather(inside: str = "", attributes: str = "") -> str:
    return environment(f"<Weather {attributes}>{inside}</Weather>")


def after(folder: Path, action: str, *, end=1.0, speed=0.0) -> list[RunTick]:
    text = case_text(vehicle("car"), {"car": at(-1, 50.0) + going(speed)}, (0.5, action), end=end, logic=MAP)
    return in_world(folder, text)


def world_after(folder: Path, action: str, **more) -> Snapshot:
    world = after(folder, action, **more)[-1].world
    assert world is not None
    return world


TIME = '<TimeOfDay animation="{}" dateTime="2026-01-05T21:30:15.5Z"/>'


@pytest.mark.parametrize("animation", ["false", "true"])
def test_the_time_of_day_is_that_of_the_world(tmp_path, animation):
    world = world_after(tmp_path, environment(TIME.format(animation)), end=2.5)
    passed = 2.0 if animation == "true" else 0.0
    assert float(world.environment.time_of_day[0]) == pytest.approx(21.5 * 3600.0 + 15.5 + passed, abs=0.02)
    assert float(world.environment.sun_time[0]) == pytest.approx(21.5 * 3600.0 + 15.5 + passed, abs=0.02)
    assert int(world.environment.season[0]) == Season.WINTER
    table = world.storyboard.environment
    assert int(table.date_time[0]) == 1_767_648_615_500_000_000
    assert int(table.animation[0]) == int(animation == "true")


@pytest.mark.parametrize(
    ("inside", "rain", "snow"),
    [
        ('<Precipitation precipitationIntensity="36" precipitationType="rain"/>', 1e-5, 0.0),
        ('<Precipitation precipitationIntensity="36" precipitationType="snow"/>', 0.0, 1e-5),
        ('<Precipitation precipitationIntensity="36" precipitationType="dry"/>', 0.0, 0.0),
        ('<Precipitation intensity="0.5" precipitationType="rain"/>', 25e-3 / 3600.0, 0.0),
    ],
)
def test_rain_and_snow_fall(tmp_path, inside, rain, snow):
    sky = sky_of(world_after(tmp_path, weather(inside)).environment)
    assert (sky.rain, sky.snow) == pytest.approx((rain, snow))


@pytest.mark.parametrize("at_number", range(len(FractionalCloudCover)))
def test_every_cloud_cover(tmp_path, at_number):
    word = list(FractionalCloudCover)[at_number].value
    sky = sky_of(world_after(tmp_path, weather(attributes=f'fractionalCloudCover="{word}"')).environment)
    assert sky.cloud == pytest.approx(min(at_number, 8) / 8.0)


def test_every_old_cloud_state(tmp_path):
    found = {}
    for word in CloudState:
        text = weather(attributes=f'cloudState="{word.value}"')
        found[word] = sky_of(world_after(tmp_path, text).environment).cloud
    assert found[CloudState.FREE] < found[CloudState.CLOUDY] < found[CloudState.OVERCAST] <= found[CloudState.RAINY]


def test_fog_bounds_the_sight(tmp_path):
    assert sky_of(world_after(tmp_path, weather('<Fog visualRange="120"/>')).environment).visibility == 120.0


def test_fog_in_a_box_is_where_the_first_entity_drives_in_it(tmp_path):
    box = '<BoundingBox><Center x="80" y="0" z="0"/><Dimensions length="20" width="40" height="20"/></BoundingBox>'
    ticks = after(tmp_path, weather(f'<Fog visualRange="120">{box}</Fog>'), end=6.0, speed=10.0)
    sight = {
        round(float(tick.state.entity.x[0])): sky_of(tick.world.environment).visibility for tick in ticks if tick.world
    }
    assert sight[80] == 120.0
    assert sight[60] > 10_000.0 < sight[100]


def test_wind_blows(tmp_path):
    world = world_after(tmp_path, weather('<Wind direction="1.5" speed="12"/>'))
    assert sky_of(world.environment).wind == 12.0
    assert world.storyboard.environment.wind_direction[0] == 1.5


def test_temperature_and_pressure_are_kept(tmp_path):
    table = world_after(
        tmp_path, weather(attributes='temperature="280" atmosphericPressure="99000"')
    ).storyboard.environment
    assert (table.temperature[0], table.pressure[0]) == (280.0, 99_000.0)


SUN = '<Sun azimuth="1.5707963" elevation="{}" illuminance="{}"/>'


def test_the_sun_of_a_camera_is_where_it_is_set(tmp_path):
    world = world_after(tmp_path, weather(SUN.format(0.6, 100_000)))
    sun = set_sun(world.storyboard)
    assert sun is not None
    light = light_of(world.environment, 0.0, sun)
    assert light.toward_sun == pytest.approx((math.cos(0.6), 0.0, math.sin(0.6)), abs=1e-6)
    assert light_of(world.environment).toward_sun != pytest.approx(light.toward_sun, abs=0.1)


def test_the_sun_is_as_bright_as_it_is_set(tmp_path):
    found = {}
    for brightness in (50_000, 100_000):
        world = world_after(tmp_path, weather(SUN.format(0.6, brightness)))
        found[brightness] = light_of(world.environment, 0.0, set_sun(world.storyboard)).sun
    assert found[100_000] == pytest.approx(2.0 * found[50_000], rel=1e-5)


def test_head_lamps_burn_when_the_sun_is_set_below_the_horizon(tmp_path):
    assert ambient_lamps(world_after(tmp_path, weather(SUN.format(0.6, 1)))) == 0
    assert ambient_lamps(world_after(tmp_path, weather(SUN.format(-0.2, 0)))) != 0


def test_an_old_sun_has_an_intensity(tmp_path):
    world = world_after(tmp_path, weather('<Sun azimuth="0" elevation="0.6" intensity="7000"/>'))
    assert world.storyboard.environment.illuminance[0] == 7_000.0


def road(attributes: str) -> str:
    return environment(f"<RoadCondition {attributes}/>")


def test_the_friction_of_roads_is_scaled(tmp_path):
    assert world_after(tmp_path, road('frictionScaleFactor="0.4"')).friction.road == 0.4


@pytest.mark.parametrize("word", Wetness)
def test_every_wetness_of_the_road(tmp_path, word):
    ticks = after(tmp_path, road(f'frictionScaleFactor="1" wetness="{word.value}"'), end=0.55)
    depth = float(ticks[-1].world.environment.water_depth[0])
    expected = list(WATER_DEPTH.values())[list(Wetness).index(word)]
    assert depth == pytest.approx(expected, rel=0.05)
    assert ticks[-1].state.environment.wetness[0] == list(RoadWetness)[list(Wetness).index(word)]


def test_a_picture_of_the_sky_is_noted():
    dome = '<DomeImage azimuthOffset="1"><DomeFile filepath="sky.hdr"/></DomeImage>'
    made = case(vehicle("car"), {"car": at(-1, 10.0)}, (0.5, weather(dome)))
    assert any("DomeImage has no effect" in note for note in made.notes)


def test_an_environment_may_come_from_a_catalog():
    inside = (
        '<Environment name="grey"><ParameterDeclarations><ParameterDeclaration name="far" parameterType="double" '
        'value="50"/></ParameterDeclarations><Weather><Fog visualRange="$far"/></Weather></Environment>'
    )
    files = MemoryFiles(catalogs__c=catalog("Skies", inside))
    assignment = '<ParameterAssignments><ParameterAssignment parameterRef="far" value="77"/></ParameterAssignments>'
    action = (
        '<GlobalAction><EnvironmentAction><CatalogReference catalogName="Skies" entryName="grey">'
        f"{assignment}</CatalogReference></EnvironmentAction></GlobalAction>"
    )
    made = case(
        vehicle("car"),
        {"car": at(-1, 10.0)},
        (0.5, action),
        end=1.0,
        files=files,
        catalogs='<EnvironmentCatalog><Directory path="catalogs"/></EnvironmentCatalog>',
    )
    assert run(made)[-1].state.environment.fog_range[0] == 77.0


def test_what_is_not_given_stays_as_it_was(tmp_path):
    both = weather('<Wind direction="0" speed="9"/>')
    text = case_text(
        vehicle("car"),
        {"car": at(-1, 50.0)},
        (0.3, both),
        (0.6, weather('<Fog visualRange="300"/>')),
        end=1.0,
        logic=MAP,
    )
    world = in_world(tmp_path, text)[-1].world
    assert world is not None
    sky = sky_of(world.environment)
    assert (sky.wind, sky.visibility) == (9.0, 300.0)
    assert np.isnan(world.storyboard.environment.sun_elevation[0])


def test_an_environment_of_init_is_there_at_the_start(tmp_path):
    text = case_text(
        vehicle("car"), {"car": at(-1, 50.0)}, end=0.5, logic=MAP, global_init=weather('<Fog visualRange="90"/>')
    )
    first = in_world(tmp_path, text)[0].world
    assert first is not None
    assert sky_of(first.environment).visibility == 90.0
