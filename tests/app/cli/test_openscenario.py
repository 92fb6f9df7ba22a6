"""Files of OpenSCENARIO on the command line: check, show and coverage."""

from __future__ import annotations

import json

import pytest

from dorosim.scenario.openscenario.coverage import COVERAGE, Support, named_types
from tests.app.command import dorosim
from tests.scenario.openscenario.sample import catalog, event, header, parameter, private, scenario
from tests.scenario.openscenario.schema_files import schema_bytes
from tests.source import ROOT

SEEN = '<VisibilityAction graphics="$seen" sensors="true" traffic="true"/>'


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "see.xosc"
    path.write_bytes(scenario(event(private(SEEN)), declarations=parameter("seen", "Boolean", "true")))
    return path


def run(path, *options):
    return dorosim("scenario", *options[:1], path, "--data", path.parent / "data", *options[1:])


def test_a_break_counts_only_where_it_is_asked_for(file):
    done = run(file, "check")
    assert done.returncode == 0, done.stderr
    assert "break: line 1, <ParameterDeclaration> 'parameterType': 'Boolean' is not a word of the" in done.stdout
    assert done.stdout.endswith("it can be read: 1 break\n")
    assert run(file, "check", "--strict").returncode == 1
    file.write_bytes(file.read_bytes().replace(b"Boolean", b"boolean"))
    done = run(file, "check", "--strict")
    assert (done.returncode, done.stdout.splitlines()[1:]) == (0, ["nothing is wrong"])


def test_an_error_counts_always_and_all_are_listed(file):
    file.write_bytes(file.read_bytes().replace(b'"$seen"', b'"$gone"').replace(b'sensors="true"', b'sensors="maybe"'))
    done = run(file, "check", "--json")
    assert done.returncode == 1
    found = json.loads(done.stdout)
    assert (found["version"], found["runs"], found["ok"]) == ("1.3", False, False)
    errors = [one for one in found["findings"] if one["level"] == "error"]
    assert [one["attribute"] for one in errors] == ["graphics", "sensors"]
    assert errors[0]["problem"] == "parameter '$gone' is not declared here"
    assert errors[0]["line"] == 1
    assert "Event 'e'" in errors[0]["place"]


def test_any_schema(file, tmp_path):
    schema = tmp_path / "any.xsd"
    schema.write_text('<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:element name="Other"/></xs:schema>')
    done = run(file, "check", "--schema", schema)
    assert done.returncode == 1
    assert "No matching global declaration" in done.stdout
    done = run(file, "check", "--schema", file)
    assert done.returncode == 2
    assert "is no XML Schema" in done.stderr
    done = run(file, "check", "--schema", tmp_path / "gone.xsd")
    assert done.returncode == 2


def test_the_schema_of_the_standard(file, tmp_path):
    content = schema_bytes("1.3.0")
    if content is None:
        pytest.skip("the schemas of the standard are not installed")
    schema = tmp_path / "standard.xsd"
    schema.write_bytes(content)
    file.write_bytes(file.read_bytes().replace(b"Boolean", b"boolean"))
    assert run(file, "check", "--schema", schema).returncode == 0


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"{}", "is not well-formed XML"),
        (b"<OpenDRIVE/>", "the root is <OpenDRIVE>"),
        (b"<!DOCTYPE a><OpenSCENARIO/>", "has a document type"),
    ],
)
def test_what_is_no_openscenario(tmp_path, content, problem):
    path = tmp_path / "x.xosc"
    path.write_bytes(content)
    for command in ("check", "show"):
        done = run(path, command)
        assert done.returncode == 2
        assert "error [scenario]" in done.stderr
        assert problem in done.stderr


def test_show_has_the_values_of_a_run(file):
    done = run(file, "show", "--param", "seen=false")
    assert done.returncode == 0, done.stderr
    assert "seen = false" in done.stdout
    assert "Action x: VisibilityAction graphics=false sensors=true traffic=true" in done.stdout
    tree = json.loads(run(file, "show", "--json").stdout)["tree"]
    story = next(one for one in tree if one["name"] == "storyboard")["inner"][1]
    assert story["name"] == "Story s"


@pytest.mark.parametrize(
    ("given", "problem"), [("seen", "is not NAME=VALUE"), ("=1", "is not NAME=VALUE"), ("b=1", "'b' is not declared")]
)
def test_a_parameter_that_cannot_be_given(file, given, problem):
    done = run(file, "show", "--param", given)
    assert done.returncode == 2
    assert problem in done.stderr


