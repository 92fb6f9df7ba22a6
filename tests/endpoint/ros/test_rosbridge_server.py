"""The embedded rosbridge server, seen by plain websockets."""

from __future__ import annotations

import base64
import io
import json
import struct
import time
from contextlib import suppress
from typing import Any

import bson
import cbor2
import numpy as np
import pytest
from PIL import Image

from tests.endpoint.ros.stage import EPOCH
from tests.endpoint.ros.websocket_peer import client_of
from tests.timing import wait_for


def test_status_comes_as_json_at_its_rate(client):
    client.send("subscribe", topic="/Ego_topic", type="morai_msgs/EgoVehicleStatus")

    def keeps_the_rate() -> bool:
        stamps = []
        for _ in range(20):
            operation = client.next()
            assert (operation["op"], operation["topic"]) == ("publish", "/Ego_topic")
            stamp = operation["msg"]["header"]["stamp"]
            stamps.append(stamp["secs"] * 10**9 + stamp["nsecs"])
        assert stamps[0] >= EPOCH
        steps = np.diff(stamps)
        assert not np.any(steps % 20_000_000), "a machine that stands still loses some, and moves none"
        assert steps.min() > 0
        return bool(np.median(steps) == 20_000_000)

    wait_for(keeps_the_rate)
    client.send("unsubscribe", topic="/Ego_topic")
    client.send("call_service", service="/rosapi/get_time")
    while client.next()["op"] == "publish":
        pass
    assert client.silent()


def test_cbor_has_typed_arrays_and_byte_strings(stage, client):
    client.send("subscribe", topic="/scan", compression="cbor")
    client.send("subscribe", topic="/cloud", compression="cbor")
    client.settle()
    stage.publish("/scan", ranges=np.array([1.5, np.inf], np.float32))
    stage.publish("/cloud", data=np.arange(7, dtype=np.uint8))
    assert client.next()["msg"]["ranges"] == cbor2.CBORTag(85, struct.pack("<2f", 1.5, np.inf))
    assert client.next()["msg"]["data"] == bytes(range(7))


def test_cbor_raw_has_the_bytes_of_ros_1(stage, client):
    client.send("subscribe", topic="/cloud", compression="cbor-raw")
    client.settle()
    stage.publish("/cloud", data=np.arange(100_000, dtype=np.uint8), width=4)
    message = client.next()["msg"]
    assert set(message) == {"secs", "nsecs", "bytes"}
    assert message["secs"] >= EPOCH // 10**9
    found = stage.hub.registry.decode("sensor_msgs/PointCloud2", message["bytes"])
    assert found.width == 4
    assert (found.data == np.arange(100_000, dtype=np.uint8)).all()


def test_png_holds_the_json_text(stage, client):
    client.send("subscribe", topic="/small", compression="png")
    client.settle()
    stage.publish("/small", data=7)
    stage.publish("/note", data="도로")  # is latched, so it comes to who subscribes later
    client.send("subscribe", topic="/note", compression="png")
    for topic, data in (("/small", 7), ("/note", "도로")):
        operation = client.next()
        assert operation["op"] == "png"
        picture = Image.open(io.BytesIO(base64.b64decode(operation["data"])))
        assert picture.mode == "RGB"
        assert json.loads(picture.tobytes().decode("latin-1")) == {
            "op": "publish",
            "topic": topic,
            "msg": {"data": data},
        }


def test_long_messages_come_in_fragments(stage, client):
    client.send("subscribe", topic="/cloud", fragment_size=1000)
    client.settle()
    stage.publish("/cloud", data=np.arange(3000, dtype=np.uint8))
    parts = [client.next()]
    while len(parts) < parts[0]["total"]:
        parts.append(client.next())
    assert {part["op"] for part in parts} == {"fragment"}
    assert len({part["id"] for part in parts}) == 1
    assert [part["num"] for part in parts] == list(range(len(parts)))
    assert all(len(part["data"]) <= 1000 for part in parts)
    message = json.loads("".join(part["data"] for part in parts))["msg"]
    assert base64.b64decode(message["data"]) == bytes(np.arange(3000, dtype=np.uint8))


def test_fragments_are_put_together_in_any_order(stage, client):
    stage.heard.clear()
    text = json.dumps({"op": "publish", "topic": "/heard", "msg": {"data": "x" * 100}})
    parts = [text[at : at + 20] for at in range(0, len(text), 20)]
    for number in reversed(range(len(parts))):
        client.send("fragment", id="f", data=parts[number], num=number, total=len(parts))
    wait_for(lambda: stage.heard == ["x" * 100])


