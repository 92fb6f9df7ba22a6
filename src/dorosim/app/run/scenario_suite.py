"""Runs scenario files, all their variations, and gives each a verdict."""

from __future__ import annotations

import math
import shlex
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

import msgspec

from dorosim.app.run.build import MAX_SEED
from dorosim.app.run.scenario_case import ScenarioCase, cases_of, checked_variation
from dorosim.app.run.scenario_criteria import CriteriaOptions, judge_of
from dorosim.app.run.scenario_interface import StackOptions
from dorosim.app.run.scenario_judged import MAX_JOURNAL, JudgedRun, TickTaker, VerdictWatch, run_judged
from dorosim.app.run.scenario_ready import ready_scenario
from dorosim.app.run.scenario_record import check_folder, recorded
from dorosim.app.run.scenario_run import DEFAULT_STEP, DEFAULT_TIME_LIMIT, RunTick, quick_ticks, world_ticks
from dorosim.app.run.scenario_trace import trace_of
from dorosim.app.run.stack_program import words_of
from dorosim.app.setting.storyboard import StoryboardSettings
from dorosim.ground.error import InputError, reason_of
from dorosim.ground.noise import Noise
from dorosim.scenario.criterion.criterion import Criterion
from dorosim.scenario.criterion.judge import CriterionResult, VerdictWord
from dorosim.scenario.criterion.world_moment import WorldSight

