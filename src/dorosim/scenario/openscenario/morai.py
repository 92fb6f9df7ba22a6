"""What MORAI's Scenario Runner adds to the standard: properties of entities, and words that its manual leaves open.

The manual (Scenario Runner, page MORAI OpenSCENARIO) has `<Evaluation>`, which is read as it is, and properties:

- `activeDistance` and `moveDistance` of pedestrians: within the first of the ego a pedestrian begins to walk, straight
  ahead, and stands still after the second. It becomes a story of the storyboard, which is in traces like any other.
- `MotionModel` of vehicles: with "Dynamics" a vehicle follows its actions by tyres, unless the user says who moves it.
- `moving_obstacle` of other objects, "TCR On / Off": an object that is off stays where Init puts it. The manual says no
  more, so this is a guess.

The attributes of `<LinkPosition>` are a guess too: the manual names the element and shows none.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import NamedTuple

from dorosim.scenario.openscenario.finding import FindingLevel, Findings
from dorosim.scenario.openscenario.record.entity import MiscObject, Pedestrian, ScenarioObject, Vehicle
from dorosim.scenario.openscenario.record.file import ScenarioDefinition
from dorosim.scenario.openscenario.record.place import LinkPosition
from dorosim.scenario.openscenario.record.property import Properties

ACTIVE_DISTANCE, MOVE_DISTANCE = "activeDistance", "moveDistance"
MOVING_OBSTACLE = "moving_obstacle"
MOTION_MODEL, DYNAMICS = "MotionModel", "dynamics"
DRIVER_PROPERTIES = ("CheckTL", "ApplyACC")
"""Properties of vehicles that need a driver: it sees lights, and keeps a distance. The manual has their titles, "Check
TL (Traffic Light)" and "Apply ACC (Adaptive Cruise Control)"; how files spell them is a guess."""

_FAR = 1e4
"""A pedestrian without `moveDistance` walks on so far [m]."""


def plain_word(text: str) -> str:
    """A name in small letters, without blanks, "_" and "-": by this MORAI's names are compared."""
    return re.sub(r"[\s_-]+", "", text).lower()


def property_of(properties: Properties | None, name: str) -> str | None:
    """The value of a free property of an entity, None where it has none of this name, case and "_" aside."""
    for one in () if properties is None else properties.properties:
        if plain_word(one.name) == plain_word(name):
            return one.value.strip()
    return None


def properties_of(one: ScenarioObject) -> Properties | None:
    """The free properties of an entity."""
    chosen = one.entity_object.chosen
    return chosen.properties if isinstance(chosen, (Vehicle, Pedestrian, MiscObject)) else None


def stays(one: ScenarioObject) -> bool:
    """Whether an object is one that does not move whatever the storyboard says: its `moving_obstacle` is off."""
    if not isinstance(one.entity_object.chosen, MiscObject):
        return False
    return plain_word(property_of(properties_of(one), MOVING_OBSTACLE) or "true") in ("false", "0", "off")


class WalkPlan(NamedTuple):
    """How a pedestrian of MORAI walks: within `active` of the ego it begins to, and goes on for `move` [m]."""

    active: float
    move: float


def walk_of(one: ScenarioObject) -> WalkPlan | None:
    """How a pedestrian walks by its properties; None for one that has none, or whose numbers are not above 0."""
    if not isinstance(one.entity_object.chosen, Pedestrian):
        return None
    properties = properties_of(one)
    active, move = (_number(property_of(properties, name)) for name in (ACTIVE_DISTANCE, MOVE_DISTANCE))
    if active is None or active <= 0.0:
        return None
    return WalkPlan(active, _FAR if move is None or move <= 0.0 else move)


def _number(text: str | None) -> float | None:
    """A number of a property, None for what is none."""
    try:
        value = float(text) if text is not None else math.nan
    except ValueError:
        return None
    return value if math.isfinite(value) else None


