"""Boxes against projected corners, and occlusion in scenes where it is known."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from dorosim.ground.mesh import Mesh
from dorosim.sensor.camera.box import EDGES, BoundingBoxes, bounds_of
from dorosim.sensor.camera.lens import OPTICAL_FROM_MOUNT, Lens
from dorosim.sensor.camera.setting import CameraModel
from dorosim.sensor.scene.material import Material
from dorosim.sensor.scene.semantic import COLOUR, Semantic
from tests.sensor.camera.shot import camera, shoot, turn, view_of
from tests.sensor.scene.build import box, instances, plane, pose, scene_of

HALF = (2.0, 0.9, 0.7)
CAR = box(HALF, (1.4, 0.0, 0.7))


def corners_in_map(at, yaw):
    """Corners of `CAR` by numbers whose bits are front, left and top."""
    signs = np.array(list(itertools.product((-1, 1), repeat=3)))
    c, s = np.cos(yaw), np.sin(yaw)
    body = signs * HALF + (1.4, 0.0, 0.7)
    return body @ np.array([(c, -s, 0), (s, c, 0), (0, 0, 1)]).T + at


def test_edges_join_corners_that_differ_in_one_bit():
    drawn_by_a_client = "01 02 04 13 15 23 26 37 45 46 57 67"
    assert {tuple(edge) for edge in EDGES.tolist()} == {(int(a), int(b)) for a, b in drawn_by_a_client.split()}  # type: ignore[str-unpack]


@pytest.mark.parametrize("yaw", [0.0, 0.7, 2.5])
@pytest.mark.parametrize("origin", [0.0, 30_000.0])
def test_boxes_are_at_the_projected_corners(yaw, origin):
    at, eye = np.array((origin + 14.0, 2.0, 0.0)), np.array((origin, -1.0, 1.6))
    view = view_of(plane().moved((origin, 0, 0)), [CAR], [pose(*at, yaw)])  # type: ignore[call-arg]
    settings = CameraModel(width=640, height=480)
    boxes = shoot(view, eye, yaw=0.1, pitch=0.05, lens=camera(640, 480)).boxes
    optical = (corners_in_map(at, yaw) - eye) @ (OPTICAL_FROM_MOUNT @ turn(0.1, 0.05).T).T
    assert boxes.corners[0] == pytest.approx(optical, abs=2e-3)
    pixels = optical[:, :2] / optical[:, 2:] * settings.intrinsics[0] + (320.0, 240.0)
    truth = np.concatenate((pixels.min(axis=0), pixels.max(axis=0)))
    assert np.abs(boxes.bounds[0] - truth).max() < 0.1


def test_bounds_hold_the_pixels_that_are_seen():
    view = view_of(plane(), [CAR], [pose(12, 2, 0, 0.5), pose(30, -5, 0, 1.0)])
    for distortion in ((0.0,) * 5, (-0.25, 0.06, 0.0, 0.0, 0.0)):
        picture = shoot(view, lens=camera(640, 480, distortion=distortion))
        for actor, (left, top, right, bottom) in zip(picture.boxes.actor, picture.boxes.bounds, strict=True):
            rows, columns = np.nonzero(picture.instance == actor)
            assert left - 1.0 < columns.min() + 0.5 < left + 1.5
            assert right - 1.5 < columns.max() + 0.5 < right + 1.0
            assert top - 1.0 < rows.min() + 0.5 < top + 1.5
            assert bottom - 1.5 < rows.max() + 0.5 < bottom + 1.0


def hidden(boxes: BoundingBoxes) -> np.ndarray:
    """Part of what is inside the picture that something hides, 0 to 1."""
    return 1.0 - boxes.visible / boxes.covered


def test_occlusion_by_a_wall():
    """A wall stands before the right half of a cube: as many pixels are hidden as the cube shows without it."""
    cube = box((1.0, 1.0, 1.0), (0.0, 0.0, 1.5))
    half_wall = box((0.1, 10.0, 10.0), (5.0, -10.0, 0.0), Material.BRICK)
    free = view_of(plane(-5.0), [cube], [pose(10, 0, 0)])
    behind = view_of(Mesh.joined((plane(-5.0), half_wall)), [cube], [pose(10, 0, 0)])
    whole, part = shoot(free).boxes, shoot(behind).boxes
    assert whole.covered[0] == whole.visible[0]
    assert hidden(whole)[0] == 0.0
    assert part.covered[0] == whole.visible[0]
    assert part.visible[0] == pytest.approx(whole.visible[0] / 2, rel=0.02)
    assert hidden(part)[0] == pytest.approx(0.5, abs=0.02)


def test_occlusion_by_another_actor_counts_every_pixel():
    cube = box((1.0, 1.0, 1.0), (0.0, 0.0, 1.0))
    poses = [pose(20, 3.4, 0, 0.3), pose(8, -0.8, 0, 0.1), pose(14, 1.5, 0)]
    view = view_of(plane(), [cube], poses)
    boxes = shoot(view, lens=camera(640, 480)).boxes
    assert boxes.actor.tolist() == [2, 3, 1], "nearest first"
    for actor, visible, covered in zip(boxes.actor, boxes.visible, boxes.covered, strict=True):
        alone = view_of(plane(), [cube], [poses[actor - 1]])
        truth = shoot(alone, lens=camera(640, 480)).boxes
        assert covered == truth.visible[0]
        assert visible <= covered
    assert hidden(boxes)[0] == 0.0
    assert 0.1 < hidden(boxes)[2] < 1.0


def test_what_is_wholly_hidden_has_no_box():
    wall = box((0.1, 20.0, 20.0), (5.0, 0.0, 0.0), Material.BRICK)
    view = view_of(Mesh.joined((plane(), wall)), [CAR], [pose(10, 0, 0)])
    assert len(shoot(view).boxes.actor) == 0


def test_boxes_reach_behind_the_camera():
    """A bus beside the camera: its box is cut at the border and at the plane of the camera."""
    bus = box((6.0, 1.2, 1.5), (0.0, 0.0, 1.5))
    view = view_of(plane(), [bus], [pose(1.0, 3.0, 0.0)])
    boxes = shoot(view).boxes
    assert boxes.corners[0, :, 2].min() < 0.0
    left, top, right, bottom = boxes.bounds[0]
    assert (left, top, bottom) == (0.0, 0.0, 240.0)
    assert right == pytest.approx(160.0 - 160.0 * 1.8 / 7.0, abs=0.01), "its far right edge"


def test_what_is_behind_the_camera_has_no_bounds():
    lens = Lens.of(CameraModel())
    behind = np.array(list(itertools.product((-1.0, 1.0), (-1.0, 1.0), (-6.0, -3.0))))[None]
    assert not bounds_of(behind, lens, 0.05).any()


def test_bounds_are_cut_at_the_border():
    view = view_of(plane(), [CAR], [pose(6, 5.2, 0)])
    left, top, right, bottom = shoot(view).boxes.bounds[0]
    assert left == 0.0
    assert 0.0 < right < 320.0
    assert 0.0 < top < bottom < 240.0


def test_classes_of_boxes_have_colours_and_signs_have_no_boxes():
    scene, _ = scene_of(plane(), [CAR])
    placement = instances([pose(10, -4, 0), pose(10, 0, 0), pose(10, 4, 0)])
    placement.label[:] = (Semantic.BUS, Semantic.TRAFFIC_LIGHT, -1)
    boxes = shoot(scene.place(placement)).boxes
    assert sorted(boxes.actor.tolist()) == [1, 3]
    colours = {actor: tuple(colour) for actor, colour in zip(boxes.actor, boxes.class_colour.tolist(), strict=True)}
    assert colours[1] == tuple(COLOUR[Semantic.BUS])
    assert any(colours[3])
    assert boxes.own_colour.any(axis=1).all(), "black would end the list of receivers"


def test_small_ones_are_left_out():
    view = view_of(plane(), [CAR], [pose(10, 0, 0), pose(150, 60, 0)])
    assert len(shoot(view).boxes.actor) == 2
    assert shoot(view, lens=camera(smallest_box=200)).boxes.actor.tolist() == [1]