MIN_STEP, MAX_STEP = 0.001, 0.1
"""Bounds of the length of a tick [s]."""
MAX_TIME_LIMIT = 86_400.0
DEFAULT_STEP_S = DEFAULT_STEP * 1e-9
STACKS = ("udp", "ros", "grpc")
"""Values of `SuiteOptions.ego` by which a program drives."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteOptions:
    """What all runs have in common.

    Attributes:
        data: the data folder. data_given: whether a user named it.
        allow: further folders in which files may be opened.
        parameters: values of parameters, by name.
        variation: number of the one to run, "all", or "".
        seed: of values that are drawn.
        step: length of a tick [s]. time_limit: [simulated s].
        map_name: the map, None for that of each file.
        ego: who moves the ego vehicle: "default", "dynamics", "driver", "udp", "ros" or "grpc".
        ego_name: of the entity that is judged, and is the ego vehicle; "" for the usual one.
        stack: how a program drives it, where one does.
        record: folder for recordings, None for none.
        criteria: those that were given.
        trace: where traces are written, None for nowhere. junit: the same of verdicts.
    """

    data: Path
    data_given: bool = False
    allow: Sequence[Path] = ()
    parameters: Mapping[str, str] = field(default_factory=dict)
    variation: str = ""
    seed: int = 0
    step: float = DEFAULT_STEP_S
    time_limit: float = DEFAULT_TIME_LIMIT
    map_name: str | None = None
    ego: str = "default"
    ego_name: str = ""
    stack: StackOptions = field(default_factory=StackOptions)
    record: Path | None = None
    criteria: CriteriaOptions = field(default_factory=CriteriaOptions)
    trace: Path | None = None
    junit: Path | None = None

    def check(self) -> tuple[Criterion, ...]:
        """Look at all that can be seen before a run begins. Returns the criteria.

        Raises:
            InputError: something is out of bounds, or a file cannot be written.
        """
        if not MIN_STEP <= self.step <= MAX_STEP:
            problem = f"is not from {MIN_STEP:g} to {MAX_STEP:g} s"
            raise InputError(f"--step {self.step:g}", "", problem, "give one such as 0.01")
        if not (math.isfinite(self.time_limit) and 0.0 < self.time_limit <= MAX_TIME_LIMIT):
            problem = f"is not more than 0 and at most {MAX_TIME_LIMIT:g} s"
            raise InputError(f"--time-limit {self.time_limit:g}", "", problem, "give one such as 300")
        checked_variation(self.variation)
        if not 0 <= self.seed <= MAX_SEED:
            raise InputError(f"--seed {self.seed}", "", f"is not from 0 to {MAX_SEED}", "give one such as 7")
        alone = self.stack.only_for_programs()
        if alone and self.ego not in STACKS:
            raise InputError(alone, "", "no program drives the ego vehicle", "add --ego udp, ros or grpc")
        words_of(self.stack.command)
        self.stack.interfaces()
        if self.stack.ports not in ("fixed", "auto"):
            raise InputError(f"--ports {self.stack.ports}", "", "is neither fixed nor auto", "give one of these")
        if self.record is not None:
            check_folder(self.record)
        for path in (self.trace, self.junit):
            if path is not None:
                check_writable(path)
        return self.criteria.criteria()

    def again(self, case: ScenarioCase) -> str:
        """The command that does a run again."""
        words = ["dorosim", "scenario", "run", case.given]
        for name, value in self.parameters.items():
            words += ["--param", f"{name}={value}"]
        if case.variation or self.variation:
            words += ["--variation", str(case.variation or self.variation)]
        if self.seed:
            words += ["--seed", str(self.seed)]
        if self.step != DEFAULT_STEP_S:
            words += ["--step", repr(self.step)]
        if self.time_limit != DEFAULT_TIME_LIMIT:
            words += ["--time-limit", f"{self.time_limit:g}"]
        if self.map_name is not None:
            words += ["--map", self.map_name]
        if self.ego != "default":
            words += ["--ego", self.ego, *self.stack.arguments()]
        if self.ego_name:
            words += ["--ego-name", self.ego_name]
        for folder in self.allow:
            words += ["--allow", str(folder)]
        if self.data_given:
            words += ["--data", str(self.data)]
        return shlex.join([*words, *self.criteria.arguments()])


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseResult:
    """A run and its verdict.

    Attributes:
        given: the file as the user named it. source: the file of the scenario. title: the file and its variation.
        variation: its number, 0 for none. values: parameters that it sets.
        verdict: what it has come to. why: in words.
        time: of the end [s since the storyboard's start]. wall: how long it took [s].
        criteria: what became of those that were given.
        about: what the file says of itself, by name: author, date, description, licence and free properties.
        notes: what of the file has no effect. journal: what the storyboard wrote.
        files: that were written.
        again: the command that does it again.
        could_run: whether it began at all.
    """

    given: str
    source: str
    title: str
    variation: int
    values: Mapping[str, str]
    verdict: VerdictWord
    why: str
    time: float = 0.0
    wall: float = 0.0
    criteria: tuple[CriterionResult, ...] = ()
    about: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    journal: Sequence[str] = ()
    files: Sequence[str] = ()
    again: str = ""
    could_run: bool = True

    @property
    def line(self) -> str:
        """The verdict as a line."""
        when = f" ({self.time:.2f} s, {self.title})" if self.could_run else ""
        return f"{self.verdict}: {self.why}{when}"


def run_suite(files: Sequence[str], options: SuiteOptions) -> Iterator[CaseResult]:
    """Run files one after the other.

    A file that cannot be run is broken, and the others are run all the same.

    Raises:
        InputError: an option cannot be used.
    """
    criteria = options.check()
    several = len(files) > 1
    written = 0
    for given in files:
        cases = _cases(given, options)
        first = next(cases, None)
        second = next(cases, None)
        for case in _chain(first, second, cases):
            if isinstance(case, CaseResult):
                yield case
                continue
            written += 1
            number = written if several or second is not None else 0
            yield _run_case(case, options, criteria, number)


def _chain(
    first: ScenarioCase | CaseResult | None,
    second: ScenarioCase | CaseResult | None,
    rest: Iterable[ScenarioCase | CaseResult],
) -> Iterator[ScenarioCase | CaseResult]:
    """All cases in order; variations are not made before they are run."""
    for one in (first, second):
        if one is not None:
            yield one
    yield from rest


def _cases(given: str, options: SuiteOptions) -> Iterator[ScenarioCase | CaseResult]:
    """The runs of a file; a result in the place of those that cannot be had."""
    wanted = checked_variation(options.variation)
    try:
        yield from cases_of(given, options.data, options.allow, options.parameters, wanted, options.seed)
    except InputError as error:
        yield _broken(ScenarioCase(given=given, source=given), options, error)


def _broken(case: ScenarioCase, options: SuiteOptions, error: InputError) -> CaseResult:
    """The result of a run that cannot begin."""
    return CaseResult(
        given=case.given,
        source=case.source,
        title=case.title,
        variation=case.variation,
        values=case.values,
        verdict=VerdictWord.BROKEN,
        why=str(error),
        again=options.again(case),
        could_run=False,
    )


def _run_case(case: ScenarioCase, options: SuiteOptions, criteria: tuple[Criterion, ...], number: int) -> CaseResult:
    """Do one run. `number` is that of its trace, 0 where it is the only one."""
    begin = time.perf_counter()
    try:
        given = case.source if case.variation else case.given
        ready = ready_scenario(
            given,
            options.data,
            _allowed(case, options),
            case.parameters,
            map_name=options.map_name,
            ego=options.ego,
            ego_name=options.ego_name,
            seed=options.seed,
        )
        judge, ego = judge_of(ready.program, criteria, options.ego_name)
        world = ready.world(round(options.step * 1e9))
        watch = VerdictWatch(ready.program, judge, WorldSight(ready.program, world.scene, ego))
        trace = None if options.trace is None else trace_of(ready.program, _numbered(options.trace, number))
        takers: tuple[TickTaker, ...] = () if trace is None else (trace,)
        if options.ego in STACKS:
            run = run_stack(case, options, watch, takers, number)
        else:
            with recorded(_recording(case, options, number), ready, world) as recorder:
                takers = takers if recorder is None else (*takers, recorder)
                noise, limit = Noise(ready.seed), options.time_limit
                ticks = world_ticks(world, noise, limit) if takers else quick_ticks(world, noise, limit, [watch.track])
                run = run_judged(watch, ticks, limit, takers)
        record = _recording(case, options, number)
        written = [*(() if trace is None else trace.write()), *(() if record is None else (record,))]
    except InputError as error:
        return replace(_broken(case, options, error), wall=time.perf_counter() - begin)
    return CaseResult(
        given=case.given,
        source=ready.source,
        title=case.title,
        variation=case.variation,
        values=case.values,
        verdict=run.verdict,
        why=run.why,
        time=run.time,
        wall=time.perf_counter() - begin,
        criteria=run.criteria,
        about=ready.opened.about,
        notes=ready.program.notes,
        journal=run.journal,
        files=tuple(map(str, written)),
        again=options.again(case),
    )


def run_stack(
    case: ScenarioCase, options: SuiteOptions, watch: VerdictWatch, takers: Sequence[TickTaker], number: int
) -> JudgedRun:
    """One run whose ego vehicle a program drives; `number` is that of its recording, 0 where it is the only one.

    Raises:
        InputError: a setting, file or address cannot be used.
    """
    from dorosim.app.run.scenario_stack import run_with_stack

    stack = options.stack
    usual = "max" if stack.lockstep else "realtime"
    record = _recording(case, options, number)
    interfaces = stack.interfaces()
    settings = msgspec.structs.replace(
        interfaces.settings,
        scenario=case.source,
        map=options.map_name or interfaces.settings.map,
        data=str(options.data),
        tick_ms=options.step * 1e3,
        seed=options.seed,
        duration=options.time_limit,
        speed=usual if stack.speed is None else stack.speed,
        port_offset=stack.port_offset,
        ports=cast("Any", stack.ports),
        record=None if record is None else str(record),
        storyboard=StoryboardSettings(
            parameters=dict(case.parameters),
            ego=cast("Any", options.ego),
            ego_name=options.ego_name,
            lockstep=stack.lockstep,
            allow=tuple(map(str, _allowed(case, options))),
        ),
    )

    def look(tick: RunTick) -> bool:
        for one in takers:
            one.add(tick)
        return watch.look(tick)

    lines: list[str] = []
    given = interfaces.given if options.map_name is None else {*interfaces.given, "map"}
    broken = run_with_stack(settings, given, look, lines.append, stack)
    run = watch.result(options.time_limit)
    told = [line for line in lines if not line.startswith("scenario: ")]  # the watch has those already
    run.journal += told[: max(MAX_JOURNAL - len(run.journal), 0)]
    if broken:
        run.verdict, run.why = VerdictWord.BROKEN, broken
    return run


def _recording(case: ScenarioCase, options: SuiteOptions, number: int) -> Path | None:
    """The file of the recording of a run; None for none."""
    if options.record is None:
        return None
    return _numbered(options.record / f"{Path(case.source).stem}.rec", number)


def _allowed(case: ScenarioCase, options: SuiteOptions) -> Sequence[Path]:
    """Folders in which a run may open files: a variation's scenario has those of the file that names it, too."""
    return (*options.allow, Path(case.given).parent) if case.variation and Path(case.given).is_file() else options.allow


def _numbered(path: Path, number: int) -> Path:
    """The file of a run among several."""
    return path.with_name(f"{path.stem}-{number}{path.suffix}") if number else path


def check_writable(path: Path) -> None:
    """Look whether a file can be written, before hours are spent on what it is for.

    Raises:
        InputError: it cannot.
    """
    cure = "give a place where files can be written"
    if path.is_dir():
        raise InputError(str(path), "", "cannot be written: it is a folder", cure)
    there = path.exists()
    try:
        with path.open("ab"):
            pass
    except (OSError, ValueError) as error:
        raise InputError(str(path), "", f"cannot be written: {reason_of(error)}", cure) from None
    if not there:
        with suppress(OSError):
            path.unlink()
