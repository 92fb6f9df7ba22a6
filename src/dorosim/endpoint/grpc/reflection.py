"""Server reflection, in both versions of its protocol, for tools such as grpcurl and grpcui.

What a tool may ask for stands in two pools of descriptors: that of the interfaces, which has the product's messages and
none of the libraries', and protobuf's own, in which the libraries registered health and reflection. A symbol is looked
up in the one, then in the other. The messages of v1 are those of v1alpha, field by field, under another name, so one
servicer answers both (https://github.com/grpc/grpc-proto, grpc/reflection/v1/reflection.proto).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import grpc
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from grpc_reflection.v1alpha import reflection, reflection_pb2

V1ALPHA = str(reflection.SERVICE_NAME)
V1 = "grpc.reflection.v1.ServerReflection"
REFLECTIONS = (V1ALPHA, V1)
"""Names of both services."""
_V1_FILE = "grpc/reflection/v1/reflection.proto"


class Pools:
    """Several pools as one, as the reflection servicer asks them.

    Args:
        pools: of which the first that has something counts.
    """

    def __init__(self, pools: Sequence[Any]) -> None:
        self._pools = tuple(pools)

    def FindFileByName(self, name: str) -> Any:  # noqa: N802  # names of DescriptorPool
        """The file of a name; as of `DescriptorPool`."""
        return self._first(lambda pool: pool.FindFileByName(name))

    def FindFileContainingSymbol(self, name: str) -> Any:  # noqa: N802
        """The file of a symbol; as of `DescriptorPool`, and of a procedure, which the protocol calls a symbol too."""
        try:
            return self._first(lambda pool: pool.FindFileContainingSymbol(name))
        except KeyError:
            service, _, method = name.rpartition(".")
            found = self._first(lambda pool: pool.FindServiceByName(service))
            return found.methods_by_name[method].containing_service.file

    def FindMessageTypeByName(self, name: str) -> Any:  # noqa: N802
        """A message; as of `DescriptorPool`."""
        return self._first(lambda pool: pool.FindMessageTypeByName(name))

    def FindExtensionByNumber(self, message: Any, number: int) -> Any:  # noqa: N802
        """An extension of a message; as of `DescriptorPool`."""
        return message.file.pool.FindExtensionByNumber(message, number)

    def FindAllExtensions(self, message: Any) -> Any:  # noqa: N802
        """All extensions of a message; as of `DescriptorPool`."""
        return message.file.pool.FindAllExtensions(message)

    def _first(self, find: Callable[[Any], Any]) -> Any:
        for pool in self._pools[:-1]:
            try:
                return find(pool)
            except KeyError:
                continue
        return find(self._pools[-1])


def add_reflection(server: Any, names: Iterable[str], pool: Any) -> None:
    """Serve reflection in both versions.

    Args:
        server: of grpc.
        names: of all other services.
        pool: descriptors of those that the libraries do not have themselves.
    """
    v1 = _V1Messages()
    pools = Pools((pool, v1.pool, descriptor_pool.Default()))
    servicer = reflection.ReflectionServicer((*names, *REFLECTIONS), pools)
    both = (
        (V1ALPHA, reflection_pb2.ServerReflectionRequest, reflection_pb2.ServerReflectionResponse),
        (V1, v1.request, v1.response),
    )
    for name, request, response in both:
        handler = grpc.stream_stream_rpc_method_handler(
            _answering(servicer, response), request.FromString, lambda answer: answer.SerializeToString()
        )
        server.add_generic_rpc_handlers(
            (grpc.method_handlers_generic_handler(name, {"ServerReflectionInfo": handler}),)
        )


def _answering(servicer: Any, response: Any) -> Callable[[Any, Any], Any]:
    """What answers requests of either version by messages of one: both have the same bytes."""

    def answer(requests: Any, context: Any) -> Any:
        asked = (reflection_pb2.ServerReflectionRequest.FromString(one.SerializeToString()) for one in requests)
        for found in servicer.ServerReflectionInfo(asked, context):
            yield response.FromString(found.SerializeToString())

    return answer


class _V1Messages:
    """The messages of version 1.

    Attributes:
        pool: has them, and nothing else. request, response: of the one procedure.
    """

    def __init__(self) -> None:
        self.pool = descriptor_pool.DescriptorPool()
        self.pool.AddSerializedFile(_v1_file().SerializeToString())
        names = ("ServerReflectionRequest", "ServerReflectionResponse")
        self.request, self.response = (
            message_factory.GetMessageClass(self.pool.FindMessageTypeByName(f"grpc.reflection.v1.{name}"))
            for name in names
        )


def _v1_file() -> Any:
    """The file of version 1: that of version 1 alpha under other names."""
    file = descriptor_pb2.FileDescriptorProto()
    reflection_pb2.DESCRIPTOR.CopyToProto(file)
    file.name, file.package = _V1_FILE, "grpc.reflection.v1"
    old, new = ".grpc.reflection.v1alpha.", ".grpc.reflection.v1."
    for message in file.message_type:
        for field in message.field:
            if field.type_name:  # a name that is set to nothing is set
                field.type_name = field.type_name.replace(old, new)
    for service in file.service:
        for method in service.method:
            method.input_type = method.input_type.replace(old, new)
            method.output_type = method.output_type.replace(old, new)
    return file
