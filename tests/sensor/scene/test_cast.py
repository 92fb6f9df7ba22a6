"""Distances and normals of cast rays against planes, boxes and spheres, which have formulas."""

import gc
import time
import weakref

import numpy as np
import pytest

from dorosim.ground.mesh import Mesh
from dorosim.sensor.scene.embree_kernel import cast_rays
from dorosim.sensor.scene.material import Material
from dorosim.sensor.scene.standard import StandardScene
from tests.sensor.scene.build import box, instances, plane, pose, scene_of, sphere_mesh

MM = 1e-3
FAR = 1000.0


def directions(count, seed=0):
    drawn = np.random.default_rng(seed).normal(size=(count, 3))
    return drawn / np.linalg.norm(drawn, axis=1)[:, None]


def cast(view, origin, direction, far=FAR):
    origin = np.ascontiguousarray(np.broadcast_to(np.asarray(origin, float), direction.shape))
    return cast_rays(view, origin, direction, np.full(len(direction), far), 0)


def box_distance(origin, direction, half):
    """Slabs: where a ray from outside meets a box about the frame's origin, and the normal there."""
    with np.errstate(divide="ignore"):
        enter = (-np.sign(direction) * half - origin) / direction
        leave = (np.sign(direction) * half - origin) / direction
    near, far = enter.max(axis=1), leave.min(axis=1)
    axis = enter.argmax(axis=1)
    normal = np.zeros_like(direction)
    normal[np.arange(len(axis)), axis] = -np.sign(direction[np.arange(len(axis)), axis])
    return np.where((near <= far) & (near > 0), near, np.inf), normal


@pytest.mark.parametrize("place", [(0.0, 0.0, 0.0), (12_345.678, -9_876.543, 456.789)])
def test_a_plane_is_met_where_the_formula_says_wherever_the_map_lies(place):
    scene, view = scene_of(plane().moved(place))
    assert scene
    way = directions(5000)
    start = np.add(place, (0.123, 0.456, 2.5))
    distance, normal, row, material = cast(view, start, way)
    expected = -2.5 / way[:, 2]
    down = (way[:, 2] < 0) & (expected < 100.0)
    assert down.sum() > 1000
    assert np.abs(distance[down] - expected[down]).max() < MM
    assert np.abs(normal[down] - (0, 0, 1)).max() < 1e-5
    assert (row[down] == 0).all()
    assert (material[down] == Material.ASPHALT).all()
    assert (row[way[:, 2] > 0] == -1).all()
    assert np.isinf(distance[way[:, 2] > 0]).all()


def test_a_turned_box_is_met_on_the_right_side():
    half, yaw, place = np.array((2.3, 0.9, 0.7)), 0.7, np.array((40.0, -25.0, 3.0))
    scene, view = scene_of(plane(-50.0), [box(half)], [pose(*place, yaw)])  # type: ignore[call-arg]
    assert scene
    way = (place - 0) + directions(4000) * 3.0
    way /= np.linalg.norm(way, axis=1)[:, None]
    distance, normal, row, _ = cast(view, (0, 0, 0), way, 100.0)
    turn = pose(*place, yaw)[:, :3]  # type: ignore[call-arg]
    expected, side = box_distance(-place @ turn, way @ turn, half)
    hit = row == 1
    assert (hit == np.isfinite(expected)).mean() > 0.999
    both = hit & np.isfinite(expected)
    assert both.sum() > 500
    assert np.abs(distance[both] - expected[both]).max() < MM
    assert np.abs(normal[both] - side[both] @ turn.T).max() < 1e-4
    assert view.actor[1] == 1


def test_a_sphere_is_round_to_a_fraction_of_a_millimetre():
    ball = sphere_mesh(1.0, Material.STONE, rings=160)
    place = np.array((60.0, 30.0, 5.0))
    scene, view = scene_of(plane(-50.0), [ball], [pose(*place)])
    assert scene
    way = place + directions(3000) * 0.6
    way /= np.linalg.norm(way, axis=1)[:, None]
    distance, normal, row, _ = cast(view, (0, 0, 0), way)
    along = way @ place
    expected = along - np.sqrt(1.0 - (place @ place - along**2))
    assert (row == 1).all()
    assert np.abs(distance - expected).max() < MM
    outward = way * distance[:, None] - place
    assert np.sum(normal * outward, axis=1).min() > 0.9995


