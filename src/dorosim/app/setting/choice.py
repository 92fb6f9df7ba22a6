"""Which settings file counts, and which settings a user chose in the end."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import NamedTuple

from dorosim.app.setting.settings import Settings, given_keys, read_settings

USUAL = "dorosim.toml"
"""The settings file that is used where it lies in the present folder and no other one is named."""


class Base(NamedTuple):
    """Settings before options go over them.

    Attributes:
        settings: of the file, or the defaults.
        given: places that the file gives.
        file: its name, "" where there is none.
        found: whether it is the file in the present folder, which the user did not name.
    """

    settings: Settings
    given: frozenset[str]
    file: str
    found: bool


class Chosen(NamedTuple):
    """Settings as a user chose them.

    Attributes:
        settings: with options over them. base: without. options: places that options give.
    """

    settings: Settings
    base: Base
    options: Collection[str]

    @property
    def given(self) -> frozenset[str]:
        """Places of all settings that the user gave; the others have their defaults."""
        return self.base.given | frozenset(self.options)

    @property
    def notes(self) -> tuple[str, ...]:
        """Lines for the banner about the file that the settings come from."""
        return (f"settings: {self.base.file}, which lies in this folder",) if self.base.found else ()


def base_settings(config: Path | None) -> Base:
    """The settings of a file, or of `dorosim.toml` in the present folder, or the defaults.

    Args:
        config: the file that the user named, None for none.

    Raises:
        InputError: the file cannot be read or is wrong somewhere.
    """
    usual = Path(USUAL)
    path = config or (usual if usual.is_file() else None)
    if path is None:
        return Base(Settings(), frozenset(), "", False)
    return Base(read_settings(path), given_keys(path), str(path), config is None)
