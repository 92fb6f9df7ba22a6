"""The static world: what stands where, and what must not stand there."""

import numpy as np
import pytest
import shapely

from dorosim.ground.ear_clip import ear_clipped
from dorosim.ground.error import InputError
from dorosim.ground.noise import Noise
from dorosim.road.mgeo.reader import read_mgeo
from dorosim.road.network import network_from_mgeo
from dorosim.road.outline import clean_line, strip
from dorosim.road.scenery.building import draw_buildings, footprint
from dorosim.road.scenery.layout import scenery_from_map
from dorosim.road.scenery.tree import draw_trees
from dorosim.road.terrain.field import RoadField
from dorosim.road.terrain.ground import KERB_HEIGHT, PAVEMENT
from dorosim.road.terrain.terrain import terrain_from_map
from dorosim.sensor.scene.material import FIRST_SIGNAL, Material
from dorosim.sensor.scene.static.world import StaticWorld, static_world_from_map
from tests.sensor.scene.build import cast_down
from tests.sensor.scene.town import records, static_town, town, town_scene
from tests.shared import SHARED

SEED = 1


def paved():
    """Roads and the pavements beside them, by shapely from the map's lanes and nothing else."""
    network = town().scene.network
    pieces = []
    for link in np.flatnonzero(network.link_drivable).tolist():
        rows = slice(int(network.lines.first[link]), int(network.lines.first[link + 1]))
        line = clean_line(network.lines.points[rows])
        if len(line) > 1:
            width = 2 * np.minimum(network.left_width[rows], network.right_width[rows]).min()
            pieces.append(shapely.make_valid(shapely.Polygon(strip(line, float(width)))))
    return shapely.union_all(pieces).buffer(PAVEMENT)


def test_nothing_is_built_or_planted_on_a_road_or_pavement():
    field = RoadField(town().scene.network, records())
    buildings = draw_buildings(field, Noise(SEED))
    trees = draw_trees(field, buildings, Noise(SEED))
    assert len(buildings) > 60
    assert len(trees) > 150
    road = paved()
    sides = buildings.x, buildings.y, buildings.heading, 0.5 * buildings.length, 0.5 * buildings.width
    houses = [shapely.Polygon(footprint(one)) for one in np.column_stack(sides).tolist()]
    assert not any(road.intersects(house) for house in houses)
    assert not shapely.intersects(road, shapely.points(trees.x, trees.y).tolist()).any()
    for number, house in enumerate(houses):
        assert not any(house.intersects(other) for other in houses[:number])


def test_another_seed_builds_another_town_and_the_same_seed_the_same():
    field = RoadField(town().scene.network, records())
    one, same, other = (draw_buildings(field, Noise(seed)) for seed in (3, 3, 4))
    assert np.array_equal(one.floats, same.floats)
    assert one.floats.shape != other.floats.shape or not np.array_equal(one.floats, other.floats)


def test_the_road_lies_where_the_map_says():
    network, view = town().scene.network, town_scene().update(town().first)
    field = RoadField(network, records())
    lines = network.lines
    chosen = np.flatnonzero(network.link_drivable[lines.line] & ~field.bridge)[::7]
    beside = lines.points[chosen] + (0.01, 0.007, 0.0)  # on it triangles meet, and a ray may slip through between them
    start, distance, normal, row, material = cast_down(view, beside, 1.0)
    paint = (Material.ASPHALT, *range(Material.WHITE_LINE, Material.ARROW + 1))
    assert (row == 0).mean() > 0.995  # the ego stands on a lane
    on_road = (row == 0) & np.isin(material, paint)
    assert on_road.mean() > 0.99
    assert np.median(np.abs(start[on_road, 2] - distance[on_road] - lines.points[chosen][on_road, 2])) < 0.003
    assert np.quantile(np.abs(start[on_road, 2] - distance[on_road] - lines.points[chosen][on_road, 2]), 0.99) < 0.05
    assert normal[on_road, 2].min() > 0.9


def test_paint_lies_on_the_road_and_is_seen_from_above():
    view = town_scene().update(town().first)
    solid = [b for b in records().lane_boundaries if b.lane_type[:1] == [505] and len(b.points) > 2]
    middles = np.concatenate([0.5 * (b.points[:-1] + b.points[1:]) for b in solid])
    _, _, _, _, material = cast_down(view, middles, 1.0)
    lines = (Material.WHITE_LINE, Material.YELLOW_LINE, Material.STOP_LINE, Material.CROSSWALK)
    assert np.isin(material, lines).mean() > 0.95


