"""Every shared file is read: those of esmini, of Euro NCAP, and the one that MORAI SIM saved."""

from __future__ import annotations

from pathlib import Path

import pytest

from dorosim.app.store.openscenario import FolderFiles
from dorosim.scenario.openscenario.document import open_document
from dorosim.scenario.openscenario.finding import Level
from dorosim.scenario.openscenario.record.entity import Vehicle
from tests.scenario.openscenario.sample import MATERIAL

FILES = sorted(MATERIAL.rglob("*.xosc"))
pytestmark = pytest.mark.skipif(not FILES, reason="needs the shared files of OpenSCENARIO")

ERRORS = {
    "HWManeuvers": ["parameter '$AccRate' is not declared here"],
}
"""What cannot be understood: an entry of a catalog that no scenario uses."""

BREAKS = {
    "ControllerCatalog": ["expected a number, found 'time'"],
    "Untitled Scenario": ["'String' is not a word of the standard, and taken for 'string'"],
    "add_delete_entity": ["the catalog is named 'MiscObject', and its file 'MiscObjectCatalog'"],
    "init_test": ["expected a number, found 'time'"],
    "traffic_lights": ["has 2 maneuver groups 'WalkOnGreenManueverGroup'"],
}
"""What breaks the standard and is understood."""


def read(path):
    return open_document(str(path), path.read_bytes(), FolderFiles([MATERIAL])).read()


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_a_file_is_read(path: Path):
    reading = read(path)
    for level, known in ((Level.ERROR, ERRORS), (Level.BREAK, BREAKS)):
        found = [one.problem for one in reading.findings if one.level is level]
        expected = known.get(path.stem, [])
        assert len(found) == len(expected), found
        assert all(part in problem for part, problem in zip(expected, found, strict=True))
    assert (reading.root is None) == (path.stem in ERRORS)


def test_all_kinds_of_files_are_there():
    roots = [read(path).root for path in FILES if path.stem not in ERRORS]
    categories = [root.open_scenario_category for root in roots]
    assert len(FILES) == 59
    assert sum(one.scenario_definition is not None for one in categories) == 30
    assert sum(one.parameter_value_distribution_definition is not None for one in categories) == 13


def test_every_entity_is_something_and_every_reference_has_its_entry():
    for path in FILES:
        reading = read(path)
        if path.stem in ERRORS or reading.root.open_scenario_category.scenario_definition is None:
            continue
        for one in reading.scenario().entities.scenario_objects:
            assert one.entity_object.chosen is not None, path


def test_morai():
    """The project that MORAI SIM saved: sizes that are not set are 0, groups are empty."""
    path = MATERIAL / "morai" / "LaneFollow" / "Untitled Scenario.xosc"
    scenario = read(path).scenario()
    vehicle = scenario.entities.scenario_objects[0].entity_object.chosen
    assert isinstance(vehicle, Vehicle)
    assert (vehicle.model3d, vehicle.mass, vehicle.performance.max_speed) == ("MA Formula 4", 0.0, 0.0)
    assert [(one.name, one.value) for one in vehicle.properties.properties] == [("MotionModel", "Dynamics")]
    assert scenario.variable_declarations.variable_declarations[0].value == "Sangam Track"
    assert scenario.storyboard.stories[0].acts[0].maneuver_groups[0].maneuvers == ()


def test_values_that_expressions_give():
    """The offset is sign($Overlap)*min(1.0,100.0-$Overlap)*($GVT_width/2-$Ego_width*((abs($Overlap)-50.0)/100.0))."""
    path = next(path for path in FILES if path.stem == "NCAP_AEB_C2C_CCR_2023")
    opened = open_document(str(path), path.read_bytes(), FolderFiles([MATERIAL]))
    found = [opened.read({"Overlap": one}).parameters["_GVT_offset"] for one in ("100", "50", "-50", "75")]
    assert found == pytest.approx([0.0, 1.712 / 2, -1.712 / 2, 1.712 / 2 - 1.815 * 0.25])
