"""What a tick of a storyboard reports to people; it is no part of the state of a run."""

from __future__ import annotations

from typing import NamedTuple

from dorosim.world.storyboard.state import Transition


class ElementTransition(NamedTuple):
    """A transition of a tick: number of the element, how, and the `ElementState` after it."""

    element: int
    transition: Transition
    state: int


class StoryboardReport(NamedTuple):
    """What a tick reports.

    Attributes:
        happened: transitions of elements, in order.
        journal: lines of text.
        ended: why the storyboard is over since this tick, "" while it goes on.
    """

    happened: tuple[ElementTransition, ...] = ()
    journal: tuple[str, ...] = ()
    ended: str = ""


NO_REPORT = StoryboardReport()
