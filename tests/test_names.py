"""Names of modules: a second value for one name would be taken by every reader of the first."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]


def assigned(path: Path) -> Iterator[str]:
    """Names that the statements of a module itself give a value."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        match node:
            case ast.Assign(targets=targets):
                pass
            case ast.AnnAssign(target=target, value=ast.expr()):
                targets = [target]
            case _:
                continue
        for target in targets:
            names = target.elts if isinstance(target, ast.Tuple | ast.List) else [target]
            yield from (name.id for name in names if isinstance(name, ast.Name) and name.id != "_")


def test_no_module_gives_a_name_two_values() -> None:
    modules = sorted((ROOT / "src").rglob("*.py"))
    assert len(modules) > 700
    twice = {path: [name for name, times in Counter(assigned(path)).items() if times > 1] for path in modules}
    assert {str(path): names for path, names in twice.items() if names} == {}


VAGUE = re.compile(r"\b(?:who|somebody|nobody|told|tells)\b", re.IGNORECASE)
MOST_VAGUE = 150


def docstrings(path: Path) -> Iterator[str]:
    """Strings that stand as statements of their own."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Expr(value=ast.Constant(value=str(text))):
                yield text


def test_docstrings_name_the_doer() -> None:
    """It is "the loop", "the client", "the user", and what it returns: these words leave the reader to guess."""
    found = Counter({path: len(VAGUE.findall("\n".join(docstrings(path)))) for path in (ROOT / "src").rglob("*.py")})
    assert found.total() <= MOST_VAGUE, found.most_common(10)


BANNED = (
    "tells|somebody|nobody|anybody|everybody|whoever|stranger|guest|desk|bell|turnstile|stopwatch|fate|errand|wreck|"
    "foresight|hurry|afar|merely|lent"
)
"""Words that are vague, or pictures for what the field has a word for."""


def test_docstrings_have_no_banned_words() -> None:
    banned = re.compile(rf"\b(?:{BANNED})s?\b")
    paths = sorted((ROOT / "src").rglob("*.py"))
    found = {str(path): banned.findall("\n".join(docstrings(path))) for path in paths}
    assert {path: words for path, words in found.items() if words} == {}


TWICE = {
    "Gear": "of the world, and as UDP has it",
    "SteerType": "of the world, and as UDP has it",
    "Light": "of a map, and of the SDK, whose names are public",
}
PUBLIC = """
Camera CameraPicture CameraSettings GpsFix GpsSettings GroundTruthSettings ImuSettings Lidar RadarSettings Sensor Sky
UltrasonicSettings
"""
TWICE |= dict.fromkeys(PUBLIC.split(), "of the simulator, and of the SDK, whose names are public")
STANDARD = """
Actors Axles Controller Event Lane LanePosition LightState ObjectType Pedestrian Phase Precipitation Range RoadNetwork
Role Route Shape Timing Vehicle Waypoint
"""
TWICE |= dict.fromkeys(STANDARD.split(), "of the simulator, and the record of the type of OpenSCENARIO of this name")
"""Classes of one name that are two, and why."""


def test_a_class_has_a_name_of_its_own() -> None:
    names = Counter(
        node.name
        for path in (ROOT / "src").rglob("*.py")
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )
    assert {name for name, times in names.items() if times > 1} == set(TWICE)
