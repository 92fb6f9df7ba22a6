"""The data folder, as clients see it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import msgspec

from dorosim.app.run.switch import RunSwitch
from dorosim.app.serve.host.run import known_maps, sensor_set_path
from dorosim.app.store.map import BUILT_IN, read_map_files
from dorosim.bridge.scenario import Loading
from dorosim.ground.error import InputError
from dorosim.scenario.load import LoadOptions
from dorosim.world.command import Command
from dorosim.world.snapshot import Snapshot

_MGEO = ".json"


class HostFiles:
    """Files; see `dorosim.bridge.host.Files`. No name leads out of the data folder.

    Args:
        data: the data folder.
        switch: knows the present run.
    """

    def __init__(self, data: Path, switch: RunSwitch) -> None:
        self._data = data
        self._switch = switch

    @property
    def place(self) -> str:
        """Where it is."""
        return str(self._data.resolve())

    def maps(self) -> Sequence[str]:
        """Names of the maps that a run can be on: the built-in ones, the present one, those of the data folder."""
        present = self._switch.current.session.start.ready.map_files.name
        return tuple(dict.fromkeys((*BUILT_IN, present, *known_maps(self._data))))

    def mgeo(self, map_name: str) -> Sequence[tuple[str, bytes]]:
        """The MGeo files of a map, "" for the present one: name and content of each.

        Raises:
            InputError: there is no such map, or it cannot be read.
        """
        ready = self._switch.current.session.start.ready
        if map_name in ("", ready.map_files.name):
            files = ready.map_files.files
        elif map_name in BUILT_IN:
            files = read_map_files(map_name).files
        else:
            found = known_maps(self._data).get(map_name)
            if found is None:
                cure = f"known maps: {', '.join(self.maps())}"
                raise InputError(f"map {map_name!r}", "", "there is no such map", cure)
            files = read_map_files(str(found)).files
        return tuple((name, content) for name, content in sorted(files.items()) if name.endswith(_MGEO))

    def scenario(self, name: str, options: LoadOptions, now: Snapshot) -> Loading:
        """What loading a scenario does.

        Raises:
            InputError: there is none of this name, or it is broken.
        """
        return self._switch.current.session.opening.loader.load(name, options, now)

    def sensor_set(self, name: str, now: Snapshot) -> tuple[tuple[Command, ...], tuple[str, ...]]:
        """Commands that put the sensors of a sensor set file in place of those that are there, and notes about it.

        Packets of its sensors go where the file says, from the tick on in which the commands are applied.

        Raises:
            InputError: there is none of this name, or it is broken.
        """
        from dorosim.app.serve.sensor.store import plan_sensors

        current = self._switch.current
        path = sensor_set_path(name, self._data)
        settings = msgspec.structs.replace(current.session.start.settings, sensors=path, sensor=())
        plan = plan_sensors(settings, self._data, now)
        current.station.readdress(plan.addresses, plan.links, plan.commands)
        return plan.commands, plan.notices

    def save_sensor_data(self, folder: str, name: str) -> str:
        """Save what every sensor sees at the next tick. Returns the folder.

        Raises:
            InputError: the folder leads out of the archive, or too many requests wait.
        """
        current = self._switch.current
        archive = current.session.archive
        save = partial(archive.save, folder, name)
        current.gateway.between_ticks(lambda _: save())
        return str(Path(archive.place) / folder.strip())
