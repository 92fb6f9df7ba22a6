"""Rays that are not cast among actors would have met none: pictures are the same with all cells marked."""

from __future__ import annotations

import numpy as np
import pytest

from dorosim.sensor.camera import camera as camera_module
from dorosim.sensor.camera.near_kernel import PICTURE_CELLS, SHADOW_SIDE, SIDE, Near, near_of
from tests.sensor.camera.shot import NOON, camera, shoot, turn, view_of
from tests.sensor.camera.street import light_at, street
from tests.sensor.scene.build import box, plane, pose


def cells_of(rays: np.ndarray) -> np.ndarray:
    """In which cell of the picture's grid each ray is, `(H, W)`."""
    across, down = np.floor(rays[0] * np.float32(PICTURE_CELLS)).astype(int) % SIDE
    return np.asarray(down * SIDE + across)


def cast_everywhere(view, aim, light) -> Near:
    near = near_of(view, aim, light)
    return near._replace(picture=np.ones_like(near.picture), shadow=np.ones_like(near.shadow))


@pytest.mark.parametrize("hour", [6.5, 12.0, 17.5, 23.0])
@pytest.mark.parametrize("seed", range(6))
def test_pictures_are_the_same_with_and_without(seed, hour, monkeypatch):
    view = street(seed)
    light = light_at(hour)
    random = np.random.default_rng(100 + seed)
    for lens in (camera(), camera(distortion=(-0.2, 0.04, 0.001, 0.0, 0.0)), camera(field_of_view=2.6, samples=4)):
        at, yaw = (*random.uniform(-30, 30, 2), random.uniform(0.5, 3.0)), random.uniform(0, 6)
        own = int(random.integers(0, 3))
        with monkeypatch.context() as patched:
            few = shoot(view, at, yaw, 0.1, lens, light=light, own=own)
            patched.setattr(camera_module, "near_of", cast_everywhere)
            every = shoot(view, at, yaw, 0.1, lens, light=light, own=own)
        assert few.rgb.tobytes() == every.rgb.tobytes()
        assert few.instance.tobytes() == every.instance.tobytes()
        assert few.depth.tobytes() == every.depth.tobytes()


def test_most_rays_are_not_cast_among_actors():
    """One car 30 m ahead: few cells of the picture, and few of the shadows, can hold it."""
    view = view_of(plane(), [box((2.0, 0.9, 0.7), (0.0, 0.0, 0.8))], [pose(30.0, 0.0, 0.0)])
    aim = camera().aim_at(view, np.array((0.0, 0.0, 1.5)), turn())
    near = near_of(view, aim, NOON)
    assert 0 < near.picture.sum() < SIDE * SIDE / 40
    assert 0 < near.shadow.sum() < SIDE * SIDE / 20


def test_a_camera_does_not_look_for_its_own_vehicle():
    view = view_of(plane(), [box((2.0, 0.9, 0.7), (0.0, 0.0, 0.8))], [pose(0.0, 0.0, 0.0)])
    place = np.array((1.0, 0.0, 1.5))
    assert near_of(view, camera().aim_at(view, place, turn(), 1), NOON).picture.sum() == 0
    seen = near_of(view, camera().aim_at(view, place, turn(), 0), NOON).picture
    assert seen[cells_of(camera().rays)].all()


def test_a_car_beside_the_camera_or_behind_it_marks_nothing_of_the_picture():
    view = view_of(plane(), [box((2.0, 0.9, 0.7), (0.0, 0.0, 0.8))], [pose(1.0, 12.0, 0.0), pose(-4.0, 1.0, 0.0)])
    assert near_of(view, camera().aim_at(view, np.array((0.0, 0.0, 1.5)), turn()), NOON).picture.sum() == 0


def test_a_car_that_reaches_into_the_picture_from_beside_the_camera_marks_its_side():
    view = view_of(plane(), [box((2.0, 0.9, 0.7), (0.0, 0.0, 0.8))], [pose(1.0, -2.5, 0.0)])
    lens = camera()
    seen = near_of(view, lens.aim_at(view, np.array((0.0, 0.0, 1.5)), turn()), NOON).picture
    marked = seen[cells_of(lens.rays)]
    assert marked[:, -1].all()
    assert not marked[:, 0].any()


def test_shadows_of_cars_in_other_streets_are_not_looked_for():
    """Cells repeat after 512 m, so a car 130 m away is not in those of one beside the camera."""
    cars = [pose(130.0, 0.0, 0.0)]
    view = view_of(plane(), [box((2.0, 0.9, 0.7), (0.0, 0.0, 0.8))], cars)
    near = near_of(view, camera().aim_at(view, np.array((0.0, 0.0, 1.5)), turn()), NOON)
    marked = np.argwhere(near.shadow.reshape(SHADOW_SIDE, SHADOW_SIDE))[:, 1]
    assert ((marked > 56) & (marked < 72)).all()


def test_a_lean_camera_makes_the_same_picture_and_no_more():
    from dorosim.sensor.camera.camera import Camera

    view = street(3)
    whole = camera(depth=False, semantic=False, instance=False, boxes=False)
    lean = Camera(whole.settings, lean=True)
    full, bare = shoot(view, lens=whole), shoot(view, lens=lean)
    assert full.rgb.tobytes() == bare.rgb.tobytes()
    assert full.depth.shape == (240, 320)
    assert bare.depth.shape == bare.semantic.shape == (0, 320)
