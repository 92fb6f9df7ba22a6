"""Removal of all actors of some kinds (gRPC page, CategoryObstacles)."""

from __future__ import annotations

from enum import IntFlag

import msgspec

from dorosim.world.obstacle.state import Obstacles
from dorosim.world.pedestrian.state import Pedestrians


class Category(IntFlag):
    """Kinds of things that can be removed at once, in the order of the document's fields."""

    VEHICLE = 1
    PEDESTRIAN = 2
    OBSTACLE = 4
    SPAWN_POINT = 8
    MAP_OBJECT = 16


class RemoveCategories(msgspec.Struct, frozen=True, tag=True):
    """Removes everything of some kinds; it has no actor. VEHICLE means NPC vehicles, not ego vehicles."""

    categories: Category


def people_left(people: Pedestrians, categories: Category) -> Pedestrians:
    """The pedestrians after a removal: all of them, or none."""
    return Pedestrians.empty() if categories & Category.PEDESTRIAN else people


def obstacles_left(obstacles: Obstacles, categories: Category) -> Obstacles:
    """The obstacles after a removal: all of them, or none."""
    return Obstacles.empty() if categories & Category.OBSTACLE else obstacles
