"""A rospy node drives the ego vehicle of a scenario at a master of its own."""

from __future__ import annotations

import os
import shlex

from tests.app.command import dorosim
from tests.source import ROOT

EXAMPLES = ROOT / "examples/scenario"


def run(ros, monkeypatch, *more):
    """A run of the pedestrian who steps out; its exit status and the lines that it printed."""
    for name, value in ros.env.items():
        if name not in ("PATH", "HOME"):
            monkeypatch.setenv(name, value)
    stack = shlex.join(["/usr/bin/python3", str(EXAMPLES / "ros_stack.py"), *more])
    done = dorosim(
        *("scenario", "run", EXAMPLES / "pedestrian.xosc", "--no-collision", "--time-limit", "60", "--ego", "ros"),
        *("--lockstep", "--ros-master", ros.master, "--ports", "auto", "--stack", stack),
    )
    return done.returncode, done.stdout.splitlines()


def test_a_rospy_node_that_brakes_passes_and_a_blind_one_fails(ros, monkeypatch):
    status, lines = run(ros, monkeypatch)
    assert (status, lines[-1][:5]) == (0, "pass:"), lines
    assert "/dorosim" not in ros.tool("rosnode", "list"), "it says goodbye to the master"
    status, lines = run(ros, monkeypatch, "--blind")
    assert status == 1
    assert lines[-1].startswith("fail: no collision: collision at "), lines
    assert f"--ros-master {ros.master} --ports auto --stack " in lines[-2], "the line that does it again"
    assert os.environ["ROS_MASTER_URI"] == ros.master
