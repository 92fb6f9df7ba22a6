"""A tick of the storyboard in the world: its engine makes the next state, and the actors are where that says."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dorosim.ground.column import read_only, writable
from dorosim.ground.noise import Noise
from dorosim.world.command import Command
from dorosim.world.draft import Draft
from dorosim.world.effect import apply_commands
from dorosim.world.scene import Scene
from dorosim.world.snapshot import Snapshot
from dorosim.world.storyboard.actor import bench_ego, match_actors, put_driven
from dorosim.world.storyboard.engine import NO_ENTITY
from dorosim.world.storyboard.placement_kernel import (
    place_other_entities,
    place_vehicle_entities,
    place_vehicles_of_line,
)
from dorosim.world.storyboard.report import StoryboardReport
from dorosim.world.storyboard.state import NEVER, StoryboardState

MAX_REFUSALS = 100
"""Lines of refused commands that a tick reports."""


def begin_storyboard(scene: Scene, now: Snapshot, noise: Noise) -> Snapshot:
    """The same snapshot with the storyboard started: its init actions are done, and its entities are there.

    Args:
        scene: has the storyboard's engine; without one, the snapshot is returned as it is.
        now: a snapshot without a storyboard.
        noise: the run's randomness.
    """
    engine = scene.storyboard
    if engine is None or not now.storyboard.is_empty():
        return now
    draft = Draft.after(now, noise)
    draft.tick = now.tick
    draft.storyboard = engine.first_state(now.time)
    if engine.cast.ego != NO_ENTITY or not engine.cast.own_ego:
        bench_ego(draft)
    match_actors(scene, draft)
    before = draft.finish()
    draft = Draft.after(before, noise)
    draft.tick = now.tick
    made = engine.start(before)
    draft.storyboard = made.state
    match_actors(scene, draft)
    for row in np.flatnonzero(made.state.entity.mover).tolist():
        put_driven(draft, draft.storyboard.entity, row)
    draft.storyboard_report = _reported(made.report, _applied(scene, draft, made.commands))
    place_entities(scene, draft)
    follow_entities(scene, draft)
    return draft.finish()


def advance_storyboard(scene: Scene, draft: Draft, *, stands: bool) -> None:
    """Let the storyboard make its next state, and do what it asks of the world; entities are placed later in the tick.

    Args:
        scene: has the engine, unless there is no storyboard.
        draft: nothing has happened in it yet.
        stands: whether the tick has no duration.
    """
    engine, storyboard = scene.storyboard, draft.storyboard
    if engine is None or stands or storyboard.started == NEVER or storyboard.ended != NEVER:
        return
    made = engine.advance(draft.before, scene.tick)
    if isinstance(made, StoryboardState):
        draft.storyboard = made
        return
    draft.storyboard = made.state
    match_actors(scene, draft)
    refused = _applied(scene, draft, made.commands) if made.commands else ()
    draft.storyboard_report = _reported(made.report, refused)


def _applied(scene: Scene, draft: Draft, commands: Sequence[Command]) -> Sequence[str]:
    """Do the commands of the storyboard, and return why some were refused; they are none of the tick's commands."""
    apply_commands(scene, draft, commands)
    refusals = [one.refusal for one in draft.outcomes if one.refusal]
    draft.outcomes.clear()
    return refusals[:MAX_REFUSALS]


def _reported(report: StoryboardReport, refusals: Sequence[str]) -> StoryboardReport:
    return report._replace(journal=(*report.journal, *refusals)) if refusals else report


def place_entities(scene: Scene, draft: Draft) -> None:
    """Put the actors of entities where the storyboard has them, but for vehicles that others move."""
    engine, storyboard = scene.storyboard, draft.storyboard
    if engine is None or storyboard.started == NEVER:
        return
    vehicle, cast, span, parameter = draft.vehicle, engine.cast, storyboard.span, draft.parameter
    numbers = parameter.floats if parameter is draft.before.parameter else read_only(parameter.floats)
    if span is not None:
        place_vehicles_of_line(
            storyboard.line,
            span.entities,
            span.entity_ints,
            numbers,
            vehicle.floats,
            vehicle.ints,
        )
    else:
        entity = storyboard.entity
        place_vehicle_entities(
            entity.floats,
            entity.ints,
            numbers,
            vehicle.floats,
            vehicle.ints,
            1.0 if storyboard.ended == NEVER else 0.0,
        )
    if cast.has_others:
        place_others(scene, draft)


def place_others(scene: Scene, draft: Draft) -> None:
    """Put the persons and obstacles of entities where the storyboard has them."""
    engine, storyboard = scene.storyboard, draft.storyboard
    if engine is None or storyboard.started == NEVER or not engine.cast.has_others:
        return
    entity, people, things = storyboard.entity, draft.people.state, draft.obstacles.state
    place_other_entities(
        entity.floats,
        entity.ints,
        engine.cast.shapes,
        engine.cast.offsets,
        writable(people.floats),
        writable(people.ints),
        writable(things.floats),
        writable(things.ints),
        1.0 if storyboard.ended == NEVER else 0.0,
    )


def follow_entities(scene: Scene, draft: Draft) -> None:
    """Let the storyboard see, at the end of the tick, where the entities are that it does not move itself."""
    engine, storyboard = scene.storyboard, draft.storyboard
    if engine is None or storyboard.started == NEVER:
        return
    span = storyboard.span
    if span.has_driven if span is not None else any(storyboard.entity.mover.tolist()):
        draft.storyboard = engine.follow(draft)
