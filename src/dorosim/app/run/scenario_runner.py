"""`dorosim scenario run` without its command line."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from dorosim.app.run.report.json_output import print_json
from dorosim.app.run.scenario_junit import write_junit
from dorosim.app.run.scenario_report import SuiteReport, facts_of_suite
from dorosim.app.run.scenario_suite import CaseResult, SuiteOptions, run_suite


def run_files(files: Sequence[str], options: SuiteOptions, *, json: bool) -> list[CaseResult]:
    """Run files, print their verdicts as they come or all as JSON, and write the JUnit file.

    Args:
        files: files, or names in Scenario/ of the data folder.
        options: of all runs.
        json: whether for programs.

    Raises:
        InputError: an option cannot be used, or a file cannot be written.
    """
    began = datetime.now(UTC)
    report = SuiteReport()
    results: list[CaseResult] = []
    for one in run_suite(files, options):
        results.append(one)
        if not json:
            report.show(one)
        if options.junit is not None and one.verdict != "pass":
            # what has failed is told even if the program is killed before the end
            write_junit(options.junit, results, began)
    if options.junit is not None:
        write_junit(options.junit, results, began)
    if json:
        print_json(facts_of_suite(results))
    else:
        report.end()
    return results
