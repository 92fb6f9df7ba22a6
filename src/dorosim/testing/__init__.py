"""Tests of driving stacks with pytest: fixtures that start the simulator, step it in lockstep, and end it.

    pytest_plugins = ["dorosim.testing"]          # in conftest.py; or: pytest -p dorosim.testing

    def test_it_stops(ego):
        ego.drive(accelerator=0.5)
        ego.step(40)
        ego.drive(brake=1.0)
        assert ego.step(60).speed < 0.1

Fixtures: `simulator`, `town` and `ego` (`dorosim.testing.Simulator`, `Ego`), and `scenario`, which runs files of
OpenSCENARIO (`ScenarioRunner`). Each test begins at simulated time 0 with the same seed, in a simulator on ports of its
own, so tests side by side (pytest-xdist) do not meet. A mark changes what `dorosim run` is started with:
`@pytest.mark.dorosim("--vehicles", "20", period=0.02)`.

Of a test that fails its recording, the part of the log that is about it and, where the extra `video` is installed, a
video are kept in the folder `dorosim-failures`. The simulator ends with the tests, however they end.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dorosim.testing.failure import failure_folder, keep_failure, keep_recordings
from dorosim.testing.pool import SimulatorPool
from dorosim.testing.scenario import ScenarioRunner, ScenarioVerdict
from dorosim.testing.simulator import PERIOD_S, Ego, Simulator

__all__ = ["Ego", "ScenarioRunner", "ScenarioVerdict", "Simulator", "ego", "scenario", "simulator", "town"]

MARK = "dorosim"
TOWN = ("--map", "town")
_REPORTS = pytest.StashKey[dict[str, pytest.TestReport]]()
_KEPT = pytest.StashKey[list[str]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the settings of the plugin."""
    parser.addini("dorosim_arguments", "Arguments of `dorosim run` for all tests.", type="args", default=[])
    parser.addini("dorosim_failures", "Folder for what is kept of tests that fail.", default="dorosim-failures")
    parser.addini("dorosim_video", "Whether a video of a test that fails is made.", type="bool", default=True)


def pytest_configure(config: pytest.Config) -> None:
    """Make the mark known."""
    text = (
        f"{MARK}(*arguments, period={PERIOD_S}): arguments of `dorosim run` for this test, and the time of a step [s]"
    )
    config.addinivalue_line("markers", text)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Any:
    """Note how each part of a test ended, for the fixtures, and show what was kept of it."""
    report: pytest.TestReport = yield
    item.stash.setdefault(_REPORTS, {})[report.when] = report
    if report.when == "call" and report.failed and _is_worker(item):
        folder = _failure_folder(item)
        text = f"log, recording and video of the test: {folder}; the same drive again: dorosim replay {folder}/test.rec"
        report.sections.append(("dorosim", text))
    if report.when == "teardown" and (kept := item.stash.get(_KEPT, [])):
        report.sections.append(("dorosim", "\n".join(kept)))
        called = item.stash[_REPORTS].get("call")
        if called is not None:
            called.sections.append(("dorosim", "\n".join(kept)))
    return report


def _is_worker(item: pytest.Item) -> bool:
    """Whether a test with a simulator runs in a worker of pytest-xdist: its report leaves before fixtures end."""
    return hasattr(item.config, "workerinput") and "_simulators" in getattr(item, "fixturenames", ())


def _failure_folder(item: pytest.Item) -> Path:
    """Where files of a test that fails are kept."""
    return failure_folder(item.config.rootpath / item.config.getini("dorosim_failures"), item.nodeid)


@pytest.fixture(scope="session")
def _simulators(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SimulatorPool]:
    """The programs of this process of pytest: one for each choice of arguments."""
    pool = SimulatorPool(tmp_path_factory.mktemp("dorosim"))
    try:
        yield pool
    finally:
        pool.close()


@pytest.fixture
def simulator(request: pytest.FixtureRequest, _simulators: SimulatorPool) -> Iterator[Simulator]:
    """A simulator in lockstep at simulated time 0, as the mark `dorosim` of the test asks for it."""
    yield from _simulator(request, _simulators, ())


@pytest.fixture
def town(request: pytest.FixtureRequest, _simulators: SimulatorPool) -> Iterator[Simulator]:
    """The same in the built-in town."""
    yield from _simulator(request, _simulators, TOWN)


@pytest.fixture
def ego(town: Simulator) -> Ego:
    """The first ego vehicle of `town`, at rest in gear D."""
    found = Ego(town)
    town.client.set_mode(found.name, "auto")
    town.client.set_gear(found.name, "D")
    return found


@pytest.fixture
def scenario(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[ScenarioRunner]:
    """Runs files of OpenSCENARIO: a call returns the verdict, which is true if the run passes."""
    runner = ScenarioRunner(tmp_path / "scenario-recordings", request.path.parent)
    yield runner
    reports = request.node.stash.get(_REPORTS, {})
    if any(report.failed for report in reports.values()):
        kept = keep_recordings(runner.recordings, _failure_folder(request.node))
        request.node.stash.setdefault(_KEPT, []).extend(kept)


def _simulator(request: pytest.FixtureRequest, pool: SimulatorPool, more: tuple[str, ...]) -> Iterator[Simulator]:
    mark = request.node.get_closest_marker(MARK)
    given = [] if mark is None else [str(argument) for argument in mark.args]
    arguments = (*request.config.getini("dorosim_arguments"), *given, *more)
    period = PERIOD_S if mark is None else float(mark.kwargs.get("period", PERIOD_S))
    with pool.simulator(arguments, period) as recorded:
        yield recorded.simulator
        recorded.end()
        reports = request.node.stash.get(_REPORTS, {})
        if any(report.failed for report in reports.values()):
            folder = _failure_folder(request.node)
            kept = keep_failure(recorded, folder, video=request.config.getini("dorosim_video"))
            request.node.stash.setdefault(_KEPT, []).extend(kept)
