"""Parameters where they can be named: each element that declares some has a scope of its own inside the outer one."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from typing import Any

from dorosim.scenario.openscenario.expression import Value
from dorosim.scenario.openscenario.finding import FindingLevel, Findings, shown
from dorosim.scenario.openscenario.record.parameter import ParameterType, Rule
from dorosim.scenario.openscenario.value import (
    SIMPLE_OF_PARAMETER,
    BadValueError,
    double_of,
    resolved,
    text_of,
    value_of_type,
    word_of,
)

MAX_DECLARATIONS = 10_000
_NAMED = re.compile(r"\$([A-Za-z_][A-Za-z0-9_]*)")

_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    Rule.EQUAL_TO: operator.eq,
    Rule.GREATER_THAN: operator.gt,
    Rule.LESS_THAN: operator.lt,
    Rule.GREATER_OR_EQUAL: operator.ge,
    Rule.LESS_OR_EQUAL: operator.le,
    Rule.NOT_EQUAL_TO: operator.ne,
}


def compare(value: Value, rule: Rule, reference: Value) -> bool:
    """Whether a value meets a rule: as numbers where both are some, else as texts.

    Raises:
        BadValueError: texts are to be ordered.
    """
    if isinstance(value, bool) or isinstance(reference, bool):
        pair: tuple[Any, Any] = (text_of(value).lower(), text_of(reference).lower())
    else:
        try:
            pair = (double_of(value), double_of(reference))
        except BadValueError:
            pair = (text_of(value), text_of(reference))
    if isinstance(pair[0], str) and rule not in (Rule.EQUAL_TO, Rule.NOT_EQUAL_TO):
        raise BadValueError(f"{rule} does not compare {shown(pair[0])} and {shown(pair[1])}", "compare numbers")
    return _COMPARE[rule](*pair)


def borrowed_by(entry: Any, outer: Mapping[str, Value]) -> dict[str, Value]:
    """The parameters around a reference that the entry of a catalog names, and does not declare itself.

    An entry sees its own parameters alone (ASAM OpenSCENARIO XML 1.3, 9.4); real files count on those around it.

    Args:
        entry: the element, of lxml.
        outer: parameters where it is referred to.
    """
    if not outer:
        return {}
    declared = {(one.get("name") or "").strip().removeprefix("$") for one in entry.iter("ParameterDeclaration")}
    named = {
        name
        for one in entry.iter("*")
        for attribute, text in one.attrib.items()
        if "$" in text and attribute not in ("parameterRef", "name")
        for name in _NAMED.findall(text)
    }
    return {name: outer[name] for name in sorted(named - declared) if name in outer}


def scope_inside(
    node: Any, outer: Mapping[str, Value], given: Mapping[str, str], findings: Findings, source: str
) -> dict[str, Value]:
    """The parameters inside an element: its own, over those around it.

    Args:
        node: the element, of lxml, with `ParameterDeclarations` directly in it or not.
        outer: parameters around it.
        given: values that stand for the declared ones, by name, as texts.
        findings: get what is wrong.
        source: the file of the element.
    """
    inside = dict(outer)
    for count, declaration in enumerate(node.iterfind("ParameterDeclarations/ParameterDeclaration")):
        name = (declaration.get("name") or "").strip().removeprefix("$")
        if count >= MAX_DECLARATIONS:
            findings.add(FindingLevel.ERROR, declaration, f"there are more than {MAX_DECLARATIONS:,}", source=source)
            break
        try:
            value = _declared(declaration, name, inside, given, findings, source)
            problem = _constraint_problem(declaration, name, value, inside)
        except BadValueError as error:
            findings.add(FindingLevel.ERROR, declaration, str(error), error.cure, attribute="value", source=source)
            value, problem = "", ""
        if problem:
            findings.add(
                FindingLevel.ERROR, declaration, problem, "give another value", attribute="value", source=source
            )
        inside[name] = value
    return inside


def _declared(
    node: Any, name: str, inside: Mapping[str, Value], given: Mapping[str, str], findings: Findings, source: str
) -> Value:
    """The value of a declaration, of its type; a text in the file that is not of the type stays a text."""
    text = given.get(name, node.get("value"))
    if text is None:
        raise BadValueError("is missing", "give a value")
    kind, _ = word_of(node.get("parameterType") or ParameterType.STRING, ParameterType)
    type_name = SIMPLE_OF_PARAMETER[kind]
    found = resolved(text, inside)
    try:
        return value_of_type(found, type_name, infinite=True)
    except BadValueError as error:
        if name in given or not isinstance(found, str):
            raise
        problem = f"{error}, and taken for a text"
        findings.add(FindingLevel.BREAK, node, problem, error.cure, attribute="value", source=source)
        return found


def _constraint_problem(node: Any, name: str, value: Value, inside: Mapping[str, Value]) -> str:
    """The problem of a value that meets none of the groups of constraints; "" for none."""
    if node.find("ConstraintGroup") is None or _is_met(node, value, inside):
        return ""
    return f"{text_of(value)} of parameter {name!r} meets none of its constraint groups"


def _is_met(node: Any, value: Value, inside: Mapping[str, Value]) -> bool:
    """Whether a value meets one of the groups of constraints."""
    return any(
        all(
            compare(
                value,
                Rule(word_of(one.get("rule") or "", Rule)[0]),
                resolved(one.get("value") or "", inside),
            )
            for one in group.iterfind("ValueConstraint")
        )
        for group in node.iterfind("ConstraintGroup")
    )
