"""What a file says of its entities besides their boxes has its effect on the actors of the world."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dorosim.scenario.openscenario.document import open_document
from dorosim.scenario.openscenario.engine.cast import cast_of
from dorosim.scenario.openscenario.engine.compile import compile_scenario
from dorosim.scenario.openscenario.engine.program import BodyBox, EntityKind, EntityPlan
from dorosim.scenario.openscenario.record.vehicle import MiscObjectCategory, PedestrianCategory, VehicleCategory
from dorosim.world.obstacle.state import OBSTACLE_MODELS
from dorosim.world.pedestrian.model import PEDESTRIAN_MODELS
from dorosim.world.storyboard.engine import BodyShape, EntityBody
from dorosim.world.storyboard.mover import Mover
from dorosim.world.vehicle.catalogue import VEHICLE_MODELS
from dorosim.world.vehicle.parameter import VehicleParameter
from tests.scenario.openscenario.storyboard_text import file_text, speed
from tests.scenario.openscenario.world_run import scene_with, snapshots, start_of

PERFORMANCE = 'maxSpeed="70" maxAcceleration="100" maxDeceleration="100"'
REAR = '<RearAxle maxSteering="0" wheelDiameter="0.6" trackWidth="1.6" positionX="0" positionZ="0.3"/>'
FRONT = '<FrontAxle maxSteering="{steer}" wheelDiameter="0.6" trackWidth="{track}" positionX="2.7" positionZ="0.3"/>'
NAME = '<Vehicle name="car" vehicleCategory="car">'


def parameter(text: str) -> VehicleParameter:
    return start_of(scene_with(text)).parameter


@pytest.fixture(scope="module")
def usual() -> VehicleParameter:
    """The car without mass and with limits that it cannot reach."""
    return parameter(file_text(""))


def test_a_heavy_car_has_the_engine_of_its_model_and_brakes_for_its_mass(usual):
    made = parameter(file_text("").replace(NAME, NAME.replace(">", ' mass="3000">')))
    assert made.mass[0] == 3000.0
    assert made.yaw_inertia[0] / usual.yaw_inertia[0] == pytest.approx(3000.0 / usual.mass[0])
    assert made.drive_force[0] == usual.drive_force[0]
    assert made.brake_force[0] / made.mass[0] == pytest.approx(usual.brake_force[0] / usual.mass[0])


@pytest.mark.parametrize(("mass", "share"), [("1e15", 10.0), ("0.001", 0.1)])
def test_a_mass_that_no_car_has_is_bound(usual, mass, share):
    made = parameter(file_text("").replace(NAME, NAME.replace(">", f' mass="{mass}">')))
    assert made.mass[0] == pytest.approx(share * usual.mass[0])


def test_a_car_can_do_no_more_than_its_performance(usual):
    limited = 'maxSpeed="9" maxAcceleration="2" maxDeceleration="3"'
    text = file_text("", speed(30.0), end=9.0).replace(PERFORMANCE, limited)
    made = parameter(text)
    assert made.drive_force[0] / made.mass[0] == pytest.approx(2.0)
    assert made.brake_force[0] / made.mass[0] == pytest.approx(3.0)
    assert made.max_speed[0] == 9.0 < usual.max_speed[0]
    # what the car of the model can do, a file that says more does not change
    assert usual.drive_force[0] / usual.mass[0] < 100.0
    assert usual.max_speed[0] < 70.0


def test_a_limited_car_is_slower_by_tyres():
    """The same command, and a file in which the car can less."""
    text = file_text("", speed(20.0, "linear", over=4.0), end=9.0)
    speeds = []
    for performance in (PERFORMANCE, 'maxSpeed="70" maxAcceleration="1" maxDeceleration="100"'):
        scene = scene_with(text.replace(PERFORMANCE, performance), Mover.DYNAMICS)
        *_, last = snapshots(scene, 300)
        speeds.append(float(last.vehicle.velocity_x[0]))
    assert speeds[0] > 8.0
    assert speeds[1] < 4.0


def test_axles_have_wheels_tracks_and_angles(usual):
    rear = REAR.replace('maxSteering="0"', 'maxSteering="0.1"').replace('"0.6"', '"0.8"').replace('"1.6"', '"1.9"')
    made = parameter(file_text("").replace(REAR, FRONT.format(steer=0.4, track=1.8) + rear))
    assert (made.wheel_radius[0], made.front_track[0], made.rear_track[0]) == (0.4, 1.8, 1.9)
    assert (made.max_steer[0], made.max_rear_steer[0]) == (0.4, 0.1)
    assert made.wheelbase[0] == 2.7
    assert usual.max_rear_steer[0] == 0.0, "an axle of the file that does not steer"
    wide = parameter(file_text("").replace(REAR, FRONT.format(steer=99.0, track=1e9) + REAR))
    assert wide.max_steer[0] == 1.0
    assert wide.front_track[0] == 2.0 * usual.front_track[0]


def body(kind: EntityKind, category: str, model: str = "unknown", role: str = "", height: float = 1.5) -> EntityBody:
    box = BodyBox(1.5, 0.0, 0.5 * height, 4.5, 1.8, height)
    plan = EntityPlan(name="it", kind=kind, model=model, category=category, role=role, box=box)
    (made,) = cast_of([plan]).bodies
    return made


CLASSES = {"bus": "bus", "tram": "bus", "train": "bus", "truck": "truck", "semitrailer": "truck", "trailer": "truck"}


@pytest.mark.parametrize("category", VehicleCategory)
def test_every_category_of_vehicles_has_a_body_that_stands_for_it(category):
    made = body(EntityKind.VEHICLE, category.value)
    if category in (VehicleCategory.BICYCLE, VehicleCategory.MOTORBIKE):
        assert made.shape is BodyShape.PERSON
        assert PEDESTRIAN_MODELS[made.model].name == category.value
        return
    assert made.shape is BodyShape.VEHICLE
    found = VEHICLE_MODELS[made.model].category
    assert found == CLASSES.get(category.value, "van" if category == VehicleCategory.VAN else found)
    assert found in ("hatchback", "sedan", "suv", "van", "truck", "bus")


def test_a_van_of_public_transport_is_a_bus():
    assert VEHICLE_MODELS[body(EntityKind.VEHICLE, "van").model].category == "van"
    assert VEHICLE_MODELS[body(EntityKind.VEHICLE, "van", role="publicTransport").model].category == "bus"


@pytest.mark.parametrize(
    ("category", "height", "model"),
    [
        (PedestrianCategory.PEDESTRIAN, 1.8, "adult_male"),
        (PedestrianCategory.PEDESTRIAN, 1.1, "child"),
        (PedestrianCategory.WHEELCHAIR, 1.4, "wheelchair"),
        (PedestrianCategory.ANIMAL, 0.5, "child"),
        (PedestrianCategory.ANIMAL, 1.8, "child"),
    ],
)
def test_every_category_of_pedestrians_has_a_figure(category, height, model):
    made = body(EntityKind.PEDESTRIAN, category.value, height=height)
    assert made.shape is BodyShape.PERSON
    assert PEDESTRIAN_MODELS[made.model].name == model


FLAT = ("crosswalk", "parkingSpace", "patch", "roadMark", "trafficIsland", "wind")
MODELS = {"barrier": "barrier", "railing": "barrier", "soundBarrier": "concrete_barrier", "tree": "tree"}


@pytest.mark.parametrize("category", MiscObjectCategory)
def test_every_category_of_objects_is_a_thing_or_flat(category):
    made = body(EntityKind.MISC, category.value)
    assert made.shape is (BodyShape.NONE if category in FLAT else BodyShape.OBSTACLE)
    if made.shape is BodyShape.OBSTACLE:
        assert OBSTACLE_MODELS[made.model].name == MODELS.get(category.value, "box")


def test_the_name_of_a_type_or_its_3d_model_names_the_vehicle():
    wanted = VEHICLE_MODELS[-5].name
    by_name = file_text("").replace('name="car" vehicleCategory', f'name="{wanted}" vehicleCategory')
    by_model = file_text("").replace(NAME, NAME.replace(">", f' model3d="{wanted}">'))
    for text in (by_name, by_model):
        (made,) = cast_of(plans(text)).bodies
        assert VEHICLE_MODELS[made.model].name == wanted


def plans(text: str) -> tuple[EntityPlan, ...]:
    reading = open_document("a.xosc", text.encode()).read()
    return compile_scenario("a.xosc", reading.scenario(), None, reading.parameters).entities


def test_a_property_names_the_ego_vehicle():
    (one,) = plans(file_text(""))
    marked = file_text("").replace(
        "</Axles>", '</Axles><Properties><Property name="type" value="ego_vehicle"/></Properties>'
    )
    other = marked.replace('value="ego_vehicle"', 'value="simulation"')
    assert [plans(text)[0].is_ego for text in (marked, other)] == [True, False]
    second = replace(plans(marked)[0], name="second")
    assert cast_of([one, second]).ego == 1
    assert cast_of([one, replace(second, is_ego=False)]).ego == 0
