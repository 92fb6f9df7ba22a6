"""What the intensity byte of a lidar means, and its values."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dorosim.sensor.lidar.setting import Intensity
from dorosim.sensor.scene.instance import View
from dorosim.sensor.scene.semantic import INTENSITY

DIFFUSE, BRIGHTEST = 100.0, 255.0
"""Bytes of a white diffuse surface and of the best retroreflector (VLP-16 manual, "Calibrated reflectivities")."""


def intensity_values(view: View, intensity: Intensity) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """The intensity that instances and materials have, whatever the incidence.

    Args:
        view: of the scene.
        intensity: what the byte means.

    Returns:
        (A,) of each instance, -1 where its material decides; (M,) of each material, -1 where it is `DIFFUSE` times the
        reflectivity and the cosine of incidence.
    """
    if intensity == "semantic":
        told = INTENSITY.astype(np.int32)
        return np.where(view.label >= 0, told[view.label], -1).astype(np.int32), told[view.semantic]
    if intensity == "instance":
        row_value = np.where(view.actor > 0, 1 + (view.actor - 1) % 255, 0)
        return row_value.astype(np.int32), np.zeros(len(view.semantic), np.int32)
    bright = np.minimum(DIFFUSE + (BRIGHTEST - DIFFUSE) * (view.reflectivity - 1.0), BRIGHTEST)
    material_value = np.where(view.reflectivity > 1.0, bright, -1.0)
    return np.full(len(view.actor), -1, np.int32), material_value.astype(np.int32)
