"""Actions on what an entity looks like (ASAM OpenSCENARIO XML 1.3, AppearanceAction)."""

from __future__ import annotations

from dataclasses import dataclass

from dorosim.scenario.openscenario.engine.appearance import animation_of, light_of
from dorosim.scenario.openscenario.engine.frame import StoryboardFrame
from dorosim.scenario.openscenario.engine.program import Domain
from dorosim.scenario.openscenario.engine.rows import ActionRow
from dorosim.world.storyboard.control_state import LampMode
from dorosim.world.vehicle.command import SetLamps
from dorosim.world.vehicle.mode import TurnLamp

LAMPS = ("indicatorLeft", "indicatorRight", "warningLights")
"""Lights that vehicles of the world have a state for, which interfaces report."""


@dataclass(frozen=True, slots=True)
class SwitchLight:
    """Switch a light; the action ends when the light is as it is to be.

    Attributes:
        kind: which light. mode: of it. transition: how long it takes [ns]. on_time, off_time: while it flashes [ns].
        intensity: luminous intensity [cd]. colour: red, green and blue, 0 to 1; NaN for what is not given.
        colour_name: in the words of the file, "" for none.
    """

    kind: str
    mode: LampMode
    transition: int
    on_time: int
    off_time: int
    intensity: float
    colour: tuple[float, float, float]
    colour_name: str = ""
    domain: Domain = Domain.NONE

    def start(self, frame: StoryboardFrame, entity: int, row: ActionRow) -> None:
        """Begin the transition from how bright it is."""
        light = light_of(frame, entity, self.kind)
        light.start, light.mode, light.since = light.brightness, int(self.mode), frame.time
        light.transition, light.on_time, light.off_time = self.transition, self.on_time, self.off_time
        light.intensity = self.intensity
        light.red, light.green, light.blue = self.colour
        light.colour = frame.text_row(self.colour_name)
        actor = frame.entity[entity].actor
        if frame.world is not None and actor and self.kind in LAMPS:
            frame.commands.append(self._lamps(frame, entity, actor))

    def advance(self, frame: StoryboardFrame, entity: int, row: ActionRow) -> None:
        """It is done when the transition is over, or another action has switched the light."""
        over = frame.time + round(frame.dt * 1e9) >= row.since + self.transition
        if over or light_of(frame, entity, self.kind).since != row.since:
            row.finish()

    def _lamps(self, frame: StoryboardFrame, entity: int, actor: int) -> SetLamps:
        """What the world is told of the turn signals of an actor."""
        on = {kind: light_of(frame, entity, kind).mode != LampMode.OFF for kind in LAMPS}
        turn = TurnLamp.LEFT if on["indicatorLeft"] else (TurnLamp.RIGHT if on["indicatorRight"] else TurnLamp.OFF)
        return SetLamps(actor, turn=turn, emergency=on["warningLights"])

    def stop(self, frame: StoryboardFrame, entity: int, row: ActionRow) -> None:
        """The light stays as it is; a transition that another action has stopped stays where it is."""


@dataclass(frozen=True, slots=True)
class Animate:
    """Move parts of an entity; the action ends with the animation, and one that is looped does not end.

    Attributes:
        kinds: what moves. alike: what begins with one of these ends, since it is in conflict with them.
        goal: progress at the end, 0 to 1. duration: of one run [ns], 0: at once. offset: where in a file to start [s].
    """

    kinds: tuple[str, ...]
    alike: tuple[str, ...]
    goal: float
    duration: int
    loop: bool
    offset: float = 0.0
    domain: Domain = Domain.NONE

    def start(self, frame: StoryboardFrame, entity: int, row: ActionRow) -> None:
        """Begin where the parts are."""
        if self.alike:
            self._end_others(frame, entity)
        for kind in self.kinds:
            animation = animation_of(frame, entity, kind)
            # a motion begins again; a part of a vehicle begins where it is
            animation.start = 0.0 if self.alike else animation.progress
            animation.goal, animation.duration, animation.loop = self.goal, self.duration, int(self.loop)
            animation.since, animation.clock, animation.running = frame.time, self.offset, 1

    def advance(self, frame: StoryboardFrame, entity: int, row: ActionRow) -> None:
        """It is done at the end of the animation, or when another one has taken its place."""
        over = not self.loop and frame.time + round(frame.dt * 1e9) >= row.since + self.duration
        texts = [frame.text_row(kind) for kind in self.kinds]
        mine = [
            one for one in frame.animations if one.entity == entity and one.kind in texts and one.since == row.since
        ]
        if over or not mine:
            row.finish()

    def stop(self, frame: StoryboardFrame, entity: int, row: ActionRow) -> None:
        """A loop that is stopped rests where it is; another animation of the same part goes on."""
        texts = [frame.text_row(kind) for kind in self.kinds]
        for one in frame.animations:
            if one.entity == entity and one.kind in texts and one.loop and one.since == row.since:
                one.running = 0

    def _end_others(self, frame: StoryboardFrame, entity: int) -> None:
        kept = {frame.text_row(kind) for kind in self.kinds}
        frame.animations[:] = [
            one
            for one in frame.animations
            if one.entity != entity or one.kind in kept or not frame.texts[one.kind].startswith(self.alike)
        ]
