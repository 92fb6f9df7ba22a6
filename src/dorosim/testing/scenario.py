"""What a test has of scenarios: a function that runs one of them and gives its verdict."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dorosim.testing.program import START_TIMEOUT_S, ending_with_this_process

RUN_TIMEOUT_S = START_TIMEOUT_S + 300.0
"""Wall time that a run may take, with the compiling of a very first start [s]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenarioVerdict:
    """What a run of a scenario has come to. It is true if the run passes: `assert verdict` shows why it does not.

    Attributes:
        verdict: "pass", "fail" or "broken". why: in words.
        time: simulated time of the end [s].
        file: the scenario. variation: its number in a file of distributions, 0 for none. parameters: that it sets.
        criteria: what became of each: {title, limit, unit, held, value, time, other, x, y, said}.
        again: the command that does the run again. files: that were written, such as its recording.
    """

    verdict: str
    why: str
    time: float
    file: str
    variation: int
    parameters: Mapping[str, str]
    criteria: Sequence[Mapping[str, Any]] = ()
    again: str = ""
    files: Sequence[str] = field(default_factory=tuple)

    def __bool__(self) -> bool:
        """Whether the run passes."""
        return self.verdict == "pass"

    def __repr__(self) -> str:
        """The verdict, why, when, and how to do it again."""
        which = f", variation {self.variation}" if self.variation else ""
        line = f"{self.verdict}: {self.why} ({self.time:.2f} s, {self.file}{which})"
        return line if self else f"{line}\nagain: {self.again}"

    def value(self, title: str) -> float:
        """The worst that a criterion measured, by its title, as "time to collision" [SI].

        Raises:
            KeyError: there is no such criterion, or it measured nothing.
        """
        for one in self.criteria:
            if one["title"] == title and one["value"] is not None:
                return float(one["value"])
        raise KeyError(title)


class ScenarioRunner:
    """Runs scenarios, each in a program of its own.

    Args:
        folder: for recordings.
        root: paths of files are relative to it.
    """

    def __init__(self, folder: Path, root: Path) -> None:
        self._folder, self._root = folder, root
        self.recordings: list[Path] = []

    def __call__(
        self,
        file: str | os.PathLike[str],
        *options: str,
        ego: str = "default",
        stack: str | Sequence[str] = (),
        lockstep: bool = True,
        ports: str = "auto",
        parameters: Mapping[str, object] | None = None,
        timeout: float = RUN_TIMEOUT_S,
    ) -> ScenarioVerdict:
        """Run one scenario.

        Args:
            file: an .xosc file, relative to the folder of the test's file or to the present one.
            options: of `dorosim scenario run`, such as "--no-collision", "--min-ttc", "1".
            ego: who moves the ego vehicle: default, dynamics, driver, udp, ros or grpc.
            stack: the program that drives it, with its arguments; it finds the run by DOROSIM_RUN.
            lockstep: whether each tick waits for the program.
            ports: "auto" for ports that no other program has, "fixed" for a program that knows the usual ones only.
            parameters: of the scenario, by name.
            timeout: wall time [s].

        Raises:
            ValueError: the options are wrong, the scenario is many runs, or something broke in the simulator.
            subprocess.TimeoutExpired: it took too long.
        """
        found = self.all(
            file,
            *options,
            ego=ego,
            stack=stack,
            lockstep=lockstep,
            ports=ports,
            parameters=parameters,
            timeout=timeout,
        )
        if len(found) != 1:
            raise ValueError(f"{os.fspath(file)} is {len(found)} runs; take `scenario.all`, or --variation")
        return found[0]

    def all(
        self,
        file: str | os.PathLike[str],
        *options: str,
        ego: str = "default",
        stack: str | Sequence[str] = (),
        lockstep: bool = True,
        ports: str = "auto",
        parameters: Mapping[str, object] | None = None,
        timeout: float = RUN_TIMEOUT_S,
    ) -> list[ScenarioVerdict]:
        """Run all variations of a file of distributions; arguments and errors as of a call."""
        words = ["scenario", "run", str(self._path(file)), "--json", "--record", str(self._next_folder()), *options]
        if ego != "default":
            words += ["--ego", ego]
        if stack:
            words += ["--ports", ports, "--stack", stack if isinstance(stack, str) else shlex.join(stack)]
        if ego in ("udp", "ros", "grpc") and lockstep:
            words.append("--lockstep")
        for name, value in (parameters or {}).items():
            words += ["--param", f"{name}={value}"]
        done = subprocess.run(
            [*ending_with_this_process(), "-m", "dorosim", *words],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
        )
        try:
            cases = json.loads(done.stdout)["cases"]
        except (ValueError, KeyError):
            raise ValueError(f"dorosim scenario run: {done.stderr.strip() or done.stdout.strip()}") from None
        found = [_verdict_of(one) for one in cases]
        self.recordings += [Path(path) for one in found for path in one.files if path.endswith(".rec")]
        return found

    def _path(self, file: str | os.PathLike[str]) -> Path:
        """Where a scenario is."""
        beside = self._root / file
        return beside if beside.is_file() else Path(file)

    def _next_folder(self) -> Path:
        """A folder for the recordings of one call."""
        return self._folder / str(len(list(self._folder.iterdir())) if self._folder.is_dir() else 0)


def _verdict_of(case: Mapping[str, Any]) -> ScenarioVerdict:
    return ScenarioVerdict(
        verdict=case["verdict"],
        why=case["why"],
        time=case["time"],
        file=case["file"],
        variation=case["variation"] or 0,
        parameters=case["parameters"],
        criteria=tuple(case["criteria"]),
        again=case["again"],
        files=tuple(case["files"]),
    )
