"""The storyboard: what happens, when."""

from __future__ import annotations

from dorosim.scenario.openscenario.record.action import Action, GlobalAction, PrivateAction, UserDefinedAction
from dorosim.scenario.openscenario.record.condition import Trigger
from dorosim.scenario.openscenario.record.parameter import ParameterDeclarations
from dorosim.scenario.openscenario.record.reference import CatalogReference, EntityRef
from dorosim.scenario.openscenario.record.table import (
    Record,
    UnsignedInt,
    Word,
    attribute,
    child,
    children,
    sequence,
    words,
)


@words()
class Priority(Word):
    """What a starting event does to others of its maneuver."""

    OVERWRITE = "overwrite", "", "1.2"
    PARALLEL = "parallel"
    SKIP = "skip"
    OVERRIDE = "override", "1.2"


@sequence()
class Storyboard(Record):
    """All that happens in a scenario."""

    init: Init = child()
    stories: tuple[Story, ...] = children("Story", default=(), required=("1.0", "1.1"))
    stop_trigger: Trigger | None = child(default=None, required=("1.0", "1.2"), assumed=None)


@sequence()
class Init(Record):
    """What happens before the simulated time starts."""

    actions: InitActions = child()


@sequence()
class InitActions(Record):
    """Actions before the simulated time starts."""

    global_actions: tuple[GlobalAction, ...] = children("GlobalAction", default=())
    user_defined_actions: tuple[UserDefinedAction, ...] = children("UserDefinedAction", default=())
    privates: tuple[Private, ...] = children("Private", default=())


@sequence()
class Private(Record):
    """Actions of one entity before the simulated time starts."""

    entity_ref: str = attribute("name of the entity")
    private_actions: tuple[PrivateAction, ...] = children("PrivateAction", default=(), required=())


@sequence()
class Story(Record):
    """A part of the storyboard."""

    name: str = attribute("name", assumed="")
    parameter_declarations: ParameterDeclarations | None = child(default=None)
    acts: tuple[Act, ...] = children("Act", default=(), required=())


@sequence()
class Act(Record):
    """A part of a story."""

    name: str = attribute("name", assumed="")
    maneuver_groups: tuple[ManeuverGroup, ...] = children("ManeuverGroup", default=(), required=())
    start_trigger: Trigger | None = child(default=None, required=("1.0", "1.2"), assumed=None)
    stop_trigger: Trigger | None = child(default=None)


@sequence()
class ManeuverGroup(Record):
    """Maneuvers of the same actors."""

    maximum_execution_count: UnsignedInt = attribute("how often it runs at most", assumed=1)
    name: str = attribute("name", assumed="")
    actors: Actors = child()
    catalog_references: tuple[CatalogReference, ...] = children("CatalogReference", default=())
    maneuvers: tuple[Maneuver, ...] = children("Maneuver", default=())


@sequence()
class Actors(Record):
    """The entities that do the actions of a group."""

    select_triggering_entities: bool = attribute("whether those that met the condition belong to it", assumed=False)
    entity_refs: tuple[EntityRef, ...] = children("EntityRef", default=())


@sequence()
class Maneuver(Record):
    """Events that belong together."""

    name: str = attribute("name", assumed="")
    parameter_declarations: ParameterDeclarations | None = child(default=None)
    events: tuple[Event, ...] = children("Event", default=(), required=())


@sequence()
class Event(Record):
    """Actions that start together."""

    maximum_execution_count: UnsignedInt | None = attribute("how often it runs at most", default=None)
    name: str = attribute("name", assumed="")
    priority: Priority = attribute("what it does to others of its maneuver", assumed=Priority.OVERRIDE)
    actions: tuple[Action, ...] = children("Action", default=(), required=())
    start_trigger: Trigger | None = child(default=None, required=("1.0", "1.0"), assumed=None)


def maneuvers_of(maneuver_group: ManeuverGroup) -> tuple[Maneuver, ...]:
    """The maneuvers of a group, those of catalogs first, as the schema orders them."""
    entries = (one.entry for one in maneuver_group.catalog_references)
    return (*(one for one in entries if isinstance(one, Maneuver)), *maneuver_group.maneuvers)
