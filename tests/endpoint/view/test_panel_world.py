"""Fields and buttons of the page's panel do what they say, and follow what others do."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from dorosim.bridge.host import StartOrder
from dorosim.endpoint.loop.pace_monitor import PaceFigures
from dorosim.endpoint.view.message import Choices, Status
from dorosim.endpoint.view.panel.event import EventPart
from dorosim.endpoint.view.panel.head import PAUSE, RESET, STEP, HeadPart
from dorosim.endpoint.view.panel.keys import BINDINGS
from dorosim.endpoint.view.panel.telemetry import TelemetryPart, keys_markdown
from dorosim.endpoint.view.panel.world import PACES, WorldPart
from dorosim.ground.error import InputError
from dorosim.world.environment.atmosphere import MM_PER_HOUR
from dorosim.world.environment.command import SetWeather
from dorosim.world.environment.weather import Season, WeatherKind
from dorosim.world.obstacle.command import SpawnObstacle
from dorosim.world.snapshot import EGO
from dorosim.world.vehicle.command import DriveVehicle, PlaceVehicle, SelectMode
from dorosim.world.vehicle.mode import ControlKind, ControlMode, Gear
from tests.endpoint.view.stage import change, click
from tests.timing import wait_for

CHOICES = Choices("town", "2015_Kia_K5", ("town", "R_KR_PG_K-City"), ("cut-in", "jam/dense"))


def with_choices(page):
    page.proxy.answers["choices"] = CHOICES
    part = page.add(WorldPart)
    wait_for(lambda: part._map.options == CHOICES.maps and part._vehicle.value == CHOICES.vehicle)
    return part


def test_weather_and_roads_are_as_the_fields_say(page):
    part = with_choices(page)
    change(part._weather, "rainy")
    change(part._season, "winter")
    change(part._hour, 21.5)
    change(part._friction, 0.4)
    change(part._puddles, False)
    change(part._rain, 20.0)
    change(part._visibility, 300)
    change(part._cloud, 70)
    now = page.now
    state = now.environment
    assert WeatherKind(int(state.weather[0])) is WeatherKind.RAINY
    assert Season(int(state.season[0])) is Season.WINTER
    assert state.time_of_day[0] == 21.5 * 3600
    assert (now.friction.road, state.puddles[0]) == (0.4, 0)
    rain, _, visibility, cloud, _ = state.goal[:, 0].tolist()
    assert (rain, visibility, cloud) == pytest.approx((20.0 * MM_PER_HOUR, 300.0, 0.7))
    assert not page.context.notes


def test_fields_follow_what_others_do_and_send_nothing_of_it(page):
    part = with_choices(page)
    page.proxy.do(SetWeather(WeatherKind.FOGGY))
    sent = len(page.proxy.done)
    page.show_later()
    assert (part._weather.value, part._visibility.value, part._cloud.value) == ("foggy", 200, 60)
    assert len(page.proxy.done) == sent


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("_weather", "hail"),
        ("_season", None),
        ("_hour", "noon"),
        ("_friction", math.nan),
        ("_rain", [1]),
        ("_hour", 99),
    ],
)
def test_a_value_that_cannot_be_is_told_of_and_changes_nothing(page, field, value):
    part = with_choices(page)
    before = page.now.environment.floats.tobytes()
    change(getattr(part, field), value)
    assert len(page.context.notes) == 1
    assert page.now.environment.floats.tobytes() == before


def test_the_pace_is_asked_for_and_shown_as_it_is(page):
    part = with_choices(page)
    change(part._pace, "0.25 ×")
    change(part._pace, "as fast as possible")
    change(part._pace, "at once")
    asked = [given for _, name, given in page.proxy.asked if name == "set_pace"]
    assert asked == [(0.25,), (0.0,)]
    assert len(page.context.notes) == 1
    part._look.wait(0.0)
    page.context.status = Status(wall=0.0, factor=2.5)
    page.show_later()
    assert part._pace.value == "2.5 ×"
    assert "2.5 ×" not in PACES, "other pages and tests have paces of their own"
    change(part._pace, "4 ×")
    change(part._pace, "2.5 ×")
    assert page.proxy.asked[-1] == ("page", "set_pace", (2.5,))


def test_the_pace_is_the_clients_in_synchronous_mode(page):
    part = with_choices(page)
    page.context.status = Status(wall=0.0, synchronous=True)
    page.show_later()
    assert part._pace.disabled
    page.context.status = Status(wall=0.0)
    page.show_later()
    assert not part._pace.disabled


def test_another_run_is_started_as_chosen(page):
    part = with_choices(page)
    change(part._map, "R_KR_PG_K-City")
    change(part._vehicle, "2018_Hyundai_ElecCity")
    change(part._scenario, "cut-in")
    page.proxy.answers["start"] = "map R_KR_PG_K-City"
    click(part._start)
    order = StartOrder(map_name="R_KR_PG_K-City", vehicle="2018_Hyundai_ElecCity", scenario="cut-in")
    assert ("runs", "start", (order,)) in page.proxy.asked
    assert "has begun" in page.context.notes[-1]
    page.proxy.answers["start"] = InputError("map", "", "there is no such map")
    click(part._start)
    assert "no such map" in page.context.notes[-1]


def test_a_file_of_openscenario_is_started_on_its_own_map(page):
    part = with_choices(page)
    change(part._scenario, "far/cut-in.xosc")
    page.proxy.answers["start"] = "map other"
    click(part._start)
    assert page.proxy.asked[-1] == ("runs", "start", (StartOrder(scenario="far/cut-in.xosc"),))


def test_a_scenario_is_loaded_and_none_is_not(page):
    part = with_choices(page)
    click(part._load)
    assert "none is chosen" in page.context.notes[-1]
    change(part._scenario, "jam/dense")
    page.proxy.answers["load"] = "jam/dense.json: 3 vehicles"
    click(part._load)
    assert ("page", "load", ("jam/dense",)) in page.proxy.asked
    assert "3 vehicles" in page.context.notes[-1]


# head ------------------------------------------------------------------------------------------------------------


def test_the_head_says_who_drives_and_why_time_stands_still(page):
    part = page.add(HeadPart)
    assert "Held" in part._text.content
    page.proxy.do(DriveVehicle(EGO, ControlKind.PEDALS, accelerator=0.5))
    page.context.status = Status(wall=0.0, driven={EGO: 3.2})
    page.show_later()
    assert "last command 3.2 s ago" in part._text.content
    click(part._buttons, PAUSE)
    page.show_later()
    assert page.now.paused
    assert "Paused" in part._text.content
    page.context.status = Status(wall=0.0, synchronous=True, steppers=("127.0.0.1:<b>",))
    page.show_later()
    assert "stepped by 127.0.0.1:&lt;b&gt;" in part._text.content
    page.context.status = Status(wall=0.0, played=True)
    page.show_later()
    assert "nothing can be driven" in part._text.content


def test_the_head_counts_who_is_there_and_tells_the_pace_as_the_network_tab_does(page):
    part = page.add(HeadPart)
    assert "– × real time · 3 actors" in part._text.content
    page.proxy.do(SpawnObstacle(0, 1, (90.0, 20.0, 0.0)), SelectMode(EGO, ControlMode.CRUISE))
    page.proxy.run(0.1)
    assert page.now.traffic.rows == 2, "one of them is the plan of the ego's driver"
    page.context.status = Status(wall=0.0, pace=PaceFigures(factor=0.976))
    page.show_later()
    assert "0.98 × real time · 4 actors" in part._text.content


def test_the_buttons_of_the_head_step_and_reset(page):
    part = page.add(HeadPart)
    click(part._buttons, STEP)
    assert page.now.paused
    click(part._buttons, RESET)
    assert [name for _, name, _ in page.proxy.asked if name != "status"] == ["step", "restart"]


def test_no_button_lets_time_pass_that_clients_step(page):
    part = page.add(HeadPart)
    page.context.status = Status(wall=0.0, synchronous=True)
    for button in (PAUSE, STEP):
        click(part._buttons, button)
    assert not page.proxy.done
    assert len(page.context.notes) == 2


# telemetry -------------------------------------------------------------------------------------------------------


def test_all_keys_are_listed():
    told = keys_markdown()
    for binding in BINDINGS:
        assert binding.label.lower() in told.lower()
    assert "| W ↑ | accelerate |" in told
    assert told.count("\n|") == len(BINDINGS) + 1


def test_telemetry_shows_who_is_followed(page):
    page.proxy.do(PlaceVehicle(EGO, (50.0, 0.0, 0.0), (0.0, 0.0, 0.0), 10.0, Gear.D))
    part = page.add(TelemetryPart)
    assert "36.0" in part._text.content
    assert "E2 at 50." in part._text.content
    for _ in range(4):
        page.proxy.run(0.2)
        page.show_later()
    speeds = part._plots[0].data[1]
    assert [plot.scales["y"]["range"] for plot in part._plots[::3]] == [(0.0, 40.0), (0.0, 100.0)]
    assert len(speeds) >= 3
    assert speeds[-1] == pytest.approx(page.now.vehicle.velocity_x[0] * 3.6, abs=1.5)
    page.context.follow(2)
    page.show_later()
    assert "2015_Kia_K5" in part._text.content
    page.context.follow(3)
    page.show_later()
    assert "adult_male" in part._text.content
    page.context.follow(999)
    page.show_later()
    assert "no longer there" in part._text.content


# events ----------------------------------------------------------------------------------------------------------


def test_events_are_listed(page):
    part = page.add(EventPart)
    page.context.status = Status(
        wall=0.0,
        happenings=(
            (1, 5_000_000, "refused: no vehicle <9>"),
            (2, 10**7, "collision of Ego and 2"),
            (3, 2 * 10**7, "fault: Ego: brake: open"),
        ),
    )
    page.show_later()
    text = part._text.content
    assert "collision of Ego and 2" in text
    assert "fault: Ego: brake: open" in text
    assert "no vehicle &lt;9&gt;" in text
    page.show_later()
    assert part._text.content == text, "each once"


def test_events_of_the_last_run_do_not_come_back_in_the_next(page):
    part = page.add(EventPart)
    late = Status(wall=0.0, run=1, happenings=((1, 0, "no vehicle 9"), (2, 0, "no light 4")))
    page.context.status = Status(wall=0.0, run=1, happenings=late.happenings[:1])
    page.show_later()
    part.begin(replace(page.run, number=2))
    page.context.status = late
    page.show_later()
    assert part._text.content.count("no vehicle 9") == 1
    assert "no light 4" not in part._text.content
    page.context.status = Status(wall=0.0, run=2, happenings=((1, 0, "no person 5"),))
    page.show_later()
    assert "no person 5" in part._text.content
