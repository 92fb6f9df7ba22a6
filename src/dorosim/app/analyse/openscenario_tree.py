"""A scenario of OpenSCENARIO as a tree of lines: entities, what happens before the start, and the storyboard."""

from __future__ import annotations

from typing import Any

from dorosim.scenario.openscenario.about import facts_of_entity
from dorosim.scenario.openscenario.plan import plan_of
from dorosim.scenario.openscenario.record.condition import Condition, Trigger
from dorosim.scenario.openscenario.record.entity import ScenarioObject
from dorosim.scenario.openscenario.record.file import ScenarioDefinition
from dorosim.scenario.openscenario.record.storyboard import Act, Event, ManeuverGroup, Storyboard, maneuvers_of
from dorosim.scenario.openscenario.record.table import TYPE_TABLES, Content, OscRecord
from dorosim.scenario.openscenario.value import text_of

Tree = dict[str, Any]
"""{name, inner}: a line, and what is inside."""

_MAX_LINE = 300
_MAX_INNER = 10
_LEADING = {
    *("PrivateAction", "GlobalAction", "UserDefinedAction", "LongitudinalAction", "LateralAction", "RoutingAction"),
    *("ControllerAction", "AppearanceAction", "InfrastructureAction", "TrafficSignalAction", "TrailerAction"),
    *("ByEntityCondition", "EntityCondition", "ByValueCondition", "EntityRef", "TransitionDynamics"),
}
"""Types that only lead to others, whose names say what happens."""


def _tree(name: str, *inner: Tree) -> Tree:
    return {"name": name, "inner": list(inner)}


def tree_of_scenario(scenario: ScenarioDefinition) -> list[Tree]:
    """The parts of a scenario."""
    roads = scenario.road_network.logic_file
    parts = [_tree(f"road network: {roads.filepath}")] if roads is not None else []
    if scenario.variable_declarations is not None:
        declared = scenario.variable_declarations.variable_declarations
        parts.append(_tree("variables", *(_tree(f"{one.name} = {one.value}") for one in declared)))
    entities = [_entity(one) for one in scenario.entities.scenario_objects]
    entities += [_tree(f"{one.name}: {line_of(one.members)}") for one in scenario.entities.entity_selections]
    return [*parts, _tree("entities", *entities), _storyboard(scenario.storyboard)]


def _entity(one: ScenarioObject) -> Tree:
    """An entity, with what the file says of it, and its controllers."""
    kind = one.entity_object.chosen
    name = f"{TYPE_TABLES[type(kind)].name} {getattr(kind, 'name', '')}" if kind is not None else "nothing"
    controllers = (part.chosen for part in one.object_controllers)
    return _tree(
        f"{one.name}: {name}",
        *(_tree(f"{fact}: {value}") for fact, value in facts_of_entity(one.entity_object)),
        *(_tree(f"controller {getattr(part, 'name', '')}") for part in controllers if part),
    )


def _storyboard(storyboard: Storyboard) -> Tree:
    """The storyboard."""
    actions = storyboard.init.actions
    init = [_tree(line_of(one)) for one in (*actions.global_actions, *actions.user_defined_actions)]
    init += [
        _tree(private.entity_ref, *(_tree(line_of(one)) for one in private.private_actions))
        for private in actions.privates
    ]
    stories = [_tree(f"Story {one.name}", *map(_act, one.acts)) for one in storyboard.stories]
    return _tree("storyboard", _tree("Init", *init), *stories, *_trigger("stops", storyboard.stop_trigger))


def _act(act: Act) -> Tree:
    """An act."""
    inner = (*_trigger("starts", act.start_trigger), *map(_maneuver_group, act.maneuver_groups))
    return _tree(f"Act {act.name}", *inner, *_trigger("stops", act.stop_trigger))


def _maneuver_group(group: ManeuverGroup) -> Tree:
    """A group of maneuvers with its actors."""
    names = [one.entity_ref for one in group.actors.entity_refs]
    names += ["triggering entities"] if group.actors.select_triggering_entities else []
    times = f", {group.maximum_execution_count} times" if group.maximum_execution_count != 1 else ""
    maneuvers = [_tree(f"Maneuver {one.name}", *map(_event, one.events)) for one in maneuvers_of(group)]
    return _tree(f"ManeuverGroup {group.name}: {', '.join(names) or 'no actors'}{times}", *maneuvers)


def _event(event: Event) -> Tree:
    """An event with its actions."""
    actions = (_tree(f"Action {one.name}: {line_of(one.chosen)}") for one in event.actions)
    return _tree(f"Event {event.name} ({event.priority})", *_trigger("starts", event.start_trigger), *actions)


def _trigger(word: str, trigger: Trigger | None) -> list[Tree]:
    """A trigger, none where there is none."""
    groups = () if trigger is None else trigger.condition_groups
    return [_tree(f"{word} when {' and '.join(map(_condition, one.conditions))}") for one in groups]


def _condition(condition: Condition) -> str:
    """A condition."""
    delay = f" {condition.delay:g} s later" if condition.delay else ""
    edge = f" ({condition.condition_edge})" if condition.condition_edge != "none" else ""
    return f"{line_of(condition.chosen)}{edge}{delay}"


def line_of(record: OscRecord | None) -> str:
    """A record in one line: the names of its elements with their attributes."""
    line = "nothing" if record is None else " ".join(_words(record))
    return line if len(line) <= _MAX_LINE else f"{line[: _MAX_LINE - 3]}..."


def _words(record: OscRecord) -> list[str]:
    """The words of a record, with the names of the file; types that only lead to others have none of their own."""
    values: list[str] = []
    inner: list[str] = []
    plan = plan_of(type(record))
    for one in plan.attributes.values():
        value = getattr(record, one.name)
        if value is not None:
            values.append(f"{one.xml}={text_of(value)}")
    if plan.text is not None:
        values.append(getattr(record, plan.text.name)[:_MAX_LINE])
    for part in plan.parts:
        value = getattr(record, part.name)
        several = value if isinstance(value, tuple) else () if value is None else (value,)
        inner += [word for one in several[:_MAX_INNER] for word in _words(one)]
    name = plan.table.name
    leads = name in _LEADING or plan.table.is_group or (plan.table.content is Content.CHOICE and not _says(name))
    return [*values, *inner] if leads else [name, *values, *inner]


def _says(name: str) -> bool:
    """Whether the name of a type that has one of several elements says what happens."""
    return name.endswith(("Action", "Condition"))
