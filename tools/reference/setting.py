"""The reference page of settings, from their classes."""

from __future__ import annotations

import msgspec

from dorosim.app.setting.doc import Many, SettingKey, all_tables, toml_value
from tools.reference.markdown import table


def setting_page() -> str:
    """The page of all settings."""
    text = (
        "# Settings\n\n`dorosim run --config dorosim.toml`; without `--config`, `dorosim.toml` of the present folder\n"
        "is used if there is one. Options of the command line go over the file. A key that is not listed here is an\n"
        "error.\n\n"
        "    dorosim config init            # writes dorosim.toml with every key, its meaning and default\n"
        "    dorosim config check           # says everything that is wrong with it\n"
        "    dorosim config show --seed 3   # what counts with these options of `dorosim run`, and where it is from\n"
    )
    for one in all_tables():
        text += f"\n## {one.title or 'top level'}\n\n{one.purpose}\n\n"
        text += table(("key", "default", "meaning"), [_setting_row(key) for key in one.keys])
    return text


def _setting_row(key: SettingKey) -> tuple[str, str, str]:
    """A key of the settings as a row; the default of a table is that of its keys."""
    default = "not given" if key.default is None else f"`{toml_value(key.default)}`"
    if key.default is msgspec.NODEFAULT:
        default = "has to be given"
    elif key.table is not None:
        default = "one, on the built-in start" if key.default and key.table.many is Many.LIST else ""
    choices = f"; {', '.join(f'`{toml_value(one)}`' for one in key.choices)}" if key.choices else ""
    link = f"; see {key.table.title}" if key.table is not None else ""
    return f"`{key.name}`", default, f"{key.meaning}{choices}{link}"
