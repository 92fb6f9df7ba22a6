"""Ways of vehicles by the documented API, and every error code of theirs."""

from __future__ import annotations

import pytest

from dorosim.bridge.route import RouteError
from dorosim.ground.error import InputError
from dorosim.world.snapshot import EGO
from dorosim.world.traffic.command import CreateNpc
from dorosim.world.vehicle.command import CreateVehicle, SelectMode
from dorosim.world.vehicle.mode import ControlMode
from tests.bridge.grpc.stage import FORK, GrpcStage

CAR = "2016_Hyundai_Ioniq"


@pytest.fixture
def stage() -> GrpcStage:
    stage = GrpcStage(FORK, egos=((CAR, (20.0, 0.0, 0.0), 0.0),))
    stage.apply(SelectMode(EGO, ControlMode.CRUISE))
    stage.tick()
    return stage


def route(stage, *links, **fields):
    """The answer to one route."""
    places = [
        {"unique_id": link} if isinstance(link, str) else {"unique_id": link[0], "index": link[1]} for link in links
    ]
    one = {"unique_id": "Ego", "obj_type": "EGO", "link_list": places, **fields}
    return stage.ask("SendVehicleRoutes", req_list=[one]).res_list[0]


def destination(stage, x: float, y: float, **fields):
    """The answer to one destination."""
    one = {"unique_id": "Ego", "obj_type": "EGO", "position": {"x": x, "y": y}, **fields}
    return stage.ask("SendVehicleDestinations", req_list=[one]).res_list[0]


def aux(stage, name: str = "Ego"):
    """Where a vehicle goes."""
    return stage.ask("GetVehicleAuxState", id_list=[{"unique_id": name}]).res_list[0]


def test_waypoints_say_at_which_point_the_way_begins_and_ends(stage):
    points = FORK.points_of(0)
    here = min(range(len(points)), key=lambda n: abs(points[n][0] - stage.now.vehicle.x[0]))
    last = len(FORK.points_of(1)) - 1
    assert here > 0
    assert [(link.unique_id, link.index) for link in route(stage, "A", "B").waypoints] == [("A", here), ("B", last)]
    told = [(link.unique_id, link.index) for link in route(stage, "A", "B", ("D", 3)).waypoints]
    assert told == [("A", here), ("B", 0), ("D", 3)]
    told = [(link.unique_id, link.index) for link in destination(stage, 250.0, 0.0).waypoints]
    middle = min(range(len(FORK.points_of(3))), key=lambda n: abs(FORK.points_of(3)[n][0] - 250.0))
    assert told == [("A", here), ("B", 0), ("D", middle)]


@pytest.mark.parametrize(("turn", "y"), [("B", 0.0), ("C", 10.0)])
def test_an_ego_drives_its_way_at_a_fork(stage, turn, y):
    answer = route(stage, "A", turn)
    assert (answer.success, answer.error_code, answer.unique_id) == (True, RouteError.SUCCESS, "Ego")
    assert [link.unique_id for link in answer.waypoints] == ["A", turn]
    while stage.now.vehicle.x[0] < 130.0:
        stage.ticks(10)
    assert (stage.now.vehicle.y[0] > 5.0) == (y > 5.0)


def test_a_plan_that_is_made_anew_follows_the_way_still(stage):
    route(stage, "A", "C")
    stage.apply(SelectMode(EGO, ControlMode.AUTO))
    stage.tick()
    stage.apply(SelectMode(EGO, ControlMode.CRUISE))
    stage.tick()
    assert stage.now.route.of(int(stage.now.traffic.route[0])).tolist() == [0, 2]


def test_links_between_are_filled_in_and_the_last_point_is_the_goal(stage):
    answer = route(stage, "A", ("D", 1))
    assert [link.unique_id for link in answer.waypoints] == ["A", "B", "D"]
    assert aux(stage).destPos.x > 200.0
    whole = route(stage, "A", "D")
    assert whole.success
    assert aux(stage).destPos.x == pytest.approx(300.0)


def test_a_destination_is_reached_and_its_range_counts(stage):
    answer = destination(stage, 120.0, 1.0, decision_range=15.0)
    assert answer.success
    assert [link.unique_id for link in answer.waypoints] == ["A", "B"]
    state = aux(stage)
    assert (state.range, state.isPassDestPos, state.destPos.x) == (15.0, False, pytest.approx(120.0))
    assert [link.unique_id for link in state.global_path] == ["A", "B"]
    assert [(link.unique_id, link.index > 0) for link in state.local_path] == [("A", True), ("B", False)]
    before = state.remaining_distance
    assert before == pytest.approx(100.0, abs=1.0)
    front = stage.scene.models[0].wheelbase + stage.scene.models[0].front_overhang
    while not aux(stage).isPassDestPos:
        assert stage.now.vehicle.x[0] + front < 106.0
        stage.ticks(5)
    assert stage.now.vehicle.x[0] + front == pytest.approx(105.0, abs=1.0)
    assert aux(stage).remaining_distance == 0.0


