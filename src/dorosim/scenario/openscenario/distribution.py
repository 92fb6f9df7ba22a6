"""Runs of one scenario with other values of its parameters, as a file of distributions says them.

Values that are listed are combined, the last distribution of the file changing fastest. Values that are drawn are
addressed by (seed, seed of the file, parameter, run) (`dorosim.ground.noise`), so a run has the same values alone as
among others.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, product
from types import MappingProxyType

import numpy as np

from dorosim.ground.error import InputError
from dorosim.ground.noise import Noise
from dorosim.scenario.openscenario.finding import shown
from dorosim.scenario.openscenario.record.distribution import (
    Deterministic,
    DeterministicParameterDistribution,
    DistributionRange,
    Histogram,
    LogNormalDistribution,
    NormalDistribution,
    ParameterValueDistribution,
    PoissonDistribution,
    ProbabilityDistributionSet,
    Stochastic,
    StochasticDistribution,
    UniformDistribution,
    UserDefinedDistribution,
)
from dorosim.scenario.openscenario.record.parameter import Range
from dorosim.scenario.openscenario.record.table import Record
from dorosim.scenario.openscenario.value import text_of

MAX_VARIATIONS = 1_000_000
MAX_VALUES = 1_000_000
"""Of one distribution."""

_TRIES = 10_000
"""Draws among which one must lie within the range of a distribution."""

LIST = "list"
"""The type of a user-defined distribution that dorosim knows: values with commas between them, each as likely."""

Assignment = Mapping[str, str]
"""Values of parameters as texts, by name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Variation:
    """One run.

    Attributes:
        number: from 1.
        values: of parameters, as texts, by name.
    """

    number: int
    values: Assignment


def count_variations(distribution: ParameterValueDistribution) -> int:
    """How many runs a file of distributions asks for.

    Raises:
        InputError: a distribution cannot be used, or there are more than `MAX_VARIATIONS` runs.
    """
    found = distribution.distribution_definition
    if found.stochastic is not None:
        count = found.stochastic.number_of_test_runs
    else:
        count = math.prod(len(one) for one in _axes(_deterministic(distribution)))
    if count > MAX_VARIATIONS:
        raise _refuse(
            distribution, f"asks for {count:,} runs, and {MAX_VARIATIONS:,} are done at most", "ask for fewer"
        )
    return count


def variations(distribution: ParameterValueDistribution, seed: int = 0) -> Iterator[Variation]:
    """All runs of a file of distributions, in order.

    Args:
        distribution: of the file.
        seed: of values that are drawn.

    Raises:
        InputError: a distribution cannot be used, or there are more than `MAX_VARIATIONS` runs.
    """
    count = count_variations(distribution)
    stochastic = distribution.distribution_definition.stochastic
    if stochastic is not None:
        for number in range(1, count + 1):
            yield Variation(number=number, values=_drawn(stochastic, seed, number))
        return
    for number, parts in enumerate(product(*_axes(_deterministic(distribution))), 1):
        merged = {name: value for part in parts for name, value in part.items()}
        yield Variation(number=number, values=MappingProxyType(merged))


def variation(distribution: ParameterValueDistribution, number: int, seed: int = 0) -> Variation:
    """One run of a file of distributions.

    Raises:
        InputError: a distribution cannot be used, or there is no such run.
    """
    count = count_variations(distribution)
    if not 1 <= number <= count:
        raise _refuse(distribution, f"has no variation {number}", f"give 1 to {count}")
    stochastic = distribution.distribution_definition.stochastic
    if stochastic is not None:
        return Variation(number=number, values=_drawn(stochastic, seed, number))
    return next(islice(variations(distribution, seed), number - 1, None))


def _refuse(record: Record, problem: str, cure: str) -> InputError:
    """The error about a record."""
    name = type(record).__name__
    return InputError(record.origin.source, f"line {record.origin.line}, <{name}>", problem, cure)


def _deterministic(distribution: ParameterValueDistribution) -> Deterministic:
    found = distribution.distribution_definition.deterministic
    if found is None:
        raise _refuse(distribution, "has neither <Deterministic> nor <Stochastic>", "add one")
    return found


def _axes(deterministic: Deterministic) -> list[list[Assignment]]:
    """What is combined: for each distribution, its assignments."""
    axes = [_axis(one) for one in deterministic.deterministic_parameter_distributions]
    seen: set[str] = set()
    for axis in axes:
        names = {name for assignment in axis for name in assignment}
        for name in names & seen:
            raise _refuse(deterministic, f"has two distributions of parameter {shown(name)}", "keep one")
        seen |= names
    return axes


def _axis(one: DeterministicParameterDistribution) -> list[Assignment]:
    """The assignments of a distribution."""
    several, single = one.deterministic_multi_parameter_distribution, one.deterministic_single_parameter_distribution
    if several is not None:
        sets = several.deterministic_multi_parameter_distribution_type.value_set_distribution.parameter_value_sets
        return [{part.parameter_ref: part.value for part in chosen.parameter_assignments} for chosen in sets]
    if single is None:
        raise _refuse(one, "has no distribution", "add one")
    kind = single.deterministic_single_parameter_distribution_type
    if kind.distribution_set is not None:
        values = [element.value for element in kind.distribution_set.elements]
    elif kind.distribution_range is not None:
        values = _values_of_range(kind.distribution_range)
    elif kind.user_defined_distribution is not None:
        values = _listed(kind.user_defined_distribution)
    else:
        raise _refuse(single, "has no values", "add some")
    return [{single.parameter_name: value} for value in values]


