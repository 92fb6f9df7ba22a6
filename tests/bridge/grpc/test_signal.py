"""Traffic lights and intersections, in both APIs, in the built-in town.

Intersection IntTL0 has two groups of car and pedestrian heads; its first state, of 28 s, shows green to group 0, whose
car heads are TL000000 and TL000001.
"""

import numpy as np
import pytest

from dorosim.ground.error import InputError
from dorosim.road.signal import Lamp
from dorosim.world.signal.signal_program import SECOND
from tests.bridge.grpc.stage import GrpcStage
from tests.world.world import town_scene

RED, YELLOW, GREEN, LEFT, NOT_DETECTED, UNDEFINED = 1, 4, 16, 32, -2, -1
LIGHT, SIBLING, INTERSECTION = "TL000000", "TL000001", "IntTL0"
BOTH = pytest.mark.parametrize("api", ["documented", "standard"])


@pytest.fixture
def stage() -> GrpcStage:
    return GrpcStage(town_scene().network)


def colour(stage, light: str) -> int:
    """What a light shows, for which both APIs must agree."""
    documented = stage.ask("GetTrafficLightInfoByUid", unique_id=light)
    assert (documented.success, documented.tl_id) == (True, light)
    standard = stage.ask("Infrastructure/GetTrafficLightInfo", type=2, value=light)
    assert (standard.id.value, standard.color) == (light, documented.tl_color)
    return int(documented.tl_color)


def of_link(stage, link: str) -> tuple[str, int]:
    """The light that holds for a link, and its colour, for which both APIs must agree."""
    documented = stage.ask("GetTrafficLightInfoByLink", unique_id=link)
    standard = stage.ask("Infrastructure/GetTrafficLightInfo", type=1, value=link)
    assert documented.success == bool(documented.tl_id)
    assert (documented.tl_id, documented.tl_color) == (standard.id.value, standard.color)
    return documented.tl_id, documented.tl_color


def set_light(stage, api: str, light: str, shown: int, **flags) -> str:
    """Set a light; why not, or an empty text."""
    if api == "standard":
        info = {"id": {"value": light}, "color": shown}
        answer = stage.ask("Infrastructure/SetTrafficLightState", info=info, **flags)
        return "" if answer.status else answer.description
    (answer,) = stage.ask("SetTrafficLightState", req_list=[{"tl_id": light, "tl_color": shown, **flags}]).res_list
    assert answer.actor_name == light
    return "" if answer.result else answer.display_name


def test_a_link_has_the_light_that_governs_it_or_the_next_one(stage):
    network = stage.scene.network
    inside = network.signals.lights[0].links[0]
    assert of_link(stage, network.link_ids[inside]) == (LIGHT, GREEN)
    for before in network.predecessors.of(inside).tolist():
        assert of_link(stage, network.link_ids[before])[0] == LIGHT


def test_a_link_without_a_light_has_none():
    stage = GrpcStage()
    assert of_link(stage, "A") == ("", NOT_DETECTED)


def test_what_the_map_does_not_have_is_told(stage):
    for name in ("GetTrafficLightInfoByLink", "GetTrafficLightInfoByUid"):
        answer = stage.ask(name, unique_id="nothing")
        assert (answer.success, answer.tl_id, answer.tl_color) == (False, "", NOT_DETECTED)
    for kind, problem in ((1, "no link 'nothing'"), (2, "no traffic light 'nothing'"), (0, "is not set")):
        with pytest.raises(InputError, match=problem):
            stage.ask("Infrastructure/GetTrafficLightInfo", type=kind, value="nothing")


@BOTH
def test_a_light_is_set_for_good_and_given_back(stage, api):
    assert colour(stage, LIGHT) == GREEN
    assert set_light(stage, api, LIGHT, RED) == ""
    assert (colour(stage, LIGHT), colour(stage, SIBLING)) == (RED, GREEN)
    assert stage.now.signal.light.once.sum() == 0
    assert set_light(stage, api, LIGHT, UNDEFINED) == ""
    assert colour(stage, LIGHT) == GREEN


@BOTH
def test_a_light_is_set_until_the_next_state(stage, api):
    assert set_light(stage, api, LIGHT, YELLOW, is_impulse=True) == ""
    assert colour(stage, LIGHT) == YELLOW
    stage.ask("SetIntersectionState", req_list=[{"intscn_id": INTERSECTION, "state_idx": 2}])
    assert colour(stage, LIGHT) == RED, "the programme decides again"


