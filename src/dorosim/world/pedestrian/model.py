"""The people that can walk about, by name and family.

The product's own model names are not public (facts/ros-grpc-mgeo.md, section 4), so a name that is not in the
catalogue falls back by the words in it.

Heights of adults are means of Size Korea's 8th survey (2021); the child is the test target of ISO 19206-2, as are
shoulder widths. Lengths are those of a body with its arms and legs in the middle of a step, estimated from the step
lengths of that standard. Walking speeds: U. Weidmann, Transporttechnik der Fussgänger, IVT ETH Zürich (1993), 1.34 m/s
with his factors for sex and age. Those with wheels have the space that ISO 7176-5 and the German EAE (2002) plan for.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import get_close_matches

import numpy as np

from dorosim.ground.column import FloatArray


@dataclass(frozen=True, slots=True)
class PedestrianModel:
    """A model of a pedestrian.

    Attributes:
        name: by which clients name it.
        family: words that stand for it in names that the catalogue has not, in lower case.
        length, width, height: of its box, length along its heading [m].
        mass: [kg].
        speed: at which it walks if a command gives no other [m/s].
    """

    name: str
    family: tuple[str, ...]
    length: float
    width: float
    height: float
    mass: float
    speed: float


PEDESTRIAN_MODELS: tuple[PedestrianModel, ...] = (
    PedestrianModel("adult_male", ("man", "male", "boy", "adult"), 0.50, 0.50, 1.725, 74.0, 1.41),
    PedestrianModel("adult_female", ("woman", "female", "girl", "lady"), 0.45, 0.45, 1.596, 58.0, 1.27),
    PedestrianModel("child", ("child", "kid", "kids", "children"), 0.35, 0.30, 1.154, 22.0, 1.20),
    PedestrianModel("elder", ("elder", "elderly", "old", "senior", "grandma", "grandpa"), 0.45, 0.48, 1.58, 62.0, 1.00),
    PedestrianModel("wheelchair", ("wheelchair",), 1.20, 0.70, 1.35, 110.0, 1.00),
    PedestrianModel("stroller", ("stroller", "pram"), 1.60, 0.60, 1.60, 78.0, 1.20),
    PedestrianModel("scooter", ("scooter", "kickboard"), 1.20, 0.60, 1.85, 95.0, 4.00),
    PedestrianModel("bicycle", ("bicycle", "bike", "cyclist"), 1.80, 0.60, 1.80, 90.0, 4.20),
    PedestrianModel(
        "motorbike", ("motorbike", "motorcycle", "motorcyclist", "sportbike"), 1.90, 0.75, 1.70, 180.0, 8.0
    ),
)
"""All models; the `model` column of `PedestrianState` is a row of it.

The product's classes name motorbikes with riders (facts/udp-wire.md, section 7), and no document a model: size and mass
are about those of the light motorcycles of deliveries (1.86 x 0.71 x 1.04 m, 0.1 t), with a rider.
"""
PASSERS_BY = len(PEDESTRIAN_MODELS) - 1
"""How many models, from the first on, a spawn point without a model draws from: all but the motorbike."""

_ROW_OF_NAME = {model.name: row for row, model in enumerate(PEDESTRIAN_MODELS)}
_ROW_OF_WORD = {word: row for row, model in enumerate(PEDESTRIAN_MODELS) for word in model.family}


def pedestrian_model_row(name: str) -> tuple[int, bool]:
    """The row of a model in `PEDESTRIAN_MODELS`, and whether the catalogue has this name.

    Upper and lower case are the same. A name that is not in the catalogue falls back to the model of a word in it,
    then to the most similar name, and else to the first model; report that to the user if the second value is False.
    """
    plain = name.strip().casefold()
    if plain in _ROW_OF_NAME:
        return _ROW_OF_NAME[plain], True
    for word in re.findall(r"[a-z]+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name.strip()).casefold()):
        if word in _ROW_OF_WORD:
            return _ROW_OF_WORD[word], False
    near = get_close_matches(plain, _ROW_OF_NAME, n=1)
    return (_ROW_OF_NAME[near[0]] if near else 0), False


def pedestrian_sizes() -> FloatArray:
    """`(models, 3)` length, width and height of every model [m]."""
    return np.array([(model.length, model.width, model.height) for model in PEDESTRIAN_MODELS])
