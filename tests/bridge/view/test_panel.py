"""What panels show of snapshots, and what their fields mean, on the built-in town with its lights."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from dorosim.bridge.view.driver import Tone, who_drives
from dorosim.bridge.view.event import SHOWN_EVENTS, EventLog
from dorosim.bridge.view.pick import Picked
from dorosim.bridge.view.signal import COLOURS, PROGRAMME, LightBoard, colour_text
from dorosim.bridge.view.spawn import KINDS, Placing, models_of, place
from dorosim.bridge.view.telemetry import MAX_ROWS, SERIES, SPAN, Course, FigureReader, fitting_range, rows_of
from dorosim.ground.error import InputError
from dorosim.road.signal import Lamp
from dorosim.world.actor.command import PauseActor
from dorosim.world.pedestrian.command import SpawnPedestrian
from dorosim.world.signal.state import NO_LAMP
from dorosim.world.snapshot import EGO
from dorosim.world.traffic.command import CreateNpc
from dorosim.world.vehicle.command import (
    CreateVehicle,
    DriveVehicle,
    FollowTrajectory,
    LeaveKeyboard,
    PlaceGhost,
    SelectMode,
    TakeKeyboard,
)
from dorosim.world.vehicle.mode import ControlKind, ControlMode
from tests.bridge.view.shown import world_on_street
from tests.world.world import town_world

PEDALS = DriveVehicle(EGO, ControlKind.PEDALS, accelerator=0.2)


@pytest.mark.parametrize(
    ("commands", "driven", "words", "tone"),
    [
        ((), None, "Held", Tone.IDLE),
        ((PEDALS,), 0.02, "External (auto): a client drives", Tone.BUSY),
        ((PEDALS,), 4.0, "last command 4.0 s ago", Tone.IDLE),
        ((PEDALS,), 45.0, "last command 45 s ago", Tone.IDLE),
        ((PEDALS,), 600.0, "last command 10 min ago", Tone.IDLE),
        ((PEDALS,), None, "no command lately", Tone.IDLE),
        ((TakeKeyboard(EGO),), None, "Keyboard: driven from this page", Tone.BUSY),
        ((TakeKeyboard(EGO), LeaveKeyboard(EGO)), None, "nobody is at the keys", Tone.IDLE),
        ((SelectMode(EGO, ControlMode.CRUISE),), None, "Cruise", Tone.BUSY),
        ((FollowTrajectory(EGO, ((60.0, 0.0, 0.0, 5.0), (90.0, 0.0, 0.0, 5.0))),), 9.0, "Trajectory", Tone.BUSY),
        ((PlaceGhost(EGO, (60.0, 0.0, 0.0), (0.0, 0.0, 0.0), 3.0, 0.0),), None, "Ghost", Tone.BUSY),
        ((PEDALS, PauseActor(EGO, True)), 0.02, "paused", Tone.STILL),
    ],
)
def test_the_status_line_says_who_drives(commands, driven, words, tone):
    world = world_on_street()
    if commands:
        world.do(*commands)
    found = who_drives(world.now, EGO, {} if driven is None else {EGO: driven})
    assert words in found.text
    assert found.tone is tone


@pytest.mark.parametrize(("actor", "words"), [(2, "Traffic"), (3, "On foot"), (77, "Nobody")])
def test_the_status_line_knows_others_too(actor, words):
    assert words in who_drives(world_on_street().now, actor, {}).text


def test_figures_of_a_vehicle_with_its_lane():
    world = world_on_street()
    figures = FigureReader(world.scene).read(world.now, EGO)
    rows = dict(rows_of(figures))
    assert rows["link"] == "E2 at 50.0 m"
    assert rows["mode"] == "auto"
    assert rows["heading"] == "0.0°"
    assert figures.name == "Ego"
    assert dict(rows_of(FigureReader(world.scene).read(world.now, 2)))["link"].startswith("E2 at 100.")
    assert FigureReader(world.scene).read(world.now, 99).state is None


def test_a_course_holds_the_last_seconds_and_no_moment_twice():
    world = world_on_street()
    world.do(PEDALS)
    reader, course = FigureReader(world.scene), Course(span=1.0)
    times = []
    for _ in range(30):
        world.run(0.05)
        state = reader.read(world.now, EGO).state
        assert course.add(world.now.time * 1e-9, state)
        assert not course.add(world.now.time * 1e-9, state), "while the run is paused"
        times.append(world.now.time * 1e-9)
    table = course.table()
    assert len(table) == 1 + len(SERIES)
    assert table[0, -1] == 0.0
    assert -1.0 - 1e-9 <= table[0, 0] < -0.9
    assert table[1, -1] == pytest.approx(3.6 * float(world.now.vehicle.velocity_x[0]))
    assert table[5, -1] == pytest.approx(20.0)
    assert (np.diff(table[0]) > 0.0).all()
    course.add(times[0], state)
    assert course.table().shape[1] == 1, "time that goes back begins anew"
    assert Course().table().shape == (1 + len(SERIES), 0)
    assert SPAN == 20.0


def test_a_course_at_a_slow_pace_has_no_more_moments():
    world, course = world_on_street(), Course(span=1.0)
    state = FigureReader(world.scene).read(world.now, EGO).state
    for moment in range(12 * MAX_ROWS):
        course.add(moment * 0.3 / MAX_ROWS, state)
    table = course.table()
    assert MAX_ROWS // 2 <= table.shape[1] <= MAX_ROWS + 1
    assert -1.0 - 1e-9 <= table[0, 0] < -0.99


# lights ----------------------------------------------------------------------------------------------------------


def test_lights_are_set_and_given_back():
    world = town_world()
    board = LightBoard(world.scene)
    light = board.ahead_of(world.now, EGO)
    assert light in board.lights
    before = board.view(world.now, light)
    assert not before.held
    assert before.intersection in board.intersections
    assert 0 <= before.state < before.states
    assert before.left > 0.0
    for colour, lamps in COLOURS.items():
        world.do(board.set_light(light, colour, once=False, siblings=False))
        shown = board.view(world.now, light)
        assert shown.held
        assert set(shown.colour.split(" + ")) == set(colour.split(" + "))
        assert int(world.now.signal.light.status[world.scene.signal_plan.light_row(light)]) == int(lamps)
    world.do(board.set_light(light, PROGRAMME, once=False, siblings=False))
    assert board.view(world.now, light)._replace(left=0.0) == before._replace(left=0.0)


def test_an_intersection_goes_to_another_state():
    world = town_world()
    board = LightBoard(world.scene)
    view = board.view(world.now, board.ahead_of(world.now, EGO))
    wanted = (view.state + 1) % view.states
    world.do(board.set_intersection(view.intersection, wanted))
    assert board.view(world.now, board.ahead_of(world.now, EGO)).state == wanted


@pytest.mark.parametrize(("light", "colour"), [("nowhere", "red"), (None, "red"), ("_", "purple"), ("_", None)])
def test_lights_and_colours_that_are_not_there_are_refused(light, colour):
    world = town_world()
    board = LightBoard(world.scene)
    with pytest.raises(InputError):
        board.set_light(board.lights[0] if light == "_" else light, colour, once=False, siblings=True)


@pytest.mark.parametrize(("crossing", "state"), [("nowhere", 0), (None, 0), ("_", "two"), ("_", math.inf)])
def test_intersections_and_states_that_are_not_there_are_refused(crossing, state):
    board = LightBoard(town_world().scene)
    with pytest.raises(InputError):
        board.set_intersection(board.intersections[0] if crossing == "_" else crossing, state)


def test_the_light_ahead_is_that_of_whoever_is_asked_for():
    """The next one along the lane, of NPC vehicles too; else the nearest, as of who is on no lane."""
    world = town_world()
    board, network, lights = LightBoard(world.scene), world.scene.network, world.scene.network.signals.lights
    (row, *_) = [row for row, light in enumerate(lights) if light.kind != "pedestrian" and light.links][::-1]
    before = int(network.predecessors.of(lights[row].links[0])[0])
    beside = (lights[row].point[0] + 1.0, lights[row].point[1], lights[row].point[2])
    npc, person = world.do(
        CreateNpc(model=world.scene.models[0].name, link=before, s=10.0),
        SpawnPedestrian(actor=0, model=0, position=beside, yaw=lights[row].heading),
    )
    light = board.ahead_of(world.now, npc)
    assert world.scene.signal_plan.light_row(light) in network.signals.lights_of_link.of(lights[row].links[0])
    assert light != board.ahead_of(world.now, EGO)
    near = lights[world.scene.signal_plan.light_row(board.ahead_of(world.now, person))]
    assert math.dist(near.point[:2], beside[:2]) < 60.0


def test_who_is_not_there_and_a_map_without_lights_have_no_light_ahead():
    world = town_world()
    with pytest.raises(InputError, match="no actor 99"):
        LightBoard(world.scene).ahead_of(world.now, 99)
    world = world_on_street()
    for actor in (EGO, 2):
        with pytest.raises(InputError, match="no lights"):
            LightBoard(world.scene).ahead_of(world.now, actor)


def test_colours_in_words():
    assert colour_text(int(Lamp.GREEN | Lamp.LEFT)) == "green + left"
    assert colour_text(NO_LAMP) == ""
    assert colour_text(0) == "dark"


# spawning --------------------------------------------------------------------------------------------------------


def on_lane(world, s: float = 200.0, lateral: float = 0.6) -> Picked:
    return Picked((s, lateral, 0.0), 0, 1, "E2", s, lateral, 0.0)


@pytest.mark.parametrize("kind", KINDS)
def test_every_model_of_every_kind_can_be_placed(kind):
    world = world_on_street()
    for number, model in enumerate(models_of(world.scene, kind)):
        if number % 3 == 0:
            world.do(place(world.scene, Placing(kind, model), on_lane(world, 110.0 + 12.0 * number)))


@pytest.mark.parametrize(
    ("turn", "yaw"),
    [
        ("with the lane", 0.0),
        ("to the left", 0.5 * math.pi),
        ("against the lane", math.pi),
        ("to the right", -0.5 * math.pi),
    ],
)
def test_who_is_placed_looks_as_chosen(turn, yaw):
    world = world_on_street()
    made = place(world.scene, Placing("ego vehicle", "2015_Kia_K5", turn), on_lane(world))
    assert isinstance(made, CreateVehicle)
    assert abs(math.remainder(made.rotation[2] - yaw, math.tau)) < 1e-9
    assert made.position == pytest.approx((200.0, 0.0, 0.0)), "on the centre of the lane"


@pytest.mark.parametrize(
    ("kind", "turn", "what"),
    [("dragon", "with the lane", "dragon"), ([], "with the lane", "there is no"), ("NPC vehicle", "upwards", "upwards")]
    + [(kind, [], "there is no") for kind in KINDS],
)
def test_kinds_and_directions_that_are_not_there_are_refused(kind, turn, what):
    world = world_on_street()
    model = models_of(world.scene, kind)[0]
    with pytest.raises(InputError, match=what):
        place(world.scene, Placing(kind, model, turn), on_lane(world))


def test_off_the_road_people_can_stand_and_traffic_cannot():
    world = world_on_street()
    meadow = Picked((200.0, 80.0, 0.0), heading=1.0)
    world.do(place(world.scene, Placing("pedestrian", "child"), meadow))
    beside = Picked((200.0, 90.0, 0.0), heading=1.0)
    world.do(place(world.scene, Placing("ego vehicle", "2015_Kia_K5"), beside))
    with pytest.raises(InputError):
        place(world.scene, Placing("NPC vehicle", "2015_Kia_K5"), meadow)


# events ----------------------------------------------------------------------------------------------------------


def test_refusals_are_told_once_each_and_not_again_and_again():
    log, now, refused = EventLog(), world_on_street().now, "refused: no vehicle "
    log.begin("run on test", now)
    for _ in range(3):
        log.note([(1, 10**9, f"{refused}9"), (2, 2 * 10**9, f"{refused}9"), (3, 3 * 10**9, "refused: no light 4")])
    assert [event.text for event in log.events] == ["refused: no light 4", "refused: no vehicle 9", "run on test"]
    log.note([(number, 0, f"refused: reason {number}") for number in range(4, 40)])
    assert len(log.events) == SHOWN_EVENTS
    assert log.events[0].text == "refused: reason 39"


def test_contacts_are_told_once_each_among_the_refusals_by_their_times():
    log, now = EventLog(), world_on_street().now
    log.begin("run on test", now)
    for _ in range(2):
        log.note(
            [
                (1, 2 * 10**9, "refused: no light 4"),
                (2, 10**9, "collision of Ego and 2"),
                (3, 15 * 10**8, "fault: Ego: brake: open"),
                (4, 3 * 10**9, "collision of Ego and 2"),
            ]
        )
    log.note([(4, 3 * 10**9, "collision of Ego and 2"), (5, 3 * 10**9, "collision of Ego and 2")])
    assert [event.text for event in log.events] == [
        *("collision of Ego and 2", "collision of Ego and 2", "refused: no light 4"),
        *("fault: Ego: brake: open", "collision of Ego and 2", "run on test"),
    ]
    log.begin("run on another", now)
    log.note([(1, 0, "collision of 3 and 4")])
    assert log.events[0].text == "collision of 3 and 4"


def test_a_run_that_is_reset_begins_anew():
    log, world = EventLog(), world_on_street()
    first = world.now
    log.begin("run on test", first)
    log.look(world.run(0.5))
    log.look(replace(first, time=0))
    assert log.events[0].text == "the run begins anew"


def test_refusals_before_a_reset_are_not_told_again_and_those_of_another_run_are():
    log, world = EventLog(), world_on_street()
    first = world.now
    log.begin("run on test", first)
    log.look(world.run(0.5))
    log.note([(1, 10**8, "refused: no vehicle 9")])
    log.look(replace(first, time=0))
    log.note([(1, 10**8, "refused: no vehicle 9"), (2, 10**7, "refused: no light 4")])
    texts = [event.text for event in log.events]
    assert texts == ["refused: no light 4", "the run begins anew", "refused: no vehicle 9", "run on test"]
    log.begin("run on another", first)
    log.note([(1, 10**7, "refused: no map")])
    assert log.events[0].text == "refused: no map"


@pytest.mark.parametrize(
    ("values", "least", "ends"),
    [
        ([], (0.0, 20.0), (0.0, 20.0)),
        ([0.0, 3.0], (0.0, 20.0), (0.0, 20.0)),
        ([0.0, 36.1], (0.0, 20.0), (0.0, 40.0)),
        ([-0.3, 131.0], (0.0, 20.0), (-50.0, 150.0)),
        ([-9.7, 1.0, math.nan], (-2.0, 2.0), (-10.0, 5.0)),
        ([math.inf], (-5.0, 5.0), (-6.0, 6.0)),
    ],
)
def test_an_axis_holds_all_values_between_round_figures(values, least, ends):
    assert fitting_range(np.array(values), least) == pytest.approx(ends)
