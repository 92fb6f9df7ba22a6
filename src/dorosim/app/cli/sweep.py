"""`dorosim sweep`: run thousands of cells of a plan, and make reports of them."""

from __future__ import annotations

import math
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from dorosim.app.cli.exit_code import ExitCode
from dorosim.app.cli.option import JsonOption
from dorosim.ground.error import InputError

if TYPE_CHECKING:
    from dorosim.app.sweep.plan import SweepPlan


class PlanOrCommand(TyperGroup):
    """A group whose first word may be a plan, which is run."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put `run` before what is no command."""
        if args and args[0] not in self.commands and args[0] not in ("-h", "--help"):
            args = ["run", *args]
        return super().parse_args(ctx, args)


sweep_app = typer.Typer(
    cls=PlanOrCommand,
    help="Run a plan of many cells: 'dorosim sweep plan.toml'; then report on them, and compare sweeps.",
    no_args_is_help=True,
)
PlanArgument = Annotated[Path, typer.Argument(metavar="PLAN", help="A plan (TOML), see docs/how-to/sweep.md.")]
StoreOption = Annotated[
    str | None,
    typer.Option(metavar="URL", help="Keep a copy there, and fetch it from there: s3://..., or any other of fsspec."),
]
FolderArgument = Annotated[Path, typer.Argument(metavar="DIR", help="The folder of a sweep.")]


@sweep_app.command("run")
def run(
    plan: PlanArgument,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="The folder of the sweep; the plan's name in sweeps/.")
    ] = None,
    workers: Annotated[int, typer.Option(metavar="N", min=0, help="Processes; 0: one for each core.")] = 0,
    ray: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Run on this Ray cluster; local: one on this machine.")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with a sweep: no finished cell is repeated.")] = False,
    store: StoreOption = None,
    json: JsonOption = False,
) -> None:
    """Run the cells of a plan that are not finished.

    Exit status 0: all pass. 1: a cell fails or is broken. 2: the plan or an option cannot be used, or the sweep pauses,
    as on a full disk. With --json progress is lines of JSON: {event, done, total, passed, failed, broken, why, rate_hz,
    left_s}; why the first that broke did so.
    """
    from dorosim.app.sweep.runner import SweepOptions, run_sweep
    from dorosim.app.sweep.store import SweepStore, stored
    from dorosim.app.sweep.worker_host import SweepPauseError
    from dorosim.ground.cores import usable_cores

    read = _plan(plan)
    folder = out or Path("sweeps") / read.name
    count = workers or usable_cores()
    options = SweepOptions(out=folder, workers=count, ray=ray, resume=resume, json=json)
    again = shlex.join(["dorosim", "sweep", str(plan), *(["--out", str(out)] if out else []), "--resume"])
    kept = None if store is None else SweepStore(store)
    if kept is not None:
        kept.begin(folder, plan.parent, resume=resume)
    try:
        with stored(kept, folder):
            found = run_sweep(read, plan.parent, options)
    except SweepPauseError as error:
        raise InputError(str(folder), "", f"the sweep pauses: {error}", f"go on with it: {again}") from None
    except KeyboardInterrupt:
        typer.echo(f"what is finished is kept; go on with it: {again}", err=True)
        raise
    if not json:
        counts = ", ".join(f"{count:,} {word}" for word, count in found.counts.items() if count)
        typer.echo(f"{found.done:,} cells: {counts}")
        if found.why:
            typer.echo(f"a broken one: {found.why}")
        typer.echo(f"report: dorosim sweep report {shlex.quote(str(folder))}")
    raise typer.Exit(ExitCode.OK if found.done == found.counts["pass"] else ExitCode.FOUND)


@sweep_app.command("check")
def check(plan: PlanArgument, json: JsonOption = False) -> None:
    """Print all that is wrong with a plan, with line and cure, or how many cells it has.

    As JSON: {cells, problems}.
    """
    from dorosim.app.run.report.json_output import print_json
    from dorosim.app.sweep.cell_source import source_of
    from dorosim.app.sweep.plan_file import plan_from_file

    read, problems = plan_from_file(plan)
    cells = 0 if read is None else source_of(read).total
    if json:
        print_json({"cells": cells, "problems": [str(one) for one in problems]})
    else:
        for one in problems:
            typer.echo(str(one))
        if read is not None:
            typer.echo(f"{plan}: {cells:,} cells, stack {read.stack.title}; nothing is wrong")
    raise typer.Exit(ExitCode.FOUND if problems else ExitCode.OK)


