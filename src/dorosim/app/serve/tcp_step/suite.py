"""The suite that clients of the fixed step have loaded: its scenarios as runs, and where their projects send data."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

from dorosim.app.run.session import RunContext, open_session
from dorosim.app.serve.run_services import ServiceHost
from dorosim.app.serve.tcp_step.agent import ProjectAgents
from dorosim.app.serve.tcp_step.interface import ProjectOutputs, outputs_of_project
from dorosim.app.setting.settings import Settings
from dorosim.app.store.suite import Suite, SuiteScenario, find_suite, open_suite
from dorosim.bridge.actor import names_of
from dorosim.bridge.tcp_step.name import StepNames
from dorosim.ground.error import InputError
from dorosim.world.actor.command import PauseRun
from dorosim.world.command import Command
from dorosim.world.snapshot import NO_ACTOR, Snapshot
from dorosim.world.vehicle.command import ChangeLimits

USED_DYNAMICS = frozenset({"ObjectName", "vehicleSetup.mass", "axle1.maxSteerAngle"})
"""What of DynamicsCustomData is used (`limits_of_project`)."""
MAX_NOTES = 12
"""Lines that are shown about a project."""


class HostSuites:
    """The suite; see `dorosim.bridge.tcp_step.suites.Suites`.

    Args:
        context: what all runs share.
        service_host: the program around the world.
        use: takes where the data of a project goes.
    """

    def __init__(
        self,
        context: RunContext,
        service_host: ServiceHost,
        use: Callable[[ProjectOutputs], None],
    ) -> None:
        # those of a run that is not there yet: its port offset is not in its addresses
        self._settings = settings = service_host.runs.settings
        self._context, self._host, self._use = context, service_host, use
        more = (Path(one).expanduser() for one in settings.tcp_step.suites)
        self._folders = (context.data / "Scenario", *more)
        self._suite = Suite("", ())
        self._active = ""
        self._opening: Sequence[Command] = ()
        self._agents = ProjectAgents()
        self._begins = False

    @property
    def name(self) -> str:
        """Of the suite, "" for none."""
        return self._suite.name

    @property
    def scenarios(self) -> tuple[str, ...]:
        """Names of its scenarios, in order."""
        return tuple(one.name for one in self._suite.scenarios)

    @property
    def active(self) -> str:
        """Name of the scenario that is the present run, "" for none."""
        return self._active

    @property
    def opening(self) -> Sequence[Command]:
        """What the project says of its vehicles, for the first tick of a run that begins again."""
        return self._opening

    def due(self, now: Snapshot) -> list[Command]:
        """What the project asks of its vehicles after a snapshot; see `ProjectAgents.due`."""
        return self._agents.due(now)

    def load(self, path: str) -> None:
        """Read a suite, and let its first scenario be the run, which stands at its start.

        Raises:
            InputError: it cannot be; the present run goes on.
        """
        suite = open_suite(find_suite(path, self._folders))
        self._begin(suite.scenarios[0])
        self._suite = suite

    def choose(self, name: str) -> None:
        """Let another scenario of the suite be the run, which stands at its start.

        Raises:
            InputError: there is none of this name, or it cannot be; the present run goes on.
        """
        for one in self._suite.scenarios:
            if one.name == name:
                self._begin(one)
                return
        raise InputError("suite", "", f"there is no scenario {name!r}", f"known are: {', '.join(self.scenarios[:10])}")

    def serve(self) -> None:
        """A run is about to begin: if it is none of the suite, no scenario is active, and its project asks nothing."""
        if self._active and not self._begins:
            self._active, self._opening, self._agents = "", (), ProjectAgents()
            self._use(ProjectOutputs())

    def _begin(self, one: SuiteScenario) -> None:
        """Let a scenario be the run."""
        outputs = outputs_of_project(one.file, one.project, self._settings.port_offset)
        runs, switch = self._host.runs, self._host.switch
        given = frozenset({"map"} & set(self._context.given))
        settings = runs.written_apart(self._settings_of(one))
        context = replace(self._context, given=given)
        with switch.asking:
            sockets = switch.current.session.endpoint.sockets
            self._begins = True
            try:
                runs.switch_to(lambda: open_session(settings, context, sockets, (PauseRun(paused=True),)))
            finally:
                self._begins = False
        self._active = one.name
        self._use(outputs)
        current = switch.current
        self._agents = ProjectAgents(_rows(one, "AgentModels"), current.loop.now)
        self._opening = (*limits_of_project(one, current.loop.now), *self._agents.opening)
        current.gateway.do(self._opening)
        notes = [*outputs.notes, *kept_of_project(one), *self._agents.notes, *current.session.opening.notices]
        runs.report("scenario loaded", f"{one.name} of {one.file}", notes[:MAX_NOTES])

    def _settings_of(self, one: SuiteScenario) -> Settings:
        played = self._settings.storyboard
        if played.ego == "default":
            played = msgspec.structs.replace(played, ego="tcp")
        return msgspec.structs.replace(
            self._settings,
            scenario=f"{one.file}::{one.scenario}",
            sensors=str(one.file) if one.project.sensors else self._settings.sensors,
            storyboard=played,
            from_snapshot=None,
        )


def limits_of_project(one: SuiteScenario, now: Snapshot) -> Sequence[Command]:
    """What a project says of its vehicles that dorosim does: their mass, and their largest wheel angle."""
    names, found = StepNames(now, names_of(now)), list[Command]()
    for row in _rows(one, "DynamicsCustomData"):
        actor = names.actor_of(str(row.get("ObjectName", "")))
        if actor == NO_ACTOR or now.row_of(actor) < 0:
            continue
        mass = _number(row.get("vehicleSetup"), "mass")
        steer = _number(row.get("axle1"), "maxSteerAngle")
        if mass or steer:
            found.append(ChangeLimits(actor, mass=mass, max_steer=math.radians(steer) if steer else None))
    return found


def kept_of_project(one: SuiteScenario) -> list[str]:
    """What a project says that is kept in its file and changes nothing here, one line each."""
    notes = []
    for row in _rows(one, "DynamicsCustomData"):
        keys = sorted(_keys(row) - USED_DYNAMICS)
        if keys:
            notes.append(f"DynamicsCustomData of {row.get('ObjectName')}: {', '.join(keys)} are kept and not used")
    return notes


def _keys(row: dict[str, Any]) -> set[str]:
    """The keys of an object, those of the objects in it behind theirs."""
    inner = {key: value for key, value in row.items() if isinstance(value, dict)}
    return {f"{key}.{one}" for key, value in inner.items() for one in value} | (row.keys() - inner.keys())


def _rows(one: SuiteScenario, key: str) -> list[dict[str, Any]]:
    """The objects of a list of a project that its record does not list."""
    rows = (one.project.kept or {}).get(key)
    return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []


def _number(tree: Any, key: str) -> float | None:
    """A number above 0 of an object, None where there is none."""
    value = tree.get(key) if isinstance(tree, dict) else None
    usable = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value) and value > 0
    return float(value) if usable and value is not None else None
