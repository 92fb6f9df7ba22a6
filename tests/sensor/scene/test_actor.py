"""Actors: how large they are, where they stand, what burns on them, and what is left when they go."""

import functools
import resource

import numpy as np
import pytest

from dorosim.ground.noise import Noise
from dorosim.scenario.population import population
from dorosim.sensor.scene.actor.catalogue import ActorModels, actor_models
from dorosim.sensor.scene.actor.obstacle import obstacle_mesh
from dorosim.sensor.scene.actor.person import phases_of
from dorosim.sensor.scene.embree_kernel import cast_rays
from dorosim.sensor.scene.material import FIRST_LAMP, LAMPS, Material, VehicleLamp
from dorosim.sensor.scene.semantic import COLOUR, Semantic
from dorosim.world.obstacle.command import SpawnObstacle
from dorosim.world.obstacle.state import OBSTACLE_MODELS
from dorosim.world.pedestrian.command import SpawnPedestrian
from dorosim.world.pedestrian.model import PASSERS_BY, PEDESTRIAN_MODELS, pedestrian_model_row
from dorosim.world.snapshot import EGO
from dorosim.world.step import step
from dorosim.world.vehicle.catalogue import VEHICLE_MODELS
from dorosim.world.vehicle.command import DriveVehicle
from dorosim.world.vehicle.mode import ControlKind
from tests.sensor.scene.build import box, instances, plane, pose, scene_of
from tests.sensor.scene.town import town, town_scene


@functools.cache
def models() -> ActorModels:
    """Of all actors; made when the first test needs them."""
    return actor_models(VEHICLE_MODELS)


@pytest.mark.parametrize("row", range(len(VEHICLE_MODELS)), ids=[model.name for model in VEHICLE_MODELS])
def test_a_vehicle_fills_its_box(row):
    model, mesh = VEHICLE_MODELS[row], models().meshes[models().vehicle[row]]
    low, high = mesh.bounds
    assert low == pytest.approx((-model.rear_overhang, -0.5 * model.width, 0.0), abs=1e-9)
    front = model.length - model.rear_overhang
    assert high == pytest.approx((front, 0.5 * model.width, model.height), abs=1e-9)
    used = set(mesh.material.tolist())
    assert {Material.PAINT, Material.HEAD_LAMP, Material.BRAKE_LAMP, Material.LEFT_LAMP} <= used


@pytest.mark.parametrize("model", PEDESTRIAN_MODELS, ids=lambda model: model.name)
def test_a_person_fits_its_box_in_every_phase(model):
    half = np.array((0.5 * model.length, 0.5 * model.width))
    for mesh in phases_of(model):
        low, high = mesh.bounds
        assert (low >= np.array([*-half, 0.0]) - 1e-9).all()
        assert (high <= np.array([*half, model.height]) + 1e-9).all()
        assert high[2] == pytest.approx(model.height)


def test_a_motorbike_is_seen_as_one_with_lamps():
    row, exact = pedestrian_model_row("motorbike")
    assert exact
    assert pedestrian_model_row("Honda_Motorcycle_01")[0] == row
    assert row >= PASSERS_BY, "nobody rides one by chance"
    assert models().label[models().person[row]] == Semantic.MOTORBIKE_PERSON
    assert {Material.HEAD_LAMP, Material.BRAKE_LAMP} <= set(models().meshes[models().person[row]].material.tolist())


@pytest.mark.parametrize("model", OBSTACLE_MODELS, ids=lambda model: model.name)
def test_an_obstacle_fills_its_box(model):
    low, high = obstacle_mesh(model).bounds
    size = np.array((model.length, model.width, model.height))
    assert high - low == pytest.approx(size)
    assert low[2] == 0.0


def test_every_class_has_a_colour_of_its_own():
    assert len(np.unique(COLOUR, axis=0)) == len(Semantic)


def crowd(vehicles=30, people=12):
    made, noise = town(), Noise(1)
    now = step(made.scene, made.first, population(made.scene, made.first, noise, vehicles, people), noise)
    for _ in range(100):
        now = step(made.scene, now, (), noise)
    return now


