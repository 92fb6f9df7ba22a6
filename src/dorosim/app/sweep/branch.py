"""Cells that share a beginning: it is run once, and each goes on from its end."""

from __future__ import annotations

from dorosim.app.sweep.plan import SweepPlan


def branch_groups(plan: SweepPlan) -> int:
    """How many cells of a plan share a beginning: those that follow each other on a grid; 1 for none."""
    if not plan.branch.at or plan.sampling.method != "grid":
        return 1
    count = plan.sampling.repeats * len(plan.sampling.seeds)
    if count > 1:
        return 1
    from dorosim.app.sweep.plan_axis import size_of_axis

    for axis in reversed(plan.axes):
        if axis.name not in plan.branch.parameters:
            break
        count *= size_of_axis(axis)
    return count
