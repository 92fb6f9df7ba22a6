"""A public parser reads the JUnit files of scenario runs as they are meant."""

from __future__ import annotations

import pytest

from dorosim.app.sweep.cell import CellLine, CellWork, broken_row
from dorosim.app.sweep.report.junit import write_sweep_junit
from dorosim.app.sweep.report.table import SweepTable
from tests.app.command import dorosim
from tests.peers.environment import JUNIT, run
from tests.source import ROOT
from tests.sweep.sweep_case import plan, rows_of

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


def test_cells_of_a_sweep(tmp_path):
    made = plan(tmp_path, parameters={"v": {"values": [1, 9, 2]}})
    rows = rows_of(made, tmp_path)
    rows[2] = broken_row(rows[2].cell, "its process ended by signal 9")
    lines = [CellLine(row=row, work=CellWork(wall=0.5 + row.cell.number)) for row in rows]
    path = tmp_path / "junit.xml"
    write_sweep_junit(path, SweepTable(made, lines), tmp_path / "out")
    (suite,) = run(JUNIT, "junit_view.py", path)
    assert (suite["name"], suite["tests"], suite["failures"], suite["errors"]) == ("brake", 3, 1, 1)
    names = [(case["name"], case["classname"], case["time"], case["file"]) for case in suite["cases"]]
    file = str(tmp_path / "brake.xosc")
    assert names == [(f"brake {at}: v={v}", "brake", 0.5 + at, file) for at, v in enumerate((1, 9, 2))]
    assert suite["cases"][0]["result"] == []
    ((kind, message, text),) = suite["cases"][1]["result"]
    assert kind == "Failure"
    assert message.startswith("deceleration: ")
    assert f"again: dorosim sweep again {tmp_path / 'out'} 1" in text
    ((kind, message, _),) = suite["cases"][2]["result"]
    assert (kind, message) == ("Error", "its process ended by signal 9")
