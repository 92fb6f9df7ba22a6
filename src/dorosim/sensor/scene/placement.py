"""Where the actors of a Snapshot stand, and which of their models shows them."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.column import FloatArray
from dorosim.sensor.scene.actor.catalogue import ActorModels
from dorosim.sensor.scene.actor.person import STRIDE_BY_HEIGHT
from dorosim.sensor.scene.instance import Placement
from dorosim.sensor.scene.lamp import ambient_lamps, ego_lamps, high_beams, link_sides, npc_lamps, with_switched_lamps
from dorosim.sensor.scene.light_source import HIGH_BEAM
from dorosim.sensor.scene.material import VehicleLamp
from dorosim.sensor.scene.pose_kernel import write_poses
from dorosim.world.pedestrian.state import PedestrianState, Stage
from dorosim.world.scene import Scene
from dorosim.world.snapshot import Snapshot
from dorosim.world.storyboard.visibility import HiddenFrom, hidden_actors
from dorosim.world.traffic.state import Presence

STROLLS = 0.05
"""A pedestrian that is not faster than this stands [m/s]."""
THIN = 0.004
"""Thickness of a puddle [m]; its top lies above painted lines."""
MAX_WAY = 20.0
"""What has moved farther between two snapshots has not driven [m]."""

_HEAD = np.int64(1 << VehicleLamp.HEAD)
_CARS = (
    (0.72, 0.72, 0.71), (0.78, 0.78, 0.77), (0.02, 0.02, 0.022), (0.045, 0.048, 0.052), (0.30, 0.31, 0.32),
    (0.13, 0.14, 0.15), (0.42, 0.015, 0.02), (0.02, 0.06, 0.22), (0.03, 0.14, 0.30), (0.05, 0.10, 0.06),
    (0.38, 0.30, 0.20), (0.60, 0.22, 0.02), (0.50, 0.52, 0.54),
)  # fmt: skip
"""Colours of cars, linear; white, black and grey are the most frequent as on the road."""
_TOPS = (
    (0.55, 0.08, 0.07), (0.06, 0.14, 0.42), (0.65, 0.63, 0.58), (0.05, 0.05, 0.06), (0.55, 0.42, 0.06),
    (0.07, 0.25, 0.14), (0.30, 0.32, 0.34), (0.45, 0.20, 0.30), (0.12, 0.36, 0.42), (0.40, 0.26, 0.14),
)  # fmt: skip
_TROUSERS = ((0.03, 0.05, 0.13), (0.02, 0.02, 0.025), (0.16, 0.13, 0.09), (0.10, 0.10, 0.11), (0.05, 0.07, 0.05))
_THINGS = ((0.45, 0.10, 0.04), (0.05, 0.16, 0.34), (0.08, 0.24, 0.14), (0.55, 0.53, 0.50), (0.50, 0.34, 0.05))


class _Paint:
    """Two colours for every id: always the same.

    Args:
        one, two: linear colours to choose from.
    """

    def __init__(self, one: tuple[tuple[float, ...], ...], two: tuple[tuple[float, ...], ...]) -> None:
        self._one, self._two = np.array(one, np.float32), np.array(two, np.float32)

    def __getitem__(self, ids: NDArray[np.int64]) -> NDArray[np.float32]:
        """`(N, 2, 3)` the colours of ids `(N,)`."""
        mixed = ids.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        first, second = (mixed >> np.uint64(33)).astype(np.int64), (mixed >> np.uint64(47)).astype(np.int64)
        return np.stack((self._one[first % len(self._one)], self._two[second % len(self._two)]), axis=1)


class ActorPlacement:
    """Makes placements of Snapshots of one run.

    Rows are in the order: vehicles with full dynamics, NPC vehicles, ghosts, people, obstacles, map objects; within
    each in the order of ids. A Snapshot alone decides them, whatever came before it.

    Args:
        scene: what the run takes as given.
        models: those of the run's catalogues.
        street_lamps: `(K, 3)` in map [m]; where they are, drivers leave their high beams off.
    """

    def __init__(self, scene: Scene, models: ActorModels, street_lamps: FloatArray | None = None) -> None:
        self._models = models
        self._street_lamps = np.zeros((0, 2)) if street_lamps is None else street_lamps[:, :2]
        self._sides = link_sides(scene.network)
        self._sizes = scene.body_sizes[:, [0, 1, 2, 4]]
        self._cars = _Paint(_CARS, _CARS[:2] + _CARS[4:6])
        self._people, self._things = _Paint(_TOPS, _TROUSERS), _Paint(_THINGS, _THINGS)

    def of(self, now: Snapshot, whom: HiddenFrom = HiddenFrom.SENSORS) -> Placement:
        """Where everything is that can be seen.

        Args:
            now: the snapshot.
            whom: who looks; what a storyboard hides from them is left out.
        """
        npc = np.flatnonzero((now.traffic.plan_of_ego == 0) & (now.traffic.present != Presence.OFF_MAP))
        area = self._seen_areas(now)
        counts = [
            now.vehicle.rows,
            len(npc),
            now.ghost.rows,
            now.people.state.rows,
            now.obstacles.state.rows,
            len(area),
        ]
        ends = np.cumsum([0, *counts]).tolist()
        made = Placement.zeros(ends[-1])
        angles, scale = np.zeros((ends[-1], 3)), np.ones((ends[-1], 3))
        always = ambient_lamps(now)
        parts = [slice(a, b) for a, b in pairwise(ends)]
        if counts[0]:
            self._egos(now, made, angles, parts[0], always)
        if counts[1]:
            self._npcs(now, npc, made, angles, parts[1], always)
        if always & _HEAD:
            self._raise_beams(now, npc, made, slice(0, ends[2]), angles)
        if counts[2]:
            self._ghosts(now, made, angles, parts[2], always)
        if counts[3]:
            self._walkers(now.people.state, made, angles, parts[3])
        if counts[4]:
            self._obstacles(now, made, angles, scale, parts[4])
        if counts[5]:
            self._areas(now, area, made, angles, scale, parts[5])
        if now.storyboard.entity.rows:
            self._fit_entities(now, made, scale, parts[0])
        write_poses(angles, scale, made.pose)
        made.label = self._models.label[made.model]
        made.mask = now.number.numbers_of(made.actor)
        hidden = hidden_actors(now.storyboard, whom)
        return made.without(hidden) if hidden else made

    def _egos(self, now: Snapshot, made: Placement, angles: NDArray[np.float64], rows: slice, always: np.int64) -> None:
        state = now.vehicle
        _write(made.pose[rows, :, 3], state.x, state.y, state.z)
        _write(angles[rows], state.roll, state.pitch, state.yaw)
        made.model[rows], made.actor[rows] = self._models.vehicle[state.model], state.id
        made.lamp[rows] = with_switched_lamps(now, state.id, ego_lamps(now) | always)
        made.paint[rows] = self._cars[state.id]

    def _fit_entities(self, now: Snapshot, made: Placement, scale: NDArray[np.float64], vehicles: slice) -> None:
        """Give vehicles of a storyboard the size that it says."""
        parameter, usual = now.parameter, self._sizes[now.vehicle.model]
        scale[vehicles] = np.stack((parameter.length, parameter.width, parameter.height), axis=1) / usual[:, :3]
        # models have their origin at the rear axle; the middles of both boxes are at the same place
        middle = 0.5 * (parameter.wheelbase + parameter.front_overhang - parameter.rear_overhang)
        ahead = middle - usual[:, 3] * scale[vehicles, 0]
        made.pose[vehicles, 0, 3] += ahead * np.cos(now.vehicle.yaw)
        made.pose[vehicles, 1, 3] += ahead * np.sin(now.vehicle.yaw)

    def _npcs(
        self,
        now: Snapshot,
        npc: NDArray[np.int64],
        made: Placement,
        angles: NDArray[np.float64],
        rows: slice,
        always: np.int64,
    ) -> None:
        state = now.traffic
        _write(made.pose[rows, :, 3], state.x[npc], state.y[npc], state.z[npc])
        _write(angles[rows], state.roll[npc], state.pitch[npc], state.yaw[npc])
        made.model[rows], made.actor[rows] = self._models.vehicle[state.model[npc]], state.id[npc]
        made.lamp[rows] = npc_lamps(state, npc, self._sides, now.time) | always
        made.paint[rows] = self._cars[made.actor[rows]]

    def _raise_beams(
        self, now: Snapshot, npc: NDArray[np.int64], made: Placement, rows: slice, angles: NDArray[np.float64]
    ) -> None:
        speed = np.concatenate((now.vehicle.velocity_x, now.traffic.speed[npc]))
        high = high_beams(made.pose[rows, :2, 3], angles[rows, 2], speed, self._street_lamps)
        made.lamp[rows] |= high * HIGH_BEAM

    def _ghosts(
        self, now: Snapshot, made: Placement, angles: NDArray[np.float64], rows: slice, always: np.int64
    ) -> None:
        state = now.ghost
        _write(made.pose[rows, :, 3], state.x, state.y, state.z)
        _write(angles[rows], state.roll, state.pitch, state.yaw)
        made.model[rows], made.actor[rows] = self._models.vehicle[state.model], state.id
        made.lamp[rows] = always
        made.paint[rows] = self._cars[state.id]

    def _walkers(self, state: PedestrianState, made: Placement, angles: NDArray[np.float64], rows: slice) -> None:
        models = self._models
        _write(made.pose[rows, :, 3], state.x, state.y, state.z)
        angles[rows, 2] = state.yaw
        phases, height = models.person_phases[state.model], models.person_height[state.model]
        cycle = (state.walked / (STRIDE_BY_HEIGHT * height)) % 1.0
        walks = (state.speed > STROLLS) & (state.stage != Stage.DOWN) & (phases > 0)
        step = 1 + (cycle * phases).astype(np.int64) % np.maximum(phases, 1)
        made.model[rows] = models.person[state.model] + np.where(walks, step, 0)
        made.actor[rows], made.paint[rows] = state.id, self._people[state.id]
        down = np.flatnonzero(state.stage == Stage.DOWN)
        if len(down):  # falls about its middle, until it lies on its face or back about where it stood
            at, angle = rows.start + down, state.fall_angle[down]
            angles[at, 1] = angle
            back = 0.5 * height[down] * np.sin(angle)
            made.pose[at, 0, 3] -= back * np.cos(state.yaw[down])
            made.pose[at, 1, 3] -= back * np.sin(state.yaw[down])
            made.pose[at, 2, 3] += models.half_size[made.model[at], 0] * np.abs(np.sin(angle))

    def _obstacles(
        self, now: Snapshot, made: Placement, angles: NDArray[np.float64], scale: NDArray[np.float64], rows: slice
    ) -> None:
        state = now.obstacles.state
        _write(made.pose[rows, :, 3], state.x, state.y, state.z)
        _write(angles[rows], state.roll, state.pitch, state.yaw)
        scale[rows] = state.scale.T
        made.model[rows], made.actor[rows] = self._models.obstacle[state.model], state.id
        made.paint[rows] = self._things[state.id]

    def _seen_areas(self, now: Snapshot) -> NDArray[np.int64]:
        """Rows of the map objects that are seen: none while puddles are hidden."""
        objects = now.friction.objects
        if not objects.rows or not now.environment.puddles[0]:
            return _NOTHING
        return np.flatnonzero(self._models.map_object[objects.model] >= 0)

    def _areas(
        self,
        now: Snapshot,
        area: NDArray[np.int64],
        made: Placement,
        angles: NDArray[np.float64],
        scale: NDArray[np.float64],
        rows: slice,
    ) -> None:
        state = now.friction.objects
        _write(made.pose[rows, :, 3], state.x[area], state.y[area], state.z[area])
        _write(angles[rows], state.roll[area], state.pitch[area], state.yaw[area])
        scale[rows, 0] = state.vertical_radius[area]
        scale[rows, 1] = state.horizontal_radius[area]
        scale[rows, 2] = THIN
        np.maximum(scale[rows], 1e-3, out=scale[rows])
        made.model[rows], made.actor[rows] = self._models.map_object[state.model[area]], state.id[area]


def moved_back(now: Placement, before: Placement, share: float) -> Placement:
    """The placement `now` with actors moved along a share of the straight way back to `before`.

    Rows that `before` has not under the same id, or farther off than `MAX_WAY`, stay.
    """
    _, here, there = np.intersect1d(now.actor, before.actor, assume_unique=False, return_indices=True)
    way = before.pose[there] - now.pose[here]
    same = (now.actor[here] > 0) & (np.abs(way[:, :, 3]).max(axis=1, initial=0.0) < MAX_WAY)
    pose = now.pose.copy()
    pose[here[same]] += share * way[same]
    return replace(now, pose=pose)


_NOTHING = np.zeros(0, np.int64)


def _write(target: NDArray[np.float64], x: NDArray[np.float64], y: NDArray[np.float64], z: NDArray[np.float64]) -> None:
    """Write three columns `(N,)` into `(N, 3)`."""
    target[:, 0], target[:, 1], target[:, 2] = x, y, z
