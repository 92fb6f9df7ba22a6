"""Lines and texts over the world, and the lenses of its traffic lights."""

from __future__ import annotations

import functools
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from dorosim.bridge.friction import create_object
from dorosim.bridge.view import overlay
from dorosim.bridge.view.fault import active_faults, fault_texts
from dorosim.bridge.view.lens import COLOURS, lenses_of
from dorosim.ground.mesh import Mesh
from dorosim.road.scenery.table import ObjectKind
from dorosim.road.signal import Lamp
from dorosim.sensor.scene.static.signal import signal_meshes
from dorosim.sensor.scene.static.world import StaticWorld
from dorosim.world.actor.command import SetGoal
from dorosim.world.environment.command import PlaceShade
from dorosim.world.fault.code import FaultSubclass
from dorosim.world.fault.command import SetTireFault
from dorosim.world.snapshot import EGO
from dorosim.world.spawn.command import SetPedestrianSpawnPoints, SetVehicleSpawnPoints
from dorosim.world.spawn.point import PedestrianSpawnPoint, VehicleSpawnPoint
from dorosim.world.vehicle.command import FollowTrajectory
from tests.bridge.view.shown import world_on_street
from tests.world.world import town_world


@functools.cache
def town():
    world = town_world()
    return world.scene, world.run(0.05)


def test_the_way_of_a_vehicle_is_its_links_from_the_one_under_it_on():
    world = world_on_street()
    npc = int(world.now.traffic.id[0])
    assert overlay.route_of(world.now, npc)[0] == 1
    assert overlay.route_of(world.now, 999) == []
    lines = overlay.way_lines(world.scene.network, overlay.route_of(world.now, npc))
    assert (lines[:, :, 1] == 0.0).all()
    assert (lines[0, 0, 0], lines[-1, 1, 0]) == (0.0, 600.0)
    assert np.allclose(lines[1:, 0], lines[:-1, 1])
    assert len(overlay.all_routes(world.scene.network, world.now)) == len(lines)
    assert overlay.way_lines(world.scene.network, []).shape == (0, 2, 3)


def test_nothing_is_drawn_of_what_is_not_there():
    now = world_on_street().now
    for lines in (
        *overlay.sent_points(now),
        overlay.spawn_points(now),
        overlay.shade_boxes(now),
        overlay.friction_rings(now),
        overlay.contact_marks(now),
    ):
        assert lines.shape == (0, 2, 3)
    assert fault_texts(now) == {}


def test_areas_without_reception_are_boxes():
    world = world_on_street()
    world.do(PlaceShade(alias=1, position=(10.0, 20.0, 5.0), size=(8.0, 4.0, 2.0)))
    lines = overlay.shade_boxes(world.now)
    assert lines.shape == (12, 2, 3)
    assert lines.reshape(-1, 3).min(axis=0).tolist() == [6.0, 18.0, 4.0]
    assert lines.reshape(-1, 3).max(axis=0).tolist() == [14.0, 22.0, 6.0]


def test_trajectories_and_goals_are_where_they_were_sent_to():
    world = world_on_street()
    way = ((60.0, 1.0, 0.0, 5.0), (90.0, 2.0, 0.0, 5.0), (120.0, 3.0, 0.0, 5.0))
    world.do(FollowTrajectory(EGO, way), SetGoal(2, (1,), (300.0, 2.0, 0.0), 6.0))
    ways, goals = overlay.sent_points(world.now)
    assert ways[:, :, :2].tolist() == [[[60.0, 1.0], [90.0, 2.0]], [[90.0, 2.0], [120.0, 3.0]]]
    assert (ways[:, :, 2] == overlay.ABOVE).all()
    assert goals[0].tolist() == [[300.0, 2.0, 0.0], [300.0, 2.0, 4.0]], "the pole of the flag"
    assert np.allclose(np.hypot(goals[1:, :, 0] - 300.0, goals[1:, :, 1] - 2.0), 6.0)


def test_spawn_points_are_arrows_the_way_they_look():
    world = world_on_street()
    world.do(
        SetVehicleSpawnPoints((VehicleSpawnPoint(id=0, x=20.0, y=1.0, yaw=0.5 * np.pi, start_link=1, start_s=20.0),)),
        SetPedestrianSpawnPoints((PedestrianSpawnPoint(id=0, x=40.0, y=-8.0, yaw=np.pi),)),
    )
    lines = overlay.spawn_points(world.now)
    assert lines.shape == (8, 2, 3)
    for rows, start, tip in ((lines[:4], (20.0, 1.0), (20.0, 4.0)), (lines[4:], (40.0, -8.0), (37.0, -8.0))):
        assert np.allclose(rows[0, :, :2], start), "the pole"
        assert np.allclose(rows[1, :, :2], (start, tip))
        assert np.allclose(rows[2:, 0, :2], tip), "the barbs"


def test_areas_of_friction_are_rings_about_their_places():
    world = world_on_street()
    world.do(create_object("", "Ice", (30.0, 2.0, 0.0), (0.0, 0.0, 0.5)))
    lines = overlay.friction_rings(world.now)
    area = world.now.friction.objects
    away = np.hypot(lines[:, 0, 0] - 30.0, lines[:, 0, 1] - 2.0)
    assert np.allclose(lines[1:, 0], lines[:-1, 1])
    assert away.max() == pytest.approx(max(area.vertical_radius[0], area.horizontal_radius[0]))
    assert away.min() == pytest.approx(min(area.vertical_radius[0], area.horizontal_radius[0]), rel=0.01)


