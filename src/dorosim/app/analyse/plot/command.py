"""What `dorosim plot` does."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console

from dorosim.app.analyse.plot.panel import check_names
from dorosim.app.analyse.plot.run_plot import plot_of
from dorosim.app.analyse.trace.line import read_line
from dorosim.app.analyse.trace.progress import watched
from dorosim.app.analyse.trace.recorded import Recorded, open_recording
from dorosim.app.analyse.trace.summary import Figures, summary_lines, summary_of
from dorosim.app.analyse.trace.trace import Trace, trace_of
from dorosim.app.run.report.json_output import json_line
from dorosim.app.store.picture_file import DRAWINGS, check_drawing, save_figure
from dorosim.ground.error import one_line


def plot_recording(
    file: Path,
    out: Path | None,
    actor: int,
    reference: str,
    only: str | None,
    begin: float | None,
    end: float | None,
    part: int | None,
    map_name: str | None,
    data: Path | None,
    *,
    json: bool,
    quiet: bool,
) -> None:
    """Draw a recording and print its figures; arguments as of the command.

    Raises:
        InputError: an argument or a file cannot be used, or the extra `plot` is missing.
    """
    names = () if only is None else tuple(name.strip() for name in only.split(",") if name.strip())
    check_names(names)
    if out is None and not json:
        out = Path(f"{file.name}.png") if file.suffix != ".rec" else Path(file.name).with_suffix(".png")
    if out is not None:
        check_drawing(out, *DRAWINGS, ".html")
    line = None if reference == "auto" else read_line(Path(reference))
    recorded = open_recording(file, map_name, data, part)
    watch = watched(recorded, "running it again", end, quiet=quiet)
    trace = trace_of(recorded, actor, begin=begin, end=end, reference=line, watch=watch)
    figures = summary_of(trace)
    if out is not None:
        plot = plot_of(trace, recorded.ready.scene.network, title_of(recorded, trace), names, line)
        if out.suffix == ".html":
            from dorosim.app.analyse.plot.page import page_of, write_page

            write_page(page_of(plot), out)
        else:
            from dorosim.app.analyse.plot.picture import draw_picture

            save_figure(draw_picture(plot), out)
    _print(Console(highlight=False), figures, out, json=json, quiet=quiet)


def title_of(recorded: Recorded, trace: Trace) -> str:
    """The recording, the vehicle, and what its run was given."""
    kind = "ego vehicle" if trace.state is not None else "vehicle"
    header = recorded.header
    run = f"map {recorded.ready.scene.map_name}, seed {header.seed}"
    return f"{recorded.path.name}: {kind} {trace.actor}, {trace.model}, {run}"


def _print(console: Console, figures: Figures, out: Path | None, *, json: bool, quiet: bool) -> None:
    if json:
        console.file.write(json_line(figures))
        return
    if quiet:
        return
    for name, value in summary_lines(figures):
        console.print(one_line(f"{name}: {value}"), markup=False, soft_wrap=True)
    for note in figures["notes"]:
        console.print(one_line(f"notice: {note}"), style="yellow", markup=False, soft_wrap=True)
    console.print(one_line(f"drawn: {out}"), markup=False, soft_wrap=True)
