"""The facts of a run that is about to begin, gathered once: the banner and `--json` only write them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dorosim import __version__
from dorosim.app.run.ego_start import ego_starts
from dorosim.app.run.report.run_summary import count_actors, describe_driving
from dorosim.app.setting.settings import EgoSettings
from dorosim.app.store.map import TOWN

if TYPE_CHECKING:
    from dorosim.app.run.session import RunSession
    from dorosim.endpoint.udp.socket import Address

MAX_EXAMPLE_DISTANCE = 5.0
"""The example's lap begins this near to its vehicle [m]."""


@dataclass(frozen=True, slots=True)
class EgoLine:
    """An ego vehicle at the start: its model, and its rear axle in the map [m, deg]."""

    vehicle: str
    x: float
    y: float
    heading_deg: float


@dataclass(frozen=True, slots=True)
class AddressLine:
    """A message of UDP: what it is, its sizes [bytes], and the addresses. `rate_hz` is None for one that is taken.

    `ego` is the number of the ego vehicle that it is about or for; 1 also of what is of none.
    """

    message: str
    bytes: list[int]
    source: str | None
    to: str
    rate_hz: float | None
    ego: int = 1


@dataclass(frozen=True, slots=True)
class SensorLine:
    """A sensor, and where its packets go by UDP: `to` is None where it sends none, `source` with port 0 any."""

    sensor: int
    kind: str
    source: str | None
    to: str | None


@dataclass(frozen=True, slots=True)
class RunFacts:
    """What is printed and reported of a run that is about to begin.

    Attributes:
        version: of dorosim. run_id: by which programs of this machine find the run, "" for none.
        port_offset: by how much its ports are greater than the usual ones.
        map, map_source: its name, and where it is from. lanes_km: how long its lanes are.
        egos: ego vehicles, the first is the one that ego messages mean. actors: how many of each kind.
        time_s: simulated time. speed: pace. tick_ms: length of a tick. paused: whether time stands.
        driving: what the first ego vehicle does until a client or user drives it.
        from_snapshot: file that it goes on from.
        revision: of the product. steer_positive: side to which positive steering turns.
        listen: addresses that take any message. sends, takes: messages; of further egos those that are theirs alone.
        sensors: those that it begins with.
        at_example: whether it stands where the lap of examples/drive_lap.py begins.
        lines: about interfaces, traffic and sensors. notices: what a user should know.
    """

    version: str
    run_id: str
    port_offset: int
    map: str
    map_source: str
    lanes_km: float
    egos: list[EgoLine]
    actors: dict[str, int]
    time_s: float
    speed: str | float
    tick_ms: float
    paused: bool
    driving: str
    from_snapshot: str | None
    revision: str
    steer_positive: str
    listen: list[str]
    sends: list[AddressLine]
    takes: list[AddressLine]
    sensors: list[SensorLine]
    at_example: bool
    lines: list[str]
    notices: list[str]


def run_facts_of(session: RunSession, lines: Iterable[str] = (), notices: Iterable[str] = ()) -> RunFacts:
    """What is printed and reported of a run.

    Args:
        session: the run, before its first tick, with its sockets open.
        lines: of the services of the program.
        notices: of the services, too.
    """
    settings, ready = session.start.settings, session.start.ready
    first, scene, vehicle = ready.first, ready.scene, ready.first.vehicle
    egos = [
        EgoLine(
            scene.models[int(vehicle.model[row])].name,
            float(vehicle.x[row]),
            float(vehicle.y[row]),
            math.degrees(math.remainder(float(vehicle.yaw[row]), math.tau)),
        )
        for row in range(len(first.egos))
    ]
    derived = scene.network.signals.derived  # about controllers that are made for a map with lights and no controllers
    lights = [f"lights: {derived}"] if derived else []
    return RunFacts(
        version=__version__,
        run_id=session.run_id,
        port_offset=settings.port_offset,
        map=ready.map_files.name,
        map_source=ready.map_files.source,
        lanes_km=float((scene.network.link_length * scene.network.link_drivable).sum()) / 1000,
        egos=egos,
        actors=count_actors(first),
        time_s=first.time * 1e-9,
        speed=settings.speed,
        tick_ms=scene.tick / 1e6,
        paused=bool(first.paused),
        driving=describe_driving(first),
        from_snapshot=settings.from_snapshot,
        revision=session.revision.name,
        steer_positive=session.revision.steer_positive,
        listen=[_bound(session, address) for address in session.endpoint.listening],
        sends=_sent(session),
        takes=_taken(session),
        sensors=_sensors(session),
        at_example=_at_example(session),
        lines=[*lights, *session.opening.lines, *session.plan.lines, *lines],
        notices=[
            *session.endpoint.notices,
            *session.notices,
            *session.plan.notices,
            *session.slow,
            *notices,
            *session.opening.notices,
        ],
    )


