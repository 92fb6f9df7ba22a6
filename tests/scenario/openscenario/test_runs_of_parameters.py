"""Parameters have their effect in runs: by expressions, within constraints, with values that are listed or drawn."""

from __future__ import annotations

import statistics
from pathlib import Path

import pytest

from dorosim.ground.error import InputError
from dorosim.scenario.openscenario.distribution import variation, variations
from dorosim.scenario.openscenario.document import open_document
from dorosim.scenario.openscenario.record.distribution import ParameterValueDistribution
from tests.scenario.openscenario.staged import at_time, event, group, speed_action, story, text, variables
from tests.scenario.openscenario.written_file import EGO, HEADER, LOGIC, declared, last_state, written

SPEEDS = declared(("speed", "double", "4"), ("more", "int", "1"))


def with_speed(value: str, parameters: str = SPEEDS) -> bytes:
    action = speed_action(1.0).replace('<AbsoluteTargetSpeed value="1.0"/>', f'<AbsoluteTargetSpeed value="{value}"/>')
    stories = story(group(["ego"], event("go", action, at_time(0.5))))
    return text([EGO], stories, end=1.0, declared=parameters + variables(), signals=LOGIC)


@pytest.mark.parametrize(
    ("value", "given", "expected"),
    [
        ("$speed", {}, 4.0),
        ("$speed", {"speed": "7.5"}, 7.5),
        ("${$speed * 2 + $more}", {}, 9.0),
        ("${max($speed, 3) - $more}", {"more": "2"}, 2.0),
    ],
)
def test_parameters_and_expressions_are_put_in(tmp_path: Path, value: str, given: dict, expected: float) -> None:
    assert last_state(written(tmp_path, with_speed(value)), given).entity.speed[0] == expected


def constraint(*groups: tuple[tuple[str, str], ...]) -> str:
    return "".join(
        "<ConstraintGroup>"
        + "".join(f'<ValueConstraint rule="{rule}" value="{value}"/>' for rule, value in one)
        + "</ConstraintGroup>"
        for one in groups
    )


@pytest.mark.parametrize(
    ("groups", "allowed", "refused"),
    [
        (((("lessOrEqual", "5"),),), ("5", "4"), ("5.1",)),
        (((("greaterThan", "2"), ("lessThan", "5")),), ("3",), ("2", "5")),
        (((("lessThan", "2"),), (("equalTo", "9"),)), ("1", "9"), ("4",)),
        (((("notEqualTo", "3"), ("greaterOrEqual", "1")),), ("4", "1"), ("3", "0")),
    ],
)
def test_a_value_must_meet_one_group_of_constraints(tmp_path: Path, groups, allowed, refused) -> None:
    limits = declared(("speed", "double", allowed[0]), constraints=constraint(*groups))
    file = written(tmp_path, with_speed("$speed", limits))
    for value in allowed:
        assert last_state(file, {"speed": value}).entity.speed[0] == float(value)
    for value in refused:
        with pytest.raises(InputError, match="speed"):
            last_state(file, {"speed": value})


def distribution(inside: str) -> ParameterValueDistribution:
    content = f'<ParameterValueDistribution><ScenarioFile filepath="a.xosc"/>{inside}</ParameterValueDistribution>'
    reading = open_document("d.xosc", f"<OpenSCENARIO>{HEADER}{content}</OpenSCENARIO>".encode()).read()
    assert reading.findings == ()
    found = reading.distribution()
    assert found is not None
    return found


def speeds_of(folder: Path, inside: str, value: str = "$speed", seed: int = 0) -> list[float]:
    """Speeds at the ends of all runs of a file of distributions."""
    file = written(folder, with_speed(value))
    found = distribution(inside)
    runs = [dict(one.values) for one in variations(found, seed)]
    assert dict(variation(found, len(runs), seed).values) == runs[-1]
    return [float(last_state(file, one).entity.speed[0]) for one in runs]


def single(name: str, inside: str) -> str:
    return (
        f'<DeterministicSingleParameterDistribution parameterName="{name}">{inside}'
        "</DeterministicSingleParameterDistribution>"
    )


def listed(*values: str) -> str:
    return "<DistributionSet>" + "".join(f'<Element value="{one}"/>' for one in values) + "</DistributionSet>"


STEPS = '<DistributionRange stepWidth="2"><Range lowerLimit="1" upperLimit="6"/></DistributionRange>'
LIST = '<UserDefinedDistribution type="list">2, 8</UserDefinedDistribution>'
TOGETHER = """<DeterministicMultiParameterDistribution><ValueSetDistribution>{}</ValueSetDistribution>
</DeterministicMultiParameterDistribution>"""


