"""Keys of which only presses are told drive smoothly, and let go by themselves."""

from __future__ import annotations

import itertools
import math

import pytest

from dorosim.bridge.view.keyboard import (
    HOLD,
    MAX_HOLD,
    NEUTRAL,
    REPEATED,
    SIDEWAYS,
    Key,
    KeyDriver,
    Pedals,
    held_at_rest,
    problem_with_gear,
    steering_limit,
)
from dorosim.world.vehicle.mode import Gear


def held(driver: KeyDriver, key: Key, begin: float, seconds: float) -> Pedals:
    """A key that is held as browsers tell of it: once, half a second later again, and then thirty times a second."""
    pedals, at = driver.press(key, begin), begin + 0.5
    while at <= begin + seconds:
        pedals = driver.press(key, at)
        at += 1 / 30
    return pedals


@pytest.mark.parametrize(
    ("key", "pedal"), [(Key.ACCELERATE, "accelerator"), (Key.BRAKE, "brake"), (Key.FULL_BRAKE, "brake")]
)
def test_a_press_counts_for_a_while_and_then_the_pedal_comes_back(key, pedal):
    driver = KeyDriver()
    first = getattr(driver.press(key, 10.0), pedal)
    assert first > 0.0
    assert getattr(driver.at(10.0 + HOLD - 0.01), pedal) == first
    assert getattr(driver.at(10.0 + HOLD + 0.05), pedal) < first
    assert driver.at(10.0 + HOLD + 0.5) == NEUTRAL


def test_a_key_that_is_held_presses_the_pedal_down_and_never_lets_it_up():
    driver = KeyDriver()
    driver.press(Key.ACCELERATE, 0.0)
    assert all(driver.at(0.01 * step).accelerator > 0.3 for step in range(50)), "until browsers tell of it again"
    assert held(driver, Key.ACCELERATE, 0.0, 1.0).accelerator == 1.0


def lowest_while_held(moments: list[float]) -> float:
    """The least that the accelerator is between the second of some presses and the last."""
    driver, least = KeyDriver(), math.inf
    driver.press(Key.ACCELERATE, moments[0])
    for before, moment in itertools.pairwise(moments[1:]):
        driver.press(Key.ACCELERATE, before)
        steps = range(int((moment - before) / 0.01) + 1)
        least = min(least, *(driver.at(before + 0.01 * step).accelerator for step in steps))
    return least


@pytest.mark.parametrize(
    "moments",
    [
        [0.9 * number for number in range(10)],
        [0.0, 0.5, 1.3, 2.2, 2.9, 3.9, 4.5],
        [0.0, *(0.9 * number + 0.001 * bunch for number in range(1, 6) for bunch in range(4))],
    ],
)
def test_a_key_held_in_a_slow_browser_keeps_the_pedal_down(moments):
    assert lowest_while_held(moments) >= 0.35


def test_a_repetition_counts_for_twice_its_interval_and_never_for_ever():
    for interval, counts in ((0.1, HOLD), (0.9, 1.8), (1.4, MAX_HOLD), (REPEATED, HOLD), (5.0, HOLD)):
        driver = KeyDriver()
        driver.press(Key.ACCELERATE, 0.0)
        pressed = driver.press(Key.ACCELERATE, interval).accelerator
        assert driver.at(interval + counts - 0.01).accelerator == pressed
        assert driver.at(interval + counts + 0.05).accelerator < pressed
        assert driver.at(interval + MAX_HOLD + 0.5) == NEUTRAL


def test_braking_ends_accelerating_that_would_count_for_longer():
    driver = KeyDriver()
    driver.press(Key.ACCELERATE, 0.0)
    driver.press(Key.ACCELERATE, 1.0)
    assert driver.press(Key.BRAKE, 1.1).accelerator == 0.0
    assert driver.at(1.1 + HOLD + 0.5) == NEUTRAL, "a first press of another key counts for itself"


def test_who_lets_go_of_everything_begins_anew():
    driver = KeyDriver()
    driver.press(Key.ACCELERATE, 0.0)
    driver.press(Key.ACCELERATE, 1.0)
    driver.release()
    driver.press(Key.ACCELERATE, 1.5)
    assert driver.at(1.5 + HOLD + 0.5) == NEUTRAL


def test_more_presses_press_harder():
    driver = KeyDriver()
    pedals = [driver.press(Key.ACCELERATE, 0.2 * number).accelerator for number in range(8)]
    assert pedals == sorted(pedals)
    assert len(set(pedals)) > 3
    assert pedals[-1] == 1.0


