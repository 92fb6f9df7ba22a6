"""The page of a sweep: one HTML file that needs nothing else, of at most 10 MB however many cells there are."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

import numpy as np

from dorosim import __version__
from dorosim.app.sweep.cell import CellLine, again_line, title_of
from dorosim.app.sweep.report.figure import COLOURS, bars, curve, heat_map
from dorosim.app.sweep.report.html_table import TABLE_STYLE, table_of_facts, table_with_head
from dorosim.app.sweep.report.interval import rate_of
from dorosim.app.sweep.report.summary import worst_lines
from dorosim.app.sweep.report.table import MEASURE, PARAMETER, Columns, SweepTable
from dorosim.ground.column import FloatArray

MAX_FAILURES = 500
"""Failures that the page lists; `failures.txt` has all."""
MAX_MAPS = 10
WORDS = ("pass", "fail", "broken")
FILE_NAMES = {".rec": "recording", ".mcap": "MCAP", ".png": "plot", ".mp4": "video"}
"""What the files of a cell are called, by how their names end."""
_STYLE = f"""body{{font:15px/1.5 system-ui,sans-serif;margin:2em auto;max-width:1180px;padding:0 1em;color:#222}}
h1{{font-size:1.5em}}h2{{font-size:1.15em;border-bottom:1px solid #ddd;margin-top:2em}}
svg{{margin:4px;background:#fafafa;max-width:calc(100% - 8px);height:auto}}
svg text{{font:11px system-ui,sans-serif;fill:#444}}svg .t{{font-weight:600}}
code{{font-size:12px;background:#f3f3f3;padding:1px 4px}}\
.fail{{color:#c8443c}}.broken{{color:#777}}.pass{{color:#2e7d50}}
.key{{white-space:nowrap;margin-right:1.2em}}.key i{{display:inline-block;width:.8em;height:.8em;margin-right:.4em}}
{TABLE_STYLE}"""
_VIEWPORT = '<meta name="viewport" content="width=device-width, initial-scale=1">'


def page_of_sweep(
    table: SweepTable,
    facts: Mapping[str, Any],
    folder: Path,
    files: Mapping[int, Sequence[str]],
    comparison: Sequence[str] = (),
) -> str:
    """The page.

    Args:
        table: of the cells.
        facts: of `summary_of`.
        folder: of the sweep.
        files: of the worst cells, by their numbers, beside the page.
        comparison: lines of the comparison with another sweep.
    """
    body = [
        f"<h1>{escape(str(facts['name']))}</h1>",
        _overview(facts),
        _scenarios(facts),
        *(["<h2>Comparison</h2><ul>", *(f"<li>{escape(one)}</li>" for one in comparison), "</ul>"] * bool(comparison)),
        *_figures(table),
        _worst(table, folder, files),
        _failures(table, folder),
        f"<p>Made by dorosim {escape(__version__)}.</p>",
    ]
    title = f"<title>{escape(str(facts['name']))}</title>"
    head = f'<meta charset="utf-8">{_VIEWPORT}{title}<style>{_STYLE}</style>'
    return f'<!DOCTYPE html><html lang="en"><head>{head}</head><body>{"".join(body)}</body></html>\n'


def _overview(facts: Mapping[str, Any]) -> str:
    """What it has come to."""
    judged = facts["passed"] + facts["failed"]
    rows = [
        ("stack", facts["stack"] + (" (free-running: nothing repeats bit for bit)" if facts["free_running"] else "")),
        ("cells", f"{facts['finished']:,} of {facts['cells']:,} finished"),
        ("verdicts", f"{facts['passed']:,} pass, {facts['failed']:,} fail, {facts['broken']:,} broken"),
        ("share that fails", f"{rate_of(facts['failed'], judged).text}, 95 % interval" if judged else "none has run"),
    ]
    weighted = facts["weighted"]
    if weighted is not None:
        said = f"{weighted['value']:.3g} ({weighted['low']:.3g} to {weighted['high']:.3g})"
        rows.append(("probability of a failure in traffic", f"{said}, by importance weights"))
    if facts["repeated"]:
        said = f"{facts['flaky']:,} of {facts['repeated']:,} points have repeats with different verdicts"
        rows.append(("flake rate", f"{facts['flaky'] / facts['repeated']:.2%}: {said}"))
    if facts["least_margin"] is not None:
        rows.append(("least margin", f"{facts['least_margin']:.4g} of a limit"))
    return table_of_facts(rows)


def _scenarios(facts: Mapping[str, Any]) -> str:
    head, rows = ("scenario", *WORDS, "share that fails, 95 % interval"), list[tuple[str, ...]]()
    for name, counts in facts["scenarios"].items():
        rate = rate_of(counts["fail"], counts["pass"] + counts["fail"])
        shown = rate.text if counts["pass"] + counts["fail"] else ""
        rows.append((escape(name), *(f"{counts[word]:,}" for word in WORDS), shown))
    return "<h2>Scenarios</h2>" + table_with_head(head, rows)


def _figures(table: SweepTable) -> list[str]:
    """Coverage of the parameters, heat maps, and distributions of what was measured."""
    columns = table.cells()
    verdicts = np.array([WORDS.index(one) for one in columns["verdict"]], np.float64)
    axes: dict[str, FloatArray] = {}
    for name in table.parameters:
        values = columns[PARAMETER + name]
        if len(set(values)) > 1 and all(isinstance(one, float) for one in values):
            axes[name] = np.array(values, np.float64)
    found = ["<h2>Coverage of the parameters</h2>", _constants(table, columns), _key() if axes else ""]
    found += [bars(name, values, verdicts, WORDS) for name, values in axes.items()]
    judged = verdicts < WORDS.index("broken")
    pairs = list(itertools.combinations(axes, 2))[:MAX_MAPS]
    if pairs and judged.any():
        found.append("<h2>Where it fails</h2><p>Green: no cell fails. Yellow: few do. Red: all do.</p>")
    for pair in pairs if judged.any() else ():
        x, y = (axes[name][judged] for name in pair)
        found.append(heat_map(pair, x, y, verdicts[judged]))
    found.append("<h2>Criticality</h2>")
    for name in ("margin", *(MEASURE + one for one in table.measures)):
        known = np.array([one is not None for one in columns[name]])
        if known.any():
            measured = np.array([one for one in columns[name] if one is not None], np.float64)
            found.append(bars(name.removeprefix(MEASURE), measured, verdicts[known], WORDS))
    if table.plan.sampling.method == "cmaes":
        found.append(_search(table))
    return found


def _constants(table: SweepTable, columns: Columns) -> str:
    """Parameters that have one value in all cells: they have no axis."""
    values = {name: set(columns[PARAMETER + name]) for name in table.parameters}
    texts = [f"{name} = {one}" for name, found in values.items() if len(found) == 1 for one in found]
    return f"<p>In all cells: {escape(', '.join(texts))}.</p>" if texts else ""


def _key() -> str:
    """Which colour of bars is which verdict."""
    parts = (f'<span class="key"><i style="background:{COLOURS[word]}"></i>{word}</span>' for word in WORDS)
    return f"<p>Cells by value: {' '.join(parts)}</p>"


def _search(table: SweepTable) -> str:
    """The least margin of the search until then."""
    margins = [line.row.margin for line in table.lines if line.row.margin is not None]
    if not margins:
        return ""
    least = np.minimum.accumulate(np.array(margins, np.float64)).tolist()
    return "<h2>Search</h2>" + curve("least margin so far", least[:: max(len(least) // 1000, 1)], "steps")


def _worst(table: SweepTable, folder: Path, files: Mapping[int, Sequence[str]]) -> str:
    rows: list[tuple[str, ...]] = []
    for line in worst_lines(table, table.plan.keep.worst):
        links = [_link(one) for one in files.get(line.row.cell.number, ())]
        rows.append(
            (*_cells(table, line), " ".join(links), f"<code>{escape(again_line(line.row.cell, str(folder)))}</code>")
        )
    if not rows:
        return ""
    head = ("cell", "verdict", "margin", "why", "files", "again")
    return "<h2>Worst cells</h2>" + table_with_head(head, rows, wide=True)


def _link(file: str) -> str:
    """A link to a file of a cell, by its path beside the page."""
    path = Path(file)
    return f'<a href="{escape(file)}">{escape(FILE_NAMES.get(path.suffix, path.name))}</a>'


def _failures(table: SweepTable, folder: Path) -> str:
    bad = [line for line in table.lines if line.row.verdict != "pass"]
    if not bad:
        return ""
    rows = [
        (*_cells(table, line), f"<code>{escape(again_line(line.row.cell, str(folder)))}</code>")
        for line in bad[:MAX_FAILURES]
    ]
    more = len(bad) - len(rows)
    note = f"<p>{more:,} more are in failures.txt.</p>" if more else ""
    head = ("cell", "verdict", "margin", "why", "again")
    return f"<h2>All that does not pass</h2>{table_with_head(head, rows, wide=True)}{note}"


def _cells(table: SweepTable, line: CellLine) -> tuple[str, str, str, str]:
    """What rows of cells begin with, as HTML."""
    row = line.row
    margin = "" if row.margin is None else f"{row.margin:.4g}"
    verdict = f'<span class="{row.verdict}">{row.verdict}</span>'
    return escape(title_of(table.plan, row.cell)[:200]), verdict, margin, escape(row.why[:300])


def failure_lines(table: SweepTable, folder: Path) -> str:
    """A line for each cell that does not pass: what it is, why, and the command that does it again."""
    lines = []
    for line in table.lines:
        row = line.row
        if row.verdict != "pass":
            lines.append(f"{again_line(row.cell, str(folder))}  # {row.verdict}: {row.why}\n")
    return "".join(lines)
