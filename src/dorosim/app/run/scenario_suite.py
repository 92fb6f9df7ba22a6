"""Runs scenario files, all their variations, and gives each a verdict."""

from __future__ import annotations

import math
import shlex
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from dorosim.app.run.scenario_case import ScenarioCase, cases_of, checked_variation
from dorosim.app.run.scenario_criteria import CriteriaOptions, judge_of
from dorosim.app.run.scenario_judged import run_judged
from dorosim.app.run.scenario_ready import ready_scenario
from dorosim.app.run.scenario_run import DEFAULT_STEP, DEFAULT_TIME_LIMIT, ticks_of
from dorosim.app.run.scenario_trace import trace_of
from dorosim.ground.error import InputError, reason_of
from dorosim.scenario.criterion.criterion import Criterion
from dorosim.scenario.criterion.judge import CriterionResult, VerdictWord

MIN_STEP, MAX_STEP = 0.001, 0.1
"""Bounds of the length of a tick [s]."""
MAX_TIME_LIMIT = 86_400.0
DEFAULT_STEP_S = DEFAULT_STEP * 1e-9


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
        ego_name: of the entity that is judged, "" for the usual one.
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
    ego_name: str = ""
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
        for path in (self.trace, self.junit):
            if path is not None:
                check_writable(path)
        return self.criteria.criteria()

    def again(self, case: ScenarioCase) -> str:
        """The command that does a run again."""
        words = ["dorosim", "scenario", "run", case.given]
        for name, value in self.parameters.items():
            words += ["--param", f"{name}={value}"]
        if case.variation:
            words += ["--variation", str(case.variation)]
        if self.seed:
            words += ["--seed", str(self.seed)]
        if self.step != DEFAULT_STEP_S:
            words += ["--step", repr(self.step)]
        if self.time_limit != DEFAULT_TIME_LIMIT:
            words += ["--time-limit", f"{self.time_limit:g}"]
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
        notes: what of the file has no effect. journal: what the storyboard wrote.
        trace: files that were written.
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
    notes: tuple[str, ...] = ()
    journal: Sequence[str] = ()
    trace: Sequence[str] = ()
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
        ready = ready_scenario(given, options.data, _allowed(case, options), case.parameters)
        judge, ego = judge_of(ready.program, criteria, options.ego_name)
        trace = None if options.trace is None else trace_of(ready.program, _numbered(options.trace, number))
        ticks = ticks_of(ready.program, round(options.step * 1e9), options.time_limit)
        run = run_judged(ready.program, judge, ego, ticks, options.time_limit, () if trace is None else (trace,))
        written = () if trace is None else trace.write()
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
        notes=ready.program.notes,
        journal=run.journal,
        trace=tuple(map(str, written)),
        again=options.again(case),
    )


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
