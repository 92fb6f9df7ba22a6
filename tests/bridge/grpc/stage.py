"""Procedures without sockets: requests go to the bridge, commands to a small world, answers come back."""

from __future__ import annotations

from typing import Any

from google.protobuf.json_format import ParseDict

from dorosim.bridge.actor import names_of
from dorosim.bridge.grpc.catalogue import procedures
from dorosim.bridge.host import BagStatus, Host, RecordStatus, StartOrder
from dorosim.bridge.reply import DeferredReply
from dorosim.bridge.scenario import Loading
from dorosim.bridge.situation import GrpcForm, SceneIndex, Situation
from dorosim.ground.error import InputError
from dorosim.wire.grpc.descriptor import Method, methods
from tests.road.small_map import network_of, straight
from tests.scenario.world import SMALL
from tests.world.stage import Stage


class Around:
    """The program around the world, as a test wants it: notes what is asked of it. Set attributes to change answers."""

    def __init__(self) -> None:
        self.asked: list[tuple[Any, ...]] = []
        self.told: list[tuple[str, str, tuple[str, ...]]] = []
        self.problem = ""
        self.map_name, self.version, self.epoch, self.place = "small", "1.2.3", 0, "/data"
        self.known_maps, self.map_files = ("small", "town"), (("link_set.json", b"[]"),)
        self.loading = Loading((), "a scenario", ())
        self.sensors: tuple[Any, tuple[str, ...]] = ((), ())
        self.readings: dict[int, Any] = {}
        self.hits: list[Any] = []
        self.synchronous, self.frame, self.time = False, 20_000_000, 0
        self.clients: tuple[str, ...] = ()
        self.recording = self.replaying = RecordStatus()
        self.bags = AroundBags(self.note)

    def note(self, *what: Any) -> None:
        """Note what is asked for, or refuse it."""
        self.asked.append(what)
        if self.problem:
            raise InputError("test", "", self.problem, "")

    def start(self, order: StartOrder) -> str:
        self.note("start", order)
        return order.map_name

    def plays(self, name: str) -> bool:
        return name.endswith(".xosc")

    def restart(self, commands=()) -> None:
        self.note("restart", tuple(commands))

    def report(self, kind: str, text: str, lines=()) -> None:
        self.told.append((kind, text, tuple(lines)))

    def maps(self):
        return self.known_maps

    def mgeo(self, map_name: str):
        self.note("mgeo", map_name)
        return self.map_files

    def scenario(self, name, options, _):
        self.note("scenario", name, options)
        return self.loading

    def sensor_set(self, name, _):
        self.note("sensor_set", name)
        return self.sensors

    def save_sensor_data(self, folder: str, name: str) -> str:
        self.note("save_sensor_data", folder, name)
        return f"/data/SensorData/{folder}"

    def look(self, sensor: int):
        self.note("look", sensor)
        return self.readings.get(sensor)

    def cast(self, _, rays):
        self.note("cast", tuple(rays))
        return self.hits or [None] * len(rays)

    @property
    def mode(self) -> int:
        return int(self.synchronous)

    def synchronise(self, frame: int) -> None:
        self.note("synchronise", frame)
        self.synchronous, self.frame = True, frame

    def release(self) -> None:
        self.note("release")
        self.synchronous = False

    def step(self, client: str, frames: int, patience: float):
        self.note("step", client, frames, patience)
        self.time += frames * self.frame
        return self.time if self.synchronous else None

    def wait(self, patience: float):
        self.note("wait", patience)
        return self.time if self.synchronous else None

    def leave(self, client: str) -> None:
        self.note("leave", client)

    def begin(self, name: str) -> str:
        self.note("begin", name)
        self.recording = RecordStatus(active=True, name=name)
        return name

    def finish(self) -> str:
        self.note("finish")
        name, self.recording = self.recording.name, RecordStatus()
        return name

    def load(self, name: str, takes=()) -> RecordStatus:
        self.note("load", name, tuple(takes))
        self.replaying = RecordStatus(name=name, end=100)
        return self.replaying

    def add_span(self, first: int, last: int) -> None:
        self.note("add_span", first, last)

    def play(self) -> None:
        self.note("play")


class AroundBags:
    """The bags of the program: notes what is asked of them.

    Args:
        note: of the program.
    """

    def __init__(self, note) -> None:
        self._note = note
        self.status = BagStatus()

    def load(self, name: str) -> BagStatus:
        self._note("load bag", name)
        self.status = BagStatus(name, length=10**10)
        return self.status

    def direct(self, order) -> None:
        self._note("direct bag", order)

    def stop(self) -> None:
        self._note("stop bag")
        self.status = BagStatus()


class GrpcStage(Stage):
    """A small world that is spoken to by gRPC messages.

    Attributes:
        around: the program around it. client: who asks. form: choices of the interface.
    """

    def __init__(self, network=SMALL, **rest: Any) -> None:
        super().__init__(network, **rest)
        self.around = Around()
        self.client, self.form = "ipv4:127.0.0.1:1", GrpcForm()
        self._index = SceneIndex(self.scene)
        self._procedures = procedures()

    def ask(self, name: str, /, _message: Any = None, **fields: Any) -> Any:
        """The answer to a request; its commands apply in a tick of no duration.

        Args:
            name: of a procedure of the documented API, or "Service/Name" of the Standard API.
            _message: the request, else it is made of fields by name, as JSON has them.
            fields: of the request.
        """
        method = method_named(name)
        request = _message if _message is not None else ParseDict(fields, method.request())
        request = method.request.FromString(request.SerializeToString())
        found = self._procedures[method.path](request, self.situation)
        if not isinstance(found, DeferredReply):
            assert type(found) is method.response
            return found
        now = self.tick(*found.commands, paused=True) if found.commands else self.now
        answer = found.reply(now, now.outcomes if found.commands else ())
        assert type(answer) is method.response
        return answer

    @property
    def situation(self) -> Situation:
        """The present one."""
        around: Any = self.around
        host = Host(around, around, around, around, around, around.bags)
        return Situation(self.now, self.scene, self._index, names_of(self.now), host, self.client, self.form)


def method_named(name: str) -> Method:
    """A procedure by the name of the documented API, or by "Service/Name" of the Standard API."""
    for method in methods():
        if name == (
            method.name if method.api == "documented" else f"{method.service.rpartition('.')[2]}/{method.name}"
        ):
            return method
    raise KeyError(name)


FORK = network_of(
    straight("A", "N0", "N1", (0, 0, 0), (100, 0, 0), max_speed=36),
    straight("B", "N1", "N2", (100, 0, 0), (200, 0, 0), max_speed=36),
    straight("C", "N1", "N3", (100, 0, 0), (200, 60, 0), max_speed=36),
    straight("D", "N2", "N4", (200, 0, 0), (300, 0, 0), max_speed=36),
    straight("Z", "N8", "N9", (0, 500, 0), (90, 500, 0), max_speed=36),
)
"""A fork, and a road apart."""
