"""Trailers: how they follow the vehicle that tows them (ASAM OpenSCENARIO XML 1.3, Trailer, TrailerHitch).

The coupler of a trailer is where the hitch is, and its rear axle, which is the origin of its body, rolls along behind:
it goes towards the hitch and never sideways. A trailer without a coupler is fixed at the front of its box; a vehicle
without a hitch takes one at the rear of its box.
"""

from __future__ import annotations

import math

from dorosim.scenario.openscenario.engine.frame import StoryboardFrame
from dorosim.scenario.openscenario.engine.placing import find_road, settle_height
from dorosim.scenario.openscenario.engine.program import Domain, EntityPlan, TrailerMount, Use
from dorosim.scenario.openscenario.engine.rows import EntityRow
from dorosim.world.storyboard.state import NEVER

_MIN_COUPLER_LENGTH = 0.1
"""A coupler is at least so far ahead of the axle behind it [m]."""


def hitch_of(plan: EntityPlan) -> TrailerMount:
    """Where a vehicle takes a trailer."""
    return plan.hitch or TrailerMount(plan.box.x - plan.box.length / 2.0)


def coupler_of(plan: EntityPlan) -> TrailerMount:
    """Where a trailer is fixed."""
    return plan.coupler or TrailerMount(plan.box.x + plan.box.length / 2.0)


def connect(frame: StoryboardFrame, tractor: int, trailer: int) -> None:
    """Fix a trailer to a vehicle, with its coupler at the hitch; either of them leaves what it had."""
    if tractor == trailer or _tows(frame, trailer, tractor):
        frame.journal.append(f"{frame.program.entities[trailer].name} cannot be towed by itself")
        return
    disconnect(frame, tractor)
    last = frame.control[trailer].tractor
    if last >= 0:
        disconnect(frame, last)
    frame.control[tractor].trailer, frame.control[trailer].tractor = trailer, tractor
    if frame.present(tractor) and frame.present(trailer):
        _follow(frame, tractor, trailer, straight=frame.entity[tractor].placed == 1)


def disconnect(frame: StoryboardFrame, tractor: int) -> None:
    """Let a vehicle's trailer go, which stands where it is."""
    trailer = frame.control[tractor].trailer
    if trailer >= 0:
        frame.control[tractor].trailer = frame.control[trailer].tractor = NEVER
        frame.entity[trailer].speed, frame.entity[trailer].free = 0.0, 0


def connect_first(frame: StoryboardFrame) -> None:
    """Fix the trailers that vehicles have from the start."""
    for number, plan in enumerate(frame.program.entities):
        if plan.trailer >= 0:
            frame.control[number].trailer, frame.control[plan.trailer].tractor = plan.trailer, number


def hold_trailers(frame: StoryboardFrame) -> None:
    """Let nothing but what tows them move trailers in this tick."""
    if Use.TRAILER in frame.program.uses:
        for number, control in enumerate(frame.control):
            if control.tractor >= 0:
                frame.entity[number].moved |= Domain.LONGITUDINAL | Domain.LATERAL


def pull_trailers(frame: StoryboardFrame) -> None:
    """Let all trailers follow, after what tows them has moved: those of trailers after these."""
    if Use.TRAILER not in frame.program.uses:
        return
    for number, control in enumerate(frame.control):
        tractor, trailer = number, control.trailer
        if control.tractor >= 0:
            continue
        while trailer >= 0:
            frame.entity[trailer].present = frame.entity[tractor].present
            if frame.present(tractor):
                _follow(frame, tractor, trailer, straight=frame.entity[tractor].placed == 1)
            tractor, trailer = trailer, frame.control[trailer].trailer


def _tows(frame: StoryboardFrame, tractor: int, other: int) -> bool:
    """Whether a vehicle tows another one, or one that tows it."""
    while tractor >= 0:
        tractor = frame.control[tractor].trailer
        if tractor == other:
            return True
    return False


def _follow(frame: StoryboardFrame, tractor: int, trailer: int, *, straight: bool) -> None:
    """Put a trailer behind its hitch; straight behind a vehicle that was put somewhere."""
    ahead, body = frame.entity[tractor], frame.entity[trailer]
    hitch, coupler = hitch_of(frame.program.entities[tractor]), coupler_of(frame.program.entities[trailer])
    x = ahead.x + hitch.x * math.cos(ahead.heading)
    y = ahead.y + hitch.x * math.sin(ahead.heading)
    length = max(coupler.x, _MIN_COUPLER_LENGTH)
    heading = ahead.heading if straight else math.atan2(y - body.y, x - body.x)
    body.x, body.y, body.heading = x - length * math.cos(heading), y - length * math.sin(heading), heading % math.tau
    body.speed = ahead.speed * math.cos(ahead.heading - heading)
    body.placed, body.free = ahead.placed, 1
    body.lift = body.tilt = body.lean = 0.0
    body.moved |= Domain.LONGITUDINAL | Domain.LATERAL
    find_road(frame.program.roads, body, keep=not straight)
    settle_height(frame.program.roads, body)
    _lift_coupler(ahead, body, hitch, coupler, length)


def _lift_coupler(ahead: EntityRow, body: EntityRow, hitch: TrailerMount, coupler: TrailerMount, length: float) -> None:
    """Pitch a trailer so that its coupler is as high as the hitch; one height stands for both, none for the ground."""
    high, low = hitch.z, coupler.z
    if math.isnan(high) and math.isnan(low):
        return
    high, low = (low if math.isnan(high) else high), (high if math.isnan(low) else low)
    rise = ahead.z + high - hitch.x * math.sin(ahead.pitch) - body.z - low
    body.pitch = -math.asin(min(max(rise / length, -1.0), 1.0))
