"""Which of our models stands for a number of the product.

The product names models by a number, `DataID`: its first digit is the family, the next two a class within it, the rest
counts. What the numbers mean is not public (facts/ros-grpc-mgeo.md, section 4). So a file that dorosim saves says the
name besides, and for other files the family decides, with a notice:

| family | class | stands for | number that dorosim writes | where that number is seen |
|---|---|---|---|---|
| 2 ego | any | the first vehicle | 20100014 | sample |
| 3 NPC | 01 | sedan | 30100004 | users' files |
| 3 NPC | 02 | suv | 30200006 | sample |
| 3 NPC | 03 | hatchback | 30300002 | users' files |
| 3 NPC | 04 | van | 30400004 | users' files |
| 3 NPC | others, and trucks and buses when written | sedan | 30100004 | |
| 4 obstacle | any | the first obstacle | 40100003 | sample |
| 5 pedestrian | any | the first pedestrian | 50100001 | users' files |

The classes 03 and 04 are what users of the product say of them; a vehicle that is too small does less harm than one
that is too large for its lane.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Self

from dorosim.world.obstacle.state import OBSTACLE_MODELS
from dorosim.world.pedestrian.model import PEDESTRIAN_MODELS
from dorosim.world.vehicle.catalogue import SEDAN, row_of_class
from dorosim.world.vehicle.model import VehicleModel


class Family(IntEnum):
    """First digit of a DataID."""

    EGO = 2
    NPC = 3
    OBSTACLE = 4
    PEDESTRIAN = 5


_CATEGORY_OF_CLASS = {1: SEDAN, 2: "suv", 3: "hatchback", 4: "van"}
_WRITTEN = {SEDAN: 30100004, "suv": 30200006, "hatchback": 30300002, "van": 30400004}
_WRITTEN_OF_FAMILY = {Family.EGO: 20100014, Family.OBSTACLE: 40100003, Family.PEDESTRIAN: 50100001}
_DIGITS_OF_FAMILY, _DIGITS_OF_CLASS = 10_000_000, 100_000


@dataclass(frozen=True, slots=True)
class Model:
    """A model of any kind.

    Attributes:
        name: in its catalogue.
        category: of a vehicle: sedan, suv, ...; of others anything.
        data_id: the product's number of it, 0 if it is not known.
    """

    name: str
    category: str = ""
    data_id: int = 0


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The models that a scenario can use, in the order of the world's catalogues; none of them empty."""

    vehicles: tuple[Model, ...]
    pedestrians: tuple[Model, ...]
    obstacles: tuple[Model, ...]

    @classmethod
    def from_models(
        cls, vehicles: Sequence[VehicleModel], pedestrians: Sequence[str], obstacles: Sequence[str]
    ) -> Self:
        """The catalogue of vehicle models and of names."""
        return cls(
            tuple(Model(model.name, model.category) for model in vehicles),
            tuple(Model(name) for name in pedestrians),
            tuple(Model(name) for name in obstacles),
        )

    @classmethod
    def of_world(cls, vehicles: Sequence[VehicleModel]) -> Self:
        """The catalogue of a world: its vehicle models, and all pedestrians and obstacles that there are."""
        people = [model.name for model in PEDESTRIAN_MODELS]
        return cls.from_models(vehicles, people, [model.name for model in OBSTACLE_MODELS])

    def models_of(self, family: Family) -> tuple[Model, ...]:
        """The models that a family is found in."""
        if family is Family.PEDESTRIAN:
            return self.pedestrians
        return self.obstacles if family is Family.OBSTACLE else self.vehicles


def find_model(catalogue: Catalogue, family: Family, data_id: int, name: str | None) -> tuple[int, bool]:
    """The row of the model for a file's number, and whether it is that model or another one that stands for it.

    Args:
        catalogue: the models.
        family: that the list of the file stands for; the first digit of the number does not count.
        data_id: the file's number.
        name: the name that a file of dorosim says, or None.
    """
    models = catalogue.models_of(family)
    for row, model in enumerate(models):
        if name is not None and model.name.casefold() == name.casefold():
            return row, True
    for row, model in enumerate(models):
        if data_id and model.data_id == data_id:
            return row, True
    if family is Family.NPC:
        wanted = _CATEGORY_OF_CLASS.get(data_id % _DIGITS_OF_FAMILY // _DIGITS_OF_CLASS, SEDAN)
        return row_of_class([model.category for model in models], wanted), False
    return 0, False


def data_id_of(family: Family, model: Model) -> int:
    """A number for a model that the product knows, of the model's family and, if possible, class."""
    if model.data_id:
        return model.data_id
    return _WRITTEN_OF_FAMILY.get(family, _WRITTEN.get(model.category, _WRITTEN[SEDAN]))
