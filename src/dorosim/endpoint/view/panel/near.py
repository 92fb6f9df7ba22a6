"""A list of the actors that are nearest to the followed one, from which visitors choose."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dorosim.bridge.view.spawn import ActorLister
from dorosim.endpoint.view.page_context import PageContext, PageRun, assign
from dorosim.ground.error import InputError

LIST = "List the nearest"
"""The label of the button that lists them."""
NOBODY = "nobody"


class NearList:
    """The lines of a dropdown.

    Args:
        context: what all parts have in common.
        field: the dropdown.
        first: actors that are always listed, by line.
    """

    def __init__(self, context: PageContext, field: Any, first: Mapping[str, int]) -> None:
        self._context, self._field, self._first = context, field, dict(first)
        self._lister: ActorLister | None = None
        self._listed = dict(first)

    def begin(self, run: PageRun) -> None:
        """List only the actors that are always listed: another run has other ones."""
        self._lister = ActorLister(run.scene)
        self._put({})

    def refresh(self) -> None:
        """List the actors that are nearest to the followed one now."""
        now, lister = self._context.now, self._lister
        if now is not None and lister is not None:
            self._put({line.text: line.actor for line in lister.near(now, self._context.followed)})

    def chosen(self) -> int:
        """Returns the id of the actor that the visitor has chosen.

        Raises:
            InputError: none is chosen.
        """
        listed = self._listed
        actor = next((listed[text] for text in listed if text == self._field.value), None)
        if actor is None:
            raise InputError("list", "", "nobody is chosen", f"press '{LIST}' first")
        return actor

    def choose(self, actor: int, text: str) -> None:
        """Let the list say that an actor is chosen, by a line of its own if it has none."""
        known = next((line for line, one in self._listed.items() if one == actor), None)
        if known is None:
            known = text
            self._put({**self._listed, text: actor})
        assign(self._field, known)

    def _put(self, found: Mapping[str, int]) -> None:
        self._listed = self._first | dict(found)
        self._field.options = tuple(self._listed) or (NOBODY,)