def _at_example(session: RunSession) -> bool:
    ready = session.start.ready
    if ready.map_files.name != TOWN:
        return False
    begin = ego_starts((EgoSettings(),), TOWN, ready.scene.network)[0]
    vehicle = ready.first.vehicle
    away = math.dist((float(vehicle.x[0]), float(vehicle.y[0])), begin.position[:2])
    turned = math.remainder(float(vehicle.yaw[0]) - begin.heading, math.tau)
    return away < MAX_EXAMPLE_DISTANCE and abs(turned) < math.pi / 4


def _sent(session: RunSession) -> list[AddressLine]:
    from dorosim.wire.udp.catalogue import STATUS
    from dorosim.wire.udp.datagram import codec_of

    return [
        AddressLine(
            one.message,
            [codec_of(STATUS[one.message][0], session.revision, STATUS[one.message][1]).size],
            _bound(session, one.source),
            str(one.destination),
            one.rate_hz,
            one.ego,
        )
        for one in session.endpoint.publications
    ]


def _taken(session: RunSession) -> list[AddressLine]:
    from dorosim.bridge.udp.receive import TO_AN_EGO
    from dorosim.endpoint.udp.network import PORTS_OF_AN_EGO
    from dorosim.wire.udp.catalogue import CATALOGUE

    listening, offset = session.endpoint.listening, session.start.settings.port_offset
    by_ego: dict[int, list[Address]] = {}
    for address, ego in listening.items():
        by_ego.setdefault(ego, []).append(address)
    return [
        AddressLine(
            message.__name__,
            [layout.size for layout in reversed(message.table.layouts)],
            None,
            _bound(session, _usual(listen, message.table.default_port + offset + PORTS_OF_AN_EGO * (ego - 1))),
            None,
            ego,
        )
        for ego, listen in sorted(by_ego.items())
        for message in CATALOGUE
        if message.table.to == "simulator" and (ego == 1 or message in TO_AN_EGO)
    ]


def _sensors(session: RunSession) -> list[SensorLine]:
    """The sensors that the run begins with: those of a snapshot, and those that settings and files ask for."""
    first, plan = session.start.ready.first, session.plan
    if not plan.commands and not len(first.mounts):
        return []
    from dorosim.endpoint.sensor.destination import address_of
    from dorosim.world.mount.effect import mounts_after

    found = []
    for mount in mounts_after(first.mounts, plan.commands, first.time).all():
        address = address_of(plan.addresses, mount.id, mount.kind, session.start.settings.port_offset)
        ends = (None, None) if address is None else (str(address.source), str(address.destination))
        found.append(SensorLine(mount.id, mount.kind.name.lower(), *ends))
    return found


def _usual(listen: Sequence[Address], port: int) -> Address:
    """The address at which the product's clients send a message, if it is listened to, else the first."""
    return next((address for address in listen if address.port == port), listen[0])


def _bound(session: RunSession, address: Address) -> str:
    """An address as it was bound: with the port that the system chose where 0 was asked for."""
    sock = session.endpoint.sockets.get(address)
    if address.port or sock is None:
        return str(address)
    return f"{address.host}:{sock.getsockname()[1]}"
