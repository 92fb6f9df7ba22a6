"""The map as it is drawn: layers, tiles, fewer triangles."""

from __future__ import annotations

import numpy as np
import pytest

import dorosim.bridge.view.townscape as module
from dorosim.bridge.view.backdrop import backdrop_roads, few_points
from dorosim.bridge.view.shadow import contact_shadows
from dorosim.bridge.view.sky import light_of
from dorosim.bridge.view.tint import LEVELS, level_of, palette
from dorosim.bridge.view.townscape import NEAR_TILE, Layer, townscape, welded
from dorosim.ground.mesh import Mesh, quad_mesh
from dorosim.sensor.scene.material import Material, MaterialTable
from dorosim.world.environment.command import SetSeason, SetTimeOfDay, SetWeather
from dorosim.world.environment.weather import DAY, Season, WeatherKind, first_environment
from tests.bridge.view.glb import colours_of, read
from tests.sensor.scene.build import box, plane, sphere_mesh
from tests.world.effect import changed
from tests.world.world import street

NETWORK = street(10.0).network


def things() -> Mesh:
    return Mesh.joined(
        [
            plane(half=100.0, material=Material.GRASS),
            quad_mesh([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)], Material.GRASS),
            quad_mesh([(300, 0, 0), (301, 0, 0), (301, 1, 0), (300, 1, 0)], Material.ASPHALT),
            box((2, 2, 2), (50, 50, 2), Material.BRICK),
            quad_mesh([(0, 9, 0), (1, 9, 0), (1, 9, 1), (0, 9, 1)], Material.WINDOW),
            sphere_mesh(1.2, Material.LEAF, 12, (20.0, 20.0, 4.0)),
        ]
    )


def test_triangles_are_in_their_layers_and_tiles_about_the_origin():
    town = townscape(things(), NETWORK, (10.0, 20.0, 0.0))
    count = {layer: sum(tile.triangles for tile in town.tiles if tile.layer is layer) for layer in Layer}
    assert count[Layer.STREET] == 4 + 2, "the small grass and the asphalt, and the land, since it is near a lane"
    assert (count[Layer.BUILDINGS], count[Layer.WINDOWS]) == (12, 2)
    assert count[Layer.LAND] == 2 + 2 + len(backdrop_roads(NETWORK).faces)
    assert 4 <= count[Layer.TREES] < 120, "of 528"
    (far,) = (tile for tile in town.tiles if tile.layer is Layer.STREET and tile.middle[0] > NEAR_TILE)
    assert far.middle == (3.5 * NEAR_TILE, -0.5 * NEAR_TILE)
    assert read(far.glb).bounds.tolist() == [[290.0, -20.0, 0.0], [291.0, -19.0, 0.0]]
    assert town.notice == ""


def test_a_tile_takes_the_colours_of_a_palette():
    (tile,) = (tile for tile in townscape(things(), NETWORK, (0, 0, 0)).tiles if tile.layer is Layer.WINDOWS)
    colours = palette(MaterialTable.standard().albedo, light_of(first_environment()))
    found = colours_of(read(tile.coloured(colours)))
    assert np.array_equal(found, colours[tile.colour])
    assert set(tile.colour // LEVELS) == {int(Material.WINDOW)}


def test_what_stands_throws_a_shadow_outwards_on_the_ground_near_lanes():
    wall = box((2, 2, 2), (50, -7, 2), Material.BRICK)
    pole = box((0.1, 0.1, 2), (60, -9, 2), Material.POLE)
    high = box((2, 2, 2), (70, -7, 6), Material.BRICK)
    town = townscape(Mesh.joined([plane(half=100.0, material=Material.GRASS), wall, pole, high]), NETWORK, (0, 0, 0))
    tiles = [tile for tile in town.tiles if tile.layer is Layer.SHADOWS]
    assert sum(tile.triangles for tile in tiles) == 4 * 2 + 8, "two a side, eight about a pole, none of what hangs"
    shadows = [read(tile.glb) for tile in tiles]
    corner = np.concatenate([one.vertices for one in shadows])
    dark = np.concatenate([tile.colour for tile in tiles])
    assert corner[:, 2] == pytest.approx(0.04)
    at_wall = np.abs(corner[:, 0] - 50.0) < 4.0
    outward = np.abs(corner[:, :2] - (50.0, -7.0)).max(axis=1)
    assert outward[at_wall & (dark > 0)] == pytest.approx(2.0)
    assert outward[at_wall & (dark == 0)] == pytest.approx(3.4)
    colours = palette(MaterialTable.standard().albedo, light_of(first_environment()))
    found = colours_of(read(tiles[0].coloured(colours)))
    assert set(map(tuple, found)) == {(0, 0, 0, 0), (0, 0, 0, 128)}


def test_no_ground_no_shadow():
    nothing, dark = contact_shadows(box((2, 2, 2), (50, 0, 2), Material.BRICK), Mesh.empty())
    assert (len(nothing.faces), len(dark)) == (0, 0)
    nothing, dark = contact_shadows(Mesh.empty(), plane(half=10.0, material=Material.GRASS))
    assert (len(nothing.faces), len(dark)) == (0, 0)


def test_what_does_not_fit_is_left_out_and_said(monkeypatch):
    monkeypatch.setattr(module, "MAX_TRIANGLES", 4 + len(backdrop_roads(NETWORK).faces) + 4 + 2)
    town = townscape(things(), NETWORK, (0, 0, 0))
    assert {tile.layer for tile in town.tiles} == {Layer.LAND, Layer.STREET}
    assert town.notice.endswith("without buildings, windows, trees")


def test_what_is_less_important_is_left_out_too(monkeypatch):
    """Windows are fewer triangles than the buildings, which do not fit, and would hang in the air."""
    monkeypatch.setattr(module, "MAX_TRIANGLES", 4 + len(backdrop_roads(NETWORK).faces) + 4 + 11)
    town = townscape(things(), NETWORK, (0, 0, 0))
    assert {tile.layer for tile in town.tiles} == {Layer.LAND, Layer.STREET}
    assert town.notice.endswith("without buildings, windows, trees")


def test_an_empty_map_has_the_roads_of_its_network():
    town = townscape(Mesh.empty(), NETWORK, (0, 0, 0))
    assert {tile.layer for tile in town.tiles} == {Layer.LAND}


def test_welding_joins_corners_of_one_material_only():
    mesh = Mesh.joined(
        [
            quad_mesh([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)], 3),
            quad_mesh([(1, 0, 0), (2, 0, 0), (2, 1, 0), (1, 1, 0)], 3),
            quad_mesh([(2, 0, 0), (3, 0, 0), (3, 1, 0), (2, 1, 0)], 4),
            Mesh.of([(0, 0, 0), (1, 0, 0), (1, 0, 0)], [(0, 1, 2)], 3),
        ]
    )
    vertices, faces, material = welded(mesh, np.arange(len(mesh.faces)), (1.0, 0.0, 0.0))
    assert (len(vertices), len(faces)) == (6 + 4, 6), "the one without area is gone"
    assert np.bincount(material).tolist() == [0, 0, 0, 6, 4]
    assert vertices[:, 0].min() == -1.0


