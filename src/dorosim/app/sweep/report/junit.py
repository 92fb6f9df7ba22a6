"""The cells of a sweep as JUnit XML: a suite for each scenario, a test for each cell."""

from __future__ import annotations

import io
from pathlib import Path

from lxml import etree

from dorosim.app.run.scenario_junit import junit_text
from dorosim.app.sweep.cell import CellLine, again_line, title_of
from dorosim.app.sweep.report.table import WRITE_CURE, SweepTable
from dorosim.recording.whole_file import write_file

_TAGS = {"fail": "failure", "broken": "error"}


def write_sweep_junit(path: Path, table: SweepTable, folder: Path) -> None:
    """Write the JUnit file.

    Args:
        path: of the file.
        table: of the cells.
        folder: of the sweep, for the lines that do cells again.

    Raises:
        OutputError: it cannot be written.
    """
    content = io.BytesIO()
    with etree.xmlfile(content, encoding="utf-8") as file:
        file.write_declaration()
        with file.element("testsuites", name=junit_text(table.plan.name)):
            for number, entry in enumerate(table.plan.scenarios):
                lines = [line for line in table.lines if line.row.cell.scenario == number]
                counts = {word: sum(line.row.verdict == word for line in lines) for word in _TAGS}
                with file.element(
                    "testsuite",
                    name=junit_text(entry.name),
                    tests=str(len(lines)),
                    failures=str(counts["fail"]),
                    errors=str(counts["broken"]),
                    time=f"{sum(line.work.wall for line in lines):.3f}",
                ):
                    for line in lines:
                        file.write(_case(table, line, folder))
    write_file(path, content.getvalue(), WRITE_CURE)


def _case(table: SweepTable, line: CellLine, folder: Path) -> etree._Element:
    cell = line.row.cell
    entry = table.plan.scenarios[cell.scenario]
    case = etree.Element(
        "testcase",
        name=junit_text(title_of(table.plan, cell)),
        classname=junit_text(entry.name),
        time=f"{line.work.wall:.3f}",
        file=junit_text(cell.source or entry.file),
    )
    tag = _TAGS.get(line.row.verdict)
    if tag is not None:
        problem = etree.SubElement(case, tag, message=junit_text(line.row.why), type=line.row.verdict)
        problem.text = junit_text(f"{line.row.why}\nagain: {again_line(cell, str(folder))}")
    return case
