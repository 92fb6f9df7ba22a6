"""`dorosim plot`: draw the data of a vehicle in a recording."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dorosim.app.cli.option import BeginOption, DataOption, EndOption, MovedMapOption, PartOption, QuietOption

if TYPE_CHECKING:
    from dorosim.app.analyse.plot.run_plot import RunPlot


def plot(
    file: Annotated[Path, typer.Argument(metavar="RECORDING", help="As 'dorosim run --record FILE' wrote it.")],
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE", help="A .png, .svg or .html file; the recording's name with .png."),
    ] = None,
    actor: Annotated[int, typer.Option(metavar="ID", help="Vehicle of any kind; the ego vehicle.")] = 1,
    reference: Annotated[
        str, typer.Option(metavar="FILE.csv|auto", help="Line for the cross-track error; auto: trajectory or lane.")
    ] = "auto",
    only: Annotated[
        str | None, typer.Option(metavar="NAME,...", help="Draw these only; a wrong name lists the right ones.")
    ] = None,
    begin: BeginOption = None,
    end: EndOption = None,
    part: PartOption = None,
    json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON; draw only with --out.")] = False,
    map_name: MovedMapOption = None,
    data: DataOption = None,
    quiet: QuietOption = False,
) -> None:
    """Draw path, speed, pedals, accelerations, distances and more of a recording, and sum them up.

    Needs the extra `plot`. An .html file is one page on its own, to zoom in and read values off.
    """
    from rich.console import Console

    from dorosim.app.analyse.plot.panel import check_names
    from dorosim.app.analyse.plot.run_plot import plot_of, title_of
    from dorosim.app.analyse.trace.line import read_line
    from dorosim.app.analyse.trace.recorded import open_recording, watched
    from dorosim.app.analyse.trace.summary import summary_lines, summary_of
    from dorosim.app.analyse.trace.trace import trace_of
    from dorosim.app.run.report.console import print_line, print_notices
    from dorosim.app.run.report.json_output import json_line
    from dorosim.app.setting.override import names_from_text
    from dorosim.app.store.picture_file import DRAWINGS, check_drawing

    names = names_from_text(only or "")
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
        _draw(plot_of(trace, recorded.ready.scene.network, title_of(recorded, trace), names, line), out)
    console = Console(highlight=False)
    if json:
        console.file.write(json_line(figures))
    elif not quiet:
        for name, value in summary_lines(figures):
            print_line(console, f"{name}: {value}")
        print_notices(console, figures["notes"])
        print_line(console, f"drawn: {out}")


def _draw(plot: RunPlot, out: Path) -> None:
    """Draw a run to a file of any kind."""
    if out.suffix == ".html":
        from dorosim.app.analyse.plot.page import page_of, write_page

        write_page(page_of(plot), out)
    else:
        from dorosim.app.analyse.plot.picture import draw_picture
        from dorosim.app.store.picture_file import save_figure

        save_figure(draw_picture(plot), out)
