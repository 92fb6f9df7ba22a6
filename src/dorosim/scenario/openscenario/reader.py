"""Reads elements of OpenSCENARIO into records, by the tables of their classes."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from lxml import etree

from dorosim.scenario.openscenario.catalog import CatalogNode, Catalogs
from dorosim.scenario.openscenario.deprecated import PRESENT_WORD, take_present_form
from dorosim.scenario.openscenario.expression import Value
from dorosim.scenario.openscenario.finding import FindingLevel, Findings, shown
from dorosim.scenario.openscenario.lexical import LIMITS
from dorosim.scenario.openscenario.parameter_scope import borrowed_by, scope_inside
from dorosim.scenario.openscenario.plan import FieldPlan, Plan, plan_of
from dorosim.scenario.openscenario.record.condition import ConditionEdge
from dorosim.scenario.openscenario.record.file import Catalog, OpenScenario, ScenarioDefinition
from dorosim.scenario.openscenario.record.reference import CatalogReference
from dorosim.scenario.openscenario.record.table import Content, Kind, Missing, OscRecord, RecordOrigin, Word
from dorosim.scenario.openscenario.value import (
    BadValueError,
    double_of,
    resolved,
    string_of,
    text_of,
    value_of_type,
    word_of,
)
from dorosim.scenario.openscenario.version import MAX_DEPTH, MAX_ELEMENTS

_MAX_UNKNOWN = 2_000
"""Letters of an unknown element that are kept."""

_MAX_UNKNOWN_ELEMENTS = 100
"""Unknown elements in one element that are kept."""

_NAMES = ("parameterRef", "variableRef", "monitorRef", "parameterName")
"""Attributes that name a parameter or variable, and do not stand for its value."""

_INFINITE = ("lowerLimit", "upperLimit")
_OTHER_WORDS: dict[tuple[str, str], Word] = {("ConditionEdge", "once"): ConditionEdge.NONE}
"""Words of MORAI's Scenario Runner, and what they are taken for. A condition that counts once counts when it is met."""

_MAY_BE_EMPTY = ("Action", "ControllerAction", "OpenScenarioCategory", "SelectedEntities")
"""Types that have one of several elements and mean something without: nothing is done, or selected."""

_OTHER_NAMES = {("ConnectTrailerAction", "trailer"): "trailerRef"}
"""Attributes as they were named in drafts of the standard, which real files have."""
_VERSION = ("revMajor", "revMinor")
_COUNT = "maximumExecutionCount"
"""In real files -1 stands for any number."""

_SHOWN_NAMES = 8
_MISSPELT_NAMES = {"VehicleCategory": {"motorcycle": "motorbike"}}


class TooLargeError(ValueError):
    """A file with more elements, or deeper ones, than are read."""


