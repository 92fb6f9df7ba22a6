"""Expressions: operators and functions of the standard, and what has no value."""

from __future__ import annotations

import math

import pytest

from dorosim.scenario.openscenario.expression import ExpressionError, evaluate
from tests.scenario.openscenario.sample import event, first_action, parameter, private, read, scenario

SPEED = (
    '<LongitudinalAction><SpeedAction><SpeedActionDynamics dynamicsShape="step" dynamicsDimension="time" value="0"/>'
    '<SpeedActionTarget><AbsoluteTargetSpeed value="{}"/></SpeedActionTarget></SpeedAction></LongitudinalAction>'
)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1 + 2 * 3", 7),
        ("(1 + 2) * 3", 9),
        ("10 - 4 - 3", 3),
        ("7 / 2", 3.5),
        ("7 % 4", 3),
        ("-7 % 4", -3),
        ("7.5 % 2", 1.5),
        ("-$a", -4),
        ("2 - -3", 5),
        ("round(2.5)", 3),
        ("round(-2.5)", -3),
        ("floor(-1.5)", -2),
        ("ceil(1.2)", 2),
        ("sqrt(16)", 4),
        ("pow(2, 3)", 8),
        ("pow(2, -1)", 0.5),
        ("sign(-3.2)", -1),
        ("sign(0)", 0),
        ("abs(-3)", 3),
        ("max(2, $a)", 4),
        ("min(2, $a)", 2),
        ("sin(pi / 2)", 1),
        ("cos(0)", 1),
        ("tan(0)", 0),
        ("asin(1)", math.pi / 2),
        ("acos(1)", 0),
        ("atan(1)", math.pi / 4),
        ("1.5e3", 1500),
        (".5", 0.5),
        ("$b and not false", True),
        ("false or $b", True),
        ("not $b", False),
        ("true or false and false", True),
    ],
)
def test_values(text, value):
    assert evaluate(text, {"a": 4, "b": True}) == pytest.approx(value)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("1 / 0", "divides by zero"),
        ("1 % 0", "divides by zero"),
        ("pow(10, 400)", "larger than a number can be"),
        ("1e308 * 10", "larger than a number can be"),
        ("sqrt(-1)", "no value at sqrt(-1)"),
        ("asin(2)", "no value at asin(2)"),
        ("$c + 1", "'c', which is not declared"),
        ("$d + 1", "'d', which is no number"),
        ("1 +", "ends where a value is expected"),
        ("(1", "ends before ')'"),
        ("1 2", "'2' where an operator is expected"),
        ("a", "no function or constant 'a'"),
        ("pow(1)", "gives pow 1 values, and it takes 2"),
        ("__import__(1)", "no function or constant '__import__'"),
        ("1 & 2", "cannot be read from '& 2' on"),
        ("true + 1", "calculates with true or false"),
        ("1 and true", "a number at 'and'"),
        ("(" * 60 + "1" + ")" * 60, "nested more than 50"),
        ("", "ends where a value is expected"),
        ("1" * 3_000, "longer than 2000"),
        ("9" * 400, "larger than a number can be"),
    ],
)
def test_what_has_no_value(text, problem):
    with pytest.raises(ExpressionError) as raised:
        evaluate(text, {"a": 4, "d": "left"})
    assert problem in str(raised.value)


def speed_of(value, *declarations):
    return read(scenario(event(private(SPEED.format(value))), declarations="".join(declarations)))


def test_a_value_is_a_number_whatever_the_file_has():
    kmh = parameter("kmh", "double", "90")
    for text in ("25", "$ms", "${$kmh / 3.6}", " 25 "):
        reading = speed_of(text, kmh, parameter("ms", "double", "${$kmh / 3.6}"))
        assert first_action(reading).chosen.speed_action_target.chosen.value == pytest.approx(25)


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ("${1 / 0}", "expression '${1 / 0}' divides by zero; correct it"),
        ("NaN", "expected a number, found 'NaN'; give a finite number"),
        ("INF", "expected a number, found 'INF'; give a finite number"),
        ("1e20", "1e+20 is beyond 1e+15; give SI units"),
        ("$gone", "parameter '$gone' is not declared here; declare it, or take one of a"),
        ("$a", "expected a number, found 'left'; give a finite number"),
        ("fast", "expected a number, found 'fast'; give a finite number"),
    ],
)
def test_a_value_that_is_no_number_is_said_with_its_place(value, problem):
    reading = speed_of(value, parameter("a", "string", "left"))
    place = "test.xosc: line 1, Event 'e', Action 'x', <AbsoluteTargetSpeed>, attribute 'value': "
    assert [str(one).split(", ", 1)[1] for one in reading.errors] == [
        (place + problem).split(", ", 1)[1].replace("Event 'e'", "Maneuver 'm', Event 'e'")
    ]
    assert reading.root is None
