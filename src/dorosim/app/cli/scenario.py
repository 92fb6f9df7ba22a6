"""`dorosim scenario`: look at scenario files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dorosim.app.cli.exit_code import ExitCode
from dorosim.app.cli.option import (
    MAP_HELP,
    BeginOption,
    DataOption,
    EndOption,
    JsonOption,
    MovedMapOption,
    PartOption,
    QuietOption,
    SeedOption,
    map_option,
)
from dorosim.app.cli.scenario_option import AllowOption, FileArgument, ParamOption, parameters_of
from dorosim.app.cli.scenario_run import run
from dorosim.app.run.report.json_output import print_json, show_facts

scenario_app = typer.Typer(
    help="Check, show and run scenario files: OpenSCENARIO XML, and MORAI SIM's JSON.", no_args_is_help=True
)


@scenario_app.command("check")
def check(
    file: FileArgument,
    map_name: Annotated[str, map_option(MAP_HELP)] = "town",
    strict: Annotated[
        bool, typer.Option("--strict", help="Breaks of the version that an .xosc file declares count, too.")
    ] = False,
    schema: Annotated[
        Path | None, typer.Option(metavar="FILE.xsd", help="Hold an .xosc file against a schema, too.")
    ] = None,
    allow: AllowOption = None,
    param: ParamOption = None,
    data: DataOption = None,
    json: JsonOption = False,
) -> None:
    """Print what of a scenario can be used, and what is wrong with it, with its place.

    Of a JSON file of MORAI SIM: what of it is loaded on a map, what falls back and what is missing, by key path. Exit
    status 0: all of it is loaded; a model that another one stands in for does not count. 1: something is missing or
    changed. 2: the file is broken. As JSON: {source, made_for, map, loads, leaves_out, network, falls_back, missing}.

    Of an .xosc file: all errors, breaks of the version of OpenSCENARIO that it declares, and notes. Exit status 0: it
    can be read. 1: it cannot; with --strict or --schema: it has breaks. 2: it is no OpenSCENARIO. As JSON: {source,
    version, holds, runs, ok, findings}.
    """
    from dorosim.app.store.folder import data_folder
    from dorosim.app.store.openscenario import is_openscenario

    folder = data_folder(str(data) if data else None)
    if is_openscenario(file, folder):
        from dorosim.app.analyse.openscenario_file import check_openscenario, print_openscenario_check

        given = parameters_of(param)
        facts = check_openscenario(file, folder, allow or [], strict=strict, schema=schema, parameters=given)
        show_facts(facts, print_openscenario_check, json=json)
        raise typer.Exit(ExitCode.OK if facts["ok"] else ExitCode.FOUND)
    from dorosim.app.analyse.scenario_file import check_scenario, print_check

    found = check_scenario(file, map_name, folder)
    show_facts(found, print_check, json=json)
    raise typer.Exit(ExitCode.FOUND if found["missing"] else ExitCode.OK)


@scenario_app.command("show")
def show(
    file: FileArgument,
    allow: AllowOption = None,
    param: ParamOption = None,
    seed: SeedOption = None,
    data: DataOption = None,
    json: JsonOption = False,
) -> None:
    """Print what is in an .xosc file: parameters, entities and storyboard; entries of a catalog; variations.

    As JSON: {source, version, holds, description, parameters, tree, entries, scenario, variations, first}.
    """
    from dorosim.app.analyse.openscenario_file import print_openscenario, show_openscenario
    from dorosim.app.store.folder import data_folder

    folder = data_folder(str(data) if data else None)
    show_facts(
        show_openscenario(file, folder, allow or [], parameters_of(param), seed or 0), print_openscenario, json=json
    )


@scenario_app.command("coverage")
def coverage(json: JsonOption = False) -> None:
    """Print which named types of OpenSCENARIO have their effect in a run, and the test that shows it.

    Every type is read; "no" is one that has no effect yet. As JSON: rows {type, support, test}.
    """
    from dorosim.scenario.openscenario.coverage import coverage_rows

    rows = coverage_rows()
    if json:
        print_json(rows)
        return
    for row in rows:
        typer.echo(f"{row['type']}: {row['support']}{' ' * bool(row['test'])}{row['test']}")
    counts = {word: sum(row["support"] == word for row in rows) for word in ("yes", "partly", "no")}
    typer.echo(f"{len(rows)} types: " + ", ".join(f"{count} {word}" for word, count in counts.items()))


scenario_app.command("run")(run)


@scenario_app.command("export")
def export(
    recording: Annotated[Path, typer.Argument(help="A recording, as 'dorosim run --record FILE' wrote it.")],
    out: Annotated[
        Path, typer.Argument(metavar="FILE", help="The .xosc file to write; its map is written beside it, as .xodr.")
    ],
    begin: BeginOption = None,
    end: EndOption = None,
    part: PartOption = None,
    map_name: MovedMapOption = None,
    data: DataOption = None,
    quiet: QuietOption = False,
) -> None:
    """Run a recording again, and write it as a scenario in which all actors follow trajectories with times.

    The file is OpenSCENARIO 1.3 without extensions, and other engines run it, too. Bodies come within 1 cm of where
    they were; lamps of ego vehicles are switched.
    """
    from dorosim.app.analyse.scenario_export import export_scenario

    lines = export_scenario(recording, out, begin=begin, end=end, part=part, map_name=map_name, data=data, quiet=quiet)
    for line in lines:
        typer.echo(line)
