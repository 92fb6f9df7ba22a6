"""Settings as the text of a `dorosim.toml`: one with all keys to begin with, and the one that counts."""

from __future__ import annotations

import textwrap
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from dorosim import __version__
from dorosim.app.setting.doc import Many, SettingKey, SettingTable, sample, setting_table, toml_value
from dorosim.app.setting.settings import Settings
from dorosim.ground.error import InputError, reason_of
from dorosim.recording.whole_file import OutputError, write_file

_WIDTH = 100
_HEAD = """Settings of dorosim {version}. All keys are here, with their defaults, and none of them is given: take
the "#" away before a key, and before the [[name]] above it where it has one, and change the value.

`dorosim run` reads this file where it is called dorosim.toml and lies in the present folder, or is
named with --config. Options of the command line go over it. `dorosim config check` says what is
wrong with a file, and `dorosim config show` what counts in the end."""


def first_file() -> str:
    """A file with every key, its meaning and its default, which gives none of them.

    A key that a user gives may count for more than its default does: an address that is in use is an error then, and a
    scenario brings no ego vehicle. So a file that gave all of them would not be the same as none.
    """
    return "\n".join([*_comment(_HEAD.format(version=__version__)), *_section(setting_table())]) + "\n"


def write_first_file(path: Path, *, force: bool) -> None:
    """Write `first_file` to a file.

    Args:
        path: the file; folders above it are made.
        force: replace a file that is there.

    Raises:
        InputError: there is one already, or it cannot be written.
    """
    cure = "give another place"
    try:
        if not force and path.exists():
            raise InputError(str(path), "", "is there already", "replace it with --force")
        path.parent.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise OutputError(str(path), "", f"cannot be written: {reason_of(error)}", cure) from None
    write_file(path, first_file().encode(), cure)


def _section(table: SettingTable) -> Iterator[str]:
    """A table with its keys, and then the tables in it; one that may stand there often is commented out, too."""
    if table.title:
        yield ""
        yield ""
        yield from _comment(table.purpose)
        yield f"{'' if table.many is Many.ONE else '#'}{table.title}"
    for key in table.keys:
        if key.table is not None:
            continue
        yield ""
        yield from _comment(_meaning(key))
        value = sample(key.kind) if _has_no_default(key) else toml_value(key.default)
        yield f"#{key.name} = {value}"
    for key in table.keys:
        if key.table is not None:
            yield from _section(key.table)


def _has_no_default(key: SettingKey) -> bool:
    return key.default is None or key.default is msgspec.NODEFAULT


def _meaning(key: SettingKey) -> str:
    choices = f" ({' or '.join(toml_value(one) for one in key.choices)})" if key.choices else ""
    is_stated = not _has_no_default(key) or "not given" in key.meaning
    return f"{key.meaning}{choices}{'' if is_stated else ' (no default)'}"


def _comment(text: str) -> list[str]:
    lines: list[str] = []
    for paragraph in text.split("\n\n"):
        lines += ["#"] if lines else []
        lines += [f"# {line}" for line in textwrap.wrap(" ".join(paragraph.split()), _WIDTH - 2)]
    return lines


def flat_settings(settings: msgspec.Struct, place: str = "") -> Iterator[tuple[str, Any]]:
    """Every value of some settings by its place: "udp.revision", "ego[0].vehicle", "ros.topic.Ego_topic.rate_hz"."""
    for field in msgspec.structs.fields(type(settings)):
        value, here = getattr(settings, field.name), f"{place}.{field.encode_name}".lstrip(".")
        yield from _flat(value, here)


def _flat(value: Any, place: str) -> Iterator[tuple[str, Any]]:
    tables = list(_tables(value, place))
    for where, table in tables:
        yield from flat_settings(table, where)
    if not tables:
        yield place, value


class Origins:
    """Where each setting comes from.

    Args:
        settings: as they count. base: as they are without options.
        file: places that the settings file gives. options: places that options give.
        name: of the settings file.
        snapshot: places that the snapshot gives from which the run goes on.
    """

    def __init__(
        self,
        settings: Settings,
        base: Settings,
        file: Collection[str],
        options: Collection[str],
        name: str,
        snapshot: Collection[str] = (),
    ) -> None:
        self.values = dict(flat_settings(settings))
        self._base = dict(flat_settings(base))
        self._file, self._options, self._name, self._snapshot = file, options, name, snapshot

    def of(self, place: str) -> str:
        """`option`, `snapshot`, the settings file's name, or `default`.

        An option that stands for a whole table has given what it changed of it. What else the settings file has
        otherwise is with the snapshot that the run goes on from (`dorosim.app.setting.override.without_beginning`).
        """
        if place in self._snapshot or any(one in self._snapshot for one in _above(place)):
            return "snapshot"
        if place in self._options:
            return "option"
        changed = place not in self._base or self._base[place] != self.values[place]
        if changed and any(one in self._options for one in _above(place)):
            return "option"
        if changed and self.values["from_snapshot"] is not None:
            return "snapshot"
        return self._name if place in self._file else "default"


def _above(place: str) -> Iterator[str]:
    """The tables that a place is in: "ros.bag" and "ros" of "ros.bag.file"."""
    for at in range(len(place) - 1, 0, -1):
        if place[at] in ".[":
            yield place[:at]


def listing(settings: Settings, origins: Origins) -> str:
    """Settings as TOML, each with where it comes from; keys that have no value are comments."""
    lines = list(_list_table(settings, "", "", origins))
    width = min(max((len(text) for text, origin in lines if origin), default=0), 60)
    return "\n".join(f"{text:{width}}  # {origin}" if origin else text for text, origin in lines) + "\n"


def _list_table(one: msgspec.Struct, title: str, place: str, origins: Origins) -> Iterator[tuple[str, str]]:
    """The lines of a table and of those in it, each with where its value comes from, "" for those without a value."""
    if title:
        yield from (("", ""), (title, ""))
    inner: list[tuple[msgspec.Struct, str, str]] = []
    for field in msgspec.structs.fields(type(one)):
        name, value = field.encode_name, getattr(one, field.name)
        here = f"{place}.{name}".lstrip(".")
        tables = list(_tables(value, here))
        for where, table in tables:
            is_list = where.startswith(f"{here}[")
            head = f"{title.strip('[]')}.{name}".lstrip(".") + ("" if is_list else where.removeprefix(here))
            inner.append((table, f"[[{head}]]" if is_list else f"[{head}]", where))
        if not tables and here in origins.values:
            text = f"#{name} is not given" if value is None else f"{name} = {toml_value(value)}"
            yield text, origins.of(here)
    for table, head, where in inner:
        yield from _list_table(table, head, where, origins)


def _tables(value: Any, place: str) -> Iterator[tuple[str, msgspec.Struct]]:
    """The tables that a value is, by place."""
    if isinstance(value, msgspec.Struct):
        yield place, value
    elif isinstance(value, tuple):
        yield from ((f"{place}[{n}]", one) for n, one in enumerate(value) if isinstance(one, msgspec.Struct))
    elif isinstance(value, Mapping):
        yield from ((f"{place}.{name}", one) for name, one in value.items() if isinstance(one, msgspec.Struct))
