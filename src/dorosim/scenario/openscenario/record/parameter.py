"""Parameters, variables and monitors: names with values."""

from __future__ import annotations

from dorosim.scenario.openscenario.record.table import OscRecord, Word, attribute, children, sequence, words


@words()
class ParameterType(Word):
    """The type of a parameter or variable."""

    BOOLEAN = "boolean"
    DATE_TIME = "dateTime"
    DOUBLE = "double"
    INTEGER = "integer", "", "1.2"
    STRING = "string"
    UNSIGNED_INT = "unsignedInt"
    UNSIGNED_SHORT = "unsignedShort"
    INT = "int", "1.2"


@words()
class Rule(Word):
    """How a value is compared with a reference."""

    EQUAL_TO = "equalTo"
    GREATER_THAN = "greaterThan"
    LESS_THAN = "lessThan"
    GREATER_OR_EQUAL = "greaterOrEqual", "1.1"
    LESS_OR_EQUAL = "lessOrEqual", "1.1"
    NOT_EQUAL_TO = "notEqualTo", "1.1"


@sequence()
class ParameterDeclarations(OscRecord):
    """All parameters of an element."""

    parameter_declarations: tuple[ParameterDeclaration, ...] = children("ParameterDeclaration", default=())


@sequence()
class ParameterDeclaration(OscRecord):
    """A named value that is put in where a file says $name, before the run starts."""

    name: str = attribute("name, without $")
    parameter_type: ParameterType = attribute("type")
    value: str = attribute("value unless another is given")
    constraint_groups: tuple[ValueConstraintGroup, ...] = children("ConstraintGroup", default=(), since="1.1")


@sequence()
class ParameterAssignments(OscRecord):
    """Values that a reference gives to the parameters of a catalog entry."""

    parameter_assignments: tuple[ParameterAssignment, ...] = children("ParameterAssignment", default=())


@sequence()
class ParameterAssignment(OscRecord):
    """A value for a parameter."""

    parameter_ref: str = attribute("name of the parameter, without $")
    value: str = attribute("its value")


@sequence(since="1.1")
class ValueConstraintGroup(OscRecord):
    """Constraints that hold together; a parameter must meet one of its groups."""

    value_constraints: tuple[ValueConstraint, ...] = children("ValueConstraint", default=(), required=())


@sequence(since="1.1")
class ValueConstraint(OscRecord):
    """A comparison that a parameter's value must meet."""

    rule: Rule = attribute("comparison")
    value: str = attribute("reference")


@sequence(since="1.2")
class VariableDeclarations(OscRecord):
    """All variables of a scenario."""

    variable_declarations: tuple[VariableDeclaration, ...] = children("VariableDeclaration", default=())


@sequence(since="1.2")
class VariableDeclaration(OscRecord):
    """A named value that actions change during the run."""

    name: str = attribute("name")
    value: str = attribute("value at the start")
    variable_type: ParameterType = attribute("type")


@sequence(since="1.3")
class MonitorDeclarations(OscRecord):
    """All monitors of a scenario."""

    monitor_declarations: tuple[MonitorDeclaration, ...] = children("MonitorDeclaration", default=())


@sequence(since="1.3")
class MonitorDeclaration(OscRecord):
    """A named truth value that reports what a run has met."""

    name: str = attribute("name")
    value: bool = attribute("value at the start")


@sequence(since="1.1")
class Range(OscRecord):
    """An interval with both ends."""

    lower_limit: float = attribute("least value")
    upper_limit: float = attribute("greatest value")
