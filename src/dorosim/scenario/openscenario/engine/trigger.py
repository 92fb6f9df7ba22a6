"""Triggers: groups of conditions with edges and delays (ASAM OpenSCENARIO XML 1.3, 8.6)."""

from __future__ import annotations

from dorosim.scenario.openscenario.engine.frame import StoryboardFrame
from dorosim.scenario.openscenario.engine.program import Edge, TriggerPlan
from dorosim.world.storyboard.state import NEVER


def is_met(frame: StoryboardFrame, trigger: TriggerPlan) -> bool:
    """Whether a trigger fires. All of its conditions are looked at, for their edges and delays."""
    fires = False
    for group in trigger.groups:
        met = bool(group)
        for number in group:
            met = _counts(frame, number) and met
        fires = fires or met
    return fires


def forget(frame: StoryboardFrame, trigger: TriggerPlan) -> None:
    """What the conditions of a trigger remember does not count for the next run of its element."""
    for group in trigger.groups:
        for number in group:
            row = frame.condition[number]
            row.met = row.counts = 0
            row.seen = NEVER
            frame.changes = [one for one in frame.changes if one[0] != number]


def triggering_entities(frame: StoryboardFrame, trigger: TriggerPlan) -> list[int]:
    """The entities that met the conditions of a trigger in this tick."""
    return [one for group in trigger.groups for number in group for one in frame.triggering.get(number, ())]


def _counts(frame: StoryboardFrame, number: int) -> bool:
    """Whether a condition counts now, after its edge and its delay."""
    plan, row = frame.program.conditions[number], frame.condition[number]
    met, row.value = plan.measure.met(frame, number)
    counts = _after_edge(plan.edge, met, bool(row.met), row.seen != NEVER)
    row.met, row.seen = int(met), frame.transitions
    if plan.delay:
        counts = _after_delay(frame, number, counts, plan.delay)
    row.counts = int(counts)
    return counts


def _after_edge(edge: Edge, met: bool, before: bool, known: bool) -> bool:
    """Whether a condition counts by its edge; an edge needs an earlier look."""
    if edge is Edge.NONE:
        return met
    rises, falls = known and met and not before, known and before and not met
    return (rises and edge is not Edge.FALLING) or (falls and edge is not Edge.RISING)


def _after_delay(frame: StoryboardFrame, number: int, counts: bool, delay: int) -> bool:
    """Whether a condition counted a delay ago [ns], or since the tick before then; keeps what later ticks need."""
    mine = [one for one in frame.changes if one[0] == number]
    if (mine[-1][2] if mine else 0) != int(counts) or not mine:
        frame.changes.append((number, frame.time, int(counts)))
        mine.append((number, frame.time, int(counts)))
    due = [one for one in mine if one[1] <= frame.time - delay]
    if not due:
        return False
    last = due[-1]
    found = bool(last[2])
    if len(due) > 1:
        # one that held for a single tick between two ticks counts too
        found = found or any(one[2] for one in due[1:])
        frame.changes = [one for one in frame.changes if one[0] != number or one[1] >= last[1]]
    return found
