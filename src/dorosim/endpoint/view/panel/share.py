"""Links that open the same view: a visitor gets one by a button, and a browser that comes by one sees that view."""

from __future__ import annotations

import html
import threading
import time
from contextlib import suppress

import numpy as np
import viser

from dorosim.bridge.view.camera import Mode
from dorosim.bridge.view.view_link import Place, ViewLink
from dorosim.endpoint.view.page_context import PageContext, PagePart, PageRun
from dorosim.endpoint.view.stage.camera import CameraPart
from dorosim.ground.error import InputError
from dorosim.world.snapshot import Snapshot

KEY = "dorosim-view"
"""Under which `page_script.js` keeps the view of the address by which a browser came."""
_BROWSER_TIMEOUT_S = 30.0
"""Wall time that a browser has to tell it [s]."""


class SharePart(PagePart):
    """Links to views (`dorosim.endpoint.view.page_context.PagePart`).

    Args:
        context: what all parts have in common.
        camera: of all visitors.
    """

    def __init__(self, context: PageContext, camera: CameraPart) -> None:
        self._context, self._camera = context, camera
        self._run: PageRun | None = None
        self._tab, self._coming = context.tab("View"), threading.Lock()
        context.server.on_client_connect(self._come)

    def begin(self, run: PageRun) -> None:
        """Links are to places of another run from now on."""
        self._run = run

    def show(self, now: Snapshot) -> None:
        """Do nothing: links are made when a visitor asks."""

    def text_of(self, client: viser.ClientHandle) -> str:
        """The view of a visitor, as text of a link.

        Raises:
            InputError: there is no run yet.
        """
        if self._run is None:
            raise InputError("link", "", "no run is there yet")
        mode = self._camera.mode(client.client_id)
        if mode is not Mode.FREE:
            return ViewLink(mode, self._context.followed).to_text()
        origin, camera = self._run.origin, client.camera
        position, look_at = (_place(np.add(point, origin)) for point in (camera.position, camera.look_at))
        return ViewLink(mode, self._context.followed, position, look_at).to_text()

    def open(self, client: viser.ClientHandle, text: str) -> None:
        """Show a visitor the view of a link.

        Raises:
            InputError: it is none, or its actor is not there.
        """
        view, now, run = ViewLink.from_text(text), self._context.now, self._run
        if now is None or run is None:
            raise InputError("link", "", "no run is there yet", "load the page again")
        self._camera.set_mode(client.client_id, view.mode)
        if view.position is not None and view.look_at is not None:
            with client.atomic():
                client.camera.position = np.subtract(view.position, run.origin)
                client.camera.look_at = np.subtract(view.look_at, run.origin)
        if view.followed == self._context.followed:
            return
        if not self._camera.is_there(now, view.followed):
            raise InputError("link", "", f"there is no actor {view.followed} in this run")
        self._context.follow(view.followed)

    def _come(self, client: viser.ClientHandle) -> None:
        with self._coming, self._tab:  # visitors come on threads of their own, and one at a time may use a tab
            button = client.gui.add_button("Link to this view", color="gray")
            text = client.gui.add_html("")

        def make() -> None:
            text.content = link_html(self.text_of(client))

        self._context.on_press(button, "Link", make)
        threading.Thread(target=self._ask, args=(client,), name="dorosim-page-link", daemon=True).start()

    def _ask(self, client: viser.ClientHandle) -> None:
        """Ask a browser by which link it came, and show it that view."""
        with suppress(RuntimeError, TimeoutError):  # it has left, keeps nothing, or is silent
            waited, end = threading.Event(), time.monotonic() + _BROWSER_TIMEOUT_S
            while self._context.now is None and time.monotonic() < end:  # the first visitor is here before the run
                waited.wait(0.1)
            found = client.local_storage.get_item(KEY, timeout=_BROWSER_TIMEOUT_S)
            if found:
                client.local_storage.remove_item(KEY)  # so that another page of this browser does not open it
                self._context.trying("Link", lambda: self.open(client, found))


def link_html(view: str) -> str:
    """A link to a view. The page's script puts it into the address bar and the clipboard."""
    safe = html.escape(view, quote=True)
    return (
        f'<div data-dorosim-view="{safe}" style="padding:0.2em 0.6em;font-size:0.8em;overflow-wrap:anywhere">'
        f'<a href="#view={safe}">#view={safe}</a><br>It is in the address bar, and copied where the browser lets it.'
        "</div>"
    )


def _place(point: np.ndarray) -> Place:
    x, y, z = (float(part) for part in point)
    return x, y, z
