"""How long the live page takes from its address to the first picture of the world in Chromium, without a graphics card.

The page is looked at as a person sees it: by pictures of the window, through Chromium's DevTools protocol
(https://chromedevtools.github.io/devtools-protocol/, Page.navigate and Page.captureScreenshot).
"""

from __future__ import annotations

import base64
import io
import itertools
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

import numpy as np
from PIL import Image
from websockets.sync.client import connect
from websockets.sync.connection import Connection

PATIENCE_S = 60.0
"""Wall time in which there must be a picture [s]."""
COLOURS = 40
"""So many colours a picture of the world has at least; before, the window is white or black there."""
_TOP, _RIGHT, _STEP = 0.4, 0.6, 4
"""What is looked at: from this share of the height down and to this share of the width, where no panel and no notice
lies, one pixel in so many in each direction."""


def first_picture(profile: Path, url: str) -> float:
    """The wall time from navigation to the first picture of the world [s].

    Args:
        profile: folder of a Chromium that was started with `--remote-debugging-port=0`.
        url: of the page.

    Raises:
        TimeoutError: there is none in time, or no Chromium.
    """
    with _devtools(profile) as page:
        begun = time.monotonic()
        page.ask("Page.navigate", url=url)
        while time.monotonic() < begun + PATIENCE_S:
            taken = base64.b64decode(page.ask("Page.captureScreenshot", format="png").get("data", ""))
            if taken and colours_of(taken) >= COLOURS:
                return time.monotonic() - begun
            time.sleep(0.02)
    raise TimeoutError(f"no picture in {PATIENCE_S:g} s")


def colours_of(png: bytes) -> int:
    """How many colours a picture of the window has where the world is seen."""
    image = np.asarray(Image.open(io.BytesIO(png)).convert("RGB"), np.int64)
    height, width, _ = image.shape
    seen = image[round(_TOP * height) :: _STEP, : round(_RIGHT * width) : _STEP]
    return len(np.unique(seen @ np.array((65536, 256, 1))))


class _Page:
    """The DevTools of a page."""

    def __init__(self, connection: Connection) -> None:
        self._connection, self._numbers = connection, itertools.count(1)

    def ask(self, method: str, **parameters: object) -> dict[str, Any]:
        """Call a method and wait for its result, empty where it cannot be done now, as while a page comes."""
        number = next(self._numbers)
        self._connection.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while True:
            answer = json.loads(self._connection.recv(PATIENCE_S))
            if answer.get("id") == number:
                return cast("dict[str, Any]", answer.get("result", {}))


@contextmanager
def _devtools(profile: Path) -> Iterator[_Page]:
    """The DevTools of the browser's first page, as soon as it listens."""
    file, end = profile / "DevToolsActivePort", time.monotonic() + PATIENCE_S
    while not (file.is_file() and len(lines := file.read_text().split()) > 1):
        if time.monotonic() > end:
            raise TimeoutError("Chromium does not listen")
        time.sleep(0.05)
    with connect(f"ws://127.0.0.1:{lines[0]}{lines[1]}", max_size=None, proxy=None) as browser:
        root = _Page(browser)
        target = next(one for one in root.ask("Target.getTargets")["targetInfos"] if one["type"] == "page")
    address = f"ws://127.0.0.1:{lines[0]}/devtools/page/{target['targetId']}"
    with connect(address, max_size=None, proxy=None) as connection:
        yield _Page(connection)
