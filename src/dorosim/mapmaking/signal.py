"""Traffic lights of a junction: heads, groups, the controller and its programme.

Phases follow Korean practice. Two opposite approaches that have turn lanes go straight together and then turn left
together; opposite approaches without turn lanes go one after the other, straight and left at once, or, on single
lanes, together with left turns that give way. Every phase ends in 3 s of yellow and one state in which all is red.
Right turns are never protected. A crosswalk is green in a phase in which no protected movement touches its arm; where
only one road comes in, people have a phase of their own.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dorosim.mapmaking.curve import CurvePose
from dorosim.mapmaking.draft import MapDraft, map_degrees
from dorosim.mapmaking.junction import LEFT, RIGHT, STRAIGHT, Junction
from dorosim.mapmaking.street import Mouth
from dorosim.road.mgeo.record import (
    IntersectionController,
    IntersectionProgramme,
    SignalStateRecord,
    SyncedTrafficLight,
    TrafficLightRecord,
)

RED, GREEN, GREEN_ARROW, LEFT_ONLY, RED_ARROW = "R", "SG", "G_with_GLeft", "LG", "R_with_GLeft"

YELLOW_S, ALL_RED_S = 3, 2
STRAIGHT_S, LEFT_S, SPLIT_S = 28, 13, 22
WALK_S, WALK_SPEED, SPARE_S = 7, 1.1, 2
"""Steady green for pedestrians [s], the speed at which flashing green lets them cross [m/s], time to spare [s]."""

_HEAD_HEIGHT, _POLE_HEIGHT = 5.6, 2.6
_LEAST_SPREAD = 2.8
"""Least distance between the two heads of an approach [m]."""

_HEAD_SIZE = {3: 1.16, 4: 1.514}
"""Length of a horizontal head by its number of lamps [m]."""


@dataclass(slots=True)
class Phase:
    """A state in which some approaches are green.

    Attributes:
        colors: of the approaches that are not red, by arm.
        duration: [s].
        turns: which turns of each arm are protected.
    """

    colors: dict[int, str]
    duration: int
    turns: dict[int, frozenset[str]]


@dataclass(slots=True)
class CrossingPlan:
    """Pedestrians over one arm.

    Attributes:
        arm: index of the arm.
        phase: index of the phase in which they walk.
        group: arm whose signal group holds the pedestrian heads.
        length: of the crosswalk [m].
    """

    arm: int
    phase: int
    group: int
    length: float


@dataclass(slots=True)
class SignalLayout:
    """Phases and crosswalks of a junction."""

    phases: list[Phase] = field(default_factory=list)
    crossings: list[CrossingPlan] = field(default_factory=list)


def plan_signals(junction: Junction) -> SignalLayout:
    """Decide on phases and crosswalks, and write into the junction's links which left turns are protected."""
    approaches = [arm for arm, mouth in enumerate(junction.mouths) if mouth.entries]
    plan = SignalLayout()
    for pair in _pairs(junction.mouths, approaches):
        plan.phases += _pair_phases(junction, pair)
    if len(plan.phases) == 1:
        # where one road only comes in, it stops for the pedestrians that cross it
        plan.phases.append(Phase({}, LEFT_S, {}))
    for movement in junction.movements:
        if movement.turn == LEFT:
            protected = any(LEFT in phase.turns.get(movement.origin, ()) for phase in plan.phases)
            movement.link.related_signal = "left" if protected else "left_unprotected"
    for arm, mouth in enumerate(junction.mouths):
        _plan_crossing(junction, plan, arm, sum(mouth.extents))
    for crossing in plan.crossings:
        phase = plan.phases[crossing.phase]
        phase.duration = max(phase.duration, WALK_S + _clear_time(crossing.length) + SPARE_S)
    return plan


