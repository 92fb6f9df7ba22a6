"""What no run can have written is found before a step trusts it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest

from dorosim.world.snapshot import STATE
from dorosim.world.snapshot_validation import CODES, RANGES, flaw_of
from tests.system.living_world import turn
from tests.system.rig import Rig, rig


@pytest.fixture(scope="module")
def full(tmp_path_factory) -> Rig:
    """A run in whose state no table is empty."""
    run = rig(tmp_path_factory.mktemp("data"))
    turn(run, 120)
    return run


def flaw(run: Rig, changed: Mapping[str, np.ndarray]) -> str:
    """What is wrong with the present state of a run after some leaves were changed."""
    assert set(changed) <= set(STATE.leaf)
    return flaw_of(run.built.scene, run.built.first, STATE.build(STATE.leaves(run.now) | changed))


def test_every_state_of_a_run_is_sound(town):
    for _ in range(30):
        turn(town, 10)
        assert flaw_of(town.built.scene, town.built.first, town.now) == ""


def with_storyboard(run: Rig) -> dict[str, np.ndarray]:
    """The leaves of a run whose storyboard has one row in each table, and one text of a letter."""
    leaves = dict(STATE.leaves(run.now))
    for path, leaf in STATE.leaf.items():
        if path.startswith("storyboard.") and leaf.table:
            leaves[path] = np.zeros((*leaves[path].shape[:-1], 1), leaf.dtype)
    texts = {"storyboard.text_first": np.array([0, 1]), "storyboard.text": np.array([65], np.uint8)}
    return leaves | texts


@pytest.mark.parametrize("path", [*CODES, *RANGES])
@pytest.mark.parametrize("value", [-9, 10**6, -(2**63), 2**63 - 1])
def test_codes_and_places_that_do_not_exist_are_named(full, path, value):
    leaves = with_storyboard(full)
    assert flaw(full, leaves) == ""
    values = leaves[path].copy()
    assert values.size
    values.flat[-1] = value
    told = flaw(full, leaves | {path: values})
    assert told.startswith(path)
    assert str(value) in told


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_numbers_are_finite_where_a_step_relies_on_it(full, value):
    leaves = STATE.leaves(full.now)
    for path in ("vehicle.yaw", "parameter.mass", "traffic.speed"):
        values = leaves[path].copy()
        values.flat[-1] = value
        assert flaw(full, {path: values}) == f"{path} holds what is no finite number"


def test_infinity_may_mean_never(full):
    assert np.isinf(STATE.leaves(full.now)["people.state.crossing_begin"]).any()
    assert flaw(full, {}) == ""


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        ("spawn.pedestrian.maximum", -5, "maximum: -5 is negative"),
        ("spawn.pedestrian.minimum", 9, "is not in order"),
        ("spawn.pedestrian.period", np.inf, "period: inf is no number to use"),
        ("spawn.vehicle.shortest_period", 0.0, "is not in order"),
        ("spawn.vehicle.enabled", 7, "enabled is 0 or 1"),
    ],
)
def test_spawn_points_are_in_order(full, path, value, words):
    values = STATE.leaves(full.now)[path].copy()
    values[-1] = value
    assert words in flaw(full, {path: values})


@pytest.mark.parametrize("path", ["vehicle.x", "ghost.y", "obstacles.state.z", "friction.objects.x", "traffic.s"])
def test_places_are_on_a_map(full, path):
    values = STATE.leaves(full.now)[path].copy()
    values.flat[-1] = -1e8
    assert flaw(full, {path: values}) == f"{path}: farther than 1e+07"


def test_tables_fit_each_other_and_the_map(full):
    leaves = STATE.leaves(full.now)
    lights = {path: leaf[..., 1:] for path, leaf in leaves.items() if path.startswith("signal.light.")}
    assert "signal.light" in flaw(full, lights)
    fewer = {path: leaf[..., 1:] for path, leaf in leaves.items() if path.startswith("parameter.")}
    assert "do not agree" in flaw(full, fewer)
    assert "trajectory" in flaw(full, {"trajectory.points": leaves["trajectory.points"][1:]})
    assert "crosswalk" in flaw(full, {"crosswalk.gap": np.zeros(3), "crosswalk.walk": np.zeros(3, np.int64)})
    assert "has 1 axes, not 2" in flaw(full, {"signal.programme.duration": np.zeros(3, np.int64)})


@pytest.mark.parametrize(
    ("path", "change"),
    [
        ("egos", lambda ids: ids[1:]),
        ("vehicle.id", lambda ids: ids[::-1].copy()),
        ("traffic.id", lambda ids: ids[::-1].copy()),
        ("people.state.id", lambda ids: ids * 0),
        ("last_id", lambda last: last - 5),
        ("last_id", lambda last: last + 2**31),
        ("time", lambda time: time + 10**12),
        ("time", lambda time: -time),
        ("tick", lambda tick: tick * 10**16),
        ("traffic.plan_of_ego", lambda flags: flags * 0 + 1),
        ("route.first", lambda first: first + 1),
        ("route.first", lambda first: first[:0]),
        ("route.first", lambda first: first[::-1].copy()),
        ("route.again", lambda again: again + 10**6),
        ("route.again", lambda again: again[1:]),
        ("traffic.cursor", lambda cursor: np.maximum(cursor, 0) + 4),
        ("people.route.first", lambda first: first[1:]),
        ("people.route.point", lambda point: point[:, :4]),
        ("people.state.waypoint", lambda waypoint: waypoint + 50),
        ("obstacles.state.waypoint", lambda waypoint: waypoint - 5),
        ("signal.programme.count", lambda count: count + 60),
        ("signal.programme.yellow", lambda yellow: yellow[:, 1:]),
        ("signal.programme.lamps", lambda lamps: lamps[:, :, :0]),
        ("signal.controller.state", lambda state: state + 60),
        ("fault.place", lambda place: place + 90),
        ("fault.place", lambda place: -place - 1),
        ("fault.target", lambda target: target * 0 + 1),
    ],
)
def test_what_belongs_together_agrees(full, path, change):
    assert flaw(full, {path: change(STATE.leaves(full.now)[path])}) != ""
