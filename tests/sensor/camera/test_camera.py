"""What a camera sees, against what it must see."""

from __future__ import annotations

import numpy as np
import pytest
import simplejpeg

from dorosim.endpoint.sensor.pool import ThreadPool
from dorosim.ground.mesh import Mesh
from dorosim.sensor.camera.camera import jpeg_of
from dorosim.sensor.camera.palette import depth_picture, instance_picture, semantic_picture
from dorosim.sensor.scene.material import Material
from dorosim.sensor.scene.semantic import COLOUR, Semantic
from tests.sensor.camera.shot import camera, shoot, turn, view_of
from tests.sensor.scene.build import box, instances, plane, pose, scene_of


@pytest.fixture(scope="module")
def street():
    """A car at 10 m and one at 25 m to the left, on asphalt, with a wall beside."""
    static = Mesh.joined((plane(), box((30.0, 0.2, 3.0), (20.0, -6.0, 3.0), Material.BRICK)))
    return view_of(static, [box((2.0, 0.9, 0.7), (0.0, 0.0, 0.8))], [pose(10, 0, 0), pose(25, 3, 0, 0.4)])


def rays_of(lens, pitch=0.0):
    """Rays of all pixels in map, of length 1 along the optical axis."""
    table = lens.rays[0, :, :, : lens.settings.width].astype(float)
    right, down, forward = np.array([(0, -1, 0), (0, 0, -1), (1, 0, 0)]) @ turn(0, pitch).T
    return table[0][..., None] * right + table[1][..., None] * down + forward


def test_depth_of_a_plane(street):
    view = view_of(plane(half=2000.0))
    lens = camera(near=0.1, far=500.0)
    picture = shoot(view, (0.0, 0.0, 2.0), pitch=0.2, lens=lens)
    ray = rays_of(lens, 0.2)
    with np.errstate(divide="ignore"):
        truth = np.where(ray[..., 2] < 0.0, -2.0 / ray[..., 2], np.inf)
    near = truth < 100.0
    assert near.mean() > 0.5
    assert np.abs(picture.depth[near] - truth[near]).max() < 1e-3
    assert np.all(np.isinf(picture.depth[truth > 501.0]))
    assert np.all(picture.semantic[~np.isfinite(truth)] == Semantic.SKY)
    assert np.all(picture.semantic[near] == Semantic.ASPHALT)


def test_depth_through_a_lens_that_bends():
    view = view_of(box((0.1, 100.0, 100.0), (20.1, 0.0, 0.0)))
    picture = shoot(view, lens=camera(distortion=(-0.2, 0.04, 0.001, 0.0, 0.0)))
    assert np.abs(picture.depth - 20.0).max() < 1e-3, "a wall across the axis has one depth, whatever the lens"


def test_classes_and_instances(street):
    picture = shoot(street)
    centre = (120, 160)
    assert picture.instance[centre] == 1
    assert picture.semantic[centre] == Semantic.SEDAN
    assert set(np.unique(picture.instance)) == {0, 1, 2}
    assert np.all((picture.instance > 0) == (picture.semantic == Semantic.SEDAN))
    assert {Semantic.SKY, Semantic.ASPHALT, Semantic.BUILDING} <= set(np.unique(picture.semantic))
    assert np.array_equal(semantic_picture(picture.semantic)[centre], COLOUR[Semantic.SEDAN])
    colours = instance_picture(picture.instance)
    assert not colours[picture.instance == 0].any()
    assert len(np.unique(colours.reshape(-1, 3), axis=0)) == 3


@pytest.mark.parametrize("samples", [1, 4])
def test_the_bytes_do_not_depend_on_threads(street, samples):
    lens = camera(samples=samples)
    alone = shoot(street, lens=lens)
    for threads in (1, 2, 4):
        pool = ThreadPool(threads)
        together = shoot(street, lens=lens, pool=pool)
        pool.close()
        for name in ("rgb", "depth", "semantic", "instance"):
            assert getattr(together, name).tobytes() == getattr(alone, name).tobytes(), name
        assert np.array_equal(together.boxes.covered, alone.boxes.covered)
        assert together.boxes.bounds.tobytes() == alone.boxes.bounds.tobytes()


def test_a_picture_does_not_depend_on_the_one_before(street):
    lens = camera()
    first = shoot(street, lens=lens)
    shoot(street, (3.0, 2.0, 1.0), yaw=2.0, lens=lens)
    assert shoot(street, lens=lens).rgb.tobytes() == first.rgb.tobytes()


