"""Programmes for intersections of maps that have lights and no controllers for them.

A generated programme is plain: groups are green together only where none of their lanes meets one of another group, so
no vehicle has to give way to another; the first group of a phase is the first that has had none, and takes with it all
that fit. After each phase come yellow and a time in which all is red, and where people have lights, a phase of their
own ends the round. Times are those of the generated towns (`dorosim.mapmaking.signal`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from dorosim.road.mgeo.record import IntersectionProgramme, SignalStateRecord
from dorosim.road.signal import Lamp, arrow_of_movement, lamps_from_colour

RED, YELLOW, GREEN, LEFT, RIGHT, GREEN_AND_LEFT = "R", "Y", "SG", "LG", "RG", "G_with_GLeft"

GREEN_TIME, YELLOW_TIME, RED_TIME, PAUSE_TIME = 22.0, 3.0, 2.0, 13.0
"""Green of a phase, yellow after it, and red for all after that; red where only one phase is there [s]."""

WALK_TIME, WALK_SPEED, MIN_CROSSING_LENGTH, MAX_CROSSING_LENGTH = 7.0, 1.1, 10.0, 40.0
"""Steady green for people [s]; the speed at which flashing green lets them cross [m/s]; ways that count for it [m]."""

_ROUND = {"green", "straight", "sg", "g"}
_ARROWS = Lamp.LEFT | Lamp.RIGHT
_GREENS = int(sum(lamp for lamp in Lamp if lamp not in {Lamp.RED, Lamp.YELLOW}))


@dataclass(frozen=True, slots=True)
class LitJunction:
    """What a programme must know of an intersection; tuples have an entry a group.

    Attributes:
        lamps: names of the lamps of its heads for vehicles, in lower case; none for a group of people alone.
        ways: lanes through the junction, with what they are for (`dorosim.road.signal.movement_name`).
        walk: the longest way over a crosswalk of its heads for people [m], 0 where it has none.
        foes: lane to the lanes that it meets.
    """

    lamps: tuple[frozenset[str], ...]
    ways: tuple[dict[int, str], ...]
    walk: tuple[float, ...]
    foes: Mapping[int, set[int]]

    def __len__(self) -> int:
        """The number of groups."""
        return len(self.lamps)

    def meet(self, one: int, other: int) -> bool:
        """Whether any lanes of two groups get in each other's way."""
        there = self.ways[other].keys() - self.ways[one].keys()
        return any(not self.foes.get(way, set()).isdisjoint(there) for way in self.ways[one])


def generated_programme(name: str, junction: LitJunction) -> IntersectionProgramme:
    """A programme in which each group gets its green, and no two that meet at once."""
    phases: list[list[int]] = []
    for group in (number for number in range(len(junction)) if _switches(junction, number)):
        room = next((one for one in phases if not any(junction.meet(group, other) for other in one)), None)
        if room is None:
            phases.append([group])
        else:
            room.append(group)
    programme = IntersectionProgramme(idx=name)
    rest = [YELLOW if set(lamps) == {"yellow"} else RED for lamps in junction.lamps]
    for phase in phases:
        colours = [
            _green_of(junction.lamps[number]) if number in phase else rest[number] for number in range(len(rest))
        ]
        _add(programme, GREEN_TIME, YELLOW_TIME, colours)
        _add(programme, RED_TIME, 0.0, rest)
    longest = max(junction.walk, default=0.0)
    if longest > 0.0:
        clear = math.ceil(min(max(longest, MIN_CROSSING_LENGTH), MAX_CROSSING_LENGTH) / WALK_SPEED)
        programme.PSState = [
            [float(len(programme.TLState)), float(number), 0.0, WALK_TIME, float(clear)]
            for number, way in enumerate(junction.walk)
            if way > 0.0
        ]
        _add(programme, WALK_TIME + clear + RED_TIME, 0.0, rest)
    elif len(phases) < 2:
        _add(programme, PAUSE_TIME, 0.0, rest)
    return programme


def _add(programme: IntersectionProgramme, duration: float, yellow: float, colours: list[str]) -> None:
    programme.TLState.append(SignalStateRecord(duration=duration, lightcolor=list(colours)))
    programme.yelloduration.append(yellow)


def _switches(junction: LitJunction, group: int) -> bool:
    """Whether a group has heads for vehicles other than those that are yellow for ever."""
    is_people = junction.walk[group] > 0.0 and not junction.ways[group] and not junction.lamps[group]
    return not is_people and set(junction.lamps[group]) != {"yellow"}


def _green_of(lamps: frozenset[str]) -> str:
    """What heads show when all their ways may go: the lamps that they have; round green where the map names none."""
    known = [lamps_from_colour(lamp) or Lamp(0) for lamp in lamps]
    arrows = Lamp(0)
    for lamp in known:
        arrows |= lamp & _ARROWS
    if not lamps or lamps & _ROUND or not arrows:
        return GREEN_AND_LEFT if Lamp.LEFT in arrows else GREEN
    return "_".join(name for name, lamp in ((LEFT, Lamp.LEFT), (RIGHT, Lamp.RIGHT)) if lamp in arrows)


def is_safe(programme: IntersectionProgramme, junction: LitJunction) -> bool:
    """Whether a programme of the map can be one of an intersection.

    It has a colour for each group and lights arrows only where heads have them; and no state lets two lanes of
    different groups go that meet, other than where the one has to give way by the lamps that it has.
    """
    states = [[lamps_from_colour(colour) for colour in state.lightcolor] for state in programme.TLState]
    if not states or any(len(state) != len(junction) or None in state for state in states):
        return False
    shown = [[int(lamps or 0) for lamps in state] for state in states]
    ever = [0] * len(junction)
    for state in shown:
        ever = [one | other for one, other in zip(ever, state, strict=True)]
    for group, lamps in enumerate(junction.lamps):
        has_left = any(Lamp.LEFT in (lamps_from_colour(lamp) or Lamp(0)) for lamp in lamps)
        if lamps and not has_left and ever[group] & Lamp.LEFT:
            return False
    return not any(_two_go(state, ever, junction) for state in shown)


def _two_go(shown: list[int], ever: list[int], junction: LitJunction) -> bool:
    """Whether two lanes of different groups that meet may both go, and neither gives way."""
    going = [
        {way for way, movement in ways.items() if _goes(movement, shown[group], ever[group])}
        for group, ways in enumerate(junction.ways)
    ]
    for group, ways in enumerate(going):
        for other in going[group + 1 :]:
            if any(not junction.foes.get(way, set()).isdisjoint(other - ways) for way in ways):
                return True
    return False


def _goes(movement: str, lamps: int, ever: int) -> bool:
    """Whether lamps let a movement go before all others, as `dorosim.world.signal.permission` has it.

    Args:
        movement: its name.
        lamps: that burn, a sum of `Lamp`.
        ever: those that burn in any state.
    """
    arrow = arrow_of_movement(movement)
    if arrow != Lamp.GREEN:
        return bool(lamps & arrow)
    return bool(lamps & Lamp.GREEN or (not ever & Lamp.GREEN and lamps & _GREENS))
