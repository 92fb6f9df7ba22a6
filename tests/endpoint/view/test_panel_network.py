"""The tab of the network shows what the run tells of its interfaces."""

from __future__ import annotations

from collections import Counter

import pytest

from dorosim.endpoint.loop.pace_monitor import PaceFigures
from dorosim.endpoint.view.message import Status
from dorosim.endpoint.view.panel import network as module
from dorosim.endpoint.view.panel.network import MAX_FIELDS, NOTHING, NetworkPart, value_html
from dorosim.ground.error import InputError
from dorosim.wire.value_text import ValueText
from tests.endpoint.view.stage import VISITOR, change
from tests.timing import wait_for


@pytest.fixture
def part(page, monkeypatch):
    """The tab, which a visitor looks at."""
    monkeypatch.setattr(module, "_PERIOD", 0.02)
    monkeypatch.setattr(page.context.server, "get_clients", lambda: {VISITOR: None})
    return page.add(NetworkPart)


def status(wall: float, sent: int, **more) -> Status:
    return Status(wall=wall, sent=Counter({"EgoVehicleStatus": sent}), **more)


def test_messages_rates_and_errors_are_shown(page, part):
    page.context.status = status(10.0, 100, counts=Counter({"bad <size>": 2}), pace=PaceFigures(factor=0.5))
    wait_for(lambda: "EgoVehicleStatus" in part._text.content)
    first = part._text.content
    assert "0.500 × real time (1 × asked for)" in first
    assert "bad &lt;size&gt;" in first
    assert "50.0" not in first, "no rate is known yet"
    page.context.status = status(12.0, 200, dropped=7)
    wait_for(lambda: part._text.content != first)
    assert ">50.0<" in part._text.content
    assert "dropped by the kernel" in part._text.content
    part.begin(page.run)
    page.context.status = status(13.0, 3)
    wait_for(lambda: ">3<" in part._text.content)
    assert ">50.0<" not in part._text.content, "another run is counted anew"


def test_the_last_value_of_the_chosen_message_is_asked_for(page, part):
    page.context.status = status(10.0, 100)
    wait_for(lambda: len(part._choice.options) > 1)
    assert part._choice.options == (NOTHING, "EgoVehicleStatus (UDP sent)")
    page.proxy.answers["last_value"] = [ValueText("speed", "36", "10 <m/s>")]
    change(part._choice, "EgoVehicleStatus (UDP sent)")
    page.context.status = status(11.0, 101)
    wait_for(lambda: "10 &lt;m/s&gt;" in part._fields.content)
    assert ("page", "last_value", ("UDP sent", "EgoVehicleStatus")) in page.proxy.asked
    page.proxy.answers["last_value"] = InputError("network", "", "none was <sent> in this run")
    page.context.status = status(12.0, 102)
    wait_for(lambda: "none was &lt;sent&gt;" in part._fields.content)
    change(part._choice, NOTHING)
    page.context.status = status(13.0, 103)
    wait_for(lambda: part._fields.content == "")


def test_messages_of_ros_and_calls_can_be_chosen_too(page, part):
    counts = Counter({"/Ego_topic sent": 5, "/ctrl_cmd received": 2, "/Service_x called": 1, "gRPC Actor/Spawn": 1})
    page.context.status = status(10.0, 1, counts=counts + Counter({"refused": 1, "gRPC not found": 1}))
    wait_for(lambda: len(part._choice.options) > 1)
    assert part._choice.options[2:] == (
        "/Ego_topic (ROS sent)", "/ctrl_cmd (ROS received)", "/Service_x (ROS called)", "Actor/Spawn (gRPC called)"
    )  # fmt: skip
    page.proxy.answers["last_value"] = [ValueText("request.x", "1.5"), ValueText("answer", "2 OK")]
    change(part._choice, "Actor/Spawn (gRPC called)")
    page.context.status = status(11.0, 2, counts=counts)
    wait_for(lambda: "2 OK" in part._fields.content)
    assert page.proxy.asked[-1] == ("page", "last_value", ("gRPC called", "Actor/Spawn"))
    asked = len(page.proxy.asked)
    change(part._choice, "made up (by a visitor)")
    page.context.status = status(12.0, 3, counts=counts)
    wait_for(lambda: part._fields.content == "")
    assert len(page.proxy.asked) == asked


def test_who_lets_time_pass_is_told(page, part):
    page.context.status = status(1.0, 1, synchronous=True, steppers=("127.0.0.1:5",), resyncs=3)
    wait_for(lambda: "127.0.0.1:5" in part._text.content)
    assert "3 times" in part._text.content
    assert "none is due" in part._text.content


def test_a_message_of_many_fields_is_cut():
    told = value_html([ValueText(f"field {number}", "1", "1") for number in range(MAX_FIELDS + 5)])
    assert "and 5 more fields" in told
    assert f"field {MAX_FIELDS - 1}<" in told
    assert f"field {MAX_FIELDS}<" not in told
