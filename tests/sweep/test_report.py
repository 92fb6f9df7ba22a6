"""Reports of sweeps: tables, JUnit, the page, lines that do cells again, and comparisons with limits."""

from __future__ import annotations

import csv
import json
import math
import re
import shlex

import numpy as np
import pytest
from lxml import etree
from mcap.reader import make_reader

from dorosim.app.sweep.cell import Cell, CellLine, CellRow, CellWork, encode_line
from dorosim.app.sweep.journal import JournalWriter
from dorosim.app.sweep.report.compare import CompareLimits, compare_sweeps
from dorosim.app.sweep.report.figure import heat_map
from dorosim.app.sweep.report.interval import difference_of, rate_of, weighted_rate
from dorosim.app.sweep.report.page import failure_lines, page_of_sweep
from dorosim.app.sweep.report.summary import flake_rate, summary_of, worst_lines
from dorosim.app.sweep.report.table import SweepTable
from dorosim.app.sweep.sweep_folder import make_folder
from tests.app.command import dorosim
from tests.sweep.sweep_case import lines as sorted_lines
from tests.sweep.sweep_case import plan, rows_of


def write_sweep(folder, name, rows, made):
    """A sweep's folder with these rows."""
    out = folder / name
    out.mkdir()
    make_folder(out, made, folder, len(rows), resume=False)
    writer = JournalWriter(out / "journal" / "a.jsonl")
    for row in reversed(rows):
        writer.write(encode_line(CellLine(row=row, work=CellWork(wall=0.5, host="here", worker="a"))))
    writer.close()
    return out


@pytest.fixture(scope="module")
def sweep(tmp_path_factory):
    folder = tmp_path_factory.mktemp("report")
    made = plan(folder)
    return folder, made, write_sweep(folder, "out", rows_of(made, folder), made)


def test_the_report_has_tables_junit_and_a_page(sweep):
    _, _, out = sweep
    result = dorosim("sweep", "report", out, "--no-worst", "--json")
    facts = json.loads(result.stdout)
    assert (facts["passed"], facts["failed"], facts["broken"], facts["finished"]) == (4, 6, 0, 10)
    rows = list(csv.DictReader((out / "report/cells.csv").read_text().splitlines()))
    assert [float(row["parameter.v"]) for row in rows] == list(range(1, 11))
    assert [row["verdict"] for row in rows] == ["pass"] * 4 + ["fail"] * 6
    assert not {"wall_s", "host", "worker"} & rows[0].keys()
    work = list(csv.DictReader((out / "report/work.csv").read_text().splitlines()))
    assert {(row["host"], row["wall_s"]) for row in work} == {("here", "0.5")}
    suite = etree.parse(out / "report/junit.xml").getroot()[0]
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("10", "6", "0")
    cases = suite.findall("testcase")
    assert cases[4].get("name") == "brake 4: v=5"
    assert cases[4].get("classname") == "brake"
    assert cases[4].get("file").endswith("brake.xosc")
    assert f"dorosim sweep again {out} 4" in cases[4].find("failure").text
    assert "deceleration" in cases[4].find("failure").get("message")
    page = (out / "report/index.html").read_text()
    assert "60.000% (31.267% to 83.18" in page
    assert "http" not in page
    assert (out / "report/failures.txt").read_text().count("dorosim sweep again") == 6


def test_parquet_has_the_columns_of_the_csv(sweep):
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    _, _, out = sweep
    dorosim("sweep", "report", out, "--no-worst")
    table = parquet.read_table(out / "report/cells.parquet")
    header = (out / "report/cells.csv").read_text().splitlines()[0].split(",")
    assert table.column_names == header
    assert table.column("parameter.v").to_pylist() == list(range(1, 11))


