"""Texts in three dimensions. Those that would lie over others in a visitor's picture are hidden from that visitor."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import viser
from numpy.typing import ArrayLike
from viser import transforms

from dorosim.bridge.view.overlay import Text, VisitorEye, apart, beside
from dorosim.endpoint.view.page_context import PageContext

KINDS = ("faults", "entities", "names", "links")
"""Kinds of texts, those first that are shown where there is no room for all."""
ANCHOR: Literal["bottom-center"] = "bottom-center"
"""The middle of a text's lower edge is at its place."""


class LabelStage:
    """Shows texts. It is for one thread: the one that takes the messages of the run.

    Args:
        context: what all parts have in common.
    """

    def __init__(self, context: PageContext) -> None:
        self._context, self._scene = context, context.server.scene
        self._labels: dict[str, viser.LabelHandle] = {}
        self._texts: dict[str, dict[str, Text]] = {kind: {} for kind in KINDS}
        self._seen: dict[int, _Own] = {}

    def has(self, kind: str) -> bool:
        """Whether there are texts of a kind."""
        return bool(self._texts[kind])

    def put(self, kind: str, texts: Sequence[Text], origin: ArrayLike) -> None:
        """Show these texts of a kind, and no others.

        Args:
            kind: one of `KINDS`.
            texts: those that matter most first, in map [m].
            origin: `(3,)` of the page's frame in the map [m].
        """
        wanted = {
            f"/text/{kind}/{text.key}": text._replace(place=tuple(np.subtract(text.place, origin).tolist()))
            for text in texts
        }
        for name in [name for name in self._texts[kind] if name not in wanted]:
            self._labels.pop(name).remove()
        self._texts[kind] = wanted
        for name, text in wanted.items():
            handle = self._labels.get(name)
            if handle is None:
                self._labels[name] = self._scene.add_label(name, text.text, position=text.place, anchor=ANCHOR)
                continue
            handle.position = text.place
            handle.text = text.text

    def part(self) -> None:
        """Hide from each visitor the texts that would lie over others, and move those that would lie on what they name.

        Others are shown to all visitors alike.
        """
        clients = self._context.server.get_clients()
        for gone in self._seen.keys() - clients.keys():
            del self._seen[gone]
        texts = {name: text for kind in KINDS for name, text in self._texts[kind].items()}
        for number, client in clients.items():
            own = self._seen.setdefault(number, _Own())
            eye = _eye_of(client) if texts else None
            aside = {} if eye is None else beside(texts, eye)
            # texts that are seen stay before those that are hidden, so that they do not take turns
            order = sorted(texts, key=lambda name, own=own: name in own.covered)  # type: ignore[misc]
            free = [True] * len(order) if eye is None else apart([aside.get(one, texts[one]) for one in order], eye)
            own.covered = {name for name, seen in zip(order, free, strict=True) if not seen}
            own.show(client, {name: text for name, text in aside.items() if name not in own.covered})


@dataclass(slots=True)
class _Own:
    """What one visitor sees otherwise than all others.

    Attributes:
        covered: names of texts for which there is no room.
        hidden: nodes in place of shared texts. moved: texts at other places.
    """

    covered: set[str] = field(default_factory=set)
    hidden: dict[str, viser.LabelHandle] = field(default_factory=dict)
    moved: dict[str, viser.LabelHandle] = field(default_factory=dict)

    def show(self, client: viser.ClientHandle, aside: Mapping[str, Text]) -> None:
        """Hide the covered texts, and show some at other places."""
        away = self.covered | aside.keys()
        for nodes, kept in ((self.hidden, away), (self.moved, aside.keys())):
            for name in [name for name in nodes if name not in kept]:
                nodes.pop(name).remove()
        for name in away - self.hidden.keys():
            # a node of the visitor's own, under the same name, takes the place of the shared one
            self.hidden[name] = client.scene.add_label(name, "", visible=False)
        for name, text in aside.items():
            node = self.moved.get(name)
            if node is None:
                # under another name: the place of the shared text is sent to this visitor, too
                place = text.place
                self.moved[name] = client.scene.add_label(f"/aside{name}", text.text, position=place, anchor=ANCHOR)
                continue
            node.position = text.place
            node.text = text.text


def _eye_of(client: viser.ClientHandle) -> VisitorEye | None:
    """From where a visitor looks; None as long as the browser has not told, or has told nonsense."""
    camera = client.camera
    try:
        turn = transforms.SO3(np.asarray(camera.wxyz, np.float64)).as_matrix()
        eye = VisitorEye(
            np.asarray(camera.position, np.float64).reshape(3),
            np.asarray(turn, np.float64),
            float(camera.fov),
            float(camera.image_width),
            float(camera.image_height),
        )
    except (AssertionError, TypeError, ValueError, AttributeError):
        return None
    return eye if eye.is_valid else None
