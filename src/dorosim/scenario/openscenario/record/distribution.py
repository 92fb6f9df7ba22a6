"""Distributions of parameter values: many runs of one scenario."""

from __future__ import annotations

from dorosim.scenario.openscenario.record.deterministic import Deterministic
from dorosim.scenario.openscenario.record.property import File
from dorosim.scenario.openscenario.record.stochastic import Stochastic
from dorosim.scenario.openscenario.record.table import OscRecord, child, choice, group, sequence


@sequence(since="1.1", is_group=True)
class ParameterValueDistributionDefinition(OscRecord):
    """What a file of distributions holds."""

    parameter_value_distribution: ParameterValueDistribution = child()


@sequence(since="1.1")
class ParameterValueDistribution(OscRecord):
    """Values for the parameters of a scenario."""

    scenario_file: File = child()
    distribution_definition: DistributionDefinition = group()


@choice(since="1.1", is_group=True)
class DistributionDefinition(OscRecord):
    """How values are found."""

    deterministic: Deterministic | None = child(default=None)
    stochastic: Stochastic | None = child(default=None)
