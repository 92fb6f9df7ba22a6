"""Shadow rays that are not cast would have met nothing: pictures are the same with the grid of heights and without."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dorosim.ground.mesh import Mesh
from dorosim.sensor.camera import camera as camera_module
from dorosim.sensor.camera.clear_kernel import UNKNOWN, clearance_of, draw_clearance
from dorosim.sensor.scene.embree_kernel import cast_rays
from tests.sensor.camera.shot import NOON, camera, shoot, view_of
from tests.sensor.camera.street import light_at, street
from tests.sensor.scene.build import box, plane


def sun(azimuth: float, elevation: float) -> np.ndarray:
    """Unit vector towards the sun."""
    flat = np.cos(elevation)
    return np.array((flat * np.cos(azimuth), flat * np.sin(azimuth), np.sin(elevation)), np.float32)


def heap(seed: int, count: int) -> Mesh:
    """Triangles of all sizes and slopes, some of them slivers, some upright."""
    random = np.random.default_rng(seed)
    middle = random.uniform((-30, -30, -2), (30, 30, 12), (count, 1, 3))
    corners = middle + random.normal(0, 1, (count, 3, 3)) * random.choice((0.02, 0.4, 6.0), (count, 1, 1))
    corners[::5, 2] = corners[::5, :2].mean(axis=1) + random.normal(0, 1e-4, (len(corners[::5]), 3))
    corners[1::5, 1, :2] = corners[1::5, 0, :2]
    return Mesh.of(corners.reshape(-1, 3), np.arange(3 * count), 0)


def height_at(clearance, place: np.ndarray) -> np.ndarray:
    """The heights from which on the sun is seen, in the columns of places `(N, 3)`."""
    x = (place[:, 0] - place[:, 2] * clearance.slope_x - clearance.left) * clearance.per_metre
    y = (place[:, 1] - place[:, 2] * clearance.slope_y - clearance.low) * clearance.per_metre
    rows, columns = clearance.height.shape
    return clearance.height[np.clip(y.astype(int), 0, rows - 1), np.clip(x.astype(int), 0, columns - 1)]


@given(st.integers(0, 10**6), st.floats(-3.1, 3.1), st.floats(0.2, 1.55))
def test_no_place_of_a_triangle_is_above_its_cell(seed, azimuth, elevation):
    mesh = heap(seed, 60)
    clearance = draw_clearance(mesh.vertices.astype(np.float32), mesh.faces, sun(azimuth, elevation))
    share = np.random.default_rng(seed).dirichlet((0.4, 0.4, 0.4), (60, 50))
    place = np.einsum("fnk,fkc->fnc", share, mesh.vertices.reshape(-1, 3, 3)).reshape(-1, 3)
    assert (height_at(clearance, place) >= place[:, 2]).all()


@given(st.integers(0, 10**6), st.floats(-3.1, 3.1), st.floats(0.2, 1.55))
def test_rays_from_places_above_their_cell_meet_nothing(seed, azimuth, elevation):
    """Embree says so, of places all about the triangles."""
    mesh, toward = heap(seed, 60), sun(azimuth, elevation)
    view = view_of(mesh)
    place = np.random.default_rng(seed + 1).uniform((-40, -40, -5), (40, 40, 20), (3000, 3))
    local = place - view.origin
    clear = local[:, 2] > height_at(draw_clearance(view.vertex, view.face, toward), local)
    distance, *_ = cast_rays(view, place, np.repeat(toward[None].astype(float), 3000, axis=0), np.full(3000, 600.0), 0)
    assert clear.any()
    assert np.isinf(distance[clear]).all()


@pytest.mark.parametrize("hour", [7.5, 10.0, 12.0, 16.0])
@pytest.mark.parametrize("seed", range(4))
def test_pictures_are_the_same_with_and_without(seed, hour, monkeypatch):
    view, light = street(seed), light_at(hour)
    known = draw_clearance(view.vertex, view.face, light.toward_sun)
    random = np.random.default_rng(200 + seed)
    for lens in (camera(), camera(field_of_view=2.6, samples=4)):
        at, yaw = (*random.uniform(-30, 30, 2), random.uniform(0.5, 6.0)), random.uniform(0, 6)
        pictures = []
        for clearance in (known, UNKNOWN):
            with monkeypatch.context() as patched:
                patched.setattr(camera_module, "clearance_of", lambda *_, given=clearance: given)
                pictures.append(shoot(view, at, yaw, 0.1, lens, light=light).rgb)
        assert pictures[0].tobytes() == pictures[1].tobytes()
        assert len(np.unique(pictures[0])) > 20


def test_the_open_ground_is_clear_and_what_lies_below_a_roof_is_not():
    view = view_of(Mesh.joined((plane(), box((5.0, 5.0, 0.1), (0.0, 0.0, 4.0)))))
    known = draw_clearance(view.vertex, view.face, sun(0.0, 1.5))
    spot = np.array([(20.0, 0.0, 0.03), (-20.0, 10.0, 0.03), (0.0, 0.0, 0.03), (0.0, 0.0, 4.2)]) - view.origin
    assert (spot[:, 2] > height_at(known, spot)).tolist() == [True, True, False, True]


def test_the_grid_is_drawn_for_the_second_picture_and_kept_while_world_and_sun_are_the_same():
    view, evening = street(1), light_at(16.0)
    assert clearance_of(view, NOON) is UNKNOWN
    drawn = clearance_of(view, NOON)
    assert drawn.height.size
    assert clearance_of(view, NOON) is drawn
    assert clearance_of(view, evening) is UNKNOWN
    assert clearance_of(view, evening).slope_x != drawn.slope_x
    assert clearance_of(street(2), evening) is UNKNOWN


@pytest.mark.parametrize("hour", [5.9, 23.0])
def test_a_low_sun_and_the_night_do_without(hour):
    view = street(1)
    assert all(clearance_of(view, light_at(hour)) is UNKNOWN for _ in range(3))


def test_a_world_too_wide_for_half_metres_has_larger_cells():
    mesh = Mesh.of([(-9e3, -9e3, 0), (9e3, -9e3, 0), (9e3, 9e3, 0), (-9e3, 9e3, 0)], [(0, 1, 2), (0, 2, 3)], 0)
    known = draw_clearance(mesh.vertices.astype(np.float32), mesh.faces, sun(0.5, 1.0))
    assert known.height.size < 17e6
    spot = np.array([(8e3, -8e3, 0.03), (0.0, 0.0, 0.03)])
    assert (spot[:, 2] > height_at(known, spot)).all()
