"""Shapes of actors, where they stand, and their lamps."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dorosim.bridge.view.crowd import CrowdMaker, quaternions
from dorosim.bridge.view.shape import shapes_of
from dorosim.sensor.scene.material import VehicleLamp
from dorosim.sensor.scene.placement import ActorPlacement
from dorosim.world.environment.command import SetTimeOfDay
from dorosim.world.snapshot import EGO
from tests.bridge.view.glb import read
from tests.bridge.view.shown import ORIGIN, models, shown_street, world_on_street


@pytest.fixture(scope="module")
def shapes():
    return shapes_of(models())


@pytest.fixture(scope="module")
def maker(shapes):
    run = shown_street()
    return CrowdMaker(run.scene, run.models, shapes, ORIGIN)


def turned(wxyz, points):
    w, v = wxyz[0], np.asarray(wxyz[1:])
    return points + 2.0 * np.cross(v, np.cross(v, points) + w * points)


def test_few_shapes_stand_for_many_models_and_fill_their_boxes(shapes):
    assert len(shapes.shapes) < 0.6 * len(models().meshes)
    for row, mesh in enumerate(models().meshes):
        shape = shapes.shapes[shapes.shape[row]]
        parts = [shape.vertices] if len(shape.faces) else []
        parts += [np.asarray(read(shape.fixed).vertices)] if shape.fixed else []
        points = np.concatenate(parts) * shapes.scale[row] + shapes.offset[row]
        low, high = mesh.bounds
        walking = any(
            first < row <= first + n for first, n in zip(models().person, models().person_phases, strict=True)
        )
        tolerance = 0.25 if walking else 0.02  # of two phases of walking, one is drawn
        assert np.abs(points.min(axis=0) - low).max() < tolerance, row
        assert np.abs(points.max(axis=0) - high).max() < tolerance, row


def test_shapes_from_afar_fill_the_boxes_with_few_triangles(shapes):
    row = int(models().vehicle[0])
    shape = shapes.shapes[shapes.far[row]]
    points = np.concatenate((shape.vertices, np.asarray(read(shape.fixed).vertices)))
    points = points * shapes.far_scale[row] + shapes.far_offset[row]
    centre, half = models().centre[row], models().half_size[row]
    assert np.abs(points.max(axis=0) - (centre + half)).max() < 0.05
    assert shape.triangles < 60 < 1000 < shapes.shapes[shapes.shape[row]].triangles


def test_actors_stand_where_sensors_see_them(maker, shapes):
    now = world_on_street().now
    crowd = maker.of(now)
    ids = np.concatenate([group.actor for group in crowd.groups.values()])
    assert sorted(ids.tolist()) == [EGO, 2, 3]
    placed = ActorPlacement(shown_street().scene, models()).of(now)
    for group in crowd.groups.values():
        for k, actor in enumerate(group.actor.tolist()):
            row = placed.actor.tolist().index(actor)
            pose = placed.pose[row]
            point = np.array((1.0, 0.5, 0.25))
            model = int(placed.model[row])
            seen = group.position[k] + turned(group.wxyz[k], point * group.scale[k]) + ORIGIN
            meant = pose[:, :3] @ (shapes.scale[model] * point + shapes.offset[model]) + pose[:, 3]
            assert seen == pytest.approx(meant, abs=1e-3)


def test_those_far_away_are_boxes_where_they_are(maker, shapes):
    now = world_on_street().now
    crowd = maker.of(now, (50.0 - ORIGIN[0], 0.0 - ORIGIN[1]), 20.0)
    near = {actor for number, group in crowd.groups.items() for actor in group.actor if number in set(shapes.shape)}
    assert near == {EGO, 3}
    (group,) = (group for number, group in crowd.groups.items() if number not in set(shapes.shape))
    assert group.actor.tolist() == [2]
    middle = 0.5 * float(shown_street().scene.body_sizes[4, 4]) + ORIGIN[0]
    assert abs(group.position[0, 0] + ORIGIN[0] - 100.0) < middle


def test_lamps_burn_where_the_shape_has_them(maker):
    world = world_on_street()
    day = maker.of(world.now)
    assert set(day.lamps) <= {VehicleLamp.BRAKE}, "by day nobody has lamps on who does not brake"
    assert not len(day.beams.position)
    world.do(SetTimeOfDay(0.0))
    night = maker.of(world.now)
    assert {VehicleLamp.HEAD, VehicleLamp.TAIL} <= set(night.lamps)
    heads = night.lamps[VehicleLamp.HEAD].position + np.asarray(ORIGIN)
    ego = heads[np.abs(heads[:, 0] - 50.0) < 10.0]
    assert len(ego) == 2
    assert sorted(np.sign(ego[:, 1]).tolist()) == [-1.0, 1.0]
    assert (ego[:, 0] > 52.0).all(), "in front"
    assert len(night.beams.position) == 2


def test_quaternions_turn_as_their_matrices_do():
    rng = np.random.default_rng(1)
    given = rng.normal(size=(200, 4))
    given /= np.linalg.norm(given, axis=1)[:, None]
    given[:3] = np.eye(4)[1:]
    given = np.where(given[:, :1] < 0, -given, given)
    w, x, y, z = given.T
    matrix = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    ).transpose(2, 0, 1)
    assert np.abs(quaternions(matrix) - given).max() < 1e-6
    assert quaternions(np.eye(3)[None]).tolist() == [[1.0, 0.0, 0.0, 0.0]]
    assert math.isclose(float(np.linalg.norm(quaternions(matrix), axis=1).min()), 1.0)


def test_who_is_near_has_a_shadow_of_his_size_on_the_ground(maker):
    now = world_on_street().now
    shadows = maker.of(now, (50.0 - ORIGIN[0], 0.0 - ORIGIN[1]), 20.0).shadows
    assert len(shadows.position) == 2, "the ego and the person; the other car is far"
    order = np.argsort(-shadows.scale[:, 0])
    (car, person), (length, _) = shadows.position[order] + np.asarray(ORIGIN), shadows.scale[order, 0]
    assert 3.5 < length < 5.5
    assert 50.0 < car[0] < 52.5, "its middle, ahead of the rear axle"
    assert person[:2] == pytest.approx((60.0, -8.0), abs=0.2)
    assert (car[2], person[2]) == pytest.approx((0.05, 0.05), abs=0.03)