@sweep_app.command("again")
def again(
    folder: FolderArgument,
    number: Annotated[int, typer.Argument(metavar="CELL", help="Number of the cell.")],
    record: Annotated[Path | None, typer.Option(metavar="FILE", help="Record it.")] = None,
    trace: Annotated[Path | None, typer.Option(metavar="FILE", help="Write its trace, .csv or .mcap.")] = None,
    json: JsonOption = False,
) -> None:
    """Run one cell of a sweep again, and print its verdict.

    Exit status 0: it passes. 1: it fails, is broken, or comes to another end than before. As JSON: {row, same}.
    """
    from dorosim.app.run.report.json_output import print_json
    from dorosim.app.sweep.again import run_again

    row, same = run_again(folder, number, record, trace)
    if json:
        print_json({"row": row, "same": same})
    else:
        for one in row.criteria:
            value = "" if one["value"] is None else f" {one['value']:.4g}"
            typer.echo(f"  {'held' if one['held'] else 'FAILED'}: {one['title']}{value}")
        note = {None: "", True: "; as before, bit for bit", False: "; BEFORE IT CAME TO ANOTHER END"}[same]
        typer.echo(f"{row.verdict}: {row.why} ({row.time:.2f} s{note})")
    raise typer.Exit(ExitCode.OK if row.verdict == "pass" and same is not False else ExitCode.FOUND)


@sweep_app.command("report")
def report(
    folder: FolderArgument,
    worst: Annotated[bool, typer.Option("--worst/--no-worst", help="Run the worst cells again, and film them.")] = True,
    against: Annotated[Path | None, typer.Option(metavar="DIR", help="Compare with an earlier sweep.")] = None,
    store: StoreOption = None,
    json: JsonOption = False,
) -> None:
    """Write tables, JUnit XML, a page and files of the worst cells to DIR/report; also while the sweep runs.

    As JSON: {name, stack, free_running, cells, finished, passed, failed, broken, fail_rate, fail_rate_low,
    fail_rate_high, weighted, flaky, repeated, scenarios, least_margin, notes}.
    """
    from dorosim.app.run.report.json_output import print_json
    from dorosim.app.sweep.report.report import ReportOptions, write_report
    from dorosim.app.sweep.store import SweepStore

    kept = None if store is None else SweepStore(store)
    if kept is not None:
        kept.pull(folder)
    facts, notes = write_report(folder, ReportOptions(worst=worst, against=against))
    if kept is not None:
        kept.push(folder)
    if json:
        print_json(facts | {"notes": notes})
        return
    for note in notes:
        typer.echo(f"note: {note}")
    counts = f"{facts['passed']:,} pass, {facts['failed']:,} fail, {facts['broken']:,} broken"
    typer.echo(f"{facts['finished']:,} of {facts['cells']:,} cells: {counts}")
    typer.echo(f"wrote {folder / 'report' / 'index.html'}")


@sweep_app.command("compare")
def compare(
    before: Annotated[Path, typer.Argument(metavar="A", help="The folder of the first sweep.")],
    after: Annotated[Path, typer.Argument(metavar="B", help="The folder of the second sweep.")],
    max_new_failures: Annotated[int, typer.Option(metavar="N", min=0, help="Cells that may fail in B only.")] = 0,
    max_rise: Annotated[
        float | None, typer.Option(metavar="SHARE", help="The share that fails may rise by so much, such as 0.01.")
    ] = None,
    max_margin_drop: Annotated[
        float | None, typer.Option(metavar="MARGIN", help="The least margin may fall by so much.")
    ] = None,
    json: JsonOption = False,
) -> None:
    """Compare two sweeps: cells with the same scenario, values and seed, and rates with intervals.

    Exit status 0: B is within the limits. 1: it is not. 2: they have no cell in common, and no limit of all cells
    (--max-rise, --max-margin-drop) is given. As JSON: {common, only_before, only_after, new_failures,
    fixed, still, changed, rate_before, rate_after, rise, rise_low, rise_high, margin_before, margin_after, exceeded}.
    """
    from dorosim.app.run.report.json_output import print_json
    from dorosim.app.sweep.report.compare import CompareLimits, compare_lines, compare_sweeps
    from dorosim.app.sweep.report.report import read_table

    for name, limit in (("--max-rise", max_rise), ("--max-margin-drop", max_margin_drop)):
        if limit is not None and not math.isfinite(limit):
            raise InputError(name, "", f"{limit} is no limit", "give a finite number")
    limits = CompareLimits(new_failures=max_new_failures, rise=max_rise, margin_drop=max_margin_drop)
    found = compare_sweeps(read_table(before)[1], read_table(after)[1], limits)
    if json:
        print_json(found)
    else:
        for line in compare_lines(found):
            typer.echo(line)
    raise typer.Exit(ExitCode.FOUND if found["exceeded"] else ExitCode.OK)


def _plan(path: Path) -> SweepPlan:
    """A plan of which nothing is wrong.

    Raises:
        InputError: something is; of several things all are printed.
    """
    from dorosim.app.sweep.plan_file import plan_from_file

    found, problems = plan_from_file(path)
    if found is not None:
        return found
    if len(problems) == 1:
        raise problems[0]
    for one in problems:
        print(one, file=sys.stderr)  # noqa: T201
    raise InputError(str(path), "", f"{len(problems)} things are wrong, see above", "correct them")
