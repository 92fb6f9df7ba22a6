"""A tick of all pedestrians, and the lanes that they are about to cross."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from dorosim.ground.column import FloatArray, IntArray, read_only, writable
from dorosim.road.adjacency import frozen
from dorosim.road.crosswalk import Crosswalks
from dorosim.road.network import RoadNetwork
from dorosim.road.surface import SurfaceArrays
from dorosim.road.surface_kernel import follow_surface
from dorosim.world.collision.body import BodyTable
from dorosim.world.pedestrian.activity_kernel import WalkScene
from dorosim.world.pedestrian.avoidance_kernel import look_around
from dorosim.world.pedestrian.crossing_kernel import LaneCrossings, find_crossings
from dorosim.world.pedestrian.gap_kernel import CrosswalkArrays, find_gaps
from dorosim.world.pedestrian.kerb import waiting_distances
from dorosim.world.pedestrian.model import pedestrian_sizes
from dorosim.world.pedestrian.state import CrosswalkState, Pedestrians, PedestrianState
from dorosim.world.pedestrian.walk_kernel import walk_pedestrians
from dorosim.world.signal.state import NO_LAMP, LightState, WalkSignal
from dorosim.world.traffic.state import Crossing

_STRICTNESS = np.array([0, 3, 1, 2], np.int64)
"""Order of `WalkSignal` by strictness: NONE, STAY, GO, FLICKER."""
_BY_STRICTNESS = np.array([WalkSignal.NONE, WalkSignal.GO, WalkSignal.FLICKER, WalkSignal.STAY], np.int64)
_COMMANDED = 4
"""More than any strictness: what is added where a head is under command."""


MAX_HALF_LANE, CROSSING_SIDE_MARGIN = 1.75, 0.5
"""A pedestrian is in the way of vehicles on a lane within MAX_HALF_LANE of its middle, or half the lane's width if that
is less, plus CROSSING_SIDE_MARGIN [m]."""


@dataclass(frozen=True, slots=True, eq=False)
class PedestrianPlan:
    """The map as pedestrians use it; it does not change in a run.

    Attributes:
        surface: the ground.
        crosswalks: where they cross.
        lit: crosswalks that have lights, ascending; `lit_first`: where the list of each begins in `head`, the rows of
            its lights.
        lanes: where lanes lead over them.
        kerb: `(K,)` how far before the edge of each crosswalk people wait [m].
        radius: `(models,)` of a circle that stands for each model's body [m].
        height: `(models,)` of each model [m].
    """

    surface: SurfaceArrays
    crosswalks: CrosswalkArrays
    lanes: LaneCrossings
    lit: IntArray
    lit_first: IntArray
    head: IntArray
    kerb: FloatArray
    radius: FloatArray
    height: FloatArray

    @classmethod
    def from_network(cls, network: RoadNetwork) -> Self:
        """The plan of a map."""
        crosswalks = network.crosswalks
        counts = np.diff(crosswalks.lights.first)
        lit = np.flatnonzero(counts)
        size = pedestrian_sizes()
        return cls(
            surface=network.surface,
            crosswalks=CrosswalkArrays(crosswalks.first, crosswalks.corner, frozen(_circles(crosswalks))),
            lanes=_lanes_over(network),
            lit=lit,
            lit_first=crosswalks.lights.first[lit],
            head=crosswalks.lights.item,
            kerb=waiting_distances(network),
            radius=frozen(0.5 * size[:, :2].max(axis=1)),
            height=frozen(np.ascontiguousarray(size[:, 2])),
        )

    @property
    def crosswalk_count(self) -> int:
        """The number of crosswalks."""
        return len(self.crosswalks.circle)

    def walk_of(self, light: LightState) -> IntArray:
        """`(K,)` what the heads of each crosswalk show (`WalkSignal`), NONE without a lit head; writable.

        The strictest head counts; heads under command come before those that are not.
        """
        walk = np.zeros(self.crosswalk_count, np.int64)
        if len(self.lit):
            strict = _STRICTNESS[light.walk[self.head]]
            strict += np.where(light.command[self.head] != NO_LAMP, _COMMANDED, 0)
            walk[self.lit] = _BY_STRICTNESS[np.maximum.reduceat(strict, self.lit_first) % _COMMANDED]
        return walk

    def gaps(self, bodies: BodyTable, vehicles: int) -> FloatArray:
        """`(K,)` time until the next vehicle reaches each crosswalk [s], infinite for none; writable.

        A vehicle comes if its straight way ahead leads over the crosswalk, or near it, and it can no longer stop.

        Args:
            bodies: writable; it is only read.
            vehicles: how many of its first rows are vehicles.
        """
        gap = np.full(self.crosswalk_count, np.inf)
        find_gaps(self.crosswalks, bodies.floats, vehicles, gap)
        return gap

    def look(self, light: LightState, bodies: BodyTable, vehicles: int) -> CrosswalkState:
        """What people see of the crosswalks now, read-only; arguments as of `walk_of` and `gaps`."""
        seen = CrosswalkState.zeros(self.crosswalk_count)
        seen.walk[:] = self.walk_of(light)
        seen.gap[:] = self.gaps(bodies, vehicles)
        return seen.freeze()


def _circles(crosswalks: Crosswalks) -> FloatArray:
    """`(K, 3)` centre and radius of a circle around each area."""
    circle = np.zeros((len(crosswalks), 3))
    for area in range(len(crosswalks)):
        corners = crosswalks.of(area)[:, :2]
        circle[area, :2] = centre = 0.5 * (corners.min(axis=0) + corners.max(axis=0))
        circle[area, 2] = np.hypot(*(corners - centre).T).max()
    return circle


def step_pedestrians(
    plan: PedestrianPlan,
    people: Pedestrians,
    walk: IntArray,
    gap: FloatArray,
    ego_x: FloatArray,
    ego_y: FloatArray,
    seed: int,
    dt: float,
    *,
    settle: bool = True,
) -> None:
    """Let all pedestrians walk for a tick, and put them on the ground.

    Afterwards the caller removes the pedestrians in `people.departed()`.

    Args:
        plan: the map.
        people: a writable copy; it is changed.
        walk: `(K,)` what the lights of each crosswalk show: `plan.walk_of(lights)`.
        gap: `(K,)` time until the next vehicle is at each crosswalk [s]: `plan.gaps(...)`, or infinities.
        ego_x: `(E,)` the ego vehicles in map [m]; writable and contiguous, as is `ego_y`.
        ego_y: likewise.
        seed: of their random choices, not negative.
        dt: length of the tick [s].
        settle: whether to find the ground below them; in a tenth of a second they go only a decimetre.
    """
    if not len(people):
        return
    floats, ints = people.state.floats, people.state.ints
    walk_pedestrians(floats, ints, _scene(plan, people, walk, gap, ego_x, ego_y), seed, dt)
    if settle and (floats[_PEDESTRIAN.speed].any() or ints[_PEDESTRIAN.segment].min() < 0):
        follow_ground(plan, people.state)


def look_for_bodies(plan: PedestrianPlan, people: Pedestrians, bodies: BodyTable, rows: IntArray) -> None:
    """Let all pedestrians look for bodies in their way; they heed these until they look again.

    Args:
        plan: the map.
        people: a writable copy; it is changed.
        bodies: writable; it is only read.
        rows: the rows of `bodies` that are vehicles and obstacles, writable.
    """
    scene = _scene(plan, people, _NO_WALK, _NO_GAP, _NOBODY, _NOBODY)
    look_around(people.state.floats, people.state.ints, scene, bodies.floats, rows)


def _scene(
    plan: PedestrianPlan, people: Pedestrians, walk: IntArray, gap: FloatArray, ego_x: FloatArray, ego_y: FloatArray
) -> WalkScene:
    """What the kernels read."""
    route = people.route
    tables = (plan.crosswalks, read_only(walk), read_only(gap), plan.kerb, plan.radius, plan.height)
    return WalkScene(route.first, route.point, *tables, ego_x, ego_y)


_NO_WALK, _NO_GAP, _NOBODY = np.zeros(0, np.int64), np.zeros(0), np.zeros(0)


def follow_ground(plan: PedestrianPlan, state: PedestrianState) -> None:
    """Put all pedestrians on the ground: that of the nearest lane, as under vehicles."""
    floats = state.floats
    scratch = np.empty((3, len(state)))
    x, y, z = floats[_PEDESTRIAN.x], floats[_PEDESTRIAN.y], floats[_PEDESTRIAN.z]
    follow_surface(plan.surface, x, y, z, state.ints[_PEDESTRIAN.segment], scratch[0], scratch[1], scratch[2])
    z[:] = scratch[0]


_PEDESTRIAN = PedestrianState.at


def crossings_of_people(plan: PedestrianPlan, people: Pedestrians, walk: IntArray) -> Crossing:
    """The lanes that people are about to cross, or wait to cross at a crosswalk without a light; read-only.

    Args:
        plan: the map.
        people: they are not changed.
        walk: `(K,)` what the lights of each crosswalk show: `plan.walk_of(lights)`.
    """
    lanes, state = plan.lanes, people.state
    found = Crossing.zeros(len(lanes))
    state_floats, state_ints = writable(state.floats), writable(state.ints)
    count = find_crossings(
        lanes.floats, lanes.ints, read_only(walk), state_floats, state_ints, found.floats, found.ints
    )
    return Crossing(found.floats[:, :count].copy(), found.ints[:, :count].copy()).freeze()


def _lanes_over(network: RoadNetwork) -> LaneCrossings:
    """The lanes over a map's crosswalks."""
    crosswalks = network.crosswalks
    order = np.argsort(crosswalks.link, kind="stable")
    middle = network.pose_at(crosswalks.link, 0.5 * (crosswalks.begin + crosswalks.end))
    width = np.array([float(network.width_at(link, 0.0)[0]) for link in crosswalks.link.tolist()])
    lanes = LaneCrossings.zeros(len(order))
    lanes.link[:], lanes.crosswalk[:] = crosswalks.link[order], crosswalks.area[order]
    lanes.begin[:], lanes.end[:] = crosswalks.begin[order], crosswalks.end[order]
    lanes.middle_x[:], lanes.middle_y[:] = middle.point[order, :2].T
    lanes.left_x[:], lanes.left_y[:] = -np.sin(middle.heading)[order], np.cos(middle.heading)[order]
    lanes.half_width[:] = (np.minimum(0.5 * width, MAX_HALF_LANE) + CROSSING_SIDE_MARGIN)[order]
    return lanes.freeze()
