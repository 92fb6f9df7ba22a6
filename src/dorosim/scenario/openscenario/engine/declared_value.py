"""Values of declared types: of variables, parameters and monitors (ASAM OpenSCENARIO XML 1.3, ParameterType)."""

from __future__ import annotations

from collections.abc import Mapping

from dorosim.ground.error import InputError
from dorosim.scenario.openscenario.engine.program import ValueKind, VariablePlan
from dorosim.scenario.openscenario.record.file import ScenarioDefinition
from dorosim.scenario.openscenario.record.parameter import ParameterType
from dorosim.scenario.openscenario.value import date_of

KINDS = {
    ParameterType.BOOLEAN: ValueKind.TRUTH,
    ParameterType.DATE_TIME: ValueKind.DATE,
    ParameterType.DOUBLE: ValueKind.NUMBER,
    ParameterType.INT: ValueKind.INT,
    ParameterType.INTEGER: ValueKind.INT,
    ParameterType.STRING: ValueKind.TEXT,
    ParameterType.UNSIGNED_INT: ValueKind.UNSIGNED_INT,
    ParameterType.UNSIGNED_SHORT: ValueKind.UNSIGNED_SHORT,
}
_BOUNDS = {
    ValueKind.INT: (-(2**31), 2**31 - 1),
    ValueKind.UNSIGNED_INT: (0, 2**32 - 1),
    ValueKind.UNSIGNED_SHORT: (0, 2**16 - 1),
}


def value_of(text: str) -> float | str:
    """The value of a text: a number, truth as 1 and 0, or the text itself."""
    low = text.strip().lower()
    if low in ("true", "false"):
        return 1.0 if low == "true" else 0.0
    try:
        return float(low)
    except ValueError:
        return text


def value_as(kind: ValueKind, text: str) -> float | str:
    """The value of a text as of a declared type; dates are seconds since 1970; the text where it is of another type."""
    if kind is ValueKind.TEXT:
        return text
    if kind is ValueKind.DATE:
        try:
            return date_of(text).timestamp()
        except (InputError, ValueError):
            return text
    found = value_of(text)
    return found if isinstance(found, str) else held_as(kind, found)


def held_as(kind: ValueKind, value: float) -> float:
    """A number as a type holds it: whole ones are rounded, and stay within the bounds of their type."""
    bounds = _BOUNDS.get(kind)
    if bounds is None:
        return float(value != 0.0) if kind is ValueKind.TRUTH else value
    return float(min(max(round(value), bounds[0]), bounds[1]))


def variable_plans(scenario: ScenarioDefinition, given: Mapping[str, object]) -> list[VariablePlan]:
    """Variables, and parameters and monitors, which change in the same way.

    Args:
        scenario: of the file.
        given: values of its parameters, by name.
    """
    declared: list[tuple[str, str, ParameterType]] = []
    if scenario.variable_declarations is not None:
        variables = scenario.variable_declarations.variable_declarations
        declared += [(one.name, one.value, one.variable_type) for one in variables]
    if scenario.parameter_declarations is not None:
        parameters = scenario.parameter_declarations.parameter_declarations
        declared += [(one.name, str(given.get(one.name, one.value)), one.parameter_type) for one in parameters]
    found = [
        VariablePlan(name=name, value=value_as(KINDS[kind], text), kind=KINDS[kind]) for name, text, kind in declared
    ]
    if scenario.monitor_declarations is not None:
        monitors = scenario.monitor_declarations.monitor_declarations
        found += [VariablePlan(name=one.name, value=float(one.value), kind=ValueKind.TRUTH) for one in monitors]
    return found
