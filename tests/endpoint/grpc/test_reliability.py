"""Whatever clients send, or stop sending, the run goes on and the next call is answered."""

import inspect
import socket
import threading

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from dorosim.bridge.grpc.catalogue import procedures
from dorosim.endpoint.grpc.server import GrpcLimits, is_quick
from dorosim.wire.grpc.descriptor import methods
from tests.bridge.grpc.stage import method_named
from tests.endpoint.grpc.peer import Peer, served
from tests.timing import wait_for

Code = grpc.StatusCode


@pytest.fixture(scope="module")
def peer(tmp_path_factory) -> Peer:
    limits = GrpcLimits(workers=4, streams=2, message=1 << 20, entries=1000, timeout=20.0)
    with served(tmp_path_factory.mktemp("served"), limits=limits) as made:
        yield made


def refused(peer: Peer, name: str, **fields) -> grpc.RpcError:
    with pytest.raises(grpc.RpcError) as failed:
        peer.ask(name, **fields)
    return failed.value


def goes_on(peer: Peer) -> bool:
    """Whether the run ticks and answers."""
    before = peer.loop.now.tick
    wait_for(lambda: peer.loop.now.tick >= before + 3)
    return peer.ask("Resume").success


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity"])
def test_numbers_that_are_none_are_named_and_refused(peer, number):
    error = refused(peer, "SetEgoCtrlCmd", longCmdType=1, accel=number)
    assert error.code() is Code.INVALID_ARGUMENT
    assert "accel" in error.details()
    assert goes_on(peer)


def test_codes_that_nobody_knows_are_refused(peer):
    error = refused(peer, "SendEgoCruiseCtrl", cruise_on=True, cruise_type=77)
    assert error.code() is Code.INVALID_ARGUMENT
    assert "cruise_type" in error.details()


def test_lists_without_end_are_refused(peer):
    error = refused(peer, "CreateObstacle", req_list=[{"unique_id": str(number)} for number in range(1001)])
    assert error.code() is Code.INVALID_ARGUMENT
    assert "1,001" in error.details() or "1001" in error.details()
    assert goes_on(peer)


def test_a_message_that_is_too_large_is_refused_before_it_is_read(peer):
    error = refused(peer, "LoadMap", map_name="x" * (2 << 20))
    assert error.code() is Code.RESOURCE_EXHAUSTED
    assert goes_on(peer)


