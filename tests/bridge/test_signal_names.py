"""By which ids and numbers messages know lights and intersections."""

from __future__ import annotations

import numpy as np

from dorosim.bridge.signal import SignalNames
from dorosim.road.adjacency import adjacency_from_lists
from dorosim.road.signal import Controller, Light, Signals


def names(*controllers: str, lights: tuple[str, ...] = ()) -> SignalNames:
    heads = tuple(Light(one, (0.0, 0.0, 5.0), 0.0, (), "car", ()) for one in lights)
    made = tuple(Controller(id=one, groups=()) for one in controllers)
    return SignalNames(Signals(heads, made, adjacency_from_lists([]), np.zeros(0)))


def test_an_intersection_is_known_by_the_number_at_the_end_of_its_id():
    found = names("IntTL3", "north", "IntTL12")
    assert found.numbers == (3, 1, 12)
    assert [found.controller_row(number) for number in (3, 1, 12, 2)] == [0, 1, 2, -1]


def test_of_two_intersections_with_one_number_the_first_is_meant():
    assert names("IntTL3", "Old3").controller_row(3) == 0


def test_an_id_that_is_too_long_for_the_message_is_known_by_its_start():
    found = names(lights=("C119BS010007-east", "C119BS010007", "653"))
    assert found.light_row("C119BS010007") == 1, "a whole id counts before one that was cut"
    assert names(lights=("C119BS010007-east",)).light_row("C119BS010007") == 0
    assert found.light_row("653") == 2
    assert found.light_row("") == -1


def test_every_light_of_a_map_is_known(town):
    signals = town.built.scene.network.signals
    found = SignalNames(signals)
    assert [found.light_row(light.id) for light in signals.lights] == list(range(len(signals.lights)))
    assert [found.controller_row(number) for number in found.numbers] == list(range(len(signals.controllers)))
