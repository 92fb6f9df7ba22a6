"""What an OpenDRIVE file puts beside its roads stands there, for collisions and for sensors; less is drawn by rule."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from dorosim.app.run.build import build
from dorosim.app.setting.settings import Settings
from dorosim.app.store.scene import load_static_world
from dorosim.road.opendrive.conversion import map_from_opendrive
from dorosim.road.opendrive.reader import read_opendrive
from dorosim.road.scenery.roadside_object import RoadsideKind, RoadsideSurface
from dorosim.road.scenery.table import ObjectKind, object_id
from dorosim.sensor.scene.embree_kernel import cast_rays
from dorosim.sensor.scene.material import Material
from dorosim.world.collision.body import BodyKind
from dorosim.world.snapshot import EGO, Snapshot
from dorosim.world.vehicle.command import DriveVehicle
from dorosim.world.vehicle.mode import ControlKind, ControlMode, Gear
from tests.road.opendrive.sample import document, road, town
from tests.sensor.scene.build import scene_of
from tests.shared import shared
from tests.world.world import CAR, World

CREST = "openscenario/resources/xodr/crest-curve.xodr"
E6 = "openscenario/resources/xodr/e6mini.xodr"


def objects_of(*objects):
    found = map_from_opendrive(town(road(more=f"<objects>{''.join(objects)}</objects>")), "sample")
    return found.roadside_objects, found


def thing(kind, s=50, t=-8, more="", content=""):
    return f'<object id="1" type="{kind}" s="{s}" t="{t}" orientation="none" {more}>{content}</object>'


def outline(*corners, height=3.0):
    inside = "".join(f'<cornerLocal u="{u}" v="{v}" z="0" height="{height}"/>' for u, v in corners)
    return f'<outlines><outline id="0" closed="true">{inside}</outline></outlines>'


def test_a_post_has_its_diameter_and_its_height():
    ((one,), _) = objects_of(thing("pole", more='radius="0.15" height="4" zOffset="0.5"'))
    assert (one.kind, one.point, one.offset) == (RoadsideKind.POLE, (50.0, -8.0, 0.5), 0.5)
    assert (one.length, one.width, one.height) == (0.3, 0.3, 4.0)


def test_a_box_has_its_extents_and_its_heading():
    ((one,), _) = objects_of(thing("building", more='length="20" width="9" height="7" hdg="0.3"'))
    assert (one.kind, one.length, one.width, one.height, one.heading) == (RoadsideKind.BUILDING, 20, 9, 7, 0.3)
    ((other,), _) = objects_of(thing("barrier", more='length="5" width="0.3" height="1"'))
    assert (other.kind, other.surface) == (RoadsideKind.WALL, RoadsideSurface.CONCRETE)


def test_an_outline_that_is_a_rectangle_is_a_box():
    corners = [(0, 0), (10, 0), (10, 4), (0, 4)]
    ((one,), _) = objects_of(thing("building", more='hdg="0.5"', content=outline(*corners)))
    c, s = math.cos(0.5), math.sin(0.5)
    assert one.kind is RoadsideKind.BUILDING
    assert one.point[:2] == pytest.approx((50 + 5 * c - 2 * s, -8 + 5 * s + 2 * c))
    assert sorted((one.length, one.width)) == pytest.approx([4.0, 10.0])
    assert math.sin(2.0 * (one.heading - 0.5 - (math.pi / 2 if one.length < 5 else 0))) == pytest.approx(0.0, abs=1e-9)


def test_any_other_outline_is_a_wall_along_each_edge():
    corners = [(0, 0), (10, 0), (10, 4), (5, 4), (5, 8), (0, 8)]
    found, _ = objects_of(thing("building", content=outline(*corners)))
    assert {one.kind for one in found} == {RoadsideKind.WALL}
    assert sorted(one.length for one in found) == pytest.approx([4, 4, 5, 5, 8, 10])
    middles = {(round(one.point[0] - 50, 6), round(one.point[1] + 8, 6)) for one in found}
    assert middles == {(5, 0), (10, 2), (7.5, 4), (5, 6), (2.5, 8), (0, 4)}


def test_copies_stand_at_their_distance_with_values_between_start_and_end():
    repeat = '<repeat s="10" length="40" distance="20" tStart="-6" tEnd="-8" heightStart="2" heightEnd="4"/>'
    found, _ = objects_of(thing("pole", more='radius="0.1" height="1"', content=repeat))
    assert [(one.point[0], one.point[1], one.height) for one in found] == [(10, -6, 2), (30, -7, 3), (50, -8, 4)]


def test_a_repeat_without_distance_is_a_wall_along_the_road():
    plan = '<geometry s="0" x="0" y="0" hdg="0" length="100"><arc curvature="0.01"/></geometry>'
    hill = '<elevationProfile><elevation s="0" a="0" b="0.1" c="0" d="0"/></elevationProfile>'
    repeat = '<repeat s="20" length="30" distance="0" tStart="-5" tEnd="-5" heightStart="1" heightEnd="1"/>'
    inside = f"<objects>{thing('barrier', content=repeat)}</objects>"
    found = map_from_opendrive(town(road(plan=plan, profiles=hill, more=inside)), "x").roadside_objects
    # on a circle of radius 100 m + 5 m a chord of 4 m of the reference line is 4.2 m long
    lengths = [one.length for one in found]
    angle = 30 / 8 / 100
    assert lengths == pytest.approx([2 * 105 * math.sin(angle / 2)] * 8)
    assert [one.rise for one in found] == pytest.approx([0.1 * 30 / 8] * 8)
    assert [math.hypot(one.point[0], one.point[1] - 100) for one in found] == pytest.approx(
        [105 * math.cos(angle / 2)] * 8
    )


def test_what_has_no_extent_is_counted():
    found, whole = objects_of(thing("obstacle"), thing("patch", more='length="2" width="2" height="0.5"'))
    assert found == []
    assert "1 objects of type obstacle are not used" in "\n".join(whole.notices)
    assert "1 objects of type patch are not used" in "\n".join(whole.notices)


def test_parking_spaces_are_bays():
    repeat = '<repeat s="10" length="6" distance="3"/>'
    space = thing("parkingSpace", t=-6, more='length="5" width="2.5" hdg="1.5707963267948966"', content=repeat)
    _, whole = objects_of(space)
    assert [one.center_point[:2] for one in whole.parking_spaces] == [
        pytest.approx((10, -6)),
        pytest.approx((13, -6)),
        pytest.approx((16, -6)),
    ]
    assert np.ptp(whole.parking_spaces[0].points[:, 0]) == pytest.approx(2.5)


def test_copies_without_end_are_bounded():
    repeat = '<repeat s="0" length="100" distance="1e-9"/>'
    found, _ = objects_of(*[thing("pole", more='radius="0.1" height="1"', content=repeat)] * 5)
    assert len(found) == 50_000


def built(content: bytes, tmp_path: Path):
    file = tmp_path / "own.xodr"
    file.write_bytes(content)
    return build(Settings(map=str(file), tick_ms=10.0), tmp_path)


def test_vehicles_and_rays_meet_what_the_file_puts_there(tmp_path):
    """A wall 6 m to the right of the road's middle, from x = 40 m to 60 m: a car that drives into it stops there."""
    wall = thing("barrier", t=-8, more='length="20" width="0.4" height="1.2"')
    made = built(document(road(more=f"<objects>{wall}</objects>")), tmp_path)
    scenery = made.scene.scenery
    (row,) = scenery.rows_of(ObjectKind.WALL).tolist()
    assert scenery.parts.rows - np.count_nonzero(scenery.parts.object != row) == 1
    ground = made.scene.ground_height(50.0, -8.0, 0.0)
    world = World(made.scene, [(CAR, (50.0, -2.0, ground), -math.pi / 2)])
    touched: list[tuple[int, float]] = []

    def look(now: Snapshot) -> None:
        contact = now.contact
        rows = np.flatnonzero(contact.second_kind == BodyKind.SCENERY)
        touched.extend(zip(contact.second_id[rows].tolist(), contact.y[rows].tolist(), strict=True))

    world.do(DriveVehicle(actor=EGO, kind=ControlKind.PEDALS, mode=ControlMode.AUTO, gear=Gear.D, accelerator=0.3))
    world.run(6.0, look)
    assert touched, "it drives against the wall"
    assert {number for number, _ in touched} == {object_id(row)}
    assert touched[0][1] == pytest.approx(-7.8, abs=0.1)
    view = scene_of(load_static_world(made.map_files, made.scene.network, made.scenery_seed).mesh)[1]
    origin = np.array([[50.0, 0.0, ground + 0.6], [50.0, 0.0, ground + 1.3], [38.0, -8.0, ground + 0.6]])
    way = np.array([[0.0, -1.0, 0.0], [0.0, -1.0, 0.0], [1.0, 0.0, 0.0]])
    distance, _, _, _ = cast_rays(view, origin, way, np.full(3, 15.0), 0)
    assert distance[[0, 2]] == pytest.approx([7.8, 2.0], abs=0.01)
    assert not distance[1] < 12.0, "over it"


