"""Leaf fields of messages: what they are called, and messages in which one of them is another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from google.protobuf.descriptor import Descriptor, FieldDescriptor

from dorosim.wire.grpc.descriptor import Method

Path = tuple[FieldDescriptor, ...]
"""The fields that lead from a message to a number, text or code in it."""
TEXTS = (
    *("Ego", "car", "bus", "npc", "walker", "walker2", "box", "box2", "gate", "gate2", "door2", "pool", "pool2"),
    *("1", "2", "3", "4", "me", "other", "A", "B", "C", "D", "L", "M", "_50_0_R1_", "TL000002", "IntTL1", "IntTL2"),
    *("", "2018_Hyundai_ElecCity", "child", "cone", "Ice", "foggy", "red", "none_such"),
)
"""Texts, of which every one means something somewhere in the worlds of the tests, but for the last."""
F = FieldDescriptor
INTEGERS = (F.TYPE_INT32, F.TYPE_INT64, F.TYPE_UINT32, F.TYPE_UINT64)


def leaves_of(descriptor: Descriptor, before: Path = ()) -> Iterator[Path]:
    """Every leaf of a message, in the order of its fields."""
    for field in descriptor.fields:
        if field.message_type is None:
            yield (*before, field)
        else:
            yield from leaves_of(field.message_type, (*before, field))


def name_of(path: Path) -> str:
    """As in "req_list[].position.x"."""
    return ".".join(field.name + ("[]" if field.is_repeated else "") for field in path)


def keys_of(method: Method, path: Path) -> Iterator[str]:
    """By which a table may list a leaf: by a procedure or a message, and the field or what it is in."""
    name = method.name if method.api == "documented" else f"{method.service.rpartition('.')[2]}/{method.name}"
    for start in range(len(path)):
        for end in range(start + 1, len(path) + 1):
            tail = ".".join(field.name for field in path[start:end])
            yield f"{path[start].containing_type.name}.{tail}"
            if start == 0:
                yield f"{name}.{tail}"


def listed(method: Method, path: Path, table: Mapping[str, str]) -> list[str]:
    """The keys of a table that a leaf comes under."""
    return [key for key in dict.fromkeys(keys_of(method, path)) if key in table]


def values_at(message: Any, path: Path) -> Iterator[Any]:
    """All values of a leaf: one for each entry of the lists that it is in."""
    for holder in _holders(message, path[:-1], unset=True):
        value = getattr(holder, path[-1].name)
        yield from value if path[-1].is_repeated else (value,)


def _holders(message: Any, path: Path, *, unset: bool = False) -> Iterator[Any]:
    """The messages that hold the last field of a path; those that are not set only if they are asked for."""
    if not path:
        yield message
        return
    field, *rest = path
    if field.is_repeated:
        parts: Iterable[Any] = getattr(message, field.name)
    else:
        parts = (getattr(message, field.name),) if unset or message.HasField(field.name) else ()
    for part in parts:
        yield from _holders(part, tuple(rest), unset=unset)


def others(message: Any, path: Path) -> Iterator[Any]:
    """Copies of a message in each of which a leaf has another value, at one place; none where it is within nothing."""
    for place, holder in enumerate(_holders(message, path[:-1])):
        field = path[-1]
        present = getattr(holder, field.name)
        for value in _other_lists(field, list(present)) if field.is_repeated else _other_values(field, present):
            copy = type(message)()
            copy.CopyFrom(message)
            changed = list(_holders(copy, path[:-1]))[place]
            if field.is_repeated:
                del getattr(changed, field.name)[:]
                getattr(changed, field.name).extend(value)
            else:
                setattr(changed, field.name, value)
            yield copy


def _other_lists(field: FieldDescriptor, present: list[Any]) -> Iterator[list[Any]]:
    for row, value in enumerate(present):
        for another in _other_values(field, value):
            yield [*present[:row], another, *present[row + 1 :]]


def _other_values(field: FieldDescriptor, present: Any) -> Iterator[Any]:
    """First such as are likely to be allowed."""
    if field.type == F.TYPE_BOOL:
        yield not present
        return
    if field.type == F.TYPE_ENUM:
        wanted: Iterable[Any] = (*(code for code in field.enum_type.values_by_number if code), 0)
    elif field.type == F.TYPE_STRING:
        wanted = TEXTS
    elif field.type in INTEGERS:
        wanted = (present + 1, abs(present - 1), 2 * present, 1, 2, 3, 4, 8, 0)
    else:
        wanted = (0.5 * present, present + 0.25, 1.5 * present + 1.0, -present, 0.0)
    yield from (value for value in dict.fromkeys(wanted) if value != present)