def build_signals(draft: MapDraft, junction: Junction, plan: SignalLayout, crosswalks: dict[int, str]) -> None:
    """Add lights, groups, controller and programme; `crosswalks` names the crosswalk over each arm."""
    approaches = sorted({movement.origin for movement in junction.movements})
    controller = draft.name("IntTL", 0)
    groups: dict[int, list[TrafficLightRecord]] = {arm: _car_heads(draft, junction, plan, arm) for arm in approaches}
    for crossing in plan.crossings:
        groups[crossing.group] += _walk_heads(draft, junction, crossing.arm, crosswalks[crossing.arm])
    for arm in approaches:
        lights = groups[arm]
        draft.town.traffic_lights += lights
        draft.town.synced_traffic_lights.append(
            SyncedTrafficLight(
                idx=draft.name("SSN"),
                link_id_list=[m.link.idx for m in junction.movements if m.origin == arm],
                point=np.array([light.point for light in lights]),
                intersection_controller_id=controller,
                signal_id_list=[light.idx for light in lights],
            )
        )
    draft.town.intersection_controllers.append(
        IntersectionController(idx=controller, TL=[[light.idx for light in groups[arm]] for arm in approaches])
    )
    draft.town.intersection_programmes.append(_programme(controller, approaches, plan))


def _programme(controller: str, approaches: Sequence[int], plan: SignalLayout) -> IntersectionProgramme:
    """The programme: after each phase a state in which all is red."""
    programme = IntersectionProgramme(idx=controller)
    for phase in plan.phases:
        programme.TLState.append(
            SignalStateRecord(duration=phase.duration, lightcolor=[phase.colors.get(arm, RED) for arm in approaches])
        )
        programme.TLState.append(SignalStateRecord(duration=ALL_RED_S, lightcolor=[RED] * len(approaches)))
        programme.yelloduration += [YELLOW_S, 0]
    rows: dict[tuple[int, int], int] = {}
    for crossing in plan.crossings:
        key = (2 * crossing.phase, approaches.index(crossing.group))
        rows[key] = max(rows.get(key, 0), _clear_time(crossing.length))
    programme.PSState = [[*key, 0, WALK_S, clear] for key, clear in sorted(rows.items())]
    return programme


def _pairs(mouths: Sequence[Mouth], approaches: Sequence[int]) -> list[tuple[int, ...]]:
    """Approaches that face each other, and those that face none; the widest road first."""
    pairs: list[tuple[int, ...]] = []
    for arm in approaches:
        facing = [
            other
            for other in approaches
            if other != arm
            and abs(math.remainder(mouths[other].inward.heading - mouths[arm].inward.heading, math.tau))
            > 0.75 * math.pi
        ]
        if not facing or facing[0] > arm:
            pairs.append((arm, *facing[:1]))
    return sorted(pairs, key=lambda pair: (-max(len(mouths[arm].entries) for arm in pair), pair))


def _turns(junction: Junction, arm: int) -> frozenset[str]:
    """Where the lanes of an approach lead, all together."""
    return frozenset(m.turn for m in junction.movements if m.origin == arm)


def _pair_phases(junction: Junction, pair: tuple[int, ...]) -> list[Phase]:
    """The phases of one road through the junction."""
    turns = {arm: _turns(junction, arm) for arm in pair}
    left = [arm for arm in pair if LEFT in turns[arm]]
    shared = [arm for arm in left if not junction.mouths[arm].entries[0].dedicated and STRAIGHT in turns[arm]]
    single = all(len(junction.mouths[arm].entries) == 1 for arm in pair)
    if len(pair) == 2 and left and not shared:
        together = {arm: turns[arm] - {LEFT} for arm in pair if turns[arm] - {LEFT}}
        phases = [Phase(dict.fromkeys(together, GREEN), STRAIGHT_S, together)]
        arrows = {arm: frozenset({LEFT}) for arm in left}
        phases.append(Phase(dict.fromkeys(left, RED_ARROW), LEFT_S, arrows))
        return phases
    if len(pair) == 2 and (not left or single):
        return [Phase(dict.fromkeys(pair, GREEN), STRAIGHT_S, {arm: turns[arm] - {LEFT} for arm in pair})]
    return [Phase({arm: _own_color(turns[arm])}, SPLIT_S, {arm: turns[arm]}) for arm in pair]


def _own_color(turns: frozenset[str]) -> str:
    """What an approach shows that is green alone."""
    if LEFT not in turns:
        return GREEN
    return GREEN_ARROW if STRAIGHT in turns else LEFT_ONLY


def _clear_time(length: float) -> int:
    """How long green flashes over a crosswalk [s]."""
    return math.ceil(length / WALK_SPEED)


