"""The rosbridge client, seen by a server that is stricter than the standard one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pytest

from dorosim.endpoint.ros.rosbridge.client import RosbridgeClient
from tests.endpoint.ros.stage import EPOCH, Stage
from tests.endpoint.ros.strict_bridge import StrictBridge, strict_bridge
from tests.timing import wait_for


@contextmanager
def client_of(stage: Stage, bridge: StrictBridge) -> Iterator[RosbridgeClient]:
    stage.told.clear()
    encoding = "bson" if bridge.bson else "json"
    client = RosbridgeClient(stage.hub, f"ws://127.0.0.1:{bridge.port}", encoding, lambda _: None)
    client.start()
    try:
        wait_for(lambda: client.connected)
        yield client
    finally:
        client.close()


@pytest.mark.parametrize("bson_only", [False, True])
def test_topics_and_services_go_both_ways(stage, bson_only):
    stage.heard.clear()
    with strict_bridge(bson_only=bson_only) as bridge, client_of(stage, bridge):
        wait_for(lambda: len(bridge.of("publish", topic="/Ego_topic")) > 10)
        for topic, published in stage.hub.published.items():
            assert bridge.of("advertise", topic=topic, type=published.type)
        for topic, subscribed in stage.hub.subscribed.items():
            assert bridge.of("subscribe", topic=topic, type=subscribed.type)
        assert bridge.of("publish", topic="/Ego_topic")[0]["msg"]["header"]["stamp"]["secs"] >= EPOCH // 10**9
        stage.publish("/cloud", data=np.arange(1000, dtype=np.uint8))
        stage.publish("/scan", ranges=np.array([1.5, 2.5], np.float32))
        scan = wait_for(lambda: bridge.of("publish", topic="/scan"))
        assert scan[0]["msg"]["ranges"] == [1.5, 2.5]
        assert bridge.of("publish", topic="/cloud")
        bridge.send(op="publish", topic="/heard", msg={"data": "go"})
        wait_for(lambda: stage.heard == ["go"])
        request = {"op": "call_service", "id": "service_request:/event:1", "service": "/event"}
        bridge.send(**request, args={"request": {"gear": 4}})
        answer = wait_for(lambda: bridge.of("service_response"))[0]
        assert (answer["result"], answer["id"]) == (True, request["id"])
        assert answer["values"]["response"]["gear"] == 4
        bridge.send(**request, args={"request": {"gear": 9}})
        refused = wait_for(lambda: bridge.of("service_response", result=False))[0]
        assert "no gear 9" in refused["values"]
        assert bridge.problems == []
    assert {one["topic"] for one in bridge.of("unadvertise")} == set(stage.hub.published)
    assert bridge.of("unadvertise_service", service="/event")
    assert bridge.problems == []


@pytest.mark.parametrize("bson_only", [False, True])
def test_infinities_come_through(stage, bson_only):
    with strict_bridge(bson_only=bson_only) as bridge, client_of(stage, bridge):
        stage.publish("/scan", range_max=np.inf, ranges=np.array([1.5, np.inf], np.float32))
        scan = wait_for(lambda: bridge.of("publish", topic="/scan"))[0]["msg"]
        assert (scan["range_max"], scan["ranges"]) == (np.inf, [1.5, np.inf])
        assert bridge.problems == [], "the standard server refuses null for a number, and takes Infinity"


def test_it_connects_again(stage):
    with strict_bridge() as bridge, client_of(stage, bridge) as client:
        wait_for(lambda: bridge.of("publish", topic="/Ego_topic"))
        port = bridge.port
        bridge.close()
        wait_for(lambda: not client.connected)
        wait_for(lambda: any(kind == "ROS bridge" for kind, _ in stage.told))
        with strict_bridge(port=port) as again:
            wait_for(lambda: again.of("publish", topic="/Ego_topic"))
            assert len(again.of("advertise")) == len(stage.hub.published)
            assert again.problems == []


def test_what_the_server_sends_wrong_is_counted(stage):
    with strict_bridge() as bridge, client_of(stage, bridge):
        bridge.send(op="publish", topic="/heard", msg={"data": 5})
        bridge.send(op="publish", topic="/other", msg={})
        bridge.send(op="fly")
        bridge.send(op="status", level="error", msg="something")
        wait_for(lambda: len([kind for kind, _ in stage.told if kind.startswith("ROS")]) >= 4)
    texts = " ".join(text for _, text in stage.told)
    for part in ("data: 5 in place of a text", "/other was not subscribed to", "not expected: fly", "something"):
        assert part in texts


def test_topics_that_come_and_go_are_advertised(stage):
    extra = stage.hub.published["/small"]
    with strict_bridge() as bridge, client_of(stage, bridge):
        wait_for(lambda: bridge.of("advertise", topic="/small"))
        stage.hub.announce((), gone=("/small",))
        wait_for(lambda: bridge.of("unadvertise", topic="/small"))
        stage.hub.announce((extra,))
        wait_for(lambda: len(bridge.of("advertise", topic="/small")) == 2)
        stage.publish("/small", data=3)
        assert wait_for(lambda: bridge.of("publish", topic="/small"))[0]["msg"] == {"data": 3}


def test_calls_of_one_service_leave_room_for_those_of_others(stage):
    stage.heard.clear()
    stage.held.clear()
    with strict_bridge() as bridge, client_of(stage, bridge):
        for number in range(20):
            bridge.send(op="call_service", id=str(number), service="/event", args={"request": {"gear": 8}})
        bridge.send(op="publish", topic="/heard", msg={"data": "after the calls"})
        wait_for(lambda: stage.heard)
        wait_for(lambda: len(stage.held) >= 8)
        assert len(stage.held) == 8
        stage.release.release(20)
        wait_for(lambda: len(bridge.of("service_response", result=True)) == 20)
    assert len(stage.held) == 20
