"""A client of the fixed step over TCP that knows nothing of dorosim: facts/tcp-fixed-step.md, by `struct` alone.

The numbers of the notes are hexadecimal, as the public clients have them.
"""

from __future__ import annotations

import socket
import struct
from itertools import count

HEAD = "<BBIIIH"
OK, INVALID_STATE, INVALID_PARAM, FAILED, TIMEOUT, NOT_SUPPORTED = 0, 101, 102, 200, 201, 202
GET_TIME, SET_TIME, STEP, SAVE = 0x1101, 0x1102, 0x1201, 0x1202
CREATE, MANUAL, TRANSFORM, TRAJECTORY, DELETE = 0x1301, 0x1302, 0x1303, 0x1304, 0x1305
LOAD_MAP = 0x1004
SUITE, LOAD_SUITE, SCENARIO_STATUS, SCENARIO_CONTROL = 0x1401, 0x1402, 0x1504, 0x1505
PLAY, PAUSE, STOP, PREVIOUS, NEXT = 1, 2, 3, 4, 5


def text(value: str) -> bytes:
    raw = value.encode()
    return struct.pack("<I", len(raw)) + raw


def request(number: int, payload: bytes = b"", request_id: int = 1) -> bytes:
    return struct.pack(HEAD, 0x4D, 1, number, len(payload), request_id, 0) + payload


def manual(throttle: float, brake: float, steer: float, entity: str = "Car_1") -> bytes:
    return text(entity) + struct.pack("<ddd", throttle, brake, steer)


def transform(place, rotation=(0.0, 0.0, 0.0), steer: float = 0.0, speed: float = 0.0, entity: str = "Car_1") -> bytes:
    return text(entity) + struct.pack("<7fd", *place, *rotation, steer, speed)


def trajectory(points, mode: int, entity: str = "Car_1") -> bytes:
    body = b"".join(struct.pack("<dddd", *point) for point in points)
    return text(entity) + struct.pack("<i", mode) + text("way") + struct.pack("<I", len(points)) + body


def made(kind: int, place, rotation=(0.0, 0.0, 0.0), mode: int = 1, model: int = 1) -> bytes:
    return struct.pack("<iffffffii", kind, *place, *rotation, mode, model)


class StepClient:
    """A connection, and a socket for the datagrams about one vehicle."""

    def __init__(self, port: int, info: int = 0) -> None:
        self.sock = socket.create_connection(("127.0.0.1", port), timeout=180.0)
        self.info = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        try:
            self.info.bind(("127.0.0.1", info))
        except OSError:
            self.close()
            raise
        self.info.settimeout(30.0)
        self._ids = count(100)
        self.notifications: list[tuple[int, bytes]] = []

    def exact(self, size: int) -> bytes:
        data = b""
        while len(data) < size:
            more = self.sock.recv(size - len(data))
            if not more:
                raise ConnectionError("closed")
            data += more
        return data

    def receive(self) -> tuple[int, int, bytes]:
        """Number, id and payload of the next answer; notifications before it are kept."""
        while True:
            magic, kind, number, size, request_id, flag = struct.unpack(HEAD, self.exact(16))
            payload = self.exact(size)
            assert (magic, flag) == (0x4D, 0)
            if kind == 2:
                return number, request_id, payload
            assert (kind, request_id) == (3, 0)
            self.notifications.append((number, payload))

    def send(self, number: int, payload: bytes = b"") -> int:
        request_id = next(self._ids)
        self.sock.sendall(request(number, payload, request_id))
        return request_id

    def ask(self, number: int, payload: bytes = b"") -> tuple[int, bytes]:
        """Result and the rest of the answer."""
        sent = self.send(number, payload)
        found, request_id, data = self.receive()
        assert (found, request_id) == (number, sent)
        result, detail = struct.unpack_from("<II", data)
        assert detail == result
        return result, data[8:]

    def done(self, number: int, payload: bytes = b"") -> bytes:
        result, rest = self.ask(number, payload)
        assert result == OK, (hex(number), result)
        return rest

    def step(self, steps: int = 1) -> None:
        assert self.done(STEP, struct.pack("<I", steps)) == b""

    def vehicle(self) -> tuple:
        """Seconds, nanoseconds, id, then 18 numbers: place, rotation, velocity, acceleration, rates, controls."""
        return self.unpacked(self.info.recv(2000))

    @staticmethod
    def unpacked(data: bytes) -> tuple:
        assert len(data) >= 108
        seconds, nanos, name, *numbers = struct.unpack_from("<qi24s18f", data)
        return seconds, nanos, name.rstrip(b"\0").decode(), numbers

    def no_vehicle(self) -> bool:
        """Whether no datagram waits."""
        self.info.setblocking(False)
        try:
            self.info.recv(2000)
        except BlockingIOError:
            return True
        finally:
            self.info.settimeout(30.0)
        return False

    def __enter__(self) -> StepClient:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self.sock.close()
        self.info.close()