def test_bytes_that_are_not_grpc_at_all_close_their_connection_only(peer):
    for junk in (b"GET / HTTP/1.1\r\n\r\n", b"\x00" * 4096, b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\xff" * 500):
        with socket.create_connection(("127.0.0.1", peer.server.port), 5.0) as sock:
            sock.sendall(junk)
            sock.settimeout(60.0)
            try:
                while sock.recv(4096):
                    pass
            except OSError:
                pass
    assert goes_on(peer)


def test_clients_that_vanish_in_the_middle_of_a_call_leave_no_trace(peer):
    for _ in range(20):
        channel = grpc.insecure_channel(f"127.0.0.1:{peer.server.port}")
        call = channel.unary_unary("/any.Service/Pause", lambda _: b"", lambda data: data)
        call.future(b"")
        channel.close()
    assert goes_on(peer)


def test_deadlines_and_cancellation_end_the_call_and_not_the_run(peer, monkeypatch):
    real, over = peer.loop.inbox.put_all, threading.Event()

    def put_late(*given):
        over.wait(60.0)
        real(*given)

    call = peer.channel.unary_unary("/any.Service/Resume", lambda _: b"", lambda data: data)
    with monkeypatch.context() as slow:
        slow.setattr(peer.loop.inbox, "put_all", put_late)
        with pytest.raises(grpc.RpcError) as failed:
            call(b"", timeout=0.1)
        over.set()
    assert failed.value.code() is Code.DEADLINE_EXCEEDED
    future = call.future(b"")
    future.cancel()
    assert goes_on(peer)


def test_a_run_that_stands_still_is_told_to_whoever_waits(tmp_path):
    with served(tmp_path, limits=GrpcLimits(timeout=0.2)) as peer:
        peer.loop.stop()
        peer.thread.join(30.0)
        error = refused(peer, "Pause")
        assert error.code() in (Code.UNAVAILABLE, Code.DEADLINE_EXCEEDED)
        assert "run" in error.details() or "tick" in error.details()


def test_between_two_runs_calls_are_told_to_come_again(tmp_path):
    with served(tmp_path) as peer:
        peer.server.serve(None)
        error = refused(peer, "Pause")
        assert error.code() is Code.UNAVAILABLE
        assert "ask again" in error.details()


def test_a_request_is_done_whole_or_not_at_all(peer):
    """All commands of a request are in one tick, whatever comes between."""
    noisy = threading.Event()

    def flood() -> None:
        while not noisy.is_set():
            peer.ask("Resume")

    threads = [threading.Thread(target=flood) for _ in range(2)]
    for thread in threads:
        thread.start()
    ticks = []
    real = peer.loop.inbox.put_all

    def put_all(source, commands, on_outcomes=None, *sender):
        def noted(now, outcomes):
            ticks.append((now.tick, len(outcomes), len(commands)))
            on_outcomes(now, outcomes)

        real(source, commands, noted, *sender)

    peer.loop.inbox.put_all = put_all
    for _ in range(10):
        peer.ask("Resume")
    peer.loop.inbox.put_all = real
    noisy.set()
    for thread in threads:
        thread.join(60.0)
    assert ticks
    assert all(done == asked for _, done, asked in ticks)


def test_questions_are_answered_while_commands_hold_every_thread(tmp_path):
    limits = GrpcLimits(workers=2, streams=1, timeout=10.0)
    with served(tmp_path, limits=limits, speed=5e-4) as slow:  # a tick takes 20 s
        method = method_named("Simulation/Resume")
        resume = slow.channel.unary_unary(method.path, method.request.SerializeToString, method.response.FromString)
        waiting = [resume.future(method.request()) for _ in range(8)]
        assert slow.ask("Environment/GetWeather", timeout=8.0) is not None
        assert not any(one.done() for one in waiting)
        for one in waiting:
            one.cancel()


def test_what_is_called_a_quick_question_never_waits_for_the_world():
    quick = [method for method in methods() if is_quick(method) and method.path in procedures()]
    assert len(quick) > 30
    for method in quick:
        answer = inspect.signature(procedures()[method.path]).return_annotation
        assert "DeferredReply" not in str(answer), f"{method.name} may ask for a tick"


class Talk:
    """A stream of reflection that is open and says nothing more."""

    def __init__(self, peer: Peer) -> None:
        self.over = threading.Event()
        asked = reflection_pb2.ServerReflectionRequest(list_services="")

        def requests():
            yield asked
            self.over.wait(60.0)

        stub = reflection_pb2_grpc.ServerReflectionStub(peer.channel)
        self.answers = stub.ServerReflectionInfo(requests())

    def close(self) -> None:
        self.over.set()


def test_streams_of_reflection_and_health_count_among_streams_and_shut_out_no_call(peer):
    talks = [Talk(peer) for _ in range(2)]
    assert all(next(talk.answers).list_services_response.service for talk in talks)
    for more in (
        Talk(peer).answers,
        health_pb2_grpc.HealthStub(peer.channel).Watch(health_pb2.HealthCheckRequest()),
    ):
        with pytest.raises(grpc.RpcError) as failed:
            next(more)
        assert failed.value.code() is Code.RESOURCE_EXHAUSTED
        assert "2 streams are open" in failed.value.details()
    assert goes_on(peer)
    for talk in talks:
        talk.close()
        assert list(talk.answers) == []
    watching = health_pb2_grpc.HealthStub(peer.channel).Watch(health_pb2.HealthCheckRequest())
    assert next(watching).status == health_pb2.HealthCheckResponse.SERVING
    watching.cancel()