def test_every_actor_is_seen_where_it_stands():
    now = crowd()
    view = town_scene().update(now)
    assert len(view.actor) == 1 + 1 + int((now.traffic.present > 0).sum()) + len(now.people)
    middle = np.einsum("aij,aj->ai", view.transform[:, :, :3], view.centre) + view.transform[:, :, 3] + view.origin
    count = len(view.actor) - 1
    away = np.tile((0.0, 0.0, 6.0), (count, 1))
    distance, _, row, _ = cast_rays(
        view, middle[1:] + away, np.tile((0.0, 0.0, -1.0), (count, 1)), np.full(count, 20.0), 0
    )
    assert (row == np.arange(1, count + 1)).mean() > 0.9
    assert distance[row > 0].min() > 2.0
    people = np.isin(view.actor, now.people.state.id)
    assert (view.label[people] >= Semantic.SCOOTER).all()


def test_the_view_depends_on_the_snapshot_alone():
    now, scene = crowd(), town_scene()
    one = [np.array(part) for part in scene.update(now)[3:12]]
    scene.update(town().first)
    assert all((a == b).all() for a, b in zip(one, scene.update(now)[3:12], strict=True))


def test_lamps_burn_as_the_driver_does():
    made, noise = town(), Noise(1)
    scene = town_scene()
    braked = step(made.scene, made.first, (DriveVehicle(actor=EGO, kind=ControlKind.PEDALS, brake=1.0),), noise)
    for _ in range(30):
        braked = step(made.scene, braked, (), noise)
    assert scene.update(braked).lamp[1] & (1 << VehicleLamp.BRAKE)
    freed = step(made.scene, braked, (DriveVehicle(actor=EGO, kind=ControlKind.PEDALS, accelerator=0.5),), noise)
    for _ in range(60):
        freed = step(made.scene, freed, (), noise)
    assert not scene.update(freed).lamp[1] & (1 << VehicleLamp.BRAKE)
    assert FIRST_LAMP + LAMPS == Material.ASPHALT


def test_obstacles_and_people_come_with_commands():
    made, noise = town(), Noise(1)
    state = made.first.vehicle
    place = (float(state.x[0]) + 8.0, float(state.y[0]), float(state.z[0]))
    commands = (
        SpawnObstacle(actor=0, model=0, position=place, scale=(2.0, 1.0, 3.0)),
        SpawnPedestrian(actor=0, model=0, position=(place[0] + 5.0, *place[1:]), yaw=0.0),
    )
    now = step(made.scene, made.first, commands, noise)
    assert not now.refusals
    view = town_scene().update(now)
    assert view.label[2:].tolist() == [Semantic.PEDESTRIAN, Semantic.OBJECT_ON_ROAD]
    down = np.array([(0.0, 0.0, -1.0)])
    distance, _, row, _ = cast_rays(view, np.add([place], (0.3, 0.2, 10.0)), down, np.array([20.0]), 0)
    assert row[0] == 3
    assert distance[0] == pytest.approx(10.0 - 3.0, abs=0.01)  # its tape stands out by 2 mm


def test_ten_thousand_actors_come_and_go_without_memory():
    scene, _ = scene_of(plane(), [box((1, 1, 1)), box((2, 1, 1))])

    def fill(count, shift):
        return scene.place(instances([pose(3.0 * k, shift, 1) for k in range(count)], [k % 2 for k in range(count)]))

    for number in range(4):
        fill(1000, number)
        fill(0, 0)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for number in range(10):
        assert len(fill(1000, number).actor) == 1001
        fill(0, 0)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 4_000  # kB


def test_scenes_leave_no_memory_behind():
    def make():
        scene, view = scene_of(plane(), [box((1, 1, 1))], [pose(5, 0, 1)])
        assert scene
        assert len(view.actor) == 2

    for _ in range(10):
        make()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(40):
        make()
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 8_000  # kB
