"""Controllers: what moves an entity."""

from __future__ import annotations

from dorosim.scenario.openscenario.record.parameter import ParameterDeclarations
from dorosim.scenario.openscenario.record.property import Properties
from dorosim.scenario.openscenario.record.reference import CatalogReference
from dorosim.scenario.openscenario.record.table import OscRecord, Word, attribute, child, choice, unordered, words


@words(since="1.2")
class ControllerType(Word):
    """What a controller controls."""

    LATERAL = "lateral"
    LONGITUDINAL = "longitudinal"
    LIGHTING = "lighting"
    ANIMATION = "animation"
    MOVEMENT = "movement"
    APPEARANCE = "appearance"
    ALL = "all"


@unordered()
class Controller(OscRecord):
    """What moves an entity."""

    controller_type: ControllerType | None = attribute("what it controls", default=None, since="1.2")
    name: str = attribute("name", assumed="")
    parameter_declarations: ParameterDeclarations | None = child(default=None)
    properties: Properties | None = child(default=None, required=("1.0", "1.2"), assumed=None)


@choice(choice_required="1.3")
class ObjectController(OscRecord):
    """The controller of an entity, here or in a catalog."""

    name: str | None = attribute("name by which actions mean it", default=None, since="1.3")
    catalog_reference: CatalogReference | None = child(default=None)
    controller: Controller | None = child(default=None)
