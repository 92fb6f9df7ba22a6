"""How the records of OpenSCENARIO are declared: a class is the table of its type, over all versions of the standard.

A class for each named type says with its fields which attributes and elements the type has, since which version, until
when they must be there, and since when they are deprecated. The reader (`dorosim.scenario.openscenario.read`) and the
check against a version (`dorosim.scenario.openscenario.schema`) go by nothing else.

Versions are "1.0", "1.1", "1.2" and "1.3"; 1.1.1 and 1.3.1 change no type (their chapter Backward compatibility).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from enum import Enum, StrEnum
from typing import Annotated, Any, NamedTuple, Self, TypeVar, dataclass_transform

VERSIONS = ("1.0", "1.1", "1.2", "1.3")
EXTENSION = "MORAI"
"""Stands for a version where no version of the standard has it, but MORAI's Scenario Runner."""

T = TypeVar("T")


class Origin(NamedTuple):
    """Where a record comes from, and what is there that the standard does not know.

    Attributes:
        source: the file, as messages name it.
        line: line of the element.
        attributes: unknown attributes, (name, value).
        elements: unknown elements, as XML text.
    """

    source: str = ""
    line: int = 0
    attributes: tuple[tuple[str, str], ...] = ()
    elements: tuple[str, ...] = ()


NOWHERE = Origin()


class Simple(NamedTuple):
    """The simple type of a number, where that of Python does not say it."""

    name: str


UnsignedInt = Annotated[int, Simple("UnsignedInt")]
"""A whole number from 0 to 2**32 - 1."""

UnsignedShort = Annotated[int, Simple("UnsignedShort")]
"""A whole number from 0 to 2**16 - 1."""


class Kind(Enum):
    """What a field of a record is in the file."""

    ATTRIBUTE = "attribute"
    CHILD = "child"
    CHILDREN = "children"
    GROUP = "group"
    GROUPS = "groups"
    TEXT = "text"


class Content(Enum):
    """How the elements in an element are arranged."""

    SEQUENCE = "sequence"
    ALL = "all"
    CHOICE = "choice"


class FieldTable(NamedTuple):
    """What the standard says of a field.

    Attributes:
        kind: what it is in the file.
        doc: what it means, with its unit.
        name: its name in the file; "" for the field's name in that spelling.
        since: version that it appears in; "" for that of its type.
        until: last version that has it; "" for the newest.
        deprecated: version since which it is deprecated; "" for none.
        required: first and last version in which it must be there; None for never, () for all.
        least: of several, how many there must be where they are required.
        single_until: of several, the last version that allows one only.
        assumed: what is taken where it must be there and is not; `MISSING` for nothing.
    """

    kind: Kind
    doc: str = ""
    name: str = ""
    since: str = ""
    until: str = ""
    deprecated: str = ""
    required: tuple[str, str] | tuple[()] | None = ()
    least: int = 1
    single_until: str = ""
    assumed: Any = None


class Missing:
    """Stands for a value that cannot be assumed."""


MISSING = Missing()
_KEY = "openscenario"


def _field(kind: Kind, table: dict[str, Any]) -> Any:
    """A field of a record."""
    settings: dict[str, Any] = {"default": table.pop("default")} if "default" in table else {}
    if settings:
        table.setdefault("required", None)
    table.setdefault("assumed", MISSING)
    return field(metadata={_KEY: FieldTable(kind=kind, **table)}, **settings)


def attribute(doc: str, /, **table: Any) -> Any:
    """A field that is an attribute; the other arguments are those of `FieldTable`, and `default`."""
    return _field(Kind.ATTRIBUTE, {"doc": doc, **table})


def text(doc: str, /, **table: Any) -> Any:
    """A field that is the text in the element."""
    return _field(Kind.TEXT, {"doc": doc, **table})


def child(name: str = "", /, **table: Any) -> Any:
    """A field that is an element in the element."""
    return _field(Kind.CHILD, {"name": name, **table})


def children(name: str, /, **table: Any) -> Any:
    """A field that is any number of elements of one name."""
    return _field(Kind.CHILDREN, {"name": name, **table})


def group(**table: Any) -> Any:
    """A field whose own elements stand in the element itself."""
    return _field(Kind.GROUP, table)


def groups(**table: Any) -> Any:
    """A field of any number of records whose own elements stand in the element itself."""
    return _field(Kind.GROUPS, table)


def table_of_field(item: Any) -> FieldTable | None:
    """What the standard says of a field of a record, None for what is not of the file."""
    found: FieldTable | None = item.metadata.get(_KEY)
    return found


