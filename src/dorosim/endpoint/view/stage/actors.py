"""All actors, with their lamps."""

from __future__ import annotations

import numpy as np

from dorosim.bridge.actor_state import ActorReader
from dorosim.bridge.view.crowd import LIT, NO_LIGHTS, CrowdMaker
from dorosim.bridge.view.glb import glb_of
from dorosim.bridge.view.shape import Shapes, shapes_of
from dorosim.bridge.view.sky import is_same, light_of
from dorosim.endpoint.view.page_context import PageContext, PagePart, PageRun
from dorosim.endpoint.view.stage.batch import Batch, glb_batch, paint_batch
from dorosim.ground.mesh import box_mesh
from dorosim.world.environment.weather import EnvironmentState
from dorosim.world.snapshot import Snapshot

_NEAR = 65.0
"""Actors farther than this from the one that is followed are drawn as boxes [m]."""
BEAMS_FROM = 0.5
"""Share of night from which head lamps are seen to light the road."""
_SHADOW = ((0.34, 150), (0.48, 110), (0.64, 0))
"""Rings of an actor's shadow on the road: half their side over that of the body, opacity."""
_BEAM = ((0.3, 0.4, 90), (9.0, 1.2, 55), (26.0, 2.2, 0))
"""The light of head lamps on the road: how far ahead [m], half its width over that of the body, opacity."""


class ActorsPart(PagePart):
    """All actors (`dorosim.endpoint.view.page_context.PagePart`).

    Args:
        context: what all parts have in common.
    """

    def __init__(self, context: PageContext) -> None:
        self._context, self._server = context, context.server
        self._reader: ActorReader | None = None
        self._origin, self._eye = (0.0, 0.0, 0.0), (0.0, 0.0)
        self._maker: CrowdMaker | None = None
        self._shapes: Shapes | None = None
        self._batches: dict[int, tuple[Batch, ...]] = {}
        box = box_mesh((0.5, 0.5, 0.5), 0)
        self._lamps = {
            lamp: glb_batch(self._server, f"/lamp/{lamp.name.lower()}", _glowing(box.vertices, box.faces, colour))
            for lamp, colour in LIT.items()
        }
        self._beams = glb_batch(self._server, "/lamp/beam", _beam())
        self._shadows = glb_batch(self._server, "/shadow", _shadow())
        self._sky: EnvironmentState | None = None
        self._dark = False

    def begin(self, run: PageRun) -> None:
        """Remove the actors of the last run."""
        for batch in (one for some in self._batches.values() for one in some):
            batch.remove()
        self._batches.clear()
        self._shapes = shapes_of(run.models)
        self._reader, self._origin = ActorReader(run.scene), run.origin
        self._maker = CrowdMaker(run.scene, run.models, self._shapes, run.origin)

    def show(self, now: Snapshot) -> None:
        """Draw every actor at its pose, and the lamps that burn."""
        if self._maker is None or self._reader is None:
            return
        seen = self._reader.state(now, self._context.followed)
        if seen is not None:
            self._eye = (seen.position[0] - self._origin[0], seen.position[1] - self._origin[1])
        crowd = self._maker.of(now, self._eye, _NEAR)
        for number, group in crowd.groups.items():
            for batch in self._batches_of(number):
                batch.put(*(group[1:] if batch.painted else group[1:4]))
        for number, batches in self._batches.items():
            if number not in crowd.groups:
                for batch in batches:
                    batch.hide()
        for lamp, batch in self._lamps.items():
            batch.put(*crowd.lamps.get(lamp, NO_LIGHTS))
        self._shadows.put(*crowd.shadows)
        self._beams.put(*(crowd.beams if self._is_dark(now.environment) else NO_LIGHTS))

    def _is_dark(self, sky: EnvironmentState) -> bool:
        """Whether head lamps are seen to light the road."""
        if self._sky is None or not is_same(sky, self._sky):
            self._sky, self._dark = sky, light_of(sky).night > BEAMS_FROM
        return self._dark

    def _batches_of(self, number: int) -> tuple[Batch, ...]:
        """The nodes of a shape, which are made when the first actor has it."""
        found = self._batches.get(number)
        if found is None:
            assert self._shapes is not None
            shape = self._shapes.shapes[number]
            name = f"/actor/{number}"
            found = (glb_batch(self._server, f"{name}/fixed", shape.fixed),) if shape.fixed else ()
            if len(shape.faces):
                found += (paint_batch(self._server, f"{name}/paint", shape.vertices, shape.faces),)
            self._batches[number] = found
        return found


def _glowing(vertices: np.ndarray, faces: np.ndarray, colour: tuple[int, int, int]) -> bytes:
    """A shape that shines in one colour."""
    return glb_of(vertices, faces, np.tile(np.array((*colour, 255), np.uint8), (len(vertices), 1)), unlit=True)


def _beam() -> bytes:
    """The light on the road before a vehicle: brightest near it."""
    vertices = np.array([(x, side * half, 0.0) for x, half, _ in _BEAM for side in (-1.0, 1.0)], np.float32)
    colour = np.array([(255, 245, 205, opacity) for _, _, opacity in _BEAM for _ in (0, 1)], np.uint8)
    faces = np.array([(0, 2, 3), (0, 3, 1), (2, 4, 5), (2, 5, 3)], np.int64)
    return glb_of(vertices, faces, colour, unlit=True)


def _shadow() -> bytes:
    """The dark place under an actor that fills a square of side 1: darkest in the middle, clear at the rim."""
    ring = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], np.float32)
    vertices = np.concatenate([np.column_stack((half * ring, np.zeros(4))) for half, _ in _SHADOW]).astype(np.float32)
    colour = np.array([(0, 0, 0, opacity) for _, opacity in _SHADOW for _ in range(4)], np.uint8)
    faces = [(0, 1, 2), (0, 2, 3)]
    for first in range(0, 4 * (len(_SHADOW) - 1), 4):
        for k in range(4):
            here, there = first + k, first + (k + 1) % 4
            faces += [(here, here + 4, there + 4), (here, there + 4, there)]
    return glb_of(vertices, np.array(faces, np.int64), colour, unlit=True)
