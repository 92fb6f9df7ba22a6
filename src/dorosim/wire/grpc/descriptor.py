"""Message classes and procedures of the three gRPC APIs, from the descriptor set that `make proto` generates.

The classes live in a descriptor pool of their own, so a user may import the product's stubs, or others with the same
names, in the same process. The set is read when it is first asked for.

Source: facts/ros-grpc-mgeo.md section 2. Which API a path belongs to: design/seams.md, "Codes left open by the
documents".
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pkgutil import get_data
from typing import TYPE_CHECKING, Any, Literal

from google.protobuf import descriptor_pool, message_factory
from google.protobuf.descriptor_pb2 import FileDescriptorSet

if TYPE_CHECKING:
    from collections.abc import Iterator

    from google.protobuf.descriptor import ServiceDescriptor
    from google.protobuf.message import Message

Api = Literal["documented", "standard", "dorosim"]


DROP_KEY, DROP_YES = "dorosim-drop", "1"
"""Metadata of a call that makes something which is to be put on the ground; the product's interface has no field."""
SEED_KEY = "dorosim-seed"
"""Metadata of Simulation/Start: the seed of the run, in decimal; the product's interface has no field."""
RUN_KEY = "dorosim-run"
"""Trailing metadata of each answer: the id of the run, which says to a client whether it has reached the right one."""


@dataclass(frozen=True, slots=True)
class Method:
    """A procedure.

    Attributes:
        api: of the public gRPC document, of the Standard API, or of dorosim's own.
        service: full name of its service, as in "morai_sim_api.actor.Actor".
        name: its name in the service.
        request: class of the request, or of each one of a stream.
        response: class of the response, or of each one of a stream.
        client_streaming: the client sends a stream.
        server_streaming: the server answers with a stream.
    """

    api: Api
    service: str
    name: str
    request: type[Message]
    response: type[Message]
    client_streaming: bool
    server_streaming: bool

    @property
    def path(self) -> str:
        """The path of the HTTP/2 request, "/pkg.Service/Name"."""
        return f"/{self.service}/{self.name}"


def api_of(full_name: str) -> Api:
    """The API that a message, enum or service belongs to, by its package."""
    package = full_name.partition(".")[0]
    return "dorosim" if package == "dorosim" else "standard" if package == "morai_sim_api" else "documented"


@cache
def message_class(full_name: str) -> type[Message]:
    """The class of a message, such as "morai_msgs.EgoState" or "morai_sim_api.actor.VehicleSpawnParam".

    Raises:
        KeyError: there is no such message.
    """
    kind: type[Message] = message_factory.GetMessageClass(pool().FindMessageTypeByName(full_name))
    return kind


class MessagePackage:
    """The classes of the messages of a package as its attributes, and the packages in it: `SIM_API.actor.ActorState`.

    Args:
        name: full name of the package.
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        """The class of a message, else a package."""
        full_name = f"{self._name}.{name}"
        try:
            found: Any = message_class(full_name)
        except KeyError:
            found = MessagePackage(full_name)
        setattr(self, name, found)  # the next time it is found without a call
        return found


MORAI_MSGS, SIM_API = MessagePackage("morai_msgs"), MessagePackage("morai_sim_api")
"""Messages of the documented API, and of the Standard API."""


@cache
def methods() -> tuple[Method, ...]:
    """All procedures, service by service, in the order of the .proto files."""
    return tuple(method for service in _services() for method in _methods_of(service))


def method_of(path: str) -> Method | None:
    """The procedure that a client calls.

    The exact path decides first. Any other path means the documented API by its last segment, whatever its package and
    service are called: no document gives their names.

    Args:
        path: of the HTTP/2 request, "/pkg.Service/Name".

    Returns:
        The procedure, or None where there is no such one.
    """
    return _by_path().get(path) or _documented().get(path.rpartition("/")[2])


@cache
def pool() -> descriptor_pool.DescriptorPool:
    """The pool that holds the descriptors of all three APIs and nothing else."""
    return _load()[0]


@cache
def file_names() -> tuple[str, ...]:
    """The .proto files, each after those that it imports."""
    return _load()[1]


@cache
def _load() -> tuple[descriptor_pool.DescriptorPool, tuple[str, ...]]:
    data = get_data(__package__, "generated/descriptors.binpb")
    files = FileDescriptorSet.FromString(data).file
    made = descriptor_pool.DescriptorPool()
    for file in files:
        made.AddSerializedFile(file.SerializeToString())
    return made, tuple(file.name for file in files)


def _services() -> Iterator[ServiceDescriptor]:
    for name in file_names():
        yield from pool().FindFileByName(name).services_by_name.values()


def _methods_of(service: ServiceDescriptor) -> Iterator[Method]:
    for method in service.methods:
        yield Method(
            api_of(service.full_name),
            service.full_name,
            method.name,
            message_class(method.input_type.full_name),
            message_class(method.output_type.full_name),
            method.client_streaming,
            method.server_streaming,
        )


@cache
def _by_path() -> dict[str, Method]:
    return {method.path: method for method in methods()}


@cache
def _documented() -> dict[str, Method]:
    return {method.name: method for method in methods() if method.api == "documented"}
