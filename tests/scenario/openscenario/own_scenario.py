"""Scenarios that tests of compiled ticks run: our own ones, and some of the shared ones."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[3]
OURS = (
    *("examples/scenario/cut_in.xosc", "examples/scenario/pedestrian.xosc", "examples/scenario/slow_lead.xosc"),
    *("tools/bench/scenario.xosc", "tools/bench/scenario_six.xosc"),
)
"""Our own scenarios, by their paths in the repository."""
SOME = (
    *("add_delete_entity", "cut-in", "init_test", "lane_change_crest", "long_dist_action_with_jerk"),
    *("object_teleport_delete", "override_action", "pedestrian_collision", "test_action_dynamics", "trajectory-test"),
)
"""Shared scenarios that each have something of their own; all others are run in `make soak`."""
