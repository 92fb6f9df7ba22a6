"""`dorosim config`: settings files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer.main import get_command

from dorosim.app.cli.exit_code import ExitCode
from dorosim.app.cli.option import JsonOption
from dorosim.app.run.report.json_output import print_json

if TYPE_CHECKING:
    from dorosim.app.setting.choice import Chosen
    from dorosim.ground.error import InputError

config_app = typer.Typer(help="Show, check and make settings files (dorosim.toml).", no_args_is_help=True)


@config_app.command("init")
def init(
    file: Annotated[Path, typer.Argument(metavar="[FILE]", help="The file to write.")] = Path("dorosim.toml"),
    force: Annotated[bool, typer.Option("--force", help="Replace a file that is there.")] = False,
) -> None:
    """Write a settings file with every key, its meaning and its default, none of them given yet."""
    from dorosim.app.setting.file import write_first_file

    write_first_file(file, force=force)
    typer.echo(f"{file}: take the '#' away before a key to give it; 'dorosim config check {file}' checks it")


@config_app.command("check")
def check(
    files: Annotated[list[Path] | None, typer.Argument(metavar="[FILE]...", help="dorosim.toml.")] = None,
    json: JsonOption = False,
) -> None:
    """Print all problems of settings files, by key: names, values, and the files and addresses in them.

    Exit status 2 if there is any. As JSON: a list of {file, problems: [{code, key, problem, cure}]}.
    """
    from dorosim.app.cli.error_code import ErrorCode, code_of
    from dorosim.app.setting.check import file_problems

    def code(problem: InputError) -> str:
        return code_of(problem, otherwise=ErrorCode.SETTINGS)

    found = {file: file_problems(file) for file in files or [Path("dorosim.toml")]}
    if json:
        print_json(
            [
                {
                    "file": str(file),
                    "problems": [
                        {"code": code(one), "key": one.place, "problem": one.problem, "cure": one.cure}
                        for one in problems
                    ],
                }
                for file, problems in found.items()
            ]
        )
    else:
        for file, problems in found.items():
            for one in problems:
                typer.echo(f"error [{code(one)}]: {one}")
            if not problems:
                typer.echo(f"{file}: nothing is wrong")
    raise typer.Exit(ExitCode.BAD_INPUT if any(found.values()) else ExitCode.OK)


@config_app.command("show", context_settings={"ignore_unknown_options": True, "allow_extra_args": True})
def show(ctx: typer.Context, json: JsonOption = False) -> None:
    """Print the settings that 'dorosim run' would have with the same options, and where each comes from.

    Any option of 'dorosim run' may be given, --config among them. As JSON: {file, settings, origins}, with an origin
    for each key: default, option, snapshot, or the name of the settings file.
    """
    from dorosim.app.cli.run import run
    from dorosim.app.setting.file import Origins, listing

    chosen: list[Chosen] = []
    alone = typer.Typer(add_completion=False)
    alone.command()(run)
    command = get_command(alone)
    with command.make_context("dorosim run", list(ctx.args), obj=chosen.append) as context:
        command.invoke(context)
    settings, base, options = chosen[0]
    by_snapshot: frozenset[str] = frozenset()
    if settings.from_snapshot is not None:
        from dorosim.app.run.resume import shown_settings

        settings, by_snapshot = shown_settings(settings, chosen[0].given)
    origins = Origins(settings, base.settings, base.given, options, base.file, by_snapshot)
    if json:
        origin_of = {place: origins.of(place) for place in origins.values}
        print_json({"file": base.file or None, "settings": settings, "origins": origin_of})
    else:
        typer.echo(f"# {f'settings file: {base.file}' if base.file else 'no settings file'}")
        typer.echo(listing(settings, origins), nl=False)