def test_throttle_lets_few_messages_through(stage, client):
    client.send("subscribe", topic="/small", throttle_rate=200)
    client.settle()
    begun, found = time.monotonic(), []

    def hears_a_third() -> bool:
        stage.publish("/small", data=len(sent))
        sent.append(len(sent))
        with suppress(TimeoutError):
            found.append(client.next(0.01)["msg"]["data"])
        return len(found) == 3

    sent: list[int] = []
    wait_for(hears_a_third)
    assert time.monotonic() - begun > 0.39, "two pauses"
    assert found[0] == 0
    assert found == sorted(found)


def test_throttle_with_a_queue_keeps_the_newest(stage, client):
    client.send("subscribe", topic="/small", throttle_rate=100, queue_length=2)
    client.settle()
    begun = time.monotonic()
    for number in range(10):
        stage.publish("/small", data=number)
    found = []
    while not found or found[-1] != 9:
        found.append(client.next()["msg"]["data"])
    assert found[-2:] == [8, 9]
    assert time.monotonic() - begun > 0.09 * (len(found) - 1), "at once without the throttle"


def test_a_latched_topic_comes_at_once(stage, client):
    stage.publish("/note", data="kept")
    client.send("subscribe", topic="/note", type="std_msgs/String")
    assert client.next()["msg"] == {"data": "kept"}


def test_two_subscriptions_end_one_by_one(stage, client):
    client.send("subscribe", topic="/small", id="a", compression="cbor")
    client.send("subscribe", topic="/small", id="b")
    client.settle()
    stage.publish("/small", data=1)
    assert isinstance(client.connection.recv(60.0), bytes), "cbor counts, as with the standard server"
    client.send("unsubscribe", topic="/small", id="a")
    client.settle()
    stage.publish("/small", data=2)
    assert isinstance(client.connection.recv(60.0), str)
    client.send("unsubscribe", topic="/small", id="b")
    client.settle()
    stage.publish("/small", data=3)
    assert client.silent()


def test_a_service_answers_or_says_why_not(stage, client):
    answer = client.call("/event", args={"request": {"gear": 4}})
    assert answer["result"] is True
    assert answer["values"]["response"]["gear"] == 4
    assert client.call("/event", args=[{"gear": 3}])["values"]["response"]["gear"] == 3
    refused = client.call("/event", args={"request": {"gear": 9}})
    assert refused["result"] is False
    assert "no gear 9" in refused["values"]
    wrong = client.call("/event", args={"request": {"gears": 1}})
    assert (wrong["result"], "no field gears" in wrong["values"]) == (False, True)
    missing = client.call("/nothing")
    assert (missing["result"], missing["values"]) == (False, "there is no service /nothing")


def test_a_service_that_waits_holds_nobody(stage, client):
    client.send("call_service", service="/event", id="slow", args={"request": {"gear": 8}})
    client.settle()
    stage.release.release()
    assert client.next()["id"] == "slow", "the answer that was asked for later came earlier"


def test_a_service_answers_in_cbor(client):
    answer = client.call("/event", args={"request": {"gear": 4}}, compression="cbor")
    assert answer["values"]["response"]["gear"] == 4


def test_clients_tell_each_other_of_topics_and_services(server, client):
    with client_of(server) as other:
        client.send("advertise", topic="/mine", type="my_msgs/Thing")
        client.send("advertise", topic="/number", type="std_msgs/Int32")
        client.send("advertise_service", service="/add", type="my_srvs/Add")
        client.settle()
        other.send("subscribe", topic="/mine")
        other.send("subscribe", topic="/number", compression="cbor-raw")
        other.settle()
        client.send("publish", topic="/mine", msg={"a": [1, None, "x"]})
        assert other.next() == {"op": "publish", "topic": "/mine", "msg": {"a": [1, None, "x"]}}
        client.send("publish", topic="/number", msg={"data": -2})
        assert other.next()["msg"]["bytes"] == struct.pack("<i", -2)
        other.send("call_service", service="/add", args={"a": 1}, id="mine")
        asked = client.next()
        assert (asked["op"], asked["service"], asked["args"]) == ("call_service", "/add", {"a": 1})
        client.send("service_response", service="/add", id=asked["id"], values={"sum": 3}, result=True)
        assert other.next() == {
            "op": "service_response",
            "service": "/add",
            "values": {"sum": 3},
            "result": True,
            "id": "mine",
        }
        other.send("call_service", service="/add", args={"a": 2})
        client.next()
        client.connection.close()
        answer = other.next()
        assert answer["result"] is False
        assert "gone" in answer["values"]
        assert other.call("/rosapi/topic_type", args={"topic": "/mine"})["values"]["type"] == ""