def value_set(**values: str) -> str:
    inside = "".join(f'<ParameterAssignment parameterRef="{name}" value="{value}"/>' for name, value in values.items())
    return f"<ParameterValueSet>{inside}</ParameterValueSet>"


@pytest.mark.parametrize(
    ("inside", "value", "expected"),
    [
        (single("speed", listed("3", "9")), "$speed", [3.0, 9.0]),
        (single("speed", STEPS), "$speed", [1.0, 3.0, 5.0]),
        (single("speed", LIST), "$speed", [2.0, 8.0]),
        (single("speed", listed("3", "9")) + single("more", listed("1", "2")), "${$speed + $more}", [4, 5, 10, 11]),
        (
            TOGETHER.format(value_set(speed="3", more="2") + value_set(speed="9", more="1")),
            "${$speed + $more}",
            [5.0, 10.0],
        ),
    ],
)
def test_values_that_are_listed_make_runs(tmp_path: Path, inside: str, value: str, expected: list[float]) -> None:
    assert speeds_of(tmp_path, f"<Deterministic>{inside}</Deterministic>", value) == expected


def drawn(inside: str, runs: int = 60, seed: str = 'randomSeed="5"') -> str:
    return (
        f'<Stochastic numberOfTestRuns="{runs}" {seed}><StochasticDistribution parameterName="speed">{inside}'
        "</StochasticDistribution></Stochastic>"
    )


RANGE = '<Range lowerLimit="{}" upperLimit="{}"/>'
DRAWN = {
    "uniform": (f"<UniformDistribution>{RANGE.format(2, 6)}</UniformDistribution>", 4.0, 2.0, 6.0),
    "normal": ('<NormalDistribution expectedValue="20" variance="4"/>', 20.0, 10.0, 30.0),
    "bound": (
        f'<NormalDistribution expectedValue="20" variance="4">{RANGE.format(19, 20)}</NormalDistribution>',
        19.5,
        19.0,
        20.0,
    ),
    "log": (
        f'<LogNormalDistribution expectedValue="1" variance="0.04">{RANGE.format(1, 6)}</LogNormalDistribution>',
        2.77,
        1.0,
        6.0,
    ),
    "poisson": (f'<PoissonDistribution expectedValue="9">{RANGE.format(0, 30)}</PoissonDistribution>', 9.0, 0.0, 30.0),
    "set": (
        '<ProbabilityDistributionSet><Element value="1" weight="1"/><Element value="9" weight="3"/>'
        "</ProbabilityDistributionSet>",
        7.0,
        1.0,
        9.0,
    ),
    "histogram": (
        f'<Histogram><Bin weight="1">{RANGE.format(0, 2)}</Bin><Bin weight="3">{RANGE.format(8, 10)}</Bin></Histogram>',
        7.0,
        0.0,
        10.0,
    ),
    "user": ('<UserDefinedDistribution type="list">2, 8</UserDefinedDistribution>', 5.0, 2.0, 8.0),
}


def speeds_drawn(inside: str, seed: int = 0) -> list[float]:
    """The speeds that all runs of a file of distributions are given."""
    return [float(dict(one.values)["speed"]) for one in variations(distribution(inside), seed)]


@pytest.mark.parametrize("kind", DRAWN)
def test_values_that_are_drawn_make_runs(tmp_path: Path, kind: str) -> None:
    inside, mean, least, most = DRAWN[kind]
    assert speeds_of(tmp_path, drawn(inside, runs=3)) == speeds_drawn(drawn(inside))[:3]
    found = speeds_drawn(drawn(inside))
    assert len(found) == 60
    assert min(found) >= least
    assert max(found) <= most
    assert abs(statistics.fmean(found) - mean) < 4.0 * statistics.stdev(found) / 60**0.5
    assert len(set(found)) > 1
    assert found == speeds_drawn(drawn(inside))
    assert found != speeds_drawn(drawn(inside, seed='randomSeed="6"'))
    assert found != speeds_drawn(drawn(inside), seed=1)


def test_weights_and_bounds_count() -> None:
    most = DRAWN["set"][0].replace('weight="3"', 'weight="0"')
    assert set(speeds_drawn(drawn(most))) == {1.0}
    bins = speeds_drawn(drawn(DRAWN["histogram"][0].replace('weight="1"', 'weight="0"')))
    assert min(bins) >= 8.0
    poisson = speeds_drawn(drawn(f'<PoissonDistribution expectedValue="9">{RANGE.format(8, 9)}</PoissonDistribution>'))
    assert set(poisson) == {8.0, 9.0}
