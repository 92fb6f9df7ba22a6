"""All checks of the machine, and how they are printed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from dorosim.app.doctor import hardware, network, pace, program
from dorosim.app.doctor.finding import Finding, Findings, Level, note, problem
from dorosim.app.setting.choice import Base, base_settings
from dorosim.app.setting.settings import Settings
from dorosim.ground.error import DorosimError, InputError

CHECKS: tuple[Callable[[Base], Findings], ...] = (
    program.check_platform,
    program.check_python,
    program.check_packages,
    program.check_extras,
    program.check_settings_file,
    program.check_folders,
    program.check_kernels,
    hardware.check_processors,
    hardware.check_simd,
    hardware.check_frequency,
    hardware.check_memory,
    hardware.check_load,
    network.check_udp,
    network.check_buffer,
    network.check_tcp,
    program.check_ros,
    pace.check_clock,
    pace.check_speed,
)
"""The checks, in the order in which their findings are printed."""
WIDTHS = (max(len(level.value) for level in Level), 12)
"""Of the columns of level and name; a line with a longer name stands out."""
STYLES = {Level.OK: "green", Level.NOTE: "yellow", Level.PROBLEM: "bold red"}


def examine(config: Path | None) -> Iterator[Finding]:
    """What all checks find.

    Args:
        config: settings file, None for the usual one.
    """
    checks = CHECKS
    try:
        base = base_settings(config)
    except InputError as error:
        yield problem("settings", str(error), "dorosim config check prints more; the defaults are looked at below")
        base = Base(Settings(), frozenset(), "", False)
        checks = tuple(
            one for one in CHECKS if one is not program.check_settings_file
        )  # its problem is yielded already
    for check in checks:
        try:
            yield from check(base)
        except (DorosimError, OSError, ImportError, ValueError) as error:
            # where the system hides something, the other checks are done all the same
            yield note(check.__name__.removeprefix("check_"), f"cannot be determined: {error}")


def print_findings(findings: Iterable[Finding]) -> list[Finding]:
    """A line for each finding as soon as it is known, with what to do beneath it, and then what they come to.

    Returns:
        All of them.
    """
    console, printed = Console(highlight=False), list[Finding]()
    for one in findings:
        printed.append(one)
        console.print(_row(one))
    problems, notes = (sum(one.level is level for one in printed) for level in (Level.PROBLEM, Level.NOTE))
    verdict = f"{_number(problems, 'problem')} to solve before a run works" if problems else "a run works here"
    style = STYLES[Level.PROBLEM] if problems else None
    console.print(f"{verdict}; {_number(notes, 'note')}" if notes else verdict, style=style)
    return printed


def _row(one: Finding) -> Table:
    """One finding as a table of its own, since the widths of later findings are not known when it is printed."""
    text = Text(one.text)
    if one.cure and one.level is not Level.OK:
        text.append(f"\n→ {one.cure}", style="dim")
    columns = *(Column(no_wrap=True, min_width=width) for width in WIDTHS), Column(overflow="fold")
    table = Table(*columns, box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_row(Text(one.level.value, style=STYLES[one.level]), one.name, text)
    return table


def _number(count: int, what: str) -> str:
    return f"{count} {what}{'s' if count > 1 else ''}"