@pytest.mark.parametrize("name", [CREST, E6])
def test_a_map_with_objects_of_its_own(name, tmp_path):
    made = built(shared(name).read_bytes(), tmp_path)
    scenery = made.scene.scenery
    town_of_file = map_from_opendrive(read_opendrive(name, shared(name).read_bytes()), "own")
    own = town_of_file.roadside_objects
    kinds = [int((scenery.objects.kind == kind).sum()) for kind in (ObjectKind.POLE, ObjectKind.WALL, ObjectKind.BLOCK)]
    assert kinds == [
        sum(one.kind is kind for one in own) for kind in (RoadsideKind.POLE, RoadsideKind.WALL, RoadsideKind.BLOCK)
    ]
    houses = sum(one.kind is RoadsideKind.BUILDING for one in own)
    assert len(scenery.rows_of(ObjectKind.BUILDING)) == houses
    if houses:
        assert not len(scenery.rows_of(ObjectKind.TREE)), "a map with houses of its own gets no trees by rule"
    mesh = load_static_world(made.map_files, made.scene.network, made.scenery_seed).mesh
    hedges = sum(one.surface is RoadsideSurface.HEDGE for one in own)
    if houses:  # where trees are drawn by rule, some have the same leaves
        assert (mesh.material == Material.HEDGE).sum() == 12 * hedges
