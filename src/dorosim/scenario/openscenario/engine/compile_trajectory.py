"""Trajectories of a file, made ready to be followed in a run."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from typing import Any

from dorosim.scenario.openscenario.engine.compile_position import POSITIONS, angles_of, position_plan
from dorosim.scenario.openscenario.engine.names import ScenarioNames
from dorosim.scenario.openscenario.engine.position import MovingPosition, OrientationPlan, PositionPlan, beside_object
from dorosim.scenario.openscenario.engine.trajectory import ACTOR, OnTrajectory, Segment, TrajectoryPlan
from dorosim.scenario.openscenario.record.position import (
    Clothoid,
    ClothoidSpline,
    Nurbs,
    Polyline,
    Trajectory,
    TrajectoryPosition,
    TrajectoryRef,
)
from dorosim.scenario.openscenario.record.table import OscRecord

_MAX_LENGTH = 1e5
"""A clothoid is so long at most [m], as it is kept as points."""
_MAX_TURN = 1e4
"""It turns by so much at most [rad]."""


def trajectory_plan(names: ScenarioNames, one: OscRecord) -> TrajectoryPlan:
    """A trajectory, ready to be followed.

    Args:
        names: of the scenario.
        one: the trajectory, or a reference to one.

    Raises:
        InputError: there is none, it has too few points, or they are relative to several entities.
    """
    found: Any = one.chosen if isinstance(one, TrajectoryRef) else one.target
    if not isinstance(found, Trajectory):
        raise names.refuse(one, "there is no trajectory", "give one, or name one of a catalog")
    shape = found.shape.chosen
    if isinstance(shape, Polyline):
        plan = _polyline(names, shape, found.closed)
    elif isinstance(shape, Clothoid):
        plan = _clothoid(names, shape)
    elif isinstance(shape, ClothoidSpline):
        plan = _spline(names, shape)
    elif isinstance(shape, Nurbs):
        plan = _nurbs(names, shape)
    else:
        raise names.refuse(found, "the trajectory has no shape", "give a polyline")
    plan = replace(plan, closed=found.closed)
    if len(plan.entities) > 1:
        raise names.refuse(found, "its places are relative to several entities", "make them relative to one")
    return plan


def _time(value: float | None) -> float:
    return math.nan if value is None else value


def _polyline(names: ScenarioNames, shape: Polyline, closed: bool) -> TrajectoryPlan:
    if len(shape.vertices) < 2:
        raise names.refuse(shape, "the polyline has fewer than 2 vertices", "give more")
    positions = tuple(position_plan(names, one.position) for one in shape.vertices)
    return TrajectoryPlan("polyline", positions, tuple(_time(one.time) for one in shape.vertices), closed)


def _clothoid(names: ScenarioNames, shape: Clothoid) -> TrajectoryPlan:
    if shape.length <= 0.0:
        raise names.refuse(shape, f"the clothoid is {shape.length} m long", "give it a length")
    prime = shape.curvature_prime if shape.curvature_prime is not None else shape.curvature_dot or 0.0
    _check_size(names, shape, shape.length, max(abs(shape.curvature), abs(shape.curvature + prime * shape.length)))
    numbers = (shape.curvature, prime, shape.length, _time(shape.start_time), _time(shape.stop_time))
    return TrajectoryPlan("clothoid", (position_plan(names, shape.position),), numbers=numbers)


def _check_size(names: ScenarioNames, shape: OscRecord, length: float, curvature: float) -> None:
    """Refuse a clothoid that is no line of a vehicle: its points would fill the memory."""
    if length > _MAX_LENGTH:
        raise names.refuse(shape, f"is {length:g} m long, more than {_MAX_LENGTH:g} m", "shorten it")
    turn = curvature * length
    if turn > _MAX_TURN:
        raise names.refuse(shape, f"turns by {turn:g} rad, more than {_MAX_TURN:g} rad", "lessen its curvature")


def _spline(names: ScenarioNames, shape: ClothoidSpline) -> TrajectoryPlan:
    segments = tuple(
        Segment(
            one.curvature_start,
            one.curvature_end,
            one.length,
            one.h_offset or 0.0,
            None if one.position_start is None else position_plan(names, one.position_start),
            _time(one.time_start),
        )
        for one in shape.clothoid_spline_segments
    )
    if not segments or any(one.length <= 0.0 for one in segments):
        raise names.refuse(shape, "the spline has no segment, or one without length", "give each a length")
    for one in segments:
        _check_size(names, shape, one.length, max(abs(one.start), abs(one.end)))
    _check_size(names, shape, math.fsum(one.length for one in segments), 0.0)
    if segments[0].position is None:
        # it begins where the entity is that follows it
        here = MovingPosition(ACTOR, beside_object(0.0, 0.0, None, OrientationPlan()))
        segments = (segments[0]._replace(position=here), *segments[1:])
    positions = tuple(one.position for one in segments if one.position is not None)
    return TrajectoryPlan("spline", positions, segments=segments, end_time=_time(shape.time_end))


def _nurbs(names: ScenarioNames, shape: Nurbs) -> TrajectoryPlan:
    count, order = len(shape.control_points), shape.order
    knots = tuple(one.value for one in shape.knots)
    if order < 2 or count < order or len(knots) != count + order:
        problem = f"{count} control points of order {order} need {count + order} knots, and it has {len(knots)}"
        raise names.refuse(shape, problem, "correct the number of knots")
    if any(after < one for one, after in itertools.pairwise(knots)) or knots[order - 1] >= knots[count]:
        raise names.refuse(shape, "the knots do not rise", "order them")
    weights = tuple(1.0 if one.weight is None else one.weight for one in shape.control_points)
    if any(one <= 0.0 for one in weights):
        raise names.refuse(shape, "a weight is not more than 0", "correct it")
    positions = tuple(position_plan(names, one.position) for one in shape.control_points)
    times = tuple(_time(one.time) for one in shape.control_points)
    return TrajectoryPlan("nurbs", positions, times, numbers=(float(order),), weights=weights, knots=knots)


def _on_trajectory(names: ScenarioNames, one: TrajectoryPosition) -> PositionPlan:
    return OnTrajectory(trajectory_plan(names, one.trajectory_ref), one.s, one.t or 0.0, angles_of(one.orientation))


POSITIONS[TrajectoryPosition] = _on_trajectory
