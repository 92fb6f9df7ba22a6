"""Pictures that commands write: what can be known before the work, and how a drawing is written."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import TYPE_CHECKING

from dorosim.ground.error import InputError
from dorosim.recording.saver import check_place

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DRAWINGS = (".png", ".svg")
"""Files that matplotlib draws to."""


def check_picture(path: Path, *suffixes: str) -> None:
    """Refuse a file that no picture can be written to, before the work that is to go into it.

    Raises:
        InputError: the suffix is none of these, or the place cannot be written to.
    """
    if path.suffix not in suffixes:
        problem = f"files of type {path.suffix!r} cannot be drawn"
        raise InputError(str(path), "", problem, f"end the name in {' or '.join(suffixes)}")
    check_place(path)


def check_drawing(path: Path, *suffixes: str) -> None:
    """As `check_picture`, for a file that a library is needed for: `.html` needs plotly, all others matplotlib.

    Raises:
        InputError: also if that is not installed (the extra `plot`).
    """
    check_picture(path, *suffixes)
    check_library("plotly" if path.suffix == ".html" else "matplotlib")


def check_library(name: str) -> None:
    """Refuse to go on without a library that draws.

    Raises:
        InputError: it is not installed (the extra `plot`).
    """
    try:
        importlib.import_module(name)
    except ImportError as missing:
        cure = "install it with: pip install 'dorosim[plot]'"
        raise InputError("plots", "", f"{name} is needed to draw plots and is not installed", cure) from missing


def save_figure(figure: Figure, path: Path) -> None:
    """Write a drawing, whole or not at all.

    Raises:
        InputError: it cannot be written.
    """
    import io

    from dorosim.recording.whole_file import write_file

    content = io.BytesIO()
    figure.savefig(content, format=path.suffix[1:])
    write_file(path, content.getvalue(), "write it elsewhere")
