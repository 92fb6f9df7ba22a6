"""A public parser reads the JUnit files of scenario runs as they are meant."""

from __future__ import annotations

import pytest

from tests.app.command import dorosim
from tests.peers.environment import JUNIT, run
from tests.source import ROOT

pytestmark = pytest.mark.peer
EXAMPLES = ROOT / "examples/scenario"


def test_suites_tests_failures_and_errors(tmp_path):
    path = tmp_path / "results.xml"
    files = (EXAMPLES / "pedestrian_distances.xosc", EXAMPLES / "cut_in.xosc", tmp_path / "none.xosc")
    assert dorosim("scenario", "run", *files, "--min-ttc", "0.1", "--junit", path).returncode == 2
    suites = run(JUNIT, "junit_view.py", path)
    assert [one["name"] for one in suites] == ["pedestrian_distances", "cut_in", "none"]
    assert [(one["tests"], one["failures"], one["errors"]) for one in suites] == [(6, 6, 0), (1, 1, 0), (1, 0, 1)]
    assert [len(one["cases"]) for one in suites] == [6, 1, 1]
    assert suites[0]["properties"].items() >= {"file": str(files[0]), "author": "dorosim"}.items()
    ((kind, message, text),) = suites[1]["cases"][0]["result"]
    assert kind == "Failure"
    assert message.startswith("time to collision: ")
    assert "again: dorosim scenario run" in text
    assert suites[2]["cases"][0]["result"][0][0] == "Error"
    assert all(case["time"] > 0.0 for case in suites[0]["cases"])
