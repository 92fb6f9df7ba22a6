"""What weather does to one picture, as kernels get it: what lies on surfaces, what falls, and what hangs in the air."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dorosim.ground.column import FloatArray
from dorosim.sensor.camera.air_volume_kernel import NO_AIR_VOLUMES, air_volumes_in_view
from dorosim.sensor.camera.glint_kernel import NO_GLINTS, glints_of
from dorosim.sensor.camera.lens import Lens
from dorosim.sensor.camera.light import SceneLight
from dorosim.sensor.camera.near_kernel import SIDE
from dorosim.sensor.camera.precipitation import NO_PRECIPITATION, Precipitation
from dorosim.sensor.camera.ray_packet import Aim
from dorosim.sensor.camera.wheel_track import NO_WHEEL_TRACKS, WheelTracks
from dorosim.sensor.scene.instance import View
from dorosim.sensor.scene.material import FIRST_LAMP, LAMPS, Material

POOL: Final = 2.0
"""In the column of wetness: the material is water."""
_SNOW_HOLD: Final = {
    Material.GLASS: 0.25,
    Material.SKIN: 0.0,
    Material.HAIR: 0.0,
    Material.SHOE: 0.0,
    Material.WATER: 0.5,
    Material.LEAF: 0.9,
    Material.LEAF_LIGHT: 0.9,
    Material.SIGNAL_HOUSING: 0.7,
}
"""How much of the lying snow materials hold that do not hold all: wiped, warm, or shaken. Ours."""


class PictureWeather(NamedTuple):
    """The weather of a picture.

    Attributes:
        covers: 1 where water or snow lies on surfaces. reflects: 1 where wet ground mirrors what stands around.
        film, snow: depths of water and snow on the ground [m].
        coat: `(M + 1, 2)` how wet a material gets, `POOL` where it is water, and how much of the snow it holds, 0 to 1.
        track: `(N, N)` where wheels run, 0 to 255. track_left, track_low: where that begins [m from the origin].
        glint: `(G, 6)` lamps that wet ground mirrors: place [m from the origin], and intensity.
        volume: `(V, 13)` smoke and spray, see `air_volume_kernel`.
        cell: `(SIDE * SIDE,)` of each cell of the picture, bits of the volumes and, from bit 32 on, of the glints that
            touch it.
        veil: `(H, W)` share of each pixel that drops and flakes near the camera cover; `veil_behind`: likewise those
            farther away, which things hide. veil_light: `(3,)` their radiance.
        veil_lit: `(H, W, 3)` radiance that lamps add by both; `(0, 0, 0)` for none.
        veil_mark: `(H, W / SIMD_WIDTH)` 1 where any of so many pixels side by side is covered.
    """

    covers: int
    reflects: int
    film: np.float32
    snow: np.float32
    coat: NDArray[np.float32]
    track: NDArray[np.uint8]
    track_left: np.float32
    track_low: np.float32
    glint: NDArray[np.float32]
    volume: NDArray[np.float32]
    cell: NDArray[np.uint64]
    veil: NDArray[np.float32]
    veil_behind: NDArray[np.float32]
    veil_light: NDArray[np.float32]
    veil_lit: NDArray[np.float32]
    veil_mark: NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class PictureSurroundings:
    """What a picture needs of the weather around it beside the light.

    Attributes:
        volumes: `(V, 10)` of smoke and spray (`dorosim.sensor.aerosol.volumes_near`).
        precipitation: what falls; None for nothing.
        tracks: of wheels in lying snow.
        rays: those of a lens with drops on it, in place of the camera's; None without drops.
    """

    volumes: FloatArray
    precipitation: Precipitation | None = None
    tracks: WheelTracks = NO_WHEEL_TRACKS
    rays: NDArray[np.float32] | None = None


NO_SURROUNDINGS: Final = PictureSurroundings(np.zeros((0, 10)))
_NO_CELLS: Final = np.zeros(0, np.uint64)
_NO_COAT: Final = np.zeros((0, 2), np.float32)


def weather_of(view: View, aim: Aim, light: SceneLight, lens: Lens, around: PictureSurroundings) -> PictureWeather:
    """The weather of one picture.

    Args:
        view: the scene.
        aim: the camera.
        light: of the surroundings; it has the depths of water and snow.
        lens: of the camera.
        around: smoke, spray, what falls, and wheel tracks.
    """
    covers = light.film > 0.0 or light.snow > 0.0
    cell = np.zeros(SIDE * SIDE, np.uint64)
    volume = air_volumes_in_view(view, aim, light, around.volumes, cell) if len(around.volumes) else NO_AIR_VOLUMES
    glint = glints_of(view, aim, float(light.gain), cell) if light.film > 0.0 else NO_GLINTS
    fall = around.precipitation.draw(view, aim, lens, light) if around.precipitation is not None else NO_PRECIPITATION
    by_day = len(view.fixed_light) == 0 and len(view.moving_light) == 0
    return PictureWeather(
        covers=int(covers),
        reflects=int(light.film > 0.0 and by_day),
        film=light.film,
        snow=light.snow,
        coat=coat_table(len(view.albedo)) if covers else _NO_COAT,
        track=around.tracks.share,
        track_left=np.float32(around.tracks.left - view.origin[0]),
        track_low=np.float32(around.tracks.low - view.origin[1]),
        glint=glint,
        volume=volume,
        cell=cell if len(volume) or len(glint) else _NO_CELLS,
        veil=fall.near,
        veil_behind=fall.behind,
        veil_light=fall.light,
        veil_lit=fall.lit,
        veil_mark=fall.mark,
    )


def coat_table(materials: int) -> NDArray[np.float32]:
    """How wet materials get and how much snow they hold, `(materials + 1, 2)`; of the sky and of lamps nothing."""
    table = np.zeros((materials + 1, 2), np.float32)
    table[:FIRST_LAMP, 1] = table[FIRST_LAMP + LAMPS : len(Material), 1] = 1.0
    for stuff in Material:
        table[stuff, 0] = POOL if stuff is Material.WATER else float(stuff.properties.wet)
    for stuff, share in _SNOW_HOLD.items():
        table[stuff, 1] = share
    return table
