"""A drive that is recorded to be drawn: through the town with its traffic, with a fault of the steering on the way."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from dorosim.app.analyse.plot.picture import draw_picture
from dorosim.app.analyse.plot.run_plot import plot_of, title_of
from dorosim.app.analyse.trace.recorded import open_recording
from dorosim.app.analyse.trace.trace import trace_of
from dorosim.app.run.build import build
from dorosim.app.setting.settings import Settings, TrafficSettings
from dorosim.endpoint.loop.clock import PacedClock
from dorosim.endpoint.loop.loop import Loop
from dorosim.endpoint.loop.turn_timer import TurnTimer
from dorosim.ground.noise import Noise
from dorosim.recording.format import Header, RunHeader
from dorosim.recording.writer import RecordingWriter
from dorosim.scenario.population import population
from dorosim.world.command import Source
from dorosim.world.fault.code import FaultClass, FaultLocation, FaultSubclass
from dorosim.world.fault.command import SetControlFault
from dorosim.world.physics import PHYSICS_VERSION
from dorosim.world.snapshot import EGO
from dorosim.world.step import step
from dorosim.world.vehicle.command import SelectMode, SetCruise
from dorosim.world.vehicle.mode import ControlMode, Gear

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WORLD = Settings(seed=5, traffic=TrafficSettings(vehicles=120, pedestrians=40))
DURATION, FAULT_AT, FAULT_FOR = 120, 60, 12
"""Simulated [s]."""
DPI = 100
FACTOR = 6.0
"""Simulated over wall time."""


def draw(folder: Path) -> Figure:
    """Drive, record, and draw the recording.

    Args:
        folder: data folder.
    """
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "town.rec"
        _record(path, folder)
        recorded = open_recording(path, None, folder)
        trace = trace_of(recorded)
        figure = draw_picture(plot_of(trace, recorded.ready.scene.network, title_of(recorded, trace)))
    figure.set_dpi(DPI)
    return figure


def _record(path: Path, folder: Path) -> None:
    ready, noise, stopwatch = build(WORLD, folder), Noise(WORLD.seed), TurnTimer()
    scene, first = ready.scene, ready.first
    run = RunHeader(
        version="", map_name=WORLD.map, map_digest=ready.map_files.digest, seed=WORLD.seed, tick=scene.tick, epoch=0,
        egos=ready.egos, revision=WORLD.udp.revision, physics=PHYSICS_VERSION,
    )  # fmt: skip
    writer = RecordingWriter(path, stopwatch)
    writer.begin(Header(**msgspec.structs.asdict(run)), first)
    crowd = population(scene, first, noise, WORLD.traffic.vehicles, WORLD.traffic.pedestrians, fewer=True)
    opening = (*crowd, SelectMode(EGO, ControlMode.CRUISE, Gear.D), SetCruise(EGO, ratio=1.0))
    fault = SetControlFault(
        EGO,
        location=FaultLocation.STEERING,
        fault_class=FaultClass.DATA,
        fault_subclass=FaultSubclass.DRIFT_AND_OSCILLATION,
        duration=FAULT_FOR,
    )
    # loads the kernels before the clock starts
    step(scene, step(scene, step(scene, first, opening, noise), (fault,), noise), (), noise)
    loop = Loop(scene, first, noise, PacedClock(FACTOR), None, (writer,), opening=opening, turn_timer=stopwatch)
    loop.run(FAULT_AT * 10**9)
    loop.put(Source.PEER, fault)
    loop.run((DURATION - FAULT_AT) * 10**9)
    writer.close()
