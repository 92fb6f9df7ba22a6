"""A command line that names a command makes that command alone."""

import pytest
from typer.main import get_command

from dorosim.app.cli.main import app, app_for

ALL = get_command(app)


@pytest.mark.parametrize("name", sorted(ALL.commands))
def test_a_command_alone_takes_what_it_takes_among_all(name):
    alone = get_command(app_for([name, "--help"]))
    assert list(alone.commands) == [name]
    found, known = alone.commands[name], ALL.commands[name]
    assert [one.name for one in found.params] == [one.name for one in known.params]
    assert sorted(getattr(found, "commands", ())) == sorted(getattr(known, "commands", ()))
    assert [one.name for one in alone.params] == [one.name for one in ALL.params]
    assert (alone.help, alone.epilog) == (ALL.help, ALL.epilog)


@pytest.mark.parametrize("words", [[], ["--version"], ["-h"], ["ru"], ["", "run"]])
def test_other_command_lines_know_all_commands(words):
    assert app_for(words) is app
