"""What names of a scenario mean: numbers of entities, variables, lights and elements."""

from __future__ import annotations

from collections.abc import Sequence

from dorosim.ground.error import InputError
from dorosim.road.opendrive.road_course_network import CourseNetwork
from dorosim.scenario.openscenario.engine.controller_list import ControllerList
from dorosim.scenario.openscenario.engine.program import (
    ControllerPlan,
    Element,
    ElementKind,
    EntityPlan,
    Use,
    VariablePlan,
)
from dorosim.scenario.openscenario.record.reference import EntityRef
from dorosim.scenario.openscenario.record.table import OscRecord


class ScenarioNames:
    """The names of a scenario while it is made ready.

    Args:
        source: the file, as messages name it.
        entities: its entities.
        selections: members of each selection, by its name.
        variables: its variables, parameters and monitors.
        roads: None for a scenario without roads.

    Attributes:
        signals: ids of the lights that are named, in the order in which they were asked for.
        object_controllers: controllers that entities can have.
        uses: what the actions may need in each tick.
        traffic: how many actions on traffic there are so far.
        notes: what has no effect, for people.
        elements: set when all elements are known.
    """

    def __init__(
        self,
        source: str,
        entities: Sequence[EntityPlan],
        selections: dict[str, tuple[int, ...]],
        variables: Sequence[VariablePlan],
        roads: CourseNetwork | None,
    ) -> None:
        self.source = source
        self.entities = tuple(entities)
        self._entity = {one.name: number for number, one in enumerate(entities)}
        self._selections = selections
        self.variables = tuple(variables)
        self._variable = {one.name: number for number, one in enumerate(variables)}
        self.roads = roads
        self.signals: list[str] = []
        self.controllers: tuple[ControllerPlan, ...] = ()
        self.object_controllers = ControllerList()
        self.uses: set[Use] = set()
        self.traffic = 0
        self.notes: list[str] = []
        self.elements: Sequence[Element] = ()

    def refuse(self, record: OscRecord, problem: str, cure: str = "") -> InputError:
        """An error at a record."""
        return InputError(record.origin.source or self.source, f"line {record.origin.line}", problem, cure)

    def note(self, record: OscRecord, text: str) -> None:
        """Note what has no effect."""
        line = f"{record.origin.source or self.source}, line {record.origin.line}: {text}"
        if line not in self.notes:
            self.notes.append(line)

    def entity(self, record: OscRecord, name: str) -> int:
        """Number of an entity.

        Raises:
            InputError: there is none of this name.
        """
        found = self._entity.get(name)
        if found is None:
            known = ", ".join(list(self._entity)[:10]) or "none"
            raise self.refuse(record, f"there is no entity {name!r}", f"the entities are {known}")
        return found

    def members(self, references: Sequence[EntityRef]) -> tuple[int, ...]:
        """Numbers of the entities that references name, selections with their members.

        Raises:
            InputError: there is no entity or selection of a name.
        """
        found: dict[int, None] = {}
        for one in references:
            if one.entity_ref in self._selections:
                found.update(dict.fromkeys(self._selections[one.entity_ref]))
            else:
                found[self.entity(one, one.entity_ref)] = None
        return tuple(found)

    def variable(self, record: OscRecord, name: str) -> int:
        """Number of a variable, parameter or monitor.

        Raises:
            InputError: there is none of this name.
        """
        found = self._variable.get(name)
        if found is None:
            raise self.refuse(record, f"there is no variable or parameter {name!r}", "declare it")
        return found

    def signal(self, name: str) -> int:
        """Number of a light, which is new if it was not named yet."""
        if name not in self.signals:
            self.signals.append(name)
        return self.signals.index(name)

    def controller(self, record: OscRecord, name: str) -> int:
        """Number of a controller of lights.

        Raises:
            InputError: there is none of this name.
        """
        for number, one in enumerate(self.controllers):
            if one.name == name:
                return number
        raise self.refuse(record, f"there is no traffic signal controller {name!r}", "declare it in <TrafficSignals>")

    def road(self, record: OscRecord, name: str) -> int:
        """Number of a road.

        Raises:
            InputError: there is none of this id, or no map.
        """
        if self.roads is None:
            raise self.refuse(record, "there is no road network", "name one in <LogicFile>")
        found = self.roads.number.get(name)
        if found is None:
            raise self.refuse(record, f"the map has no road {name!r}", f"it has {len(self.roads.roads)} others")
        return found

    def elements_named(self, record: OscRecord, name: str, kind: ElementKind) -> tuple[int, ...]:
        """Numbers of the elements of a kind that a name means, with or without names above it."""
        parts = tuple(name.split("::"))
        found = tuple(
            number
            for number, one in enumerate(self.elements)
            if one.kind is kind and one.path[len(one.path) - len(parts) :] == parts
        )
        if not found:
            self.note(record, f"there is no {kind.name.lower().replace('_', ' ')} {name!r}; the condition is never met")
        return found
