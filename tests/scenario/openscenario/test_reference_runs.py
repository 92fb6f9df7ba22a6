"""Runs of the shared scenarios end where, and change when, those of the reference engine do."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.scenario.openscenario.reference import (
    farthest,
    late_changes,
    our_run,
    reference_changes,
    reference_places,
)
from tests.shared import shared

NEAR = 0.01
"""Of the reference's place [m]."""

NAMES = (
    "add_delete_entity",
    "angle_condition",
    "condition_delay",
    "cut-in",
    "drop-bike",
    "init_test",
    "keep_lateral_distance",
    "lane-change_clothoid_based_trajectory",
    "lane_change_crest",
    "left-hand-traffic_using_road_rule",
    "long_dist_action_with_jerk",
    "object_teleport_delete",
    "override_action",
    "pedestrian",
    "pedestrian_collision",
    "relative_lane_change",
    "relative_speed_phases",
    "routing-test",
    "slow-lead-vehicle",
    "speed-profile",
    "straight_500m",
    "synch_with_steady_state",
    "test_action_dynamics",
    "traffic_lights",
    "trajectory-test",
)
OWN = {"init_test": ("Ego", "Ego_ghost")}
"""Entities that the reference engine moves by a controller of its own."""

FAILS: dict[str, str] = {}
"""Why a scenario does not agree yet."""


@pytest.mark.parametrize(
    "name",
    [pytest.param(one, marks=pytest.mark.xfail(reason=FAILS[one], strict=True) if one in FAILS else ()) for one in NAMES],
)
def test_a_run_is_where_the_reference_is_and_changes_when_it_does(name: str, tmp_path: Path) -> None:
    root = shared("openscenario")
    run = our_run(root, name, tmp_path)
    for entity, theirs in reference_places(root, name).items():
        if entity not in OWN.get(name, ()):
            away, time = farthest(run.places[entity], theirs)
            assert away <= NEAR, f"{entity} is {away:.4f} m away at {time * 1e-9:.2f} s"
    assert late_changes(run.changes, reference_changes(root, name)) == []
