"""Street lamps along the roads of a town, by rule: no map of the formats here names them."""

from __future__ import annotations

import numpy as np

from dorosim.ground.column import FloatArray
from dorosim.sensor.scene.actor.solid import limb
from dorosim.sensor.scene.material import Material
from dorosim.sensor.scene.mesh import Mesh, box_mesh
from dorosim.sensor.scene.static.drop import Dropper
from dorosim.sensor.scene.static.field import RoadField
from dorosim.sensor.scene.static.roadside import roadside

STREET_LAMP_HEIGHT = 8.0
"""Of the luminaire above the ground [m]: that of collector roads."""
_STEP = 30.0
"""From one lamp to the next along a lane [m]: about four times their height (EN 13201-2 in practice)."""
_MIN_GAP = 21.0
"""Between any two [m]: roads have lamps on both sides, in turns."""
_FROM_EDGE, _ARM = 0.95, 1.7
"""Of the pole from the edge of the lane, and of the arm above the road [m]."""
_CLEAR_OF_ROAD, _CLEAR_OF_SIGNAL = 0.35, 2.5
_MAX_STREET_LAMPS = 500


def draw_street_lamps(field: RoadField, signals: FloatArray) -> FloatArray:
    """Feet of poles `(N, 3)`: x, y in map [m] and the direction of the arm [rad].

    Args:
        field: the roads.
        signals: `(S, 2)` places of traffic lights, which stand where they stand [m].
    """
    chosen: list[tuple[float, float, float]] = []
    taken = np.zeros((0, 2))
    for edge, heading, side in roadside(field, _STEP):
        out = side * np.array((-np.sin(heading), np.cos(heading)))
        spot = edge + _FROM_EDGE * out
        if len(taken) and np.hypot(*(taken - spot).T).min() < _MIN_GAP:
            continue
        if len(signals) and np.hypot(*(signals - spot).T).min() < _CLEAR_OF_SIGNAL:
            continue
        if field.is_free(spot[None], _CLEAR_OF_ROAD)[0]:
            chosen.append((float(spot[0]), float(spot[1]), float(np.arctan2(-out[1], -out[0]))))
            taken = np.vstack((taken, spot))
        if len(chosen) == _MAX_STREET_LAMPS:
            break
    return np.array(chosen).reshape(-1, 3)


def street_lamp_meshes(feet: FloatArray, ground: Dropper, field: RoadField) -> tuple[list[Mesh], FloatArray]:
    """Poles with arms, and the places `(N, 3)` in map from which they shine [m]."""
    height = field.height(feet[:, :2]) if len(feet) else np.zeros(0)
    base = ground.height(np.column_stack((feet[:, :2], height))) if len(feet) else height
    shape = _shape()
    meshes, lamps = [], []
    for (x, y, heading), z in zip(feet.tolist(), base.tolist(), strict=True):
        c, s = np.cos(heading), np.sin(heading)
        meshes.append(shape.transformed(np.array([(c, -s, 0.0, x), (s, c, 0.0, y), (0.0, 0.0, 1.0, z)])))
        lamps.append((x + _ARM * c, y + _ARM * s, z + STREET_LAMP_HEIGHT - 0.12))
    return meshes, np.array(lamps).reshape(-1, 3)


def _shape() -> Mesh:
    """A lamp whose arm goes along x."""
    top = STREET_LAMP_HEIGHT
    mast = limb([(0, 0, -0.4), (0, 0, 0.6 * top), (0, 0, top - 0.25)], (0.085, 0.07, 0.055), Material.POLE, 8)
    arm = limb([(0, 0, top - 0.27), (0.5 * _ARM, 0, top - 0.06), (_ARM - 0.3, 0, top)], (0.05,) * 3, Material.POLE, 6)
    head = box_mesh((0.36, 0.14, 0.045), Material.POLE, (_ARM, 0, top + 0.01))
    lens = box_mesh((0.3, 0.11, 0.015), Material.STREET_LAMP, (_ARM, 0, top - 0.05))
    return Mesh.joined([mast, arm, head, lens])
