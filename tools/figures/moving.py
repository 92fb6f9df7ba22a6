"""The moving pictures at the head of README: a drive on the live page, and the same drive through a camera.

    python -m tools.figures.moving FOLDER

A simulator with traffic is stepped, with the page open in Chromium, and a picture of the page is taken after each step.
The run is recorded, and the recording gives the pictures of the camera. Needs Chromium and the extra `test`.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any

import av
from PIL import Image
from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

from dorosim.app.analyse.trace.recorded import open_recording
from dorosim.app.analyse.video.shot import VideoShot, make_video
from dorosim.client import Client, connect
from dorosim.testing.program import SimulatorProgram

ARGUMENTS = ("--map", "town", "--vehicles", "250", "--pedestrians", "60", "--seed", "5", "--time-of-day", "16")
RATE = 10
"""Pictures a second of simulated time, and of what is shown."""
WARM_UP_S, SHOWN_S = 12.0, 8.0
"""Simulated time before the first picture, in which all come to their speed, and that is shown [s]."""
WINDOW, WIDTH = (1200, 720), 600
"""Size of the browser, and width of the pictures that are kept [pixels]."""
CAMERA_SIZE = (600, 360)
LARGEST = 2_000_000
"""Bytes of a moving picture; larger ones are slow to load at the head of a page."""
QUALITIES = (70, 55, 40, 25)
PAGE_PORT = 8080
CLOSE_NOTICES = """
for (const one of document.querySelectorAll("[class*='Notification-closeButton']")) one.click();
"""
"""Closes what the page says of a browser that draws without a graphics card."""
LOADING_S = 60.0
"""Wall time that the page may take to show the map [s]."""
FLAGS = (
    *("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    *("--enable-unsafe-swiftshader", f"--window-size={WINDOW[0]},{WINDOW[1]}"),
)


def main(folder: Path) -> None:
    """Write `page.webp` and `camera.webp` into a folder."""
    with tempfile.TemporaryDirectory() as place:
        recording = Path(place) / "drive.rec"
        program = SimulatorProgram((*ARGUMENTS, "--record", str(recording)), Path(place))
        try:
            with connect(program.run.grpc) as client, _browser(Path(place) / "profile") as driver:
                pages = list(_pages(client, driver, f"http://127.0.0.1:{program.run.port(PAGE_PORT)}"))
        finally:
            program.end()
        keep(folder / "page.webp", pages)
        keep(folder / "camera.webp", list(_camera(recording, Path(place))))


def keep(path: Path, pictures: Sequence[Image.Image]) -> None:
    """Write a moving picture that goes round, in the best quality that is small enough.

    Raises:
        ValueError: it is too large in any.
    """
    for quality in QUALITIES:
        pictures[0].save(
            path,
            save_all=True,
            append_images=pictures[1:],
            duration=1000 // RATE,
            loop=0,
            quality=quality,
            method=4,
        )
        if path.stat().st_size < LARGEST:
            return
    raise ValueError(f"{path} is larger than {LARGEST} bytes: show less")


def _pages(client: Client, driver: Any, address: str) -> Iterator[Image.Image]:
    """The page after each step."""
    client.set_synchronous(True, period=1.0 / RATE)
    client.cruise()
    client.tick(round(WARM_UP_S * RATE))
    driver.get(address)
    _wait_until_still(driver)
    driver.execute_script(CLOSE_NOTICES)
    client.tick()
    for _ in range(round(SHOWN_S * RATE)):
        client.tick()
        time.sleep(0.3)
        yield _smaller(driver)


def _wait_until_still(driver: Any) -> None:
    """Wait until the page has drawn the map: simulated time stands, so the picture does not change any more."""
    deadline, before, same = time.monotonic() + LOADING_S, b"", 0
    while same < 4 and time.monotonic() < deadline:
        time.sleep(2.0)
        now = driver.get_screenshot_as_png()
        same = same + 1 if now == before else 0
        before = now


def _smaller(driver: Any) -> Image.Image:
    picture = Image.open(BytesIO(driver.get_screenshot_as_png())).convert("RGB")
    return picture.resize((WIDTH, WIDTH * picture.height // picture.width), Image.Resampling.LANCZOS)


def _camera(recording: Path, folder: Path) -> Iterator[Image.Image]:
    """What a driver of the recorded vehicle sees."""
    film = folder / "camera.mp4"
    shot = VideoShot(view="driver", begin=WARM_UP_S, end=WARM_UP_S + SHOWN_S, fps=RATE, size=CAMERA_SIZE)
    make_video(open_recording(recording, None, folder), film, shot)
    with av.open(str(film)) as opened:
        for frame in opened.decode(video=0):
            yield frame.to_image()


@contextmanager
def _browser(profile: Path) -> Iterator[Any]:
    options = Options()
    options.binary_location = str(shutil.which("chromium"))
    for flag in (*FLAGS, f"--user-data-dir={profile}"):
        options.add_argument(flag)
    driver = webdriver.Chrome(options, Service(str(shutil.which("chromedriver"))))
    try:
        yield driver
    finally:
        driver.quit()


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "docs/images"))
