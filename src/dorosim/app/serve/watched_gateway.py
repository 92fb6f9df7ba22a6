"""Takes the commands of a page whose world its visitors cannot change: an environment, or a recording."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dorosim.endpoint.command_gateway import CommandGateway, Done
from dorosim.ground.error import DorosimError
from dorosim.world.command import Command
from dorosim.world.snapshot import Outcome, Snapshot
from dorosim.world.vehicle.command import LeaveKeyboard, SelectCamera

_WITHOUT_EFFECT = (SelectCamera, LeaveKeyboard)
"""Commands that say something of the visitor, and may be ignored."""


def _take_none(command: Command) -> bool:  # noqa: ARG001 - whichever it is
    return False


class WatchedGateway(CommandGateway):
    """Refuses the commands that would change the world.

    Args:
        shown: the world as it is shown.
        refusal: why nothing can be changed.
        take: does a command that is not refused, such as a pause; whether it was one.
    """

    def __init__(
        self, shown: Callable[[], Snapshot], refusal: str, take: Callable[[Command], bool] = _take_none
    ) -> None:
        self._shown, self._refusal, self._take = shown, refusal, take

    @property
    def now(self) -> Snapshot:
        """The last snapshot."""
        return self._shown()

    def do(
        self,
        commands: Sequence[Command],
        timeout: float = 0.0,  # noqa: ARG002 - nothing is waited for
        then: Callable[[Snapshot], None] | None = None,  # noqa: ARG002 - no command of the page has one
    ) -> Done:
        """Do commands.

        Raises:
            DorosimError: one would change the world.
        """
        for command in commands:
            if not isinstance(command, _WITHOUT_EFFECT) and not self._take(command):
                raise DorosimError(self._refusal)
        return Done(self._shown(), tuple(Outcome() for _ in commands))

    def put(self, commands: Sequence[Command]) -> None:
        """Ignore commands that want no answer."""
