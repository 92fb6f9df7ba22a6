"""How long OpenDRIVE files take to become networks, to lxml's parse of the same bytes, and from the cache.

Town01 of CARLA has 0.5 MB. CARLA's largest town has 2.9 MB: where no file of that size is at hand, as many copies of
Town01 stand for it, side by side and with ids of their own.
"""

from __future__ import annotations

import gc
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from lxml import etree

from dorosim.road.network import network_from_mgeo
from dorosim.road.opendrive.conversion import map_from_opendrive
from dorosim.road.opendrive.reader import read_opendrive
from dorosim.road.store import network_from_bytes, network_to_bytes
from tools.bench.figure import Figure, best_seconds

_SHARED = Path(__file__).resolve().parents[3] / "shared" / "opendrive"
"""Roads of other people, which are no part of the project."""

TOWN, COPIES = "Town01.xodr", 6
TOWN_S, LARGE_S, CACHED_S = 1.0, 5.0, 0.3
"""Town01, the large town, and either from the cache take so long at most [s]."""

_ROUNDS = 3
_STEP = 600.0
"""From one copy to the next [m]."""

_IDS = re.compile(r'(<(?:road|junction) [^>]*?\bid="|\bjunction="|elementId="|(?:incoming|connecting)Road=")(\d+)"')
_X = re.compile(r'(<geometry [^>]*?\bx=")([^"]+)"')


def figures() -> Iterator[Figure]:
    """Town01 and a large town: from bytes to the network, to lxml's parse of them, and from the bytes of the cache."""
    file = _SHARED / TOWN
    if not file.exists():
        yield Figure("Town01.xodr, from the file to the network", None, "s", TOWN_S, True, f"{TOWN} is not here")
        return
    content = file.read_bytes()
    yield from _of("Town01", content, TOWN_S)
    yield from _of("large town", joined(content, COPIES), LARGE_S)


def _of(name: str, content: bytes, target: float) -> Iterator[Figure]:
    """The figures of a file."""
    kept = b""

    def load() -> None:
        nonlocal kept
        kept = network_to_bytes(network_from_mgeo(map_from_opendrive(read_opendrive(name, content), name)))

    load()  # kernels are loaded
    ours, parsed = _best(load), _best(lambda: etree.fromstring(content))
    size = f"{len(content) / 1e6:.1f} MB"
    yield Figure(f"{name} of {size}, from the file to the network", ours, "s", target, at_most=True)
    yield Figure(f"{name}, to lxml's parse", ours / parsed, "x", detail=f"{ours:.2f} s, lxml {parsed * 1e3:.1f} ms")
    cached = _best(lambda: network_from_bytes(kept))
    yield Figure(f"{name}, from the cache", cached, "s", CACHED_S, at_most=True, detail=f"{len(kept) / 1e6:.1f} MB")


def _best(work: Callable[[], object]) -> float:
    """The least processor time of a call in some rounds [s]."""
    gc.collect()
    return best_seconds(work, _ROUNDS, time.process_time)


def joined(content: bytes, copies: int) -> bytes:
    """Copies of a file in one, side by side from west to east."""
    text = content.decode()
    begin, end = text.index("<road "), text.rindex("</OpenDRIVE>")
    head, body = text[:begin], text[begin:end]
    parts = [_moved(_renamed(body, number), number * _STEP) for number in range(copies)]
    return "".join([head, *parts, text[end:]]).encode()


def _renamed(body: str, number: int) -> str:
    """A body whose roads and junctions have ids that no other copy has."""
    return _IDS.sub(lambda found: f'{found[1]}{number}0000{found[2]}"', body)


def _moved(body: str, step: float) -> str:
    """A body whose curves begin so much farther in the east [m]."""
    return _X.sub(lambda found: f'{found[1]}{float(found[2]) + step}"', body)
