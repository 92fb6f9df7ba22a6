"""The service Actor: actors of any kind, and their states."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from google.protobuf.message import Message

from dorosim.bridge.actor import VEHICLES, ActorKind
from dorosim.bridge.actor_state import BODIES, NOTHING, ActorState
from dorosim.bridge.answer import Answer
from dorosim.bridge.grpc.call import KMH, Procedure, Response, angles_of, light_color, vector_of
from dorosim.bridge.grpc.standard.result import (
    Target,
    about,
    answered,
    ask_of,
    success,
    target_of,
    write_info,
    write_vector,
)
from dorosim.bridge.run import removal
from dorosim.bridge.situation import Situation
from dorosim.ground.error import InputError
from dorosim.ground.unit import degrees_of
from dorosim.wire.grpc.descriptor import SIM_API
from dorosim.world.actor.command import (
    Category,
    EnableDriver,
    PauseActor,
    PlaceActor,
    RemoveActor,
    RemoveCategories,
    SetSpeed,
)
from dorosim.world.command import Vector
from dorosim.world.snapshot import EGO
from dorosim.world.vehicle.command import PlaceGhost, SelectMode
from dorosim.world.vehicle.mode import ControlMode

_LISTED = "ask for an actor that GetAllActorsState lists"
DEGREES = 180.0 / math.pi
ANYTHING = BODIES | {ActorKind.MAP_OBJECT, ActorKind.SPAWN_POINT}
NO_PHYSICS = "only ego vehicles have physics that can be switched; this one moves as its kind does"


def _state(request: Any, at: Situation) -> Message:
    """One state.

    Raises:
        InputError: there is no such actor on the map.
    """
    target = target_of(request, at, source="GetActorState", cure=_LISTED)
    return at.index.answers.get(at.now, ("GetActorState", target.actor), lambda: _state_message(target, at))


def _state_message(target: Target, at: Situation) -> Message:
    state = at.index.actors.state(at.now, target.actor)
    if state is None:
        raise InputError("GetActorState", "", f"{target.text!r} is not on the map just now", _LISTED)
    message = SIM_API.actor.ActorState()
    write_state(message, at, state)
    return message


def _states(request: Any, at: Situation) -> Message:
    """All states of the kinds that are wanted; no kind means every kind."""
    wanted = [
        (request.vehicle, VEHICLES),
        (request.pedestrian, {ActorKind.PEDESTRIAN}),
        (request.obstacle, {ActorKind.OBSTACLE}),
    ]
    kinds = frozenset().union(*(kind for on, kind in wanted if on)) or BODIES
    found: Iterable[ActorState] = at.index.actors.states(at.now, kinds)
    if request.client_key:
        found = [state for state in found if at.names.owner_of(state.id) == request.client_key]
    pace = at.host.pace
    answer = SIM_API.actor.ActorStates(
        sync_mode_tick_count=at.now.time // pace.frame if pace.synchronous else 0,
        timestamp=(at.host.runs.epoch + at.now.time) // 1_000_000,
    )
    for state in found:
        write_state(answer.states.add(), at, state)
    return answer


def write_state(message: Any, at: Situation, state: ActorState) -> None:
    """Fill a message with the state of an actor in the units of the Standard API: km/h, degrees, wheel angles in rad.

    Its parts are written in place, which takes less than half the time of making them and putting them in.
    """
    write_info(message.actor_info, at.names, state.id, state.kind)
    box = message.bounding_box
    write_vector(box.extent, state.size)
    write_vector(box.location, (state.middle, 0.0, 0.5 * state.size[2]))
    write_vector(box.rotation, NOTHING)
    write_vector(message.transform.location, state.position)
    write_vector(message.transform.rotation, [degrees_of(angle) for angle in state.rotation])
    write_vector(message.velocity, state.velocity, 1 / KMH)
    write_vector(message.angular_velocity, state.angular_velocity, DEGREES)
    write_vector(message.acceleration, state.acceleration)
    write_vector(message.global_velocity, state.velocity_in_map, 1 / KMH)
    if state.kind in VEHICLES:
        _write_vehicle(message.vehicle_state, at, state)


def _write_vehicle(message: Any, at: Situation, state: ActorState) -> None:
    view = at.index.vehicles.view(at.now, state)
    message.throttle, message.brake = state.accelerator, state.brake
    message.steer, message.front_wheel_angle = state.asked_steer, state.steer
    message.gear_mode = int(state.gear)
    if view.touching:
        message.collision_objects.extend(at.names.text_of(other) for other in view.touching)
    if view.link >= 0:
        place = message.current_link_info
        place.id.value, place.waypoint_idx = view.link_id, view.point
    if view.journey is not None:
        message.remaining_distance = view.journey.remaining
        message.remaining_link_count = max(len(view.journey.ahead) - 1, 0)
        message.is_pass_des_pos = view.journey.passed
    if view.light is not None:
        message.tl_id.value = view.light.index
        message.tl_color = light_color(view.lamps)


def _destroy(request: Any, at: Situation) -> Response:
    target = target_of(request, at, ANYTHING)
    return ask_of((removal(at.now, target.actor),))


def _destroy_all(request: Any, at: Situation) -> Response:
    """Removes all actors of one client, or of all clients; the ego vehicle stays as long as the run."""
    key = request.value
    if not key:
        others = tuple(RemoveActor(actor) for actor in at.now.egos if actor != EGO)
        return ask_of((*others, RemoveCategories(Category(sum(Category)))))
    own = [actor for actor in at.names.owned_by(key) if actor != EGO]
    if not own:
        return success(f"{key!r} owns no actors")
    return ask_of([removal(at.now, actor) for actor in own])


def _place(request: Any, at: Situation, target: Target) -> Answer:
    """What of the transform is not said stays as it is."""
    transform = request.transform
    position, rotation = _pose_of(at, target.actor)
    if transform.HasField("location"):
        position = vector_of(transform.location)
    if transform.HasField("rotation"):
        rotation = angles_of(transform.rotation)
    return PlaceActor(target.actor, position, rotation)


def _pose_of(at: Situation, actor: int) -> tuple[Vector, Vector]:
    """Position and rotation of an actor; zeros where it is not on the map."""
    state = at.index.actors.state(at.now, actor)
    return (state.position, state.rotation) if state is not None else (NOTHING, NOTHING)


def _set_physics(request: Any, at: Situation) -> Response:
    """Turns the physics of an ego vehicle off or on.

    Without physics it stands where it is put; with physics again, it is held until a client or a user drives it.
    """
    target = target_of(request.actor_info, at)
    if target.kind is not ActorKind.EGO:
        return success(NO_PHYSICS)
    now, actor = at.now, target.actor
    ghost = now.vehicle.control_mode[now.row_of(actor)] == ControlMode.GHOST
    if request.enable:
        return ask_of((SelectMode(actor, ControlMode.AUTO),)) if ghost else success("it obeys physics already")
    return ask_of((PlaceGhost(actor, *_pose_of(at, actor), 0.0, 0.0),))


PROCEDURES: dict[str, Procedure] = {
    "Actor/GetActorState": _state,
    "Actor/GetAllActorsState": _states,
    "Actor/DestroyActor": answered(_destroy),
    "Actor/DestroyAllActors": _destroy_all,
    "Actor/SetTransform": about(_place),
    "Actor/SetPause": about(lambda request, _, target: PauseActor(target.actor, request.enable)),
    "Actor/SetAI": about(lambda request, _, target: EnableDriver(target.actor, request.enable)),
    "Actor/SetPhysics": answered(_set_physics),
    "Actor/SetVelocity": about(lambda request, _, target: SetSpeed(target.actor, request.velocity * KMH)),
}
"""By "Service/Name"."""
