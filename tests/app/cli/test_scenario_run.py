"""`dorosim scenario run`: verdicts, their exit status, traces, JUnit files, and the command that repeats a run."""

from __future__ import annotations

import csv
import json
import shlex
from pathlib import Path

import pytest
from lxml import etree
from mcap.reader import make_reader

from dorosim.app.run.scenario_trace import COLUMNS, TRANSITION_COLUMNS
from tests.app.command import dorosim
from tests.scenario.openscenario.storyboard_text import TIME, event, file_text, speed

EXIT = '<UserDefinedAction><CustomCommandAction type="exit">{verdict}</CustomCommandAction></UserDefinedAction>'
DISTRIBUTION = """<OpenSCENARIO>
<FileHeader author="" date="2026-05-31T12:00:00" description="" revMajor="1" revMinor="3"/>
<ParameterValueDistribution><ScenarioFile filepath="{file}"/><Deterministic>
<DeterministicSingleParameterDistribution parameterName="v"><DistributionSet>
<Element value="5"/><Element value="10"/><Element value="20"/>
</DistributionSet></DeterministicSingleParameterDistribution></Deterministic></ParameterValueDistribution></OpenSCENARIO>"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "go.xosc"
    path.write_text(file_text(event("go", speed(10.0), TIME.format(time=0.5)), end=1.0))
    return path


@pytest.fixture
def speeds(tmp_path: Path) -> Path:
    """Three variations of a scenario whose car brakes from v to a stop within a second."""
    braking = event("stop", speed(0.0, "linear", over=1.0), TIME.format(time=0.5))
    text = file_text(braking, init=speed(1.25), end=2.0)
    text = text.replace('value="1.25"', 'value="$v"')
    declared = '<ParameterDeclarations><ParameterDeclaration name="v" parameterType="double" value="1"/>'
    (tmp_path / "stop.xosc").write_text(text.replace("<ParameterDeclarations/>", f"{declared}</ParameterDeclarations>"))
    path = tmp_path / "speeds.xosc"
    path.write_text(DISTRIBUTION.format(file="stop.xosc"))
    return path


def verdicts(*arguments: str | Path) -> tuple[int, list[str]]:
    """Exit status, and the verdicts of all runs."""
    result = dorosim("scenario", "run", *arguments, "--json")
    return result.returncode, [one["verdict"] for one in json.loads(result.stdout)["cases"]]


def test_a_run_prints_its_verdict_and_writes_its_trace(file, tmp_path):
    trace = tmp_path / "out.csv"
    result = dorosim("scenario", "run", file, "--trace", trace)
    assert result.returncode == 0
    assert result.stdout.splitlines()[-1] == f"pass: the stop trigger is met; no criterion (1.00 s, {file})"
    rows = list(csv.DictReader(trace.read_text().splitlines()))
    assert tuple(rows[0]) == COLUMNS
    # half a second at 10 m/s, and one row for each hundredth of a second from 0 on
    assert (rows[-1]["time"], rows[-1]["name"], rows[-1]["x"], rows[-1]["speed"]) == ("1", "car", "5", "10")
    assert len(rows) == 101
    changes = list(csv.DictReader((tmp_path / "out.storyboard.csv").read_text().splitlines()))
    assert tuple(changes[0]) == TRANSITION_COLUMNS
    assert [row["time"] for row in changes if row["kind"] == "event" and row["state"] == "running"] == ["0.5"]


def test_a_trace_can_be_mcap(file, tmp_path):
    plain, packed = tmp_path / "out.csv", tmp_path / "out.mcap"
    assert dorosim("scenario", "run", file, "--trace", plain).returncode == 0
    assert dorosim("scenario", "run", file, "--trace", packed).returncode == 0
    with packed.open("rb") as opened:
        messages = [
            (channel.topic, message.log_time, json.loads(message.data))
            for _, channel, message in make_reader(opened).iter_messages()
        ]
    assert {topic for topic, _, _ in messages} == {"/entities", "/storyboard"}
    entities = [(time, row) for topic, time, row in messages if topic == "/entities"]
    rows = list(csv.DictReader(plain.read_text().splitlines()))
    assert len(entities) == len(rows)
    assert tuple(entities[-1][1]) == COLUMNS
    assert entities[-1][0] == 1_000_000_000
    assert [row["x"] for _, row in entities] == pytest.approx([float(row["x"]) for row in rows], abs=1e-6)


def test_a_run_without_an_end_is_broken(file):
    result = dorosim("scenario", "run", file, "--time-limit", "0.7", "--json")
    assert result.returncode == 1
    facts = json.loads(result.stdout)
    assert (facts["verdict"], facts["broken"]) == ("broken", 1)
    assert facts["cases"][0]["why"] == "no end within 0.7 s"


def test_a_run_without_an_end_passes_if_a_criterion_that_was_given_held(file):
    result = dorosim("scenario", "run", file, "--time-limit", "0.7", "--no-collision", "--json")
    assert result.returncode == 0
    case = json.loads(result.stdout)["cases"][0]
    assert (case["verdict"], case["why"]) == ("pass", "no end within 0.7 s; 1 criterion held")


def test_a_failure_of_the_file_has_a_status_of_its_own(tmp_path):
    path = tmp_path / "fail.xosc"
    path.write_text(file_text(event("end", EXIT.format(verdict="failure"), TIME.format(time=0.2))))
    result = dorosim("scenario", "run", path)
    assert result.returncode == 1
    assert result.stdout.splitlines()[-1] == f"fail: a custom command ended the run (0.20 s, {path})"


def test_who_violates_a_criterion_fails_though_the_file_says_success(tmp_path):
    path = tmp_path / "over.xosc"
    events = event("go", speed(10.0), TIME.format(time=0.1))
    events += event("end", EXIT.format(verdict="success"), TIME.format(time=0.4))
    path.write_text(file_text(events))
    assert verdicts(path) == (0, ["pass"])
    assert verdicts(path, "--max-jerk", "100") == (1, ["fail"])
    # and the other way round
    path.write_text(path.read_text().replace("success", "failure"))
    assert verdicts(path, "--max-jerk", "1e5") == (1, ["fail"])


def test_it_is_said_who_when_where_how_much_and_the_limit(speeds):
    result = dorosim("scenario", "run", speeds.with_name("stop.xosc"), "--param", "v=8", "--max-deceleration", "5")
    assert result.returncode == 1
    last = result.stdout.splitlines()[-1]
    assert last.startswith("fail: deceleration: 8 m/s2, limit 5 m/s2, car, 0.51 s at x 4.08, y 0.00 (0.51 s, ")


def test_a_file_of_distributions_is_a_run_a_variation(speeds, tmp_path):
    result = dorosim("scenario", "run", speeds, "--max-deceleration", "9")
    assert result.returncode == 1
    lines = result.stdout.splitlines()
    assert lines[-1] == "3 runs: 1 pass, 2 fail"
    assert [line.split(":")[0] for line in lines if line.startswith(("pass", "fail"))] == ["pass", "fail", "fail"]
    assert any("variation 2 (v=10)" in line for line in lines)


def test_what_fails_can_be_repeated_by_the_line_that_it_prints(speeds):
    options = ("--max-deceleration", "9", "--step", "0.02", "--seed", "7", "--min-distance", "2")
    result = dorosim("scenario", "run", speeds, *options)
    again = [line for line in result.stdout.splitlines() if line.startswith("again: ")]
    assert len(again) == 2
    for number, line in zip((2, 3), again, strict=True):
        words = shlex.split(line.removeprefix("again: "))
        assert words[0] == "dorosim"
        repeated = dorosim(*words[1:])
        assert repeated.returncode == 1
        verdict = repeated.stdout.splitlines()[-1]
        assert f"variation {number} " in verdict
        assert verdict in result.stdout.splitlines()


def test_one_variation(speeds):
    assert verdicts(speeds, "--variation", "2") == (0, ["pass"])
    assert verdicts(speeds, "--variation", "all") == (0, ["pass"] * 3)
    result = dorosim("scenario", "run", speeds, "--variation", "4")
    assert result.returncode == 2
    assert "has no variation 4; give 1 to 3" in result.stdout


def test_values_of_the_user_count_more_than_those_of_a_variation(speeds):
    assert verdicts(speeds, "--max-deceleration", "9", "--param", "v=8") == (0, ["pass"] * 3)


def test_each_of_several_runs_has_a_trace_of_its_own(speeds, tmp_path):
    assert dorosim("scenario", "run", speeds, "--trace", tmp_path / "t.csv").returncode == 0
    names = sorted(one.name for one in tmp_path.glob("t*.csv"))
    assert names == [f"t-{number}{part}.csv" for number in (1, 2, 3) for part in ("", ".storyboard")]


def test_files_that_cannot_be_run_are_broken_and_the_others_run(file, tmp_path):
    broken = tmp_path / "broken.xosc"
    broken.write_text(file.read_text()[:-40])
    result = dorosim("scenario", "run", tmp_path / "none.xosc", broken, file)
    assert result.returncode == 2
    lines = [line for line in result.stdout.splitlines() if line.startswith(("pass", "broken"))]
    assert [line.split(":")[0] for line in lines] == ["broken", "broken", "pass"]
    assert "none.xosc" in lines[0]
    assert result.stdout.splitlines()[-1] == "3 runs: 1 pass, 2 broken"


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (("--step", "5"), "--step 5"),
        (("--step", "nan"), "--step nan"),
        (("--time-limit", "0"), "--time-limit 0"),
        (("--time-limit", "inf"), "--time-limit inf"),
        (("--trace", "/no/such/folder/a.csv"), "cannot be written"),
        (("--junit", "/no/such/folder/a.xml"), "cannot be written"),
        (("--junit", "/"), "it is a folder"),
        (("--param", "no"), "is not NAME=VALUE"),
        (("--min-ttc", "nan"), "--min-ttc nan"),
        (("--min-ttc", "-1"), "--min-ttc -1"),
        (("--max-jerk", "inf"), "--max-jerk inf"),
        (("--max-deceleration", "0"), "--max-deceleration 0"),
        (("--min-pet", "1e3"), "at most 60"),
        (("--arrive", "1"), "is not X,Y"),
        (("--arrive", "1,nan"), "is not X,Y"),
        (("--arrive", "1,2,-3"), "is not X,Y"),
        (("--arrive", "a,b"), "is not X,Y"),
        (("--arrive-within", "3"), "add --arrive"),
        (("--arrive", "1,2", "--arrive-within", "nan"), "--arrive-within nan"),
        (("--variation", "some"), "is no number"),
        (("--variation", "-1"), "is no number"),
    ],
)
def test_wrong_options_are_named(file, options, problem):
    result = dorosim("scenario", "run", file, *options)
    assert result.returncode == 2
    assert problem in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (("--ego-name", "cra", "--no-collision"), "did you mean 'car'?"),
        (("--no-lane-left",), "the scenario has no map"),
        (("--param", "nothing=1"), "parameter 'nothing' is not declared in it"),
    ],
)
def test_what_does_not_fit_the_file_is_named(file, options, problem):
    result = dorosim("scenario", "run", file, *options)
    assert result.returncode == 2
    assert problem in result.stdout.splitlines()[-1]


def test_a_name_of_a_parameter_that_is_nearly_right(speeds):
    result = dorosim("scenario", "run", speeds, "--param", "vv=3", "--variation", "1")
    assert result.returncode == 2
    assert "did you mean 'v'?" in result.stdout.splitlines()[-1]


def test_a_map_that_is_not_there_is_named(file):
    text = file.read_text().replace("<RoadNetwork/>", '<RoadNetwork><LogicFile filepath="no.xodr"/></RoadNetwork>')
    file.write_text(text)
    result = dorosim("scenario", "run", file)
    assert result.returncode == 2
    assert "no.xodr" in result.stdout


class TestJunit:
    def suites(self, path: Path) -> list[etree._Element]:
        return list(etree.parse(str(path)).getroot())

    def test_it_has_a_test_a_run(self, speeds, file, tmp_path):
        path = tmp_path / "junit.xml"
        none = tmp_path / "none.xosc"
        options = ("--max-deceleration", "9", "--junit", path)
        assert dorosim("scenario", "run", speeds, file, none, *options).returncode == 2
        suites = self.suites(path)
        counts = [tuple(int(one.get(name)) for name in ("tests", "failures", "errors")) for one in suites]
        assert counts == [(3, 2, 0), (1, 0, 0), (1, 0, 1)]
        names = [one.get("name") for one in suites[0].iter("testcase")]
        assert names == ["variation 1: v=5", "variation 2: v=10", "variation 3: v=20"]
        failure = suites[0].find("testcase/failure")
        assert failure.get("message").startswith("deceleration: 10 m/s2, limit 9 m/s2, car, 0.51 s")
        assert "again: dorosim scenario run" in failure.text
        assert "none.xosc" in suites[2].find("testcase/error").get("message")

    def test_its_order_is_that_of_the_schema(self, file, tmp_path):
        path = tmp_path / "junit.xml"
        dorosim("scenario", "run", file, "--junit", path)
        (suite,) = self.suites(path)
        assert [one.tag for one in suite] == ["properties", "testcase", "system-out", "system-err"]
        needed = {"name", "timestamp", "hostname", "tests", "failures", "errors", "time", "id", "package"}
        assert needed <= set(suite.keys())

    def test_letters_that_xml_has_not(self, tmp_path):
        path = tmp_path / "a\x07b.xosc"
        assert dorosim("scenario", "run", path, "--junit", tmp_path / "junit.xml").returncode == 2
        (suite,) = self.suites(tmp_path / "junit.xml")
        assert suite.get("name") == "a?b"

    def test_a_file_that_is_there_stays_until_there_is_a_new_one(self, file, tmp_path):
        path = tmp_path / "junit.xml"
        path.write_text("old")
        assert dorosim("scenario", "run", file, "--junit", path, "--step", "9").returncode == 2
        assert path.read_text() == "old"


def test_criteria_as_json(speeds):
    result = dorosim("scenario", "run", speeds, "--variation", "3", "--max-deceleration", "9", "--json")
    case = json.loads(result.stdout)["cases"][0]
    assert (case["variation"], case["parameters"], case["verdict"]) == (3, {"v": "20"}, "fail")
    (criterion,) = case["criteria"]
    assert (criterion["held"], criterion["limit"], criterion["unit"]) == (False, 9.0, "m/s2")
    assert criterion["value"] == pytest.approx(20.0)
    assert criterion["time"] == pytest.approx(0.51)
    assert case["again"].endswith("--variation 3 --max-deceleration 9.0")