@BOTH
def test_lights_of_one_road_are_set_together(stage, api):
    assert set_light(stage, api, LIGHT, RED, set_sibling=True) == ""
    assert (colour(stage, LIGHT), colour(stage, SIBLING)) == (RED, RED)
    commanded = np.flatnonzero(stage.now.signal.light.command >= 0).tolist()
    assert commanded == list(stage.scene.signal_plan.siblings[0])


@BOTH
@pytest.mark.parametrize(
    ("light", "shown", "problem"),
    [
        ("nothing", RED, "no traffic light 'nothing'"),
        ("", RED, "no traffic light ''"),
        (LIGHT, 0, "0 is not a valid colour"),
        (LIGHT, NOT_DETECTED, "-2 is not a valid colour"),
    ],
)
def test_a_light_or_a_colour_that_is_none_is_refused(stage, api, light, shown, problem):
    assert problem in set_light(stage, api, light, shown)
    assert (stage.now.signal.light.command == -1).all()


@pytest.mark.parametrize("shown", [1, 4, 16, 32, 64, 128, 256, 512, 1024, 2048, 5, 20, 36, 48, 33, 1040, 1025, 768])
def test_every_colour_of_the_document_can_be_shown_by_a_light_that_has_its_lamps(stage, shown):
    problem = set_light(stage, "documented", LIGHT, shown)
    if shown & ~int(stage.scene.signal_plan.lamps[stage.scene.signal_plan.light_row(LIGHT)]):
        assert f"traffic light {LIGHT} has no lamp" in problem
        assert (stage.now.signal.light.command == -1).all()
        return
    assert problem == ""
    assert colour(stage, LIGHT) == shown
    assert Lamp(shown)


def test_lights_of_a_list_are_set_one_by_one(stage):
    wanted = [{"tl_id": light, "tl_color": RED} for light in (LIGHT, "nothing", SIBLING)]
    answers = stage.ask("SetTrafficLightState", req_list=wanted).res_list
    assert [(one.result, one.actor_name) for one in answers] == [(True, LIGHT), (False, "nothing"), (True, SIBLING)]
    assert (colour(stage, LIGHT), colour(stage, SIBLING)) == (RED, RED)


@pytest.mark.parametrize("name", [INTERSECTION, "0"])
def test_an_intersection_tells_of_all_its_lights(stage, name):
    documented = stage.ask("GetIntscnTLInfo", unique_id=name).res_list
    standard = stage.ask("Infrastructure/GetIntersectionTLInfo", value=name)
    assert [one.tl_id for one in documented] == [f"TL00000{number}" for number in (0, 1, 6, 7, 2, 3, 4, 5)]
    assert all(one.success for one in documented)
    assert [(one.tl_id, one.tl_color) for one in documented] == [
        (one.id.value, one.color) for one in standard.traffic_lights
    ]
    assert documented[0].tl_color == GREEN
    assert standard.phase == 0
    stage.ask("Infrastructure/SetIntersectionPhase", id={"value": INTERSECTION}, phase=2)
    assert stage.ask("Infrastructure/GetIntersectionTLInfo", value=name).phase == 2


def test_an_intersection_that_is_not_there_is_told(stage):
    (answer,) = stage.ask("GetIntscnTLInfo", unique_id="nothing").res_list
    assert (answer.success, answer.tl_color) == (False, NOT_DETECTED)
    with pytest.raises(InputError, match="no intersection 'nothing'; it has IntTL0"):
        stage.ask("Infrastructure/GetIntersectionTLInfo", value="nothing")


def change_intersection(stage, api: str, name: str, **what) -> str:
    """Set state or programme of an intersection by the documented names of fields; why not, or an empty text."""
    if api == "documented":
        procedure = "SetIntersectionState" if "state_idx" in what else "SetIntersectionSchedule"
        (answer,) = stage.ask(procedure, req_list=[{"intscn_id": name, **what}]).res_list
        assert answer.actor_name == name
        return "" if answer.result else answer.display_name
    theirs = {"state_idx": "phase", "tl_schedule": "vehicle", "yellow_duration": "yellow", "ps_schedule": "pedestrian"}
    procedure = "SetIntersectionPhase" if "state_idx" in what else "SetIntersectionSchedule"
    fields = {theirs[field]: value for field, value in what.items()}
    answer = stage.ask(f"Infrastructure/{procedure}", id={"value": name}, **fields)
    return "" if answer.status else answer.description


