"""Numbers of vehicle models (GroundVehicleModel), as the public clients of MORAI SIM 2 list them."""

from __future__ import annotations

from dorosim.bridge.npc import vehicle_to_make
from dorosim.ground.error import InputError

_NAMES = (
    *("2016_Hyundai_Ioniq", "2023_Hyundai_Ioniq5", "2021_Hyundai_Ioniq5", "2023_Hyundai_Ioniq6"),
    *("2021_Hyundai_Staria", "2022_Hyundai_Tucson_suv", "2014_Hyundai_Sonata_sedan", "2017_Kia_Niro(HEV)"),
    *("2020_Kia_Carnival_van", "2024_KGM_Torres_EVX_suv", "2018_MORAI_TCar_sedan", "2025_MORAI_Sedan"),
    *("2025_MORAI_Formula4", "KM_RZR_2", "KM_RZR_4", "K8_Sedan", "K8_SUV", "2021_Hyundai_Staria_Ambulance_van"),
    *("K8_Van", "2023_Hyundai_City_Bus", "2023_Hyundai_Local_Bus", "2022_OHM_Lift_Bus", "2022_PX_Robo_Bus"),
    *("MORAI_Shuttle_Bus", "2025_MORAI_Bus", "2025_KK11_Shuttle_Bus", "K8_Large_Bus"),
    *("2025_Kia_Bongo3_EV_Sweeper_truck", "2025_Kia_Bongo3_EV_Fumigator_truck", "2025_Kia_Bongo3_EV_Vacuum_truck"),
    *("2025_Kia_Bongo3_EV_Multi_truck", "KM923_truck", "K8_Truck_1t", "K8_Truck_15t", "K8_Dump_Truck"),
    *("K8_Trailer_truck", "GT_Escape_bicycle", "Hanway_Fury_motorbike", "Haas_21_Redback", "T72_tank"),
    "KDilly_X3_robot",
)
"""By number; 0 is not said, and the usual vehicle is made. Words behind a name say its class to the catalogue."""
MODEL_NAMES: dict[int, str] = dict(enumerate(_NAMES))


def model_numbered(number: int) -> tuple[str, str]:
    """The model that is made for a number, and a sentence if it stands for the one that the number means.

    Raises:
        InputError: the number is not in the list.
    """
    name = MODEL_NAMES.get(number)
    if name is None:
        raise InputError(
            "CreateObject", "", f"ground_vehicle_model {number} is not valid", f"use 0 to {len(_NAMES) - 1}"
        )
    return vehicle_to_make(name)
