"""What a click or a button of the page puts into the world, and takes out of it."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from dorosim.bridge.actor import ActorKind, Names
from dorosim.bridge.actor_state import ActorReader
from dorosim.bridge.friction import create_object
from dorosim.bridge.npc import npc_on_lane
from dorosim.bridge.people import Walk, pedestrian_to_make
from dorosim.bridge.thing import obstacle_to_make
from dorosim.bridge.view.pick import Picked
from dorosim.bridge.view.surroundings import number
from dorosim.ground.error import InputError
from dorosim.ground.unit import KMH
from dorosim.world.command.catalogue import Command
from dorosim.world.command.traffic import RemoveActor
from dorosim.world.command.vehicle import CreateVehicle
from dorosim.world.friction.area import MAP_OBJECT_MODELS
from dorosim.world.obstacle import OBSTACLE_MODELS
from dorosim.world.pedestrian.model import PEDESTRIAN_MODELS
from dorosim.world.scene import Scene
from dorosim.world.snapshot import EGO, Snapshot

NPC, VEHICLE, PEDESTRIAN, OBSTACLE = "NPC vehicle", "ego vehicle", "pedestrian", "obstacle"
AREA = "slippery place"
KINDS = (NPC, PEDESTRIAN, OBSTACLE, VEHICLE, AREA)
"""What can be put into the world."""
TURNS: dict[str, float] = {"with the lane": 0.0, "to the left": 90.0, "against the lane": 180.0, "to the right": -90.0}
"""Where it looks [°], to the left of the lane's direction."""
SLIPPERY = tuple(model.name for model in MAP_OBJECT_MODELS if model.multiplier < 1.0)
"""Map objects that are slippery by themselves."""
WALK = 30.0
"""How far a pedestrian walks that is put into the world [m]."""
MOST_LISTED = 100
"""Actors that are listed."""


class Placing(NamedTuple):
    """What a visitor chose.

    Attributes:
        kind: of `KINDS`. model: of `models_of`. turn: of `TURNS`. speed: of an NPC vehicle at the start [km/h].
    """

    kind: str
    model: str
    turn: str = "with the lane"
    speed: float = 0.0


def models_of(scene: Scene, kind: str) -> tuple[str, ...]:
    """Names of all models of a kind."""
    if kind == PEDESTRIAN:
        return tuple(model.name for model in PEDESTRIAN_MODELS)
    if kind == OBSTACLE:
        return tuple(model.name for model in OBSTACLE_MODELS)
    if kind == AREA:
        return SLIPPERY
    return tuple(model.name for model in scene.models)


def place(scene: Scene, order: Placing, picked: Picked) -> Command:
    """The command that puts something where a visitor pointed.

    Vehicles stand on the lane there if there is one, an NPC vehicle never beside it.

    Raises:
        InputError: there is no ground or no lane, or no such model.
    """
    if picked.point is None:
        raise InputError("click", "", "there is no ground there", "click on the road")
    if order.model not in models_of(scene, order.kind):
        raise InputError(str(order.kind), "", f"there is no model {order.model!r}")
    heading = math.remainder(picked.heading + math.radians(TURNS.get(order.turn, 0.0)), math.tau)
    if order.kind == PEDESTRIAN:
        return pedestrian_to_make(order.model, picked.point, heading, Walk(distance=WALK, start=True))[0]
    if order.kind == OBSTACLE:
        return obstacle_to_make(order.model, picked.point, (0.0, 0.0, heading), (1.0, 1.0, 1.0))[0]
    if order.kind == AREA:
        return create_object("", order.model, picked.point, (0.0, 0.0, heading))
    if order.kind == VEHICLE:
        point = picked.point if picked.link < 0 else _on_centre(scene, picked)
        return CreateVehicle(model=order.model, position=point, rotation=(0.0, 0.0, heading))
    speed = number(order.speed, "speed") * KMH.factor
    made = npc_on_lane(scene, order.model, picked.point, picked.heading, speed) if picked.link >= 0 else None
    if made is None:
        raise InputError("click", "", "there is no lane there, which an NPC vehicle needs", "click on the road")
    return made


def _on_centre(scene: Scene, picked: Picked) -> tuple[float, float, float]:
    x, y, z = scene.network.pose_at(picked.link, picked.s).point[0].tolist()
    return x, y, z


def remove(actor: Any) -> RemoveActor:
    """The command that takes an actor away.

    Raises:
        InputError: it is nobody, or the first ego vehicle, which stays.
    """
    found = int(number(actor, "actor"))
    if found <= 0:
        raise InputError("remove", "", "nobody is there", "click on a vehicle, a pedestrian or an obstacle")
    if found == EGO:
        raise InputError("remove", "", "the first ego vehicle stays", "")
    return RemoveActor(found)


class ActorLine(NamedTuple):
    """An actor in a list.

    Attributes:
        actor: its id. text: name, model and how far away it is.
    """

    actor: int
    text: str


class ActorLister:
    """Lists actors by how near they are.

    Args:
        scene: of the run.
    """

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._reader = ActorReader(scene)

    def near(self, now: Snapshot, actor: int, most: int = MOST_LISTED) -> list[ActorLine]:
        """Who can be removed, nearest to an actor first."""
        names, centre = Names(now.label), self._reader.state(now, actor)
        x, y = (0.0, 0.0) if centre is None else centre.position[:2]
        found = [
            (math.hypot(one.position[0] - x, one.position[1] - y), one.id, self._model(one.kind, one.model))
            for one in self._reader.states(now)
            if one.id != EGO
        ]
        places = now.friction.objects
        for row in range(places.rows):
            name = MAP_OBJECT_MODELS[int(places.model[row])].name or "map object"
            distance = math.hypot(float(places.x[row]) - x, float(places.y[row]) - y)
            found.append((distance, int(places.id[row]), name))
        found.sort()
        return [
            ActorLine(number, f"{names.text_of(number)} · {model} · {distance:.0f} m")
            for distance, number, model in found[:most]
        ]

    def _model(self, kind: ActorKind, model: int) -> str:
        if kind is ActorKind.PEDESTRIAN:
            return PEDESTRIAN_MODELS[model].name
        return OBSTACLE_MODELS[model].name if kind is ActorKind.OBSTACLE else self._scene.models[model].name
