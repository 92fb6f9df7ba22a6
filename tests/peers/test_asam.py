"""ASAM's quality checker has nothing against what is written, but for what is known (docs/decisions/0075)."""

from __future__ import annotations

from collections import Counter
from xml.sax.saxutils import quoteattr

import pytest
from lxml import etree

from tests.peers.environment import ASAM, call, program_of
from tests.road.opendrive.exported import ALL_MAPS, written_map

pytestmark = pytest.mark.peer
KNOWN = {
    # not wrong, only longer than it has to be
    "asam.net:xodr:1.7.0:performance.avoid_redundant_info",
}
CONFIGURATION = """<?xml version='1.0' encoding='UTF-8'?>
<Config>
  <Param name="InputFile" value={path}/>
  <CheckerBundle application="xodrBundle"><Param name="resultFile" value={result}/></CheckerBundle>
</Config>
"""


@pytest.mark.parametrize("name", ALL_MAPS)
def test_it_finds_nothing_unknown(name, tmp_path):
    program = program_of(ASAM, "qc_opendrive")
    path, result, configuration = (tmp_path / f"{name}.{ending}" for ending in ("xodr", "xqar", "xml"))
    path.write_bytes(written_map(name).content)
    words = {"path": quoteattr(str(path)), "result": quoteattr(str(result))}
    configuration.write_text(CONFIGURATION.format_map(words))
    done = call(ASAM, program, "-c", configuration)
    assert done.returncode == 0, done.stderr[-2000:]
    report = etree.parse(str(result))
    status = Counter(checker.get("status") for checker in report.iter("Checker"))
    assert status["completed"] > 15
    assert status["error"] == 0
    found = Counter(issue.get("ruleUID") for issue in report.iter("Issue"))
    assert {rule: count for rule, count in found.items() if rule not in KNOWN} == {}
