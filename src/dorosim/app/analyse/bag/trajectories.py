"""Reads a bag so that it can be replayed."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from dorosim.bridge.ros.bag_trajectories import LIST_TYPE, REPLAY_TYPE, TYPES, BagTrajectories, BagTrajectoryReader
from dorosim.ground.error import InputError
from dorosim.recording.bag.reader import reading
from dorosim.wire.ros.bag import Connection
from dorosim.wire.ros.bag_decoder import decoder_of
from dorosim.wire.ros.error import RosError

_AT_A_TIME = 50
"""Messages after which others get their turn."""


def read_trajectories(path: Path) -> BagTrajectories:
    """The film of a bag.

    Raises:
        InputError: it cannot be read, is no bag, was not closed, or holds nothing that can be replayed.
    """
    maker = BagTrajectoryReader(str(path))
    with reading(path) as bag:
        chosen: dict[str, str] = {}
        for stored in bag.messages():
            _choose(chosen, stored.connection)
        if bag.broken or not bag.closed:
            problem = f"is not a whole bag: {bag.broken or 'it was not closed'}"
            raise InputError(str(path), "", problem, f"mend it with: dorosim bag repair {path.name}")
        if LIST_TYPE in chosen and REPLAY_TYPE in chosen and len(chosen) == 2:
            # without the ego vehicle its inclination is of no use
            del chosen[REPLAY_TYPE]
    decoders: dict[int, Callable[[memoryview], Any]] = {}
    with reading(path) as bag:
        for number, stored in enumerate(bag.messages()):
            connection = stored.connection
            if chosen.get(connection.type) != connection.topic:
                continue
            try:
                decode = decoders.get(connection.id)
                if decode is None:
                    decode = decoders[connection.id] = decoder_of(connection)
                maker.add(connection.type, decode(stored.data), stored.time)
            except RosError as error:
                raise InputError(str(path), "", str(error), "record it again") from None
            if number % _AT_A_TIME == 0:
                time.sleep(0.0)
    return maker.film(path.name)


def _choose(chosen: dict[str, str], connection: Connection) -> None:
    """Note the topic of a type that is replayed: that of the default name, else the first."""
    usual = TYPES.get(connection.type)
    if usual is not None and (connection.type not in chosen or connection.topic == usual):
        chosen[connection.type] = connection.topic