@BOTH
@pytest.mark.parametrize("name", ["IntTL1", "1"])
def test_the_state_of_an_intersection_is_set(stage, api, name):
    assert change_intersection(stage, api, name, state_idx=2) == ""
    assert stage.now.signal.state.tolist()[:3] == [0, 2, 0]


@BOTH
@pytest.mark.parametrize(
    ("name", "state", "problem"),
    [("nothing", 0, "no intersection 'nothing'"), ("99", 0, "no intersection '99'"), ("0", 9, "states 0 to 3, not 9")],
)
def test_a_state_that_is_none_is_refused(stage, api, name, state, problem):
    assert problem in change_intersection(stage, api, name, state_idx=state)
    assert not stage.now.signal.state.any()


STATES = [
    {"duration": 20, "str_light_color_list": ["G_with_GLeft", "R"]},
    {"duration": 10, "str_light_color_list": ["R", "SG"]},
]
PHASE = {"tl_state_idx": 1, "synced_tl_idx": 1, "before_sec": 2, "green_light_sec": 4, "flicker_light_sec": 3}


@BOTH
def test_a_programme_is_replaced_in_all_its_parts(stage, api):
    schedule = {"tl_schedule": STATES, "yellow_duration": [{"duration": 3}, {"duration": 1}], "ps_schedule": [PHASE]}
    assert change_intersection(stage, api, INTERSECTION, **schedule) == ""
    programme = stage.now.signal.programme.of(0, 2)
    assert (programme.duration / SECOND).tolist() == [23, 11]
    assert (programme.yellow / SECOND).tolist() == [3, 1]
    assert programme.lamps.tolist() == [[GREEN | LEFT, RED], [RED, GREEN]]
    walk = np.zeros((2, 2, 3))
    walk[1, 1] = (2, 4, 3)
    assert (programme.walk / SECOND).tolist() == walk.tolist()
    assert colour(stage, LIGHT) == GREEN | LEFT
    assert stage.now.signal.programme.of(1, 2).duration.tolist() != programme.duration.tolist()


@BOTH
def test_parts_of_a_programme_that_are_not_sent_stay(stage, api):
    before = stage.now.signal.programme.of(0, 2)
    yellow = [{"duration": seconds} for seconds in (5, 0, 5, 0)]
    assert change_intersection(stage, api, INTERSECTION, yellow_duration=yellow) == ""
    after = stage.now.signal.programme.of(0, 2)
    assert (after.yellow / SECOND).tolist() == [5, 0, 5, 0]
    assert after.lamps.tolist() == before.lamps.tolist()
    assert after.walk.tolist() == before.walk.tolist()


@BOTH
@pytest.mark.parametrize(
    ("name", "schedule", "problem"),
    [
        ("nothing", {"tl_schedule": STATES}, "no intersection 'nothing'"),
        (INTERSECTION, {"tl_schedule": []}, "is empty"),
        (INTERSECTION, {"tl_schedule": [{"duration": 5, "str_light_color_list": ["R"]}]}, "1 colours for 2 groups"),
        (INTERSECTION, {"tl_schedule": [{"duration": 5, "str_light_color_list": ["R", "pink"]}]}, "called 'pink'"),
        (INTERSECTION, {"tl_schedule": [{"str_light_color_list": ["R", "R"]}]}, "a state lasts 0.1 to 86400 s"),
        (INTERSECTION, {"yellow_duration": [{"duration": 3}]}, "1 yellow durations for 4 states"),
        (INTERSECTION, {"ps_schedule": [{**PHASE, "tl_state_idx": 7}]}, "state 7, group 1"),
    ],
)
def test_a_broken_programme_is_refused_with_its_place(stage, api, name, schedule, problem):
    assert problem in change_intersection(stage, api, name, **schedule)
    assert stage.now.signal.programme is stage.scene.signal_plan.first


def test_intersections_of_a_list_are_changed_one_by_one(stage):
    wanted = [{"intscn_id": name, "state_idx": 2} for name in ("nothing", "0", "1")]
    answers = stage.ask("SetIntersectionState", req_list=wanted).res_list
    assert [one.result for one in answers] == [False, True, True]
    for name in ("SetIntersectionState", "SetIntersectionSchedule", "SetTrafficLightState"):
        (answer,) = stage.ask(name).res_list
        assert "empty" in answer.display_name