def test_nobody_presses_both_pedals():
    driver = KeyDriver()
    driver.press(Key.ACCELERATE, 0.0)
    assert driver.press(Key.BRAKE, 0.1).accelerator == 0.0
    assert driver.press(Key.ACCELERATE, 0.2).brake == 0.0
    assert driver.press(Key.FULL_BRAKE, 0.3) == Pedals(0.0, 1.0, 0.0)


def test_the_other_direction_begins_from_straight_on():
    driver = KeyDriver()
    for number in range(10):
        driver.press(Key.LEFT, 0.03 * number)
    assert driver.at(0.3).steering == 1.0
    assert -0.5 < driver.press(Key.RIGHT, 0.4).steering < 0.0


def test_who_steers_keeps_his_foot_where_it_is_but_not_for_ever():
    driver = KeyDriver()
    held(driver, Key.ACCELERATE, 0.0, 1.0)
    turning = held(driver, Key.LEFT, 1.0, 1.5)
    assert turning.steering == 1.0
    assert 0.5 < turning.accelerator < 1.0
    assert held(driver, Key.LEFT, 2.5, 4.0).accelerator == 0.0


def test_steering_does_not_press_a_pedal():
    assert KeyDriver().press(Key.RIGHT, 0.0)[:2] == (0.0, 0.0)


def test_how_often_one_looks_makes_no_difference():
    ends = []
    for step in (0.001, 0.0137, 0.2):
        driver = KeyDriver()
        held(driver, Key.ACCELERATE, 0.0, 0.7)
        driver.press(Key.LEFT, 0.72)
        at = 0.72
        while at < 1.45:
            at = min(at + step, 1.45)
            driver.at(at)
        ends.append(driver.at(1.45))
    for one in ends[1:]:
        assert one == pytest.approx(ends[0])
    assert 0.0 < ends[0].accelerator < 1.0


def test_a_clock_that_stands_or_goes_back_changes_nothing():
    driver = KeyDriver()
    pressed = driver.press(Key.ACCELERATE, 5.0)
    assert driver.at(5.0) == driver.at(4.0) == driver.at(5.5) == pressed


def test_letting_go_is_at_once():
    driver = KeyDriver()
    held(driver, Key.ACCELERATE, 0.0, 1.0)
    driver.release()
    assert driver.at(1.0) == NEUTRAL


@pytest.mark.parametrize(
    ("gear", "speed", "pedals", "brake"),
    [
        (Gear.D, 0.0, NEUTRAL, 1.0),
        (Gear.D, -3.0, NEUTRAL, 1.0),
        (Gear.D, 5.0, NEUTRAL, 0.0),
        (Gear.D, -3.0, Pedals(accelerator=0.2), 0.0),
        (Gear.D, 5.0, Pedals(brake=0.4), 0.4),
        (Gear.R, -5.0, NEUTRAL, 0.0),
        (Gear.R, 3.0, NEUTRAL, 1.0),
        (Gear.P, 0.0, NEUTRAL, 1.0),
        (Gear.N, -3.0, NEUTRAL, 0.0),
    ],
)
def test_nobody_rolls_down_a_hill(gear, speed, pedals, brake):
    assert held_at_rest(pedals, gear, speed) == pedals._replace(brake=brake)


@pytest.mark.parametrize("speed", [-30.0, -1.0, 0.0, 0.5, 5.0, 13.9, 40.0])
def test_full_steering_asks_for_no_more_than_tyres_hold(speed):
    limit = steering_limit(speed, 2.7, 0.6)
    assert 0.0 < limit <= 0.6
    assert speed**2 * math.tan(limit) / 2.7 <= SIDEWAYS + 1e-9
    assert limit <= steering_limit(0.5 * speed, 2.7, 0.6)
    assert steering_limit(1.0, 2.7, 0.6) == 0.6, "one can turn round in a street"


@pytest.mark.parametrize(
    ("gear", "speed", "can_be"),
    [
        (Gear.P, 0.0, True),
        (Gear.P, 5.0, False),
        (Gear.P, -5.0, False),
        (Gear.R, 1.0, True),
        (Gear.R, 5.0, False),
        (Gear.R, -5.0, True),
        (Gear.D, -5.0, False),
        (Gear.D, 30.0, True),
        (Gear.N, 30.0, True),
    ],
)
def test_gears_that_would_break_something_have_to_wait(gear, speed, can_be):
    assert (problem_with_gear(gear, speed) == "") is can_be
