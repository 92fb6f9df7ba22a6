"""A real browser that looks at the page of a real program."""

from __future__ import annotations

import io
import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from selenium import webdriver
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By

from tests.port import free_port
from tests.system.served_program import Client, Program

SCREENSHOTS = Path(os.environ.get("DOROSIM_SCREENSHOTS", Path(__file__).parents[2] / "build" / "screenshots"))
"""Where the tests leave what the page looked like."""
FLAGS = (
    "--headless=new",
    "--no-sandbox",  # root has none
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-extensions",
    "--no-first-run",
    "--enable-unsafe-swiftshader",  # WebGL without a graphics card
    "--window-size=1200,760",
    "--force-device-scale-factor=0.5",  # a quarter of the points to draw, which a processor does here
)
FEW_FRAMES = """
const draw = window.requestAnimationFrame.bind(window);
window.requestAnimationFrame = callback => setTimeout(() => draw(callback), 100);
window.cancelAnimationFrame = clearTimeout;
"""
"""The page draws ten times a second at most: a processor draws here, and programs beside it want to get on."""
FIND = """
const all = document.evaluate(arguments[0], document, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE, null);
const found = Array.from({length: all.snapshotLength}, (_, i) => all.snapshotItem(i))
    .find(one => one.getClientRects().length);
if (!found) return null;
"""
"""Of what an XPath tells, the first that is shown. Each question waits for a picture to be done, so few are asked."""
PRESS = f"""{FIND}
const box = found.getBoundingClientRect();
const told = {{bubbles: true, cancelable: true, composed: true, button: 0, isPrimary: true, pointerId: 1,
              pointerType: "mouse", clientX: box.x + box.width / 2, clientY: box.y + box.height / 2}};
if (found.role == "tab")  // it can be dragged, and so waits for more than a click
    for (const name of ["pointerdown", "pointerup"]) found.dispatchEvent(new PointerEvent(name, told));
else found.click();
return true;
"""
"""Presses it. The driver's own clicks wait for many pictures, of which a machine without a graphics card makes few."""
VALUE = f"{FIND} return found.value;"
PATIENCE = 90.0
"""Wall time that something on the page may take on a busy machine [s]."""
BINARIES = ("chromium", "chromedriver")


def why_not() -> str | None:
    """Why there is no browser here, None if there is one."""
    missing = [name for name in BINARIES if shutil.which(name) is None]
    return f"{' and '.join(missing)} not installed; 'make browser' does it on Debian" if missing else None


class Browser:
    """Chromium, without a window.

    Args:
        profile: an empty folder for what it keeps.
        flags: further ones.

    Attributes:
        driver: it.
    """

    def __init__(self, profile: Path, *flags: str) -> None:
        options = Options()
        options.binary_location = str(shutil.which("chromium"))
        for flag in (*FLAGS, *flags, f"--user-data-dir={profile}"):
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(options, Service(str(shutil.which("chromedriver"))))
        self.driver.set_page_load_timeout(PATIENCE)
        self.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": FEW_FRAMES})

    def open(self, url: str) -> None:
        """Go to a page."""
        self.driver.get(url)

    def text(self) -> str:
        """What can be read on the page."""
        return str(self.driver.execute_script("return document.body ? document.body.innerText : ''"))

    def until(self, come: Callable[[], Any], seconds: float = PATIENCE) -> Any:
        """Wait until something is true; what it gave."""
        deadline = time.monotonic() + seconds
        while True:
            with suppress(WebDriverException):  # what was found is gone again: the page draws anew
                if found := come():
                    return found
            if time.monotonic() > deadline:
                self.picture("too_late")
                raise AssertionError(self.text())
            time.sleep(0.02)

    def press(self, label: str) -> None:
        """Press a button or tab by its text, or a checkbox by that beside it."""
        told = f"normalize-space(.)='{label}'"
        self._do(PRESS, f"//*[self::button or @role='tab'][{told}] | //label[{told}]")

    def choose(self, label: str, value: str) -> None:
        """Choose from a list by what stands beside it."""
        self._do(PRESS, f"//label[normalize-space(.)='{label}']/following::input[1]")
        self._do(PRESS, f"//*[@role='option'][normalize-space(.)='{value}']")

    def value(self, label: str) -> str:
        """What is chosen in a list, by what stands beside it."""
        return str(self._do(VALUE, f"//label[normalize-space(.)='{label}']/following::input[1]"))

    def _do(self, script: str, xpath: str) -> Any:
        """Do something with what is shown at a place, as soon as it is."""
        return self.until(lambda: self.driver.execute_script(script, xpath))

    def keys(self, *keys: str) -> None:
        """Press keys, with nothing chosen."""
        ActionChains(self.driver).send_keys(*keys).perform()

    def click_at(self, x: float, y: float) -> None:
        """Click a place of the picture, as shares of its width and height."""
        canvas = self.driver.find_element(By.TAG_NAME, "canvas")
        width, height = canvas.size["width"], canvas.size["height"]
        actions = ActionChains(self.driver)
        actions.move_to_element_with_offset(canvas, round((x - 0.5) * width), round((y - 0.5) * height))
        actions.click().perform()

    def picture(self, name: str | None = None) -> np.ndarray:
        """What it shows, `(height, width, 3)`, kept under a name."""
        png = self.driver.get_screenshot_as_png()
        if name:
            SCREENSHOTS.mkdir(parents=True, exist_ok=True)
            (SCREENSHOTS / f"{name}.png").write_bytes(png)
        return np.asarray(Image.open(io.BytesIO(png)).convert("RGB"), np.int16)

    def errors(self) -> list[str]:
        """What the console was told since the last question that is an error."""
        told = [str(line["message"]) for line in self.driver.get_log("browser") if line["level"] == "SEVERE"]
        return [one for one in told if LATE_UPDATE not in one]

    def close(self) -> None:
        """End it."""
        self.driver.quit()


LATE_UPDATE = "Tried to update non-existent component"
"""viser's page passes over a change of an input that was removed just before, as the box of a sensor."""


@contextmanager
def browser(folder: Path, *flags: str) -> Iterator[Browser]:
    """A browser, where there is one; else the test is skipped."""
    if reason := why_not():
        pytest.skip(reason)
    made = Browser(folder / "profile", *flags)
    try:
        yield made
    finally:
        made.close()


@contextmanager
def paged(folder: Path, *arguments: str) -> Iterator[tuple[Program, Client, str]]:
    """A program, a client of it that says what the world is really like, and the address of its page."""
    address = f"127.0.0.1:{free_port()}"
    program = Program(folder, "--ros-server", "off", "--view-at", address, "--seed", "1", *arguments)
    try:
        client = program.client()
        yield program, client, f"http://{address}"
        client.close()
    finally:
        program.end()


def changed(before: np.ndarray, after: np.ndarray) -> float:
    """Share of the picture's left half, where no panel is, that is another than before."""
    half = before.shape[1] // 2
    return float((np.abs(after - before)[:, :half].max(axis=2) > 24).mean())
