"""Values of parameters that are listed."""

from __future__ import annotations

from dorosim.scenario.openscenario.record.parameter import ParameterAssignment, Range
from dorosim.scenario.openscenario.record.table import (
    OscRecord,
    attribute,
    child,
    children,
    choice,
    group,
    groups,
    sequence,
    text,
    unordered,
)


@sequence(since="1.1")
class Deterministic(OscRecord):
    """Values that are listed: every combination is one run."""

    deterministic_parameter_distributions: tuple[DeterministicParameterDistribution, ...] = groups(default=())


@choice(since="1.1", is_group=True)
class DeterministicParameterDistribution(OscRecord):
    """Values of one parameter, or of several together."""

    deterministic_multi_parameter_distribution: DeterministicMultiParameterDistribution | None = child(default=None)
    deterministic_single_parameter_distribution: DeterministicSingleParameterDistribution | None = child(default=None)


@sequence(since="1.1")
class DeterministicMultiParameterDistribution(OscRecord):
    """Values of several parameters together."""

    deterministic_multi_parameter_distribution_type: DeterministicMultiParameterDistributionType = group()


@sequence(since="1.1", is_group=True)
class DeterministicMultiParameterDistributionType(OscRecord):
    """How values of several parameters are listed."""

    value_set_distribution: ValueSetDistribution = child()


@sequence(since="1.1")
class ValueSetDistribution(OscRecord):
    """Sets of values."""

    parameter_value_sets: tuple[ParameterValueSet, ...] = children("ParameterValueSet", default=(), required=())


@sequence(since="1.1")
class ParameterValueSet(OscRecord):
    """A value for each of several parameters."""

    parameter_assignments: tuple[ParameterAssignment, ...] = children("ParameterAssignment", default=(), required=())


@sequence(since="1.1")
class DeterministicSingleParameterDistribution(OscRecord):
    """Values of one parameter."""

    parameter_name: str = attribute("name of the parameter")
    deterministic_single_parameter_distribution_type: DeterministicSingleParameterDistributionType = group()


@choice(since="1.1", is_group=True)
class DeterministicSingleParameterDistributionType(OscRecord):
    """How values of one parameter are listed."""

    distribution_set: DistributionSet | None = child(default=None)
    distribution_range: DistributionRange | None = child(default=None)
    user_defined_distribution: UserDefinedDistribution | None = child(default=None)


@sequence(since="1.1")
class DistributionSet(OscRecord):
    """Values one by one."""

    elements: tuple[DistributionSetElement, ...] = children("Element", default=(), required=())


@sequence(since="1.1")
class DistributionSetElement(OscRecord):
    """A value."""

    value: str = attribute("value")


@unordered(since="1.1")
class DistributionRange(OscRecord):
    """Values at equal distances."""

    step_width: float = attribute("distance")
    range: Range = child()


@sequence(since="1.1")
class UserDefinedDistribution(OscRecord):
    """A distribution that the standard does not define."""

    type: str = attribute("type")
    content: str = text("its text", default="")
