"""The runs that files of OpenSCENARIO ask for: one of a scenario, one a variation of a file of distributions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from dorosim.app.store.openscenario import find_openscenario
from dorosim.app.store.project import is_project, scenarios_of_project
from dorosim.ground.error import InputError
from dorosim.scenario.openscenario.distribution import count_variations, variation, variations
from dorosim.scenario.openscenario.document import open_document

ALL = "all"


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenarioCase:
    """A run.

    Attributes:
        given: the file as the user named it. source: the file of the scenario, or the project and its name there.
        variation: its number, from 1; 0 for a file without variations.
        values: parameters that the variation sets. parameters: all that are set, those of the user count.
    """

    given: str
    source: str
    variation: int = 0
    values: Mapping[str, str] = field(default_factory=dict)
    parameters: Mapping[str, str] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """The file, and which variation of it."""
        if not self.variation:
            return self.given
        values = ", ".join(f"{name}={value}" for name, value in self.values.items())
        return f"{self.given}, variation {self.variation}{f' ({values})' if values else ''}"


def cases_of(
    given: str, data: Path, allow: Sequence[Path], parameters: Mapping[str, str], wanted: str, seed: int
) -> Iterator[ScenarioCase]:
    """The runs of a file, in order.

    Args:
        given: a file, or a name in Scenario/ of the data folder; a project of MORAI SIM has a run for each scenario.
        data: the data folder.
        allow: further folders in which files may be opened.
        parameters: values of parameters, by name; they count more than those of variations.
        wanted: number of a variation, "all", or "" for all there are.
        seed: of values that are drawn.

    Raises:
        InputError: it cannot be found, read or understood, or has no such variation.
    """
    scenarios = scenarios_of_project(given, data)
    if len(scenarios) > 1:
        for one in scenarios:
            yield from cases_of(one, data, allow, parameters, wanted, seed)
        return
    file, files = find_openscenario(given, data, allow)
    reading = open_document(file.source, file.content, files).read()
    distribution = None if reading.root is None else reading.distribution()
    if distribution is None:
        if wanted not in ("", ALL, "1"):
            raise InputError(file.source, "", f"has no variation {wanted}", "it is no file of distributions")
        # a project has more to say than its scenario does: the map, and the sensors
        source = given if is_project(given) else file.source
        yield ScenarioCase(given=given, source=source, parameters=dict(parameters))
        return
    source = str(files.path(distribution.scenario_file.filepath, file.source))
    if wanted in ("", ALL):
        if not count_variations(distribution):
            raise InputError(file.source, "", "asks for no run", "ask for one")
        found = variations(distribution, seed)
    else:
        found = iter((variation(distribution, int(wanted), seed),))
    for chosen in found:
        yield ScenarioCase(
            given=given,
            source=source,
            variation=chosen.number,
            values=dict(chosen.values),
            parameters={**chosen.values, **parameters},
        )


def checked_variation(wanted: str) -> str:
    """What a user asks for of the variations: "" for nothing, a number, or "all".

    Raises:
        InputError: it is neither.
    """
    plain = wanted.strip().lower()
    if plain in ("", ALL) or (plain.isascii() and plain.isdigit() and 0 < len(plain) < 9):
        return plain
    raise InputError(f"--variation {wanted}", "", "is no number and not 'all'", "give one such as 3, or all")