def test_normals_stay_upright_on_a_stretched_model():
    slope = Mesh.of([(-1, -1, 0), (1, -1, 1), (0, 1, 0)], [(0, 1, 2)], Material.STONE)
    scale = np.array((3.0, 0.5, 2.0))
    scene, view = scene_of(plane(-50.0), [slope], [pose(0, 0, 0, 0.4, scale)])
    assert scene
    _, normal, row, _ = cast(view, (0, 0, 10), np.array([(0.0, 0.0, -1.0)]))
    corners = slope.vertices @ pose(0, 0, 0, 0.4, scale)[:, :3].T
    expected = np.cross(corners[1] - corners[0], corners[2] - corners[0])
    assert row[0] == 1
    assert np.allclose(normal[0], expected / np.linalg.norm(expected), atol=1e-5)


def test_no_ray_slips_between_triangles():
    rng = np.random.default_rng(3)
    grid = np.arange(-20, 21.0)
    x, y = (part.ravel() for part in np.meshgrid(grid, grid, indexing="ij"))
    i = np.arange(40 * 41).reshape(40, 41)[:, :40].ravel()
    faces = np.concatenate((np.column_stack((i, i + 41, i + 42)), np.column_stack((i, i + 42, i + 1))))
    ground = Mesh.of(np.column_stack((x, y, rng.uniform(0, 0.3, len(x)))), faces, Material.GRASS)
    scene, view = scene_of(ground)
    assert scene
    target = np.column_stack((rng.integers(-19, 19, 20_000), rng.uniform(-19, 19, 20_000), np.zeros(20_000)))
    way = target - (0.5, 0.25, 30.0)
    _, _, row, _ = cast(view, (0.5, 0.25, 30.0), way / np.linalg.norm(way, axis=1)[:, None])
    assert (row == 0).all()


def test_instances_come_and_go_without_a_trace():
    scene, view = scene_of(plane(), [box((1, 1, 1)), box((2, 2, 2))], [pose(10, 0, 1)])
    ahead = np.array([(1.0, 0.0, 0.0)])
    assert cast(view, (0, 0, 1), ahead)[0][0] == pytest.approx(9.0, abs=MM)
    view = scene.place(instances([pose(20, 0, 1), pose(15, 0, 1)], [0, 1]))
    assert cast(view, (0, 0, 1), ahead)[0][0] == pytest.approx(13.0, abs=MM)
    many = scene.place(instances([pose(50 + 3 * k, 0, 1) for k in range(1000)]))
    assert len(many.actor) == 1001
    assert cast(many, (0, 0, 1), ahead)[0][0] == pytest.approx(49.0, abs=MM)
    none = scene.place(instances([]))
    assert cast(none, (0, 0, 1), ahead)[2][0] == -1


def test_a_view_keeps_what_it_shows_and_nothing_keeps_it_longer():
    scene, view = scene_of(plane(), [box((1.0, 1.0, 1.0))], [pose(0.0, 0.0, 1.0)])
    stage = weakref.ref(scene._stage)
    alone = view._replace(lamp=view.lamp)
    del scene, view
    gc.collect()
    distance, *_ = cast(alone, (0.0, 0.0, 10.0), np.array([(0.0, 0.0, -1.0)]))
    assert distance[0] == pytest.approx(8.0, abs=MM)
    del alone
    gc.collect()
    assert stage() is None


@pytest.mark.soak
def test_no_thread_stays_awake_beside_several_scenes():
    scenes = [StandardScene(seed) for seed in range(2)]
    busy = time.process_time()
    time.sleep(0.3)
    assert time.process_time() - busy < 0.1
    assert len(scenes) == 2
