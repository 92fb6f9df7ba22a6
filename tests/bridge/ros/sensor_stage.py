"""Sensors and what is needed to tell of them, for tests of messages."""

from __future__ import annotations

from dorosim.bridge.ros.sensor_message import PublishedSensor
from dorosim.bridge.ros.topic import RosForm
from dorosim.bridge.sensor.packet import Packer
from dorosim.wire.ros.registry import registry_of
from dorosim.wire.udp.revision import DEFAULT_REVISION
from dorosim.world.mount.command import AddSensor, change_mounts
from dorosim.world.mount.setting import AnySettings
from dorosim.world.mount.state import Mount, Mounts
from dorosim.world.snapshot import EGO

EPOCH = 1_700_000_000 * 10**9
ORIGIN = (302_459.942, 4_122_635.537)


def mount_of(settings: AnySettings, **more) -> Mount:
    """A sensor on the ego vehicle."""
    mounts, problem = change_mounts(Mounts.empty(), AddSensor(EGO, settings=settings, **more), 0)
    assert not problem
    return mounts.mount(0)


def told_of(settings: AnySettings, *, frame: str = "frame", mount=None, **more) -> PublishedSensor:
    """A sensor with these settings, told of by the 2024 generation."""
    form = RosForm(registry=registry_of("2024"), epoch=EPOCH)
    packer = Packer(DEFAULT_REVISION, EPOCH)
    return PublishedSensor(form, mount or mount_of(settings), frame, ORIGIN, packer.jpeg, **more)
