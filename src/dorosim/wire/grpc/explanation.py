"""What the .proto files say in comments about procedures, messages, fields and codes, for the reference page."""

from __future__ import annotations

from pkgutil import get_data
from typing import TYPE_CHECKING, Self

from google.protobuf.descriptor_pb2 import FileDescriptorSet

if TYPE_CHECKING:
    from collections.abc import Iterator

    from google.protobuf.descriptor_pb2 import FileDescriptorProto

_LISTS = {"message_type", "enum_type", "service", "nested_type", "field", "value", "method", "oneof_decl"}
"""The fields of descriptors that hold named things."""


class Explanations:
    """Comments by the full names of what they stand at.

    Args:
        texts: by full name, such as "morai_msgs.EgoState.velocity"; codes of enums by the name of their enum,
            such as "morai_msgs.TrafficLight.LightColor.SG"; files by their path.
    """

    def __init__(self, texts: dict[str, str]) -> None:
        self._texts = texts

    @classmethod
    def load(cls) -> Self:
        """Read the commented descriptor set that `make proto` generates."""
        data = get_data("dorosim.wire.grpc", "generated/comments.binpb")
        texts: dict[str, str] = {}
        for file in FileDescriptorSet.FromString(data).file:
            texts.update(_texts_of(file))
        return cls(texts)

    def of(self, full_name: str) -> str:
        """The comment at a procedure, message, field, enum, code or file; empty where there is none.

        Its lines are joined; only comments of files have several paragraphs, with an empty line between them.
        """
        return self._texts.get(full_name, "")


def _texts_of(file: FileDescriptorProto) -> Iterator[tuple[str, str]]:
    for location in file.source_code_info.location:
        # a comment stands before its subject, or behind it on the same line
        paragraphs = f"{location.leading_comments} {location.trailing_comments}".split("\n\n")
        text = "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)
        if text:
            yield _name_at(file, list(location.path)), text


def _name_at(file: FileDescriptorProto, path: list[int]) -> str:
    """The full name of what a path of field numbers and indexes leads to; the file's path for the file itself."""
    names, thing = [file.package], file
    for number, index in zip(path[::2], path[1::2], strict=False):
        field = thing.DESCRIPTOR.fields_by_number[number].name
        if field not in _LISTS:
            break
        thing = getattr(thing, field)[index]
        names.append(thing.name)
    return ".".join(names) if len(names) > 1 else str(file.name)
