"""Which lamps are lit, and the permissions that they give to drivers, from clocks, programmes and commands."""

from __future__ import annotations

from typing import NamedTuple

from dorosim.ground.bare_kernel import bare
from dorosim.ground.column import IntArray
from dorosim.ground.jit import inner_kernel, kernel
from dorosim.road.signal import Lamp
from dorosim.world.signal.permission import GovernedLinks, LinkPair, LinkState, Permission
from dorosim.world.signal.signal_program import BEFORE, FLICKER, FOREVER, GREEN
from dorosim.world.signal.state import NO_LAMP, ControllerState, LightPlace, LightState, WalkSignal

_CONTROLLER = ControllerState.at
_LIGHT = LightState.at
_LIGHT_PLACE = LightPlace.at
_LINK = LinkState.at
_LINK_PAIR = LinkPair.at

_RED, _YELLOW, _GREEN = int(Lamp.RED), int(Lamp.YELLOW), int(Lamp.GREEN)
_GREENS = int(sum(lamp for lamp in Lamp if lamp not in {Lamp.RED, Lamp.YELLOW}))
_FREE, _GO, _YIELD = int(Permission.FREE), int(Permission.GO), int(Permission.YIELD)
_STOP_THEN_YIELD, _CLEAR, _STOP = int(Permission.STOP_THEN_YIELD), int(Permission.CLEAR), int(Permission.STOP)
_NO_WALK, _STAY, _CROSS, _FLASH = (int(one) for one in WalkSignal)


class Programmes(NamedTuple):
    """The programmes as kernels see them: the arrays of `ProgrammeTable`, read-only; `states` are its `count`."""

    states: IntArray
    duration: IntArray
    yellow: IntArray
    lamps: IntArray
    change: IntArray
    walk: IntArray


@inner_kernel
def count_down(clock: IntArray, c: int, programme: Programmes) -> None:
    """Write the time until any lamp of a controller changes [ns]."""
    state, due = clock[_CONTROLLER.state, c], clock[_CONTROLLER.remaining, c]
    elapsed = programme.duration[c, state] - due
    ahead = programme.duration[c, state] - programme.yellow[c, state] - elapsed
    if ahead > 0:
        due = min(due, ahead)
    for group in range(programme.walk.shape[2]):
        ahead = -elapsed
        for part in range(programme.walk.shape[3]):
            ahead += programme.walk[c, state, group, part]
            if ahead > 0:
                due = min(due, ahead)
    clock[_CONTROLLER.due, c] = min(due, FOREVER)


@inner_kernel
def is_changing(clock: IntArray, c: int, programme: Programmes) -> bool:
    """Whether the yellow of a controller's state is on."""
    return bool(clock[_CONTROLLER.remaining, c] <= programme.yellow[c, clock[_CONTROLLER.state, c]])


@inner_kernel
def is_driven(place: IntArray, n: int, programme: Programmes) -> bool:
    """Whether a programme controls a light."""
    c = place[_LIGHT_PLACE.controller, n]
    return bool(c >= 0 and place[_LIGHT_PLACE.group, n] >= 0 and programme.states[c] > 0)


@inner_kernel
def walk_of(clock: IntArray, c: int, group: int, programme: Programmes) -> int:
    """What a pedestrian head shows; NONE where no state of the programme lets pedestrians walk."""
    ever = 0
    for state in range(programme.walk.shape[1]):
        ever += programme.walk[c, state, group, GREEN] + programme.walk[c, state, group, FLICKER]
    if ever == 0:
        return _NO_WALK
    state = clock[_CONTROLLER.state, c]
    since = programme.duration[c, state] - clock[_CONTROLLER.remaining, c] - programme.walk[c, state, group, BEFORE]
    green, flicker = programme.walk[c, state, group, GREEN], programme.walk[c, state, group, FLICKER]
    if 0 <= since < green:
        return _CROSS
    return _FLASH if green <= since < green + flicker else _STAY


@inner_kernel
def show_light(light: IntArray, n: int, place: IntArray, clock: IntArray, programme: Programmes) -> None:
    """Write what a light shows: as commanded, else as its programme says; the documents have no code for flashing."""
    c, group, command = place[_LIGHT_PLACE.controller, n], place[_LIGHT_PLACE.group, n], light[_LIGHT.command, n]
    driven = is_driven(place, n, programme)
    status, walk = NO_LAMP, _NO_WALK
    if place[_LIGHT_PLACE.pedestrian, n] != 0:
        if command != NO_LAMP:
            walk = _CROSS if command & _GREEN else _STAY
        elif driven:
            walk = walk_of(clock, c, group, programme)
        if walk != _NO_WALK:
            status = _RED if walk == _STAY else _GREEN
    elif driven:
        state = clock[_CONTROLLER.state, c]
        table = programme.change if is_changing(clock, c, programme) else programme.lamps
        status = table[c, state, group]
    light[_LIGHT.status, n] = status if command == NO_LAMP else command
    light[_LIGHT.walk, n] = walk


