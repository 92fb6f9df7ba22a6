"""Actions that belong to no entity, but for traffic and traffic lights."""

from __future__ import annotations

from dorosim.scenario.openscenario.record.environment import Environment
from dorosim.scenario.openscenario.record.position import Position
from dorosim.scenario.openscenario.record.reference import CatalogReference
from dorosim.scenario.openscenario.record.table import OscRecord, attribute, child, choice, sequence, unordered


@choice(choice_required="1.3")
class EntityAction(OscRecord):
    """Put an entity into the world, or take it out."""

    entity_ref: str = attribute("name of the entity")
    add_entity_action: AddEntityAction | None = child(default=None)
    delete_entity_action: DeleteEntityAction | None = child(default=None)


@unordered()
class AddEntityAction(OscRecord):
    """Put an entity into the world."""

    position: Position = child()


@sequence()
class DeleteEntityAction(OscRecord):
    """Take an entity out of the world."""


@choice(choice_required="1.3")
class EnvironmentAction(OscRecord):
    """Set time of day, weather and road."""

    environment: Environment | None = child(default=None)
    catalog_reference: CatalogReference | None = child(default=None)


@choice(deprecated="1.2", choice_required="1.3")
class ParameterAction(OscRecord):
    """Change a parameter during the run."""

    parameter_ref: str = attribute("name of the parameter")
    set_action: ParameterSetAction | None = child(default=None, deprecated="1.2")
    modify_action: ParameterModifyAction | None = child(default=None, deprecated="1.2")


@sequence(deprecated="1.2")
class ParameterSetAction(OscRecord):
    """Set a parameter."""

    value: str = attribute("new value")


@unordered(deprecated="1.2")
class ParameterModifyAction(OscRecord):
    """Change a parameter by its present value."""

    rule: ModifyRule = child()


@choice(deprecated="1.2", choice_required="1.3")
class ModifyRule(OscRecord):
    """How a parameter changes."""

    add_value: ParameterAddValueRule | None = child(default=None)
    multiply_by_value: ParameterMultiplyByValueRule | None = child(default=None)


@sequence(deprecated="1.2")
class ParameterAddValueRule(OscRecord):
    """Add to a parameter."""

    value: float = attribute("what is added")


@sequence(deprecated="1.2")
class ParameterMultiplyByValueRule(OscRecord):
    """Multiply a parameter."""

    value: float = attribute("factor")


@choice(since="1.2", choice_required="1.3")
class VariableAction(OscRecord):
    """Change a variable."""

    variable_ref: str = attribute("name of the variable")
    set_action: VariableSetAction | None = child(default=None)
    modify_action: VariableModifyAction | None = child(default=None)


@sequence(since="1.2")
class VariableSetAction(OscRecord):
    """Set a variable."""

    value: str = attribute("new value")


@unordered(since="1.2")
class VariableModifyAction(OscRecord):
    """Change a variable by its present value."""

    rule: VariableModifyRule = child()


@choice(since="1.2", choice_required="1.3")
class VariableModifyRule(OscRecord):
    """How a variable changes."""

    add_value: VariableAddValueRule | None = child(default=None)
    multiply_by_value: VariableMultiplyByValueRule | None = child(default=None)


@sequence(since="1.2")
class VariableAddValueRule(OscRecord):
    """Add to a variable."""

    value: float = attribute("what is added")


@sequence(since="1.2")
class VariableMultiplyByValueRule(OscRecord):
    """Multiply a variable."""

    value: float = attribute("factor")


@sequence(since="1.3")
class SetMonitorAction(OscRecord):
    """Set a monitor."""

    monitor_ref: str = attribute("name of the monitor")
    value: bool = attribute("new value")
