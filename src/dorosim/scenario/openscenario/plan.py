"""The tables of the records, made ready for reading: which field an attribute or element of a file fills."""

from __future__ import annotations

import importlib
import pkgutil
from dataclasses import dataclass, fields
from datetime import datetime
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

from dorosim.scenario.openscenario import record
from dorosim.scenario.openscenario.record.table import (
    TYPE_TABLES,
    TYPES,
    VERSIONS,
    WORDS,
    FieldTable,
    Kind,
    Record,
    Simple,
    TypeTable,
    Word,
    table_of_field,
)

for _module in pkgutil.iter_modules(record.__path__, f"{record.__name__}."):
    importlib.import_module(_module.name)

_SIMPLE_NAMES: dict[type, str] = {
    float: "Double",
    bool: "Boolean",
    int: "Int",
    str: "String",
    datetime: "DateTime",
}


@dataclass(frozen=True, slots=True)
class FieldPlan:
    """A field, ready for reading.

    Attributes:
        name: of the field.
        xml: of the attribute or element; "" for a group or text.
        type_name: of its type in the standard.
        kind: class of its value.
        table: what the standard says of it.
        since: first version that has it.
        optional: whether the record can do without it.
    """

    name: str
    xml: str
    type_name: str
    kind: Any
    table: FieldTable
    since: str
    optional: bool

    @property
    def is_one(self) -> bool:
        """Whether it is one value or record at most, in every version."""
        return self.table.kind not in (Kind.CHILDREN, Kind.GROUPS)

    def is_in(self, version: str) -> bool:
        """Whether a version has it."""
        if self.since not in VERSIONS:
            return False
        return self.since <= version and (not self.table.until or version <= self.table.until)

    def must_be_in(self, version: str) -> bool:
        """Whether it must be there in a version."""
        required = self.table.required
        if required is None or not self.is_in(version):
            return False
        return not required or required[0] <= version <= required[1]

    def is_single(self, version: str) -> bool:
        """Whether there may be one at most in a version."""
        if self.table.kind in (Kind.CHILDREN, Kind.GROUPS):
            return bool(self.table.single_until) and version <= self.table.single_until
        return True


@dataclass(frozen=True, slots=True)
class Plan:
    """A type, ready for reading.

    Attributes:
        kind: class of its records.
        table: what the standard says of it.
        attributes: fields by name of the attribute.
        parts: fields that are elements or groups, in order.
        elements: by name of an element, the field that takes it, itself or in its group.
        text: the field of its text, if it has one.
        declares: whether it declares parameters.
        needed: fields that the record cannot do without.
    """

    kind: type[Record]
    table: TypeTable
    attributes: dict[str, FieldPlan]
    parts: tuple[FieldPlan, ...]
    elements: dict[str, FieldPlan]
    text: FieldPlan | None
    declares: bool
    needed: tuple[FieldPlan, ...]


def _bare(hint: Any) -> tuple[Any, str, bool]:
    """Class of a field's value, name of its type in the standard, and whether it may be None."""
    simple, optional = "", False
    while True:
        origin = get_origin(hint)
        if origin is Annotated:
            hint, *extras = get_args(hint)
            simple = next((one.name for one in extras if isinstance(one, Simple)), simple)
        elif origin in (Union, UnionType):
            optional = True
            hint = next(one for one in get_args(hint) if one is not NoneType)
        elif origin is tuple:
            hint = get_args(hint)[0]
        else:
            break
    if simple:
        return hint, simple, optional
    if hint in TYPE_TABLES:
        return hint, TYPE_TABLES[hint].name, optional
    return hint, _SIMPLE_NAMES.get(hint, hint.__name__), optional


def _xml_name(name: str, table: FieldTable) -> str:
    """The name in the file of a field."""
    if table.name or table.kind in (Kind.GROUP, Kind.GROUPS, Kind.TEXT):
        return table.name
    first, *rest = name.rstrip("_").split("_")
    tail = "".join(map(str.title, rest))
    return (first if table.kind is Kind.ATTRIBUTE else first.title()) + tail


_PLANS: dict[Any, Plan] = {}


def plan_of(kind: Any) -> Plan:
    """How records of a class are read."""
    known = _PLANS.get(kind)
    if known is None:
        known = _PLANS[kind] = _made_plan(kind)
    return known


def _made_plan(kind: Any) -> Plan:
    """How records of a class are read, from its table."""
    names = {one.__name__: one for one in (*TYPES.values(), *WORDS.values())}
    hints = get_type_hints(kind, localns=names, include_extras=True)
    type_table = TYPE_TABLES[kind]
    attributes: dict[str, FieldPlan] = {}
    parts: list[FieldPlan] = []
    text = None
    for item in fields(kind):
        table = table_of_field(item)
        if table is None:
            continue
        value, type_name, optional = _bare(hints[item.name])
        since = table.since or type_table.since
        one = FieldPlan(item.name, _xml_name(item.name, table), type_name, value, table, since, optional)
        if table.kind is Kind.ATTRIBUTE:
            attributes[one.xml] = one
        elif table.kind is Kind.TEXT:
            text = one
        else:
            parts.append(one)
    elements: dict[str, FieldPlan] = {}
    for one in parts:
        for tag in tags_of(one):
            elements[tag] = one
    declares = any(one.xml == "ParameterDeclarations" for one in parts)
    needed = tuple(one for one in (*attributes.values(), *parts) if one.table.required == () and one.is_one)
    return Plan(kind, type_table, attributes, tuple(parts), elements, text, declares, needed)


def tags_of(one: FieldPlan) -> tuple[str, ...]:
    """Names of the elements that a field takes, itself or in its group."""
    return (one.xml,) if one.xml else tuple(plan_of(one.kind).elements)


def word_since(word: Word, since: str) -> str:
    """The version that a word appears in."""
    return word.since or since
