"""What the page's panel of lights shows and asks for."""

from __future__ import annotations

from typing import Any, NamedTuple

from dorosim.bridge.actor_state import ActorReader
from dorosim.bridge.signal import SignalNames, set_intersection, set_light
from dorosim.bridge.surroundings import Lane, LightFinder, lane_under
from dorosim.bridge.view.surroundings import number
from dorosim.ground.error import InputError
from dorosim.road.signal import Lamp
from dorosim.world.scene import Scene
from dorosim.world.signal.command import SetIntersection, SetLight
from dorosim.world.signal.state import NO_LAMP
from dorosim.world.snapshot import Snapshot

COLOURS: dict[str, int] = {
    "red": Lamp.RED,
    "yellow": Lamp.YELLOW,
    "green": Lamp.GREEN,
    "left": Lamp.LEFT,
    "green + left": Lamp.GREEN | Lamp.LEFT,
}
"""What a light can be set to, and the lamps of it."""
PROGRAMME = "programme"
"""A light goes back to its programme."""


class LightView(NamedTuple):
    """What is shown of a light.

    Attributes:
        colour: what burns, "" for nothing known. held: whether it was set, and not by its programme.
        intersection: id of its intersection, "" for none. state: index of that one's state, -1 for none.
        states: how many there are. left: time until the next one [s].
    """

    colour: str
    held: bool
    intersection: str
    state: int
    states: int
    left: float


class LightBoard:
    """The lights of a run, by what visitors choose of lists.

    Args:
        scene: of the run.

    Attributes:
        lights: ids of all lights of vehicles, then of all others. intersections: ids of all controllers.
    """

    def __init__(self, scene: Scene) -> None:
        self._scene, self._plan = scene, scene.signal_plan
        self._names = SignalNames(scene.network.signals)
        self._finder, self._reader = LightFinder(scene), ActorReader(scene)
        known = scene.network.signals.lights
        cars = [light.id for light in known if light.kind != "pedestrian"]
        self.lights = (*cars, *(light.id for light in known if light.kind == "pedestrian"))
        self.intersections = self._plan.controller_ids

    def ahead_of(self, now: Snapshot, actor: int) -> str:
        """Id of the light ahead of an actor: the next one along its lane, else the nearest.

        Raises:
            InputError: there is no such actor, or no light.
        """
        state = self._reader.state(now, actor)
        if state is None:
            raise InputError("light", "", f"there is no actor {actor}")
        row = now.row_of(actor)
        lane = Lane(state.link) if row < 0 else lane_under(self._scene.network, now.vehicle, row)
        x, y, _ = state.position
        found = self._finder.faced(lane, x, y, state.rotation[2])
        if found is None:
            raise InputError("light", "", "the map has no lights")
        return self._plan.ids[found.row]

    def view(self, now: Snapshot, light_id: str) -> LightView | None:
        """What a light shows; None if there is none of this id."""
        row = self._plan.light_row(light_id)
        if row < 0:
            return None
        status, controller = self._plan.status_of(row, now.signal), int(self._plan.place.controller[row])
        held = int(now.signal.light.command[row]) != NO_LAMP
        if controller < 0:
            return LightView(colour_text(status), held, "", -1, 0, 0.0)
        clock, count = now.signal.controller, int(now.signal.programme.count[controller])
        return LightView(
            colour_text(status),
            held,
            self._plan.controller_ids[controller],
            int(clock.state[controller]),
            count,
            float(clock.remaining[controller]) * 1e-9,
        )

    def set_light(self, light_id: Any, colour: Any, *, once: bool, siblings: bool) -> SetLight:
        """The command that sets a light to one of `COLOURS`, or gives it back to its `PROGRAMME`.

        Raises:
            InputError: there is no such light or colour.
        """
        if colour != PROGRAMME and colour not in COLOURS:
            raise InputError("light", "", f"{colour!r} is no colour to show", f"use one of {', '.join(COLOURS)}")
        lamps = NO_LAMP if colour == PROGRAMME else int(COLOURS[colour])
        return set_light(self._plan, str(light_id), lamps, once=once, siblings=siblings)

    def set_intersection(self, intersection: Any, state: Any) -> SetIntersection:
        """The command that sets the state of an intersection's programme.

        Raises:
            InputError: there is no such intersection.
        """
        return set_intersection(self._plan, self._names, str(intersection), int(number(state, "state")))


def colour_text(lamps: int) -> str:
    """Lit lamps in words; an empty string where nothing is known."""
    if lamps == NO_LAMP:
        return ""
    return " + ".join(lamp.name.lower().replace("_", " ") for lamp in Lamp if lamps & lamp and lamp.name) or "dark"
