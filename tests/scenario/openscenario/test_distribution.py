"""Distributions of parameter values: which runs a file asks for."""

from __future__ import annotations

import statistics

import pytest

from dorosim.ground.error import InputError
from dorosim.scenario.openscenario.distribution import count_variations, variation, variations
from tests.scenario.openscenario.sample import MATERIAL, header, read


def distribution(inside, files=None):
    content = f'<ParameterValueDistribution><ScenarioFile filepath="a.xosc"/>{inside}</ParameterValueDistribution>'
    reading = read(f"<OpenSCENARIO>{header()}{content}</OpenSCENARIO>".encode(), files)
    assert reading.findings == ()
    return reading.distribution()


def single(name, inside):
    return (
        f'<DeterministicSingleParameterDistribution parameterName="{name}">{inside}'
        "</DeterministicSingleParameterDistribution>"
    )


def value_set(*values):
    return "<DistributionSet>" + "".join(f'<Element value="{one}"/>' for one in values) + "</DistributionSet>"


def steps(low, high, step):
    return f'<DistributionRange stepWidth="{step}"><Range lowerLimit="{low}" upperLimit="{high}"/></DistributionRange>'


def together(*sets):
    inside = "".join(
        "<ParameterValueSet>"
        + "".join(f'<ParameterAssignment parameterRef="{name}" value="{value}"/>' for name, value in one.items())
        + "</ParameterValueSet>"
        for one in sets
    )
    return (
        f"<DeterministicMultiParameterDistribution><ValueSetDistribution>{inside}</ValueSetDistribution>"
        "</DeterministicMultiParameterDistribution>"
    )


def deterministic(*parts):
    return distribution(f"<Deterministic>{''.join(parts)}</Deterministic>")


def values(found, **options):
    return [dict(one.values) for one in variations(found, **options)]


def test_every_combination_the_last_one_fastest():
    found = deterministic(
        single("a", value_set("x", "y")),
        together({"b": "1", "c": "2"}, {"b": "3", "c": "4"}),
        single("d", steps(0, 1, 0.5)),
    )
    assert count_variations(found) == 12
    listed = values(found)
    assert listed[:4] == [
        {"a": "x", "b": "1", "c": "2", "d": "0"},
        {"a": "x", "b": "1", "c": "2", "d": "0.5"},
        {"a": "x", "b": "1", "c": "2", "d": "1"},
        {"a": "x", "b": "3", "c": "4", "d": "0"},
    ]
    assert dict(variation(found, 12).values) == {"a": "y", "b": "3", "c": "4", "d": "1"} == listed[11]


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        (steps(0, 0.3, 0.1), ["0", "0.1", "0.2", "0.3"]),
        (steps(10, 11, 0.4), ["10", "10.4", "10.8"]),
        (steps(5, 5, 1), ["5"]),
        (steps(-1, 1, 1), ["-1", "0", "1"]),
        ('<UserDefinedDistribution type="list">1, 2,\n3</UserDefinedDistribution>', ["1", "2", "3"]),
    ],
)
def test_values_of_one_parameter(part, expected):
    assert [one["a"] for one in values(deterministic(single("a", part)))] == expected


@pytest.mark.parametrize(
    ("parts", "problem"),
    [
        ([single("a", steps(0, 1, 0))], "has a step of 0"),
        ([single("a", steps(0, 1, -1))], "has a step of -1"),
        ([single("a", steps(1, 0, 1))], "has the range 1 to 0"),
        ([single("a", steps("-INF", 0, 1))], "has the range -inf to 0"),
        ([single("a", steps(0, 1, 1e-9))], "values; make the step wider"),
        ([single("a", value_set("1")), single("a", value_set("2"))], "two distributions of parameter 'a'"),
        ([single(name, steps(0, 999, 1)) for name in "abc"], "asks for 1,000,000,000 runs"),
        (
            [single("a", '<UserDefinedDistribution type="csv">f</UserDefinedDistribution>')],
            "type 'csv', which is not known",
        ),
        ([single("a", '<UserDefinedDistribution type="list">, </UserDefinedDistribution>')], "lists no values"),
    ],
)
def test_what_cannot_be_combined(parts, problem):
    found = deterministic(*parts)
    with pytest.raises(InputError) as raised:
        values(found)
    assert problem in str(raised.value)
    assert str(raised.value).startswith("test.xosc: line 1, <")


def stochastic(inside, count=400, seed=' randomSeed="7"', name="a"):
    return distribution(
        f'<Stochastic numberOfTestRuns="{count}"{seed}><StochasticDistribution parameterName="{name}">{inside}'
        "</StochasticDistribution></Stochastic>"
    )