class TypeTable(NamedTuple):
    """What the standard says of a type.

    Attributes:
        name: its name.
        content: how its elements are arranged.
        content_before: until the version given, another arrangement.
        choice_required: version since which one of the alternatives must be there; "" for never.
        since: version that it appears in.
        deprecated: version since which it is deprecated; "" for none.
        is_group: whether it is a group, whose elements stand in another type's.
    """

    name: str
    content: Content
    content_before: tuple[str, Content] | None
    choice_required: str
    since: str
    deprecated: str
    is_group: bool


TYPES: dict[str, type[Record]] = {}
"""The class of each type, by its name in the standard; filled as the modules of the records are imported."""

TYPE_TABLES: dict[type, TypeTable] = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """What all records have: where they come from, which counts for nothing when two are compared."""

    origin: Origin = field(default=NOWHERE, compare=False, repr=False)

    @property
    def target(self) -> Record | None:
        """The record itself; of a reference to a catalog, the entry that it means."""
        return self

    @property
    def chosen(self) -> Record | None:
        """The one of several elements that is there, or the entry of the catalog that it means; None for none."""
        return next(iter(self.alternatives), None)

    @property
    def alternatives(self) -> tuple[Record, ...]:
        """All elements of which there can be one at most that are there, in the order of the fields."""
        found = (getattr(self, name) for name in single_fields(type(self)))
        targets = (one.target for one in found if one is not None)
        return tuple(one for one in targets if one is not None)


_SINGLE_FIELDS: dict[Any, tuple[str, ...]] = {}


def single_fields(kind: Any) -> tuple[str, ...]:
    """Names of the fields of a record that are one element at most, or a group."""
    known = _SINGLE_FIELDS.get(kind)
    if known is None:
        tables = ((item.name, table_of_field(item)) for item in fields(kind))
        single = (Kind.CHILD, Kind.GROUP)
        known = tuple(name for name, table in tables if table is not None and table.kind in single)
        _SINGLE_FIELDS[kind] = known
    return known


def _declare(content: Content, options: dict[str, Any]) -> Callable[[type[T]], type[T]]:
    """The decorator of a record."""

    def declare(kind: Any) -> Any:
        made = dataclass(frozen=True, slots=True, kw_only=True)(kind)
        name = options.get("name") or kind.__name__
        TYPES[name] = made
        since = options.get("since", "1.0")
        TYPE_TABLES[made] = TypeTable(
            name,
            content,
            options.get("content_before"),
            options.get("choice_required", since),
            since,
            options.get("deprecated", ""),
            options.get("is_group", False),
        )
        return made

    return declare


@dataclass_transform(
    frozen_default=True, kw_only_default=True, field_specifiers=(attribute, text, child, children, group, groups)
)
def sequence(**options: Any) -> Callable[[type[T]], type[T]]:
    """Declares a type whose elements stand in the order of its fields; options are those of `TypeTable`."""
    return _declare(Content.SEQUENCE, options)


@dataclass_transform(
    frozen_default=True, kw_only_default=True, field_specifiers=(attribute, text, child, children, group, groups)
)
def unordered(**options: Any) -> Callable[[type[T]], type[T]]:
    """Declares a type whose elements stand in any order."""
    return _declare(Content.ALL, options)


@dataclass_transform(
    frozen_default=True, kw_only_default=True, field_specifiers=(attribute, text, child, children, group, groups)
)
def choice(**options: Any) -> Callable[[type[T]], type[T]]:
    """Declares a type that has one of several elements."""
    return _declare(Content.CHOICE, options)


class Word(StrEnum):
    """One of the words that an attribute may be; a member equals its text.

    A member is declared by its text, or by (text, version that it appears in, version since which it is deprecated).
    """

    since: str
    deprecated: str

    def __new__(cls, value: str, since: str = "", deprecated: str = "") -> Self:
        """A member."""
        made = str.__new__(cls, value)
        made._value_ = value
        made.since = since
        made.deprecated = deprecated
        return made


class WordTable(NamedTuple):
    """What the standard says of an enumeration."""

    since: str
    deprecated: str


WORDS: dict[str, type[Word]] = {}
"""The class of each enumeration, by its name."""

WORD_TABLES: dict[type[Word], WordTable] = {}


def words(since: str = "1.0", deprecated: str = "") -> Callable[[type[T]], type[T]]:
    """Declares an enumeration."""

    def declare(kind: type[T]) -> type[T]:
        made: Any = kind
        WORDS[kind.__name__] = made
        WORD_TABLES[made] = WordTable(since, deprecated)
        return kind

    return declare
