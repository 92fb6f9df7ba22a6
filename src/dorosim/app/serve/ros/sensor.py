"""The sensors of a program's runs as ROS topics, by the settings and the sensor set files.

What they need is loaded when the first sensor is there, not before (`dorosim.app.serve.sensor.start`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from threading import Lock
from typing import TYPE_CHECKING

from dorosim.app.setting.settings import RosSettings

if TYPE_CHECKING:
    from dorosim.app.run.switch import CurrentRun
    from dorosim.bridge.ros.topic import Published, RosForm
    from dorosim.endpoint.ros.hub import Hub
    from dorosim.endpoint.ros.sensor import SensorTap
    from dorosim.endpoint.sensor.interface import Heard
    from dorosim.world.snapshot import Snapshot


class LateTap:
    """Publishes readings of sensors through a hub (`dorosim.endpoint.ros.sensor.SensorTap`), from the first sensor on.

    Args:
        hub: gets the messages.
        ros: the settings.
        rows: topics of sensors by key, as the settings change them.
    """

    def __init__(self, hub: Hub, ros: RosSettings, rows: Mapping[str, Published]) -> None:
        self._hub = hub
        self._ros = ros
        self._rows = rows
        self._run: tuple[CurrentRun, RosForm] | None = None
        self._tap: SensorTap | None = None
        self._opening = Lock()

    def begin(self, current: CurrentRun, form: RosForm) -> None:
        """A run begins: publish its readings from now on, if the settings have topics of sensors."""
        if not self._ros.sensors:
            return
        with self._opening:
            self._run = current, form
            if self._tap is not None:
                self._begin(self._tap)
        current.station.listen(self)

    def begin_again(self) -> None:
        """The run has gone back to its first snapshot: topics and turns of lidars begin with it."""
        with self._opening:
            if self._tap is not None:
                self._begin(self._tap)

    def keep(self, now: Snapshot) -> None:
        """Let topics come and go with the sensors of a snapshot."""
        if self._run is not None and (self._tap is not None or len(now.mounts)):
            self._opened().keep(now)

    def __call__(self, heard: Heard) -> Iterable[tuple[int | None, Callable[[], None]]]:
        """What is to be published of the readings of a tick (`dorosim.endpoint.sensor.interface.Listener`)."""
        return self._opened()(heard)

    def _opened(self) -> SensorTap:
        with self._opening:
            if self._tap is None:
                from dorosim.endpoint.ros.sensor import SensorTap

                made = SensorTap(self._hub, self._rows)
                self._begin(made)
                self._tap = made
            return self._tap

    def _begin(self, tap: SensorTap) -> None:
        from dorosim.endpoint.ros.sensor import RosSensorForm

        assert self._run is not None
        current, form = self._run
        east, north, _ = current.session.start.ready.scene.map_origin

        stamped = current.session.publisher
        tap.begin(
            RosSensorForm(
                form=form,
                origin=(east, north),
                links=lambda: current.station.links,
                cloud_stamp=self._ros.cloud_stamp,
                stamped=stamped,
            )
        )