def test_files_of_the_worst_cell_open(tmp_path):
    av = pytest.importorskip("av", reason="PyAV is not installed")
    picture = pytest.importorskip("matplotlib.image", reason="matplotlib is not installed")
    made = plan(tmp_path, keep={"worst": 1})
    out = write_sweep(tmp_path, "out", rows_of(made, tmp_path), made)
    result = dorosim("sweep", "report", out)
    assert "note" not in result.stdout
    worst = out / "report/worst"
    endings = ("mcap", "mp4", "png", "rec")
    assert sorted(one.name for one in worst.iterdir()) == [f"cell-9.{end}" for end in endings]
    page = (out / "report/index.html").read_text()
    assert all(f'href="worst/cell-9.{end}"' in page for end in endings)
    with av.open(worst / "cell-9.mp4") as video:
        frames = [frame.to_ndarray(format="rgb24") for frame in video.decode(video=0)]
    assert frames[0].shape == (360, 640, 3)
    assert len(frames) >= 2  # it fails soon
    assert frames[0].std() > 5.0
    assert picture.imread(worst / "cell-9.png").std() > 0.01
    assert dorosim("replay", worst / "cell-9.rec").returncode == 0
    trace = tmp_path / "again.csv"
    assert dorosim("sweep", "again", out, "9", "--trace", trace).returncode == 1
    assert_is_trace(worst / "cell-9.mcap", list(csv.DictReader(trace.read_text().splitlines())))


def assert_is_trace(path, rows):
    """Hold an MCAP file, as the library of its inventors reads it, against its own schemas and the trace as CSV."""
    types = {"string": str, "number": int | float, "integer": int}
    found = {"/entities": [], "/storyboard": []}
    with path.open("rb") as file:
        for schema, channel, message in make_reader(file, validate_crcs=True).iter_messages():
            assert (channel.message_encoding, schema.encoding) == ("json", "jsonschema")
            row = json.loads(message.data, parse_constant=pytest.fail)  # NaN is no JSON
            properties = json.loads(schema.data)["properties"]
            assert row.keys() == properties.keys()
            assert all(isinstance(row[key], types[one["type"]]) for key, one in properties.items()), row
            assert message.log_time == pytest.approx(row["time"] * 1e9, abs=1.0)
            found[channel.topic].append(row)
    assert [{key: str(row[key]) for key in ("id", "name")} for row in found["/entities"]] == [
        {key: row[key] for key in ("id", "name")} for row in rows
    ]
    for key in ("time", "x", "y", "h", "speed"):
        numbers = [row[key] for row in found["/entities"]]
        assert numbers == pytest.approx([float(row[key]) for row in rows], abs=1e-6), key
    states = [(row["kind"], row["transition"], row["state"]) for row in found["/storyboard"]]
    assert ("event", "start", "running") in states


def test_sweeps_are_compared_with_limits(sweep):
    folder, made, out = sweep
    rows = rows_of(made, folder)
    worse = [
        row if row.cell.number != 2 else CellRow(cell=row.cell, verdict="fail", why="x", margin=-2.0) for row in rows
    ]
    other = write_sweep(folder, "worse", worse, made)
    assert dorosim("sweep", "compare", out, out).returncode == 0
    result = dorosim("sweep", "compare", out, other, "--json")
    assert result.returncode == 1
    found = json.loads(result.stdout)
    assert found["new_failures"] == [2]
    assert (found["common"], found["fixed"], found["still"]) == (10, 0, 6)
    assert found["rise"] == pytest.approx(0.1)
    assert found["rise_low"] < 0.0 < found["rise_high"]
    assert dorosim("sweep", "compare", out, other, "--max-new-failures", "1").returncode == 0
    result = dorosim("sweep", "compare", out, other, "--max-new-failures", "1", "--max-margin-drop", "0.5")
    assert result.returncode == 1
    assert "the least margin fell" in result.stdout
    assert dorosim("sweep", "compare", other, out).returncode == 0
    page = dorosim("sweep", "report", other, "--no-worst", "--against", out)
    assert page.returncode == 0
    assert "1 new failures" in (other / "report/index.html").read_text()


