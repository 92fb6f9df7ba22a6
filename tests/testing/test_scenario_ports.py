"""The fixture `scenario` starts a stack on free ports, or on the usual ones where it knows no others."""

from __future__ import annotations

import json
import subprocess

import pytest

from dorosim.testing import ScenarioRunner

CASE = {
    "verdict": "pass",
    "why": "",
    "time": 1.0,
    "file": "a.xosc",
    "variation": None,
    "parameters": {},
    "criteria": [],
    "again": "",
    "files": [],
}


@pytest.mark.parametrize(("given", "told"), [({}, "auto"), ({"ports": "fixed"}, "fixed")])
def test_a_stack_may_know_the_usual_ports_only(tmp_path, monkeypatch, given, told):
    asked: list[list[str]] = []

    def run(words, **_):
        asked.append(words)
        return subprocess.CompletedProcess(words, 0, json.dumps({"cases": [CASE]}), "")

    monkeypatch.setattr(subprocess, "run", run)
    assert ScenarioRunner(tmp_path / "records", tmp_path)("a.xosc", ego="udp", stack="drive", **given)
    words = asked[0]
    assert words[words.index("--ports") + 1] == told
    assert words[words.index("--stack") + 1] == "drive"
