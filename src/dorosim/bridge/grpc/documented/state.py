"""The states of ego vehicles that Connect streams (documents/grpc-api-en.txt, EgoState, MultiEgoState)."""

from __future__ import annotations

import json
import math
from typing import Any

from google.protobuf.message import Message

from dorosim.bridge.grpc.call import KMH, light_color
from dorosim.bridge.grpc.documented.answer import degrees3, service_response, vector3
from dorosim.bridge.situation import Situation
from dorosim.ground.error import InputError
from dorosim.wire.grpc.descriptor import MORAI_MSGS
from dorosim.world.snapshot import EGO

EGO_STATE = "/morai_msgs/EgoState"
MULTI_EGO_STATE = "/morai_msgs/MultiEgoState"
KINDS = (EGO_STATE, MULTI_EGO_STATE)
"""The kinds of states, by their service names."""
DEFAULT_STATE_RATE = 50.0
"""States a second of simulated time (design/seams.md, Codes left open by the documents)."""
MAX_STATE_RATE = 10_000.0
"""The highest rate that a client may ask for. States are sent once a tick at most."""


def kinds_of(service_name: str) -> tuple[str, ...]:
    """The kinds of states that a request means; an empty name means both.

    Raises:
        InputError: it is none of their names.
    """
    if not service_name:
        return KINDS
    if service_name not in KINDS:
        raise InputError(
            "Connect", "service_name", f"{service_name!r} is not a valid kind of states", f"use {' or '.join(KINDS)}"
        )
    return (service_name,)


def rate_of(msg: str) -> float:
    """States a second that a request asks for: a number, or JSON with "rate"; 0 ends them, nothing means 50.

    Raises:
        InputError: it says something else.
    """
    if not msg.strip():
        return DEFAULT_STATE_RATE
    try:
        said: Any = json.loads(msg)
        rate = float(said["rate"] if isinstance(said, dict) else said)
    except (ValueError, KeyError, TypeError, RecursionError):
        rate = math.nan
    if not 0.0 <= rate <= MAX_STATE_RATE:
        raise InputError(
            "Connect", "msg", f"{msg[:60]!r} is not a valid rate", f"give 0 to {MAX_STATE_RATE:g} states a second"
        )
    return rate


def state_response(at: Situation, kind: str) -> Message:
    """The states of one kind, as an answer of the stream."""
    if kind == EGO_STATE:
        return service_response(at.form, kind, _state(at, EGO, MORAI_MSGS.EgoState))
    states = [_state(at, actor, MORAI_MSGS.MultiEgoState) for actor in at.now.egos if actor != EGO]
    return service_response(at.form, kind, MORAI_MSGS.MultiEgoStateList(service_name=kind, multi_ego_state_list=states))


def _state(at: Situation, actor: int, kind: Any) -> Any:
    """State of one vehicle; velocity and acceleration in its own axes, x forward."""
    state = at.index.actors.state(at.now, actor)
    if state is None:
        return kind()
    view = at.index.vehicles.view(at.now, state)
    message = kind(
        unique_id=at.names.text_of(actor),
        acceleration=vector3(state.acceleration),
        position=vector3(state.position),
        velocity=vector3(state.velocity, 1 / KMH),
        rotation=degrees3(state.rotation),
        accel=state.accelerator,
        brake=state.brake,
        front_wheel_angle=state.steer,
        link_id=MORAI_MSGS.MGeoInfo(result=view.link >= 0, link_id=view.link_id, waypoint=view.point),
    )
    if view.journey is not None:
        message.is_pass_dest_pos = view.journey.passed
        message.remaining_distance = view.journey.remaining
    if view.light is not None:
        message.tl_id = view.light.index
        message.tl_color = light_color(view.lamps)
    return message