def test_sweeps_without_a_common_cell_are_not_found_equal(sweep, tmp_path):
    _, made, out = sweep
    rows = [
        CellRow(
            cell=Cell(number=number, scenario=0, values={"v": str(11 + number)}), verdict="fail", why="x", margin=-2.0
        )
        for number in range(10)
    ]
    other = write_sweep(tmp_path, "other", rows, made)
    result = dorosim("sweep", "compare", out, other)
    assert result.returncode == 2
    assert "have no cell in common" in result.stderr
    assert "scenario=brake, v=1, seed=0 and scenario=brake, v=11, seed=0" in result.stderr
    assert "--max-rise" in result.stderr
    result = dorosim("sweep", "compare", out, other, "--max-rise", "0.2")
    assert result.returncode == 0, "the interval of the rise goes from 0.06 to 0.67"
    assert "no cell is in both: 10 are in the first, 10 in the second" in result.stdout
    assert "share that fails: 60.000% before, 100.000% after" in result.stdout
    result = dorosim("sweep", "compare", out, other, "--max-rise", "0.01", "--max-margin-drop", "0.5", "--json")
    assert result.returncode == 1
    assert len(json.loads(result.stdout)["exceeded"]) == 2
    empty = write_sweep(tmp_path, "empty", [], made)
    for first, second, word in ((empty, out, "first"), (out, empty, "second")):
        result = dorosim("sweep", "compare", first, second, "--max-rise", "0.01")
        assert result.returncode == 2
        assert f"the {word} sweep: has no finished cell" in result.stderr
    page = dorosim("sweep", "report", other, "--no-worst", "--against", out)
    assert page.returncode == 0
    assert "no cell is in both" in (other / "report/index.html").read_text()


@pytest.mark.parametrize(
    ("option", "value"), [("--max-rise", "nan"), ("--max-margin-drop", "inf"), ("--max-new-failures", "-1")]
)
def test_a_limit_that_is_none_is_refused(sweep, option, value):
    _, _, out = sweep
    done = dorosim("sweep", "compare", out, out, option, value)
    assert done.returncode == 2
    assert option in done.stderr


def test_a_report_against_a_folder_without_a_sweep_writes_nothing(sweep):
    folder, made, _ = sweep
    out = write_sweep(folder, "against", [], made)
    assert dorosim("sweep", "report", out, "--no-worst", "--against", folder).returncode == 2
    assert not (out / "report").exists()


def test_lines_of_a_journal_that_are_none_of_a_sweep_do_not_count(sweep):
    """Their checksums are right, as of another program's or another version's."""
    folder, made, _ = sweep
    rows = rows_of(made, folder)
    out = write_sweep(folder, "strange", rows, made)
    writer = JournalWriter(out / "journal" / "b.jsonl")
    beyond = CellRow(cell=Cell(number=10, scenario=0, values={"v": "1"}), verdict="fail", why="")
    below = CellRow(cell=Cell(number=-1, scenario=0, values={"v": "1"}), verdict="fail", why="")
    lines = [encode_line(CellLine(row=one, work=CellWork())) for one in (beyond, below)]
    for line in (*lines, b"{}", b'{"row": 5, "work": {}}', b"\xff\xfe", b"[" * 100_000):
        writer.write(line)
    writer.close()
    assert [line.row for line in sorted_lines(out)] == rows


def test_intervals_are_those_of_the_books():
    # Newcombe, Statistics in Medicine 17 (1998): 857-872, table I, 81 of 263; and 873-890, 56/70 and 48/80
    assert rate_of(81, 263) == pytest.approx((0.3080, 0.2553, 0.3662), abs=5e-5)
    assert difference_of(rate_of(56, 70), rate_of(48, 80)) == pytest.approx((0.2, 0.0524, 0.3339), abs=5e-5)
    assert rate_of(0, 20).low == 0.0
    assert rate_of(20, 20).high == 1.0
    assert math.isnan(rate_of(0, 0).value)
    assert weighted_rate([True, False], [0.2, 3.0]).value == pytest.approx(0.1)


