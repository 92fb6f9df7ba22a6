"""Random messages of every class, for hypothesis."""

from __future__ import annotations

from functools import cache

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message_factory import GetMessageClass
from hypothesis import strategies as st

from dorosim.wire.grpc.descriptor import file_names, pool

F = FieldDescriptor
SCALARS = {
    F.TYPE_DOUBLE: st.floats(allow_nan=False, allow_infinity=False),
    F.TYPE_FLOAT: st.floats(allow_nan=False, allow_infinity=False, width=32),
    F.TYPE_INT32: st.integers(-(2**31), 2**31 - 1),
    F.TYPE_INT64: st.integers(-(2**63), 2**63 - 1),
    F.TYPE_UINT32: st.integers(0, 2**32 - 1),
    F.TYPE_UINT64: st.integers(0, 2**64 - 1),
    F.TYPE_BOOL: st.booleans(),
    F.TYPE_STRING: st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=12),
    F.TYPE_BYTES: st.binary(max_size=12),
}


def all_descriptors() -> list[Descriptor]:
    """Every message of the three APIs, those inside others too."""
    found = []
    waiting = [m for name in file_names() for m in pool().FindFileByName(name).message_types_by_name.values()]
    while waiting:
        found.append(waiting.pop())
        waiting += found[-1].nested_types
    return sorted(found, key=lambda descriptor: descriptor.full_name)


@cache
def messages(descriptor: Descriptor) -> st.SearchStrategy:
    """Sound messages of one class."""
    kind = GetMessageClass(descriptor)
    fields = {field.name: _field(field) for field in descriptor.fields}
    return st.fixed_dictionaries({}, optional=fields).map(lambda values: kind(**values))


def _field(field: FieldDescriptor) -> st.SearchStrategy:
    if field.message_type is not None:
        value = messages(field.message_type)
    elif field.enum_type is not None:
        value = st.sampled_from(sorted(field.enum_type.values_by_number))
    else:
        value = SCALARS[field.type]
    return st.lists(value, max_size=3) if field.is_repeated else value
