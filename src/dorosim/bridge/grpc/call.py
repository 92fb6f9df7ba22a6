"""What a procedure of gRPC is: a request and the present situation in, a response or a deferred one out."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from google.protobuf.message import Message


from dorosim.bridge.reply import DeferredReply
from dorosim.bridge.situation import Situation

Procedure = Callable[[Any, Situation], "Message | DeferredReply"]
"""The meaning of a procedure. It may raise InputError: the call fails with this error, and nothing is done."""
