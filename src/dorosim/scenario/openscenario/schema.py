"""Whether a file keeps to the version of the standard that it declares: all breaks of the table at once."""

from __future__ import annotations

from typing import Any

from dorosim.scenario.openscenario.finding import Findings, Level, shown
from dorosim.scenario.openscenario.lexical import PARAMETER, WANTED, is_valid
from dorosim.scenario.openscenario.plan import FieldPlan, Plan, plan_of, tags_of, word_since
from dorosim.scenario.openscenario.record.file import OpenScenario
from dorosim.scenario.openscenario.record.table import (
    VERSIONS,
    WORD_TABLES,
    Content,
    Kind,
    Record,
    Word,
)
from dorosim.scenario.openscenario.version import MAX_DEPTH

_SCHEMA_INSTANCE = "{http://www.w3.org/2001/XMLSchema-instance}"
_ALLOWED = {f"{_SCHEMA_INSTANCE}noNamespaceSchemaLocation", f"{_SCHEMA_INSTANCE}schemaLocation"}


def check_against_version(root: Any, version: str, findings: Findings) -> None:
    """Find all breaks of a version of the standard.

    Args:
        root: root of the file, of lxml.
        version: one of `VERSIONS`.
        findings: get a `BREAK` for each, and a `NOTE` for what is deprecated in that version.
    """
    _Check(version, findings).element(root, plan_of(OpenScenario))


