"""The message types of a morai_msgs generation, by the `.msg` and `.srv` files beside this module.

rosbags parses the text, and makes a class, an encoder and a decoder of each message type. A message is an instance of
such a class: `registry.make("morai_msgs/CtrlCmd", accel=0.2)`.

Sources: facts/ros_msgs.json (fields and md5 sums of three generations), facts/ros-grpc-mgeo.md, 1.2 and 1.5; ROS
package documentation of std_msgs, geometry_msgs, sensor_msgs, tf2_msgs and rosgraph_msgs for the others.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from hashlib import md5
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

import numpy as np
from rosbags.interfaces import Nodetype
from rosbags.serde import SerdeError
from rosbags.typesys import Stores, get_types_from_msg, get_typestore

from dorosim.wire.error import RosError

GENERATIONS = ("2022", "2024", "24.r2", "26.r1")
"""Of morai_msgs, in order: a later one replaces messages and adds some (facts/ros-grpc-mgeo.md, 1.2). As published,
24.r2 has fields of a type `uint`, which ROS does not know; its users wrote uint32 instead, as 26.r1 does."""
DEFAULT_GENERATION = "2024"
_GONE = {"2024": ("SyncModeAddObj", "SyncModeRemoveObj")}
"""Messages that a generation no longer has."""
BULK = 1 << 16
"""Size of an array [bytes] from which on it is not copied into a message."""
FILLER = "structure_needs_at_least_one_member"
"""The field that rosbags gives messages that have none."""
MAX_SEQUENCE_LENGTH = 1 << 24
"""Most entries of a list in bytes from outside."""


@dataclass(frozen=True, slots=True)
class ServiceType:
    """A service type.

    Attributes:
        name: as "morai_msgs/MoraiEventCmdSrv". md5: of both parts.
        request, response: names of the types of both, as "morai_msgs/MoraiEventCmdSrvRequest".
        text: its definition, with `---` between both parts.
    """

    name: str
    md5: str
    request: str
    response: str
    text: str


@cache
def registry_of(generation: str) -> Registry:
    """The message types of a generation, made once."""
    return Registry(generation)


class Registry:
    """Message and service types.

    Args:
        generation: of morai_msgs, one of `GENERATIONS`.

    Raises:
        ValueError: there is no such generation.

    Attributes:
        generation: the same. types: names of the message types. services: service types by name.
    """

    def __init__(self, generation: str = DEFAULT_GENERATION) -> None:
        if generation not in GENERATIONS:
            raise ValueError(f"no generation {generation!r} of morai_msgs")
        self.generation = generation
        texts, services = _texts(generation)
        parts = {name: _halves(text) for name, text in services.items()}
        for name, (request, response) in parts.items():
            texts[f"{name}Request"], texts[f"{name}Response"] = request, response
        self._texts = texts
        self._store = get_typestore(Stores.EMPTY)
        self._store.max_sequence_length = MAX_SEQUENCE_LENGTH
        parsed: dict[str, Any] = {}
        for name, text in texts.items():
            parsed.update(get_types_from_msg(text, _inside(name)))
        self._store.register(parsed)
        self.types = tuple(sorted(texts))
        self._bulks: dict[str, tuple[str, int]] = {}
        self._makers: dict[str, _Maker] = {}
        self.services = {name: self._service(name, text) for name, text in services.items()}
        _fields_of_any()  # reads files: better on the thread that makes a registry than on one that makes messages

    def has(self, name: str) -> bool:
        """Whether there is a message type."""
        return name in self._texts

    def make(self, name: str, /, **fields: Any) -> Any:
        """A message; fields that are not given are 0, "" or empty.

        Args:
            name: of the type, as "morai_msgs/CtrlCmd".
            fields: values. A field that this generation lacks, and another one has, is left out.

        Raises:
            RosError: there is no such type, or no generation has such a field.
        """
        maker = self._makers.get(name)
        if maker is None:
            maker = self._makers[name] = self._maker(name)
        return maker.make(fields)

    def kind(self, name: str) -> Any:
        """The class of a message type, which takes the values of all fields in their order; faster than `make`.

        Raises:
            RosError: there is no such type.
        """
        return self._class(name)

    def encode(self, message: Any) -> bytes | memoryview:
        """A message as ROS 1 sends it (serialisation of roscpp and rospy), without its length.

        Raises:
            RosError: a field holds what it cannot.
        """
        name = message.__msgtype__
        try:
            return self._store.serialize_ros1(message, name)
        except (SerdeError, ValueError, TypeError, AttributeError, OverflowError, struct.error) as error:
            raise RosError(f"{_outside(name)} cannot be written: {error}") from None

    def encode_parts(self, message: Any) -> tuple[bytes | memoryview, ...]:
        """The same bytes in parts, of which a long array of bytes, as clouds and images have it, is not copied.

        Raises:
            RosError: a field holds what it cannot.
        """
        name = message.__msgtype__
        field, after = self._bulks.get(name) or self._bulks.setdefault(name, self._bulk(name))
        data = getattr(message, field) if field else None
        if not isinstance(data, np.ndarray) or data.dtype != np.uint8 or data.nbytes < BULK:
            return (self.encode(message),)
        others = {one: getattr(message, one) for one, _ in self.fields(name)}
        shell = memoryview(self.encode(type(message)(**{**others, field: np.zeros(0, np.uint8)})))
        at = len(shell) - after
        return (
            shell[: at - 4],
            struct.pack("<I", data.size),
            memoryview(np.ascontiguousarray(data).reshape(-1).data),
            shell[at:],
        )

    def _bulk(self, name: str) -> tuple[str, int]:
        """The last field of a type that is a list of bytes, and how many bytes come after it; "" for none."""
        after = 0
        for field, (kind, detail) in reversed(self.fields(name)):
            if kind == Nodetype.SEQUENCE and detail[0] == (Nodetype.BASE, ("uint8", 0)):
                return field, after
            if kind != Nodetype.BASE or detail[0] not in _SIZES:
                break
            after += _SIZES[detail[0]]
        return "", 0

    def decode(self, name: str, data: bytes | memoryview) -> Any:
        """The message in bytes of ROS 1.

        Raises:
            RosError: they are none.
        """
        self._class(name)
        try:
            return self._store.deserialize_ros1(data, _inside(name))
        except (SerdeError, ValueError, MemoryError, IndexError, struct.error) as error:
            raise RosError(f"{len(data)} bytes that are not a valid {name}: {error}") from None

    def fields(self, name: str) -> tuple[tuple[str, Any], ...]:
        """Fields of a type in order, with their shapes: (Nodetype, ...) of rosbags.

        Raises:
            RosError: there is no such type.
        """
        self._class(name)
        return tuple(one for one in self._store.fielddefs[_inside(name)][1] if one[0] != FILLER)

    def constants(self, name: str) -> tuple[tuple[str, Any], ...]:
        """Constants of a type in order, with their values.

        Raises:
            RosError: there is no such type.
        """
        self._class(name)
        return tuple((constant, value) for constant, _, value in self._store.fielddefs[_inside(name)][0])

    def md5(self, name: str) -> str:
        """The md5 sum by which ROS distinguishes message types.

        Raises:
            RosError: there is no such type.
        """
        return self._described(name)[1]

    def definition(self, name: str) -> str:
        """The text of a message type and of all that it holds, as ROS writes them into bags and headers.

        Raises:
            RosError: there is no such type.
        """
        return self._described(name)[0]

    def text(self, name: str) -> str:
        """The definition of a message type alone, as it stands in its file.

        Raises:
            RosError: there is no such type.
        """
        if name not in self._texts:
            raise RosError(f"there is no message type {name}")
        return self._texts[name]

    def _described(self, name: str) -> tuple[str, str]:
        self._class(name)
        return self._store.generate_msgdef(_inside(name), ros_version=1)

    def _class(self, name: str) -> Any:
        kind = self._store.types.get(_inside(name))
        if kind is None:
            raise RosError(f"there is no message type {name}")
        return kind

    def _service(self, name: str, text: str) -> ServiceType:
        request, response = f"{name}Request", f"{name}Response"
        digest = md5(usedforsecurity=False)
        for part in (request, response):
            digest.update(self._hashed(part).encode())
        return ServiceType(name, digest.hexdigest(), request, response, text)

    def _hashed(self, name: str) -> str:
        """The text whose md5 sum is that of a part of a service: types of ROS packages stand as their md5 sums."""
        lines = []
        for line in _code_lines(self._texts[name]):
            kind, _, rest = line.partition(" ")
            base = kind.partition("[")[0]
            inner = next((one for one in (base, f"{name.partition('/')[0]}/{base}") if one in self._texts), None)
            lines.append(line if inner is None else f"{self.md5(inner)} {rest}")
        return "\n".join(lines)

    def _maker(self, name: str) -> _Maker:
        constants: dict[str, Any] = {} if self.fields(name) else {FILLER: 0}
        factories: list[tuple[str, Callable[[], Any]]] = []
        for field, shape in self.fields(name):
            default = self._default(shape)
            if callable(default):
                factories.append((field, default))
            else:
                constants[field] = default
        return _Maker(name, self._class(name), constants, tuple(factories))

    def _default(self, shape: Any) -> Any:
        """The value of a field that is not given: a number or a text, or a function that makes a mutable value."""
        kind, detail = shape
        if kind == Nodetype.NAME:
            return partial(self._blank, detail)
        if kind == Nodetype.BASE:
            return _ZEROS.get(detail[0], 0)
        (inner, of), length = detail
        if inner == Nodetype.NAME:
            return lambda: [self._blank(of) for _ in range(length)]
        if of[0] == "string":
            return lambda: [""] * length
        return partial(np.zeros, length, _DTYPES.get(of[0], of[0]))

    def _blank(self, inside: str) -> Any:
        return self.make(_outside(inside)) if inside not in _TIMES else self._store.types[inside](0, 0)

    def time(self, moment: int) -> Any:
        """A moment [ns since 1970] as the `time` of ROS."""
        seconds, rest = divmod(moment, 1_000_000_000)
        return self._store.types["builtin_interfaces/msg/Time"](seconds, rest)

    @property
    def duration_class(self) -> Any:
        """The class of `duration`, made of seconds and nanoseconds."""
        return self._store.types["builtin_interfaces/msg/Duration"]


@dataclass(frozen=True, slots=True)
class _Maker:
    """Makes messages of a type.

    Attributes:
        name, kind: of the type.
        constants: values of fields that are not given. factories: make the mutable ones of these values.
    """

    name: str
    kind: Any
    constants: dict[str, Any]
    factories: tuple[tuple[str, Callable[[], Any]], ...]

    def make(self, fields: dict[str, Any]) -> Any:
        """See `Registry.make`."""
        values = self.constants | fields
        for field, factory in self.factories:
            if field not in fields:
                values[field] = factory()
        if len(values) != len(self.constants) + len(self.factories):
            self._drop_foreign(values)
        return self.kind(**values)

    def _drop_foreign(self, values: dict[str, Any]) -> None:
        """Take out fields that only other generations have."""
        foreign = values.keys() - self.constants.keys() - {field for field, _ in self.factories}
        unknown = foreign - _fields_of_any().get(self.name, frozenset())
        if unknown:
            raise RosError(f"{self.name} has no field {', '.join(sorted(unknown))}")
        for field in foreign:
            del values[field]


_ZEROS: dict[str, Any] = {"string": "", "bool": False, "float32": 0.0, "float64": 0.0}
_SIZES = {"bool": 1, "uint8": 1, "int8": 1, "uint16": 2, "int16": 2, "uint32": 4, "int32": 4, "float32": 4}
"""Of base types, where one comes after a long array."""
_DTYPES = {"bool": np.bool_, "byte": np.int8, "char": np.uint8}
_TIMES = frozenset({"builtin_interfaces/msg/Time", "builtin_interfaces/msg/Duration"})


def _texts(generation: str) -> tuple[dict[str, str], dict[str, str]]:
    """Definitions of messages and services by name."""
    found: tuple[dict[str, str], dict[str, str]] = ({}, {})
    root = files("dorosim.wire.ros").joinpath("definition")
    for layer in ("common", *GENERATIONS[: GENERATIONS.index(generation) + 1]):
        for package in sorted(root.joinpath(layer).iterdir(), key=_name):
            for file in sorted(package.iterdir(), key=_name):
                stem, _, ending = file.name.rpartition(".")
                found[ending == "srv"][f"{package.name}/{stem}"] = file.read_text("utf-8")
        for gone in _GONE.get(layer, ()):
            del found[0][f"morai_msgs/{gone}"]
    return found


def _name(place: Traversable) -> str:
    return place.name


@cache
def _fields_of_any() -> dict[str, frozenset[str]]:
    """Names of the fields that each message type has in any generation; of services each of both parts has one."""
    found: dict[str, frozenset[str]] = {}
    for generation in GENERATIONS:
        texts, services = _texts(generation)
        for name, text in services.items():
            texts[f"{name}Request"], texts[f"{name}Response"] = _halves(text)
        for name, text in texts.items():
            names = {line.partition("=")[0].split()[1] for line in _code_lines(text)}
            found[name] = found.get(name, frozenset()) | names
    return found


def _halves(text: str) -> tuple[str, str]:
    request, _, response = text.partition("---")
    return request.strip("\n"), response.strip("\n")


def _code_lines(text: str) -> list[str]:
    return [line for line in (part.partition("#")[0].strip() for part in text.splitlines()) if line]


@lru_cache(maxsize=1024)
def _inside(name: str) -> str:
    """A ROS 1 name as rosbags has it: "morai_msgs/msg/CtrlCmd"."""
    package, _, rest = name.partition("/")
    return name if "/msg/" in name else f"{package}/msg/{rest}"


def _outside(name: str) -> str:
    return name.replace("/msg/", "/")
