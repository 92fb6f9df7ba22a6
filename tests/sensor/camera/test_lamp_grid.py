"""Squares that a picture does not show get no lamps, and pictures are the same as if they did."""

from __future__ import annotations

import numpy as np
import pytest

from dorosim.sensor.camera import lamp_grid_kernel
from dorosim.sensor.camera.lamp_grid_kernel import GRID_CELL, GRID_SIDE, lamp_grid_of
from dorosim.sensor.scene.light_source import Beam
from tests.sensor.camera.lit import lamp, night
from tests.sensor.camera.shot import camera, shoot, turn
from tests.sensor.camera.street import street


def lit_street(seed: int):
    """Sixty lamps of all beams about a street of boxes."""
    random = np.random.default_rng(seed)
    lamps = []
    for number in range(60):
        flat = random.normal(size=2)
        beam = Beam(number % len(Beam))
        forward = (0.0, 0.0, -1.0) if beam is Beam.STREET else (*(flat / np.hypot(*flat)), 0.0)
        place = (*random.uniform(-60, 60, 2), random.uniform(0.5, 6.0))
        lamps.append(lamp(*place, forward=forward, candela=float(random.choice((5.0, 200.0, 9000.0))), beam=beam))
    return street(seed)._replace(fixed_light=np.concatenate(lamps))


def every_square(*_) -> np.ndarray:
    return np.tile(np.array((0, GRID_SIDE), np.int32), (GRID_SIDE, 1))


@pytest.mark.parametrize("pitch", [-0.2, 0.0, 0.9])
@pytest.mark.parametrize("seed", range(3))
def test_pictures_are_the_same_with_lamps_in_all_squares(seed, pitch, monkeypatch):
    view, random = lit_street(seed), np.random.default_rng(seed)
    for lens in (camera(), camera(field_of_view=2.6), camera(distortion=(-0.2, 0.04, 0.001, 0.0, 0.0))):
        at, yaw = (*random.uniform(-30, 30, 2), random.uniform(1.0, 5.0)), random.uniform(0, 6)
        few = shoot(view, at, yaw, pitch, lens, light=night())
        with monkeypatch.context() as patched:
            patched.setattr(lamp_grid_kernel, "seen_squares", every_square)
            every = shoot(view, at, yaw, pitch, lens, light=night())
        assert few.rgb.tobytes() == every.rgb.tobytes()
        assert len(np.unique(few.rgb)) > 20


def test_squares_behind_the_camera_and_beside_the_picture_get_no_lamps():
    view = lit_street(1)
    grid = lamp_grid_of(view, camera(field_of_view=1.0).aim_at(view, np.array((0.0, 0.0, 1.5)), turn()))
    lamps = grid.cell[:, 0].reshape(GRID_SIDE, GRID_SIDE)
    east = grid.left + view.origin[0] + (np.arange(GRID_SIDE) + 0.5) * GRID_CELL
    north = grid.low + view.origin[1] + (np.arange(GRID_SIDE)[:, None] + 0.5) * GRID_CELL
    assert lamps[(east > 10.0) & (abs(north) < 0.4 * east)].any()
    assert not lamps[(east < -10.0) | (abs(north) > 0.6 * abs(east) + 15.0)].any()


def test_a_lamp_is_not_asked_for_where_it_shines_away_from():
    view = street(2)._replace(fixed_light=lamp(20.0, 0.0, 1.0, forward=(1.0, 0.0, 0.0), candela=300.0))
    grid = lamp_grid_of(view, camera().aim_at(view, np.array((0.0, 0.0, 1.5)), turn()))
    east = grid.left + view.origin[0] + (np.arange(GRID_SIDE) + 0.5) * GRID_CELL
    lamps = grid.cell[:, 0].reshape(GRID_SIDE, GRID_SIDE)
    assert lamps[:, (east > 20.0) & (east < 30.0)].any()
    assert not lamps[:, east < 20.0 - GRID_CELL].any()