def _ends(owner: Record, limits: Range) -> tuple[float, float]:
    """Both ends of a range."""
    low, high = limits.lower_limit, limits.upper_limit
    if not (math.isfinite(low) and math.isfinite(high) and low <= high):
        raise _refuse(owner, f"has the range {low:g} to {high:g}", "give finite limits, the lower one first")
    return low, high


def _values_of_range(one: DistributionRange) -> list[str]:
    """Values at equal distances; the upper limit is one of them if a step meets it."""
    low, high = _ends(one, one.range)
    step = one.step_width
    if not step > 0.0:
        raise _refuse(one, f"has a step of {step:g}", "give one greater than 0")
    count = math.floor((high - low) / step + 1e-9) + 1
    if count > MAX_VALUES:
        raise _refuse(one, f"has {count:,} values", "make the step wider")
    return [text_of(round(low + index * step, 12)) for index in range(count)]


def _listed(one: UserDefinedDistribution) -> list[str]:
    """The values of a user-defined distribution."""
    if one.type.strip().lower() != LIST:
        raise _refuse(one, f"is of type {shown(one.type)}, which is not known", f"take type {LIST!r}, or another form")
    values = [part.strip() for part in one.content.replace("\n", ",").split(",") if part.strip()]
    if not values:
        raise _refuse(one, "lists no values", "write them with commas between them")
    return values


def _drawn(stochastic: Stochastic, seed: int, number: int) -> Assignment:
    """The values of one run."""
    own = "" if stochastic.random_seed is None else text_of(stochastic.random_seed)
    values: dict[str, str] = {}
    for one in stochastic.stochastic_distributions:
        if one.parameter_name in values:
            raise _refuse(one, f"is a second distribution of parameter {shown(one.parameter_name)}", "keep one")
        random = Noise(seed).stream(f"openscenario/{own}/{one.parameter_name}", number)
        values[one.parameter_name] = _draw(one, random)
    return MappingProxyType(values)


def _draw(owner: StochasticDistribution, random: np.random.Generator) -> str:
    """A value of a distribution."""
    match owner.stochastic_distribution_type.chosen:
        case ProbabilityDistributionSet() as weighted:
            weights = [element.weight for element in weighted.elements]
            return weighted.elements[_weighted(weighted, weights, random)].value
        case NormalDistribution() as normal:
            mean, deviation = normal.expected_value, _deviation(normal, normal.variance)
            return _within(normal, normal.range, lambda count: random.normal(mean, deviation, count))
        case LogNormalDistribution() as normal:
            mean, deviation = normal.expected_value, _deviation(normal, normal.variance)
            return _within(normal, normal.range, lambda count: random.lognormal(mean, deviation, count))
        case UniformDistribution() as uniform:
            return text_of(float(random.uniform(*_ends(uniform, uniform.range))))
        case PoissonDistribution() as poisson:
            mean = poisson.expected_value
            if not 0.0 <= mean <= 1e9:
                raise _refuse(poisson, f"has an expected value of {mean:g}", "give one from 0 to 1e9")
            return _within(poisson, poisson.range, lambda count: random.poisson(mean, count).astype(float))
        case Histogram() as histogram:
            weights = [part.weight for part in histogram.bins]
            chosen = histogram.bins[_weighted(histogram, weights, random)]
            return text_of(float(random.uniform(*_ends(chosen, chosen.range))))
        case UserDefinedDistribution() as listed:
            values = _listed(listed)
            return values[int(random.integers(len(values)))]
    raise _refuse(owner, "has no distribution", "add one")


def _weighted(owner: Record, weights: Sequence[float], random: np.random.Generator) -> int:
    """The index of one of several things with weights."""
    total = sum(weights)
    if not weights or min(weights) < 0.0 or not total > 0.0:
        raise _refuse(owner, "has weights that are negative, or all 0", "give weights of 0 and more")
    return int(np.searchsorted(np.cumsum(weights), random.uniform(0.0, total), side="right").clip(0, len(weights) - 1))


def _deviation(owner: Record, variance: float) -> float:
    """The standard deviation."""
    if not variance >= 0.0:
        raise _refuse(owner, f"has a variance of {variance:g}", "give one of 0 or more")
    return math.sqrt(variance)


def _within(owner: Record, limits: Range | None, draw: Callable[[int], np.ndarray]) -> str:
    """The first value of some draws that lies within a range."""
    with np.errstate(over="ignore"):
        values = draw(1 if limits is None else _TRIES)
    if limits is not None:
        low, high = _ends(owner, limits)
        values = values[(values >= low) & (values <= high)]
    if not len(values) or not math.isfinite(values[0]):
        raise _refuse(owner, f"has no finite value among {_TRIES:,} draws in its range", "widen the range")
    return text_of(float(values[0]))
