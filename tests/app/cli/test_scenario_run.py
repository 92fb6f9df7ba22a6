"""`dorosim scenario run`: the verdict, its exit status, and the trace."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from dorosim.app.run.scenario_trace import COLUMNS, TRANSITION_COLUMNS
from tests.app.command import dorosim
from tests.scenario.openscenario.storyboard_text import TIME, event, file_text, speed


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "go.xosc"
    path.write_text(file_text(event("go", speed(10.0), TIME.format(time=0.5)), end=1.0))
    return path


def test_a_run_prints_its_verdict_and_writes_its_trace(file, tmp_path):
    trace = tmp_path / "out.csv"
    result = dorosim("scenario", "run", str(file), "--trace", str(trace))
    assert result.returncode == 0
    assert result.stdout.splitlines()[-1].startswith("success: the stop trigger is met; no criterion (1.00 s, ")
    rows = list(csv.DictReader(trace.read_text().splitlines()))
    assert tuple(rows[0]) == COLUMNS
    # half a second at 10 m/s, and one row for each hundredth of a second from 0 on
    assert (rows[-1]["time"], rows[-1]["name"], rows[-1]["x"], rows[-1]["speed"]) == ("1", "car", "5", "10")
    assert len(rows) == 101
    changes = list(csv.DictReader((tmp_path / "out.storyboard.csv").read_text().splitlines()))
    assert tuple(changes[0]) == TRANSITION_COLUMNS
    assert [row["time"] for row in changes if row["kind"] == "event" and row["state"] == "running"] == ["0.5"]


def test_a_run_without_an_end_is_broken(file):
    result = dorosim("scenario", "run", str(file), "--time-limit", "0.7", "--json")
    assert result.returncode == 1
    facts = json.loads(result.stdout)
    assert facts["verdict"] == "broken"
    assert facts["why"] == "no end within 0.7 s"


def test_a_failure_has_a_status_of_its_own(tmp_path):
    end = '<UserDefinedAction><CustomCommandAction type="exit">failure</CustomCommandAction></UserDefinedAction>'
    path = tmp_path / "fail.xosc"
    path.write_text(file_text(event("end", end, TIME.format(time=0.2))))
    result = dorosim("scenario", "run", str(path))
    assert result.returncode == 1
    assert result.stdout.startswith("failure: a custom command ended the run (0.20 s, ")


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (("--step", "5"), "--step 5"),
        (("--step", "nan"), "--step nan"),
        (("--time-limit", "0"), "--time-limit 0"),
        (("--time-limit", "inf"), "--time-limit inf"),
        (("--trace", "/no/such/folder/a.csv"), "cannot be written"),
        (("--param", "no"), "is not NAME=VALUE"),
    ],
)
def test_wrong_options_are_named(file, options, problem):
    result = dorosim("scenario", "run", str(file), *options)
    assert result.returncode == 2
    assert problem in result.stderr


def test_a_map_that_is_not_there_is_named(file):
    text = file.read_text().replace("<RoadNetwork/>", '<RoadNetwork><LogicFile filepath="no.xodr"/></RoadNetwork>')
    file.write_text(text)
    result = dorosim("scenario", "run", str(file))
    assert result.returncode == 2
    assert "no.xodr" in result.stderr