def test_remaining_distance_falls_as_the_vehicle_drives(stage):
    destination(stage, 190.0, 0.0)
    first, x = aux(stage).remaining_distance, stage.now.vehicle.x[0]
    stage.ticks(500)
    assert first - aux(stage).remaining_distance == pytest.approx(stage.now.vehicle.x[0] - x, abs=0.1)


def test_every_error_code(stage):
    further = stage.apply(CreateVehicle(model=CAR, position=(60.0, 0.0, 0.0))).outcomes[0].actor
    npc = stage.apply(CreateNpc(model=CAR, link=1, s=60.0)).outcomes[0].actor
    codes = {
        RouteError.EMPTY_LIST: route(stage),
        RouteError.NOT_FOUND_UNIQUE_ID: route(stage, "A", unique_id="nobody"),
        RouteError.NOT_FOUND_LINK_ID: route(stage, "A", "nowhere"),
        RouteError.NOT_FOUND_PATH: route(stage, "A", "Z"),
        RouteError.DIFFERENT_START_LINK: route(stage, "B"),
        RouteError.NOT_EGO_CRUISE_MODE: route(stage, "A", unique_id=str(further), obj_type="MULTIEGO"),
        RouteError.FAILED: route(stage, ("A", 10**6)),
        RouteError.NULL_EXCEPTION: route(stage, "A", unique_id="", obj_type="_Begin"),
    }
    for code, answer in codes.items():
        assert (answer.success, answer.error_code) == (False, code)
        assert answer.description
    assert route(stage, "A", unique_id=str(further)).error_code == RouteError.FAILED
    assert route(stage, "A", unique_id=str(npc)).error_code == RouteError.FAILED
    alone = GrpcStage(FORK)
    assert route(alone, "A", obj_type="MULTIEGO").error_code == RouteError.NOT_CREATE_OBJECT
    assert stage.ask("SendVehicleRoutes").res_list[0].error_code == RouteError.EMPTY_LIST
    assert stage.ask("SendVehicleDestinations").res_list[0].error_code == RouteError.EMPTY_LIST


def test_destinations_that_cannot_be(stage):
    assert destination(stage, 50.0, 500.0).error_code == RouteError.NOT_FOUND_PATH
    assert destination(stage, 5000.0, 0.0).error_code == RouteError.NOT_FOUND_PATH
    assert destination(stage, 120.0, 0.0, decision_range=1e6).error_code == RouteError.FAILED
    one = {"unique_id": "Ego", "obj_type": "EGO"}
    answer = stage.ask("SendVehicleDestinations", req_list=[one]).res_list[0]
    assert answer.error_code == RouteError.NULL_EXCEPTION


def test_one_that_fails_does_not_stop_the_others(stage):
    good = {"unique_id": "Ego", "obj_type": "EGO", "link_list": [{"unique_id": "A"}]}
    answer = stage.ask("SendVehicleRoutes", req_list=[{**good, "unique_id": "x"}, good])
    assert [one.success for one in answer.res_list] == [False, True]
    assert len(stage.now.goal) == 1


def test_offsets_are_percent_of_half_the_lane(stage):
    stage.ask("SendVehiclePathOffset", req_list=[{"obj_type": "EGO", "value": 40.0, "lat_bias_mode": "FIX"}])
    assert stage.now.vehicle.cruise_bias[0] == pytest.approx(0.4)
    stage.ticks(800)
    width = float(FORK.left_width[0])
    assert stage.now.vehicle.y[0] == pytest.approx(0.4 * width, abs=0.1)
    stage.ask(
        "SendVehiclePathOffset", req_list=[{"obj_type": "EGO", "value": 40.0, "lat_bias_mode": "RANDOM_GAUSSIAN"}]
    )
    drawn = float(stage.now.vehicle.cruise_bias[0])
    assert drawn not in {0.0, 0.4}


def test_offsets_that_cannot_be_are_told_and_the_others_done(stage):
    good = {"unique_id": "Ego", "obj_type": "EGO", "value": 20.0, "lat_bias_mode": "FIX"}
    wrong = [
        {**good, "unique_id": "nobody"},
        {**good, "lat_bias_mode": "_END"},
        {**good, "obj_type": "MULTIEGO"},
        {**good, "value": 1000.0},
    ]
    with pytest.raises(InputError, match="the other 1 are done"):
        stage.ask("SendVehiclePathOffset", req_list=[*wrong, good])
    assert stage.now.vehicle.cruise_bias[0] == pytest.approx(0.2)


def test_the_auxiliary_state_of_who_goes_nowhere_and_of_nobody(stage):
    assert [link.unique_id for link in aux(stage).local_path] == ["A"]
    assert not aux(stage).global_path
    assert aux(stage, "nobody").unique_id == "nobody"
    assert not aux(stage, "nobody").local_path
