"""The vehicles that can be driven, by name."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

from dorosim.ground.column import FloatVector
from dorosim.ground.error import InputError
from dorosim.world.vehicle.model import VehicleModel
from dorosim.world.vehicle.model_table import TEXT, read_models
from dorosim.world.vehicle.parameter import VehicleParameter

VEHICLE_MODELS: tuple[VehicleModel, ...] = read_models(TEXT)
"""All models; the `model` column of `VehicleState` is a row of it."""

SEDAN = "sedan"
"""The class that stands for others: what is too small does less harm than what is too large for its lane."""


def _type_in(name: str) -> str:
    """The type in a name such as 2016_Hyundai_Ioniq: the part after year and maker."""
    return name.strip().casefold().split("_", 2)[-1]


_ROW_OF_NAME = {model.name.casefold(): row for row, model in enumerate(VEHICLE_MODELS)}
_ROW_OF_TYPE = {_type_in(name): row for name, row in reversed(_ROW_OF_NAME.items())}


def row_of_class(categories: Sequence[str], wanted: str) -> int:
    """The first of a class among the classes of models; else the first sedan, else the first of all."""
    for category in (wanted, SEDAN):
        if category in categories:
            return categories.index(category)
    return 0


def model_row(name: str, source: str = "vehicle", place: str = "") -> int:
    """The row of a model in `VEHICLE_MODELS`; upper and lower case are the same.

    Args:
        name: the model's name.
        source: the file or argument that named it, for the error.
        place: where in it.

    Raises:
        InputError: no model has the name; the cure names the nearest ones.
    """
    row = _ROW_OF_NAME.get(name.casefold())
    if row is not None:
        return row
    # by what it says besides year and maker, which users leave out; else by all of it
    near = [_ROW_OF_TYPE[match] for match in get_close_matches(_type_in(name), _ROW_OF_TYPE, n=3, cutoff=0.6)]
    near = near or [_ROW_OF_NAME[match] for match in get_close_matches(name.casefold(), _ROW_OF_NAME, n=3, cutoff=0.4)]
    if near:
        cure = f"did you mean {' or '.join(VEHICLE_MODELS[row].name for row in near)}?"
    else:
        cure = f"use {' or '.join(model.name for model in VEHICLE_MODELS)}"
    raise InputError(source, place, f"no vehicle is called {name!r}", cure)


def model_of(name: str, source: str = "vehicle", place: str = "") -> VehicleModel:
    """The model with a name (see `model_row`)."""
    return VEHICLE_MODELS[model_row(name, source, place)]


def parameters_of(models: Sequence[VehicleModel]) -> VehicleParameter:
    """A writable table with the parameters of one vehicle per model, in order.

    Columns that a kind of vehicle does not have, such as the tyres of a robot, are zero.
    """
    table = VehicleParameter.zeros(len(models))
    for row, model in enumerate(models):
        for column in VehicleParameter.float_columns:
            values = getattr(model, column.name, 0.0)
            width = column.count if isinstance(column, FloatVector) else 1
            table.floats[column.index : column.index + width, row] = values
        for int_column in VehicleParameter.int_columns:
            table.ints[int_column.index, row] = getattr(model, int_column.name, 0)
    return table


def nearest_model_row(name: str) -> tuple[int, bool]:
    """The row of a model, and whether it has the name that was asked for; else the row of a model that stands for it.

    That is the one with the likest name, whatever its year and maker; else one of the class that the name says, as
    2021_Volvo_Truck does; else a sedan.
    """
    row = _ROW_OF_NAME.get(name.strip().casefold())
    if row is not None:
        return row, True
    near = get_close_matches(_type_in(name), _ROW_OF_TYPE, n=1, cutoff=0.6)
    if near:
        return _ROW_OF_TYPE[near[0]], False
    categories = [model.category for model in VEHICLE_MODELS]
    said = (one for one in categories if one in name.casefold())
    return row_of_class(categories, next(said, SEDAN)), False