def test_widths_that_are_no_multiple_of_a_packet(street):
    wide, narrow = camera(96, 60), camera(90, 60, focal_length=(48.0, 48.0), principal_point=(48.0, 30.0))
    assert np.array_equal(shoot(street, lens=wide).rgb[:, :90], shoot(street, lens=narrow).rgb)


def test_shadows_fall_away_from_the_sun():
    post = box((0.2, 3.0, 2.0), (10.0, 0.0, 2.0))
    view = view_of(Mesh.joined((plane(), post)))
    picture = shoot(view, (10.0, 0.0, 30.0), pitch=np.pi / 2, lens=camera(focal_length=(300.0, 300.0)))
    ground = picture.semantic == Semantic.ASPHALT
    level = picture.rgb.astype(float).mean(axis=2)
    shadow = ground & (level < 0.6 * np.median(level[ground]))
    rows, columns = np.nonzero(shadow)
    assert len(rows) > 30
    assert columns.mean() < 160, "the sun is in the south at noon, so the shadow falls north, to the left of a camera "


def test_neither_the_carrier_nor_its_shadow_is_seen(street):
    from_inside = (10.0, 0.0, 1.0)
    assert (shoot(street, from_inside).instance == 1).all()
    free = shoot(street, from_inside, own=1)
    assert not (free.instance == 1).any()
    assert (free.instance == 2).any()
    assert 1 not in free.boxes.actor
    beside = (10.0, -3.0, 3.0)
    empty = view_of(Mesh.joined((plane(), box((30.0, 0.2, 3.0), (20.0, -6.0, 3.0), Material.BRICK))))
    hidden = shoot(street, beside, yaw=1.5, pitch=0.5, own=1)
    without = shoot(empty, beside, yaw=1.5, pitch=0.5)
    seen = shoot(street, beside, yaw=1.5, pitch=0.5)
    bare = without.rgb.astype(int).sum(axis=2) - 20
    darker, shaded = (shot.rgb.astype(int).sum(axis=2) < bare for shot in (hidden, seen))
    assert shaded.sum() > 50 + darker.sum()


def test_smooth_edges_have_colours_between(street):
    rough, smooth = shoot(street, lens=camera()), shoot(street, lens=camera(samples=4))
    assert np.array_equal(rough.depth, smooth.depth)
    assert np.array_equal(rough.instance, smooth.instance)
    changed = np.abs(rough.rgb.astype(int) - smooth.rgb).max(axis=2) > 8
    assert 0.001 < changed.mean() < 0.25


def test_lamps_shine_where_they_are_lit():
    from dorosim.sensor.scene.view import SensorScene

    scene = SensorScene.from_meshes(plane(), [box((0.1, 1.0, 1.0), (0.0, 0.0, 1.0), Material.BRAKE_LAMP)])
    placement = instances([pose(8, 0, 0)])
    dark = shoot(scene.place(placement)).rgb[120, 160].astype(int)
    placement.lamp[:] = 1 << 2
    lit = shoot(scene.place(placement)).rgb[120, 160].astype(int)
    assert lit[0] > dark[0] + 50
    assert max(lit[1:]) < 60, "red, not orange"


def test_paint_is_the_instances_own():
    scene, _ = scene_of(plane(), [box((1.0, 1.0, 1.0), (0, 0, 1), Material.PAINT)])
    placement = instances([pose(8, 3, 0), pose(8, -3, 0)])
    placement.paint[0], placement.paint[1] = (0.6, 0.05, 0.05), (0.05, 0.05, 0.6)
    picture = shoot(scene.place(placement))
    red, blue = (picture.rgb[picture.instance == actor].mean(axis=0) for actor in (1, 2))
    assert red[0] > 2 * red[2]
    assert blue[2] > 2 * blue[0]


def test_a_camera_for_boxes_alone_makes_no_colours(street):
    picture = shoot(street, lens=camera(rgb=False))
    assert picture.rgb is None
    assert len(picture.boxes.actor) == 2


def test_pictures_are_read_from_their_jpeg(street):
    rgb = shoot(street).rgb
    back = simplejpeg.decode_jpeg(jpeg_of(rgb, 95))
    assert back.shape == rgb.shape
    assert np.abs(back.astype(int) - rgb).mean() < 4.0
    assert len(jpeg_of(rgb, 30)) < len(jpeg_of(rgb, 95))


def test_the_depth_picture_is_white_near_and_black_far():
    grey = depth_picture(np.array([[0.05, 1.0, 10.0, 1000.0, np.inf]], np.float32), 0.1, 1000.0)[0, :, 0]
    assert grey.tolist() == pytest.approx([255, 191, 127, 0, 0], abs=1)
