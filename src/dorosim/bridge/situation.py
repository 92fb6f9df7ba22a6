"""What the meaning of a request depends on: the last snapshot, the map, and the program around the world."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dorosim.bridge.actor import Names
from dorosim.bridge.actor_state import ActorReader
from dorosim.bridge.host import Host
from dorosim.bridge.route import RouteFinder
from dorosim.bridge.signal import SignalNames
from dorosim.bridge.surroundings import EgoSurroundings, LightFinder, SnapshotCache
from dorosim.bridge.vehicle_state import VehicleReader
from dorosim.world.scene import Scene
from dorosim.world.snapshot import Snapshot


class SceneIndex:
    """What is looked up in a map again and again, made once for a run.

    Args:
        scene: what does not change.

    Attributes:
        signals: lights and intersections by name. lights: finds the light that a vehicle faces.
        around: looks around the ego vehicle.
        actors: reads states of actors. vehicles: looks around vehicles. routes: finds routes for vehicles.
        answers: made for the last snapshot, the same for all clients.
    """

    def __init__(self, scene: Scene) -> None:
        self.signals = SignalNames(scene.network.signals)
        self.lights = LightFinder(scene)
        self.around = EgoSurroundings(scene, self.lights)
        self.actors = ActorReader(scene)
        self.vehicles = VehicleReader(scene, self.lights)
        self.routes = RouteFinder(scene, self.actors, self.vehicles)
        self.answers: SnapshotCache[Any] = SnapshotCache()
        self._links = {link: row for row, link in enumerate(scene.network.link_ids)}

    def link_row(self, link_id: str) -> int:
        """Row of a link by its id, -1 if the map has none."""
        return self._links.get(link_id, -1)


@dataclass(frozen=True, slots=True)
class GrpcForm:
    """Choices where the documents leave one.

    Attributes:
        json: `ServiceResponse.msg` holds JSON text, else the binary form of the message
            (facts/ros-grpc-mgeo.md, 2.2, L5).
        timeout: wall time that a step of synchronous mode may take [s].
    """

    json: bool = True
    timeout: float = 10.0


_FORM = GrpcForm()


@dataclass(frozen=True, slots=True)
class Situation:
    """What a request needs beside its own fields.

    Attributes:
        now: the last snapshot. scene: what does not change. index: of the map.
        names: by which clients know actors. host: the program around the world.
        client: address of the connection of the client that asks.
        form: choices of the interface.
        drop: whether the client wants what it makes to be put on the ground.
        seed: of the run that the client starts, as it was sent; None for that of the program.
    """

    now: Snapshot
    scene: Scene
    index: SceneIndex
    names: Names
    host: Host
    client: str = ""
    form: GrpcForm = _FORM
    drop: bool = False
    seed: str | None = None
