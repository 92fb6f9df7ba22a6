"""The reference page of commands: all of them with their arguments, options and exit statuses, from the program."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from typing import Any

import typer

from dorosim.app.cli.error_code import ErrorCode
from dorosim.app.cli.exit_code import ExitCode
from tools.reference.markdown import table


def command_page() -> str:
    """The page of commands."""
    from dorosim.app.cli.main import app

    root = typer.main.get_command(app)
    commands = list(walk_commands(root, "dorosim"))
    text = (
        "# Commands\n\n"
        "`dorosim COMMAND --help` prints the same. `dorosim --install-completion` lets your shell complete\n"
        "commands, options and names. Colours, bars and the live table appear on terminals only, and with\n"
        "`NO_COLOR` set there are no colours.\n\n"
        "With `--json` a command prints one JSON document in one line on standard output, for programs; everything\n"
        "else goes to standard error. Keys may be added; those that are there keep their meaning.\n\n"
        "## Exit status\n\n"
    )
    text += table(("status", "meaning"), [(f"{int(code)}", code.meaning) for code in ExitCode])
    text += (
        "\n## Codes of errors\n\n"
        "An error is one line, `dorosim: error [CODE]: ...`. [Troubleshooting](../how-to/troubleshooting.md) says\n"
        "what to do about each.\n\n"
    )
    text += table(
        ("code", "meaning"), [(f"[`{one}`](../how-to/troubleshooting.md#{one})", one.meaning) for one in ErrorCode]
    )
    text += "\n## All commands\n\n"
    text += table(("command", "what it does"), [(_link(path), _first_line(one)) for path, one in commands])
    return text + "".join(_section(path, one) for path, one in commands)


def walk_commands(command: Any, path: str) -> Iterator[tuple[str, Any]]:
    """Every command that does something, by its path, in the order of `--help`."""
    inner = getattr(command, "commands", None)
    if inner is None:
        yield path, command
        return
    for name, one in inner.items():
        if not one.hidden:
            yield from walk_commands(one, f"{path} {name}")


def _link(path: str) -> str:
    return f"[`{path}`](#{path.replace(' ', '-')})"


def _help_of(command: Any) -> str:
    return inspect.cleandoc(command.help or "")


def _first_line(command: Any) -> str:
    return _help_of(command).partition("\n")[0]


def _section(path: str, command: Any) -> str:
    arguments = [one for one in command.params if one.param_type_name == "argument"]
    options = [one for one in command.params if one.param_type_name == "option" and not one.hidden]
    usage = " ".join([path, *(["[OPTIONS]"] if options else []), *map(_name_of_argument, arguments)])
    text = f"\n### {path}\n\n    {usage}\n\n{_help_of(command)}\n"
    if arguments:
        rows = [(f"`{_name_of_argument(one)}`", _default(one), one.help or "") for one in arguments]
        text += "\n" + table(("argument", "default", "meaning"), rows)
    if options:
        rows = [(_names_of_option(one), _default(one), one.help or "") for one in options]
        text += "\n" + table(("option", "default", "meaning"), rows)
    return text


def _name_of_argument(one: Any) -> str:
    name = one.metavar or one.name.upper()
    return name if one.required or name.startswith("[") else f"[{name}]"


def _names_of_option(one: Any) -> str:
    value = "" if one.is_flag else f" {one.metavar or one.name.upper()}"
    return ", ".join(f"`{name}{value}`" for name in (*one.opts, *one.secondary_opts))


def _default(one: Any) -> str:
    if one.required:
        return "has to be given"
    value = one.default
    if value is None or value is False or re.search(r"^\s*$", str(value)):
        return ""
    return f"`{value}`"
