"""The cameras of the visitors, each of which follows the actor in the visitor's own way."""

from __future__ import annotations

import math
import threading
from contextlib import suppress

import numpy as np
import viser

from dorosim.bridge.actor_state import ActorReader, ActorState
from dorosim.bridge.view.camera import CameraPose, CameraRig, Mode, first_pose
from dorosim.endpoint.view.page_context import PageContext, PagePart, PageRun
from dorosim.world.snapshot import EGO, Snapshot

FIELD_OF_VIEW = 1.0
"""Vertical [rad]."""
NEAREST = {Mode.CHASE: 0.5, Mode.TOP: 2.0, Mode.DRIVER: 0.2, Mode.FREE: 0.5}
"""What a camera sees begins so far from it [m]. A larger distance makes depths far away finer, which keeps apart what
lies close together there, such as kerbs and the backdrop beneath them."""
_FAR = 4000.0
"""What a camera sees ends here [m]."""
KEY_MOVE_S = 1.0
"""A camera that moves within this after a key of the page does so by the key [s of wall time]."""
_MAX_STEP_S = 0.2
ACTIVE = "● "
"""Stands before the camera that a visitor has."""


class CameraPart(PagePart):
    """The cameras (`dorosim.endpoint.view.page_context.PagePart`).

    Args:
        context: what all parts have in common.
    """

    def __init__(self, context: PageContext) -> None:
        self._context = context
        self._rigs: dict[int, CameraRig] = {}
        self._choices: dict[int, viser.GuiButtonGroupHandle] = {}
        self._moving = threading.Lock()  # events of visitors and of the run come on different threads
        self._reader: ActorReader | None = None
        self._origin = (0.0, 0.0, 0.0)
        self._last = context.clock()
        context.server.on_client_connect(self._come)
        context.server.on_client_disconnect(self._leave)

    def mode(self, client: int) -> Mode:
        """What the camera of a visitor does."""
        return self._rig(client).mode

    def set_mode(self, client: int, mode: Mode) -> None:
        """Change what the camera of a visitor does, and mark it in the visitor's panel."""
        with self._moving:
            self._rig(client).set_mode(mode)
        choice = self._choices.get(client)
        if choice is not None:
            choice.options = options_of(mode)
        handle = self._context.server.get_clients().get(client)
        if handle is not None:
            handle.camera.near = NEAREST[mode]

    def is_there(self, now: Snapshot, actor: int) -> bool:
        """Whether a camera can follow an actor."""
        return self._reader is not None and self._reader.state(now, actor) is not None

    def begin(self, run: PageRun) -> None:
        """Look at the ego vehicle of another run."""
        self._reader, self._origin = ActorReader(run.scene), run.origin
        ego = self._reader.state(run.first, EGO)
        camera = self._context.server.initial_camera
        camera.near, camera.far, camera.fov = NEAREST[Mode.CHASE], _FAR, FIELD_OF_VIEW
        if ego is not None:
            camera.position, camera.look_at = first_pose(ego, run.origin)
        if self._context.followed != EGO:
            self._context.follow(EGO)

    def show(self, now: Snapshot) -> None:
        """Move the camera of each visitor with the followed actor; where that has left, follow the ego vehicle."""
        wall = self._context.clock()
        elapsed, self._last = min(wall - self._last, _MAX_STEP_S), wall
        if self._reader is None:
            return
        actor = self._reader.state(now, self._context.followed)
        if actor is None:
            if self._context.followed != EGO:
                self._context.follow(EGO)  # the followed actor has left
            return
        for number, client in self._context.server.get_clients().items():
            self._move(client, self._rig(number), actor, elapsed)

    def _move(self, client: viser.ClientHandle, rig: CameraRig, actor: ActorState, elapsed: float) -> None:
        with self._moving:
            pose = rig.follow(actor, self._origin, elapsed)
        if pose is None:
            return
        try:
            with client.atomic():
                _aim(client.camera, pose)
        except (AssertionError, TypeError, ValueError):
            return  # the visitor's browser has not reported its camera yet, or has sent no valid one

    def _come(self, client: viser.ClientHandle) -> None:
        rig = self._rig(client.client_id)

        @client.camera.on_update
        def _(camera: viser.CameraHandle) -> None:
            # viser moves the camera of a visitor that drives by keys, too; the rig keeps it where it was
            if self._context.clock() - self._context.keyed.get(client.client_id, -math.inf) > KEY_MOVE_S:
                # an invalid camera is not reported, as it comes many times a second
                with self._moving, suppress(TypeError, ValueError):
                    rig.take_report(camera.position, camera.look_at)

        choice = client.gui.add_button_group("Camera", options_of(rig.mode), order=-1.0)
        self._choices[client.client_id] = choice
        self._context.on_press(
            choice,
            "Camera",
            lambda: self.set_mode(client.client_id, Mode(choice.value.removeprefix(ACTIVE))),
            in_tab=False,
        )

    def _leave(self, client: viser.ClientHandle) -> None:
        self._rigs.pop(client.client_id, None)
        self._choices.pop(client.client_id, None)

    def _rig(self, client: int) -> CameraRig:
        return self._rigs.setdefault(client, CameraRig())


def options_of(mode: Mode) -> tuple[str, ...]:
    """The buttons of all cameras; the one that a visitor has is marked."""
    return tuple(f"{ACTIVE}{one.value}" if one is mode else one.value for one in Mode)


def _aim(camera: viser.CameraHandle, pose: CameraPose) -> None:
    if pose.position is not None:
        camera.position = pose.position
    elif np.allclose(camera.position, pose.look_at):
        return  # it would look nowhere
    camera.look_at = pose.look_at
