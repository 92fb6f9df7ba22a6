"""Names of 300 letters, on every interface: a sentence, and never a fault of dorosim."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import product
from typing import Any

import grpc
import pytest
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message

from dorosim.app.serve.grpc_service import GrpcService
from dorosim.app.serve.ros.service import RosService
from dorosim.app.setting.settings import GrpcSettings, RosSettings, Settings, UdpSettings
from dorosim.app.store.folder import MAX_NAME_LENGTH, inside
from dorosim.endpoint.ros.hub import ServiceError
from dorosim.ground.error import InputError
from dorosim.wire.grpc.descriptor import methods
from tests.app.command import dorosim
from tests.app.network import network_file
from tests.app.program import Program, until
from tests.app.serve.ros.program import KERNELS
from tests.port import free_port

LONG = ("x" * 300, "/x" * 150, "é" * 300)


class Served(Program):
    """A program with gRPC and ROS."""

    def __init__(self, folder) -> None:
        self.listen = free_port()
        settings = Settings(
            udp=UdpSettings(network=str(network_file(folder, self.listen, free_port()))),
            grpc=GrpcSettings(address="127.0.0.1:0", step_patience_s=0.2),
            ros=RosSettings(server=f"127.0.0.1:{free_port()}"),
        )
        super().__init__(folder, settings)
        served, ros = self.add(GrpcService), self.add(RosService)
        self.start()
        until(lambda: served._server is not None and ros._hub is not None and ros._hub._place is not None, KERNELS)
        self.hub = ros._hub
        self.channel = grpc.insecure_channel(f"127.0.0.1:{served._server.port}")

    def close(self) -> None:
        self.channel.close()
        super().close()


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    made = Served(tmp_path_factory.mktemp("program"))
    yield made
    made.close()


def text_fields(descriptor: Descriptor, depth: int = 3) -> Iterator[tuple[FieldDescriptor, ...]]:
    """The way to each text of a message, through the messages in it."""
    for field in descriptor.fields:
        if field.type == FieldDescriptor.TYPE_STRING:
            yield (field,)
        elif field.message_type is not None and depth and not field.message_type.GetOptions().map_entry:
            yield from ((field, *way) for way in text_fields(field.message_type, depth - 1))


def with_text(request: Message, way: tuple[FieldDescriptor, ...], text: str) -> Message:
    """A request of which one text is said, and nothing else."""
    part = request
    for field in way[:-1]:
        part = getattr(part, field.name)
        part = part.add() if field.is_repeated else part
    if way[-1].is_repeated:
        getattr(part, way[-1].name).append(text)
    else:
        setattr(part, way[-1].name, text)
    return request


UNARY = [method for method in methods() if not method.client_streaming and not method.server_streaming]


@pytest.mark.parametrize("method", UNARY, ids=lambda method: method.path)
def test_every_procedure_says_why_it_does_not_take_it(program, method):
    call = program.channel.unary_unary(method.path, method.request.SerializeToString, method.response.FromString)
    for way, text in product(text_fields(method.request.DESCRIPTOR), LONG):
        request = with_text(method.request(), way, text)
        code, details = grpc.StatusCode.OK, ""
        try:
            call(request, timeout=60.0)
        except grpc.RpcError as error:
            code, details = error.code(), error.details()
        assert code not in (grpc.StatusCode.INTERNAL, grpc.StatusCode.UNKNOWN), details
        assert "\n" not in details


def test_every_service_of_ros_says_why_it_does_not_take_it(program):
    for name, provided in program.hub.provided.items():
        for text in LONG:
            request = program.hub.registry.make(f"{provided.type}Request")
            write(request, text)
            with suppress(ServiceError):
                program.hub.call(name, request, "test", KERNELS)
    assert not program.hub.counts["ROS internal error"]


def test_every_topic_of_ros_takes_it_without_a_fault(program):
    for name, subscribed in program.hub.subscribed.items():
        for text in LONG:
            message = program.hub.registry.make(subscribed.type)
            write(message, text)
            program.hub.receive(name, message, "test")
    assert not program.hub.counts["ROS internal error"]


def write(message: Any, text: str) -> None:
    """Let every text of a ROS message be one and the same."""
    for name in message.__dataclass_fields__:
        value = getattr(message, name)
        if isinstance(value, str) and name != "__msgtype__":
            object.__setattr__(message, name, text)
        elif hasattr(value, "__dataclass_fields__"):
            write(value, text)


@pytest.mark.parametrize("text", LONG)
def test_a_name_inside_a_folder_says_how_long_it_may_be(tmp_path, text):
    with pytest.raises(InputError) as refused:
        inside(tmp_path, text * 10, ".rec")
    assert f"give one of at most {MAX_NAME_LENGTH}" in str(refused.value)
    assert len(str(refused.value)) < 200
    assert inside(tmp_path, "y" * (MAX_NAME_LENGTH - 4), ".rec").parent == tmp_path


@pytest.mark.parametrize(
    "option",
    [
        *("--record", "--save-snapshot", "--save-scenario", "--save-sensors", "--from-snapshot", "--scenario"),
        *("--sensors", "--map", "--network", "--vehicle", "--link", "--revision", "--config", "--bag"),
    ],
)
def test_every_option_says_why_it_does_not_take_it(tmp_path, option):
    net = network_file(tmp_path, free_port(), free_port())
    more = () if option == "--network" else ("--network", net)
    done = dorosim("run", "-q", *more, "--data", tmp_path, "--duration", "0.01", "--speed", "max", option, "x" * 300)
    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stderr
