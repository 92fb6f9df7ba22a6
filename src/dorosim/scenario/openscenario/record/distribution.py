"""Distributions of parameter values: many runs of one scenario."""

from __future__ import annotations

from dorosim.scenario.openscenario.record.parameter import ParameterAssignment, Range
from dorosim.scenario.openscenario.record.property import File
from dorosim.scenario.openscenario.record.table import (
    Record,
    UnsignedInt,
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


@sequence(since="1.1", is_group=True)
class ParameterValueDistributionDefinition(Record):
    """What a file of distributions holds."""

    parameter_value_distribution: ParameterValueDistribution = child()


@sequence(since="1.1")
class ParameterValueDistribution(Record):
    """Values for the parameters of a scenario."""

    scenario_file: File = child()
    distribution_definition: DistributionDefinition = group()


@choice(since="1.1", is_group=True)
class DistributionDefinition(Record):
    """How values are found."""

    deterministic: Deterministic | None = child(default=None)
    stochastic: Stochastic | None = child(default=None)


@sequence(since="1.1")
class Deterministic(Record):
    """Values that are listed: every combination is one run."""

    deterministic_parameter_distributions: tuple[DeterministicParameterDistribution, ...] = groups(default=())


@choice(since="1.1", is_group=True)
class DeterministicParameterDistribution(Record):
    """Values of one parameter, or of several together."""

    deterministic_multi_parameter_distribution: DeterministicMultiParameterDistribution | None = child(default=None)
    deterministic_single_parameter_distribution: DeterministicSingleParameterDistribution | None = child(default=None)


@sequence(since="1.1")
class DeterministicMultiParameterDistribution(Record):
    """Values of several parameters together."""

    deterministic_multi_parameter_distribution_type: DeterministicMultiParameterDistributionType = group()


@sequence(since="1.1", is_group=True)
class DeterministicMultiParameterDistributionType(Record):
    """How values of several parameters are listed."""

    value_set_distribution: ValueSetDistribution = child()


@sequence(since="1.1")
class ValueSetDistribution(Record):
    """Sets of values."""

    parameter_value_sets: tuple[ParameterValueSet, ...] = children("ParameterValueSet", default=(), required=())


@sequence(since="1.1")
class ParameterValueSet(Record):
    """A value for each of several parameters."""

    parameter_assignments: tuple[ParameterAssignment, ...] = children("ParameterAssignment", default=(), required=())


@sequence(since="1.1")
class DeterministicSingleParameterDistribution(Record):
    """Values of one parameter."""

    parameter_name: str = attribute("name of the parameter")
    deterministic_single_parameter_distribution_type: DeterministicSingleParameterDistributionType = group()


@choice(since="1.1", is_group=True)
class DeterministicSingleParameterDistributionType(Record):
    """How values of one parameter are listed."""

    distribution_set: DistributionSet | None = child(default=None)
    distribution_range: DistributionRange | None = child(default=None)
    user_defined_distribution: UserDefinedDistribution | None = child(default=None)


@sequence(since="1.1")
class DistributionSet(Record):
    """Values one by one."""

    elements: tuple[DistributionSetElement, ...] = children("Element", default=(), required=())


@sequence(since="1.1")
class DistributionSetElement(Record):
    """A value."""

    value: str = attribute("value")


@unordered(since="1.1")
class DistributionRange(Record):
    """Values at equal distances."""

    step_width: float = attribute("distance")
    range: Range = child()


@sequence(since="1.1")
class UserDefinedDistribution(Record):
    """A distribution that the standard does not define."""

    type: str = attribute("type")
    content: str = text("its text", default="")


@sequence(since="1.1")
class Stochastic(Record):
    """Values that are drawn: each run draws one for each parameter."""

    number_of_test_runs: UnsignedInt = attribute("how many runs")
    random_seed: float | None = attribute("seed of the draws", default=None)
    stochastic_distributions: tuple[StochasticDistribution, ...] = children(
        "StochasticDistribution", default=(), required=()
    )


@sequence(since="1.1")
class StochasticDistribution(Record):
    """How values of a parameter are drawn."""

    parameter_name: str = attribute("name of the parameter")
    stochastic_distribution_type: StochasticDistributionType = group()


@choice(since="1.1", is_group=True)
class StochasticDistributionType(Record):
    """From which distribution values are drawn."""

    probability_distribution_set: ProbabilityDistributionSet | None = child(default=None)
    normal_distribution: NormalDistribution | None = child(default=None)
    log_normal_distribution: LogNormalDistribution | None = child(default=None, since="1.3")
    uniform_distribution: UniformDistribution | None = child(default=None)
    poisson_distribution: PoissonDistribution | None = child(default=None)
    histogram: Histogram | None = child(default=None)
    user_defined_distribution: UserDefinedDistribution | None = child(default=None)


@sequence(since="1.1")
class ProbabilityDistributionSet(Record):
    """Values with weights."""

    elements: tuple[ProbabilityDistributionSetElement, ...] = children("Element", default=(), required=())


@sequence(since="1.1")
class ProbabilityDistributionSetElement(Record):
    """A value with its weight."""

    value: str = attribute("value")
    weight: float = attribute("weight")


@sequence(since="1.1")
class NormalDistribution(Record):
    """The normal distribution."""

    expected_value: float = attribute("mean")
    variance: float = attribute("variance")
    range: Range | None = child(default=None)


@sequence(since="1.3")
class LogNormalDistribution(Record):
    """The log-normal distribution."""

    expected_value: float = attribute("mean of the value's logarithm")
    variance: float = attribute("variance of the value's logarithm")
    range: Range | None = child(default=None)


@sequence(since="1.1")
class UniformDistribution(Record):
    """The uniform distribution."""

    range: Range = child()


@sequence(since="1.1")
class PoissonDistribution(Record):
    """The Poisson distribution."""

    expected_value: float = attribute("mean")
    range: Range | None = child(default=None)


@sequence(since="1.1")
class Histogram(Record):
    """Intervals with weights; within one, each value is as likely."""

    bins: tuple[HistogramBin, ...] = children("Bin", default=(), required=())


@sequence(since="1.1")
class HistogramBin(Record):
    """An interval with its weight."""

    weight: float = attribute("weight")
    range: Range = child()