def test_a_fault_that_is_over_is_told_no_more():
    world = world_on_street()
    kind = FaultSubclass.PUNCTURE
    world.do(SetTireFault(actor=EGO, tire=1, fault_class=kind // 100, fault_subclass=kind))
    fault = world.now.fault.copy()
    fault.end[:] = world.now.time
    now = replace(world.now, fault=fault.freeze())
    assert active_faults(world.now) == ("Ego: tyre FR: puncture",)
    assert (fault_texts(now), active_faults(now)) == ({}, ())


def test_lines_are_exact_far_from_the_origin_of_the_map():
    place = [302_459.137, 4_123_711.871, 20.5]  # of a map in UTM, where neighbouring float32 are 0.25 m apart
    assert overlay.lines_along(np.array([place, place]))[0, 0].tolist() == place
    touched = SimpleNamespace(contact=SimpleNamespace(**dict(zip("xyz", np.array(place)[:, None], strict=True))))
    assert np.allclose(overlay.contact_marks(touched).mean(axis=(0, 1)), place, rtol=0.0, atol=1e-6)
    world = world_on_street()
    world.do(PlaceShade(alias=1, position=(100.1, 20.3, 5.0), size=(8.0, 4.0, 2.0)))
    corners = overlay.shade_boxes(world.now).reshape(-1, 3)
    assert np.allclose(corners.mean(axis=0), (100.1, 20.3, 5.0), rtol=0.0, atol=1e-9)


def test_faults_are_told_of_their_vehicle():
    world = world_on_street()
    world.do(
        SetTireFault(
            actor=EGO, tire=1, fault_class=FaultSubclass.PUNCTURE // 100, fault_subclass=FaultSubclass.PUNCTURE
        )
    )
    assert fault_texts(world.now) == {EGO: "⚠ tyre FR: puncture"}


def test_stop_lines_lie_across_their_lanes():
    scene, _ = town()
    lines = overlay.stop_lines(scene.network)
    assert len(lines) > 10
    width = np.linalg.norm(lines[:, 1] - lines[:, 0], axis=1)
    assert (width > 2.0).all()
    assert (width < 6.0).all()


def test_ids_of_lanes_are_those_near_the_place():
    scene, _ = town()
    middle = scene.network.point_at(3, 0.5 * scene.network.link_length[3])[0]
    texts = overlay.link_texts(scene, (float(middle[0]), float(middle[1])), 60.0, 5)
    assert texts[0].text == scene.network.link_ids[3]
    assert 1 <= len(texts) <= 5
    assert overlay.link_texts(scene, (1e5, 1e5), 60.0, 5) == []


def test_lenses_shine_as_their_lights_do():
    scene, _ = town()
    lights, rows = scene.network.signals.lights, scene.scenery.rows_of(ObjectKind.SIGNAL)[:6]
    heads, lamps = signal_meshes(lights, scene.scenery.objects, rows)
    lenses = lenses_of(StaticWorld(Mesh.joined(heads), lamps), (10.0, 0.0, 0.0))
    assert len(lenses.place) == len(lamps.light)
    for row in range(len(lamps.light)):
        light = lights[int(lamps.light[row])]
        assert np.linalg.norm(lenses.place[row, :2] + (10.0, 0.0) - light.point[:2]) < 1.0
        w, _, _, z = lenses.wxyz[row]
        assert np.cos(2.0 * np.arctan2(z, w) - light.heading) == pytest.approx(1.0, abs=1e-5)
        assert 0.05 < lenses.radius[row] < 0.25
    status = np.full(len(scene.network.signals.lights), int(Lamp.RED))
    lit = lenses.lit(status)
    assert len(lit["red"].position) == sum(int(one) == Lamp.RED for one in lamps.lamp)
    assert not len(lit["green"].position)
    assert set(lit) == set(COLOURS)
    dark = lenses.lit(np.full(len(status), -1))
    assert not any(len(one.position) for one in dark.values())
    green = lenses.lit(np.full(len(status), int(Lamp.GREEN | Lamp.YELLOW)))
    assert len(green["green"].position) > 0 < len(green["yellow"].position)


def eye(**changed) -> overlay.VisitorEye:
    """10 m above the origin, looking straight down; up in the picture is +y."""
    turn = np.array([[1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, -1.0]])
    values = {"position": np.array([0.0, 0.0, 10.0]), "turn": turn, "fov": 1.0, "width": 800.0, "height": 600.0}
    return overlay.VisitorEye(**(values | changed))


def text(x: float, y: float, letters: int = 10) -> overlay.Text:
    return overlay.Text(0, "x" * letters, (x, y, 0.0))


def test_texts_that_would_cover_others_are_left_out_and_the_first_ones_stay():
    # 0.3 m are 16 pixels here, 2 m 110; a text of ten letters is 78 wide and 19 high
    assert overlay.apart([text(0, 0), text(0.3, 0.1), text(2.0, 0), text(0, 0.5), text(0, 0.2)], eye()) == [
        True,
        False,
        True,
        True,
        False,
    ]
    assert overlay.apart([text(0, 0), text(2.0, 0, letters=30)], eye()) == [True, False], "a long one is wide"


def test_what_is_not_in_the_picture_covers_nothing():
    behind = overlay.Text(0, "behind", (0.0, 0.0, 20.0))
    aside = [text(90.0, 0.0), text(90.0, 0.0)]
    assert overlay.apart([behind, *aside, text(0, 0)], eye()) == [True] * 4
    assert overlay.apart([], eye()) == []


@pytest.mark.parametrize(
    "wrong",
    [{"fov": 0.0}, {"fov": 4.0}, {"width": 0.0}, {"height": float("nan")}, {"position": np.full(3, np.nan)}],
)
def test_a_camera_that_sees_nothing_is_none(wrong):
    assert eye().is_valid
    assert not eye(**wrong).is_valid