def test_a_straight_lane_needs_few_points_and_a_bend_more():
    arc = np.linspace(0.0, 100.0, 101)
    straight = np.tile((1.0, 0.0), (101, 1))
    assert len(few_points(arc, straight, np.zeros(101))) == 3
    turn = arc / 30.0
    bend = np.column_stack((np.cos(turn), np.sin(turn)))
    kept = few_points(arc, bend, np.zeros(101))
    assert len(kept) > 25
    assert (kept[0], kept[-1]) == (0, 100)
    assert few_points(arc, straight, np.where(arc > 50, 0.1, 0.0)).tolist() == [0, 51, 100]


def test_faces_are_shaded_alike_from_both_sides():
    quad = quad_mesh([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)], 0)
    level = level_of(quad.vertices, quad.faces)
    assert np.array_equal(level, level_of(quad.vertices, quad.faces[:, ::-1]))
    wall = quad_mesh([(0, 0, 0), (1, 0, 0), (1, 0, 1), (0, 0, 1)], 0)
    assert level[0] > level_of(wall.vertices, wall.faces)[0]


def sky(*commands):
    state = first_environment()
    for command in commands:
        state, problem = changed("environment", state, command)
        assert problem == ""
    return light_of(state)


def test_the_sky_follows_weather_and_time():
    noon, night = sky(), sky(SetTimeOfDay(0.0))
    assert (noon.night, night.night) == (0.0, 1.0)
    assert sum(night.zenith) < sum(noon.zenith) / 4
    assert sum(night.shade) < sum(noon.shade) / 2
    assert noon.haze[1] > 2000.0 > 300.0 > sky(SetWeather(WeatherKind.FOGGY)).haze[1]
    rain, snow = sky(SetWeather(WeatherKind.RAINY)), sky(SetWeather(WeatherKind.SNOWY))
    assert rain.wet > 0.5 > noon.wet
    assert snow.snow > 0.5 > noon.snow
    albedo = MaterialTable.standard().albedo
    dry, wet, white = (
        palette(albedo, light).reshape(-1, LEVELS, 4)[:, -1, :3].astype(int) for light in (noon, rain, snow)
    )
    assert wet[Material.ASPHALT].sum() < 0.9 * dry[Material.ASPHALT].sum()
    assert white[Material.GRASS].min() > 2 * dry[Material.GRASS].min()


@pytest.mark.parametrize("hour", range(0, 24, 3))
@pytest.mark.parametrize("kind", list(WeatherKind))
def test_every_sky_can_be_shown(hour, kind):
    for season in Season:
        light = sky(SetTimeOfDay(hour / 24 * DAY), SetWeather(kind), SetSeason(season))
        assert all(
            0 <= part <= 255 for colour in (light.zenith, light.horizon, light.sky, light.sun) for part in colour
        )
        assert 0.0 <= light.haze[0] < light.haze[1]
        assert light.ambient > 0.0 < light.sun_direction[2]
