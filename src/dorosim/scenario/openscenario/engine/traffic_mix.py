"""What traffic of a storyboard is made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from dorosim.world.vehicle.catalogue import VEHICLE_MODELS


class TrafficKind(NamedTuple):
    """A kind of vehicle or person.

    Attributes:
        weight: how often it comes. model: name of the vehicle in the catalogue, "" for a person.
        person: row of the models of persons, -1 for a vehicle. desired_speed: [m/s], 0: that of its driver.
        lane_change: whether it may change lanes for its own advantage.
    """

    weight: float
    model: str = ""
    person: int = -1
    desired_speed: float = 0.0
    lane_change: bool = True


@dataclass(frozen=True, slots=True)
class TrafficMix:
    """Kinds by their weights; none at all stands for every kind."""

    kinds: tuple[TrafficKind, ...] = ()

    def draw(self, random: np.random.Generator) -> TrafficKind | None:
        """One of them by chance, None where there is none."""
        total = sum(one.weight for one in self.kinds)
        if total <= 0.0:
            return None
        left = random.random() * total
        for one in self.kinds:
            left -= one.weight
            if left < 0.0:
                return one
        return self.kinds[-1]

    def has_vehicle(self, row: int) -> bool:
        """Whether vehicles of a model of the world are of it."""
        name = VEHICLE_MODELS[row].name
        return not self.kinds or any(one.model == name and one.weight > 0.0 for one in self.kinds)

    @property
    def has_persons(self) -> bool:
        """Whether persons are of it."""
        return not self.kinds or any(one.person >= 0 and one.weight > 0.0 for one in self.kinds)
