"""Files of the worst cells: each is run again, recorded, drawn and filmed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from dorosim.app.run.report.progress import counted
from dorosim.app.sweep.cell_result import CellFiles
from dorosim.app.sweep.cell_run import CellRunner
from dorosim.app.sweep.report.summary import worst_lines
from dorosim.app.sweep.report.table import WRITE_CURE, SweepTable
from dorosim.app.sweep.sweep_folder import SweepFolder
from dorosim.ground.error import DorosimError, reason_of
from dorosim.recording.whole_file import OutputError

VIDEO_SIZE = (640, 360)
_FPS = 15


def write_worst(folder: SweepFolder, table: SweepTable, notes: list[str]) -> dict[int, list[str]]:
    """Write recording, MCAP trace, plot and video of the worst cells.

    Args:
        folder: of the sweep.
        table: of its cells.
        notes: takes what could not be made.

    Returns:
        The files by the cells' numbers, relative to the page.

    Raises:
        OutputError: the folder cannot be written.
    """
    report = folder.path / "report"
    try:
        (report / "worst").mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(str(report), "", f"cannot be written: {reason_of(error)}", WRITE_CURE) from None
    runner, found = CellRunner(table.plan, folder.base, folder.path), dict[int, list[str]]()
    lines = worst_lines(table, table.plan.keep.worst)
    for line in counted(lines, lambda: len(lines), "running the worst cells again"):
        stem = report / "worst" / f"cell-{line.row.cell.number}"
        record, trace = stem.with_suffix(".rec"), stem.with_suffix(".mcap")
        row = runner.run(line.row.cell, CellFiles(record=record, trace=trace))
        if row.verdict != line.row.verdict:
            notes.append(f"cell {line.row.cell.number} came to another end as it was run again: {row.verdict}")
        made = [one for one in (record, trace) if one.is_file()]
        if record.is_file():
            made += _pictures(record, stem, notes, video=table.plan.keep.video)
        found[line.row.cell.number] = [str(one.relative_to(report)) for one in made]
    return found


def _pictures(record: Path, stem: Path, notes: list[str], *, video: bool) -> Iterator[Path]:
    """Draw and film a recording; what cannot be made is noted once."""
    makers = [(_draw, stem.with_suffix(".png"))] + ([(_film, stem.with_suffix(".mp4"))] if video else [])
    for make, out in makers:
        try:
            make(record, out)
        except (DorosimError, ImportError) as error:
            note = f"{out.suffix} files: {error}"
            if not any(one.startswith(f"{out.suffix} files") for one in notes):
                notes.append(note)
            continue
        with suppress(OSError):
            if out.stat().st_size:
                yield out


def _draw(record: Path, out: Path) -> None:
    from dorosim.app.analyse.plot.picture import draw_picture
    from dorosim.app.analyse.plot.run_plot import plot_of, title_of
    from dorosim.app.analyse.trace.recorded import open_recording, watched
    from dorosim.app.analyse.trace.trace import trace_of
    from dorosim.app.store.picture_file import save_figure

    recorded = open_recording(record, None, None, None)
    watch = watched(recorded, "running it again", None, quiet=True)
    trace = trace_of(recorded, 1, watch=watch)
    plot = plot_of(trace, recorded.ready.scene.network, title_of(recorded, trace), (), None)
    save_figure(draw_picture(plot), out)


def _film(record: Path, out: Path) -> None:
    from dorosim.app.analyse.trace.recorded import open_recording, watched
    from dorosim.app.analyse.video.shot import VideoShot, make_video

    recorded = open_recording(record, None, None, None)
    shot = VideoShot(view="chase", actor=1, fps=_FPS, size=VIDEO_SIZE)
    make_video(recorded, out, shot, watched(recorded, "making the video", None, quiet=True))
