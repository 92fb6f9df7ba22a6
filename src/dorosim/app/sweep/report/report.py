"""`dorosim sweep report` and `dorosim sweep compare` without their command lines."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dorosim.app.run.report.json_output import json_line
from dorosim.app.sweep.report.compare import CompareLimits, compare_lines, compare_sweeps
from dorosim.app.sweep.report.junit import write_sweep_junit
from dorosim.app.sweep.report.page import failure_lines, page_of_sweep
from dorosim.app.sweep.report.summary import summary_of
from dorosim.app.sweep.report.table import WRITE_CURE, SweepTable, write_csv, write_parquet
from dorosim.app.sweep.report.worst import write_worst
from dorosim.app.sweep.sweep_folder import SweepFolder
from dorosim.ground.error import InputError
from dorosim.recording.whole_file import OutputError, write_file


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportOptions:
    """What a report has.

    Attributes:
        worst: whether the worst cells are run again for their files. against: folder of an earlier sweep.
    """

    worst: bool = True
    against: Path | None = None


def read_table(path: Path) -> tuple[SweepFolder, SweepTable]:
    """The cells of a sweep that are finished; its runner may be at work.

    Raises:
        InputError: the folder has no sweep.
    """
    folder = SweepFolder(path)
    return folder, SweepTable(folder.plan(), folder.lines())


def write_report(path: Path, options: ReportOptions) -> tuple[dict[str, Any], list[str]]:
    """Write the report of a sweep to its folder `report`.

    Args:
        path: folder of the sweep.
        options: what the report has.

    Returns:
        What the sweep has come to (`summary_of`), and lines about what could not be made.

    Raises:
        InputError: the folder, or that of the earlier sweep, has no sweep.
        OutputError: a file cannot be written.
    """
    folder, table = read_table(path)
    comparison: list[str] = []
    if options.against is not None:
        comparison = compare_lines(compare_sweeps(read_table(options.against)[1], table, CompareLimits()))
    report, notes = path / "report", list[str]()
    try:
        report.mkdir(exist_ok=True)
    except OSError as error:
        raise OutputError(str(report), "", f"cannot be made: {error.strerror}", WRITE_CURE) from None
    for name, columns in (("cells", table.cells()), ("work", table.work())):
        write_csv(report / f"{name}.csv", columns)
        try:
            write_parquet(report / f"{name}.parquet", columns)
        except OutputError:
            raise
        except InputError as error:
            notes += [] if notes else [str(error)]
    write_sweep_junit(report / "junit.xml", table, path)
    facts = summary_of(table, folder.facts.total)
    write_file(report / "summary.json", json_line(facts).encode(), WRITE_CURE)
    write_file(report / "failures.txt", failure_lines(table, path).encode(), WRITE_CURE)
    files = write_worst(folder, table, notes) if options.worst else {}
    page = page_of_sweep(table, facts, path, files, comparison)
    write_file(report / "index.html", page.encode(), WRITE_CURE)
    return facts, notes
