"""What clients of any protocol ask of the storyboard of a scenario: start it, stop it, give it values."""

from __future__ import annotations

from dorosim.bridge.host import Host
from dorosim.world.actor.command import PauseRun
from dorosim.world.snapshot import Snapshot
from dorosim.world.storyboard.command import SetUserDefinedValue
from dorosim.world.storyboard.state import NEVER, Verdict

NO_STORYBOARD = "no scenario of OpenSCENARIO is loaded; load one by its name, or begin with `dorosim run --scenario`"
VALUE_WORD = "userDefinedValue"
"""A text that begins with it gives a scenario a value, see `value_from_text`."""


def status_of(now: Snapshot) -> str:
    """How a storyboard is doing, in words: "" for none."""
    state = now.storyboard
    if state.is_empty():
        return ""
    time = (now.time - state.started) * 1e-9
    if state.ended != NEVER:
        verdict = Verdict(state.verdict)
        said = "" if verdict is Verdict.NONE else f", {verdict.name.lower()}"
        return f"it has ended at {state.ended * 1e-9:.2f} s{said}"
    return f"it {'is paused' if now.paused else 'goes on'} at {time:.2f} s"


def start_storyboard(host: Host, now: Snapshot) -> str:
    """Start the storyboard of the run from its beginning; one that is paused there goes on. Returns what was done.

    Raises:
        InputError: it cannot be started.
    """
    time = now.time - now.storyboard.started
    host.runs.restart((PauseRun(paused=False),))
    return "it begins" if time <= 0 else "it begins again"


def value_from_text(text: str) -> SetUserDefinedValue | None:
    """The value that a text gives to a scenario, "NAME=VALUE"; None for a text that is none."""
    name, sign, value = text.strip().partition("=")
    name = name.removeprefix(VALUE_WORD).strip()
    return SetUserDefinedValue(name, value.strip()) if sign and name else None
