"""Custom commands of a file, made ready: an end with a verdict, faults of ours, lines of the journal."""

from __future__ import annotations

import math

from dorosim.scenario.openscenario.engine.action.fault import InjectFault
from dorosim.scenario.openscenario.engine.action.value import CustomCommand
from dorosim.scenario.openscenario.engine.names import ScenarioNames
from dorosim.scenario.openscenario.engine.program import ActionPlan
from dorosim.scenario.openscenario.record.action import CustomCommandAction
from dorosim.world.fault.code import POSSIBLE, FaultLocation, FaultSubclass, FaultTarget

FAULT = "fault"
_USE = 'write such as "Ego brake stuck_in_range magnitude=0.2 duration=5", "Ego tire 0 puncture" or "Ego sensor 1 none"'
_MIN_WORDS = 3
PARAMETERS = frozenset(
    (
        "duration",
        "magnitude",
        "rate",
        "amplitude",
        "period",
        "delay",
        "onset",
        "friction_loss",
        "stiffness_loss",
        "drag",
    )
)
"""Numbers that a fault may be given, as of `dorosim.world.fault.command.SetFault`."""


def custom_plan(names: ScenarioNames, one: CustomCommandAction) -> ActionPlan:
    """A custom command; it never starts a program.

    Raises:
        InputError: a fault is not understood.
    """
    if one.type.strip().lower() != FAULT:
        return CustomCommand(one.type, one.content)
    words = one.content.split()
    numbers = [word for word in words if "=" in word]
    words = [word for word in words if "=" not in word]
    if len(words) < _MIN_WORDS:
        raise names.refuse(one, f"the fault {one.content.strip()!r} is not understood", _USE)
    entity = names.entity(one, words[0])
    target, place, rest = _place(names, one, words[1:])
    fault = _fault(names, one, target, rest)
    return InjectFault(entity, target, place, fault, tuple(_number(names, one, word) for word in numbers))


def _place(names: ScenarioNames, one: CustomCommandAction, words: list[str]) -> tuple[FaultTarget, int, list[str]]:
    """What is at fault, and the words after it."""
    word = words[0].upper()
    if word in FaultLocation.__members__:
        return FaultTarget.CONTROL, int(FaultLocation[word]), words[1:]
    targets = {"TIRE": FaultTarget.TIRE, "TYRE": FaultTarget.TIRE, "SENSOR": FaultTarget.SENSOR}
    if word in targets and len(words) > 1 and words[1].isdecimal():
        return targets[word], int(words[1]), words[2:]
    known = ", ".join(each.name.lower() for each in FaultLocation)
    raise names.refuse(
        one, f"there is no {words[0]!r} that can fail", f"it is one of {known}, tire 0 to 3, or sensor N"
    )


def _fault(names: ScenarioNames, one: CustomCommandAction, target: FaultTarget, words: list[str]) -> FaultSubclass:
    able = {each.name: each for each in (FaultSubclass.NONE, *POSSIBLE[target])}
    word = words[0].upper() if len(words) == 1 else ""
    if word not in able:
        known = ", ".join(each.lower() for each in able)
        raise names.refuse(one, f"the fault {' '.join(words)!r} is not one of {target.name.lower()}", f"use {known}")
    return able[word]


def _number(names: ScenarioNames, one: CustomCommandAction, word: str) -> tuple[str, float]:
    name, _, text = word.partition("=")
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if name not in PARAMETERS or not math.isfinite(value):
        raise names.refuse(one, f"{word!r} is no number of a fault", f"the names are {', '.join(sorted(PARAMETERS))}")
    return name, value
