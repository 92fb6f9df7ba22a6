"""A run that goes on from a snapshot of another one of the same program, without reading its map and scenario again."""

from __future__ import annotations

from dataclasses import replace

from dorosim.app.run.initial_commands import Opening
from dorosim.app.run.session import RunContext, RunSession, session_of
from dorosim.app.serve.sensor.plan import SensorPlan
from dorosim.app.setting.settings import Settings
from dorosim.app.store.scenario import ScenarioFolder
from dorosim.bridge.scenario import ScenarioLoader
from dorosim.recording.snapshot import snapshot_to_bytes
from dorosim.world.command import Command
from dorosim.world.snapshot import Snapshot


def branch_of(
    session: RunSession, settings: Settings, now: Snapshot, commands: tuple[Command, ...], context: RunContext
) -> RunSession:
    """The branch of a run at a snapshot of it.

    It has the map, scenario, addresses and epoch of the run, and the sensors of the snapshot. No scenario, traffic or
    environment of the settings comes anew.

    Args:
        session: of the run.
        settings: of the branch, which name its files.
        now: the snapshot.
        commands: of the first tick.
        context: what all runs share.
    """
    scene = session.start.ready.scene
    start = session.start._replace(
        settings=settings,
        ready=replace(session.start.ready, first=now),
        epoch=session.publisher.epoch,
        # only a recording needs it as a file
        content=b"" if settings.record is None else snapshot_to_bytes(session.header, now),
    )
    loader = ScenarioLoader(scene, ScenarioFolder(context.data / "Scenario", scene.map_name))
    return session_of(
        start,
        Opening(loader, (), (), ()),
        SensorPlan(),
        context,
        (session.endpoint.network, ()),
        sockets=session.endpoint.sockets,
        commands=commands,
    )
