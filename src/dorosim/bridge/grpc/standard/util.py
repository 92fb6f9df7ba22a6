"""The service Util: a ray on request."""

from __future__ import annotations

import math
from typing import Any

from google.protobuf.message import Message

from dorosim.bridge.grpc.call import Procedure, vector_of
from dorosim.bridge.sensor.ray import ray_between
from dorosim.bridge.situation import Situation
from dorosim.wire.grpc.descriptor import SIM_API

NOTHING = math.inf
"""The distance to what a ray does not meet."""


def _cast(request: Any, at: Situation) -> Message:
    source, target = vector_of(request.source), vector_of(request.target)
    ray = ray_between(source, target, request.max_dist or None)
    (hit,) = at.host.sensors.cast(at.now, (ray,))
    return SIM_API.FloatValue(value=NOTHING if hit is None else hit.distance)


PROCEDURES: dict[str, Procedure] = {"Util/RayCast": _cast}
"""By "Service/Name"."""
