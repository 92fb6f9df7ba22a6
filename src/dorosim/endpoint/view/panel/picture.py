"""The pictures of cameras on the page: one beneath the other in the tab of sensors, or each in a window of its own."""

from __future__ import annotations

from typing import NamedTuple

import viser

from dorosim.bridge.view.sensor import with_boxes
from dorosim.endpoint.view.page_context import PageContext
from dorosim.sensor.reading import CameraReading

WIDTH = 340.0
"""Of a window with a picture, at first [pixels of the browser]."""


class _Pane(NamedTuple):
    """Where a picture is shown; the window is None for one in the tab."""

    image: viser.GuiImageHandle
    window: viser.PanelHandle | None


class PicturePanes:
    """Shows the last picture of each camera. It is for one thread: the one that takes the messages of the run.

    Args:
        context: what all parts have in common.
        folder: takes the pictures that have no window.

    Attributes:
        windowed: whether each picture has a window; pictures that are there change with the next reading.
    """

    def __init__(self, context: PageContext, folder: viser.GuiFolderHandle) -> None:
        self._context, self._folder = context, folder
        self._panes: dict[int, _Pane] = {}
        self.windowed = False

    def show(self, reading: CameraReading, name: str) -> None:
        """Show a picture in the pane of its camera, which is made for the first one.

        Args:
            reading: of the camera.
            name: of the camera, for the pane.
        """
        picture = with_boxes(reading)
        pane = self._panes.get(reading.sensor)
        if pane is not None and (pane.window is not None) != self.windowed:
            self.remove(reading.sensor)
            pane = None
        if pane is not None:
            pane.image.image = picture
        elif self.windowed:
            self._panes[reading.sensor] = self._window(picture, name)
        else:
            with self._folder:
                self._panes[reading.sensor] = _Pane(self._image(picture, name), None)

    def remove(self, sensor: int) -> None:
        """Take the pane of a camera away, if it has one."""
        pane = self._panes.pop(sensor, None)
        if pane is None:
            return
        pane.image.remove()
        if pane.window is not None:
            pane.window.remove()

    def clear(self) -> None:
        """Take all panes away."""
        for sensor in list(self._panes):
            self.remove(sensor)

    def _window(self, picture: object, name: str) -> _Pane:
        """A window at the left of the view, beneath the last one that is there."""
        above = next((pane.window for pane in reversed(self._panes.values()) if pane.window is not None), None)
        window = self._context.server.gui.add_panel()
        with window.add_tab(name):
            image = self._image(picture, None)
        if above is None:
            window.dock_left()
            window.set_width(WIDTH)
        else:
            window.dock_below(above)
        return _Pane(image, window)

    def _image(self, picture: object, label: str | None) -> viser.GuiImageHandle:
        return self._context.server.gui.add_image(
            picture,  # type: ignore[arg-type]  # an array
            label=label,
            format="jpeg",
            jpeg_quality=70,
        )
