"""Operations that are written once, for the blocking client and for the asyncio one.

An operation is a generator: it yields calls, is given their answers, and returns its result. It does no I/O itself. As
an attribute of a blocking client it is a function that returns the result; of an asyncio client, a coroutine function.
"""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable, Coroutine, Generator
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cache
from typing import TYPE_CHECKING, Any, Concatenate, Generic, ParamSpec, Self, TypeVar, overload

from dorosim.client.error import RefusedError
from dorosim.wire.grpc.descriptor import DROP_KEY, DROP_YES, Method, methods

if TYPE_CHECKING:
    from google.protobuf.message import Message

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Call:
    """A call to be made.

    Attributes:
        method: which procedure. request: what is asked.
        more_time: how long it may wait for other clients, beside the timeout [s].
        metadata: of the call, which other servers of the interface do not read.
    """

    method: Method
    request: Message
    more_time: float = 0.0
    metadata: tuple[tuple[str, str], ...] = ()

    @property
    def name(self) -> str:
        """The name of the procedure in messages to users."""
        return f"{self.method.service.rpartition('.')[2]}/{self.method.name}"

    @property
    def reads(self) -> bool:
        """Whether it changes nothing, so it can be made again."""
        return self.method.name.startswith(("Get", "Check", "RayCast", "Stream"))


CALLER = 5
"""Frames between a warning of an operation and the line that called it."""
Steps = Generator[Call, Any, T]
"""An operation: from answers to a result."""


@cache
def _methods_by_name() -> dict[str, Method]:
    return {f"{method.service.rpartition('.')[2]}/{method.name}": method for method in methods()}


def method_named(name: str) -> Method:
    """A procedure by "Service/Name".

    Raises:
        RefusedError: there is none of this name.
    """
    found = _methods_by_name().get(name)
    if found is None:
        near = get_close_matches(name, _methods_by_name(), 1)
        cure = f"do you mean {near[0]}?" if near else "see docs/reference/grpc.md"
        raise RefusedError(f"there is no procedure {name!r}", cure)
    return found


def call(name: str, /, **fields: Any) -> Call:
    """A call of a procedure by "Service/Name", with the fields of its request; messages are given as dicts."""
    method = method_named(name)
    try:
        return Call(method, method.request(**fields))
    except (TypeError, ValueError) as error:
        raise RefusedError(f"{name}: {error}", "give numbers where numbers belong, and known names") from None


def waiting(asked: Call, more_time: float) -> Call:
    """A call that may wait for other clients, so long beside the timeout [s]."""
    return replace(asked, more_time=more_time)


def make(name: str, /, *, drop: bool = False, **fields: Any) -> Steps[str]:
    """Make something, as `do`; warns where the simulator has made it otherwise than it was asked for.

    With `drop` the simulator puts it on the ground.
    """
    answer = yield from _done(name, fields, ((DROP_KEY, DROP_YES),) if drop else ())
    if answer.description:
        warnings.warn(f"{name}: {answer.description}", stacklevel=CALLER)
    return str(answer.custom_message)


def do(name: str, /, **fields: Any) -> Steps[str]:
    """Call a procedure that answers with a Result; what it made, "" for nothing.

    Raises:
        RefusedError: it was not done.
    """
    answer = yield from _done(name, fields)
    return str(answer.custom_message)


def _done(name: str, fields: dict[str, Any], metadata: tuple[tuple[str, str], ...] = ()) -> Steps[Any]:
    answer = yield replace(call(name, **fields), metadata=metadata)
    if answer.status != 1:
        raise RefusedError(f"{name}: {answer.description or 'refused without a reason'}")
    return answer


class Session:
    """The part of a client that its operations use.

    Attributes:
        key: label under which the client owns what it makes, "" for no owner.
    """

    key: str = ""


class BlockingContext:
    """Something that a `with` block closes at its end."""

    def __enter__(self) -> Self:
        """The object itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close it."""
        self.close()

    def close(self) -> None:
        """Let go of all that it holds."""
        raise NotImplementedError


class AwaitingContext:
    """Something that an `async with` block closes at its end."""

    async def __aenter__(self) -> Self:
        """The object itself."""
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close it."""
        closing: Any = self.close()
        if closing is not None:
            await closing

    def close(self) -> Any:
        """Let go of all that it holds; awaitable where that takes time."""
        raise NotImplementedError


class Blocking(Session, BlockingContext):
    """A client whose operations return when they are done."""

    def run(self, steps: Generator[Any, Any, T]) -> T:
        """Do an operation, step by step."""
        try:
            step = next(steps)
            while True:
                step = steps.send(self._take(step))
        except StopIteration as done:
            found: T = done.value
            return found
        finally:
            steps.close()

    def _take(self, step: Any) -> Any:
        """Do one step of an operation; its answer."""
        raise NotImplementedError


class Awaiting(Session, AwaitingContext):
    """A client whose operations are awaited."""

    async def run(self, steps: Generator[Any, Any, T]) -> T:
        """Do an operation, step by step."""
        try:
            step = next(steps)
            while True:
                step = steps.send(await self._take(step))
        except StopIteration as done:
            found: T = done.value
            return found
        finally:
            steps.close()

    async def _take(self, step: Any) -> Any:
        """Do one step of an operation; its answer."""
        raise NotImplementedError


class operation(Generic[P, T]):  # noqa: N801 - a decorator
    """Makes a method of both kinds of clients of a generator function."""

    def __init__(self, steps: Callable[Concatenate[Any, P], Generator[Any, Any, T]]) -> None:
        self._steps = steps
        self.__doc__ = steps.__doc__

    @overload
    def __get__(self, owner: None, kind: type[Any]) -> Callable[Concatenate[Any, P], Generator[Any, Any, T]]: ...
    @overload
    def __get__(self, owner: Blocking, kind: type[Any]) -> Callable[P, T]: ...
    @overload
    def __get__(self, owner: Awaiting, kind: type[Any]) -> Callable[P, Coroutine[Any, Any, T]]: ...
    def __get__(self, owner: Any, kind: type[Any]) -> Any:
        """The generator function on the class, a method on a client."""
        if owner is None:
            return self._steps

        def method(*args: P.args, **kwargs: P.kwargs) -> Any:
            return owner.run(self._steps(owner, *args, **kwargs))

        method.__name__, method.__doc__ = self._steps.__name__, self.__doc__
        signature = inspect.signature(self._steps)
        method.__signature__ = signature.replace(parameters=list(signature.parameters.values())[1:])  # type: ignore[attr-defined]
        return method