class Reader:
    """Reads the elements of one file and of the catalogs that it names.

    Args:
        findings: get what cannot be understood, or is guessed.
        catalogs: of the file.
    """

    def __init__(self, findings: Findings, catalogs: Catalogs) -> None:
        self._findings = findings
        self._catalogs = catalogs
        self._count = 0
        self._depth = 0
        self._given: Mapping[str, str] = {}
        self._open: list[tuple[str, str]] = []
        self._entries: dict[Any, OscRecord] = {}

    def record(self, node: Any, kind: type[OscRecord], source: str, scope: Mapping[str, Value]) -> OscRecord:
        """The record of an element.

        Args:
            node: the element, of lxml.
            kind: class of the record.
            source: the file.
            scope: parameters that it may name.

        Raises:
            TooLargeError: there are too many elements, or too deep ones.
        """
        return self._made(node, list(node), plan_of(kind), source, scope)

    def whole(self, root: Any, source: str, parameters: Mapping[str, str]) -> OscRecord:
        """The record of a whole file, with values for its parameters.

        Raises:
            TooLargeError: there are too many elements, or too deep ones.
        """
        self._given = parameters
        return self._made(root, list(root), plan_of(OpenScenario), source, {})

    def _made(
        self, node: Any, inner: list[Any], plan: Plan, source: str, scope: Mapping[str, Value], given: Any = None
    ) -> OscRecord:
        """The record of an element or of a group in it, with the elements that belong to it."""
        self._count += 1
        self._depth += 1
        if self._count > MAX_ELEMENTS:
            raise TooLargeError(f"has more than {MAX_ELEMENTS:,} elements, with those of the catalogs")
        if self._depth > MAX_DEPTH:
            raise TooLargeError(f"has elements more than {MAX_DEPTH} deep in each other, with those of the catalogs")
        if plan.declares:
            values_given = self._given if plan.kind is ScenarioDefinition else given or {}
            scope = scope_inside(node, scope, values_given, self._findings, source)
        values: dict[str, Any] = {}
        unknown: tuple[tuple[str, str], ...] = ()
        if not plan.table.is_group:
            unknown = self._attributes(node, plan, source, scope, values)
            if plan.text is not None:
                values[plan.text.name] = "".join(node.itertext()).strip()
        extra = self._parts(node, inner, plan, source, scope, values)
        self._require(node, plan, source, values)
        take_present_form(plan.kind, values)
        values["origin"] = RecordOrigin(source, node.sourceline or 0, unknown, extra)
        self._depth -= 1
        return plan.kind(**values)

    def _error(self, node: Any, problem: str, cure: str, attribute: str, source: str) -> None:
        self._findings.add(FindingLevel.ERROR, node, problem, cure, attribute=attribute, source=source)

    def _attributes(
        self, node: Any, plan: Plan, source: str, scope: Mapping[str, Value], values: dict[str, Any]
    ) -> tuple[tuple[str, str], ...]:
        """Read the attributes of an element; returns those that are unknown."""
        unknown: list[tuple[str, str]] = []
        for name, text in node.attrib.items():
            one = plan.attributes.get(name)
            if one is None and (plan.table.name, name) in _OTHER_NAMES:
                one = plan.attributes[_OTHER_NAMES[plan.table.name, name]]
                problem = f"is not known, and taken for {one.xml}"
                self._findings.add(FindingLevel.BREAK, node, problem, "rename it", attribute=name, source=source)
            if one is None:
                if name[0] != "{":
                    unknown.append((name, text))
                continue
            try:
                values[one.name] = self._value(node, one, text, source, scope)
            except BadValueError as error:
                if one.optional and not text.strip():
                    self._findings.add(
                        FindingLevel.BREAK,
                        node,
                        "is empty, and taken for not given",
                        "remove it",
                        attribute=name,
                        source=source,
                    )
                elif name in _VERSION:
                    # what the elements mean does not depend on it
                    self._findings.add(FindingLevel.BREAK, node, str(error), error.cure, attribute=name, source=source)
                else:
                    self._error(node, str(error), error.cure, name, source)
                values[one.name] = None
        return tuple(unknown)

    def _value(self, node: Any, one: FieldPlan, text: str, source: str, scope: Mapping[str, Value]) -> Any:
        """The value of an attribute.

        Raises:
            BadValueError: it cannot be understood.
        """
        if one.type_name == "String":
            if text[:1] != "$":
                return string_of(text)
            if one.xml in _NAMES or (one.xml == "name" and "{" in text):
                return text.removeprefix("$") if one.xml in _NAMES else text
            return string_of(resolved(text, scope))
        value = resolved(text, scope)
        if one.xml == _COUNT and double_of(value) < 0.0:
            self._findings.add(
                FindingLevel.BREAK,
                node,
                f"{shown(text)} is taken for as often as it is triggered",
                "give a number of times",
                attribute=one.xml,
                source=source,
            )
            return LIMITS["UnsignedInt"][1]
        if not issubclass(one.kind, Word):
            is_greatest = one.xml.startswith("max")
            found = value_of_type(value, one.type_name, infinite=is_greatest or one.xml in _INFINITE)
            if is_greatest and found == -math.inf:
                raise BadValueError(f"{shown(text)} is no greatest value", "give a positive number, or INF")
            return found
        return self._word(node, one, value, source)

    def _word(self, node: Any, one: FieldPlan, value: Value, source: str) -> Word:
        """The value of an attribute that is a word."""
        text = text_of(value)
        other = _OTHER_WORDS.get((one.type_name, text.lower()))
        plain = _MISSPELT_NAMES.get(one.type_name, {}).get(text.lower(), text)
        word, forgiven = (other, True) if other is not None else word_of(plain, one.kind)
        if forgiven or plain is not text:
            problem = f"{shown(text)} is not a word of the standard, and taken for {str(word)!r}"
            self._findings.add(
                FindingLevel.BREAK, node, problem, f"write {str(word)!r}", attribute=one.xml, source=source
            )
        return PRESENT_WORD.get(word, word)

    def _parts(
        self,
        node: Any,
        inner: list[Any],
        plan: Plan,
        source: str,
        scope: Mapping[str, Value],
        values: dict[str, Any],
    ) -> tuple[str, ...]:
        """Read the elements in an element; returns those that are unknown."""
        if not inner and (plan.table.content is not Content.CHOICE or plan.table.name in _MAY_BE_EMPTY):
            return ()
        mine: dict[str, list[Any]] = {}
        extra: list[str] = []
        for one in inner:
            field = plan.elements.get(one.tag)
            if field is not None:
                mine.setdefault(field.name, []).append(one)
            elif plan.text is None and len(extra) < _MAX_UNKNOWN_ELEMENTS:
                extra.append(etree.tostring(one, encoding="unicode", with_tail=False)[:_MAX_UNKNOWN])
        for field in plan.parts:
            nodes = mine.get(field.name)
            if nodes:
                values[field.name] = self._part(node, field, nodes, plan, source, scope)
        if plan.table.content is not Content.CHOICE or plan.table.content_before is not None:
            return tuple(extra)
        if len(mine) > 1:
            names = " and ".join(f"<{nodes[0].tag}>" for nodes in mine.values())
            self._error(node, f"has {names}, of which there can be one", "keep one", "", source)
        elif not mine and plan.table.choice_required and plan.table.name not in _MAY_BE_EMPTY:
            names = ">, <".join(list(plan.elements)[:_SHOWN_NAMES])
            self._error(node, f"has none of <{names}>", "add one", "", source)
        return tuple(extra)

    def _part(
        self, node: Any, field: FieldPlan, nodes: list[Any], plan: Plan, source: str, scope: Mapping[str, Value]
    ) -> Any:
        """The value of a field that is elements or groups."""
        inside = plan_of(field.kind)
        match field.table.kind:
            case Kind.GROUP:
                return self._made(node, nodes, inside, source, scope)
            case Kind.GROUPS:
                return tuple(self._made(node, [one], inside, source, scope) for one in nodes)
            case Kind.CHILDREN:
                return tuple(self._child(one, inside, plan, source, scope) for one in nodes)
        return self._child(nodes[0], inside, plan, source, scope)

    def _child(self, node: Any, plan: Plan, owner: Plan, source: str, scope: Mapping[str, Value]) -> OscRecord:
        """The record of an element in another one; of a reference to a catalog, with its entry."""
        made = self._made(node, list(node), plan, source, scope)
        if isinstance(made, CatalogReference):
            return self._with_entry(node, made, owner, source, scope)
        return made

    def _require(self, node: Any, plan: Plan, source: str, values: dict[str, Any]) -> None:
        """Take what can be assumed for what is missing, and find the rest."""
        for one in plan.needed:
            if one.name in values:
                if values[one.name] is None and not isinstance(one.table.assumed, Missing):
                    values[one.name] = one.table.assumed
                continue
            if one.table.kind is Kind.GROUP:
                values[one.name] = self._made(node, [], plan_of(one.kind), source, {})
            elif not isinstance(one.table.assumed, Missing):
                values[one.name] = one.table.assumed
            elif one.optional:
                values[one.name] = None
            else:
                values[one.name] = self._empty(node, one, source)

    def _empty(self, node: Any, one: FieldPlan, source: str) -> Any:
        """The value of an element that is missing and needs nothing in it; else a finding."""
        if one.table.kind is Kind.CHILD:
            inside = plan_of(one.kind)
            assumed = {field.name: field.table.assumed for field in inside.needed}
            is_choice = inside.table.content is Content.CHOICE
            if not is_choice and not any(isinstance(value, Missing) for value in assumed.values()):
                return inside.kind(origin=RecordOrigin(source, node.sourceline or 0), **assumed)
            self._error(node, f"<{one.xml}> is missing", "add it", "", source)
        else:
            self._error(node, "is missing", "add it", one.xml, source)
        return None

    def _with_entry(
        self, node: Any, made: CatalogReference, owner: Plan, source: str, scope: Mapping[str, Value]
    ) -> OscRecord:
        """A reference to a catalog with the entry that it means."""
        kinds = {one.type_name: one.kind for one in owner.parts} if owner.parts else {}
        wanted = {name: kind for name, kind in kinds.items() if name in _ENTRY_KINDS}
        if not made.catalog_name or not made.entry_name:
            return made
        assigned = _assignments(made)
        key = (made.catalog_name, made.entry_name)
        found = None
        for entry in self._catalogs.entries(*key):
            if entry.node.tag in (wanted or _ENTRY_KINDS):
                found = entry
                break
        if found is None:
            self._not_found(node, made, tuple(wanted), source)
            return made
        if key in self._open:
            self._error(
                node, f"entry {shown(key[1])} of catalog {shown(key[0])} needs itself", "take another", "", source
            )
            return made
        named = found.node.getparent().get("name")
        if named != made.catalog_name:
            problem = f"the catalog is named {shown(named or '')}, and its file {shown(made.catalog_name)}"
            self._findings.add(
                FindingLevel.BREAK, node, problem, "give its name", attribute="catalogName", source=source
            )
        # not by the identity of the node: lxml makes a new object for it each time, at an address that may be another's
        borrowed = borrowed_by(found.node, scope)
        given = (tuple(sorted(assigned.items())), tuple(sorted(borrowed.items())))
        cached = (found.source, found.node.tag, found.node.sourceline, *key, *given)
        if cached not in self._entries:
            self._check_assigned(node, found.node, assigned, source)
            self._check_borrowed(found, borrowed)
            self._open.append(key)
            plan = plan_of(_ENTRY_KINDS[found.node.tag])
            self._entries[cached] = self._made(found.node, list(found.node), plan, found.source, borrowed, assigned)
            self._open.pop()
        return CatalogReference(
            catalog_name=made.catalog_name,
            entry_name=made.entry_name,
            parameter_assignments=made.parameter_assignments,
            entry=self._entries[cached],
            origin=made.origin,
        )

    def _not_found(self, node: Any, made: CatalogReference, wanted: tuple[str, ...], source: str) -> None:
        """Find that a catalog has no such entry."""
        catalogs = self._catalogs.find(made.catalog_name)
        if not catalogs:
            known = ", ".join(self._catalogs.names()[:10])
            cure = f"known are {known}" if known else "check <CatalogLocations>, and whether its folders may be opened"
            self._error(node, f"there is no catalog {shown(made.catalog_name)}", cure, "catalogName", source)
            return
        names = ", ".join(sorted({one.get("name") or "" for entry in catalogs for one in entry.node})[:10])
        kind = f"no {' or '.join(wanted)}" if wanted else "no entry"
        problem = f"catalog {shown(made.catalog_name)} has {kind} {shown(made.entry_name)}"
        self._error(node, problem, f"it has {names}" if names else "add it", "entryName", source)

    def _check_assigned(self, node: Any, entry: Any, assigned: Mapping[str, str], source: str) -> None:
        """Find values for parameters that an entry does not declare."""
        path = "ParameterDeclarations/ParameterDeclaration"
        declared = {(one.get("name") or "").removeprefix("$") for one in entry.iterfind(path)}
        for name in assigned.keys() - declared:
            problem = f"gives parameter {shown(name)} a value, and the entry declares none of this name"
            self._findings.add(FindingLevel.BREAK, node, problem, "remove it", source=source)

    def _check_borrowed(self, entry: CatalogNode, borrowed: Mapping[str, Value]) -> None:
        """Find parameters that an entry names and does not declare, where the file that refers to it has them."""
        for name in borrowed:
            problem = (
                f"names parameter {shown(name)} without a declaration; that of the file which refers to it is taken"
            )
            self._findings.add(FindingLevel.BREAK, entry.node, problem, "declare it here", source=entry.source)


def _assignments(made: CatalogReference) -> dict[str, str]:
    """The values that a reference gives to parameters, by name."""
    assignments = made.parameter_assignments.parameter_assignments if made.parameter_assignments else ()
    return {one.parameter_ref or "": one.value or "" for one in assignments}


_ENTRY_KINDS: dict[str, type[OscRecord]] = {one.xml: one.kind for one in plan_of(Catalog).parts}
"""Class of each kind of entries of catalogs."""
