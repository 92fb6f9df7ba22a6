"""The reference page of vehicles, from their catalogue."""

from __future__ import annotations

import math

from dorosim.world.vehicle.catalogue import VEHICLE_MODELS
from dorosim.world.vehicle.model import VehicleModel
from tools.reference.markdown import table


def vehicle_page() -> str:
    """The page of all vehicles: sizes, limits, and where their data are from."""
    return (
        "# Vehicles\n\n"
        "`--vehicle NAME`, or `vehicle` in `dorosim.toml`. Lengths in metres, angles in degrees, speeds in km/h.\n\n"
        + table(
            ("name", "category", "length", "width", "height", "wheelbase", "mass [kg]", "max. steering", "top speed"),
            [
                (
                    f"`{model.name}`",
                    model.category,
                    f"{model.length:g}",
                    f"{model.width:g}",
                    f"{model.height:g}",
                    f"{model.wheelbase:g}",
                    f"{model.mass:g}",
                    f"{math.degrees(model.max_steer):.4g}",
                    f"{model.max_speed * 3.6:.4g}",
                )
                for model in VEHICLE_MODELS
            ],
        )
        + "\n## Sources\n\n"
        + "".join(_vehicle_source(model) for model in VEHICLE_MODELS)
    )


def _vehicle_source(model: VehicleModel) -> str:
    estimated = f" Estimated: {', '.join(model.estimated)}." if model.estimated else ""
    return f"- `{model.name}`: {model.source}.{estimated}\n"