def test_a_command_is_heard_by_the_simulator_and_by_clients(stage, server, client):
    stage.heard.clear()
    with client_of(server) as other:
        other.send("subscribe", topic="/heard")
        other.settle()
        client.send("advertise", topic="/heard", type="std_msgs/String")
        client.send("publish", topic="/heard", msg={"data": "go"})
        assert other.next()["msg"] == {"data": "go"}
    wait_for(lambda: stage.heard == ["go"])


@pytest.mark.parametrize(
    ("operation", "problem"),
    [
        ({"op": "fly"}, "unknown operation"),
        ({"op": "subscribe"}, '"topic" is missing'),
        ({"op": "subscribe", "topic": 5}, '"topic" is not a text'),
        ({"op": "subscribe", "topic": "/nobody"}, "its type must be given"),
        ({"op": "subscribe", "topic": "/small", "type": "std_msgs/String"}, "has the type std_msgs/Int32"),
        ({"op": "subscribe", "topic": "/small", "compression": "zip"}, "compression must be one of"),
        ({"op": "subscribe", "topic": "/small", "throttle_rate": -1}, '"throttle_rate" must be a number'),
        ({"op": "advertise", "topic": "/small", "type": "std_msgs/Int32"}, "is published by the simulator"),
        ({"op": "advertise", "topic": "/heard", "type": "std_msgs/Int32"}, "has the type std_msgs/String"),
        ({"op": "publish", "topic": "/small", "msg": {}}, "is published by the simulator"),
        ({"op": "publish", "topic": "/unknown", "msg": {}}, "is not advertised"),
        ({"op": "publish", "topic": "/heard", "msg": {"data": 1}}, "data: 1 in place of a text"),
        ({"op": "publish", "topic": "/heard", "msg": {"text": "x"}}, "there is no field text"),
        ({"op": "advertise_service", "service": "/event", "type": "x/Y"}, "is provided by the simulator"),
        ({"op": "unadvertise_service", "service": "/zzz"}, "is not a service of this client"),
        ({"op": "service_response", "id": "no", "service": "/add"}, "no call waits"),
        ({"op": "call_service"}, '"service" is missing'),
        ({"op": "set_level", "level": "loud"}, "a level must be one of"),
        ({"op": "fragment", "id": "x", "num": 3, "total": 2, "data": ""}, "num and total"),
    ],
)
def test_what_is_wrong_is_answered_and_counted(stage, client, operation, problem):
    before = stage.hub.counts["ROS refused"]
    client.connection.send(json.dumps({**operation, "id": operation.get("id", "i")}))
    answer = client.next()
    assert (answer["op"], answer["level"], answer["id"]) == ("status", "error", operation.get("id", "i"))
    assert answer["msg"].startswith(f"{operation['op']}: ")
    assert problem in answer["msg"]
    assert stage.hub.counts["ROS refused"] == before + 1
    assert stage.told[-1][0] == "ROS refused"
    client.settle()


@pytest.mark.parametrize(
    "frame",
    [
        "",
        "{",
        "[]",
        "5",
        '{"op": 5}',
        "[" * 100_000,
        b"\xff\xff",
        b"\xa1",
        b"\x05\0\0\0\0",
        b"\xd8\x1c\x81\xd8\x1d\x00",
    ],
)
def test_junk_is_answered_and_the_client_goes_on(client, frame):
    client.connection.send(frame)
    answer = client.next()
    assert (answer["op"], answer["level"]) == ("status", "error")
    assert "malformed message" in answer["msg"]
    client.settle()


def test_levels_silence_the_server(client):
    client.send("set_level", level="none")
    client.send("fly")
    client.send("auth", mac="", client="", dest="", rand="", t=0, level="", end=0)
    assert client.next() == {"op": "status", "level": "info", "msg": "no authentication is needed"}
    client.settle()


def test_a_client_that_speaks_bson_is_answered_so(stage, client):
    def ask(**operation: Any) -> None:
        client.connection.send(bson.encode(operation))

    ask(op="subscribe", topic="/cloud")
    ask(op="call_service", service="/rosapi/topic_type", args={"topic": "/cloud"}, id="t")
    assert bson.decode(client.connection.recv(60.0))["values"] == {"type": "sensor_msgs/PointCloud2"}
    stage.publish("/cloud", data=np.arange(5, dtype=np.uint8))
    assert bson.decode(client.connection.recv(60.0))["msg"]["data"] == bytes(range(5))
