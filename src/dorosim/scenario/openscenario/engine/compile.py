"""A scenario's records made into a program: names become numbers, and nothing is looked up in a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from dorosim.road.opendrive.road_course_network import CourseNetwork
from dorosim.scenario.openscenario.engine.cast import ego_row
from dorosim.scenario.openscenario.engine.compile_action import action_plan
from dorosim.scenario.openscenario.engine.compile_condition import KINDS, ConditionCompiler
from dorosim.scenario.openscenario.engine.compile_entity import complete_entities, objects_of
from dorosim.scenario.openscenario.engine.compile_position import position_plan
from dorosim.scenario.openscenario.engine.compile_signal import controllers_of
from dorosim.scenario.openscenario.engine.declared_value import variable_plans
from dorosim.scenario.openscenario.engine.entity_plan import entity_plan
from dorosim.scenario.openscenario.engine.morai_entity import as_morai_has_it
from dorosim.scenario.openscenario.engine.names import ScenarioNames
from dorosim.scenario.openscenario.engine.program import (
    ALWAYS,
    ActorAction,
    Element,
    ElementKind,
    EntityPlan,
    EventPriority,
    Program,
)
from dorosim.scenario.openscenario.engine.used_area import UsedArea
from dorosim.scenario.openscenario.morai_story import with_morai_properties
from dorosim.scenario.openscenario.record.condition import Trigger
from dorosim.scenario.openscenario.record.entity import Entities
from dorosim.scenario.openscenario.record.file import ScenarioDefinition
from dorosim.scenario.openscenario.record.file import UsedArea as UsedAreaRecord
from dorosim.scenario.openscenario.record.storyboard import Act, Event, Init, ManeuverGroup, Story, maneuvers_of
from dorosim.scenario.openscenario.record.storyboard import Priority as PriorityWord
from dorosim.scenario.openscenario.record.table import OscRecord
from dorosim.world.storyboard.engine import NO_ENTITY

_PRIORITIES = {PriorityWord.PARALLEL: EventPriority.PARALLEL, PriorityWord.SKIP: EventPriority.SKIP}


def compile_scenario(
    source: str,
    scenario: ScenarioDefinition,
    roads: CourseNetwork | None,
    parameters: Mapping[str, object] | None = None,
    seed: int = 0,
    ego: str = "",
) -> Program:
    """A scenario, ready to run.

    Args:
        source: the file, as messages name it.
        scenario: its records.
        roads: of its map; None for none.
        parameters: values of its parameters, by name.
        seed: of all that is random in it.
        ego: name of the entity that is the ego; "" for that which the file makes it.

    Raises:
        InputError: it names what there is not, or a position that is not on the map.
    """
    entities = [as_morai_has_it(entity_plan(one), one) for one in objects_of(scenario.entities)]
    row = ego_row(entities, ego)
    scenario = with_morai_properties(scenario, "" if row == NO_ENTITY else entities[row].name)
    selections = _selections(scenario.entities, entities)
    names = ScenarioNames(source, entities, selections, variable_plans(scenario, parameters or {}), roads)
    complete_entities(names, scenario)
    names.controllers = controllers_of(names, scenario.road_network.traffic_signals)
    tree = _ElementTree(names)
    stories = tuple(tree.story(one) for one in scenario.storyboard.stories)
    init = _init(tree, scenario.storyboard.init)
    names.elements = tree.elements
    conditions = ConditionCompiler(names)
    tree.add_triggers(conditions)
    stop = conditions.trigger(scenario.storyboard.stop_trigger)
    evaluation = scenario.evaluation
    success = None if evaluation is None else conditions.groups(evaluation.success_condition_groups)
    failure = None if evaluation is None else conditions.groups(evaluation.failure_condition_groups)
    return Program(
        entities=names.entities,
        elements=tuple(tree.elements),
        stories=stories,
        init=init,
        conditions=tuple(conditions.conditions),
        stop=stop,
        success=success,
        failure=failure,
        action_rows=tree.rows,
        variables=names.variables,
        signals=tuple(names.signals),
        controllers=names.controllers,
        roads=roads,
        object_controllers=tuple(names.object_controllers.plans),
        uses=frozenset(names.uses),
        seed=seed,
        notes=tuple(names.notes),
        used_area=_used_area(names, scenario.road_network.used_area),
    )


def _used_area(names: ScenarioNames, one: UsedAreaRecord | None) -> UsedArea | None:
    """The part of the roads that a file says it uses."""
    return None if one is None else UsedArea(tuple(position_plan(names, each) for each in one.positions))


def _selections(entities: Entities, plans: Sequence[EntityPlan]) -> dict[str, tuple[int, ...]]:
    """The members of each selection: named ones, and all of a type; a selection may hold others."""
    number = {one.name: at for at, one in enumerate(plans)}
    found: dict[str, tuple[int, ...]] = {}
    for one in entities.entity_selections:
        members: dict[int, None] = {}
        for reference in one.members.entity_refs:
            known = number.get(reference.entity_ref)
            members.update(dict.fromkeys(found.get(reference.entity_ref, ()) if known is None else (known,)))
        for by_type in one.members.by_types:
            kind = KINDS[by_type.object_type]
            members.update(dict.fromkeys(at for at, plan in enumerate(plans) if plan.kind is kind))
        found[one.name] = tuple(members)
    return found


def _init(tree: _ElementTree, init: Init) -> tuple[ActorAction, ...]:
    """The init actions: global ones, user defined ones, then those of each entity."""
    actions = init.actions
    found = [tree.action(one, (-1,)) for one in (*actions.global_actions, *actions.user_defined_actions)]
    for private in actions.privates:
        entity = tree.names.entity(private, private.entity_ref)
        found += [tree.action(one, (entity,)) for one in private.private_actions]
    return tuple(found)


class _ElementTree:
    """The elements while they are numbered: parents before their children.

    Args:
        names: of the scenario.
    """

    def __init__(self, names: ScenarioNames) -> None:
        self.names = names
        self.elements: list[Element] = []
        self.rows = 0
        self._triggers: list[tuple[int, Trigger | None, Trigger | None]] = []

    def action(self, one: OscRecord, entities: tuple[int, ...]) -> ActorAction:
        """An action with rows for the entities that may do it."""
        found = ActorAction(plan=action_plan(self.names, one), entities=entities, first_row=self.rows)
        self.rows += len(entities)
        return found

    def _add(self, element: Element, start: Trigger | None = None, stop: Trigger | None = None) -> int:
        self.elements.append(element)
        number = len(self.elements) - 1
        if start is not None or stop is not None:
            self._triggers.append((number, start, stop))
        return number

    def _adopt(self, number: int, children: Sequence[int]) -> None:
        self.elements[number] = replace(self.elements[number], children=tuple(children))

    def story(self, one: Story) -> int:
        """The number of a story, with all in it."""
        number = self._add(Element(kind=ElementKind.STORY, name=one.name, path=(one.name,), parent=-1))
        self._adopt(number, [self._act(act, number) for act in one.acts])
        return number

    def _act(self, one: Act, parent: int) -> int:
        path = (*self.elements[parent].path, one.name)
        act = Element(kind=ElementKind.ACT, name=one.name, path=path, parent=parent)
        number = self._add(act, one.start_trigger, one.stop_trigger)
        self._adopt(number, [self._group(group, number) for group in one.maneuver_groups])
        return number

    def _group(self, one: ManeuverGroup, parent: int) -> int:
        path = (*self.elements[parent].path, one.name)
        group = Element(
            kind=ElementKind.MANEUVER_GROUP,
            name=one.name,
            path=path,
            parent=parent,
            max_executions=one.maximum_execution_count,
            actors=self.names.members(one.actors.entity_refs),
            chooses=one.actors.select_triggering_entities,
        )
        number = self._add(group)
        children = []
        for maneuver in maneuvers_of(one):
            made = Element(kind=ElementKind.MANEUVER, name=maneuver.name, path=(*path, maneuver.name), parent=number)
            at = self._add(made)
            self._adopt(at, [self._event(event, at, group) for event in maneuver.events])
            children.append(at)
        self._adopt(number, children)
        return number

    def _event(self, one: Event, parent: int, group: Element) -> int:
        path = (*self.elements[parent].path, one.name)
        count = one.maximum_execution_count
        event = Element(
            kind=ElementKind.EVENT,
            name=one.name,
            path=path,
            parent=parent,
            max_executions=1 if count is None else count or ALWAYS,
            priority=_PRIORITIES.get(one.priority, EventPriority.OVERRIDE),
        )
        number = self._add(event, one.start_trigger)
        children = []
        for action in one.actions:
            entities: tuple[int, ...] = (-1,)
            if action.private_action is not None:
                entities = tuple(range(len(self.names.entities))) if group.chooses else group.actors
            made = Element(
                kind=ElementKind.ACTION,
                name=action.name,
                path=(*path, action.name),
                parent=number,
                action=self.action(action, entities),
            )
            children.append(self._add(made))
        self._adopt(number, children)
        return number

    def add_triggers(self, conditions: ConditionCompiler) -> None:
        """Make the triggers ready, when all elements are known."""
        for number, start, stop in self._triggers:
            self.elements[number] = replace(
                self.elements[number], start=conditions.trigger(start), stop=conditions.trigger(stop)
            )
