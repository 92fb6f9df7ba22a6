"""Sends the Vehicle Info of a step by one call of compiled code, as long as it is as usual."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from dorosim.bridge.tcp_step.info_plan import InfoPlan
from dorosim.bridge.tcp_step.publish import StepPublisher
from dorosim.endpoint.tcp_step.info_kernel import NOT_WRITTEN, SEND_INFOS, send_infos
from dorosim.endpoint.tcp_step.settings import InfoOutput
from dorosim.endpoint.udp.send_kernel import SEND_ADDRESS, SEND_ERROR, SEND_LENGTH, SEND_SOCKET, SEND_START
from dorosim.endpoint.udp.socket import Address
from dorosim.endpoint.udp.status_sender import socket_address
from dorosim.endpoint.udp.system_call import system_functions
from dorosim.ground.column import IntArray
from dorosim.world.ordinary.kept import kept_frame
from dorosim.world.ordinary.tick import LOOK_AGAIN
from dorosim.world.snapshot import Snapshot


class InfoSender:
    """Sends to some outputs, all of which have the usual layout.

    Args:
        publisher: makes the messages.
        outputs: where they go.
        addresses: numeric host and port of each address.
    """

    def __init__(
        self, publisher: StepPublisher, outputs: Sequence[InfoOutput], addresses: Mapping[Address, tuple[str, int]]
    ) -> None:
        self._publisher, self._outputs = publisher, tuple(outputs)
        self._plan: InfoPlan | None = None
        self._functions: tuple[int, int] | None = None
        self._looked = -LOOK_AGAIN
        names = [socket_address(*addresses[one.to]) for one in outputs]
        self._names = np.frombuffer(b"".join(names), np.uint8)
        self._name_size = len(names[0]) if names else 0
        self._rows: IntArray = np.zeros((len(names), SEND_ERROR + 1), np.int64)

    @staticmethod
    def may_send(outputs: Sequence[InfoOutput]) -> bool:
        """Whether all outputs have the usual layout."""
        return all(one.template is None and not one.wheels for one in outputs)

    def send(self, now: Snapshot, find: Callable[[], Sequence[int]], socket: int) -> dict[int, str] | None:
        """Send the datagrams of a snapshot.

        Args:
            now: the snapshot.
            find: gives the vehicle of each output; called once as long as the frame of the snapshots is the same.
            socket: file descriptor.

        Returns:
            The error of each that was not sent, by the number of its output; None where none was sent, and Python has
            to make and send them.
        """
        plan = self._plan
        if plan is None or kept_frame(now) is not plan.frame:
            plan = self._begin(now, find())
        functions, rows = self._functions, self._rows
        if plan is None or functions is None:
            return None
        rows[:, SEND_SOCKET] = socket
        failed = send_infos(now.block, plan.rows, plan.scale, plan.out, rows, *functions)
        if failed == NOT_WRITTEN:
            return None
        if not failed:
            return {}
        return {number: os.strerror(error) for number, error in enumerate(rows[:, SEND_ERROR].tolist()) if error}

    def _begin(self, now: Snapshot, actors: Sequence[int]) -> InfoPlan | None:
        """Make a plan for the frame of a snapshot; None where there can be none."""
        self._plan = None
        if kept_frame(now) is None or any(now.row_of(actor) < 0 for actor in actors) or now.vehicle.paused.any():
            return None
        if self._functions is None and not 0 <= now.tick - self._looked < LOOK_AGAIN:
            self._looked = now.tick
            self._functions = system_functions("sendto") if SEND_INFOS.is_there() else None
        if self._functions is None:
            return None
        self._plan = plan = InfoPlan(self._publisher, now, actors)
        for number, row in enumerate(self._rows):
            row[SEND_START], row[SEND_LENGTH] = plan.out.ctypes.data + number * plan.size, plan.size
            row[SEND_ADDRESS] = self._names.ctypes.data + number * self._name_size
            row[SEND_ADDRESS + 1] = self._name_size
        return plan
