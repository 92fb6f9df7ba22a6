#!/usr/bin/env python3
"""Receives what sensors send by UDP, with nothing but Python's standard library, and saves it.

Start the simulator with sensors in one terminal, then this in another:

    dorosim run --config examples/sensors.toml
    python examples/sensor_listen.py --seconds 5 --out received

It listens to the ports of examples/sensors.toml and writes into the folder: pictures as camera_0000.jpg and on, their
boxes as boxes.csv, the whole turns of the lidar as turn_0000.csv (x forward, y left, z up, intensity), GPS sentences as
gps.nmea and the IMU as imu.csv. At the end it says how much came.
"""

import argparse
import csv
import math
import select
import socket
import struct
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Protocol

sys.path.insert(0, str(Path(__file__).parent))
from run_ports import add_run_option, bound, run_event, sensor_port

PORTS = {"camera": 1232, "lidar": 2368, "gps": 1234, "imu": 1236}
KINDS = {"camera": "camera", "lidar": "lidar_3d", "gps": "gps", "imu": "imu"}
CHUNK = struct.Struct("<3s4i")
"""Camera: name, seconds, nanoseconds, number of the chunk, bytes of it; 65,000 bytes in all, the tail at 64,998."""
BOX = struct.Struct("<24f4f3B")
"""Eight corners in the camera's frame (x right, y down, z forward), the rectangle, and the colour of the class."""
IMU = struct.Struct("<9si12x2i4d3d3d2s")
IMU_22_R1 = struct.Struct("<9si12x4d3d3d2s")  # without a time
"""Name, length, aux, stamp, quaternion w x y z, angular velocity, acceleration, tail."""
BLOCK = struct.Struct("<2H")
VLP_16 = [-15, 1, -13, 3, -11, 5, -9, 7, -7, 9, -5, 11, -3, 13, -1, 15]
"""Elevation of each laser in degrees, in the order of the packet."""


class Reader(Protocol):
    """Takes what comes at a socket, and says at its end how much it was."""

    def take(self, data: bytes) -> None: ...

    def close(self) -> str: ...


