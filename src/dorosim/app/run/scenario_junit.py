"""Verdicts as a JUnit file, which systems for continuous integration show."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from lxml import etree

from dorosim.app.run.scenario_suite import CaseResult
from dorosim.recording.whole_file import write_file
from dorosim.scenario.criterion.judge import VerdictWord

CURE = "give a place where files can be written"
_ILLEGAL = dict.fromkeys((*range(9), 11, 12, *range(14, 32), 65534, 65535, *range(55296, 57344)), "?")
"""Letters that XML cannot hold."""


def junit_of(results: Sequence[CaseResult], began: datetime) -> bytes:
    """A JUnit file: a suite for each file, a test for each run; `failure` for fail, `error` for broken.

    It keeps to the strict form of the schema, in which a suite has properties, tests and both outputs in this order.

    Args:
        results: of the runs, those of a file side by side.
        began: when the first run began.
    """
    files = list(dict.fromkeys(one.given for one in results))
    root = etree.Element("testsuites")
    for number, given in enumerate(files):
        root.append(_suite(number, given, [one for one in results if one.given == given], began))
    content: bytes = etree.tostring(root, xml_declaration=True, encoding="UTF-8", pretty_print=True)
    return content


def write_junit(path: Path, results: Sequence[CaseResult], began: datetime) -> None:
    """Write a JUnit file.

    Raises:
        InputError: it cannot be written.
    """
    write_file(path, junit_of(results, began), CURE)


def _suite(number: int, given: str, results: Sequence[CaseResult], began: datetime) -> etree._Element:
    suite = etree.Element(
        "testsuite",
        name=junit_text(Path(given).stem or given),
        package=junit_text(given),
        id=str(number),
        timestamp=began.strftime("%Y-%m-%dT%H:%M:%S"),
        hostname=junit_text(platform.node() or "localhost"),
        tests=str(len(results)),
        failures=str(sum(one.verdict is VerdictWord.FAIL for one in results)),
        errors=str(sum(one.verdict is VerdictWord.BROKEN for one in results)),
        time=f"{sum(one.wall for one in results):.3f}",
    )
    properties = etree.SubElement(suite, "properties")
    about = next((one.about for one in results if one.about), {})
    for name, value in {"file": given, **about}.items():
        etree.SubElement(properties, "property", name=junit_text(name), value=junit_text(value))
    lines = []
    for one in results:
        _case(suite, given, one)
        lines += [
            one.line,
            *(f"  {criterion.said}" for criterion in one.criteria),
            *(f"  {line}" for line in one.journal),
        ]
    etree.SubElement(suite, "system-out").text = junit_text("\n".join(lines))
    etree.SubElement(suite, "system-err").text = junit_text(
        "\n".join(dict.fromkeys(n for one in results for n in one.notes))
    )
    return suite


def _case(suite: etree._Element, given: str, one: CaseResult) -> None:
    values = ", ".join(f"{name}={value}" for name, value in one.values.items())
    name = f"variation {one.variation}{f': {values}' if values else ''}" if one.variation else "run"
    case = etree.SubElement(
        suite,
        "testcase",
        name=junit_text(name),
        classname=junit_text(Path(given).stem or given),
        time=f"{one.wall:.3f}",
    )
    if one.verdict is VerdictWord.PASS:
        return
    tag = "failure" if one.verdict is VerdictWord.FAIL else "error"
    problem = etree.SubElement(case, tag, message=junit_text(one.why), type=str(one.verdict))
    problem.text = junit_text("\n".join((*(part for part in one.why.split("; ")), f"again: {one.again}")))


def junit_text(value: str) -> str:
    """A text that XML can hold."""
    return value.translate(_ILLEGAL)
