"""The criteria that a user gives a scenario run by options."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields

from dorosim.ground.error import InputError
from dorosim.scenario.criterion.criterion import Criterion
from dorosim.scenario.criterion.encroachment import MinPostEncroachmentTime
from dorosim.scenario.criterion.event import ARRIVAL_RADIUS, Arrival, NoCollision, NoLaneLeft
from dorosim.scenario.criterion.judge import Judge
from dorosim.scenario.criterion.limit import (
    MaxJerk,
    max_deceleration,
    max_deceleration_to_avoid_crash,
    max_required_deceleration,
    min_distance,
    min_time_headway,
    min_time_to_collision,
    min_time_to_collision_accelerated,
)
from dorosim.scenario.criterion.red_light import NoRedLight
from dorosim.scenario.openscenario.engine.cast import ego_row
from dorosim.scenario.openscenario.engine.program import Program
from dorosim.world.storyboard.engine import NO_ENTITY

_LIMITS: Mapping[str, Callable[[float], Criterion]] = {
    "max_deceleration": max_deceleration,
    "max_jerk": MaxJerk,
    "min_ttc": min_time_to_collision,
    "min_ettc": min_time_to_collision_accelerated,
    "min_thw": min_time_headway,
    "min_pet": MinPostEncroachmentTime,
    "max_drac": max_deceleration_to_avoid_crash,
    "max_required_deceleration": max_required_deceleration,
    "min_distance": min_distance,
}
_RULES: Mapping[str, Callable[[], Criterion]] = {
    "no_collision": NoCollision,
    "no_red_light": NoRedLight,
    "no_lane_left": NoLaneLeft,
}
MAX_LIMIT = 1e6
MAX_PET = 60.0
"""The trail of so many seconds is kept in a run at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CriteriaOptions:
    """Criteria as options; None and False for those that are not given.

    Attributes:
        no_collision, no_red_light, no_lane_left: whether these must not happen.
        max_deceleration, max_jerk, min_ttc, min_ettc, min_thw, min_pet, max_drac, max_required_deceleration,
            min_distance: limits [SI].
        arrive: "X,Y" or "X,Y,RADIUS" in map [m]. arrive_within: [s since the storyboard's start].
    """

    no_collision: bool = False
    no_red_light: bool = False
    no_lane_left: bool = False
    max_deceleration: float | None = None
    max_jerk: float | None = None
    min_ttc: float | None = None
    min_ettc: float | None = None
    min_thw: float | None = None
    min_pet: float | None = None
    max_drac: float | None = None
    max_required_deceleration: float | None = None
    min_distance: float | None = None
    arrive: str = ""
    arrive_within: float | None = None

    def criteria(self) -> tuple[Criterion, ...]:
        """The criteria.

        Raises:
            InputError: a limit is no positive number, or a place is none.
        """
        found = [make() for name, make in _RULES.items() if getattr(self, name)]
        for name, make_limit in _LIMITS.items():
            limit = getattr(self, name)
            if limit is not None:
                found.append(make_limit(_checked(name, limit, MAX_PET if name == "min_pet" else MAX_LIMIT)))
        if self.arrive:
            found.append(self._arrival())
        elif self.arrive_within is not None:
            raise InputError("--arrive-within", "", "says when, and not where", "add --arrive X,Y")
        return tuple(found)

    def _arrival(self) -> Arrival:
        within = self.arrive_within
        if within is not None:
            _checked("arrive_within", within)
        try:
            x, y, *radius = (float(part) for part in self.arrive.split(","))
            size = radius[0] if radius else ARRIVAL_RADIUS
            usable = len(radius) < 2 and all(map(math.isfinite, (x, y, size))) and 0.0 < size <= MAX_LIMIT
        except ValueError:
            usable = False
        if not usable:
            problem = "is not X,Y or X,Y,RADIUS in metres"
            raise InputError(f"--arrive {self.arrive}", "", problem, "give one such as --arrive 120,-3.5")
        return Arrival(x, y, size, within)

    def arguments(self) -> list[str]:
        """The options with which these are given on the command line."""
        words = []
        for one in fields(self):
            value, option = getattr(self, one.name), f"--{one.name.replace('_', '-')}"
            if value is True:
                words.append(option)
            elif value not in (None, False, ""):
                words += [option, value if isinstance(value, str) else repr(value)]
        return words


def _checked(name: str, limit: float, greatest: float = MAX_LIMIT) -> float:
    """A limit.

    Raises:
        InputError: it is none.
    """
    if not (math.isfinite(limit) and 0.0 < limit <= greatest):
        problem = f"is not more than 0 and at most {greatest:g}"
        raise InputError(f"--{name.replace('_', '-')} {limit:g}", "", problem, "give one such as 1.5")
    return limit


def judge_of(program: Program, criteria: tuple[Criterion, ...], ego_name: str) -> tuple[Judge, int]:
    """A judge of a scenario, and the number of the entity that is judged; -1 where there is none and no criterion.

    Args:
        program: of the scenario.
        criteria: that must hold.
        ego_name: of the entity, "" for that of the rule (`ego_row`).

    Raises:
        InputError: there is no such entity, or a criterion needs a map and there is none.
    """
    number = ego_of(program, ego_name) if criteria or ego_name else -1
    for one in criteria:
        if isinstance(one, NoLaneLeft) and program.roads is None:
            raise InputError("--no-lane-left", "", "the scenario has no map", "name one in <LogicFile>, or by --map")
    return Judge(criteria, program.entities[number].name if number >= 0 else ""), number


def ego_of(program: Program, name: str) -> int:
    """The number of the entity that is the ego.

    Raises:
        InputError: there is none of this name, or no vehicle.
    """
    names = [one.name for one in program.entities]
    found = ego_row(program.entities, name)
    if found != NO_ENTITY:
        return found
    if name:
        cure = f"the entities are {', '.join(names[:10]) or 'none'}"
        raise InputError(f"--ego-name {name}", "", "there is no vehicle of this name", cure)
    raise InputError("criteria", "", "the scenario has no vehicle that could be judged", "add one, or give none")
