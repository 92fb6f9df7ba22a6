"""The files for CI hold together: what they name is there. The commands of the workflow are played by test_page.py."""

from __future__ import annotations

import re

import yaml

from dorosim.endpoint.udp.network import DEFAULT_LISTEN_PORTS
from tests.docs.block import ROOT, WORKFLOW

CONTAINER = (ROOT / "examples/ci/Containerfile").read_text()


def test_the_workflow_is_one():
    tree = yaml.safe_load((ROOT / WORKFLOW).read_text())
    assert tree[True] == ["push", "pull_request"], "YAML 1.1 reads the key `on` as true, and so does GitHub"
    (job,) = tree["jobs"].values()
    steps = job["steps"]
    assert all(("run" in step) != ("uses" in step) for step in steps)
    assert all(re.fullmatch(r"[\w-]+/[\w-]+@v\d+", step["uses"]) for step in steps if "uses" in step)
    (cache,) = (step["with"] for step in steps if step.get("uses", "").startswith("actions/cache@"))
    assert cache["path"] == "~/.cache/dorosim"
    names = re.findall(r"\.dorosim/([\w./-]+\.(?:py|txt))", (ROOT / WORKFLOW).read_text())
    assert {"constraints.txt", "examples/ci/test_drive.py"} <= set(names)
    assert all((ROOT / name).exists() for name in names)


def test_the_container_file_copies_what_there_is_and_starts_the_program():
    copied = [name for line in re.findall(r"^COPY (.+) \S+$", CONTAINER, re.MULTILINE) for name in line.split()]
    assert "src" in copied
    assert all((ROOT / name).exists() for name in copied)
    assert re.findall(r"^(FROM|USER|ENTRYPOINT|CMD) (.+)$", CONTAINER, re.MULTILINE) == [
        ("FROM", "python:3.12-slim"),
        ("USER", "driver"),
        ("ENTRYPOINT", '["dorosim"]'),
        ("CMD", '["run"]'),
    ]
    assert "--constraint constraints.txt" in CONTAINER
    assert (ROOT / "src/dorosim/app/run/compile.py").exists()


def test_the_container_exposes_what_the_program_listens_to():
    (ports,) = re.findall(r"^EXPOSE (.+)$", CONTAINER, re.MULTILINE)
    assert {f"{port}/udp" for port in DEFAULT_LISTEN_PORTS} | {"7789/tcp", "9090/tcp"} == set(ports.split())
