"""What shells offer after Tab for values of options: names that there are, each found when it is asked for.

Install it with `dorosim --install-completion`. Typer leaves out those that do not begin as what is there; where nothing
is left, a shell offers files.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import typer


def words(*names: str) -> Callable[[], list[str]]:
    """Offers fixed words."""

    def offer() -> list[str]:
        return list(names)

    return offer


def vehicles() -> list[str]:
    """Names of vehicles."""
    from dorosim.world.vehicle.catalogue import VEHICLE_MODELS

    return [model.name for model in VEHICLE_MODELS]


def revisions() -> list[str]:
    """Product revisions."""
    from dorosim.wire.udp.revision import REVISIONS

    return list(REVISIONS)


def messages() -> list[str]:
    """UDP messages."""
    from dorosim.wire.udp.catalogue import CATALOGUE

    return [message.__name__ for message in CATALOGUE]


def sensor_kinds() -> list[str]:
    """Kinds of sensors."""
    from dorosim.world.mount.setting import SensorKind

    return [kind.name.lower() for kind in SensorKind]


def maps(ctx: typer.Context) -> list[str]:
    """The built-in maps and those of the data folder."""
    from dorosim.app.store.map import BUILT_IN

    folder = _data(ctx) / "Map"
    there = folder.iterdir() if folder.is_dir() else ()
    return [*BUILT_IN, *sorted(one.stem if one.suffix == ".zip" else one.name for one in there)]


def scenarios(ctx: typer.Context) -> list[str]:
    """Scenarios of the data folder, as they are named in it."""
    return _stored(_data(ctx) / "Scenario", ".json", ".xosc")


def sensor_sets(ctx: typer.Context) -> list[str]:
    """Sensor sets of the data folder."""
    return _stored(_data(ctx) / "Sensor", ".json")


def bags(ctx: typer.Context) -> list[str]:
    """Bags of the data folder."""
    return _stored(_data(ctx) / "Recording", ".bag", ".mcap")


def _stored(folder: Path, *suffixes: str) -> list[str]:
    files = folder.rglob("*") if folder.is_dir() else ()
    return sorted(one.relative_to(folder).with_suffix("").as_posix() for one in files if one.suffix in suffixes)


def _data(ctx: typer.Context) -> Path:
    """The data folder that the command line names so far."""
    from dorosim.app.store.folder import data_path

    given = ctx.params.get("data")
    return data_path(str(given) if given else None)
