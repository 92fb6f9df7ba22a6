"""After what Vehicle Info is sent to a client that steps the run (docs/decisions/0088-fixed-step-over-tcp.md).

Some clients wait for it after each step, others ask for it by SaveData after each step; a client that reads one
datagram a step would fall behind if there were two.
"""

from __future__ import annotations

from dorosim.endpoint.tcp_step.settings import InfoAfter


class InfoRule:
    """What one connection gets. With "auto" it is one a step: after the step, or after SaveData once a client sends it.

    Args:
        after: "step", "save" or "auto".
    """

    def __init__(self, after: InfoAfter = "auto") -> None:
        self._after = after
        self._saves = after == "save"
        self._steps = 0

    def is_due_after_step(self) -> bool:
        """Whether it is sent now that a step has been made."""
        if self._after == "auto" and self._steps:
            self._saves = False  # the step before was not followed by SaveData
        self._steps += 1
        return not self._saves

    def is_due_after_save(self) -> bool:
        """Whether it is sent now that the client has sent SaveData."""
        steps, self._steps = self._steps, 0
        if self._after != "auto":
            return self._after == "save" or steps != 1
        was_sent = steps == 1 and not self._saves
        self._saves = steps == 1 or (steps == 0 and self._saves)
        return not was_sent
