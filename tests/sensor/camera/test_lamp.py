"""Lamps at night: what they light, what hides them, and that no one sees them by day."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dorosim.ground.mesh import Mesh
from dorosim.sensor.camera.camera import Camera
from dorosim.sensor.camera.lamp_grid_kernel import UNIT_ILLUMINANCE
from dorosim.sensor.camera.setting import CameraModel
from dorosim.sensor.scene.actor.catalogue import actor_models
from dorosim.sensor.scene.lamp import high_beams
from dorosim.sensor.scene.light_source import (
    HIGH_BEAM,
    HIGH_BEAM_LUMINAIRE,
    VEHICLE_LUMINAIRES,
    Beam,
    ModelLamps,
)
from dorosim.sensor.scene.material import Material, VehicleLamp
from dorosim.world.vehicle.catalogue import VEHICLE_MODELS
from tests.sensor.camera.lit import lamp, night
from tests.sensor.camera.shot import turn
from tests.sensor.scene.build import box, instances, plane, pose, scene_of

WALL = Material.PLASTER
ALBEDO = WALL.properties.albedo[1]
MATT = 0.78
"""A of Oren and Nayar: what a rough surface has that is lit and seen along its normal."""
DOWN = math.pi / 2


def seen(view, *sources, at=(0.0, 0.0, 30.0), pitch: float = DOWN, yaw: float = 0.0, light=None, width: int = 97):
    """What a camera sees of some lamps, as illuminance [lx] of a white surface without the light of the night.

    Exposed so that the film curve is far from its ends, and taken back through the curve.
    """
    light = light or night()
    dark = light._replace(above=0 * light.above, below=0 * light.below, extinction=np.float32(0.0))
    lens = Camera(CameraModel(width=width, height=width))
    table = np.concatenate(sources)
    table[:, :3] -= view.origin
    lit = view._replace(moving_light=table)
    rgb = lens.shoot(lit, np.array(at), turn(yaw, pitch), dark).rgb[:, :, 1]
    level = np.arange(256)
    x = np.geomspace(2.0**-12, 15.0, 20_000)
    film = np.clip(x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14), 0.0, 1.0)
    curve = 255.0 * np.where(film <= 0.0031308, 12.92 * film, 1.055 * film ** (1.0 / 2.4) - 0.055)
    return np.interp(level, curve, x)[rgb] / float(dark.gain) / ALBEDO / MATT * UNIT_ILLUMINANCE


@pytest.fixture(scope="module")
def floor():
    return scene_of(plane(material=WALL))[1]


@pytest.mark.parametrize("height", [3.0, 6.0, 12.0])
def test_illuminance_falls_with_the_square_of_the_distance(floor, height):
    below = seen(floor, lamp(0.0, 0.0, height, candela=10.0 * height**2))[48, 48]
    assert below == pytest.approx(10.0, rel=0.06)


def test_a_lamp_of_many_is_as_bright_as_alone(floor):
    """The grid leaves out only what one would not see."""
    random = np.random.default_rng(3)
    places = random.uniform(-60.0, 60.0, (40, 2))
    lamps = [lamp(x, y, 6.0, candela=500.0) for x, y in places.tolist()]
    together = seen(floor, *lamps, at=(0.0, 0.0, 20.0))
    one_by_one = sum(seen(floor, one, at=(0.0, 0.0, 20.0)) for one in lamps)
    bright = together > 5.0
    assert bright.mean() > 0.1
    assert np.abs(together / one_by_one - 1.0)[bright].mean() < 0.12


def test_a_box_hides_a_lamp_from_what_lies_behind_it(floor):
    hidden = scene_of(Mesh.joined((plane(material=WALL), box((0.5, 4.0, 2.0), (5.0, 0.0, 2.0), WALL))))[1]
    source = lamp(0.0, 0.0, 2.0, forward=(1.0, 0.0, 0.0), candela=20_000.0)
    free, shaded = seen(floor, source, at=(8.0, 0.0, 15.0)), seen(hidden, source, at=(8.0, 0.0, 15.0))
    assert free[48, 48] > 20.0
    assert shaded[48, 48] < 0.05 * free[48, 48]


def test_low_beams_end_at_a_sharp_edge_and_high_beams_do_not():
    wall = scene_of(box((0.1, 40.0, 20.0), (25.1, 0.0, 0.0), WALL))[1]

    def on_wall(beam: Beam, candela: float) -> np.ndarray:
        source = lamp(0.0, 0.0, 0.7, forward=(1.0, 0.0, 0.0), candela=candela, beam=beam)
        return seen(wall, source, at=(0.0, 0.0, 0.7), pitch=0.0, width=257)

    low = on_wall(Beam.LOW_BEAM, VEHICLE_LUMINAIRES[VehicleLamp.HEAD].candela)
    high = on_wall(Beam.HIGH_BEAM, HIGH_BEAM_LUMINAIRE.candela)
    row = 128  # level
    lines = low[:, 133]  # a little right of the middle
    peak = lines.max()
    assert 7_500.0 / 625.0 < peak < 50_000.0 / 625.0, "UN R112, table 2: 12 lx at 25 m at least"
    assert lines[row - 12] < 0.1 * peak, "above the edge (2.7 degrees up) there is little"
    assert high[row, 128] > 2.0 * peak
    assert high[row, 128] > 48.0, "UN R112, 6.3.3: 48 lx at 25 m at least"


def test_no_one_sees_lamps_by_day():
    models = actor_models(VEHICLE_MODELS[:1])
    scene, view = scene_of(plane(), [models.meshes[int(models.vehicle[0])]], [pose(5.0, 0.0, 0.0)])
    del scene
    assert len(view.fixed_light) == len(view.moving_light) == 0


@pytest.mark.parametrize("row", range(len(VEHICLE_MODELS)))
def test_every_vehicle_has_its_lamps_where_its_body_shows_them(row):
    model = VEHICLE_MODELS[row]
    models = actor_models([model])
    mesh = models.meshes[int(models.vehicle[0])]
    placement = instances([pose(100.0, 50.0, 2.0, math.pi / 2)])
    placement.lamp[:] = (1 << VehicleLamp.HEAD) | HIGH_BEAM | (1 << VehicleLamp.BRAKE)
    table = ModelLamps([mesh]).sources(placement, np.zeros(3))
    head = table[table[:, 15] == Beam.LOW_BEAM]
    assert len(head) == (table[:, 15] == Beam.HIGH_BEAM).sum() == 1
    front = model.wheelbase + model.front_overhang
    assert head[0, 1] - 50.0 == pytest.approx(front, abs=0.35)
    assert head[0, 3:6] == pytest.approx((0.0, 1.0, 0.0), abs=1e-6)
    assert 0.15 * model.width < head[0, 16] < 0.5 * model.width, "a pair, to both sides of the middle"
    stops = table[table[:, 15] == Beam.WIDE]
    assert len(stops)
    assert (stops[:, 4] < 0.0).all()
    assert (stops[:, 12] > 5.0 * stops[:, 13]).all(), "red"


def test_high_beams_go_off_for_who_comes_and_who_drives_ahead():
    place = np.array([(0.0, 0.0), (100.0, 4.0), (0.0, 500.0), (0.0, 1000.0)])
    yaw, speed = np.array([0.0, np.pi, 0.0, 0.0]), np.array([20.0, 20.0, 20.0, 5.0])
    assert high_beams(place, yaw, speed, np.zeros((0, 2))).tolist() == [False, False, True, False]
    assert not high_beams(place, yaw, speed, np.array([(10.0, 510.0)])).any()


def test_a_lamp_glows_unless_a_body_hides_it(floor):
    light = night()
    lens = Camera(CameraModel(width=161, height=121))
    source = lamp(30.0, 0.0, 3.0, forward=(-1.0, 0.0, 0.0), candela=2_000.0)
    eye, level = np.array((0.0, 0.0, 3.0)), turn()
    bare = lens.shoot(floor, eye, level, light).rgb.astype(int)
    glowing = lens.shoot(floor._replace(moving_light=source), eye, level, light).rgb.astype(int)
    assert glowing[60, 80, 1] > bare[60, 80, 1] + 80
    assert glowing[52, 80, 1] > bare[52, 80, 1], "around it, too"
    walled = scene_of(Mesh.joined((plane(material=WALL), box((0.1, 2.0, 6.0), (20.0, 0.0, 0.0)))))[1]
    dark = lens.shoot(walled, eye, level, light).rgb.astype(int)
    behind = source.copy()
    behind[:, :3] -= walled.origin
    hidden = lens.shoot(walled._replace(moving_light=behind), eye, level, light).rgb.astype(int)
    assert np.abs(hidden - dark)[60, 80].max() < 3
