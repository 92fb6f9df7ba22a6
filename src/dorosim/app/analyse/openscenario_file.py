"""What `dorosim scenario check` and `show` print of a file of OpenSCENARIO."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from rich.console import Console

from dorosim.app.analyse.openscenario_tree import tree_of_scenario
from dorosim.app.run.report.console import print_line
from dorosim.app.run.report.json_output import Facts
from dorosim.app.serve.sensor.listing import list_set
from dorosim.app.store.openscenario import ALLOW_CURE, FolderFiles, find_openscenario
from dorosim.app.store.project import find_project, is_project, sensors_of_project
from dorosim.app.store.scenario_map import map_name_of_scenario
from dorosim.ground.error import InputError
from dorosim.recording.whole_file import read_file
from dorosim.scenario.openscenario.about import facts_of_header
from dorosim.scenario.openscenario.distribution import count_variations, variations
from dorosim.scenario.openscenario.document import DocumentReading, open_document
from dorosim.scenario.openscenario.finding import DocumentFinding, FindingLevel
from dorosim.scenario.openscenario.record.distribution import ParameterValueDistribution
from dorosim.scenario.openscenario.value import text_of
from dorosim.scenario.openscenario.version import MAX_FILE_SIZE
from dorosim.scenario.openscenario.xsd import check_against_schema

MAX_SHOWN_VARIATIONS = 20
_NAMES = {FindingLevel.NOTE: "note", FindingLevel.BREAK: "break", FindingLevel.ERROR: "error"}


def check_openscenario(
    given: str, data: Path, allow: Sequence[Path], *, strict: bool, schema: Path | None, parameters: Mapping[str, str]
) -> Facts:
    """What a file of OpenSCENARIO breaks or leaves open.

    Returns:
        source: the file. version: of the standard that it declares. holds: "scenario", "catalog" or "distribution".
        runs: whether it can be understood. ok: whether nothing was found that counts: errors, and with `strict` or a
        schema, breaks. findings: {level, file, line, place, attribute, problem, cure}; level is "error", "break" of
        the version declared or of the schema, or "note".

    Raises:
        InputError: the file cannot be found or is no OpenSCENARIO.
    """
    file, files = find_openscenario(given, data, allow)
    reading = open_document(file.source, file.content, files).read(parameters)
    found = list(reading.findings)
    if is_project(given):
        found += _project_findings(find_project(given, data))
    if schema is not None:
        found += check_against_schema(file.source, file.content, str(schema), read_file(schema, MAX_FILE_SIZE))
    if reading.root is not None and not reading.errors:
        found += [*_distribution_findings(reading), *_map_findings(file.source, reading, files, data)]
    counts = FindingLevel.BREAK if strict or schema is not None else FindingLevel.ERROR
    return {
        "source": file.source,
        "version": reading.version,
        "holds": _holds(reading),
        "runs": not any(one.level is FindingLevel.ERROR for one in found),
        "ok": not any(one.level >= counts for one in found),
        "findings": [_facts_of_finding(one) for one in found],
    }


def _project_findings(path: Path) -> list[DocumentFinding]:
    """What of the sensors and interfaces of a project of MORAI SIM is not done as it says."""
    level, lines = FindingLevel.NOTE, list[str]()
    try:
        lines += sensors_of_project(path).notes
    except InputError as error:
        level, lines = FindingLevel.ERROR, [str(error)]
    return [DocumentFinding(level=level, source=str(path), line=0, place="", problem=one) for one in lines]


def _map_findings(source: str, reading: DocumentReading, files: FolderFiles, data: Path) -> list[DocumentFinding]:
    """Why the map that a scenario names cannot be used; a run can be told another one, so it is a note."""
    if _holds(reading) != "scenario":
        return []
    try:
        map_name_of_scenario(source, reading.scenario(), reading.parameters, files, data)
    except InputError as error:
        logic = reading.scenario().road_network.logic_file
        return [
            DocumentFinding(
                level=FindingLevel.NOTE,
                source=source,
                line=0 if logic is None else logic.origin.line,
                place="" if logic is None else "<LogicFile>",
                attribute="" if logic is None else "filepath",
                problem=error.problem,
                cure=error.cure,
            )
        ]
    return []


def _distribution_findings(reading: DocumentReading) -> list[DocumentFinding]:
    """What cannot be done of the distributions in a file."""
    distribution = reading.distribution()
    if distribution is None:
        return []
    try:
        for _ in islice(variations(distribution), MAX_SHOWN_VARIATIONS):
            pass
    except InputError as error:
        return [
            DocumentFinding(
                level=FindingLevel.ERROR,
                source=error.source,
                line=0,
                place=error.place,
                problem=error.problem,
                cure=error.cure,
            )
        ]
    return []


def _facts_of_finding(one: DocumentFinding) -> Facts:
    return {
        "level": _NAMES[one.level],
        "file": one.source,
        "line": one.line,
        "place": one.place,
        "attribute": one.attribute,
        "problem": one.problem,
        "cure": one.cure,
    }


def _holds(reading: DocumentReading) -> str:
    """What a file holds, in one word; "" where it cannot be understood."""
    if reading.root is None:
        return ""
    category = reading.root.open_scenario_category
    if category.catalog_definition is not None:
        return "catalog"
    return "scenario" if category.scenario_definition is not None else "distribution"


def print_openscenario_check(check: Facts) -> None:
    """Print what a file breaks."""
    console = Console(highlight=False)
    holds = f", {check['holds']}" if check["holds"] else ""
    print_line(console, f"{check['source']}: OpenSCENARIO {check['version']}{holds}")
    for one in check["findings"]:
        line = f"line {one['line']}" if one["line"] else ""
        place = " ".join(filter(None, (one["place"], one["attribute"] and repr(one["attribute"]))))
        file = "" if one["file"] == check["source"] else one["file"]
        where = ": ".join(filter(None, (file, ", ".join(filter(None, (line, place))))))
        cure = f"; {one['cure']}" if one["cure"] else ""
        print_line(console, f"  {one['level']}: {where}{': ' * bool(where)}{one['problem']}{cure}")
    folder = _folder_of_all(str(one["cure"]) for one in check["findings"])
    if folder:
        print_line(console, f"  allow all of these at once: --allow {shlex.quote(folder)}")
    print_line(console, _verdict(check))


def _folder_of_all(cures: Iterable[str]) -> str:
    """The folder that holds all that cures ask to allow; "" where there are not several, or none holds them."""
    folders = {cure.removeprefix(ALLOW_CURE) for cure in cures if cure.startswith(ALLOW_CURE)}
    if len(folders) < 2:
        return ""
    common = Path(os.path.commonpath(sorted(folders)))
    return "" if common == Path(common.anchor) else str(common)


def _verdict(check: Facts) -> str:
    """The last line of a check."""
    counts = {name: sum(one["level"] == name for one in check["findings"]) for name in _NAMES.values()}
    said = ", ".join(f"{count} {name}{'s' if count > 1 else ''}" for name, count in counts.items() if count)
    if not check["runs"]:
        return f"it cannot be run: {said}"
    return f"it can be read: {said}" if said else "nothing is wrong"


def show_openscenario(given: str, data: Path, allow: Sequence[Path], parameters: Mapping[str, str], seed: int) -> Facts:
    """What is in a file of OpenSCENARIO.

    Returns:
        source, version, holds: as `check_openscenario`. description: of its header. about: all that the header says of
        the file, by name. parameters: values by name.
        sensors: of a project, a line each. tree: of a scenario, entities and storyboard, as {name, inner}. entries: of
        a catalog, names by kind. scenario: of distributions, the file that they are for. variations: how many. first:
        the first ones, values by name.

    Raises:
        InputError: the file cannot be found or understood.
    """
    file, files = find_openscenario(given, data, allow)
    reading = open_document(file.source, file.content, files).read(parameters)
    root = reading.whole()
    facts: Facts = {
        "source": file.source,
        "version": reading.version,
        "holds": _holds(reading),
        "description": root.file_header.description,
        "about": facts_of_header(root.file_header),
        "parameters": {name: text_of(value) for name, value in reading.parameters.items()},
        "sensors": _sensor_lines(given, data),
        "tree": None,
        "entries": None,
        "scenario": None,
        "variations": None,
        "first": None,
    }
    catalog, distribution = reading.catalog(), reading.distribution()
    if catalog is not None:
        lists = {kind: getattr(catalog, kind) for kind in _ENTRIES}
        facts["entries"] = {kind: [one.name for one in there] for kind, there in lists.items() if there}
    elif distribution is not None:
        facts |= _distribution_facts(distribution, seed)
    else:
        facts["tree"] = tree_of_scenario(reading.scenario())
    return facts


def _sensor_lines(given: str, data: Path) -> list[str]:
    """A line for each sensor of a project of MORAI SIM."""
    return list(list_set(given, data)) if is_project(given) else []


_ENTRIES = (
    "vehicles",
    "controllers",
    "pedestrians",
    "misc_objects",
    "environments",
    "maneuvers",
    "trajectories",
    "routes",
)


def _distribution_facts(distribution: ParameterValueDistribution, seed: int) -> Facts:
    """What is in a file of distributions."""
    return {
        "scenario": distribution.scenario_file.filepath,
        "variations": count_variations(distribution),
        "first": [dict(one.values) for one in islice(variations(distribution, seed), MAX_SHOWN_VARIATIONS)],
    }


def print_openscenario(facts: Facts) -> None:
    """Print what is in a file of OpenSCENARIO."""
    console = Console(highlight=False)
    print_line(console, f"{facts['source']}: OpenSCENARIO {facts['version']}, {facts['holds']}")
    _print_about(console, facts["about"])
    if facts["parameters"]:
        print_line(console, "parameters")
        for name, value in facts["parameters"].items():
            print_line(console, f"  {name} = {value}")
    if facts["sensors"]:
        print_line(console, "sensors")
        for line in facts["sensors"]:
            print_line(console, f"  {line}")
    for kind, names in (facts["entries"] or {}).items():
        print_line(console, kind.replace("_", " "))
        for name in names:
            print_line(console, f"  {name}")
    if facts["first"] is not None:
        print_line(console, f"{facts['variations']:,} variations of {facts['scenario']}")
        for number, values in enumerate(facts["first"], 1):
            print_line(console, f"  {number}: {', '.join(f'{name}={value}' for name, value in values.items())}")
        if facts["variations"] > len(facts["first"]):
            print_line(console, f"  and {facts['variations'] - len(facts['first']):,} more")
    for part in facts["tree"] or ():
        _print_tree(console, part, 0)


def _print_about(console: Console, about: Mapping[str, str]) -> None:
    """Print what a file says of itself; of long texts the first line."""
    if "description" in about:
        print_line(console, about["description"])
    for name, value in about.items():
        if name not in ("description", "revision"):
            print_line(console, f"{name}: {value.splitlines()[0]}")


def _print_tree(console: Console, part: Mapping[str, Any], depth: int) -> None:
    """Print a part of a tree."""
    print_line(console, f"{'  ' * depth}{part['name']}")
    for one in part["inner"]:
        _print_tree(console, one, depth + 1)
