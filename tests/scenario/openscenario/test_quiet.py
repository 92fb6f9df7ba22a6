"""Ticks that the kernel makes have the bits of those that the engine makes, and formulas are the same in both."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dorosim.app.run.scenario_ready import ready_scenario
from dorosim.app.run.scenario_run import DEFAULT_STEP, RunTick
from dorosim.ground.jit import kernel
from dorosim.ground.plain_kernel import plain
from dorosim.road.opendrive.course_place_kernel import half_turn, whole_turn
from dorosim.scenario.openscenario.engine.program import Program
from dorosim.scenario.openscenario.engine.quiet import QuietTicks
from dorosim.world.storyboard.lane_kernel import offset_now, stepped_across
from dorosim.world.storyboard.speed_kernel import changed_speed, sprung_speed
from dorosim.world.storyboard.state import StoryboardState
from dorosim.world.storyboard.vector_kernel import derived, vector_part
from tests.scenario.openscenario.reference import NAMES, scenario_file
from tests.scenario.openscenario.worldless import ticks_of
from tests.shared import shared

TIME_LIMIT = 30.0
QUIET = ("cut-in", "lane_change_crest", "long_dist_action_with_jerk", "speed-profile", "test_action_dynamics")
"""Scenarios of whose ticks nearly all are quiet, with changes of speed and of lanes, distances and profiles in them."""


def program_of(name: str) -> Program:
    root = shared("openscenario")
    return ready_scenario(str(scenario_file(root, name)), root, [root]).program


def bits(state: StoryboardState) -> dict[str, Any]:
    """All bits of a state, by the names of its fields."""
    found: dict[str, Any] = {}
    for one in fields(state):
        value = getattr(state, one.name)
        if hasattr(value, "floats"):
            found[one.name] = (value.floats.shape, value.floats.tobytes(), value.ints.tobytes())
        else:
            found[one.name] = value.tobytes() if isinstance(value, np.ndarray) else value
    return found


def differences(one: RunTick, other: RunTick) -> list[str]:
    mine, others = bits(one.state), bits(other.state)
    return [name for name in mine if mine[name] != others[name]]


@pytest.mark.parametrize("name", NAMES)
def test_a_run_has_the_same_bits_with_and_without_the_kernel(name: str) -> None:
    program = program_of(name)
    quiet = QuietTicks(program)
    count = 0
    for one, other in zip(
        ticks_of(program, DEFAULT_STEP, TIME_LIMIT),
        ticks_of(program, DEFAULT_STEP, TIME_LIMIT, quiet),
        strict=True,
    ):
        assert differences(one, other) == [], f"at {one.time * 1e-9:.2f} s"
        assert (one.happened, one.ended) == (other.happened, other.ended)
        count += 1
    assert quiet.made + quiet.left == count - 1
    if name in QUIET:
        assert quiet.left < 0.02 * quiet.made


def test_what_the_kernel_has_made_cannot_be_written() -> None:
    program = program_of("cut-in")
    quiet = QuietTicks(program)
    states = [one.state for one in ticks_of(program, DEFAULT_STEP, 3.0, quiet)]
    assert quiet.made > 200
    for table in (states[-1].entity, states[-1].condition, states[-1].action):
        for block in (table.floats, table.ints):
            with pytest.raises(ValueError, match="read-only"):
                block[0, 0] = 1


def test_states_of_before_stay_as_they_were() -> None:
    program = program_of("cut-in")
    quiet = QuietTicks(program)
    kept = [(one.state, bits(one.state)) for one in ticks_of(program, DEFAULT_STEP, 10.0, quiet)]
    assert all(bits(state) == was for state, was in kept)


def test_branches_of_two_threads_do_not_meet() -> None:
    program = program_of("test_action_dynamics")
    quiet = QuietTicks(program)
    run = [one.state for one in ticks_of(program, DEFAULT_STEP, 4.0)]

    def branch(first: int) -> list[dict[str, Any]]:
        found, state = [], run[first]
        for tick in range(60):
            made = quiet.next_state(state, (first + tick) * DEFAULT_STEP, DEFAULT_STEP)
            if made is None:
                break
            state = made
            found.append(bits(state))
        return found

    # from states after which no element changes for a while
    firsts = [one for one in range(20, 340, 7) if run[one].transitions == run[one + 30].transitions]
    assert len(firsts) > 20
    with ThreadPoolExecutor(4) as pool:
        for first, found in zip(firsts, pool.map(branch, firsts), strict=True):
            assert len(found) > 10
            assert found == [bits(one) for one in run[first + 1 : first + 1 + len(found)]]


NUMBERS = st.floats(-1e4, 1e4)
POSITIVE = st.floats(1e-3, 1e3)


@kernel
def _turned(angle: float) -> tuple[float, float]:
    return whole_turn(angle), half_turn(angle)


@given(NUMBERS)
def test_angles_are_those_of_python(angle: float) -> None:
    assert _turned(angle) == (angle % math.tau, math.remainder(angle, math.tau))
    assert (plain(whole_turn)(angle), plain(half_turn)(angle)) == _turned(angle)


@kernel
def _changed(
    shape: int, dimension: int, value: float, start: float, target: float, elapsed: float, speed: float, dt: float
) -> tuple[float, float, bool]:
    return changed_speed((shape, dimension, value, False), start, target, elapsed, False, speed, (5.0, 8.0), dt)


@given(st.integers(0, 3), st.integers(0, 2), POSITIVE, NUMBERS, NUMBERS, POSITIVE, NUMBERS)
def test_a_change_of_speed_is_the_same_in_python(
    shape: int, dimension: int, value: float, start: float, target: float, elapsed: float, speed: float
) -> None:
    if dimension == 1 and (start + target == 0.0 or (abs(start) < 1e-5 and abs(target) < 1e-5)):
        return  # a change of no way
    ours = plain(changed_speed)(
        (shape, dimension, value, False), start, target, elapsed, False, speed, (5.0, 8.0), 0.01
    )
    assert ours == _changed(shape, dimension, value, start, target, elapsed, speed, 0.01)


@kernel
def _moved(numbers: tuple[float, float, float, float, float], shape: int, dimension: int, speed: float) -> Any:
    return (
        stepped_across(shape, dimension, numbers, speed, 0.01),
        offset_now(shape, numbers[0], numbers[1], numbers[2], numbers[3], speed),
        sprung_speed(numbers[0], numbers[1], numbers[2], numbers[3], (3.0, 4.0, 2.0, math.inf, 60.0), 0.01),
    )


@given(st.tuples(NUMBERS, NUMBERS, POSITIVE, POSITIVE, NUMBERS), st.integers(0, 3), st.integers(0, 2), NUMBERS)
def test_motion_across_a_lane_and_towards_a_distance_is_the_same_in_python(
    numbers: tuple[float, float, float, float, float], shape: int, dimension: int, speed: float
) -> None:
    ours = (
        plain(stepped_across)(shape, dimension, numbers, speed, 0.01),
        plain(offset_now)(shape, numbers[0], numbers[1], numbers[2], numbers[3], speed),
        plain(sprung_speed)(numbers[0], numbers[1], numbers[2], numbers[3], (3.0, 4.0, 2.0, math.inf, 60.0), 0.01),
    )
    assert ours == _moved(numbers, shape, dimension, speed)


@kernel
def _observed(
    pose: tuple[float, float, float, float], before: tuple[float, float, float, float, float, float, float]
) -> Any:
    return derived(pose[0], pose[1], pose[2], pose[3], before, 0.01), vector_part(pose[3], pose[0], pose[1], pose[2], 1)


@settings(max_examples=300)
@given(st.tuples(*[NUMBERS] * 4), st.tuples(*[NUMBERS] * 7))
def test_what_is_observed_is_the_same_in_python(pose: Any, before: Any) -> None:
    x, y, z, heading = pose
    ours = (plain(derived)(x, y, z, heading, before, 0.01), plain(vector_part)(heading, x, y, z, 1))
    assert ours == _observed(pose, before)
