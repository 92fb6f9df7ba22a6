"""Errors of settings name the option or the file that gave the value, not only the key."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path

from dorosim.ground.error import InputError

SKY = frozenset(f"environment.{name}" for name in ("weather", "time_of_day", "rain", "visibility"))
"""Keys of the options that change what a picture shows of the sky."""
_OPTIONS = {
    "view.address": "--view-at",
    "grpc.address": "--grpc",
    "ros.server": "--ros-server",
    "tcp_step.address": "--tcp-step",
}
"""Options whose names are not the last part of the key for which they stand."""


@contextmanager
def naming_origin(options: Collection[str], file: str | Path | None = None) -> Iterator[None]:
    """Let errors of settings that are raised within name where the value is from.

    Args:
        options: places of the settings that options gave, as "environment.time_of_day" or "ego[0].pose".
        file: the settings file that was read, None where there is none. Its errors name `dorosim config check`, which
            goes on after the first.

    Raises:
        InputError: the one that was raised, which names the option or the file in place of "settings".
    """
    try:
        yield
    except InputError as error:
        place = "snapshot_at" if error.place.startswith("snapshot_at[") else error.place
        if error.source == "settings" and place in options:
            error.source, error.place = _OPTIONS.get(place, f"--{place.rpartition('.')[2].replace('_', '-')}"), ""
        elif file is not None and error.source in ("settings", str(file)) and error.place:
            error.source = str(file)
            check = f"'dorosim config check {file}' lists all that is wrong"
            error.cure = f"{error.cure}; {check}" if error.cure else check
        raise
