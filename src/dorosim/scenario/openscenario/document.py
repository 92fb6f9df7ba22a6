"""A file of OpenSCENARIO: opened once, read as often as there are values for its parameters.

From a file to what happens in it:

    opened = open_document("cut-in.xosc", content, files)
    reading = opened.read({"EgoSpeed": "25"})
    scenario = reading.scenario()                      # raises InputError where the file cannot be run
    for story in scenario.storyboard.stories:
        for act in story.acts:
            for maneuver_group in act.maneuver_groups:
                for maneuver in maneuvers_of(maneuver_group):   # those of catalogs, too
                    for event in maneuver.events:
                        for action in event.actions:
                            action.chosen              # PrivateAction, GlobalAction or UserDefinedAction

Values are resolved: `SpeedCondition.value` is a float, whether the file has 25, $EgoSpeed or ${$EgoSpeed / 3.6}. A
reference to a catalog has the entry, read with its own values, in `CatalogReference.entry`. `OscRecord.chosen` of a
type that has one of several elements is the element, or that entry; `OscRecord.origin` says file and line.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from types import MappingProxyType
from typing import Any, cast

from dorosim.ground.error import InputError
from dorosim.scenario.openscenario.catalog import Catalogs
from dorosim.scenario.openscenario.expression import Value
from dorosim.scenario.openscenario.files import NoFiles, ScenarioFiles
from dorosim.scenario.openscenario.finding import DocumentFinding, FindingLevel, Findings, shown
from dorosim.scenario.openscenario.parameter_scope import scope_inside
from dorosim.scenario.openscenario.reader import Reader, TooLargeError
from dorosim.scenario.openscenario.record.distribution import ParameterValueDistribution
from dorosim.scenario.openscenario.record.file import Catalog, OpenScenario, ScenarioDefinition
from dorosim.scenario.openscenario.reference_check import check_references
from dorosim.scenario.openscenario.schema import check_against_version
from dorosim.scenario.openscenario.version import NAME, declared_version, root_of_openscenario

_ROOTS = (NAME, "OpenScenario")
_EMPTY = "has none of "
"""How the problem of an element begins that lacks one of several elements."""

_NO_PARAMETERS: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentReading:
    """What was read of a file, with given values of its parameters.

    Attributes:
        source: the file, as messages name it.
        version: of the standard that the file declares, "1.0" to "1.3".
        root: the file's records; None where it cannot be understood.
        parameters: the file's parameters with their values.
        findings: what it breaks or leaves open, with the file's own breaks of its version.
    """

    source: str
    version: str
    root: OpenScenario | None
    parameters: Mapping[str, Value]
    findings: tuple[DocumentFinding, ...]

    @property
    def errors(self) -> tuple[DocumentFinding, ...]:
        """Findings for which the file cannot be run."""
        return tuple(one for one in self.findings if one.level is FindingLevel.ERROR)

    def whole(self) -> OpenScenario:
        """The file's records.

        Raises:
            InputError: it cannot be understood; names the first problem, and how many there are.
        """
        errors = self.errors
        if self.root is None or errors:
            first = errors[0].error()
            more = f" (and {len(errors) - 1} more problems: `dorosim scenario check`)" if len(errors) > 1 else ""
            raise InputError(first.source, first.place, f"{first.problem}{more}", first.cure)
        return self.root

    def scenario(self) -> ScenarioDefinition:
        """The scenario in the file.

        Raises:
            InputError: it cannot be understood, or holds no scenario.
        """
        found = self.whole().open_scenario_category.scenario_definition
        if found is None:
            raise InputError(self.source, "", "holds no scenario", "give a file with a <Storyboard>")
        return found

    def catalog(self) -> Catalog | None:
        """The catalog in the file, None for none.

        Raises:
            InputError: it cannot be understood.
        """
        found = self.whole().open_scenario_category.catalog_definition
        return None if found is None else found.catalog

    def distribution(self) -> ParameterValueDistribution | None:
        """The distributions of parameter values in the file, None for none.

        Raises:
            InputError: it cannot be understood.
        """
        found = self.whole().open_scenario_category.parameter_value_distribution_definition
        return None if found is None else found.parameter_value_distribution


class OpenedDocument:
    """A file that is open: its XML, and what it breaks whatever its parameters are.

    Args:
        source: the file, as messages name it.
        root: its root element, of lxml; its own from here on.
        files: gives the files that it names.
    """

    def __init__(self, source: str, root: Any, files: ScenarioFiles) -> None:
        self.source = source
        self.root = root
        self._files = files
        self.version, self._problem = declared_version(root)

    @cached_property
    def breaks(self) -> tuple[DocumentFinding, ...]:
        """What the file breaks of the version that it declares, and what is deprecated in it."""
        findings = Findings(self.source)
        if self._problem:
            findings.add(FindingLevel.BREAK, None, self._problem, "declare revMajor 1 and a revMinor")
        check_against_version(self.root, self.version, findings)
        return findings.found()

    def read(self, parameters: Mapping[str, str] = _NO_PARAMETERS) -> DocumentReading:
        """Read the file.

        Args:
            parameters: values for the file's parameters, by name, instead of those in it.
        """
        findings = Findings(self.source)
        folders = [
            (one.get("path") or "", one)
            for one in self.root.iterfind("CatalogLocations/*/Directory")
            if one.get("path")
        ]
        catalogs = Catalogs(folders, self.source, self._files, findings)
        catalogs.take(self.source, self.root)
        reader = Reader(findings, catalogs)
        names = {
            (one.get("name") or "").removeprefix("$")
            for one in self.root.iterfind("ParameterDeclarations/ParameterDeclaration")
        }
        for name in parameters.keys() - names:
            known, near = ", ".join(sorted(names)[:10]), get_close_matches(name, names, n=1)
            cure = f"it declares {known}" if known else "it declares none"
            cure = f"did you mean {near[0]!r}? {cure}" if near else cure
            findings.add(FindingLevel.ERROR, None, f"parameter {shown(name)} is not declared in it", cure)
        scope = scope_inside(self.root, {}, parameters, Findings(self.source), self.source)
        root: OpenScenario | None = None
        try:
            root = cast(OpenScenario, reader.whole(self.root, self.source, parameters))
        except TooLargeError as error:
            findings.add(FindingLevel.ERROR, None, str(error), "split it")
        if root is not None and not findings.errors:
            scenario = root.open_scenario_category.scenario_definition
            if scenario is not None:
                check_references(scenario, findings)
        found = _merged(findings.found(), self.breaks)
        return DocumentReading(
            source=self.source,
            version=self.version,
            root=None if findings.errors else root,
            parameters=MappingProxyType(scope),
            findings=found,
        )


def _merged(read: tuple[DocumentFinding, ...], breaks: tuple[DocumentFinding, ...]) -> tuple[DocumentFinding, ...]:
    """Findings of reading and of the version, by line: what reading says of a place replaces what the version says."""
    known = {(one.source, one.path, one.attribute or one.problem) for one in read}
    empty = {(one.source, one.path) for one in read if one.problem.startswith(_EMPTY)}
    rest = [
        one
        for one in breaks
        if (one.source, one.path, one.attribute or one.problem) not in known
        and not (one.problem.startswith(_EMPTY) and (one.source, one.path) in empty)
    ]
    own = breaks[0].source if breaks else ""
    return tuple(sorted((*read, *rest), key=lambda one: (one.source != own, one.source, one.line)))


def open_document(source: str, content: bytes, files: ScenarioFiles | None = None) -> OpenedDocument:
    """Open a file of OpenSCENARIO: a scenario, a catalog or distributions.

    Args:
        source: the file, as messages name it; files that it names are relative to it.
        content: its bytes.
        files: gives the files that it names; None where none can be opened.

    Raises:
        InputError: it is too large, is not XML, has a document type, or is no file of OpenSCENARIO.
    """
    root = root_of_openscenario(source, content)
    if root.tag not in _ROOTS:
        problem = f"the root is <{root.tag}>, not <{NAME}>"
        raise InputError(source, f"line {root.sourceline}", problem, "give a file of OpenSCENARIO XML")
    return OpenedDocument(source, root, files or NoFiles())