def test_dashes_are_as_long_as_the_map_says():
    view = town_scene().update(town().first)
    broken = next(
        b
        for b in records().lane_boundaries
        if b.lane_shape[:1] == ["Broken"]
        and b.dash_interval_L1 == 3.0
        and b.dash_interval_L2 == 5.0
        and np.hypot(*(b.points[-1] - b.points[0])[:2]) > 60.0
    )
    arc = np.concatenate(([0.0], np.cumsum(np.hypot(*np.diff(broken.points[:, :2], axis=0).T))))
    s = np.arange(0.05, 48.0, 0.1)
    along = np.column_stack([np.interp(s, arc, broken.points[:, axis]) for axis in range(3)])
    _, _, _, _, material = cast_down(view, along, 1.0)
    expected = (s % 8.0) < 3.0
    assert ((material == Material.WHITE_LINE) == expected).mean() > 0.97


def test_a_kerb_rises_beside_the_road():
    field = RoadField(town().scene.network, records())
    view = town_scene().update(town().first)
    random = np.random.default_rng(5)
    low, high = field.network.lines.points.min(axis=0), field.network.lines.points.max(axis=0)
    points = random.uniform(low[:2], high[:2], (60_000, 2))
    away = field.distance(points)
    pavement = points[(away > 0.6) & (away < PAVEMENT - 0.6)]
    height = field.height(pavement)
    _, distance, _, _, material = cast_down(view, np.column_stack((pavement, height)), 2.0)
    walked = material == Material.PAVEMENT
    assert walked.mean() > 0.9
    rise = 2.0 - distance[walked]
    assert abs(float(np.median(rise)) - KERB_HEIGHT) < 0.03


def test_lights_show_what_the_snapshot_says():
    view = town_scene().update(town().first)
    signal, status = static_town().signal, town().first.signal.light.status
    assert len(signal.light) > 200
    lit = view.emission[FIRST_SIGNAL:].sum(axis=1) > 0.0
    assert (lit == ((status[signal.light] & signal.lamp) != 0)).all()
    assert lit.any()
    assert not lit.all()


def test_the_world_survives_the_cache():
    world = static_town()
    again = StaticWorld.from_bytes(world.to_bytes())
    assert np.abs(again.mesh.vertices - world.mesh.vertices).max() < 1e-4
    assert (again.mesh.faces == world.mesh.faces).all()
    assert (again.signal.lamp == world.signal.lamp).all()
    for broken in (b"", b"PK\x03\x04nonsense", world.to_bytes()[:5000]):
        with pytest.raises(InputError):
            StaticWorld.from_bytes(broken)


def test_an_outline_with_hollows_is_filled_exactly():
    ring = np.array([(0, 0), (4, 0), (4, 3), (3, 3), (3, 1), (1, 1), (1, 3), (0, 3)], float)
    triangles = ring[ear_clipped(ring)]
    area = sum(shapely.Polygon(triangle).area for triangle in triangles)
    assert area == pytest.approx(shapely.Polygon(ring).area)
    assert shapely.union_all([shapely.Polygon(t) for t in triangles]).area == pytest.approx(area)


@pytest.mark.parametrize("name", ["Sangam_Track", "V_RHT_Suburb_03"])
def test_real_maps_have_roads_and_lines(name):
    folder = SHARED / "maps" / name
    if not folder.is_dir():
        pytest.skip(f"{folder} is not here")
    files = {path.name: path.read_bytes() for path in folder.iterdir() if path.suffix == ".json"}
    records_ = read_mgeo(name, files)
    network = network_from_mgeo(records_)
    terrain = terrain_from_map(records_, network)
    scenery = scenery_from_map(records_, network, RoadField(network, records_), terrain)
    world = static_world_from_map(records_, network, scenery, terrain)
    used = set(np.unique(world.mesh.material).tolist())
    assert {Material.ASPHALT, Material.WHITE_LINE, Material.GRASS} <= used
    assert np.isfinite(world.mesh.vertices).all()
