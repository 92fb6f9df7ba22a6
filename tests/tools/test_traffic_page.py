"""The page on traffic tells the parameters that the code has, and shows plots that exist."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "explanation" / "traffic.md"
ROWS = re.findall(r"^\| ([^|]+) \| ([\d.]+) \|[^|]*\| `([\w.]+)` \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)


@pytest.mark.parametrize(("name", "value", "place"), ROWS)
def test_a_parameter_has_the_value_of_the_code(name: str, value: str, place: str) -> None:
    module, *path = place.split(".")
    found = import_module(f"dorosim.world.{module}" if module == "scene" else f"dorosim.world.traffic.{module}")
    for part in path:
        found = getattr(found, part)
    # moments and durations of the world are whole nanoseconds
    assert float(value) == (1e-9 * found if isinstance(found, int) else found), name


def test_the_page_has_all_parameters_and_its_pictures() -> None:
    assert len(ROWS) > 20
    pictures = re.findall(r"\]\((\.\./images/[\w-]+\.png)\)", PAGE.read_text(encoding="utf-8"))
    assert len(pictures) == 4
    assert all((PAGE.parent / picture).exists() for picture in pictures)