def drawn(inside, **options):
    return [float(one["a"]) for one in values(stochastic(inside, **options))]


RANGE = '<Range lowerLimit="{}" upperLimit="{}"/>'


def test_uniform():
    found = drawn(f"<UniformDistribution>{RANGE.format(2, 6)}</UniformDistribution>")
    assert all(2 <= one <= 6 for one in found)
    assert statistics.fmean(found) == pytest.approx(4, abs=0.3)


def test_normal():
    found = drawn('<NormalDistribution expectedValue="10" variance="4"/>')
    assert statistics.fmean(found) == pytest.approx(10, abs=0.4)
    assert statistics.pvariance(found) == pytest.approx(4, rel=0.3)
    cut = drawn(f'<NormalDistribution expectedValue="10" variance="4">{RANGE.format(11, 12)}</NormalDistribution>')
    assert all(11 <= one <= 12 for one in cut)


def test_log_normal():
    found = drawn('<LogNormalDistribution expectedValue="0" variance="1"/>')
    assert min(found) > 0
    assert statistics.median(found) == pytest.approx(1, abs=0.2)


def test_poisson():
    found = drawn('<PoissonDistribution expectedValue="3"/>')
    assert all(one.is_integer() for one in found)
    assert statistics.fmean(found) == pytest.approx(3, abs=0.3)


def test_histogram():
    bins = f'<Bin weight="1">{RANGE.format(0, 1)}</Bin><Bin weight="3">{RANGE.format(5, 6)}</Bin>'
    found = drawn(f"<Histogram>{bins}</Histogram>")
    assert sum(one >= 5 for one in found) / len(found) == pytest.approx(0.75, abs=0.07)
    assert not [one for one in found if 1 < one < 5]


def test_probability_set_and_list():
    elements = '<Element value="l" weight="1"/><Element value="r" weight="4"/>'
    inside = f"<ProbabilityDistributionSet>{elements}</ProbabilityDistributionSet>"
    found = [one["a"] for one in values(stochastic(inside))]
    assert found.count("r") / len(found) == pytest.approx(0.8, abs=0.07)
    listed = values(stochastic('<UserDefinedDistribution type="list">l,r</UserDefinedDistribution>'))
    assert {one["a"] for one in listed} == {"l", "r"}


def test_a_run_has_the_same_values_alone_as_among_others_and_others_by_another_seed():
    found = stochastic('<NormalDistribution expectedValue="0" variance="1"/>')
    listed = values(found, seed=3)
    assert dict(variation(found, 17, seed=3).values) == listed[16]
    assert values(found, seed=3) == listed
    assert values(found, seed=4) != listed
    other = stochastic('<NormalDistribution expectedValue="0" variance="1"/>', seed=' randomSeed="8"')
    assert values(other, seed=3) != listed
    assert len({one["a"] for one in listed}) == len(listed)


@pytest.mark.parametrize(
    ("inside", "problem"),
    [
        ('<NormalDistribution expectedValue="0" variance="-1"/>', "has a variance of -1"),
        (
            f'<NormalDistribution expectedValue="0" variance="1">{RANGE.format(90, 91)}</NormalDistribution>',
            "in its range",
        ),
        ('<LogNormalDistribution expectedValue="9e5" variance="1"/>', "no finite value"),
        ('<PoissonDistribution expectedValue="-1"/>', "has an expected value of -1"),
        (
            '<Histogram><Bin weight="0"><Range lowerLimit="0" upperLimit="1"/></Bin></Histogram>',
            "weights that are negative",
        ),
        (f"<UniformDistribution>{RANGE.format(1, 0)}</UniformDistribution>", "has the range 1 to 0"),
    ],
)
def test_what_cannot_be_drawn(inside, problem):
    with pytest.raises(InputError) as raised:
        drawn(inside)
    assert problem in str(raised.value)


@pytest.mark.parametrize("number", [0, 3, -1])
def test_a_run_that_is_not_there(number):
    with pytest.raises(InputError, match=f"has no variation {number}; give 1 to 2"):
        variation(deterministic(single("a", value_set("1", "2"))), number)


def test_the_variations_of_real_files():
    files = sorted(MATERIAL.rglob("Variations/*.xosc"))
    if not files:
        pytest.skip("needs the shared files of OpenSCENARIO")
    counts = {path.stem: count_variations(read(path.read_bytes()).distribution()) for path in files}
    assert counts["NCAP_AEB_C2C_CCRs_Variation_2023"] == 45
    assert counts["NCAP_AEB_C2C_CCFhol_Variation_2023"] == 2
    assert min(counts.values()) >= 1
    assert len(counts) == 13
