"""A world of the built-in town that tests fill and drive tick by tick."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from dorosim.app.run.build import build
from dorosim.app.setting.settings import Settings
from dorosim.ground.noise import Noise
from dorosim.road.mgeo.record import SingleCrosswalk
from dorosim.road.network import RoadNetwork, network_from_mgeo
from dorosim.world.command.catalogue import Command
from dorosim.world.pedestrian.command import SpawnPedestrian
from dorosim.world.scene import Scene
from dorosim.world.signal.update import SignalPlan
from dorosim.world.snapshot import Snapshot
from dorosim.world.spawn.mode import CharacterMode
from dorosim.world.start import first_snapshot
from dorosim.world.step import step
from dorosim.world.traffic.command import CreateNpc
from dorosim.world.traffic.road import LINK
from dorosim.world.vehicle.catalogue import VEHICLE_MODELS
from dorosim.world.waypoint import Waypoint
from tests.road.small_map import map_of, straight

CAR = "2016_Hyundai_Ioniq"


@functools.cache
def town_scene(tick_ms: float = 10.0) -> Scene:
    """The built-in town."""
    return build(Settings(tick_ms=tick_ms), Path()).scene


@functools.cache
def street(tick_ms: float = 50.0) -> Scene:
    """Two level lanes of 600 m in either direction, and a crosswalk over them at x = 300 m, without lights.

    E1 leads east at y = -3.5 m and E2 beside it at 0 m; W2 leads west at 3.5 m, W1 at 7 m.
    """
    ring = np.array([[298.0, -5.25, 0], [302, -5.25, 0], [302, 8.75, 0], [298, 8.75, 0]])
    lanes = [
        straight("E1", "a", "b", (0, -3.5, 0), (600, -3.5, 0), max_speed=50),
        straight("E2", "c", "d", (0, 0, 0), (600, 0, 0), max_speed=50),
        straight("W2", "e", "f", (600, 3.5, 0), (0, 3.5, 0), max_speed=50),
        straight("W1", "g", "h", (600, 7, 0), (0, 7, 0), max_speed=50),
    ]
    for lane in lanes:
        lane.width_start = lane.width_end = 3.5
    return scene_of(
        network_from_mgeo(map_of(*lanes, single_crosswalks=[SingleCrosswalk(idx="SCW", points=ring)])), tick_ms
    )


def scene_of(network: RoadNetwork, tick_ms: float = 10.0) -> Scene:
    """A scene on a map."""
    return Scene(
        map_name="test",
        map_data_id=10_000,
        map_origin=(0.0, 0.0, 0.0),
        network=network,
        signal_plan=SignalPlan.from_network(network),
        models=VEHICLE_MODELS,
        tick=round(tick_ms * 1e6),
    )


class World:
    """A run on a scene.

    Args:
        scene: what it takes as given.
        egos: model, position in the map [m] and heading [rad] of each ego vehicle.
        seed: of its randomness.
    """

    def __init__(
        self, scene: Scene, egos: Sequence[tuple[str, tuple[float, float, float], float]], seed: int = 0
    ) -> None:
        self.scene, self.noise = scene, Noise(seed)
        self.now: Snapshot = first_snapshot(scene, egos)

    def do(self, *commands: Command) -> list[int]:
        """Take commands in a tick; none may be refused. Ids of the actors that they made, in their order."""
        self.now = step(self.scene, self.now, commands, self.noise)
        assert not self.now.refusals
        return [outcome.actor for outcome in self.now.outcomes if outcome.actor]

    def refuse(self, command: Command) -> str:
        """Take a command in a tick that must be refused; why it is."""
        self.now = step(self.scene, self.now, (command,), self.noise)
        assert len(self.now.refusals) == 1
        return self.now.refusals[0]

    def run(self, seconds: float, look: Callable[[Snapshot], object] | None = None) -> Snapshot:
        """Let time go by; `look` sees every snapshot."""
        for _ in range(round(seconds * 1e9 / self.scene.tick)):
            self.now = step(self.scene, self.now, (), self.noise)
            if look is not None:
                look(self.now)
        return self.now


def town_world(tick_ms: float = 10.0, seed: int = 0, model: str = CAR) -> World:
    """The town with an ego vehicle at its usual place."""
    scene = town_scene(tick_ms)
    pose = scene.network.pose_at(scene.network.link_index("_11_0_R1_"), 39.33)
    x, y, z = pose.point[0].tolist()
    return World(scene, [(model, (x, y, z), float(pose.heading[0]))], seed)


def npcs_about_town(scene: Scene, count: int, seed: int) -> list[Command]:
    """Vehicles at random places far from junctions, at rest."""
    rng = np.random.default_rng(seed)
    free = scene.traffic_plan.road.link_ints[:-1, LINK.conflicting] == 0
    length = np.where(scene.network.link_drivable & free, np.maximum(scene.network.link_length - 50.0, 0.0), 0.0)
    links = rng.choice(len(length), count, p=length / length.sum())
    models = ("2016_Hyundai_Ioniq", "2015_Kia_K5", "2018_Hyundai_ElecCity")
    return [
        CreateNpc(
            model=models[int(rng.choice(3, p=(0.5, 0.4, 0.1)))],
            link=int(link),
            s=float(30.0 + rng.random() * length[link]),
            move_on=True,
        )
        for link in links
    ]


def walkers_over_crosswalks(network: RoadNetwork, count: int, seed: int, beyond: float = 3.0) -> list[Command]:
    """People who go to and fro over crosswalks, from sidewalk to sidewalk, `beyond` its ends [m]."""
    rng = np.random.default_rng(seed)
    commands: list[Command] = []
    for area in rng.permutation(len(network.crosswalks))[:count].tolist():
        start, end = ends_of_crosswalk(network, area, beyond)
        if rng.random() < 0.5:
            start, end = end, start
        aside = float(rng.uniform(-1.0, 1.0))
        heading = math.atan2(end[1] - start[1], end[0] - start[0])
        shift = np.array((-math.sin(heading), math.cos(heading))) * aside
        (x, y), (goal_x, goal_y) = (start + shift).tolist(), (end + shift).tolist()
        commands.append(
            SpawnPedestrian(
                actor=0,
                model=int(rng.integers(4)),
                position=(x, y, 0.0),
                yaw=heading,
                start=True,
                way=(Waypoint(goal_x, goal_y, pause=float(rng.uniform(0.0, 10.0))),),
                mode=CharacterMode.REPEAT,
            )
        )
    return commands


def ends_of_crosswalk(network: RoadNetwork, area: int, beyond: float) -> tuple[np.ndarray, np.ndarray]:
    """Where people come to a crosswalk: the middles of its ends, a way [m] farther out; across its lanes."""
    crosswalks = network.crosswalks
    row = int(np.flatnonzero(crosswalks.area == area)[0])
    link, middle = int(crosswalks.link[row]), 0.5 * (crosswalks.begin[row] + crosswalks.end[row])
    heading = float(network.pose_at(link, float(middle)).heading[0])
    across = np.array((-math.sin(heading), math.cos(heading)))
    corners = crosswalks.of(area)[:, :2]
    centre = 0.5 * (corners.min(axis=0) + corners.max(axis=0))
    reach = float(np.abs((corners - centre) @ across).max()) + beyond
    return centre - reach * across, centre + reach * across
