"""Writes tables for other programs."""

from __future__ import annotations

from pathlib import Path

from dorosim.ground.error import InputError, reason_of
from dorosim.recording.whole_file import write_file

_CURE = "give another place"


def make_folder_of(path: Path, cure: str) -> None:
    """Make the folder in which a file is to be, and those above it.

    Raises:
        InputError: it cannot be made.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise InputError(str(path), "", f"cannot be written: {reason_of(error)}", cure) from None


def write_table(path: Path, text: str) -> None:
    """Write a table as UTF-8, whole or not at all, with the folders that it needs.

    Raises:
        InputError: it cannot be written.
    """
    make_folder_of(path, _CURE)
    write_file(path, text.encode(), _CURE)
