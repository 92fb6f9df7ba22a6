"""From a file of OpenSCENARIO to the engine that a scene holds: from disk, or from what a recording keeps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path

from dorosim.app.setting.seed import USUAL_SEED
from dorosim.app.store.course import courses_of
from dorosim.app.store.kept_scenario import KeptFiles, NotedFiles
from dorosim.app.store.map import MapFiles
from dorosim.app.store.openscenario import find_openscenario
from dorosim.app.store.scenario_map import map_name_of_scenario
from dorosim.ground.error import InputError
from dorosim.recording.storyboard import KeptStoryboard
from dorosim.scenario.openscenario.about import facts_of_header
from dorosim.scenario.openscenario.document import DocumentReading, open_document
from dorosim.scenario.openscenario.engine.cast import cast_of
from dorosim.scenario.openscenario.engine.compile import compile_scenario
from dorosim.scenario.openscenario.engine.program import Program
from dorosim.scenario.openscenario.engine.world_engine import ScenarioEngine
from dorosim.world.storyboard.engine import NO_ENTITY, BodyShape, Cast
from dorosim.world.storyboard.mover import Mover

EGO_MOVERS = {
    "default": Mover.DEFAULT,
    "dynamics": Mover.DYNAMICS,
    "driver": Mover.DRIVER,
    "udp": Mover.EXTERNAL,
    "ros": Mover.EXTERNAL,
    "grpc": Mover.EXTERNAL,
    "tcp": Mover.EXTERNAL,
}
"""Who moves the ego vehicle, by the word of `--ego`."""
ALL_DRIVEN = "tcp"
"""With this word clients drive the other vehicles, too, that no story acts on: MORAI SIM 2's scenarios are vehicles at
places, which its clients drive by their names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenedScenario:
    """A scenario that was read from disk.

    Attributes:
        kept: its files. reading: what they say. map_name: the map that it names, as `read_map_files` takes it.
    """

    kept: KeptStoryboard
    reading: DocumentReading
    map_name: str

    @property
    def about(self) -> dict[str, str]:
        """What the file says of itself, by name."""
        return {} if self.reading.root is None else facts_of_header(self.reading.root.file_header)


def open_scenario(
    given: str,
    data: Path,
    allow: Sequence[Path] = (),
    parameters: Mapping[str, str] | None = None,
    ego: str = "default",
    ego_name: str = "",
    *,
    map_name: str | None = None,
    own_ego: bool = True,
) -> OpenedScenario:
    """Read a scenario and the files that it names, but for its map.

    Args:
        given: a file, or a name in Scenario/ of the data folder.
        data: the data folder.
        allow: further folders in which files may be opened.
        parameters: values of its parameters, by name.
        ego: a key of `EGO_MOVERS`.
        ego_name: the entity that is the ego vehicle, "" for that of the rule.
        map_name: the map; None for that which the scenario names.
        own_ego: whether the run has an ego vehicle where the scenario has none.

    Raises:
        InputError: it cannot be found, read or run.
    """
    first, folder_files = find_openscenario(given, data, allow)
    files = NotedFiles(folder_files, first)
    reading = open_document(first.source, first.content, files).read(parameters or {})
    if map_name is None:
        map_name = map_name_of_scenario(first.source, reading.scenario(), reading.parameters, folder_files, data)
    kept, reads, folders = files.noted()
    return OpenedScenario(
        kept=KeptStoryboard(
            source=first.source,
            files=kept,
            reads=reads,
            folders=folders,
            parameters=dict(parameters or {}),
            ego=ego,
            ego_name=ego_name,
            own_ego=own_ego,
        ),
        reading=reading,
        map_name=map_name,
    )


def engine_of(
    kept: KeptStoryboard, map_files: MapFiles, reading: DocumentReading | None = None, seed: int = USUAL_SEED
) -> ScenarioEngine:
    """The engine of a scenario on a map.

    Args:
        kept: the scenario.
        map_files: the map.
        reading: of the scenario, where it was read already.
        seed: of the run.

    Raises:
        InputError: it cannot be read or run on this map.
    """
    if reading is None:
        files = KeptFiles(kept)
        reading = open_document(files.first.source, files.first.content, files).read(kept.parameters)
    program = compile_scenario(
        kept.source, reading.scenario(), courses_of(map_files), reading.parameters, seed, kept.ego_name
    )
    cast = replace(cast_of(program.entities, kept.ego_name), own_ego=kept.own_ego)
    if kept.ego_name and cast.ego == NO_ENTITY:
        names = [one.name for one in program.entities]
        near = get_close_matches(kept.ego_name, names, n=1)
        cure = f"did you mean {near[0]!r}?" if near else f"its entities are {', '.join(names[:10]) or 'none'}"
        problem = f"there is no vehicle of that name in {kept.source}"
        raise InputError(f"--ego-name {kept.ego_name}", "", problem, cure)
    if kept.ego not in EGO_MOVERS:
        raise InputError(f"--ego {kept.ego}", "", "is nobody who can drive", f"use {', '.join(EGO_MOVERS)}")
    driven = _free_vehicles(program, cast) if kept.ego == ALL_DRIVEN else ()
    return ScenarioEngine(program=program, cast=cast, ego_mover=EGO_MOVERS[kept.ego], driven=driven)


def _free_vehicles(program: Program, cast: Cast) -> tuple[int, ...]:
    """Rows of the vehicles that are in the group of no maneuver, but for the ego vehicle."""
    commanded = {row for element in program.elements for row in element.actors}
    vehicles = (row for row, body in enumerate(cast.bodies) if body.shape is BodyShape.VEHICLE)
    return tuple(row for row in vehicles if row not in commanded and row != cast.ego)
