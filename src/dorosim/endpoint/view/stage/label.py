"""Texts in three dimensions. Those that would lie over others in a visitor's picture are hidden from that visitor."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import viser
from numpy.typing import ArrayLike
from viser import transforms

from dorosim.bridge.view.overlay import Text, VisitorEye, apart
from dorosim.endpoint.view.page_context import PageContext

KINDS = ("faults", "names", "links")
"""Kinds of texts, those first that are shown where there is no room for all."""


class LabelStage:
    """Shows texts. It is for one thread: the one that takes the messages of the run.

    Args:
        context: what all parts have in common.
    """

    def __init__(self, context: PageContext) -> None:
        self._context, self._scene = context, context.server.scene
        self._labels: dict[str, viser.LabelHandle] = {}
        self._texts: dict[str, dict[str, Text]] = {kind: {} for kind in KINDS}
        self._hidden: dict[int, dict[str, viser.LabelHandle]] = {}

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
                self._labels[name] = self._scene.add_label(name, text.text, position=text.place, anchor="bottom-center")
                continue
            handle.position = text.place
            handle.text = text.text

    def part(self) -> None:
        """Hide from each visitor the texts that would lie over others, and show those that do so no longer."""
        clients = self._context.server.get_clients()
        for gone in self._hidden.keys() - clients.keys():
            del self._hidden[gone]
        texts = {name: text for kind in KINDS for name, text in self._texts[kind].items()}
        for number, client in clients.items():
            hidden = self._hidden.setdefault(number, {})
            eye = _eye_of(client) if texts else None
            # texts that are seen stay before those that are hidden, so that they do not take turns
            order = sorted(texts, key=lambda name: name in hidden)
            free = [True] * len(order) if eye is None else apart([texts[name] for name in order], eye)
            covered = {name for name, seen in zip(order, free, strict=True) if not seen}
            for name in [name for name in hidden if name not in covered]:
                hidden.pop(name).remove()
            for name in covered - hidden.keys():
                # a node of the visitor's own, under the same name, takes the place of the shared one
                hidden[name] = client.scene.add_label(name, "", visible=False)


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
