"""The stream of ego states over a real socket."""

from __future__ import annotations

import itertools
import json
import queue
import threading
import time
from collections.abc import Iterator

import grpc
import pytest

from dorosim.endpoint.command_gateway import CommandGateway
from dorosim.endpoint.grpc.connect import STREAMS
from dorosim.endpoint.grpc.server import GrpcLimits
from dorosim.wire.grpc.descriptor import message_class
from dorosim.world.actor.command import PauseRun
from tests.bridge.grpc.stage import method_named
from tests.endpoint.grpc.peer import Peer, served
from tests.timing import wait_for

EGO_STATE, MULTI = "/morai_msgs/EgoState", "/morai_msgs/MultiEgoState"
Request = message_class("morai_msgs.ServiceRequest")


@pytest.fixture(scope="module")
def peer(tmp_path_factory) -> Iterator[Peer]:
    with served(tmp_path_factory.mktemp("served"), dict(STREAMS), GrpcLimits(streams=4)) as made:
        yield made


class Connection:
    """A stream whose requests are sent one by one."""

    def __init__(self, peer: Peer, package: str = "morai_msgs.MoraiService") -> None:
        method = method_named("Connect")
        self._requests: queue.Queue = queue.Queue()
        call = peer.channel.stream_stream(
            f"/{package}/Connect", method.request.SerializeToString, method.response.FromString
        )
        self.answers = call(iter(self._requests.get, None), timeout=240.0)

    def send(self, service_name: str = "", msg: str = "") -> None:
        self._requests.put(Request(service_name=service_name, msg=msg))

    def close_own_side(self) -> None:
        self._requests.put(None)

    def take(self, count: int) -> list:
        return list(itertools.islice(self.answers, count))

    def cancel(self) -> None:
        self.answers.cancel()
        self._requests.put(None)


@pytest.fixture
def connection(peer) -> Iterator[Connection]:
    made = Connection(peer)
    yield made
    made.cancel()


def spent_by(peer, connection, count: int) -> float:
    """Simulated time in which so many answers come [s]; too long for once where the machine is busy."""
    before = peer.loop.now.time
    connection.take(count)
    return (peer.loop.now.time - before) / 1e9


def test_states_come_at_fifty_hertz_of_simulated_time(peer, connection):
    connection.send(EGO_STATE)
    connection.take(1)
    wait_for(lambda: spent_by(peer, connection, 25) == pytest.approx(0.5, abs=0.1))
    answers = connection.take(1)
    assert {answer.service_name for answer in answers} == {EGO_STATE}
    state = json.loads(answers[-1].msg)
    assert state["unique_id"] == "Ego"
    assert set(state) >= {"position", "velocity", "rotation", "accel", "link_id", "tl_id", "tl_color"}
    assert state["position"]["x"] == pytest.approx(peer.loop.now.vehicle.x[0], abs=1.0)


def test_states_go_on_in_a_pause(peer, connection):
    """At the same rate, by ticks: simulated time stands."""
    connection.send(EGO_STATE)
    connection.take(1)
    gateway = CommandGateway(peer.loop)
    gateway.do([PauseRun(paused=True)])
    try:
        stood = peer.loop.now.time

        def ticks_of_twenty() -> int:
            before = peer.loop.now.tick
            assert len(connection.take(20)) == 20
            return peer.loop.now.tick - before

        wait_for(lambda: ticks_of_twenty() >= 30)  # one in two ticks, after those that were on their way
        assert peer.loop.now.time == stood
    finally:
        gateway.do([PauseRun(paused=False)])


@pytest.mark.parametrize("msg", ["10", '{"rate": 10}'])
def test_a_request_may_say_another_rate(peer, connection, msg):
    connection.send(EGO_STATE, msg)
    connection.take(1)
    wait_for(lambda: spent_by(peer, connection, 4) == pytest.approx(0.4, abs=0.15))


def test_several_requests_on_one_stream_and_an_end_of_one(peer, connection):
    peer.ask(
        "SendCreateMultiEgoVehicle",
        req_list=[{"unique_id": "second", "vehicleName": "2016_Hyundai_Ioniq", "position": {"x": 1}, "pause": True}],
    )
    connection.send(EGO_STATE)
    connection.take(2)
    connection.send(MULTI, "20")
    several = connection.take(20)
    wait_for(
        lambda: {answer.service_name for answer in several} == {EGO_STATE, MULTI} or several.extend(connection.take(5))
    )
    multi = json.loads(next(answer.msg for answer in several if answer.service_name == MULTI))
    assert "second" in [state["unique_id"] for state in multi["multi_ego_state_list"]]
    connection.send(EGO_STATE, "0")
    for _ in range(50):  # those that are on their way already still come
        kinds = {answer.service_name for answer in connection.take(5)}
        if kinds == {MULTI}:
            break
    assert kinds == {MULTI}


def test_a_request_that_says_nothing_means_both_kinds(connection):
    connection.send()
    assert {answer.service_name for answer in connection.take(4)} == {EGO_STATE, MULTI}


def test_a_client_may_close_its_own_side_and_listen_on(peer):
    made = Connection(peer, "some.Other")
    made.send(EGO_STATE)
    made.close_own_side()
    assert len(made.take(5)) == 5
    made.answers.cancel()


def test_a_stream_that_asks_for_nothing_ends(peer):
    made = Connection(peer)
    made.close_own_side()
    assert made.take(1) == []


@pytest.mark.parametrize(("name", "msg"), [("/morai_msgs/Nothing", ""), (EGO_STATE, "fast"), (EGO_STATE, "-1")])
def test_a_wrong_request_ends_the_stream_with_a_sentence(connection, name, msg):
    connection.send(name, msg)
    with pytest.raises(grpc.RpcError) as failed:
        connection.take(1)
    assert failed.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert "Connect" in failed.value.details()


@pytest.mark.soak
def test_a_stream_of_a_run_that_is_over_waits_and_costs_nothing(tmp_path):
    with served(tmp_path, dict(STREAMS)) as over:
        made = Connection(over)
        made.send(EGO_STATE)
        made.take(2)
        over.loop.stop()
        over.loop.end()
        threading.Event().wait(0.3)
        before = time.process_time()
        threading.Event().wait(0.5)
        assert time.process_time() - before < 0.2
        made.cancel()


def test_streams_of_clients_that_vanish_are_given_free(peer):
    for _ in range(10):
        made = Connection(peer)
        made.send(EGO_STATE)
        assert made.take(1)
        made.cancel()
        wait_for(lambda: sum(thread.name == "dorosim-connect" for thread in threading.enumerate()) <= 2)
