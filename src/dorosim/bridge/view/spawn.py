"""What a click or a button of the page puts into the world, and takes out of it."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from dorosim.bridge.actor import Names, names_of
from dorosim.bridge.actor_state import ActorReader, ActorState, model_name
from dorosim.bridge.friction import create_object
from dorosim.bridge.npc import npc_on_lane
from dorosim.bridge.obstacle import obstacle_to_make
from dorosim.bridge.people import Walk, pedestrian_to_make
from dorosim.bridge.view.pick import Picked
from dorosim.bridge.view.surroundings import number
from dorosim.ground.error import InputError
from dorosim.ground.unit import KMH
from dorosim.world.actor.command import RemoveActor
from dorosim.world.command import Command
from dorosim.world.environment.friction_area import MAP_OBJECT_MODELS
from dorosim.world.obstacle.state import OBSTACLE_MODELS
from dorosim.world.pedestrian.model import PEDESTRIAN_MODELS
from dorosim.world.scene import Scene
from dorosim.world.snapshot import EGO, Snapshot
from dorosim.world.vehicle.command import CreateVehicle

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
MAX_LISTED_ACTORS = 100
"""Actors that are listed."""


class Placing(NamedTuple):
    """What a visitor has chosen to place.

    Attributes:
        kind: of `KINDS`. model: of `models_of`. turn: of `TURNS`; NPC vehicles do not heed it.
        speed: of an NPC vehicle at the start [km/h].
    """

    kind: str
    model: str
    turn: str = "with the lane"
    speed: float = 0.0


def models_of(scene: Scene, kind: str) -> tuple[str, ...]:
    """Names of all models of a kind."""
    if kind == AREA:
        return SLIPPERY
    if kind == PEDESTRIAN:
        return tuple(model.name for model in PEDESTRIAN_MODELS)
    return tuple(model.name for model in (OBSTACLE_MODELS if kind == OBSTACLE else scene.models))


def place(scene: Scene, order: Placing, picked: Picked) -> Command:
    """The command that puts something where a visitor pointed.

    Vehicles stand on the lane there if there is one, an NPC vehicle never beside it.

    Raises:
        InputError: there is no ground or no lane, or no such kind, model or direction.
    """
    if order.kind not in KINDS:
        raise InputError("spawn", "", f"there is no {order.kind!r}", f"it must be one of {', '.join(KINDS)}")
    if order.turn not in tuple(TURNS):  # it may be anything, and of no hash
        raise InputError("looks", "", f"there is no {order.turn!r}", f"it must be one of {', '.join(TURNS)}")
    if picked.point is None:
        raise InputError("click", "", "there is no ground there", "click on the road")
    if order.model not in models_of(scene, order.kind):
        raise InputError(str(order.kind), "", f"there is no model {order.model!r}")
    heading = math.remainder(picked.heading + math.radians(TURNS[order.turn]), math.tau)
    if order.kind == PEDESTRIAN:
        return pedestrian_to_make(order.model, picked.point, heading, Walk(move_distance=WALK, start=True))[0]
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
        InputError: there is no such actor, or it is the first ego vehicle, which stays.
    """
    found = int(number(actor, "actor"))
    if found <= 0:
        raise InputError("remove", "", "there is no actor", "click on a vehicle, a pedestrian or an obstacle")
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

    def near(self, now: Snapshot, actor: int, most: int = MAX_LISTED_ACTORS) -> list[ActorLine]:
        """Lists actors and map objects that can be removed, nearest to an actor first."""
        names, centre = names_of(now), self._reader.state(now, actor)
        x, y = (0.0, 0.0) if centre is None else centre.position[:2]
        found = [(away, one.id, model_name(self._scene, one)) for away, one in self._bodies(now, x, y) if one.id != EGO]
        places = now.friction.objects
        for row in range(places.rows):
            name = MAP_OBJECT_MODELS[int(places.model[row])].name or "map object"
            distance = math.hypot(float(places.x[row]) - x, float(places.y[row]) - y)
            found.append((distance, int(places.id[row]), name))
        found.sort()
        return [ActorLine(number, _line(names, number, model, away)) for away, number, model in found[:most]]

    def about(self, now: Snapshot, actor: int, reach: float, most: int) -> list[tuple[ActorState, str]]:
        """Bodies within a reach [m] of an actor, itself too, nearest first: each with its name, model and distance."""
        names, centre = names_of(now), self._reader.state(now, actor)
        if centre is None:
            return []
        found = [pair for pair in self._bodies(now, *centre.position[:2]) if pair[0] <= reach]
        found.sort(key=lambda pair: (pair[0], pair[1].id))
        return [(one, _line(names, one.id, model_name(self._scene, one), away)) for away, one in found[:most]]

    def _bodies(self, now: Snapshot, x: float, y: float) -> list[tuple[float, ActorState]]:
        """All bodies on the map, each with its distance from a place [m]."""
        return [(math.hypot(one.position[0] - x, one.position[1] - y), one) for one in self._reader.states(now)]


def _line(names: Names, actor: int, model: str, away: float) -> str:
    return f"{names.text_of(actor)} · {model} · {away:.0f} m"
