"""The gRPC server over real sockets: any package name, statuses with sentences, reflection and health."""

import time
from dataclasses import replace

import grpc
import pytest

from dorosim.endpoint.grpc.server import MAX_KEPT_REQUEST, kept_request
from tests.endpoint.grpc.peer import Peer, served


@pytest.fixture(scope="module")
def peer(tmp_path_factory) -> Peer:
    with served(tmp_path_factory.mktemp("served")) as made:
        yield made


def test_a_call_is_answered_after_the_tick_that_applied_it(peer):
    assert peer.ask("Pause").success
    assert peer.loop.now.paused
    assert peer.ask("Simulation/Resume").status == 1
    assert not peer.loop.now.paused


@pytest.mark.parametrize("package", ["morai.v1.Whatever", "MoraiService", "a.b.c.D"])
def test_a_client_may_have_compiled_any_package(peer, package):
    assert peer.ask("Resume", package=package).success


def test_an_unknown_procedure_is_unimplemented(peer):
    call = peer.channel.unary_unary("/any.Service/NoSuchThing", lambda _: b"", lambda data: data)
    with pytest.raises(grpc.RpcError) as failed:
        call(b"", timeout=60.0)
    assert failed.value.code() is grpc.StatusCode.UNIMPLEMENTED
    assert peer.told[-1] == (
        "gRPC unknown procedure",
        "/any.Service/NoSuchThing: served are the documented API and the Standard API",
    )


def test_bytes_that_are_no_message_are_refused(peer):
    call = peer.channel.unary_unary("/morai_msgs.MoraiService/LoadMap", lambda _: b"\xff\xff\xff", lambda data: data)
    with pytest.raises(grpc.RpcError) as failed:
        call(b"", timeout=60.0)
    assert failed.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert "not a valid morai_msgs.Map" in failed.value.details()
    assert peer.ask("Resume").success


def test_reflection_lists_all_services_and_health_says_that_it_serves(peer):
    from google.protobuf.descriptor_pool import DescriptorPool
    from grpc_health.v1 import health_pb2, health_pb2_grpc
    from grpc_reflection.v1alpha.proto_reflection_descriptor_database import ProtoReflectionDescriptorDatabase

    database = ProtoReflectionDescriptorDatabase(peer.channel)
    assert {"morai_msgs.MoraiService", "morai_sim_api.actor.Actor", "dorosim.Bulk"} <= set(database.get_services())
    spawn = DescriptorPool(database).FindMessageTypeByName("morai_sim_api.actor.VehicleSpawnParam")
    assert [field.name for field in spawn.fields] == ["spawn_info", "velocity", "pause", "multi_ego"]
    ask = health_pb2_grpc.HealthStub(peer.channel).Check
    for service in ("", "morai_msgs.MoraiService", "morai_sim_api.simulation.Simulation", "dorosim.Bulk"):
        answer = ask(health_pb2.HealthCheckRequest(service=service))
        assert answer.status == health_pb2.HealthCheckResponse.SERVING


@pytest.mark.parametrize("version", ["v1alpha", "v1"])
def test_reflection_resolves_every_service_that_it_lists(peer, version):
    """Also those that the libraries bring: health's, and its own."""
    from google.protobuf import descriptor_pb2
    from grpc_reflection.v1alpha import reflection_pb2 as messages

    path = f"/grpc.reflection.{version}.ServerReflection/ServerReflectionInfo"
    encode, decode = messages.ServerReflectionRequest.SerializeToString, messages.ServerReflectionResponse.FromString
    ask = peer.channel.stream_stream(path, encode, decode)

    def answers(*requests):
        return list(ask(iter([messages.ServerReflectionRequest(**one) for one in requests]), timeout=60.0))

    (listed,) = answers({"list_services": ""})
    services = [one.name for one in listed.list_services_response.service]
    own = [f"grpc.reflection.{one}.ServerReflection" for one in ("v1alpha", "v1")]
    assert {"grpc.health.v1.Health", "morai_msgs.MoraiService", *own} <= set(services)
    symbols = [*services, "grpc.health.v1.HealthCheckRequest", f"{own[1]}.ServerReflectionInfo"]
    for symbol, answer in zip(symbols, answers(*({"file_containing_symbol": one} for one in symbols)), strict=True):
        assert answer.WhichOneof("message_response") == "file_descriptor_response", symbol
        files = [
            descriptor_pb2.FileDescriptorProto.FromString(one)
            for one in answer.file_descriptor_response.file_descriptor_proto
        ]
        assert any(symbol.startswith(f"{file.package}.") for file in files)
    (by_name,) = answers({"file_by_filename": "grpc/reflection/v1/reflection.proto"})
    (file,) = map(descriptor_pb2.FileDescriptorProto.FromString, by_name.file_descriptor_response.file_descriptor_proto)
    assert file.service[0].method[0].input_type == ".grpc.reflection.v1.ServerReflectionRequest"
    for unknown in ({"file_containing_symbol": "no.Such"}, {"file_by_filename": "no.proto"}):
        (answer,) = answers(unknown)
        assert answer.error_response.error_code == grpc.StatusCode.NOT_FOUND.value[0]
        assert answer.original_request == messages.ServerReflectionRequest(**unknown)


def test_a_command_waits_for_kernels_as_long_as_its_client_does_and_is_not_done_later(peer):
    ready, asked = peer.server.place, []

    def never(seconds: float) -> bool:
        asked.append(seconds)
        time.sleep(max(seconds, 0.0))
        return False

    peer.server.serve(replace(ready, ready=never))
    try:
        tick = peer.loop.now.tick
        with pytest.raises(grpc.RpcError, match="kernels are compiled, once, up to a minute; ask again") as failed:
            peer.ask("Environment/SetWeather", type=1, timeout=3.0)
        assert failed.value.code() is grpc.StatusCode.UNAVAILABLE
        assert 0.0 < asked[0] < 3.0
        assert peer.loop.now.tick > tick, "the run goes on meanwhile"
        assert peer.loop.now.environment.weather[0] == 0
        assert peer.ask("Simulator/GetAvailableMaps") is not None, "what reads needs none"
        waits = len(asked)
        row = {"fault_location": 2, "fault_class": 1, "fault_subclass": 101}
        fault = peer.ask(
            "Actor/SetVehicleFaultInjection",
            actor_info={"id": {"value": "Ego"}},
            type="VEHICLE_FAULT_TYPE_CONTROL",
            control=[row],
        )
        assert fault.status == 1, fault.description
        assert peer.ask("Pause").success
        assert peer.loop.now.paused
        assert len(asked) == waits, "a fault needs none, and a pause"
    finally:
        peer.server.serve(ready)
    assert peer.ask("Resume").success


def test_the_last_exchange_is_kept_but_no_request_that_fills_the_memory(peer):
    peer.ask("Map/GetMGeo", value="town")
    kept = peer.server.last_values["gRPC Map/GetMGeo"]
    assert kept.request.value == "town"
    assert kept_request(kept.request, bytes(MAX_KEPT_REQUEST)) is kept.request
    assert str(kept_request(kept.request, bytes(MAX_KEPT_REQUEST + 1))) == "1,048,577 bytes, which are not kept"
