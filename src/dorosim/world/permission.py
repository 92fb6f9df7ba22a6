"""What the lamps that burn mean for those who drive: may one pass the stop line now?

A light governs links; in most maps these lie inside the junction, one for each movement, and the stop line is at the
end of the link before. So "may I pass" depends on where one wants to go: `LinkState.entry` tells it for the link that
comes after the stop line, `LinkState.stop_line` for the stop line whatever way one goes on.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.column import Columns, WholeArray, whole
from dorosim.road.adjacency import Adjacency
from dorosim.road.network import RoadNetwork
from dorosim.road.signal import Lamp, Light, Signals


class Permission(IntEnum):
    """Whether one may pass, from the freest to the strictest.

    FREE: no light, or a dark one: the rules of the road. GO: green or an arrow for this way; nobody crosses it.
    YIELD: green, but those who come towards it or walk across go first; also a steady yellow (caution).
    STOP_THEN_YIELD: red, but one may turn right after a stop, behind everybody else (Korea, right turn on red).
    CLEAR: yellow: stop if it can be done, else go on. STOP: red.
    """

    FREE = 0
    GO = 1
    YIELD = 2
    STOP_THEN_YIELD = 3
    CLEAR = 4
    STOP = 5


class LinkState(Columns):
    """One row per link of the network."""

    entry = whole("Permission to drive onto the link, from the stop line before it; FREE for a link without a light")
    stop_line = whole("Permission at the link's stop line for the freest way on from it; FREE if no light is there")


class LitHeads(NamedTuple):
    """What all lights show; each array is `(N,)`.

    Attributes:
        status: lit lamps, a sum of `Lamp`, negative for none.
        command: lamps as commanded, negative for none.
        steady: lamps of the present state before its yellow, by the programme.
        changing: whether the yellow of the state is on.
        ever: all lamps that the programme lights in some state.
    """

    status: WholeArray
    command: WholeArray
    steady: WholeArray
    changing: WholeArray
    ever: WholeArray


@dataclass(frozen=True, slots=True, eq=False)
class LinkRule:
    """How lights govern links. Pairs of link and vehicle light are ordered by link.

    Attributes:
        links: the number of links.
        light: `(Q,)` light of each pair.
        lamp: `(Q,)` the arrow that is meant for the link's movement; GREEN for straight on.
        near: `(Q,)` whether the movement turns right where one drives on the right, so that red lets it go.
        unprotected: `(Q,)` whether the map says that the movement has no phase of its own.
        caution: `(Q,)` whether all lamps of the head are yellow (MORAI's type 100).
        governed: `(K,)` links that have a light, ascending; `start`: `(K,)` first pair of each.
        approach: `(A,)` links with a stop line that a light governs; `approach_start`: `(A,)` where the list of each
            begins in `onward`: `(sum,)` the governed links on from the stop line.
    """

    links: int
    light: WholeArray
    lamp: WholeArray
    near: NDArray[np.bool_]
    unprotected: NDArray[np.bool_]
    caution: NDArray[np.bool_]
    governed: WholeArray
    start: WholeArray
    approach: WholeArray
    approach_start: WholeArray
    onward: WholeArray

    @classmethod
    def from_network(cls, network: RoadNetwork) -> Self:
        """The rule of a map."""
        near = not network.left_hand_traffic
        return cls._from(network.signals, network.link_movements, near, network.successors)

    @classmethod
    def from_signals(cls, signals: Signals) -> Self:
        """The rule of lights alone: every link that they govern leads straight on."""
        links = len(signals.lights_of_link)
        nowhere = Adjacency(np.zeros(links + 1, np.int64), np.zeros(0, np.int64))
        return cls._from(signals, ("",) * links, False, nowhere)

    @classmethod
    def _from(cls, signals: Signals, movements: tuple[str, ...], right_on_red: bool, successors: Adjacency) -> Self:
        pairs = [
            (link, light)
            for link in range(len(signals.lights_of_link))
            for light in signals.lights_of_link.of(link).tolist()
            if signals.lights[light].kind != "pedestrian"
        ]
        link, light = np.array(pairs, np.int64).reshape(-1, 2).T
        names = [movements[row].lower().replace("_", "") for row in link]
        governed, start = np.unique(link, return_index=True)
        approach, approach_start, onward = _approaches(signals, governed, successors)
        return cls(
            links=len(signals.lights_of_link),
            light=np.ascontiguousarray(light),
            lamp=np.array([_lamp_of(name) for name in names], np.int64),
            near=np.array([right_on_red and name.startswith("right") for name in names], np.bool_),
            unprotected=np.array([name.endswith("unprotected") for name in names], np.bool_),
            caution=np.array([_all_yellow(signals.lights[row]) for row in light], np.bool_),
            governed=governed,
            start=start,
            approach=approach,
            approach_start=approach_start,
            onward=onward,
        )


_MOVEMENTS = (
    ("upperleft", Lamp.UPPER_LEFT),
    ("upperright", Lamp.UPPER_RIGHT),
    ("lowerleft", Lamp.LOWER_LEFT),
    ("lowerright", Lamp.LOWER_RIGHT),
    ("uturn", Lamp.U_TURN),
    ("left", Lamp.LEFT),
    ("right", Lamp.RIGHT),
)
_GREENS = int(sum(lamp for lamp in Lamp if lamp not in {Lamp.RED, Lamp.YELLOW}))


def _lamp_of(movement: str) -> int:
    """The arrow for a movement (MGeo related_signal, lower case, without "_")."""
    return next((int(lamp) for name, lamp in _MOVEMENTS if movement.startswith(name)), int(Lamp.GREEN))


def _all_yellow(light: Light) -> bool:
    return bool(light.lamps) and set(light.lamps) == {"yellow"}


def _approaches(
    signals: Signals, governed: WholeArray, successors: Adjacency
) -> tuple[WholeArray, WholeArray, WholeArray]:
    """Links with a stop line that a light governs, where each one's list begins, and the lists.

    A governed link with a stop line of its own is an approach: its light stands at that line, not before the link.
    """
    own = set(governed[np.isfinite(signals.stop_line[governed])].tolist()) if len(governed) else set()
    inside = set(governed.tolist()) - own
    approach: list[int] = []
    first: list[int] = []
    onward: list[int] = []
    for link in np.flatnonzero(np.isfinite(signals.stop_line)).tolist():
        ways = [link] if link in own else [after for after in successors.of(link).tolist() if after in inside]
        if ways:
            approach.append(link)
            first.append(len(onward))
            onward += ways
    return np.array(approach, np.int64), np.array(first, np.int64), np.array(onward, np.int64)


def link_states(rule: LinkRule, heads: LitHeads) -> LinkState:
    """What all lights mean for all links; a new, writable table.

    Of several heads for one link the strictest counts. Heads under command come before those that are not, so that a
    command for one of two heads has its effect on traffic.
    """
    state = LinkState.zeros(rule.links)
    if not len(rule.light):
        return state
    commanded = heads.command[rule.light] >= 0
    permission = np.where(commanded, _commanded(rule, heads), _programmed(rule, heads))
    weighted = permission + np.where(commanded, _COMMANDED, 0)
    state.entry[rule.governed] = np.maximum.reduceat(weighted, rule.start) % _COMMANDED
    if len(rule.approach):
        state.stop_line[rule.approach] = np.minimum.reduceat(state.entry[rule.onward], rule.approach_start)
    return state


_COMMANDED = 8
"""More than any permission: what is added where a head is under command."""


def _programmed(rule: LinkRule, heads: LitHeads) -> WholeArray:
    """`(Q,)` permission by heads that follow their programme."""
    status, steady = heads.status[rule.light], heads.steady[rule.light]
    ever, changing = heads.ever[rule.light], heads.changing[rule.light] != 0
    found = _by_green(rule, status, ever)
    ends = changing & (_by_green(rule, steady, ever) <= Permission.YIELD) & (status & int(Lamp.YELLOW) != 0)
    found = np.where(ends & (found > Permission.YIELD), Permission.CLEAR, found)
    found = np.where(~changing & (steady == int(Lamp.YELLOW)), Permission.YIELD, found)
    return np.where(status <= 0, Permission.FREE, found)


def _commanded(rule: LinkRule, heads: LitHeads) -> WholeArray:
    """`(Q,)` permission by heads under command; the arrows that count are those of programme and command."""
    status = heads.status[rule.light]
    found = _by_green(rule, status, heads.ever[rule.light] | np.maximum(status, 0))
    yellow = (found > Permission.YIELD) & (status & (_RED | _YELLOW) == _YELLOW)
    return np.where(yellow, np.where(rule.caution, Permission.YIELD, Permission.CLEAR), found)


_RED, _YELLOW = int(Lamp.RED), int(Lamp.YELLOW)


def _by_green(rule: LinkRule, lamps: WholeArray, ever: WholeArray) -> WholeArray:
    """`(Q,)` GO, YIELD, STOP_THEN_YIELD or STOP by green lamps alone.

    A turn whose arrow is lit in some state waits for the arrow, unless the map calls it unprotected; without such an
    arrow it goes with the round green and gives way.
    """
    green = int(Lamp.GREEN)
    round_green = lamps & green != 0
    turn = rule.lamp != green
    own_arrow = turn & (lamps & rule.lamp != 0)
    waits = turn & (ever & rule.lamp != 0) & ~rule.unprotected
    # where a programme never shows a round green, an arrow is all that those straight on can get
    only_arrows = ~turn & (ever & green == 0) & (lamps & _GREENS != 0)
    found = np.where(rule.near & ~waits, Permission.STOP_THEN_YIELD, Permission.STOP)
    found = np.where(turn & round_green & ~waits, Permission.YIELD, found)
    return np.where(own_arrow | only_arrows | (~turn & round_green), Permission.GO, found)
