"""What the fixture `scenario` of `dorosim.testing`: gives: verdicts of runs in a user's tests."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from dorosim.testing import ScenarioRunner
from tests.source import ROOT

EXAMPLES = ROOT / "examples/scenario"


@pytest.fixture
def scenario(tmp_path: Path) -> ScenarioRunner:
    return ScenarioRunner(tmp_path / "out", EXAMPLES)


def test_it_is_true_if_the_run_passes(scenario):
    verdict = scenario(EXAMPLES / "cut_in.xosc", "--no-collision", ego="driver")
    assert verdict, verdict
    assert (verdict.verdict, verdict.variation, len(verdict.files)) == ("pass", 0, 1)
    assert verdict.time == pytest.approx(6.0)


def test_it_says_why_it_does_not(scenario):
    verdict = scenario(EXAMPLES / "cut_in.xosc", "--no-collision", "--min-distance", "0.5", parameters={"CutInGap": 30})
    assert not verdict
    line, again = repr(verdict).splitlines()
    assert line.startswith("fail: distance: ")
    assert again.startswith("again: dorosim scenario run ")
    assert "--param CutInGap=30" in again
    assert verdict.value("distance") < 0.5
    with pytest.raises(KeyError):
        verdict.value("jerk")


def test_variations_are_a_list(scenario):
    found = scenario.all(EXAMPLES / "pedestrian_distances.xosc", "--no-collision")
    assert [one.variation for one in found] == [1, 2, 3, 4, 5, 6]
    assert [dict(one.parameters)["WalkSpeed"] for one in found] == ["1", "1.5"] * 3
    assert not any(found)
    with pytest.raises(ValueError, match="is 6 runs"):
        scenario(EXAMPLES / "pedestrian_distances.xosc")


def test_what_is_wrong_is_told(scenario):
    with pytest.raises(ValueError, match="--min-ttc nan: is not more than 0"):
        scenario(EXAMPLES / "cut_in.xosc", "--min-ttc", "nan")
    assert "none.xosc" in scenario("none.xosc").why


def test_a_file_lies_beside_the_test_or_here(tmp_path):
    (tmp_path / "road").mkdir()
    for name in ("cut_in.xosc", "street.xodr"):
        (tmp_path / name).write_bytes((EXAMPLES / name).read_bytes())
    assert ScenarioRunner(tmp_path / "out", tmp_path)("cut_in.xosc")


FAILING = f"""
def test_it_fails(scenario):
    verdict = scenario({str(EXAMPLES / "cut_in.xosc")!r}, "--no-collision")
    assert verdict, verdict
"""


def test_of_a_test_that_fails_the_recording_is_kept(tmp_path):
    (tmp_path / "test_stack.py").write_text(FAILING)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    environment |= {"PYTHONPATH": os.pathsep.join(sys.path), "NO_COLOR": "1"}
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "dorosim.testing", "test_stack.py"]
    done = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 1, done.stdout + done.stderr
    assert "fail: no collision: collision at 8.00 m/s, Ego and Other" in done.stdout
    (recording,) = Path(tmp_path / "dorosim-failures").rglob("*.rec")
    assert f"dorosim replay {recording}" in done.stdout.replace("\n", "")
    command = [sys.executable, "-m", "dorosim", "replay", str(recording)]
    assert subprocess.run(command, env=environment, timeout=300, check=False).returncode == 0
