"""Scenarios in files, with a map beside them."""

from __future__ import annotations

from pathlib import Path

from dorosim.app.run.scenario_ready import ready_scenario
from dorosim.world.storyboard.state import StoryboardState
from tests.scenario.openscenario.staged import BENT, Body, at_lane, run

HEADER = '<FileHeader revMajor="1" revMinor="3" date="2026-01-01T00:00:00" author="" description=""/>'
LOGIC = '<LogicFile filepath="map.xodr"/>'
EGO = Body("ego", at_lane(20.0))


def declared(*parameters: tuple[str, str, str], constraints: str = "") -> str:
    """Declarations of parameters: name, type and value of each, with the same constraints."""
    inside = "".join(
        f'<ParameterDeclaration name="{name}" parameterType="{kind}" value="{value}">{constraints}'
        "</ParameterDeclaration>"
        for name, kind, value in parameters
    )
    return f"<ParameterDeclarations>{inside}</ParameterDeclarations>"


def written(folder: Path, content: bytes, name: str = "a.xosc") -> Path:
    """A file with a content, and the map."""
    (folder / "map.xodr").write_bytes(BENT)
    (folder / name).write_bytes(content)
    return folder / name


def last_state(file: Path, given: dict[str, str] | None = None) -> StoryboardState:
    """The state at the end of a run."""
    made = ready_scenario(str(file), file.parent, parameters=given or {}).program
    return run(made)[-1].state