class Camera:
    """Puts pictures together from their chunks."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.pictures, self.boxes = folder, 0, 0
        self.parts: dict[int, bytes] = {}
        self.table = (folder / "boxes.csv").open("w", newline="")
        self.rows = csv.writer(self.table)
        self.rows.writerow(["seconds", "x_min", "y_min", "x_max", "y_max", "red", "green", "blue"])

    def take(self, data: bytes) -> None:
        name, seconds, nanoseconds, index, size = CHUNK.unpack_from(data)
        if name == b"BOX":
            for start in range(CHUNK.size, CHUNK.size + size, BOX.size):
                *_, x_min, y_min, x_max, y_max, red, green, blue = BOX.unpack_from(data, start)
                self.rows.writerow([seconds + nanoseconds * 1e-9, x_min, y_min, x_max, y_max, red, green, blue])
                self.boxes += 1
            return
        self.parts[index] = data[CHUNK.size : CHUNK.size + size]
        if data[-2:] == b"EI":
            if len(self.parts) == index + 1:
                picture = b"".join(self.parts[part] for part in range(index + 1))
                (self.folder / f"camera_{self.pictures:04d}.jpg").write_bytes(picture)
                self.pictures += 1
            self.parts.clear()

    def close(self) -> str:
        self.table.close()
        return f"{self.pictures} pictures, {self.boxes} boxes"


class Lidar:
    """Makes points of a VLP-16's packets and saves them turn by turn."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.turns, self.packets = folder, 0, 0
        self.points: list[tuple[float, ...]] = []
        self.last: int | None = None
        self.ints = False  # who begins to listen within a turn does not get all of it

    def take(self, data: bytes) -> None:
        if len(data) != 1206 or data[1205] != 0x22:
            return
        self.packets += 1
        azimuths = [BLOCK.unpack_from(data, 100 * block)[1] for block in range(12)]
        for block, azimuth in enumerate(azimuths):
            if self.last is None:
                self.ints = azimuth < 100
            elif azimuth < self.last:
                self.save()
            self.last = azimuth
            after = azimuths[block + 1] if block < 11 else 2 * azimuth - azimuths[block - 1]
            step = (after - azimuth) % 36_000
            for place in range(32):
                raw, intensity = struct.unpack_from("<HB", data, 100 * block + 4 + 3 * place)
                if raw:
                    late = (place // 16 * 55.296 + place % 16 * 2.304) / 110.592
                    self.points.append(self.point(azimuth + late * step, VLP_16[place % 16], raw * 0.002, intensity))

    @staticmethod
    def point(azimuth: float, elevation: float, distance: float, intensity: int) -> tuple[float, ...]:
        turn, up = math.radians(azimuth / 100), math.radians(elevation)
        level = distance * math.cos(up)
        return level * math.cos(turn), -level * math.sin(turn), distance * math.sin(up), intensity

    def save(self) -> None:
        if not self.ints:
            self.ints, self.points = True, []
            return
        with (self.folder / f"turn_{self.turns:04d}.csv").open("w", newline="") as file:
            csv.writer(file).writerows([f"{value:.3f}" for value in point] for point in self.points)
        self.turns += 1
        self.points = []

    def close(self) -> str:
        return f"{self.packets} lidar packets, {self.turns} turns"


class Gps:
    """Checks sentences and keeps them."""

    def __init__(self, folder: Path) -> None:
        self.file, self.sentences = (folder / "gps.nmea").open("wb"), 0

    def take(self, data: bytes) -> None:
        body, _, told = data.strip()[1:].partition(b"*")
        value = 0
        for byte in body:
            value ^= byte
        if int(told, 16) == value:
            self.file.write(data)
            self.sentences += 1

    def close(self) -> str:
        self.file.close()
        return f"{self.sentences} GPS sentences"


class Imu:
    """Keeps what an IMU tells."""

    def __init__(self, folder: Path) -> None:
        self.file, self.samples = (folder / "imu.csv").open("w", newline=""), 0
        self.rows = csv.writer(self.file)
        self.rows.writerow(["seconds", "qw", "qx", "qy", "qz", "wx", "wy", "wz", "ax", "ay", "az"])

    def take(self, data: bytes) -> None:
        if len(data) == IMU.size:
            _, _, seconds, nanoseconds, *values, _ = IMU.unpack(data)
            self.rows.writerow([seconds + nanoseconds * 1e-9, *values])
            self.samples += 1
        elif len(data) == IMU_22_R1.size:
            _, _, *values, _ = IMU_22_R1.unpack(data)
            self.rows.writerow(["", *values])
            self.samples += 1

    def close(self) -> str:
        self.file.close()
        return f"{self.samples} IMU samples"


def listen(readers: dict[socket.socket, Reader], wait: float, seconds: float) -> None:
    """Give readers what comes at their sockets, for some seconds after the first packet."""
    end = time.monotonic() + wait
    started = False
    while (left := end - time.monotonic()) > 0:
        ready, _, _ = select.select(list(readers), [], [], left)
        if ready and not started:
            started, end = True, time.monotonic() + seconds
        for sock in ready:
            readers[sock].take(sock.recv(65_536))


def main() -> None:
    parser = argparse.ArgumentParser(description=str(__doc__).split("\n")[0])
    parser.add_argument("--out", type=Path, default=Path("received"), help="folder to save to")
    parser.add_argument("--seconds", type=float, default=5.0, help="how long to listen after the first packet")
    parser.add_argument("--wait", type=float, default=60.0, help="how long to wait for the first packet")
    add_run_option(parser)
    for name, port in PORTS.items():
        parser.add_argument(f"--{name}-port", type=int, help=f"where its packets come ({port})")
    given = parser.parse_args()
    event = run_event(given.run)
    given.out.mkdir(parents=True, exist_ok=True)
    kinds: dict[str, Callable[[Path], Reader]] = {"camera": Camera, "lidar": Lidar, "gps": Gps, "imu": Imu}
    readers = {}
    for name, kind in kinds.items():
        port = getattr(given, f"{name}_port") or sensor_port(event, KINDS[name], PORTS[name])
        sock = bound(port, f"--{name}-port")
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4 << 20)
        readers[sock] = kind(given.out)
    with suppress(KeyboardInterrupt):  # what has come until then is kept
        listen(readers, given.wait, given.seconds)
    print("; ".join(reader.close() for reader in readers.values()))


if __name__ == "__main__":
    main()
