"""The sensors of a program's runs as ROS topics: what settings and sensor set files say of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from dorosim.app.settings import RosSettings, RosTopicSettings
from dorosim.bridge.ros.sensor import SENSORS, SensorWish
from dorosim.bridge.ros.topic import Published, RosForm
from dorosim.endpoint.ros.sensor import SensorForm, SensorTap

if TYPE_CHECKING:
    from dorosim.app.run_switch import CurrentRun
    from dorosim.endpoint.ros.hub import Hub


def open_tap(hub: Hub, ros: RosSettings, topics: Mapping[str, RosTopicSettings]) -> SensorTap | None:
    """What tells the hub of readings; None if sensors are to have no topics.

    Args:
        hub: gets the messages.
        ros: the settings.
        topics: changes of single topics, by key.
    """
    if not ros.sensors:
        return None
    return SensorTap(hub, {row.key: _as_set(row, topics.get(row.key)) for row in SENSORS})


def begin_sensors(tap: SensorTap, current: CurrentRun, form: RosForm, ros: RosSettings) -> None:
    """A run begins; let its readings be told of."""
    session = current.session
    east, north, _ = session.start.ready.scene.map_origin
    wishes = {
        number: SensorWish(topic=link.topic, frame=link.frame, on=link.on, depth_bits=link.depth_bits)
        for number, link in session.plan.links.items()
    }
    tap.begin(SensorForm(form=form, origin=(east, north), wishes=wishes, cloud_stamp=ros.cloud_stamp))
    current.station.listen(tap)


def _as_set(row: Published, change: RosTopicSettings | None) -> Published:
    """A topic of a kind of sensors as the settings change it; its rate is that of the sensor."""
    if change is None:
        return row
    return replace(
        row,
        topic=change.name or row.topic,
        frame=change.frame or row.frame,
        on=row.on if change.on is None else change.on,
    )