_LINK_NAMES = {
    "link": ("linkid", "link", "id"),
    "index": ("index", "pointindex", "pointidx", "idx"),
    "s": ("s", "distance"),
    "offset": ("offset", "lateraloffset"),
}
"""Spellings of the attributes of `<LinkPosition>` that are taken, as `plain_word` has them."""


class LinkPlace(NamedTuple):
    """What a `<LinkPosition>` says.

    Attributes:
        link: id of the link. point: number of its point.
        s: along the link from there [m]. offset: to the left of it [m].
    """

    link: str
    point: int
    s: float
    offset: float


def link_place_of(one: LinkPosition) -> LinkPlace:
    """What a position on a link says, in one of the spellings that are taken.

    Raises:
        ValueError: it names no link, or a number of it is none; the text is for people.
    """
    given = {plain_word(name): value.strip() for name, value in one.origin.attributes}

    def value(name: str) -> str:
        return next((given[key] for key in _LINK_NAMES[name] if given.get(key)), "")

    link = one.link_id or value("link")
    if not link:
        raise ValueError("it names no link: give linkId")
    numbers: dict[str, float] = {}
    for name in ("index", "s", "offset"):
        text = value(name)
        number = _number(text) if text else 0.0
        if number is None:
            raise ValueError(f"{name} is {text!r}, which is not a number")
        numbers[name] = number
    point = one.index if one.index is not None else int(numbers["index"])
    return LinkPlace(link, point, numbers["s"], one.offset if one.offset is not None else numbers["offset"])


def guess_of_link(one: LinkPosition) -> str:
    """What is guessed of a position on a link, for people."""
    known = {key for names in _LINK_NAMES.values() for key in names}
    others = [name for name, _ in one.origin.attributes if plain_word(name) not in known]
    text = "the attributes of <LinkPosition> are a guess: linkId, index of a point, s and offset"
    return f"{text}; {', '.join(others)} has no effect" if others else text


def find_guesses(scenario: ScenarioDefinition, findings: Findings) -> None:
    """Find words of MORAI whose meaning is a guess, and values of its properties that cannot be used."""
    for one in scenario.entities.scenario_objects:
        for problem, cure in _problems_of(one):
            where = (one.origin.source, one.origin.line, f"ScenarioObject {one.name!r}")
            findings.add_at(FindingLevel.NOTE, where, problem, cure)


def _problems_of(one: ScenarioObject) -> Iterator[tuple[str, str]]:
    """What is guessed of an entity, or cannot be used, with cures."""
    properties, chosen = properties_of(one), one.entity_object.chosen
    for name in (ACTIVE_DISTANCE, MOVE_DISTANCE):
        text = property_of(properties, name)
        if text is None:
            continue
        if not isinstance(chosen, Pedestrian):
            yield f"property {name!r} has its effect for pedestrians only", ""
        elif (_number(text) or 0.0) <= 0.0:
            yield f"property {name!r} is {text!r}, which is not a length above 0, and has no effect", "give metres"
    if property_of(properties, MOVE_DISTANCE) is not None and property_of(properties, ACTIVE_DISTANCE) is None:
        yield f"property {MOVE_DISTANCE!r} has no effect without {ACTIVE_DISTANCE!r}", "give both"
    for name in DRIVER_PROPERTIES:
        if property_of(properties, name) is not None:
            yield f"property {name!r}: its spelling is a guess; where it is on, our driver moves the vehicle", ""
    model = property_of(properties, MOTION_MODEL)
    if model is not None and plain_word(model) != DYNAMICS:
        yield f"property {MOTION_MODEL!r} is {model!r}, of which nothing is known; it moves as actions command", ""
    if property_of(properties, MOVING_OBSTACLE) is not None:
        if not isinstance(chosen, MiscObject):
            yield f"property {MOVING_OBSTACLE!r} has its effect for other objects only", ""
        elif stays(one):
            yield f"property {MOVING_OBSTACLE!r} is off: it stays where Init puts it, which is a guess", ""
