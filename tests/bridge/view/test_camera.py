"""Cameras that follow an actor, and what a visitor does with them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dorosim.bridge.actor import ActorKind
from dorosim.bridge.actor_state import ActorState
from dorosim.bridge.view.camera import CameraPose, CameraRig, Mode, first_pose

ORIGIN = (100.0, 0.0, 0.0)
NOTHING = (0.0, 0.0, 0.0)


def car(x: float = 110.0, y: float = 0.0, yaw: float = 0.0, actor: int = 1) -> ActorState:
    return ActorState(
        actor, ActorKind.NPC, 0, (x, y, 0.0), (0.0, 0.0, yaw), NOTHING, NOTHING, NOTHING, (4.5, 1.8, 1.5), 1.4, False
    )


def is_held(rig: CameraRig) -> bool:
    """Whether the visitor moves the camera just now."""
    pose = rig.follow(car(), ORIGIN, 0.0)
    return pose is not None and pose.position is None


def test_a_visitor_begins_behind_the_vehicle_and_above_it():
    pose = CameraPose(*first_pose(car(), ORIGIN))
    assert pose.look_at == pytest.approx((11.4, 0.0, 0.9))
    assert pose.position[0] < 11.4 - 8.0
    assert 2.0 < pose.position[2] < 6.0
    assert pose.position[1] == pytest.approx(0.0, abs=1e-9)


def test_the_chase_camera_turns_after_its_vehicle_smoothly():
    rig = CameraRig()
    rig.follow(car(), ORIGIN, 0.0)
    angles = []
    for _ in range(90):
        pose = rig.follow(car(yaw=0.5 * math.pi), ORIGIN, 1 / 30)
        x, y, _ = pose.look_at - pose.position
        angles.append(math.atan2(y, x))
    assert 0.0 < angles[0] < 0.3
    assert np.all(np.diff(angles) >= 0.0)
    assert angles[-1] == pytest.approx(0.5 * math.pi, abs=0.01)


def test_it_glides_to_a_neighbour_and_jumps_to_who_is_far_away():
    rig = CameraRig()
    start = rig.follow(car(), ORIGIN, 0.03).look_at
    first = rig.follow(car(130.0, actor=2), ORIGIN, 0.03).look_at
    assert start[0] < first[0] < start[0] + 10.0
    for _ in range(60):
        last = rig.follow(car(130.0, actor=2), ORIGIN, 0.03).look_at
    assert last[0] == pytest.approx(31.4, abs=0.03)
    assert rig.follow(car(900.0, actor=3), ORIGIN, 0.03).look_at[0] == pytest.approx(801.4)


def test_what_the_browser_only_repeats_changes_nothing_and_a_wheel_is_kept():
    rig = CameraRig()
    for step in range(30):
        pose = rig.follow(car(110.0 + step), ORIGIN, 0.03)
        rig.take_report(pose.position, pose.look_at)
        assert not is_held(rig)
    farther = pose.look_at + 2.0 * (pose.position - pose.look_at)
    rig.take_report(farther, pose.look_at)
    assert is_held(rig), "its place is the visitor's while he moves it"
    for _ in range(30):
        after = rig.follow(car(139.0), ORIGIN, 0.03)
    assert not is_held(rig)
    wanted, had = (float(np.linalg.norm(one.position - one.look_at)) for one in (after, pose))
    assert wanted == pytest.approx(2.0 * had, rel=1e-6)


def test_a_visitor_may_look_from_the_side_and_does_so_wherever_it_goes():
    rig = CameraRig()
    pose = rig.follow(car(), ORIGIN, 0.03)
    rig.take_report(np.add(pose.look_at, (0.0, -10.0, 3.0)), pose.look_at)
    for _ in range(200):
        after = rig.follow(car(yaw=math.pi), ORIGIN, 0.03)
    offset = after.position - after.look_at
    assert offset == pytest.approx((0.0, 10.0, 3.0), abs=0.05)


def test_from_above_north_is_up_and_the_wheel_changes_the_height():
    rig = CameraRig(Mode.TOP)
    pose = rig.follow(car(yaw=1.0), ORIGIN, 0.03)
    offset = pose.position - pose.look_at
    assert offset[2] > 80.0
    assert abs(offset[0]) < 1e-6
    assert -1.0 < offset[1] < 0.0
    rig.take_report(pose.look_at + 0.5 * offset, pose.look_at)
    for _ in range(30):
        after = rig.follow(car(yaw=1.0), ORIGIN, 0.03)
    assert (after.position - after.look_at)[2] == pytest.approx(0.5 * offset[2], rel=1e-3)


def test_the_driver_looks_ahead_and_a_free_camera_is_left_alone():
    rig = CameraRig(Mode.DRIVER)
    pose = rig.follow(car(yaw=0.5 * math.pi), ORIGIN, 0.03)
    assert (pose.look_at - pose.position)[1] > 10.0
    assert 1.0 < pose.position[2] < 1.5
    rig.set_mode(Mode.FREE)
    assert rig.follow(car(), ORIGIN, 0.03) is None
    rig.take_report((5.0, 5.0, 5.0), NOTHING)
    assert not is_held(rig)


def test_where_a_browser_looked_before_it_was_told_is_nothing_that_the_visitor_did():
    rig = CameraRig()
    before = rig.follow(car(), ORIGIN, 0.03)
    rig.take_report((3.0, 3.0, 3.0), NOTHING)
    assert not is_held(rig)
    assert np.array_equal(rig.follow(car(), ORIGIN, 0.03).position, before.position)


@pytest.mark.parametrize("position", [(math.nan, 0.0, 0.0), (math.inf, 0.0, 0.0), NOTHING])
def test_what_is_no_camera_is_passed_over(position):
    rig = CameraRig()
    before = rig.follow(car(), ORIGIN, 0.03)
    rig.take_report(position, NOTHING)
    assert np.array_equal(rig.follow(car(), ORIGIN, 0.03).position, before.position)


def test_a_camera_that_its_visitor_lets_go_of_is_never_where_it_looks():
    rig = CameraRig()
    pose = rig.follow(car(), ORIGIN, 0.03)
    rig.take_report(pose.look_at + 2.0 * (pose.position - pose.look_at), pose.look_at)
    for _ in range(30):
        pose = rig.follow(car(), ORIGIN, 0.03)
        assert pose.position is None or np.linalg.norm(pose.position - pose.look_at) > 1.0
    assert pose.position is not None


@pytest.mark.parametrize(("first", "then"), [(Mode.TOP, Mode.CHASE), (Mode.CHASE, Mode.TOP)])
def test_a_late_report_of_the_last_camera_does_not_move_the_next_one(first, then):
    """The vehicle stands, so both look at the same point; a slow browser still tells where it was."""
    rig = CameraRig(first)
    late = rig.follow(car(), ORIGIN, 0.03)
    rig.set_mode(then)
    pose = rig.follow(car(), ORIGIN, 0.03)
    for _ in range(3):
        rig.take_report(late.position, late.look_at)
        assert not is_held(rig)
    assert np.array_equal(rig.follow(car(), ORIGIN, 0.03).position, pose.position)
    rig.take_report(pose.position, pose.look_at)  # it has received the new one
    rig.take_report(pose.look_at + 2.0 * (pose.position - pose.look_at), pose.look_at)
    assert is_held(rig), "from now on the visitor moves it"
