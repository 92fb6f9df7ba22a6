"""Actions on what entities look like."""

from __future__ import annotations

from dorosim.scenario.openscenario.record.animation import AnimationAction
from dorosim.scenario.openscenario.record.light import LightStateAction
from dorosim.scenario.openscenario.record.table import Content, OscRecord, child, choice


@choice(since="1.2", content_before=("1.2", Content.SEQUENCE), choice_required="1.3")
class AppearanceAction(OscRecord):
    """An action on what an entity looks like."""

    light_state_action: LightStateAction | None = child(default=None, required=("1.2", "1.2"), assumed=None)
    animation_action: AnimationAction | None = child(default=None, required=("1.2", "1.2"), assumed=None)
