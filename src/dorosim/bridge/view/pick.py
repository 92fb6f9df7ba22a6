"""What a visitor points at: the place on the ground, its lane, and the actor under the cursor."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.mesh import Mesh
from dorosim.road.location import locate
from dorosim.sensor.scene.actor.catalogue import ActorModels
from dorosim.sensor.scene.embree_kernel import cast_rays
from dorosim.sensor.scene.embree_scene import EmbreeScene
from dorosim.sensor.scene.instance import Placement
from dorosim.sensor.scene.material import Material, MaterialTable
from dorosim.sensor.scene.placement import ActorPlacement
from dorosim.sensor.scene.static.world import StaticWorld
from dorosim.world.scene import Scene
from dorosim.world.snapshot import Snapshot
from dorosim.world.storyboard.visibility import HiddenFrom

MAX_PICK_DISTANCE = 20_000.0
"""Reach of a cursor: a visitor points at nothing farther away than this [m]."""
_MAX_LANE_OFFSET = 4.0
"""A place belongs to a lane if the centre line is at most this far away [m]."""
_MARGIN = 0.15
"""How much larger bodies are to a cursor than they are, on each side [m]: people are narrow on a screen."""
SUNK = 1.0
"""The cursor finds a body at most this far behind the ground that it finds, as wheels may stand in the kerb [m]."""

GROUND = frozenset(
    {
        Material.ASPHALT, Material.CONCRETE, Material.KERB, Material.PAVEMENT, Material.GRASS, Material.SOIL,
        Material.WHITE_LINE, Material.YELLOW_LINE, Material.BLUE_LINE, Material.STOP_LINE, Material.CROSSWALK,
        Material.ARROW,
    }
)  # fmt: skip
"""Materials of the surfaces on which actors can stand."""


class Picked(NamedTuple):
    """What a visitor points at.

    Attributes:
        point: on the road or the ground, in map [m]; None for the sky.
        actor: id of the actor under the cursor, 0 for none.
        link: row of the lane at the point, -1 for none. link_id: its id, "" for none.
        s: arc length of the point on the lane [m], NaN for none. lateral: its offset, left positive [m], NaN for none.
        heading: direction of the lane at the point, counter-clockwise from east; where there is none, that in which the
            visitor looks [rad].
    """

    point: tuple[float, float, float] | None = None
    actor: int = 0
    link: int = -1
    link_id: str = ""
    s: float = math.nan
    lateral: float = math.nan
    heading: float = 0.0


class Picker:
    """Finds what visitors point at. Safe from several threads; the first call prepares the ground.

    Args:
        scene: what does not change in the run that is shown. models: of all actors.
        origin: of the page's frame in the map [m].
        load_static: makes the triangles of the map.
    """

    def __init__(
        self, scene: Scene, models: ActorModels, origin: Sequence[float], load_static: Callable[[], StaticWorld]
    ) -> None:
        self._network, self._models, self._origin, self._load_static = scene.network, models, origin, load_static
        self._placement = ActorPlacement(scene, models)
        self._ground: _Ground | None = None

    def at(self, now: Snapshot, origin: Sequence[float], direction: Sequence[float]) -> Picked:
        """Returns what lies under the cursor.

        Args:
            now: the snapshot that is shown.
            origin: `(3,)` of the cursor's ray, in the page's frame [m].
            direction: `(3,)` of it, of any length.
        """
        start, along = np.array(origin, np.float64), np.array(direction, np.float64)
        size = float(np.linalg.norm(along))
        if start.shape != (3,) or along.shape != (3,) or not np.isfinite(start).all() or not 0.0 < size < math.inf:
            return Picked()
        start, along = start + self._origin, along / size
        ground = self._ground = self._ground or _Ground(
            self._load_static().mesh
        )  # made twice at worst: both are the same
        far = ground.distance(start, along)
        actor = self._actor(now, start, along, min(far + SUNK, MAX_PICK_DISTANCE))
        heading = math.atan2(along[1], along[0])
        if far == math.inf:
            return Picked(actor=actor, heading=heading)
        point = start + far * along
        return self._on_lane(point, actor, heading)

    def _on_lane(self, point: NDArray[np.float64], actor: int, heading: float) -> Picked:
        network = self._network
        place = (float(point[0]), float(point[1]), float(point[2]))
        found = locate(network, point, drivable_only=True, reach=_MAX_LANE_OFFSET)
        link = int(found.link[0])
        if link < 0:
            return Picked(place, actor, heading=heading)
        s, lateral = float(found.s[0]), float(found.lateral[0])
        return Picked(place, actor, link, network.link_ids[link], s, lateral, float(network.heading_at(link, s)[0]))

    def _actor(self, now: Snapshot, start: NDArray[np.float64], along: NDArray[np.float64], far: float) -> int:
        """Returns the id of the first actor with a box that a ray meets within a distance [m], 0 for none."""
        placed, models = self._placement.of(now, HiddenFrom.GRAPHICS), self._models
        if not len(placed.model):
            return 0
        turn = placed.pose[:, :, :3]
        scale = np.linalg.norm(turn, axis=1)
        back = np.linalg.inv(turn)
        begin = np.einsum("nij,nj->ni", back, start - placed.pose[:, :, 3]) - models.centre[placed.model]
        way = back @ along
        half = models.half_size[placed.model] + _MARGIN / scale
        distance = entry_distance(begin, way, half)
        first = int(np.argmin(distance))
        return int(placed.actor[first]) if distance[first] <= far else 0


def entry_distance(
    start: NDArray[np.float64], along: NDArray[np.float64], half: NDArray[np.float64]
) -> NDArray[np.float64]:
    """How far along rays `(N,)` boxes around their origins begin: slabs, one axis after the other (Kay, Kajiya 1986).

    Args:
        start: `(N, 3)` of the rays, each in the frame of its box.
        along: `(N, 3)` directions there.
        half: `(N, 3)` half extents of the boxes.

    Returns:
        In lengths of `along`; 0 for a ray that starts in its box, infinite for one that misses it.
    """
    flat = np.where(np.abs(along) < 1e-12, 1e-12, along)
    one, other = (-half - start) / flat, (half - start) / flat
    enter, leave = np.minimum(one, other).max(axis=1), np.maximum(one, other).min(axis=1)
    return np.where((enter <= leave) & (leave >= 0.0), np.maximum(enter, 0.0), math.inf)


class _Ground:
    """The surfaces on which actors can stand, prepared for rays: buildings, trees and signs do not hide them."""

    def __init__(self, mesh: Mesh) -> None:
        on = np.isin(mesh.material, [int(stuff) for stuff in GROUND])
        self._stage = EmbreeScene(Mesh(mesh.vertices, mesh.faces[on], mesh.material[on]), (), MaterialTable.standard())
        self._view = self._stage.place(Placement.zeros(0))

    def distance(self, start: NDArray[np.float64], along: NDArray[np.float64]) -> float:
        """How far away the ground is along a ray [m]; infinite for none."""
        max_distance = np.array([MAX_PICK_DISTANCE])
        distance, _, row, _ = cast_rays(self._view, start[None], along[None], max_distance, 0)
        return float(distance[0]) if row[0] >= 0 else math.inf
