"""What agents are to do: where an episode begins, and which way they are to go."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import msgspec
import numpy as np

from dorosim.app.setting.environment import EnvironmentSettings
from dorosim.batch.start import WorldStart
from dorosim.batch.world_map import WorldMap
from dorosim.ground.error import InputError
from dorosim.ground.noise import Noise
from dorosim.gym.setting import EnvSettings
from dorosim.recording.format import EgoStart
from dorosim.road.location import locate
from dorosim.road.network import RoadNetwork
from dorosim.sensor.agent.agents import AgentGoal
from dorosim.sensor.agent.way import AgentWay, choose_links, straight_way, way_along_links
from dorosim.world.command import Command
from dorosim.world.scene import Scene
from dorosim.world.snapshot import EGO, Snapshot
from dorosim.world.vehicle.catalogue import model_of
from dorosim.world.vehicle.command import PlaceVehicle
from dorosim.world.vehicle.mode import Gear

MIN_LINK = 12.0
"""No agent starts on a shorter link [m]."""
AGENT_SPACING = 15.0
"""Agents start at least so far apart [m]."""
_TRIES = 200


class GoalRule(NamedTuple):
    """When an agent has arrived: within these of its goal [m, rad, m/s]; a radius below 0: never."""

    radius: float = 5.0
    angle: float = math.pi
    speed: float = math.inf


class Beginning(NamedTuple):
    """How an episode begins.

    Attributes:
        start: of the world.
        ways: of the agents, by their vehicles' ids, with the goal of each; None for the end of the way.
    """

    start: WorldStart
    ways: Mapping[int, tuple[AgentWay, AgentGoal | None]]


class Task(Protocol):
    """What agents are to do.

    Attributes:
        goal: when one has arrived.
        weights: of terms of the reward, where they are not the usual ones.
        backwards: largest velocity backwards [m/s].
    """

    goal: GoalRule
    weights: Mapping[str, float]
    backwards: float

    @property
    def scene(self) -> Scene:
        """A scene of its map."""

    def begin(self, seed: int, opening: Sequence[Command]) -> Beginning:
        """Where an episode begins.

        Args:
            seed: of all that is left to chance.
            opening: commands of the actions before the first step.

        Raises:
            InputError: the map has no room.
        """

    def renew(self, now: Snapshot, agent: int, seed: int) -> tuple[AgentWay, AgentGoal | None]:
        """Another way for the vehicle of an agent that has left its own."""


class _OnLanes:
    """What tasks on lanes have in common."""

    def __init__(self, settings: EnvSettings) -> None:
        self.settings = settings
        self.goal, self.backwards = GoalRule(), 0.0
        self.weights: Mapping[str, float] = {}
        self.map = WorldMap.open(settings.map, tick_ms=settings.tick_ms, data=settings.data)
        self.model = model_of(settings.vehicle, "environment", "vehicle").name
        self.environment = environment_of(settings)

    @property
    def scene(self) -> Scene:
        return self.map.scene

    def renew(self, now: Snapshot, agent: int, seed: int) -> tuple[AgentWay, AgentGoal | None]:
        return way_on_from(self.scene, now, agent, self.settings.way_length, Noise(seed)), None

    def start(self, seed: int, egos: Sequence[EgoStart], opening: Sequence[Command]) -> WorldStart:
        settings = self.settings
        speed, commands = settings.start_speed, list(opening)
        if speed > 0.0:
            for number, ego in enumerate(egos):
                rotation = (0.0, 0.0, ego.heading)
                commands.insert(number, PlaceVehicle(EGO + number, ego.position, rotation, speed, Gear.D))
        return self.map.start(
            seed=seed,
            egos=egos,
            vehicles=settings.vehicles,
            pedestrians=settings.pedestrians,
            mistakes=settings.mistakes,
            environment=self.environment,
            commands=commands,
            fewer=True,
        )


class LaneTask(_OnLanes):
    """Drive along lanes from a place that chance chooses: Town and Motorway."""

    def begin(self, seed: int, opening: Sequence[Command]) -> Beginning:
        """See `Task`."""
        network, stream = self.scene.network, Noise(seed).stream("gym/start")
        governed = self.scene.signal_plan.links.governed
        lanes = np.flatnonzero(network.link_drivable & (network.link_length >= MIN_LINK))
        if not len(lanes):
            raise InputError("environment", "map", f"map {network.name} has no lanes", "use another one")
        share = network.link_length[lanes] / network.link_length[lanes].sum()
        egos: list[EgoStart] = []
        ways: dict[int, tuple[AgentWay, AgentGoal | None]] = {}
        for _ in range(_TRIES * self.settings.agents):
            link = int(stream.choice(lanes, p=share))
            s = float(stream.uniform(0.3, 0.7)) * float(network.link_length[link])
            ego = ego_on(network, self.model, link, s)
            if any(math.dist(ego.position, one.position) < AGENT_SPACING for one in egos):
                continue
            links = choose_links(network, link, s, self.settings.way_length, stream)
            ways[EGO + len(egos)] = way_along_links(network, governed, links, s, self.settings.way_length), None
            egos.append(ego)
            if len(egos) == self.settings.agents:
                return Beginning(self.start(seed, egos, opening), ways)
        problem = f"map {network.name} has room for {len(egos)} agents, not for {self.settings.agents}"
        raise InputError("environment", "agents", problem, "ask for fewer")


class IntersectionTask(_OnLanes):
    """Come from a lane that leads to a junction, cross it by one of its ways, and leave it."""

    BEFORE, AFTER = 60.0, 40.0

    def __init__(self, settings: EnvSettings) -> None:
        super().__init__(settings)
        network = self.scene.network
        self.approaches = [
            row
            for row in np.flatnonzero(network.link_drivable).tolist()
            if network.link_length[row] >= MIN_LINK
            and any(network.link_movements[after] for after in network.successors.of(row).tolist())
        ]
        if settings.agents > len(self.approaches):
            problem = f"map {network.name} has {len(self.approaches)} lanes that lead to a junction"
            raise InputError("environment", "map", problem, "use another one, or ask for fewer agents")

    def begin(self, seed: int, opening: Sequence[Command]) -> Beginning:
        """See `Task`."""
        network, stream = self.scene.network, Noise(seed).stream("gym/start")
        governed = self.scene.signal_plan.links.governed
        egos: list[EgoStart] = []
        ways: dict[int, tuple[AgentWay, AgentGoal | None]] = {}
        for link in stream.permutation(self.approaches).tolist()[: self.settings.agents]:
            length = float(network.link_length[link])
            s = max(length - self.BEFORE, 0.3 * length)
            after = [row for row in network.successors.of(link).tolist() if network.link_movements[row]]
            inside = after[int(stream.integers(len(after)))]
            links = (link, *choose_links(network, inside, 0.0, float(network.link_length[inside]) + self.AFTER, stream))
            reach = length - s + float(network.link_length[inside]) + self.AFTER
            ways[EGO + len(egos)] = way_along_links(network, governed, links, s, reach), None
            egos.append(ego_on(network, self.model, link, s))
        return Beginning(self.start(seed, egos, opening), ways)


def ego_on(network: RoadNetwork, model: str, link: int, s: float) -> EgoStart:
    """A vehicle on a lane."""
    pose = network.pose_at(link, s)
    x, y, z = pose.point[0].tolist()
    return EgoStart(model, (x, y, z), float(pose.heading[0]))


def way_on_from(scene: Scene, now: Snapshot, actor: int, length: float, noise: Noise) -> AgentWay:
    """A way from where a vehicle is, along the lane under it; straight on where no lane is near."""
    row, network, vehicle = now.row_of(actor), scene.network, now.vehicle
    x, y, z = float(vehicle.x[row]), float(vehicle.y[row]), float(vehicle.z[row])
    yaw = float(vehicle.yaw[row])
    if network.link_count:
        place = locate(network, (x, y, z), yaw, drivable_only=True, reach=30.0)
        link = int(place.link[0])
        if link >= 0:
            s = float(place.s[0])
            links = choose_links(network, link, s, length, noise.stream(f"gym/way/{actor}", now.tick))
            return way_along_links(network, scene.signal_plan.links.governed, links, s, length)
    end = (x + length * math.cos(yaw), y + length * math.sin(yaw))
    return straight_way((x, y), end, _HALF_LANE, _LIMIT)


_HALF_LANE, _LIMIT = 1.75, 50.0 / 3.6


def environment_of(settings: EnvSettings) -> EnvironmentSettings:
    """The surroundings that the settings ask for.

    Raises:
        InputError: there is no such setting, or a value is none.
    """
    try:
        return msgspec.convert(dict(settings.weather), EnvironmentSettings)
    except msgspec.ValidationError as error:
        raise InputError("environment", "weather", str(error), "see [environment] in the settings") from None


@dataclass(frozen=True, slots=True)
class Slot:
    """A place to park: middle of the rear axle of who stands in it [m], and heading [rad]."""

    x: float
    y: float
    heading: float