def test_show_a_catalog_and_distributions(tmp_path):
    path = tmp_path / "c.xosc"
    path.write_bytes(catalog("Cs", '<Controller name="one"/><Controller name="two"/>'))
    assert json.loads(run(path, "show", "--json").stdout)["entries"] == {"controllers": ["one", "two"]}
    inside = (
        '<Stochastic numberOfTestRuns="30"><StochasticDistribution parameterName="a"><UniformDistribution>'
        '<Range lowerLimit="0" upperLimit="1"/></UniformDistribution></StochasticDistribution></Stochastic>'
    )
    path.write_text(
        f'<OpenSCENARIO>{header()}<ParameterValueDistribution><ScenarioFile filepath="s.xosc"/>{inside}'
        "</ParameterValueDistribution></OpenSCENARIO>"
    )
    shown = [json.loads(run(path, "show", "--json", "--seed", str(seed)).stdout) for seed in (1, 1, 2)]
    assert (shown[0]["variations"], len(shown[0]["first"])) == (30, 20)
    assert shown[0] == shown[1]
    assert shown[0]["first"] != shown[2]["first"]
    assert "and 10 more" in run(path, "show").stdout
    path.write_text(path.read_text().replace('upperLimit="1"', 'upperLimit="-1"'))
    done = run(path, "check")
    assert done.returncode == 1
    assert "has the range 0 to -1" in done.stdout


def test_folders_are_allowed_by_name(tmp_path):
    (tmp_path / "cars").mkdir()
    (tmp_path / "cars" / "c.xosc").write_bytes(catalog("Cs", '<Controller name="one"/>'))
    (tmp_path / "mine").mkdir()
    path = tmp_path / "mine" / "s.xosc"
    action = (
        "<ControllerAction><AssignControllerAction><ObjectController>"
        '<CatalogReference catalogName="Cs" entryName="one"/>'
        "</ObjectController></AssignControllerAction></ControllerAction>"
    )
    folders = '<ControllerCatalog><Directory path="..\\cars"/></ControllerCatalog>'
    path.write_bytes(scenario(event(private(action)), catalogs=folders))
    done = run(path, "check")
    assert done.returncode == 1
    assert f"allow it: --allow {tmp_path / 'cars'}" in done.stdout
    assert run(path, "check", "--allow", tmp_path / "cars").returncode == 0


def test_a_map_that_cannot_be_used_is_noted_though_the_file_is_right(file):
    for named, problem in (
        ("../maps/a.xodr", "leads out of the folders in which it may open files; allow it: --allow "),
        ("a.xodr", "its map 'a.xodr' is not there"),
    ):
        text = file.read_text().replace("<RoadNetwork/>", f'<RoadNetwork><LogicFile filepath="{named}"/></RoadNetwork>')
        (file.parent / "mapped.xosc").write_text(text)
        done = run(file.parent / "mapped.xosc", "check")
        assert done.returncode == 0
        assert "note: line 1, <LogicFile> 'filepath': " in done.stdout
        assert problem in done.stdout
        assert done.stdout.endswith("it can be read: 1 note, 1 break\n")


def test_folders_that_may_not_be_opened_have_one_option_that_allows_all(tmp_path):
    (tmp_path / "mine").mkdir()
    path = tmp_path / "mine" / "s.xosc"
    action = (
        "<ControllerAction><AssignControllerAction><ObjectController>"
        '<CatalogReference catalogName="Cs" entryName="one"/>'
        "</ObjectController></AssignControllerAction></ControllerAction>"
    )
    cars = '<ControllerCatalog><Directory path="../all/cars"/></ControllerCatalog>'
    ways = '<RouteCatalog><Directory path="../all/ways"/></RouteCatalog>'
    path.write_bytes(scenario(event(private(action)), catalogs=cars + ways))
    assert f"allow all of these at once: --allow {tmp_path / 'all'}\n" in run(path, "check").stdout
    path.write_bytes(scenario(event(private(action)), catalogs=cars))
    assert "allow all of these" not in run(path, "check").stdout


def test_coverage_has_every_type_once_and_only_tests_that_are_there():
    rows = json.loads(dorosim("scenario", "coverage", "--json").stdout)
    assert [row["type"] for row in rows] == list(named_types())
    assert len(rows) == len({row["type"] for row in rows}) >= 333
    assert set(COVERAGE) <= set(named_types())
    for row in rows:
        assert (row["support"] == Support.NO) == (row["test"] == "")
        if row["test"]:
            path, _, name = row["test"].partition("::")
            assert f"def {name.partition('[')[0]}(" in (ROOT / path).read_text(encoding="utf-8")
    last = dorosim("scenario", "coverage").stdout.splitlines()[-1]
    assert last.startswith(f"{len(rows)} types: ")
