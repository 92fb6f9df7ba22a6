"""What a message of any protocol asks for, once it is understood."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from dorosim.world.command.catalogue import Command


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a well-formed message, or a part of one, is not done.

    Attributes:
        kind: by which endpoints count. reason: one sentence.
    """

    kind: Literal["refused", "not in this version"]
    reason: str


Answer = Command | Refusal
"""What a message, or a part of one, asks for: a command, or why it cannot be done."""
