"""What a storyboard's command to a traffic light does."""

from __future__ import annotations

from dorosim.road.signal import Lamp
from dorosim.world.command import CommandError
from dorosim.world.draft import Draft
from dorosim.world.scene import Scene
from dorosim.world.storyboard.command import ShowSignal

_LIT = {"on", "flashing", "blinking", "true", "1"}
_DARK = {"off", "false", "0", ""}
_COLOURS = {
    "red": Lamp.RED,
    "yellow": Lamp.YELLOW,
    "amber": Lamp.YELLOW,
    "green": Lamp.GREEN,
    "left": Lamp.LEFT,
    "right": Lamp.RIGHT,
}


def lamps_of(state: str, lamps: int) -> int:
    """The lamps that are lit.

    Args:
        state: as of `ShowSignal`.
        lamps: that the light has, a sum of `Lamp`.

    Returns:
        A sum of `Lamp`, 0 for a dark light.

    Raises:
        CommandError: the state is not understood, or names a lamp that the light does not have.
    """
    words = [one.strip().lower() for one in state.replace(",", ";").split(";")]
    if all(one in _DARK for one in words):
        return 0
    has = [one for one in Lamp if one & lamps]
    if all(one in _LIT or one in _DARK for one in words):
        if len(words) > len(has):
            raise CommandError(f"state {state!r} has {len(words)} lamps, and the light has {len(has)}")
        return sum(int(lamp) for lamp, word in zip(has, words, strict=False) if word in _LIT)
    lit = 0
    for word in words:
        lamp = _COLOURS.get(word.removesuffix(" flashing").removeprefix("flashing "))
        if lamp is None:
            raise CommandError(f"state {state!r} is not understood; give a word for each lamp, such as off;off;on")
        if not lamp & lamps:
            raise CommandError(f"the light has no {word} lamp; it has {', '.join(one.name or '' for one in has)}")
        lit |= int(lamp)
    return lit


def show_signal(scene: Scene, draft: Draft, command: ShowSignal) -> None:
    """Set what a light shows."""
    plan = scene.signal_plan
    row = plan.light_row(command.signal)
    if row < 0:
        raise CommandError(f"the map has no traffic light {command.signal!r} at a junction; its state is kept, unseen")
    light = draft.signal.light.copy()
    pedestrian = bool(plan.place.pedestrian[row])
    has = int(Lamp.RED | Lamp.GREEN) if pedestrian else int(plan.lamps[row])
    if has == int(sum(Lamp)):  # the map does not say
        has = int(Lamp.RED | Lamp.YELLOW | Lamp.GREEN)
    light.command[row], light.once[row] = lamps_of(command.state, has), 0
    draft.signal = plan.show(draft.signal.controller.copy(), light, draft.signal.programme).freeze()
