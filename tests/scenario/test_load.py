"""What the options of Scenario Load remove and create."""

from __future__ import annotations

import pytest

from dorosim.scenario.load import (
    ALL_KINDS,
    NPC_KINDS,
    OBJECT_KINDS,
    PEDESTRIAN_KINDS,
    LoadKind,
    LoadOptions,
    select_work,
)
from tests.scenario.world import WORLD

NOTHING = {"network": False, "ego": False, "npc": False, "pedestrian": False, "object": False}
LISTS = {
    "npc": ("vehicles", "vehicle_spawn_points"),
    "pedestrian": ("pedestrians", "pedestrian_spawn_points"),
    "object": ("obstacles", "friction_areas", "shaded_areas"),
}


def test_everything_is_loaded_and_nothing_removed_by_default():
    work = select_work(WORLD, LoadOptions())
    assert work.create == WORLD
    assert work.delete == LoadKind(0)
    assert work.replace == ALL_KINDS
    assert work.load_network
    assert not work.pause


@pytest.mark.parametrize(
    ("option", "kinds"), [("npc", NPC_KINDS), ("pedestrian", PEDESTRIAN_KINDS), ("object", OBJECT_KINDS)]
)
def test_an_option_loads_its_kinds_only(option, kinds):
    work = select_work(WORLD, LoadOptions(**NOTHING | {option: True}))
    assert work.replace == kinds
    assert work.create.ego is None
    assert not work.load_network
    for name, lists in LISTS.items():
        for entries in lists:
            assert bool(getattr(work.create, entries)) == (name == option)
    assert work.create.controllers == WORLD.controllers


def test_delete_all_removes_and_loads_all_but_the_ego_vehicle_whose_option_counts():
    work = select_work(WORLD, LoadOptions(delete_all=True, **NOTHING))
    assert work.delete == ALL_KINDS
    assert work.create.vehicles == WORLD.vehicles
    assert work.create.ego is None
    assert select_work(WORLD, LoadOptions(delete_all=True)).create == WORLD


def test_pause_is_handed_on():
    assert select_work(WORLD, LoadOptions(pause=True)).pause
