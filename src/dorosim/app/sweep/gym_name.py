"""Environments of Gymnasium by the ids with which they are registered."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from dorosim.ground.error import InputError, one_line

OURS = "dorosim/"
"""Environments whose names begin so have a world of dorosim."""


def gymnasium_knows(name: str) -> tuple[Any, str]:
    """Gymnasium, which knows an environment.

    Args:
        name: id, or "MODULE:ID" where a module has to be imported for it.

    Returns:
        The package, and the id.

    Raises:
        InputError: it is not installed, or does not know the environment.
    """
    try:
        import gymnasium
    except ImportError:
        raise InputError(name, "", "needs Gymnasium, which is not installed", "install dorosim[gym]") from None
    module, _, plain = name.rpartition(":")
    try:
        if module or plain.startswith(OURS):
            import_module(module or "dorosim.gym")
        gymnasium.spec(plain)
    except Exception as error:
        raise InputError(name, "", one_line(str(error))[:300], 'give an id such as "dorosim/Town-v0"') from None
    return gymnasium, plain
