"""Conditions as the kernels of quiet ticks look at them; those that they do not know are measured by the engine."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dorosim.scenario.openscenario.engine.condition import entity as by_entity
from dorosim.scenario.openscenario.engine.condition import value as by_value
from dorosim.scenario.openscenario.engine.condition.collision import Collides
from dorosim.scenario.openscenario.engine.condition.time_to_collision import TimeToCollision
from dorosim.scenario.openscenario.engine.place import Place
from dorosim.scenario.openscenario.engine.position import FixedPosition, PositionPlan
from dorosim.scenario.openscenario.engine.program import Measure, TriggerPlan
from dorosim.scenario.openscenario.engine.quiet_writer import NotQuietError, QuietWriter
from dorosim.world.storyboard.quiet_code import WatchKind
from dorosim.world.storyboard.state import ElementTable, EntityTable, Transition

_TRANSITIONS = {
    Transition.START: ElementTable.at.started,
    Transition.END: ElementTable.at.ended,
    Transition.STOP: ElementTable.at.stopped,
    Transition.SKIP: ElementTable.at.skipped,
}
_SINCE = {
    by_entity.Lasting.STILL: EntityTable.at.still_since,
    by_entity.Lasting.OFF_ROAD: EntityTable.at.off_road_since,
    by_entity.Lasting.END_OF_ROAD: EntityTable.at.end_of_road_since,
}

Measured = tuple[WatchKind, tuple[int, ...], tuple[float, ...]]
"""What a condition measures, and its own ints and floats."""


def watch_trigger(writer: QuietWriter, trigger: TriggerPlan | None) -> None:
    """Write the conditions of a trigger."""
    groups = () if trigger is None else trigger.groups
    for at, group in enumerate(groups):
        for index, number in enumerate(group):
            last = index == len(group) - 1
            ends = (int(last), int(last and at == len(groups) - 1))
            writer.watches.append(_watch(writer, number, ends))


def _watch(writer: QuietWriter, number: int, ends: tuple[int, int]) -> tuple[int, ...]:
    """The entry of a condition."""
    plan = writer.program.conditions[number]
    measure = plan.measure
    subjects: tuple[int, ...] = ()
    needs_all = False
    try:
        if isinstance(measure, by_entity.ByEntity):
            kind, ints, floats = _of_entity(writer, measure.measure)
            subjects, needs_all = measure.entities, measure.needs_all
        else:
            kind, ints, floats, subjects = _of_value(measure)
    except NotQuietError:
        kind, ints, floats, subjects = WatchKind.GIVEN, (len(writer.given),), (), ()
        writer.given.append(number)
    return (
        number,
        plan.edge,
        plan.delay,
        *ends,
        kind,
        int(needs_all),
        writer.add_ints(subjects),
        len(subjects),
        writer.add_ints(ints),
        writer.add_floats(floats),
    )


def _of_value(measure: Measure) -> tuple[WatchKind, tuple[int, ...], tuple[float, ...], tuple[int, ...]]:
    """A condition by value, with the elements that it asks."""
    if isinstance(measure, by_value.SimulationTime):
        return WatchKind.TIME, (measure.rule,), (measure.value,), ()
    if not isinstance(measure, by_value.ElementStateIs):
        raise NotQuietError
    if measure.state is not None:
        return WatchKind.STATE, (measure.state,), (), measure.elements
    return WatchKind.TRANSITION, (_TRANSITIONS[measure.transition],), (), measure.elements


def _of_entity(writer: QuietWriter, measure: by_entity.EntityMeasure) -> Measured:
    make = _MEASURES.get(type(measure))
    if make is None:
        raise NotQuietError
    return make(writer, measure)


def _fixed(position: PositionPlan | None) -> Place | None:
    """The place of a position that stays where it is."""
    if position is None:
        return None
    if not isinstance(position, FixedPosition):
        raise NotQuietError
    return position.fixed


def _distance(kind: WatchKind) -> Callable[[QuietWriter, Any], Measured]:
    def make(writer: QuietWriter, one: Any) -> Measured:
        other, place = getattr(one, "other", -1), _fixed(getattr(one, "position", None))
        ints = (one.rule, *writer.metre(one.plan, other, place))
        return kind, ints, (one.value, *writer.metre_place(place))

    return make


def _reaches(_writer: QuietWriter, one: by_entity.ReachesPosition) -> Measured:
    place = _fixed(one.position)
    assert place is not None
    if one.is_oriented:
        raise NotQuietError
    return WatchKind.REACHED, (), (place.x, place.y, one.tolerance)


def _collides(writer: QuietWriter, one: Collides) -> Measured:
    entities = writer.program.entities
    others = range(len(entities)) if one.others is None else one.others
    found = tuple(other for other in others if one.kind is None or entities[other].kind is one.kind)
    return WatchKind.COLLISION, (len(found), *found), ()


_MEASURES: dict[type, Callable[[QuietWriter, Any], Measured]] = {
    by_entity.Speed: lambda _, one: (WatchKind.SPEED, (one.rule, one.part), (one.value,)),
    by_entity.RelativeSpeed: lambda _, one: (WatchKind.RELATIVE_SPEED, (one.rule, one.part, one.other), (one.value,)),
    by_entity.Acceleration: lambda _, one: (WatchKind.ACCELERATION, (one.rule, one.part), (one.value,)),
    by_entity.Lasts: lambda _, one: (WatchKind.LASTING, (_SINCE[one.what], one.duration), ()),
    by_entity.Travelled: lambda _, one: (WatchKind.TRAVELLED, (), (one.value,)),
    by_entity.ReachesPosition: _reaches,
    by_entity.DistanceToPosition: _distance(WatchKind.DISTANCE),
    by_entity.DistanceToEntity: _distance(WatchKind.DISTANCE),
    by_entity.TimeHeadway: _distance(WatchKind.HEADWAY),
    TimeToCollision: _distance(WatchKind.TIME_TO_COLLISION),
    Collides: _collides,
}
"""How the kernels look at each condition by entity."""