def _plan_crossing(junction: Junction, plan: SignalLayout, arm: int, length: float) -> None:
    """Add a crosswalk over an arm, in the longest phase in which no protected movement touches the arm."""
    free = []
    for index, phase in enumerate(plan.phases):
        touched = any(
            movement.turn != RIGHT
            and arm in (movement.origin, movement.target)
            and movement.turn in phase.turns.get(movement.origin, ())
            for movement in junction.movements
        )
        if not touched:
            free.append(index)
    before = [(arm - step) % len(junction.mouths) for step in range(1, len(junction.mouths))]
    for index in sorted(free, key=lambda index: (-plan.phases[index].duration, index)):
        for group in before:
            # a group's pedestrian heads all change together, so its crosswalks share one phase
            taken = {crossing.phase for crossing in plan.crossings if crossing.group == group}
            colors = plan.phases[index].colors
            if junction.mouths[group].entries and (group in colors or not colors) and taken <= {index}:
                plan.crossings.append(CrossingPlan(arm, index, group, length))
                return


def _car_heads(draft: MapDraft, junction: Junction, plan: SignalLayout, arm: int) -> list[TrafficLightRecord]:
    """Two heads beyond the junction, over the road that goes on straight, facing the approach."""
    mouth = junction.mouths[arm]
    colors = {phase.colors[arm] for phase in plan.phases if arm in phase.colors}
    lamps = ["red", "yellow"]
    lamps += ["left"] if colors & {GREEN_ARROW, LEFT_ONLY, RED_ARROW} else []
    lamps += ["straight"] if colors & {GREEN, GREEN_ARROW} else []
    far = _far_side(junction.mouths, arm)
    lanes = len(mouth.entries)
    width = mouth.entries[0].width
    middle = sum(mouth.inward.offset_to(lane.pose)[1] for lane in mouth.entries) / lanes
    spread = max(_LEAST_SPREAD, 0.5 * width * (lanes - 1))
    links = [m.link.idx for m in junction.movements if m.origin == arm]
    heads = []
    for left in (middle + 0.5 * spread, middle - 0.5 * spread):
        place = mouth.inward.moved(far, left)
        heads.append(
            _head(
                draft,
                place,
                _HEAD_HEIGHT,
                mouth.inward.heading + math.pi,
                link_id_list=links,
                type="car",
                sub_type=lamps,
                orientation="horizontal",
                height=_HEAD_SIZE[len(lamps)],
                width=0.525,
            )
        )
    return heads


def _far_side(mouths: Sequence[Mouth], arm: int) -> float:
    """Distance from an arm's mouth to the far side of the junction, straight ahead [m]."""
    inward = mouths[arm].inward
    ahead = []
    for other, mouth in enumerate(mouths):
        if other == arm:
            continue
        ahead += [inward.offset_to(edge)[0] for edge in (mouth.right_edge, mouth.left_edge)]
    facing = [
        inward.offset_to(mouth.inward)[0]
        for other, mouth in enumerate(mouths)
        if other != arm and math.cos(mouth.inward.heading - inward.heading) < -0.7
    ]
    return max(facing) if facing else max(ahead) + 1.5


def _walk_heads(draft: MapDraft, junction: Junction, arm: int, crosswalk: str) -> list[TrafficLightRecord]:
    """A pedestrian head at either end of a crosswalk, facing the pedestrians that come from the other end."""
    mouth = junction.mouths[arm]
    right, left = mouth.extents
    links = [m.link.idx for m in junction.movements if arm in (m.origin, m.target)]
    heads = []
    for across, facing in ((-right - 1.2, 0.5 * math.pi), (left + 1.2, -0.5 * math.pi)):
        place = mouth.inward.moved(2.2, across)
        heads.append(
            _head(
                draft,
                place,
                _POLE_HEIGHT,
                mouth.inward.heading + facing,
                link_id_list=links,
                type="pedestrian",
                sub_type=["red", "green"],
                orientation="vertical",
                height=0.6,
                width=0.38,
                ref_crosswalk_id=crosswalk,
            )
        )
    return heads


def _head(draft: MapDraft, place: CurvePose, z_offset: float, heading: float, **fields: Any) -> TrafficLightRecord:
    """A signal head, `z_offset` metres above the ground."""
    return TrafficLightRecord(
        idx=draft.name("TL"),
        point=draft.ground_point(place.x, place.y, z_offset),
        country="KR",
        z_offset=z_offset,
        heading=map_degrees(heading),
        **fields,
    )
