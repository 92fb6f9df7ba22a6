"""Clients name what they make; a name means one of those who are there, and goes with it."""

import pytest

from dorosim.world.actor.command import Category, CreateNamed, RemoveActor, RemoveCategories, SetLabel
from dorosim.world.environment.command import CreateMapObject
from dorosim.world.obstacle.command import SpawnObstacle
from dorosim.world.snapshot import EGO
from dorosim.world.spawn.command import RemoveSpawnPoints, SetVehicleSpawnPoints
from dorosim.world.spawn.point import VehicleSpawnPoint
from dorosim.world.traffic.command import CreateNpc
from dorosim.world.vehicle.command import CreateVehicle
from tests.scenario.world import SMALL
from tests.world.stage import Stage

CAR = CreateNpc(model="2015_Kia_K5", link=0, s=20.0)
THINGS = (
    CAR,
    CreateVehicle(model="2015_Kia_K5", position=(0.0, 90.0, 0.0)),
    SpawnObstacle(actor=0, model=1, position=(50.0, 5.0, 0.0)),
    SetVehicleSpawnPoints((VehicleSpawnPoint(id=0, start_link=0, start_s=5.0),)),
    CreateMapObject(actor=0, model="Puddle", position=(60.0, 0.0, 0.0)),
)


@pytest.fixture
def stage() -> Stage:
    return Stage(SMALL)


@pytest.mark.parametrize("make", THINGS, ids=lambda make: type(make).__name__)
def test_what_is_made_has_its_name_and_its_owner(stage, make):
    now = stage.apply(CreateNamed(make, "mine", "me"))
    made = now.outcomes[0].actor
    assert made > EGO
    assert now.label.all() == {made: ("mine", "me")}


def test_a_name_that_is_taken_is_not_given_again(stage):
    now = stage.tick(*(CreateNamed(CAR, "mine"), CreateNamed(THINGS[1], "mine", "me"), CreateNamed(THINGS[2], "Ego")))
    assert not now.refusals
    first, second, third = (outcome.actor for outcome in now.outcomes)
    assert now.label.all() == {first: ("mine", ""), second: ("", "me")}, "it is told by its owner alone"
    assert third > second


def test_a_number_may_be_a_name_unless_somebody_has_it_as_id(stage):
    now = stage.tick(CreateNamed(CAR, "900"), CreateNamed(THINGS[1], "2"), CreateNamed(THINGS[2], "4"))
    one, two, three = (outcome.actor for outcome in now.outcomes)
    assert (one, two, three) == (2, 3, 4)
    assert now.label.all() == {2: ("900", ""), 4: ("4", "")}, "2 is an id already; 4 is its own"


def test_a_name_goes_with_its_bearer_and_is_free_again(stage):
    now = stage.apply(CreateNamed(CAR, "mine"))
    now = stage.apply(RemoveActor(now.outcomes[0].actor))
    assert now.label.all() == {}
    now = stage.apply(CreateNamed(CAR, "mine"))
    assert [name for name, _ in now.label.all().values()] == ["mine"]


@pytest.mark.parametrize("make", THINGS, ids=lambda make: type(make).__name__)
def test_whatever_is_removed_leaves_the_world_and_its_name(stage, make):
    made = stage.apply(CreateNamed(make, "mine", "me")).outcomes[0].actor
    now = stage.apply(RemoveActor(made))
    assert len(now.label) == len(now.spawn) == now.friction.objects.rows == now.traffic.rows == 0


@pytest.mark.parametrize("make", THINGS[2:], ids=lambda make: type(make).__name__)
def test_names_go_with_whole_categories(stage, make):
    stage.apply(CreateNamed(make, "mine", "me"))
    assert len(stage.apply(RemoveCategories(Category.OBSTACLE | Category.SPAWN_POINT | Category.MAP_OBJECT)).label) == 0


def test_names_go_with_spawn_points(stage):
    made = stage.apply(CreateNamed(THINGS[3], "mine")).outcomes[0].actor
    stage.apply(CreateNamed(THINGS[3], "yours"))
    now = stage.apply(RemoveSpawnPoints((made,)))
    assert [name for name, _ in now.label.all().values()] == ["yours"]
    assert len(stage.apply(RemoveSpawnPoints()).label) == 0


def test_names_can_be_changed(stage):
    made = stage.apply(CreateNamed(CAR, "mine", "me")).outcomes[0].actor
    assert stage.apply(SetLabel(made, "yours", "you")).label.all() == {made: ("yours", "you")}
    now = stage.apply(SetLabel(EGO, "hero"))
    assert now.label.all()[EGO] == ("hero", "")


@pytest.mark.parametrize("name", ["a\nb", "x" * 300, "\x00", "\ud800"])
def test_texts_that_are_no_names_make_nothing(stage, name):
    before = stage.now
    now = stage.tick(CreateNamed(CAR, name), CreateNamed(CAR, "", name), SetLabel(EGO, name), SetLabel(99, "x"))
    assert len(now.refusals) == 4
    assert len(now.label) == 0
    assert now.last_id == before.last_id


def test_what_cannot_be_made_is_not_named(stage):
    now = stage.tick(CreateNamed(CreateNpc(model="2015_Kia_K5", link=99, s=0.0), "mine"))
    assert "no link 99" in now.refusals[0]
    assert len(now.label) == 0


def test_whoever_has_a_name_is_found_by_all_of_it(stage):
    names = (("mine", "me"), ("ine", "mine"), ("mine", ""), ("", "mine"), ("minemine", "ine"))
    labels = stage.now.label
    for actor, (name, owner) in enumerate(names, start=2):
        labels = labels.with_label(actor, name, owner)
    assert labels.bearers_of("mine") == [2, 4]
    assert labels.bearers_of("ine") == [3]
    assert labels.bearers_of("me") == []
    assert labels.with_label(2, "yours", "").bearers_of("mine") == [4]
    assert labels.all() == dict(enumerate(names, start=2))
