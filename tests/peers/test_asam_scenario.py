"""ASAM's quality checker has nothing against scenarios that recordings are written as."""

from __future__ import annotations

from collections import Counter
from xml.sax.saxutils import quoteattr

import pytest
from lxml import etree

from dorosim.app.analyse.scenario_export import export_scenario
from tests.app.recorded_drive import record
from tests.peers.environment import ASAM, call, program_of

pytestmark = pytest.mark.peer
CONFIGURATION = """<?xml version='1.0' encoding='UTF-8'?>
<Config>
  <Param name="InputFile" value={path}/>
  <CheckerBundle application="xoscBundle"><Param name="resultFile" value={result}/></CheckerBundle>
</Config>
"""


def test_it_finds_nothing_in_a_recording_as_a_scenario(tmp_path):
    program = program_of(ASAM, "qc_openscenario")
    record(tmp_path / "drive.rec", 200)
    path, result, configuration = (tmp_path / f"drive.{ending}" for ending in ("xosc", "xqar", "xml"))
    export_scenario(tmp_path / "drive.rec", path, quiet=True)
    configuration.write_text(CONFIGURATION.format(path=quoteattr(str(path)), result=quoteattr(str(result))))
    done = call(ASAM, program, "-c", configuration)
    assert done.returncode == 0, done.stderr[-2000:]
    report = etree.parse(str(result))
    status = Counter(checker.get("status") for checker in report.iter("Checker"))
    assert status["completed"] > 10
    assert status["error"] == 0
    assert [issue.get("ruleUID") for issue in report.iter("Issue")] == []
