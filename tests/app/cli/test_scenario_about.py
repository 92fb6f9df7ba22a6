"""What a file of OpenSCENARIO says of itself and its entities stays readable: `scenario show`, and results of runs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from lxml import etree

from tests.app.command import dorosim
from tests.scenario.openscenario.storyboard_text import file_text

HEADER = '<FileHeader revMajor="1" revMinor="3" date="2026-01-01T00:00:00" author="" description=""/>'
WHOLE = """<FileHeader revMajor="1" revMinor="3" date="2026-05-31T12:00:00" author="Kim" description="A quiet street">
<License name="Some Licence" resource="https://example.com/licence" spdxId="MIT">you may</License>
<Properties><Property name="case" value="17"/><File filepath="notes.txt"/><CustomContent>free words</CustomContent>
</Properties></FileHeader>"""
SAID = {
    "author": "Kim",
    "description": "A quiet street",
    "revision": "1.3",
    "license": "Some Licence",
    "license spdx": "MIT",
    "license resource": "https://example.com/licence",
    "license text": "you may",
    "property case": "17",
    "property file": "notes.txt",
    "property content": "free words",
}
CAR = '<Vehicle name="car" vehicleCategory="car">'
OWN = '<Properties><Property name="colour" value="red"/><CustomContent>free</CustomContent></Properties></Vehicle>'


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "said.xosc"
    text = file_text("", end=0.1).replace(HEADER, WHOLE).replace("</Vehicle>", OWN)
    path.write_text(text.replace(CAR, CAR.replace(">", ' role="police" mass="1500" model3d="own.glb">')))
    return path


def test_results_have_what_a_file_says_of_itself(file, tmp_path):
    junit = tmp_path / "junit.xml"
    done = dorosim("scenario", "run", file, "--json", "--junit", junit)
    about = json.loads(done.stdout)["cases"][0]["about"]
    assert {name: about[name] for name in SAID} == SAID
    assert about["date"].startswith("2026-05-31T12:00:00")
    (suite,) = etree.parse(str(junit)).getroot()
    properties = {one.get("name"): one.get("value") for one in suite.iter("property")}
    assert properties == {"file": str(file), **about}


def test_a_file_that_says_nothing_has_its_date_and_revision(tmp_path):
    path = tmp_path / "plain.xosc"
    path.write_text(file_text("", end=0.1))
    done = dorosim("scenario", "run", path, "--json")
    assert sorted(json.loads(done.stdout)["cases"][0]["about"]) == ["date", "revision"]


def test_entities_are_shown_with_what_the_file_says_of_them(file):
    lines = [line.strip() for line in dorosim("scenario", "show", file).stdout.splitlines()]
    assert {"author: Kim", "license: Some Licence", "property case: 17"} <= set(lines)
    first = lines.index("car: Vehicle car") + 1
    said = ["category: car", "role: police", "mass: 1500 kg", "model: own.glb", "axles: 0 m", "colour: red"]
    assert lines[first : first + 7] == [*said, "content: free"]
