"""Where the shapes of all actors stand, and which of their lamps burn: plain arrays, one set a shape."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dorosim.bridge.view.shape import Shapes
from dorosim.sensor.scene.actor.catalogue import ActorModels
from dorosim.sensor.scene.instance import Placement
from dorosim.sensor.scene.material import VehicleLamp
from dorosim.sensor.scene.placement import ActorPlacement
from dorosim.world.scene import Scene
from dorosim.world.snapshot import Snapshot
from dorosim.world.storyboard.visibility import HiddenFrom

LIT = {
    VehicleLamp.HEAD: (255, 250, 225),
    VehicleLamp.TAIL: (150, 8, 8),
    VehicleLamp.BRAKE: (255, 20, 12),
    VehicleLamp.TURN_LEFT: (255, 150, 10),
    VehicleLamp.TURN_RIGHT: (255, 150, 10),
    VehicleLamp.REVERSE: (255, 255, 255),
    VehicleLamp.BEACON_RED: (255, 10, 10),
    VehicleLamp.BEACON_BLUE: (30, 80, 255),
}
"""Linear colours of lamps that burn."""
_FLAT, _ABOVE = 0.05, 0.05
"""Half a height below which nothing has a shadow, and by how much shadows lie above the ground [m]."""


class Group(NamedTuple):
    """All actors with the same shape.

    Attributes:
        actor: `(N,)` ids. position: `(N, 3)` in the page's frame [m]. wxyz: `(N, 4)` quaternions. scale: `(N, 3)`.
        colour: `(N, 3)` of the paint, linear, 0 to 255.
    """

    actor: NDArray[np.int64]
    position: NDArray[np.float32]
    wxyz: NDArray[np.float32]
    scale: NDArray[np.float32]
    colour: NDArray[np.uint8]


class Lights(NamedTuple):
    """All lamps of a kind that burn: boxes; attributes as those of `Group`."""

    position: NDArray[np.float32]
    wxyz: NDArray[np.float32]
    scale: NDArray[np.float32]


NO_LIGHTS = Lights(np.zeros((0, 3), np.float32), np.zeros((0, 4), np.float32), np.zeros((0, 3), np.float32))
"""Nothing that burns."""


class Crowd(NamedTuple):
    """All actors.

    Attributes:
        groups: by number of the shape; shapes that no actor has are left out.
        lamps: by lamp; those of which none burns are left out.
        beams: of the actors nearby with head lamps on; one row each.
        shadows: of the actors nearby on the ground beneath them; the scale is that of a square of side 1.
    """

    groups: dict[int, Group]
    lamps: dict[int, Lights]
    beams: Lights
    shadows: Lights


class CrowdMaker:
    """Makes crowds of the snapshots of a run.

    Args:
        scene: what the run takes as given. models: of all actors. shapes: of those.
        origin: of the page's frame in the map [m].
    """

    def __init__(self, scene: Scene, models: ActorModels, shapes: Shapes, origin: tuple[float, float, float]) -> None:
        self._placement = ActorPlacement(scene, models)
        self._models, self._shapes = models, shapes
        self._origin = np.array(origin)
        self._spots = [
            (
                np.array([spot.lamp for spot in shape.lamps], np.int64),
                np.array([spot.centre for spot in shape.lamps]).reshape(-1, 3),
                np.array([spot.size for spot in shape.lamps]).reshape(-1, 3),
            )
            for shape in shapes.shapes
        ]

    def of(self, now: Snapshot, eye: tuple[float, float] = (0.0, 0.0), reach: float = np.inf) -> Crowd:
        """Returns where all actors are, and which of their lamps burn.

        Args:
            now: the snapshot that is shown.
            eye: place in the page's frame about which actors are drawn as they are [m].
            reach: those farther from it are drawn as they look from a distance [m].
        """
        placed = self._placement.of(now, HiddenFrom.GRAPHICS)
        if not len(placed.model):
            return Crowd({}, {}, NO_LIGHTS, NO_LIGHTS)
        stretch = np.linalg.norm(placed.pose[:, :, :3], axis=1)
        turn = placed.pose[:, :, :3] / stretch[:, None, :]
        wxyz = quaternions(turn)
        shapes, place = self._shapes, placed.pose[:, :, 3] - self._origin
        far = np.hypot(place[:, 0] - eye[0], place[:, 1] - eye[1]) > reach
        kind = np.where(far, shapes.far[placed.model], shapes.shape[placed.model])
        scale = np.where(far[:, None], shapes.far_scale[placed.model], shapes.scale[placed.model]) * stretch
        offset = np.where(far[:, None], shapes.far_offset[placed.model], shapes.offset[placed.model])
        position = place + np.einsum("nij,nj->ni", placed.pose[:, :, :3], offset)
        groups, lit = {}, []
        for number in np.unique(kind).tolist():
            rows = np.flatnonzero(kind == number)
            groups[number] = Group(
                placed.actor[rows],
                position[rows].astype(np.float32),
                wxyz[rows].astype(np.float32),
                scale[rows].astype(np.float32),
                np.round(255.0 * np.clip(placed.paint[rows, 0], 0.0, 1.0) ** 0.8).astype(np.uint8),
            )
            lamp, centre, size = self._spots[number]
            burns = (placed.lamp[rows, None] >> lamp) & 1 if len(lamp) else np.zeros((len(rows), 0), np.int64)
            row, spot = np.nonzero(burns)
            owner = rows[row]
            middle = position[owner] + np.einsum("nij,nj->ni", turn[owner], centre[spot] * scale[owner])
            lit.append((lamp[spot], middle, wxyz[owner], size[spot] * scale[owner]))
        beams, shadows = self._beams(placed, place, wxyz, ~far), self._shadows(placed, place, wxyz, ~far)
        return Crowd(groups, _by_lamp(lit), beams, shadows)

    def _shadows(
        self, placed: Placement, position: NDArray[np.float64], wxyz: NDArray[np.float64], near: NDArray[np.bool_]
    ) -> Lights:
        """Contact shadows of the near actors that stand on the ground; puddles and the like are too flat for one."""
        high = self._models.half_size[placed.model, 2] > _FLAT
        rows = np.flatnonzero(near & high)
        centre, half = self._models.centre[placed.model[rows]], self._models.half_size[placed.model[rows]]
        foot = np.column_stack((centre[:, :2], np.full(len(rows), _ABOVE)))
        place = position[rows] + np.einsum("nij,nj->ni", placed.pose[rows, :, :3], foot)
        stretch = np.linalg.norm(placed.pose[rows, :, :3], axis=1)
        scale = np.column_stack((2.0 * half[:, :2] * stretch[:, :2], np.ones(len(rows))))
        return Lights(place.astype(np.float32), wxyz[rows].astype(np.float32), scale.astype(np.float32))

    def _beams(
        self, placed: Placement, position: NDArray[np.float64], wxyz: NDArray[np.float64], near: NDArray[np.bool_]
    ) -> Lights:
        """Beams from the fronts of the near actors with head lamps on."""
        rows = np.flatnonzero(near & (placed.lamp & (1 << VehicleLamp.HEAD) != 0))
        box = self._models.centre[placed.model[rows], 0] + self._models.half_size[placed.model[rows], 0]
        front = placed.pose[rows, :, 0] * box[:, None]
        front[:, 2] += 0.06
        width = 2.0 * self._models.half_size[placed.model[rows], 1]
        scale = np.column_stack((np.full(len(rows), 1.0), width, np.ones(len(rows))))
        return Lights(
            (position[rows] + front).astype(np.float32), wxyz[rows].astype(np.float32), scale.astype(np.float32)
        )


def quaternions(turn: NDArray[np.float64]) -> NDArray[np.float64]:
    """Unit quaternions `(N, 4)`, w first and not negative, of rotation matrices `(N, 3, 3)` (Shepperd 1978)."""
    a, b, c = turn[:, 0, 0], turn[:, 1, 1], turn[:, 2, 2]
    square = 0.25 * np.maximum(np.stack((1 + a + b + c, 1 + a - b - c, 1 - a + b - c, 1 - a - b + c), axis=1), 0.0)
    largest = square.argmax(axis=1)
    x = turn[:, 2, 1] - turn[:, 1, 2], turn[:, 0, 2] - turn[:, 2, 0], turn[:, 1, 0] - turn[:, 0, 1]
    y = turn[:, 1, 0] + turn[:, 0, 1], turn[:, 0, 2] + turn[:, 2, 0], turn[:, 2, 1] + turn[:, 1, 2]
    size = np.sqrt(square)
    # four times the products of each pair of components, row by row for the largest of them
    whole = 4.0 * square
    rows = np.stack(
        (
            np.stack((whole[:, 0], x[0], x[1], x[2]), axis=1),
            np.stack((x[0], whole[:, 1], y[0], y[1]), axis=1),
            np.stack((x[1], y[0], whole[:, 2], y[2]), axis=1),
            np.stack((x[2], y[1], y[2], whole[:, 3]), axis=1),
        ),
        axis=1,
    )
    every = np.arange(len(turn))
    found = rows[every, largest] / (4.0 * size[every, largest])[:, None]
    return np.asarray(np.where(found[:, :1] < 0.0, -found, found))


def _by_lamp(
    lit: list[tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]],
) -> dict[int, Lights]:
    lamp, place, wxyz, size = (np.concatenate(parts) for parts in zip(*lit, strict=True))
    found = {}
    for one in np.unique(lamp).tolist():
        rows = lamp == one
        found[one] = Lights(
            place[rows].astype(np.float32), wxyz[rows].astype(np.float32), size[rows].astype(np.float32)
        )
    return found