@inner_kernel
def permission_by_green(pair: IntArray, q: int, lamps: int, ever: int, held: bool) -> int:
    """The permission from the lit green lamps: GO, YIELD, STOP_THEN_YIELD or STOP; yellow is the caller's.

    A turn whose arrow is lit in some state (`ever`) waits for the arrow, unless the map calls it unprotected; without
    such an arrow it goes with the round green and gives way. A head that is held at a command shows no arrow later, so
    with its round green every turn goes and gives way. Where a programme never shows a round green, any green arrow
    lets vehicles go straight on.
    """
    arrow = pair[_LINK_PAIR.lamp, q]
    waits = False
    if arrow == _GREEN:
        if lamps & _GREEN != 0 or (ever & _GREEN == 0 and lamps & _GREENS != 0):
            return _GO
    else:
        waits = ever & arrow != 0 and pair[_LINK_PAIR.unprotected, q] == 0
        if lamps & arrow != 0:
            return _GO
        if lamps & _GREEN != 0 and (held or not waits):
            return _YIELD
    return _STOP_THEN_YIELD if pair[_LINK_PAIR.near, q] != 0 and not waits else _STOP


@inner_kernel
def permission_of(
    pair: IntArray, q: int, light: IntArray, place: IntArray, clock: IntArray, programme: Programmes
) -> int:
    """What a light means for a link that it governs."""
    n = pair[_LINK_PAIR.light, q]
    c, group, status = place[_LIGHT_PLACE.controller, n], place[_LIGHT_PLACE.group, n], light[_LIGHT.status, n]
    driven = is_driven(place, n, programme)
    steady, ever = 0, 0
    if driven:
        steady = programme.lamps[c, clock[_CONTROLLER.state, c], group]
        for state in range(programme.lamps.shape[1]):
            ever |= programme.lamps[c, state, group]
    if light[_LIGHT.command, n] >= 0:
        found = permission_by_green(pair, q, status, ever | max(status, 0), True)
        if found > _YIELD and status & (_RED | _YELLOW) == _YELLOW:
            return _YIELD if pair[_LINK_PAIR.caution, q] != 0 else _CLEAR
        return found
    if status <= 0:
        return _FREE
    changing = driven and is_changing(clock, c, programme)
    if not changing and steady == _YELLOW:
        return _YIELD
    found = permission_by_green(pair, q, status, ever, False)
    going_out = changing and found > _YIELD and status & _YELLOW != 0
    if going_out and permission_by_green(pair, q, steady, ever, False) <= _YIELD:
        return _CLEAR
    return found


@inner_kernel
def write_permissions(
    link: IntArray, links: GovernedLinks, light: IntArray, place: IntArray, clock: IntArray, programme: Programmes
) -> None:
    """Write what the lights mean for the links.

    Of several heads for one link the strictest counts. Heads under command come before those that are not, so that a
    command for one of two heads has its effect on traffic.
    """
    pair = links.pair
    for k in range(links.governed.shape[0]):
        end = links.start[k + 1] if k + 1 < links.start.shape[0] else pair.shape[1]
        found, commanded = _FREE, False
        for q in range(links.start[k], end):
            under_command = light[_LIGHT.command, pair[_LINK_PAIR.light, q]] >= 0
            if commanded and not under_command:
                continue
            one = permission_of(pair, q, light, place, clock, programme)
            found = max(found, one) if under_command == commanded else one
            commanded = under_command
        link[_LINK.entry, links.governed[k]] = found
    for a in range(links.approach.shape[0]):
        end = links.approach_start[a + 1] if a + 1 < links.approach_start.shape[0] else links.onward.shape[0]
        freest = _STOP
        for way in range(links.approach_start[a], end):
            freest = min(freest, link[_LINK.entry, links.onward[way]])
        link[_LINK.stop_line, links.approach[a]] = freest


@kernel
def show_lights(
    clock: IntArray, light: IntArray, link: IntArray, place: IntArray, programme: Programmes, links: GovernedLinks
) -> None:
    """Write all that follows from clocks, commands and programmes.

    Args:
        clock: int block of `ControllerState`, writable: `due` is written.
        light: int block of `LightState`, writable: all but the commands is written.
        link: int block of `LinkState`, writable, zeros.
        place: int block of `LightPlace`, writable.
        programme: the programmes.
        links: what lights govern.
    """
    clock, light, link, place = bare(clock), bare(light), bare(link), bare(place)
    programme, links = bare(programme), bare(links)
    for c in range(clock.shape[1]):
        count_down(clock, c, programme)
    for n in range(light.shape[1]):
        show_light(light, n, place, clock, programme)
    write_permissions(link, links, light, place, clock, programme)
