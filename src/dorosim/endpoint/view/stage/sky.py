"""Sky, haze and lights by weather and time of day."""

from __future__ import annotations

import viser

from dorosim.bridge.view.sky import SkyLight, is_same, light_of, sky_image
from dorosim.endpoint.view.page_context import PageContext, PagePart, PageRun
from dorosim.world.environment.weather import EnvironmentState
from dorosim.world.snapshot import Snapshot

_FAR = 1000.0
"""How far away the sun's node is [m]; only its direction counts."""


class SkyPart(PagePart):
    """Sky, haze and lights (`dorosim.endpoint.view.page_context.PagePart`).

    Args:
        context: what all parts have in common.
    """

    def __init__(self, context: PageContext) -> None:
        scene = context.server.scene
        self._server: viser.ViserServer = context.server
        self._shown: EnvironmentState | None = None
        self._light: SkyLight | None = None
        # one light from all sides and one from the sun, without pictures of surroundings and shadows: those cost a
        # browser without a graphics card most of its time
        scene.configure_environment_map(None)
        scene.configure_default_lights(enabled=False, cast_shadow=False)
        scene.world_axes.visible = False
        self._ambient = scene.add_light_hemisphere("/light/sky")
        self._sun = scene.add_light_directional("/light/sun")

    def begin(self, run: PageRun) -> None:
        """Show the sky of another run."""
        self._shown = None
        self.show(run.first)

    def show(self, now: Snapshot) -> None:
        """Set sky, haze and lights to weather, season and time of day, where these have changed."""
        if self._shown is not None and is_same(now.environment, self._shown):
            return
        self._shown = now.environment
        light = light_of(now.environment)
        if light != self._light:
            self._light = light
            self._apply(light)

    def _apply(self, light: SkyLight) -> None:
        scene = self._server.scene
        near, far = light.haze
        scene.configure_fog(near, far, color=light.horizon)
        scene.set_background_image(sky_image(light), format="png")
        self._ambient.sky_color, self._ambient.ground_color = light.sky, light.ground
        self._ambient.intensity = light.ambient
        self._sun.color, self._sun.intensity = light.sun, light.sun_intensity
        x, y, z = light.sun_direction
        self._sun.position = (_FAR * x, _FAR * y, _FAR * z)
