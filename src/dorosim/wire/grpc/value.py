"""gRPC messages as text, field by field."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from dorosim.wire.value_text import Exchange, Plain, ValueText, value_texts

if TYPE_CHECKING:
    from google.protobuf.descriptor import EnumDescriptor


def grpc_texts(value: Message | Exchange) -> Iterator[ValueText]:
    """The fields of a message, or of an exchange of two; messages in one that are not set are left out."""
    return value_texts(value, _fields_of)


def _fields_of(value: Any) -> Iterable[tuple[str, Any]] | None:
    if not isinstance(value, Message):
        return None
    return [
        (one.name, _shown(one, getattr(value, one.name))) for one in value.DESCRIPTOR.fields if _is_there(one, value)
    ]


def _is_there(field: FieldDescriptor, message: Message) -> bool:
    return not field.has_presence or message.HasField(field.name)


def _shown(field: FieldDescriptor, value: Any) -> Any:
    """A value; codes with their names."""
    codes = field.enum_type
    if codes is None:
        return value
    return [_code(codes, one) for one in value] if field.is_repeated else _code(codes, value)


def _code(codes: EnumDescriptor, value: int) -> Plain:
    known = codes.values_by_number.get(value)
    return Plain(value if known is None else f"{value} {known.name}")
