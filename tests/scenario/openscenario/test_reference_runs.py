"""Runs of the shared scenarios end where, and change when, those of the reference engine do."""

from __future__ import annotations

from functools import cache

import pytest
from _pytest.mark import ParameterSet

from tests.scenario.openscenario.reference import (
    NAMES,
    Run,
    farthest,
    late_changes,
    our_run,
    reference_changes,
    reference_places,
)
from tests.shared import shared

NEAR = 0.01
"""Of the reference's place [m]."""

OWN = {"init_test": ("Ego", "Ego_ghost")}
"""Entities that the reference engine moves by a controller of its own."""

AWAY: dict[str, str] = {}
"""Why the places of a scenario do not agree."""

OTHERWISE = {
    "add_delete_entity": "an entity that is there cannot be added; the reference's event then runs to the end, and "
    "the action of the standard ends at once (1.3, 7.5, AddEntityAction and DeleteEntityAction)",
    "test_action_dynamics": "a continuous LaneOffsetAction does not end by itself (1.3, LaneOffsetAction, continuous); "
    "that of the reference does",
}
"""Why the storyboard of a scenario changes at other times."""


def cases(failing: dict[str, str]) -> list[ParameterSet]:
    """All scenarios; of those that do not agree it is expected."""
    return [
        pytest.param(one, marks=pytest.mark.xfail(reason=failing[one], strict=True) if one in failing else ())
        for one in NAMES
    ]


@cache
def run_of(name: str) -> Run:
    """A run of a shared scenario."""
    return our_run(shared("openscenario"), name)


@pytest.mark.parametrize("name", cases(AWAY))
def test_entities_are_where_those_of_the_reference_are(name: str) -> None:
    run = run_of(name)
    for entity, theirs in reference_places(shared("openscenario"), name).items():
        if entity not in OWN.get(name, ()):
            away, time = farthest(run.places[entity], theirs)
            assert away <= NEAR, f"{entity} is {away:.4f} m away at {time * 1e-9:.2f} s"


@pytest.mark.parametrize("name", cases(OTHERWISE))
def test_the_storyboard_changes_when_that_of_the_reference_does(name: str) -> None:
    assert late_changes(run_of(name).changes, reference_changes(shared("openscenario"), name)) == []
