"""Whether names that a scenario refers to are there, and mean one thing: what the tables of types cannot say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from dorosim.scenario.openscenario.finding import FindingLevel, Findings, shown
from dorosim.scenario.openscenario.morai import find_guesses, guess_of_link
from dorosim.scenario.openscenario.plan import plan_of
from dorosim.scenario.openscenario.record.file import ScenarioDefinition
from dorosim.scenario.openscenario.record.place import LinkPosition
from dorosim.scenario.openscenario.record.reference import CatalogReference
from dorosim.scenario.openscenario.record.storyboard import maneuvers_of
from dorosim.scenario.openscenario.record.table import TYPE_TABLES, OscRecord

_ENTITY = ("entityRef", "masterEntityRef", "trailerRef")
_SHOWN_NAMES = 10
_RECORD_FIELDS: dict[type, tuple[str, ...]] = {}
_MANY_FIELDS: dict[type, tuple[str, ...]] = {}
_REFERENCES: dict[type, tuple[tuple[str, str], ...]] = {}


def check_references(scenario: ScenarioDefinition, findings: Findings) -> None:
    """Find names that nothing has, and names that two things have.

    Args:
        scenario: of the file, with the entries of its catalogs.
        findings: get an `ERROR` for what cannot be run, and a `BREAK` for what means nothing.
    """
    names = [one.name for one in scenario.entities.scenario_objects]
    names += [one.name for one in scenario.entities.entity_selections]
    _find_twice(scenario.entities, names, "entities", FindingLevel.ERROR, findings)
    trailers = (
        one.trailer.trailer for one in walk(scenario.entities) if type(one).__name__ == "Vehicle" and one.trailer
    )
    known = {*names, *(one.name for one in trailers if one is not None)}
    variables = scenario.variable_declarations
    monitors = scenario.monitor_declarations
    kinds = {
        "variableRef": {one.name for one in variables.variable_declarations} if variables else set(),
        "monitorRef": {one.name for one in monitors.monitor_declarations} if monitors else set(),
        **dict.fromkeys(_ENTITY, known),
    }
    for part in (scenario.entities, scenario.storyboard, scenario.evaluation, scenario.road_network):
        for record in walk(part) if part is not None else ():
            if type(record) is LinkPosition:
                findings.add_at(FindingLevel.NOTE, _where(record), guess_of_link(record))
            for xml, name in _references_of(type(record)):
                _check(record, xml, getattr(record, name), kinds[xml], findings)
    _check_storyboard(scenario, findings)
    find_guesses(scenario, findings)


def walk(record: OscRecord) -> Iterator[Any]:
    """A record and all records in it, those of the catalogs that it refers to among them."""
    open_records = [record]
    while open_records:
        one = open_records.pop()
        yield one
        kind = type(one)
        if kind not in _RECORD_FIELDS:
            plan = plan_of(kind)
            many = tuple(part.name for part in plan.parts if not part.is_single("1.3"))
            _MANY_FIELDS[kind] = many
            _RECORD_FIELDS[kind] = tuple(part.name for part in plan.parts if part.name not in many)
        inner = [part for name in _RECORD_FIELDS[kind] if (part := getattr(one, name)) is not None]
        for name in _MANY_FIELDS[kind]:
            inner.extend(getattr(one, name))
        if kind is CatalogReference and one.entry is not None:  # type: ignore[attr-defined]
            inner.append(one.entry)  # type: ignore[attr-defined]
        open_records.extend(reversed(inner))


def _references_of(kind: type) -> tuple[tuple[str, str], ...]:
    """Attributes of a type that name an entity, variable or monitor, with their fields."""
    found = _REFERENCES.get(kind)
    if found is None:
        wanted = {*_ENTITY, "variableRef", "monitorRef"}
        plan = plan_of(kind)
        found = tuple((one.xml, one.name) for one in plan.attributes.values() if one.xml in wanted)
        _REFERENCES[kind] = found
    return found


def _where(record: OscRecord) -> tuple[str, int, str]:
    """File, line and place of a record."""
    return (record.origin.source, record.origin.line, f"<{TYPE_TABLES[type(record)].name}>")


def _check(record: OscRecord, xml: str, name: str | None, known: set[str], findings: Findings) -> None:
    """Find a name that nothing has."""
    if name is None or name in known:
        return
    what = "entity" if xml in _ENTITY else xml.removesuffix("Ref")
    some = ", ".join(sorted(known)[:_SHOWN_NAMES])
    cure = f"there are {some}" if some else "declare it"
    findings.add_at(FindingLevel.ERROR, _where(record), f"there is no {what} {shown(name)}", cure, attribute=xml)


def _find_twice(record: OscRecord, names: Iterable[str], what: str, level: FindingLevel, findings: Findings) -> None:
    """Find names that two things of one place have."""
    for name, count in Counter(names).items():
        if count > 1:
            findings.add_at(level, _where(record), f"has {count} {what} {shown(name)}", "give each its own name")


def _check_storyboard(scenario: ScenarioDefinition, findings: Findings) -> None:
    """Find elements of the storyboard with one name in one place."""
    storyboard = scenario.storyboard
    _find_twice(storyboard, (one.name for one in storyboard.stories), "stories", FindingLevel.BREAK, findings)
    for story in storyboard.stories:
        _find_twice(story, (one.name for one in story.acts), "acts", FindingLevel.BREAK, findings)
        for act in story.acts:
            _find_twice(act, (one.name for one in act.maneuver_groups), "maneuver groups", FindingLevel.BREAK, findings)
            for group in act.maneuver_groups:
                maneuvers = maneuvers_of(group)
                _find_twice(group, (one.name for one in maneuvers), "maneuvers", FindingLevel.BREAK, findings)
                for maneuver in maneuvers:
                    _find_twice(maneuver, (one.name for one in maneuver.events), "events", FindingLevel.BREAK, findings)
                    for event in maneuver.events:
                        _find_twice(event, (one.name for one in event.actions), "actions", FindingLevel.BREAK, findings)
