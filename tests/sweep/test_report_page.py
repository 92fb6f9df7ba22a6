"""The page of a sweep as one sees it: heads of tables, files of cells, and its width."""

from __future__ import annotations

import re
import sys

import pytest

from dorosim.app.sweep.cell import Cell, CellLine, CellRow, CellWork
from dorosim.app.sweep.report.html_table import table_of_facts, table_with_head
from dorosim.app.sweep.report.page import page_of_sweep
from dorosim.app.sweep.report.report import ReportOptions, write_report
from dorosim.app.sweep.report.summary import summary_of
from dorosim.app.sweep.report.table import SweepTable
from dorosim.app.sweep.runner import SweepOptions, run_sweep
from tests.browser.stage import browser
from tests.sweep.sweep_case import plan

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="sweeps run on Linux only")
PHONE = {"width": 360, "height": 740, "deviceScaleFactor": 1, "mobile": True}
WIDTHS = "return [document.documentElement.scrollWidth, window.innerWidth]"
SHOWN = """
const words = [...document.querySelectorAll("th[scope=col]")];
return words.map(one => [one.innerText, getComputedStyle(one).fontWeight]);
"""


def page(folder, count=4, files=None):
    """The page of cells of two parameters, the first of which fails, with files of them."""
    lines = []
    for number in range(count):
        cell = Cell(number=number, scenario=0, values={"v": str(number), "gap": str(number % 2)})
        verdict, margin = ("pass", 0.5) if number else ("fail", -0.5)
        row = CellRow(cell=cell, verdict=verdict, why="a long reason, in many words, " * 3, margin=margin)
        lines.append(CellLine(row=row, work=CellWork()))
    table = SweepTable(plan(folder), lines)
    return page_of_sweep(table, summary_of(table, count), folder / "a-long-name" / "of-a-folder", files or {})


def heads_of(page, title):
    """Heads of the table below a title."""
    return re.findall(r'<th scope="col">(.*?)</th>', re.search(rf"<h2>{title}</h2>.*?</table>", page)[0])


def test_columns_have_heads_and_one_without_content_is_left_out(tmp_path):
    without = page(tmp_path)
    assert heads_of(without, "Scenarios")[:4] == ["scenario", "pass", "fail", "broken"]
    assert heads_of(without, "Worst cells") == ["cell", "verdict", "margin", "why", "again"]
    assert heads_of(without, "All that does not pass") == ["cell", "verdict", "margin", "why", "again"]
    made = page(tmp_path, files={0: ["worst/cell-0.rec", "worst/cell-0.mcap", "worst/cell-0.txt"]})
    assert heads_of(made, "Worst cells") == ["cell", "verdict", "margin", "why", "files", "again"]
    assert '<a href="worst/cell-0.rec">recording</a> <a href="worst/cell-0.mcap">MCAP</a>' in made
    assert ">cell-0.txt</a>" in made


def test_figures_show_each_parameter_each_pair_and_the_margin(tmp_path):
    made = page(tmp_path, count=6)
    titles = re.findall(r'class="t">(.*?)</text>', made)
    assert titles == ["v", "gap", "up gap, across v", "margin"]
    figures = re.findall(r"<svg.*?</svg>", made)
    counts = [[int(one) for one in re.findall(r": (\d+) (?:pass|fail|broken)<", figure)] for figure in figures]
    assert [sum(one) for one in (counts[0], counts[1], counts[3])] == [6, 6, 6], "bars count all cells"
    assert sum("1 of 1 fail" in one for one in re.findall(r"<title>.*?</title>", figures[2])) == 1


def test_tables_quote_what_is_text():
    assert table_of_facts([("a<b", "c&d")]).count("<tr>") == 1
    assert '<th scope="row">a&lt;b</th><td>c&amp;d</td>' in table_of_facts([("a<b", "c&d")])
    assert table_with_head(("x", "y"), [("<b>1</b>", ""), ("2", "")]).count("<td>") == 2
    assert '<th scope="col">y&amp;z</th>' in table_with_head(("x", "y&z"), [])


def test_a_video_is_left_out_where_the_plan_keeps_none(tmp_path):
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    made = plan(tmp_path, keep={"worst": 1, "video": False}, parameters={"v": {"values": [1]}})
    run_sweep(made, tmp_path, SweepOptions(out=tmp_path / "out", workers=1))
    write_report(tmp_path / "out", ReportOptions())
    names = sorted(one.name for one in (tmp_path / "out/report/worst").iterdir())
    assert names == ["cell-0.mcap", "cell-0.png", "cell-0.rec"]


def test_a_page_without_cells_has_no_empty_tables(tmp_path):
    assert "Worst cells" not in page(tmp_path, count=0)


def test_the_page_fits_a_phone_and_its_heads_are_seen(tmp_path):
    file = tmp_path / "index.html"
    file.write_text(page(tmp_path, files={0: ["worst/cell-0.rec"]}))
    with browser(tmp_path) as seen:
        seen.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", PHONE)
        seen.open(file.as_uri())
        assert seen.driver.execute_script(WIDTHS) == [360, 360], "tables are scrolled, and not the page"
        heads = seen.driver.execute_script(SHOWN)
        assert ["files", "600"] in heads
        seen.picture("sweep_report_phone")
