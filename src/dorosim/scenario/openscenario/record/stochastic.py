"""Values of parameters that are drawn."""

from __future__ import annotations

from dorosim.scenario.openscenario.record.deterministic import UserDefinedDistribution
from dorosim.scenario.openscenario.record.parameter import Range
from dorosim.scenario.openscenario.record.table import (
    OscRecord,
    UnsignedInt,
    attribute,
    child,
    children,
    choice,
    group,
    sequence,
)


@sequence(since="1.1")
class Stochastic(OscRecord):
    """Values that are drawn: each run draws one for each parameter."""

    number_of_test_runs: UnsignedInt = attribute("how many runs")
    random_seed: float | None = attribute("seed of the draws", default=None)
    stochastic_distributions: tuple[StochasticDistribution, ...] = children(
        "StochasticDistribution", default=(), required=()
    )


@sequence(since="1.1")
class StochasticDistribution(OscRecord):
    """How values of a parameter are drawn."""

    parameter_name: str = attribute("name of the parameter")
    stochastic_distribution_type: StochasticDistributionType = group()


@choice(since="1.1", is_group=True)
class StochasticDistributionType(OscRecord):
    """From which distribution values are drawn."""

    probability_distribution_set: ProbabilityDistributionSet | None = child(default=None)
    normal_distribution: NormalDistribution | None = child(default=None)
    log_normal_distribution: LogNormalDistribution | None = child(default=None, since="1.3")
    uniform_distribution: UniformDistribution | None = child(default=None)
    poisson_distribution: PoissonDistribution | None = child(default=None)
    histogram: Histogram | None = child(default=None)
    user_defined_distribution: UserDefinedDistribution | None = child(default=None)


@sequence(since="1.1")
class ProbabilityDistributionSet(OscRecord):
    """Values with weights."""

    elements: tuple[ProbabilityDistributionSetElement, ...] = children("Element", default=(), required=())


@sequence(since="1.1")
class ProbabilityDistributionSetElement(OscRecord):
    """A value with its weight."""

    value: str = attribute("value")
    weight: float = attribute("weight")


@sequence(since="1.1")
class NormalDistribution(OscRecord):
    """The normal distribution."""

    expected_value: float = attribute("mean")
    variance: float = attribute("variance")
    range: Range | None = child(default=None)


@sequence(since="1.3")
class LogNormalDistribution(OscRecord):
    """The log-normal distribution."""

    expected_value: float = attribute("mean of the value's logarithm")
    variance: float = attribute("variance of the value's logarithm")
    range: Range | None = child(default=None)


@sequence(since="1.1")
class UniformDistribution(OscRecord):
    """The uniform distribution."""

    range: Range = child()


@sequence(since="1.1")
class PoissonDistribution(OscRecord):
    """The Poisson distribution."""

    expected_value: float = attribute("mean")
    range: Range | None = child(default=None)


@sequence(since="1.1")
class Histogram(OscRecord):
    """Intervals with weights; within one, each value is as likely."""

    bins: tuple[HistogramBin, ...] = children("Bin", default=(), required=())


@sequence(since="1.1")
class HistogramBin(OscRecord):
    """An interval with its weight."""

    weight: float = attribute("weight")
    range: Range = child()
