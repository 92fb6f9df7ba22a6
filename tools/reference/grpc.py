"""The reference page of the gRPC APIs, from the .proto files and their comments."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import TYPE_CHECKING

from google.protobuf.descriptor_pb2 import FieldDescriptorProto

from dorosim.bridge.grpc.catalogue import procedures, without_effect
from dorosim.bridge.grpc.constant_field import CONSTANT
from dorosim.wire.grpc.descriptor import Api, Method, api_of, file_names, methods, pool
from dorosim.wire.grpc.explanation import Explanations
from tools.reference.markdown import table

if TYPE_CHECKING:
    from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor

TITLES: dict[Api, tuple[str, str]] = {
    "documented": ("The documented API", "morai_msgs.proto"),
    "standard": ("The Standard API", "morai/common/type.proto"),
    "dorosim": ("dorosim's own API", "dorosim/bulk.proto"),
}
"""By API: title of its chapter, and the file whose comment opens it."""
_SCALARS = {number: name.removeprefix("TYPE_").lower() for name, number in FieldDescriptorProto.Type.items()}


def grpc_page() -> str:
    """The page of all procedures, messages and codes, and of what dorosim does with them."""
    support, idle = support_of_procedures(), without_effect()
    explanations = Explanations.load()
    parts = [
        "# gRPC\n\n",
        "`dorosim grpc proto DIR` writes the .proto files. A call is told apart by its path: the exact path of the\n"
        "Standard API or of dorosim's own comes first; any other path means the documented API by its last part,\n"
        "whatever package and service are called. Units stand in brackets.\n",
    ]
    for api, (title, file) in TITLES.items():
        parts.append(f"\n## {title}\n\n{explanations.of(file)}\n")
        own = [method for method in methods() if method.api == api]
        for service, group in groupby(own, lambda method: method.service):
            parts.append(f"\n### {service}\n\n{explanations.of(service)}\n\n")
            parts.append(_procedures(group, explanations, support))
        fields = {key: why for key, why in idle.get(api, {}).items() if "." in key}
        if fields:
            parts.append(f"\n### Fields without effect: {title}\n\nThey are accepted, and change nothing.\n\n")
            parts.append(table(["field", "why"], [[f"`{key}`", why] for key, why in sorted(fields.items())]))
        same = CONSTANT.get(api, {})
        if same:
            parts.append(f"\n### Fields of answers that are always the same: {title}\n\nThey tell nothing.\n\n")
            parts.append(table(["field", "why"], [[f"`{key}`", why] for key, why in sorted(same.items())]))
        messages = sorted(_messages(api), key=lambda kind: str(kind.full_name))
        parts += [_message_section(kind, explanations) for kind in messages]
        enums = sorted(_enums(api), key=lambda codes: str(codes.full_name))
        parts += [_enum_section(codes, explanations) for codes in enums]
    return "".join(parts)


def support_of_procedures() -> dict[str, str]:
    """What dorosim does with each procedure, by its path."""
    done, idle = procedures(), without_effect()
    found = {}
    for method in methods():
        short = f"{method.service.rpartition('.')[2]}/{method.name}"
        why = idle.get(method.api, {}).get(short, "")
        if method.server_streaming:
            found[method.path] = "yes, as a stream"
        elif method.path not in done:
            found[method.path] = "no"
        else:
            found[method.path] = f"it answers: {why}" if why else "yes"
    return found


def anchor(full_name: str) -> str:
    """The fragment by which a heading is linked to."""
    return full_name.replace(".", "").lower()


def _link(full_name: str) -> str:
    return f"[{full_name.rpartition('.')[2]}](#{anchor(full_name)})"


def _procedures(group: Iterable[Method], explanations: Explanations, support: Mapping[str, str]) -> str:
    head = ["procedure", "request", "response", "meaning", "supported, and how"]
    rows = [
        [
            f"`{method.name}`",
            ("stream of " if method.client_streaming else "") + _link(method.request.DESCRIPTOR.full_name),
            ("stream of " if method.server_streaming else "") + _link(method.response.DESCRIPTOR.full_name),
            explanations.of(f"{method.service}.{method.name}"),
            support[method.path],
        ]
        for method in group
    ]
    return table(head, rows)


def _messages(api: Api) -> Iterator[Descriptor]:
    waiting = [kind for name in file_names() for kind in pool().FindFileByName(name).message_types_by_name.values()]
    while waiting:
        kind = waiting.pop()
        waiting += kind.nested_types
        if api_of(kind.full_name) == api:
            yield kind


def _enums(api: Api) -> Iterator[EnumDescriptor]:
    for name in file_names():
        for codes in pool().FindFileByName(name).enum_types_by_name.values():
            if api_of(codes.full_name) == api:
                yield codes
    for kind in _messages(api):
        yield from kind.enum_types


def _message_section(kind: Descriptor, explanations: Explanations) -> str:
    text = f"\n#### {kind.full_name}\n\n{explanations.of(kind.full_name)}\n"
    if not kind.fields:
        return text
    rows = [(field.number, f"`{field.name}`", _type(field), explanations.of(field.full_name)) for field in kind.fields]
    return f"{text}\n{table(('no', 'field', 'type', 'meaning'), rows)}"


def _type(field: FieldDescriptor) -> str:
    kind = field.message_type or field.enum_type
    return ("repeated " if field.is_repeated else "") + (_link(kind.full_name) if kind else _SCALARS[field.type])


def _enum_section(codes: EnumDescriptor, explanations: Explanations) -> str:
    text = f"\n#### {codes.full_name}\n\n{explanations.of(codes.full_name)}\n\n"
    meanings = [explanations.of(f"{codes.full_name}.{code.name}") for code in codes.values]
    if not any(meanings):
        return text + ", ".join(f"{code.number} `{code.name}`" for code in codes.values) + "\n"
    rows = [(code.number, f"`{code.name}`", text) for code, text in zip(codes.values, meanings, strict=True)]
    return text + table(("number", "name", "meaning"), rows)
