"""The objects around the ego vehicle, the pairs that touch, and the numbers of ghosts.

Sources: facts/ros-grpc-mgeo.md, 1.6, rows 8 to 11; docs/decisions/0035-numbers-on-udp.md.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dorosim.bridge.actor import BODY_TYPES
from dorosim.bridge.actor_state import name_of_model
from dorosim.bridge.contact import ranked_pairs
from dorosim.bridge.npc import renamed_ghosts
from dorosim.bridge.ros.topic import Published, RosSituation
from dorosim.ground.unit import KMH, degrees_of
from dorosim.wire.ros.registry import Registry
from dorosim.wire.udp.code import ObjectType
from dorosim.world.actor.neighbour import is_alone, neighbours_of
from dorosim.world.actor.neighbour_state import NeighbourState
from dorosim.world.actor.touched import touched_of
from dorosim.world.collision.body import BodyKind
from dorosim.world.collision.contact import hit_by, pairs_of_npcs
from dorosim.world.scene import Scene
from dorosim.world.snapshot import EGO

MAX_OBJECTS = 20
"""How many of the nearest objects are published at most (facts/ros-grpc-mgeo.md, 1.6, row 8)."""
_NEIGHBOUR = NeighbourState.at
_GHOST_IDS = "ghost_ids"


def object_statuses(registry: Registry, scene: Scene, found: NeighbourState) -> list[Any]:
    """A morai_msgs/ObjectStatus of each actor, in their order.

    Velocity in km/h and acceleration in m/s², both in the object's own axes, x forward; size along the heading, across
    and up; heading in degrees from east, within -180 to 180.
    """
    status, vector = registry.kind("morai_msgs/ObjectStatus"), registry.kind("geometry_msgs/Vector3")
    statuses = []
    rows = zip(found.told.tolist(), found.kind.tolist(), found.model.tolist(), found.floats.T.tolist(), strict=True)
    for actor, kind, model, floats in rows:
        vx, vy, vz = floats[_NEIGHBOUR.velocity : _NEIGHBOUR.velocity + 3]
        statuses.append(
            status(
                actor,
                BODY_TYPES[kind],
                name_of_model(scene, BodyKind(kind), model),
                degrees_of(math.remainder(floats[_NEIGHBOUR.heading], math.tau)),
                vector(vx / KMH.factor, vy / KMH.factor, vz / KMH.factor),
                vector(*floats[_NEIGHBOUR.acceleration : _NEIGHBOUR.acceleration + 3]),
                vector(*floats[_NEIGHBOUR.length : _NEIGHBOUR.length + 3]),
                vector(*floats[:3]),
            )
        )
    return statuses


def object_lists(statuses: list[Any]) -> dict[str, Any]:
    """The fields of ObjectStatusList and ReplayInfo that hold objects, from objects of all types.

    Further ego vehicles stand among the NPC vehicles: there is no list of their own.
    """
    npcs = [one for one in statuses if one.type in (ObjectType.VEHICLE, ObjectType.EGO)]
    pedestrians = [one for one in statuses if one.type == ObjectType.PEDESTRIAN]
    obstacles = [one for one in statuses if one.type == ObjectType.OBJECT]
    return {
        "num_of_npcs": len(npcs),
        "num_of_pedestrian": len(pedestrians),
        "num_of_obstacle": len(obstacles),
        "npc_list": npcs,
        "pedestrian_list": pedestrians,
        "obstacle_list": obstacles,
    }


def nearest_objects(to: RosSituation) -> list[Any]:
    """A morai_msgs/ObjectStatus of each of the actors nearest to the ego vehicle, nearest first."""
    at = to.at
    if is_alone(at.now):
        return []
    return object_statuses(to.form.registry, at.scene, neighbours_of(at.scene, at.now, EGO, MAX_OBJECTS))


def _objects(to: RosSituation) -> Any:
    lists = object_lists(nearest_objects(to))
    return to.form.registry.make("morai_msgs/ObjectStatusList", header=to.map_header(), **lists)


def _collisions(to: RosSituation) -> Any:
    """What the ego vehicle touches, or has touched until just now, nearest first; the map's origin is always sent."""
    at, registry = to.at, to.form.registry
    statuses: list[Any] = []
    if at.now.contact.rows:
        others = hit_by(at.now.contact, EGO)
        statuses = object_statuses(registry, at.scene, touched_of(at.scene, at.now, EGO, len(others), others))
    east, north, up = at.scene.map_origin
    return registry.make(
        "morai_msgs/CollisionData",
        header=to.map_header(),
        global_offset_x=east,
        global_offset_y=north,
        global_offset_z=up,
        collision_object=statuses,
    )


def _npc_collisions(to: RosSituation) -> Any:
    """NPC vehicles and what they touch: one entry a pair, those nearest to the ego vehicle first."""
    at, registry = to.at, to.form.registry
    collisions = []
    if at.now.contact.rows:
        pairs = pairs_of_npcs(at.now.contact)
        actors = np.unique(pairs)
        found = touched_of(at.scene, at.now, EGO, len(actors), actors, itself=True)
        statuses = object_statuses(registry, at.scene, found)
        for first, second in ranked_pairs(found, pairs):
            both = [statuses[first], statuses[second]]
            collisions.append(registry.make("morai_msgs/VehicleCollision", crashed_vehicles=both))
    return registry.make("morai_msgs/VehicleCollisionData", header=to.map_header(), collisions=collisions)


def _ghost_ids(to: RosSituation) -> Any:
    """Returns a row of the sender's unique_id and the published unique_id for each such ghost; None if none changed."""
    pairs = renamed_ghosts(to.at.now)
    if to.history.get(_GHOST_IDS, ()) == pairs:
        return None
    to.history[_GHOST_IDS] = pairs
    make, count = to.form.registry.make, len(pairs)
    dimension = [
        make("std_msgs/MultiArrayDimension", label=label, size=size, stride=stride)
        for label, size, stride in (("ghost", count, 2 * count), ("unique_id of its sender, unique_id", 2, 2))
    ]
    layout = make("std_msgs/MultiArrayLayout", dim=dimension)
    return make("std_msgs/Int32MultiArray", layout=layout, data=np.array(pairs, np.int32).ravel())


PUBLISHED = (
    Published("objects", "/Object_topic", "morai_msgs/ObjectStatusList", _objects, module=772, frame="map"),
    Published("collision", "/CollisionData", "morai_msgs/CollisionData", _collisions, module=261, frame="map"),
    Published(
        "npc_collision",
        "/VehicleCollisionData",
        "morai_msgs/VehicleCollisionData",
        _npc_collisions,
        module=268,
        frame="map",
    ),
    Published(_GHOST_IDS, "/dorosim/ghost_ids", "std_msgs/Int32MultiArray", _ghost_ids, rate_hz=10.0, latched=True),
)
