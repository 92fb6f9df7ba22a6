"""Obstacles: sizes, scale, motion along waypoints, commands, removal."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dorosim.ground.growable_array import GrowableArray
from dorosim.ground.state_tree import arrays_of
from dorosim.world.actor.command import Category, RemoveCategories
from dorosim.world.command import Command
from dorosim.world.obstacle.command import (
    DriveObstacle,
    PauseObstacle,
    PlaceObstacle,
    ReleaseObstacle,
    ScaleObstacle,
    SpawnObstacle,
)
from dorosim.world.obstacle.motion import step_obstacles
from dorosim.world.obstacle.state import (
    OBSTACLE_MODELS,
    Obstacles,
    obstacle_model_row,
)
from dorosim.world.pedestrian.state import Pedestrians
from dorosim.world.waypoint import Waypoint
from tests.world.effect import changed

FAR = np.array([1e5])


def after(*commands: Command) -> Obstacles:
    obstacles = Obstacles.empty()
    for command in commands:
        obstacles, problem = changed("obstacles", obstacles.copy(), command)
        assert problem == ""
    return obstacles.freeze()


def later(obstacles: Obstacles, seconds: float, ego: float = 1e5, dt: float = 0.01) -> Obstacles:
    for _ in range(round(seconds / dt)):
        obstacles = obstacles.copy()
        step_obstacles(obstacles, np.array([ego]), np.array([0.0]), dt)
        obstacles.freeze()
    return obstacles


def place(obstacles: Obstacles, row: int = 0) -> tuple[float, float, float]:
    state = obstacles.state
    return float(state.x[row]), float(state.y[row]), float(state.z[row])


def test_an_obstacle_has_the_size_of_its_model_times_its_scale():
    cone = obstacle_model_row("cone")[0]
    state = after(SpawnObstacle(5, cone, (1.0, 2.0, 3.0), (0.1, 0.2, 7.0), (2.0, 1.0, 0.5))).state
    model = OBSTACLE_MODELS[cone]
    assert (state.length[0], state.width[0], state.height[0]) == (2 * model.length, model.width, 0.5 * model.height)
    assert state.yaw[0] == pytest.approx(7.0 - math.tau)
    assert (state.id[0], state.roll[0], state.pitch[0]) == (5, 0.1, 0.2)


WAY = (Waypoint(4.0, 0.0), Waypoint(4.0, 3.0), Waypoint(4.0, 3.0, 5.0))


def test_an_obstacle_goes_along_its_points_at_its_speed_and_stops():
    start = after(SpawnObstacle(1, 0, (0.0, 0.0, 0.0), way=WAY, move_speed=2.0))
    assert place(later(start, 1.0)) == (pytest.approx(2.0), 0.0, 0.0)
    assert place(later(start, 3.0)) == (pytest.approx(4.0), pytest.approx(2.0), 0.0)
    assert later(start, 3.0).state.velocity_y[0] == pytest.approx(2.0)
    assert later(start, 3.0).state.yaw[0] == pytest.approx(math.pi / 2)
    end = later(start, 10.0)
    assert place(end) == (pytest.approx(4.0), pytest.approx(3.0), pytest.approx(5.0))
    assert (end.state.velocity_z[0], end.state.moving[0]) == (0.0, 0)


def test_where_it_is_does_not_depend_on_the_length_of_ticks():
    start = after(SpawnObstacle(1, 0, (0.0, 0.0, 0.0), way=WAY, move_speed=2.0))
    assert place(later(start, 5.0, dt=0.25)) == pytest.approx(place(later(start, 5.0)))


def test_it_starts_when_an_ego_is_near_and_goes_on():
    start = after(SpawnObstacle(1, 0, (0.0, 0.0, 0.0), way=WAY, move_speed=2.0, active_distance=20.0))
    assert place(later(start, 1.0, ego=20.0)) == (0.0, 0.0, 0.0)
    going = later(start, 1.0, ego=19.9)
    assert place(going) == (pytest.approx(2.0), 0.0, 0.0)
    assert place(later(going, 0.5)) == (pytest.approx(3.0), 0.0, 0.0)


def test_points_have_speeds_of_their_own():
    way = (Waypoint(1.0, 0.0, speed=0.5), Waypoint(5.0, 0.0))
    start = after(SpawnObstacle(1, 0, (0.0, 0.0, 0.0), way=way, move_speed=2.0))
    assert place(later(start, 3.0)) == (pytest.approx(3.0), 0.0, 0.0)


def test_a_paused_one_stands_and_goes_on():
    obstacles = later(after(SpawnObstacle(1, 0, (0.0, 0.0, 0.0), way=WAY, move_speed=2.0)), 1.0)
    obstacles, _ = changed("obstacles", obstacles.copy(), PauseObstacle(1, paused=True))
    obstacles = later(obstacles, 3.0)
    assert (place(obstacles)[0], obstacles.state.velocity_x[0]) == (pytest.approx(2.0), 0.0)
    obstacles, _ = changed("obstacles", obstacles.copy(), PauseObstacle(1, paused=False))
    assert place(later(obstacles, 0.5))[0] == pytest.approx(3.0)


def test_a_driven_one_goes_round_in_a_circle():
    """1 m/s forward and 0.5 rad/s to the left is a circle of 2 m; half of it takes 2 pi s."""
    obstacles = after(SpawnObstacle(1, 0, (0.0, 0.0, 0.0)), DriveObstacle(1, (1.0, 0.0), 0.5, height=1.0))
    x, y, z = place(later(obstacles, math.tau, dt=math.tau / 1000))
    assert (x, y, z) == (pytest.approx(0.0, abs=0.01), pytest.approx(4.0, abs=0.01), 1.0)


def test_what_stands_needs_no_step():
    assert not after(SpawnObstacle(1, 0, (0.0, 0.0, 0.0))).can_move()
    assert after(SpawnObstacle(1, 0, (0.0, 0.0, 0.0)), DriveObstacle(1, (0.0, 0.0))).can_move()
    assert after(SpawnObstacle(1, 0, (0.0, 0.0, 0.0), way=WAY, move_speed=1.0)).can_move()


def test_an_obstacle_is_placed_elsewhere():
    obstacles = after(SpawnObstacle(1, 0, (0.0, 0.0, 0.0)), PlaceObstacle(1, (3.0, 4.0, 5.0), (0.0, 0.0, -1.0)))
    assert place(obstacles) == (3.0, 4.0, 5.0)
    assert obstacles.state.yaw[0] == -1.0


@pytest.mark.parametrize(
    ("command", "problem"),
    [
        (PauseObstacle(9, paused=True), "no obstacle 9"),
        (SpawnObstacle(2, 99, (0.0, 0.0, 0.0)), "there are models 0 to 14"),
        (SpawnObstacle(2, 0, (math.nan, 0.0, 0.0)), "is not a valid pose in the map"),
        (SpawnObstacle(2, 0, (0.0, 0.0, 0.0), scale=(1.0, 0.0, 1.0)), "scale"),
        (SpawnObstacle(2, 0, (0.0, 0.0, 0.0), move_speed=math.inf), "speed"),
        (SpawnObstacle(2, 0, (0.0, 0.0, 0.0), way=(Waypoint(math.nan, 0.0),)), "point 0 of the way"),
        (PlaceObstacle(1, (0.0, 0.0, 1e9), (0.0, 0.0, 0.0)), "is not a valid pose in the map"),
        (DriveObstacle(1, (1e4, 0.0)), "velocities of at most"),
    ],
)
def test_what_cannot_be_is_refused_with_a_reason(command, problem):
    obstacles = after(SpawnObstacle(1, 0, (0.0, 0.0, 0.0)))
    new, answer = changed("obstacles", obstacles.copy(), command)
    assert problem in answer
    assert all(np.array_equal(a, b) for a, b in zip(arrays_of(new), arrays_of(obstacles), strict=True))


def test_obstacles_are_removed_one_by_one_and_by_category():
    obstacles = after(*(SpawnObstacle(k, 0, (float(k), 0.0, 0.0), way=(Waypoint(k, 9.0),)) for k in (2, 5, 9)))
    left = obstacles.without_row(obstacles.row_of(5), GrowableArray()).packed()
    assert left.state.id.tolist() == [2, 9]
    assert [left.route.of(row)[0, 0] for row in (0, 1)] == [2.0, 9.0]
    assert (obstacles.row_of(5), left.row_of(5), left.row_of(9)) == (1, -1, 1)
    assert len(changed("obstacles", obstacles, RemoveCategories(Category.OBSTACLE | Category.VEHICLE))[0]) == 0
    assert changed("obstacles", obstacles, RemoveCategories(Category.PEDESTRIAN))[0] is obstacles
    assert changed("people", Pedestrians.empty(), RemoveCategories(Category.VEHICLE))[0] is not None


def test_a_way_can_be_replaced_in_the_middle_of_a_table():
    route = after(*(SpawnObstacle(k, 0, (0.0, 20.0 * k, 0.0), way=(Waypoint(k, 9.0),)) for k in (1, 2, 3))).route
    changed = route.with_route(1, (Waypoint(7.0, 7.0), Waypoint(8.0, 8.0)))
    assert [changed.of(row)[:, 0].tolist() for row in range(3)] == [[1.0], [7.0, 8.0], [3.0]]
    assert [route.of(row)[:, 0].tolist() for row in range(3)] == [[1.0], [2.0], [3.0]]


@pytest.mark.parametrize(
    ("name", "model", "exact"),
    [
        ("Cone", "cone", True),
        ("TrafficCone_01", "cone", False),
        ("ConcreteBarrier2", "concrete_barrier", False),
        ("pallett", "pallet", False),
        ("WoodBox(Clone)", "box", False),
        ("xyz", "box", False),
    ],
)
def test_a_name_leads_to_a_model(name, model, exact):
    row, same = obstacle_model_row(name)
    assert (OBSTACLE_MODELS[row].name, same) == (model, exact)


def test_one_that_was_driven_stands_when_it_is_released_and_goes_along_its_points_when_it_is_told_to():
    driven = after(SpawnObstacle(1, 0, (0.0, 0.0, 0.0), way=WAY, move_speed=2.0, active_distance=1.0))
    driven, _ = changed("obstacles", driven.copy(), DriveObstacle(1, (0.0, 1.0)))
    driven = later(driven, 1.0)
    assert place(driven)[1] == pytest.approx(1.0)
    stands, problem = changed("obstacles", driven.copy(), ReleaseObstacle(1))
    assert (problem, place(later(stands, 1.0))) == ("", place(driven))
    goes, problem = changed("obstacles", driven.copy(), ReleaseObstacle(1, go=True, speed=1.0))
    assert problem == ""
    assert place(later(goes, 10.0)) == pytest.approx((4.0, 3.0, 10.0 - math.hypot(4.0, 1.0) - 3.0))
    goes, _ = changed("obstacles", later(goes, 20.0).copy(), ReleaseObstacle(1, go=True))
    assert place(later(goes, 1.0)) != pytest.approx((4.0, 3.0, 5.0)), "all of its way again, at the same speed"


def test_one_without_points_has_nowhere_to_go():
    stands = after(SpawnObstacle(1, 0, (0.0, 0.0, 0.0)))
    assert "no points" in changed("obstacles", stands.copy(), ReleaseObstacle(1, go=True))[1]
    assert "speed" in changed("obstacles", stands.copy(), ReleaseObstacle(1, speed=101.0))[1]


def test_a_new_scale_is_over_the_size_of_the_model():
    made = after(SpawnObstacle(1, 0, (0.0, 0.0, 0.0), scale=(3.0, 3.0, 3.0)), ScaleObstacle(1, (2.0, 1.0, 0.5)))
    state = made.state
    assert (state.length[0], state.width[0], state.height[0]) == (2.0, 1.0, 0.5)
    assert state.scale[:, 0].tolist() == [2.0, 1.0, 0.5]
    assert "scale" in changed("obstacles", made.copy(), ScaleObstacle(1, (0.0, 1.0, 1.0)))[1]
