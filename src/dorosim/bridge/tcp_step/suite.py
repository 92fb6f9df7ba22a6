"""Suites and scenarios: which are there, which is played, and what it does."""

from __future__ import annotations

from dorosim.bridge.reply import DeferredReply, ElementOutcome, reply_of
from dorosim.bridge.run import NotNowError
from dorosim.bridge.tcp_step.result import result_of
from dorosim.bridge.tcp_step.situation import StepSituation
from dorosim.bridge.tcp_step.suites import Suites
from dorosim.ground.error import InputError
from dorosim.wire.message import Wire
from dorosim.wire.tcp_step.request import Empty, LoadSuite, ScenarioCommand, ScenarioControl
from dorosim.wire.tcp_step.response import (
    NamedScenarioStatus,
    ScenarioName,
    ScenarioState,
    ScenarioStatus,
    StepResult,
    SuiteStatus,
)
from dorosim.world.actor.command import PauseRun
from dorosim.world.snapshot import Snapshot


def active_suite(_: Empty, to: StepSituation) -> Wire:
    """The suite and its scenarios; all empty where none is loaded."""
    suites = to.suites
    names = tuple(ScenarioName(name=name) for name in suites.scenarios)
    return SuiteStatus(active_suite_name=suites.name, active_scenario_name=suites.active, scenario_list=names)


def load_suite(request: LoadSuite, to: StepSituation) -> Wire:
    """Load a suite."""
    to.suites.load(request.suite_path)
    return StepResult()


def scenario_status(_: Empty, to: StepSituation) -> Wire:
    """What the run does. It stops at its start, and is paused anywhere else."""
    state = state_of(to.at.now)
    if to.peer.newest:
        return NamedScenarioStatus(state=state, name=to.suites.active)
    # older clients know of no end
    return ScenarioStatus(state=ScenarioState.STOP if state is ScenarioState.COMPLETED else state)


def state_of(now: Snapshot) -> ScenarioState:
    """What a run does."""
    if now.storyboard_report.ended:
        return ScenarioState.COMPLETED
    if not now.paused:
        return ScenarioState.PLAY
    return ScenarioState.PAUSE if now.time else ScenarioState.STOP


def scenario_control(request: ScenarioControl, to: StepSituation) -> Wire | DeferredReply:
    """Play, pause or stop the run, or go to another scenario, which plays on if the one before did."""
    if request.command not in tuple(ScenarioCommand):
        problem = f"command {request.command} is not valid"
        raise InputError("ScenarioControl", "", problem, "use 1 play, 2 pause, 3 stop, 4 previous, 5 next")
    name, suites, runs = request.scenario_name, to.suites, to.at.host.runs
    if name and name not in suites.scenarios:
        known = ", ".join(suites.scenarios[:10]) or "none, for no suite is loaded"
        raise InputError("ScenarioControl", "", f"there is no scenario {name[:64]!r}", f"known are: {known}")
    state = state_of(to.at.now)
    if request.command in (ScenarioCommand.PREVIOUS, ScenarioCommand.NEXT):
        suites.choose(_neighbour(1 if request.command == ScenarioCommand.NEXT else -1, suites))
        if state is ScenarioState.PLAY:
            runs.restart((*suites.opening, PauseRun(paused=False)))
        return StepResult()
    chosen = bool(name) and name != suites.active
    if chosen:
        suites.choose(name)
    if request.command == ScenarioCommand.STOP:
        if not chosen:
            runs.restart((*suites.opening, PauseRun(paused=True)))
        return StepResult()
    if request.command == ScenarioCommand.PLAY and (chosen or state is ScenarioState.COMPLETED):
        runs.restart((*suites.opening, PauseRun(paused=False)))
        return StepResult()
    paused = request.command == ScenarioCommand.PAUSE

    def reply(_: Snapshot, outcome: ElementOutcome) -> Wire:
        return result_of("ScenarioControl", outcome, to)

    return reply_of((PauseRun(paused=paused),), reply)


def _neighbour(step: int, suites: Suites) -> str:
    """The scenario before or after the active one."""
    if suites.active not in suites.scenarios:
        raise NotNowError("no suite is loaded, so there is no scenario before or after")
    at = suites.scenarios.index(suites.active) + step
    if not 0 <= at < len(suites.scenarios):
        end = "last" if step > 0 else "first"
        raise InputError("ScenarioControl", "", f"{suites.active!r} is the {end} scenario", "name another one")
    return suites.scenarios[at]
