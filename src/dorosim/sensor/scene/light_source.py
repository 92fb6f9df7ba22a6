"""What sends out light by itself: lamps of actors, street lamps, traffic lights and lit windows, one row each.

Intensities are those of the rules that lamps are approved by, in candela: low and high beams UN Regulation No. 112,
stop lamps No. 7, direction indicators No. 6, reversing lamps No. 23; traffic lights EN 12368; street lamps give 10 to
20 lx on the road between them (EN 13201-2, classes C2 and C3).
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.column import FloatArray
from dorosim.ground.mesh import Mesh
from dorosim.sensor.scene.instance import SOURCE_COLUMNS, Placement
from dorosim.sensor.scene.material import FIRST_LAMP, LAMPS, VehicleLamp

PLACE, FORWARD, LEFT, UP, INTENSITY = (slice(first, first + 3) for first in range(0, 15, 3))
BEAM, SPREAD, RANGE = 15, 16, 17
"""Columns of a table of light sources, `(S, SOURCE_COLUMNS)` float32: place [m from the scene's origin]; unit vectors
forward, left and up; intensity of red, green and blue along the brightest direction [cd]; `Beam`; half the distance
between the two lamps of a pair, which lie to the left and right of the place [m]; how far the light goes [m]."""
HIGH_BEAM: Final = np.int64(1 << LAMPS)
"""The bit of an instance's `lamp` that adds the high beams to the head lamps; they have no surface of their own."""
MIN_ILLUMINANCE: Final = 0.04
"""Light that is weaker at its place is left out [lx]."""
MAX_LAMP_RANGE: Final = 120.0
_MIN_PAIR: Final = 0.05
"""Lamps that are nearer to the middle plane are in the middle [m]."""
_OUT: Final = 0.06
"""Lamps shine from so far in front of their surface [m], so that their own body does not hide them."""

SourceTable = NDArray[np.float32]


def brightest_colour(source: SourceTable) -> NDArray[np.float32]:
    """The greatest of the intensities of red, green and blue, `(S,)`; by columns, since rows of three are slow."""
    return np.maximum(np.maximum(source[:, 12], source[:, 13]), source[:, 14])


class Beam(IntEnum):
    """How the light of a source is spread; a pane shines to both sides."""

    WIDE = 0
    LOW_BEAM = 1
    HIGH_BEAM = 2
    STREET = 3
    PANE = 4


class Luminaire(NamedTuple):
    """A kind of lamp.

    Attributes:
        candela: along the brightest direction, of one lamp of a pair.
        colour: linear red, green, blue, with a luminance of about 1.
        beam: how it is spread.
    """

    candela: float
    colour: tuple[float, float, float]
    beam: Beam = Beam.WIDE


_WHITE, _WARM, _RED, _AMBER = (1.03, 1.0, 0.92), (1.35, 0.95, 0.45), (3.2, 0.04, 0.03), (2.2, 0.8, 0.02)
VEHICLE_LUMINAIRES: Final[dict[VehicleLamp, Luminaire]] = {
    VehicleLamp.HEAD: Luminaire(12_000.0, _WHITE, Beam.LOW_BEAM),
    VehicleLamp.TAIL: Luminaire(6.0, _RED),
    VehicleLamp.BRAKE: Luminaire(80.0, _RED),
    VehicleLamp.TURN_LEFT: Luminaire(200.0, _AMBER),
    VehicleLamp.TURN_RIGHT: Luminaire(200.0, _AMBER),
    VehicleLamp.REVERSE: Luminaire(150.0, _WHITE),
    VehicleLamp.BEACON_RED: Luminaire(150.0, _RED),
    VehicleLamp.BEACON_BLUE: Luminaire(150.0, (0.2, 0.6, 6.0)),
}
HIGH_BEAM_LUMINAIRE: Final = Luminaire(40_000.0, _WHITE, Beam.HIGH_BEAM)
STREET_LUMINAIRE: Final = Luminaire(2_200.0, (1.2, 0.97, 0.62), Beam.STREET)
"""Of 3000 K, eight metres above the road."""
WINDOW_LUMINAIRE: Final = Luminaire(25.0, _WARM, Beam.PANE)
_SIGNAL_CANDELA: Final = 60.0
"""To all sides; the narrow beam of 200 cd and more that drivers see lights no surface that cameras see."""


def range_of(candela: float) -> float:
    """How far light goes until it is weaker than `MIN_ILLUMINANCE` [m]."""
    return min(float(np.sqrt(candela / MIN_ILLUMINANCE)), MAX_LAMP_RANGE)


def fixed_sources(place: FloatArray, forward: FloatArray, luminaire: Luminaire) -> SourceTable:
    """Sources that stand.

    Args:
        place: `(N, 3)` from the scene's origin [m].
        forward: `(N, 3)` unit vectors to where they shine.
        luminaire: what they are.
    """
    table = np.zeros((len(place), SOURCE_COLUMNS), np.float32)
    table[:, PLACE], table[:, FORWARD] = place, forward
    table[:, INTENSITY] = luminaire.candela * np.asarray(luminaire.colour)
    table[:, BEAM], table[:, RANGE] = luminaire.beam, range_of(luminaire.candela)
    return table


def signal_sources(place: FloatArray, forward: FloatArray, emission: FloatArray) -> SourceTable:
    """Lit lenses of traffic lights at places `(N, 3)`, in colours of emissions `(N, 3)`."""
    table = fixed_sources(place, forward, Luminaire(_SIGNAL_CANDELA, _WHITE))
    luminance = emission @ (0.2126, 0.7152, 0.0722)
    table[:, INTENSITY] = _SIGNAL_CANDELA * emission / np.maximum(luminance, 1e-6)[:, None]
    return table


class ModelLamps:
    """The lamps of the models of actors, found by the materials of their meshes.

    Args:
        meshes: of the models, each in the frame of its body.
    """

    def __init__(self, meshes: Sequence[Mesh]) -> None:
        rows: list[tuple[float, ...]] = []
        first = [0]
        for mesh in meshes:
            rows += _lamps_of(mesh)
            first.append(len(rows))
        self._first = np.array(first)
        table = np.array(rows).reshape(-1, 6)
        self._place, self._ahead, self._spread = table[:, :3], table[:, 3], table[:, 4]
        self._bit = np.int64(1) << table[:, 5].astype(np.int64)
        kinds = [*VEHICLE_LUMINAIRES.values(), HIGH_BEAM_LUMINAIRE]
        self._of_kind = np.array([(*(one.candela * np.array(one.colour)), one.beam) for one in kinds])
        self._range = np.array([range_of(2.0 * one.candela) for one in kinds])
        self._kind = table[:, 5].astype(np.int64)

    def sources(self, placement: Placement, origin: FloatArray) -> SourceTable:
        """The lamps that burn.

        Args:
            placement: of the actors.
            origin: `(3,)` of the scene in map [m].
        """
        start, count = self._first[placement.model], np.diff(self._first)[placement.model]
        actor = np.repeat(np.arange(len(count)), count)
        row = np.arange(len(actor)) - np.repeat(np.cumsum(count) - count, count) + np.repeat(start, count)
        lit = (placement.lamp[actor] & self._bit[row]) != 0
        actor, row = actor[lit], row[lit]
        pose = placement.pose[actor]
        table = np.zeros((len(row), SOURCE_COLUMNS), np.float32)
        table[:, PLACE] = np.einsum("nij,nj->ni", pose[:, :, :3], self._place[row]) + pose[:, :, 3] - origin
        length = np.maximum(np.linalg.norm(pose[:, :, :3], axis=1), 1e-9)[:, None, :]
        axes = pose[:, :, :3] / length
        side = self._ahead[row, None]
        table[:, FORWARD], table[:, LEFT], table[:, UP] = side * axes[:, :, 0], side * axes[:, :, 1], axes[:, :, 2]
        kind = self._kind[row]
        table[:, INTENSITY], table[:, BEAM] = self._of_kind[kind, :3], self._of_kind[kind, 3]
        table[:, INTENSITY] *= np.where(self._spread[row] > 0.0, 2.0, 1.0)[:, None]
        table[:, SPREAD], table[:, RANGE] = self._spread[row], self._range[kind]
        return table


def _lamps_of(mesh: Mesh) -> list[tuple[float, ...]]:
    """Place, direction along x (1 or -1), half distance of the pair and kind of each lamp of a model."""
    found: list[tuple[float, ...]] = []
    low, high = mesh.bounds
    middle = 0.5 * (low[0] + high[0])
    for lamp in VehicleLamp:
        faces = mesh.faces[mesh.material == FIRST_LAMP + lamp]
        corners = mesh.vertices[faces]
        for side in (1.0, -1.0):
            points = corners[side * (corners.mean(axis=1)[:, 0] - middle) > 0.0].reshape(-1, 3)
            if not len(points):
                continue
            spread = 0.0
            paired = points[:, 1].min() < -_MIN_PAIR and points[:, 1].max() > _MIN_PAIR
            x = float(side * (side * points[:, 0]).max() + side * _OUT)
            y, z = 0.0 if paired else float(points[:, 1].mean()), float(points[:, 2].mean())
            if paired:
                outer = points[np.abs(points[:, 1]) > _MIN_PAIR]
                spread, z = float(np.abs(outer[:, 1]).mean()), float(outer[:, 2].mean())
            row = (x, y, z, side, spread)
            found.append((*row, float(lamp)))
            if lamp == VehicleLamp.HEAD:
                found.append((*row, float(LAMPS)))
    return found