class _Check:
    """A check of one file."""

    def __init__(self, version: str, findings: Findings) -> None:
        self._version = version
        self._findings = findings
        self._depth = 0

    def _broken(self, node: Any, problem: str, cure: str, attribute: str = "") -> None:
        self._findings.add(Level.BREAK, node, problem, cure, attribute=attribute)

    def element(self, node: Any, plan: Plan) -> None:
        """Check an element and all in it; one that lies too deep is left to the reader, which refuses it."""
        if self._depth >= MAX_DEPTH:
            return
        self._depth += 1
        self._attributes(node, plan)
        if plan.text is None:
            self._no_text(node)
        self._content(node, list(node), plan)
        self._depth -= 1

    def _no_text(self, node: Any) -> None:
        """Find text in an element that has none."""
        texts = [node.text, *(one.tail for one in node)]
        found = next((text for text in texts if text and text.strip(" \t\r\n")), "")
        if found:
            self._broken(node, f"has text, {shown(found.strip())}", "remove it")

    def _attributes(self, node: Any, plan: Plan) -> None:
        """Check the attributes of an element."""
        for name, text in node.attrib.items():
            one = plan.attributes.get(name)
            if one is not None and one.is_in(self._version):
                self._value(node, one, text)
            elif one is not None:
                self._broken(node, self._other_version(one), "declare that version or remove it", name)
            elif name not in _ALLOWED:
                self._broken(node, "the standard has no such attribute here", "remove it", name)
        for name, one in plan.attributes.items():
            if one.must_be_in(self._version) and name not in node.attrib:
                self._broken(node, "is missing", "add it", name)

    def _other_version(self, one: FieldPlan) -> str:
        """The problem of what the declared version has not."""
        if one.since not in VERSIONS:
            return f"is of {one.since}, not of the standard"
        if one.since > self._version:
            return f"is of version {one.since} on, and the file declares {self._version}"
        return f"is of version {one.table.until} at the latest, and the file declares {self._version}"

    def _value(self, node: Any, one: FieldPlan, text: str) -> None:
        """Check the value of an attribute."""
        if one.table.deprecated and one.table.deprecated <= self._version:
            self._deprecated(node, one.table.deprecated, one.xml)
        if isinstance(one.kind, type) and issubclass(one.kind, Word):
            self._word(node, one, text)
        elif one.type_name != "String" and not is_valid(text, one.type_name, self._version):
            self._broken(node, f"expected {WANTED[one.type_name]}, found {shown(text)}", "correct it", one.xml)

    def _deprecated(self, node: Any, since: str, attribute: str = "") -> None:
        self._findings.add(Level.NOTE, node, f"is deprecated since version {since}", attribute=attribute)

    def _word(self, node: Any, one: FieldPlan, text: str) -> None:
        """Check a word."""
        if PARAMETER.fullmatch(text):
            return
        since = WORD_TABLES[one.kind].since
        there = [word for word in one.kind if word_since(word, since) <= self._version]
        found = next((word for word in there if word == text), None)
        if found is None:
            allowed = ", ".join(word for word in there if not word.deprecated)
            self._broken(node, f"expected one of {allowed}, found {shown(text)}", "correct it", one.xml)
        elif found.deprecated and found.deprecated <= self._version:
            self._findings.add(
                Level.NOTE, node, f"{text!r} is deprecated since version {found.deprecated}", attribute=one.xml
            )

    def _content(self, node: Any, inner: list[Any], plan: Plan) -> None:
        """Check the elements of an element, or of a group in it."""
        known: list[Any] = []
        for one in inner:
            field = plan.elements.get(one.tag)
            if field is not None and field.is_in(self._version):
                known.append(one)
            elif field is not None:
                self._broken(one, self._other_version(field), "declare that version or remove it")
            else:
                self._broken(one, f"<{node.tag}> has no such element", "remove it")
        before = plan.table.content_before
        content = before[1] if before and self._version <= before[0] else plan.table.content
        if content is Content.CHOICE:
            self._choice(node, known, plan)
        else:
            self._all(node, known, plan, ordered=content is Content.SEQUENCE)

    def _tags(self, field: FieldPlan) -> tuple[str, ...]:
        """Names of the elements that a field takes in this version."""
        if field.xml:
            return (field.xml,) if field.is_in(self._version) else ()
        return tuple(tag for one in plan_of(field.kind).parts for tag in self._tags(one)) * field.is_in(self._version)

    def _choice(self, node: Any, known: list[Any], plan: Plan) -> None:
        """Check the elements of a type that has one of several."""
        if not known:
            required = plan.table.choice_required
            if required and required <= self._version and not self._is_empty_allowed(plan):
                names = [tag for one in plan.parts for tag in self._tags(one)]
                self._broken(node, f"has none of <{'>, <'.join(names)}>", "add one")
            return
        chosen = plan.elements[known[0].tag]
        mine = [one for one in known if plan.elements[one.tag] is chosen]
        for one in known:
            if plan.elements[one.tag] is not chosen:
                self._broken(one, f"cannot be beside <{known[0].tag}>", "keep one of them")
        self._part(node, chosen, mine)

    def _is_empty_allowed(self, plan: Plan) -> bool:
        """Whether one of the alternatives is a group that may be empty."""
        return any(one.table.kind in (Kind.GROUP, Kind.GROUPS) and not self._needs(one.kind) for one in plan.parts)

    def _needs(self, kind: type[Record]) -> bool:
        """Whether a group must have an element."""
        plan = plan_of(kind)
        if plan.table.content is Content.CHOICE:
            return bool(plan.table.choice_required) and plan.table.choice_required <= self._version
        return any(one.must_be_in(self._version) for one in plan.parts)

    def _all(self, node: Any, known: list[Any], plan: Plan, *, ordered: bool) -> None:
        """Check the elements of a type that has all of them, in their order or in any."""
        places = {id(one): place for place, one in enumerate(plan.parts)}
        last: FieldPlan | None = None
        for one in known if ordered else ():
            field = plan.elements[one.tag]
            if last is not None and places[id(field)] < places[id(last)]:
                self._broken(one, f"must come before <{'> or <'.join(tags_of(last)[:1])}>", "change the order")
            else:
                last = field
        for field in plan.parts:
            if field.is_in(self._version):
                mine = [one for one in known if plan.elements[one.tag] is field]
                self._count(node, field, mine)
                self._part(node, field, mine)

    def _count(self, node: Any, field: FieldPlan, mine: list[Any]) -> None:
        """Find elements that are missing."""
        if not field.must_be_in(self._version):
            return
        is_group = field.table.kind in (Kind.GROUP, Kind.GROUPS)
        least = 1 if field.is_single(self._version) else field.table.least
        if len(mine) >= least or (is_group and not self._needs(field.kind)):
            return
        if is_group and not mine and plan_of(field.kind).table.content is not Content.CHOICE:
            return  # the group says itself what it lacks
        name = f"<{'> or <'.join(self._tags(field))}>"
        problem = f"{name} is missing" if least == 1 else f"has {len(mine)} of {name}, and needs {least}"
        self._broken(node, problem, "add it")

    def _part(self, node: Any, field: FieldPlan, mine: list[Any]) -> None:
        """Check the elements that one field takes."""
        is_group = field.table.kind in (Kind.GROUP, Kind.GROUPS)
        if field.table.kind is Kind.GROUP:
            if mine or field.must_be_in(self._version):
                self._content(node, mine, plan_of(field.kind))
            return
        if field.is_single(self._version):
            for one in mine[1:]:
                self._broken(one, f"<{node.tag}> has one of these at most", "keep one")
        for one in mine:
            if field.table.deprecated and field.table.deprecated <= self._version:
                self._deprecated(one, field.table.deprecated)
            if is_group:
                self._content(node, [one], plan_of(field.kind))
            else:
                self.element(one, plan_of(field.kind))