def fake_rows(count):
    """Cells of a plan of two parameters, of which one in ten fails."""
    for number in range(count):
        cell = Cell(number=number, scenario=0, values={"v": str(number % 997), "w": str(number % 83)}, seed=0)
        verdict = "fail" if number % 10 == 0 else "pass"
        measures = {"max_deceleration": float(number % 13)}
        yield CellLine(
            row=CellRow(cell=cell, verdict=verdict, why="a reason " * 20, margin=number % 7 - 1.0, measures=measures),
            work=CellWork(),
        )


def test_the_page_of_100_000_cells_is_small(tmp_path):
    table = SweepTable(plan(tmp_path), fake_rows(100_000))
    page = page_of_sweep(table, summary_of(table, 100_000), tmp_path, {})
    assert 50_000 < len(page.encode()) < 10_000_000
    assert "9,500 more are in failures.txt" in page


def test_a_parameter_with_one_value_has_no_axis(tmp_path):
    values = [{"v": str(number), "gap": "7.5"} for number in range(4)]
    lines = [
        CellLine(row=CellRow(cell=Cell(number=number, scenario=0, values=one), verdict="pass", why=""), work=CellWork())
        for number, one in enumerate(values)
    ]
    table = SweepTable(plan(tmp_path), lines)
    page = page_of_sweep(table, summary_of(table, 4), tmp_path, {})
    assert "In all cells: gap = 7.5." in page
    assert 'class="t">v</text>' in page
    assert 'class="t">gap</text>' not in page
    assert "Where it fails" not in page


def test_a_line_that_does_a_failure_again_is_quoted_once(tmp_path):
    row = CellRow(cell=Cell(number=3, scenario=0, values={"v": "5"}), verdict="fail", why="too hard")
    table = SweepTable(plan(tmp_path), [CellLine(row=row, work=CellWork())])
    folder = tmp_path / "my sweep"
    line = failure_lines(table, folder).partition("#")[0]
    assert shlex.split(line) == ["dorosim", "sweep", "again", str(folder), "3"]


def test_a_report_without_cells_can_be_made(tmp_path):
    out = write_sweep(tmp_path, "out", [], plan(tmp_path))
    assert dorosim("sweep", "report", out, "--no-worst").returncode == 0
    assert "0 of 0 finished" in (out / "report/index.html").read_text()


def test_one_that_fails_among_many_is_seen():
    x, failed = np.repeat([1.0, 2.0], 500), np.zeros(1000)
    failed[999] = 1.0
    shown = heat_map(("v", "w"), x, np.ones(1000), failed)
    assert re.findall(r'<rect[^>]*fill="(#\w+)"', shown) == ["#4c9f70", "#ecc94b"]
    assert "1 of 500 fail" in shown


def test_the_worst_come_first_and_flakes_are_counted(tmp_path):
    made = plan(tmp_path, sampling={"repeats": 2})
    lines = []
    for number, (verdict, margin) in enumerate([("pass", 0.1), ("fail", -0.2), ("fail", -0.5), ("broken", None)]):
        cell = Cell(number=number, scenario=0, values={"v": str(number // 2)}, repeat=number % 2)
        lines.append(CellLine(row=CellRow(cell=cell, verdict=verdict, why="", margin=margin), work=CellWork()))
    table = SweepTable(made, lines)
    assert [one.row.cell.number for one in worst_lines(table, 9)] == [2, 1, 0]
    assert flake_rate(table) == (2, 2)
    found = compare_sweeps(table, table, CompareLimits(new_failures=0, rise=0.0))
    assert found["exceeded"] == []
    assert found["common"] == 4
