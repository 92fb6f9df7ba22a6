"""Arrays inside kernels as nothing but an address and a shape.

numba passes an array on as seven numbers and more, and counts references to it each time, by an atomic operation. In
kernels that are made of many small functions over the same tables that is most of the time, both to run and to compile
them: moving a vehicle took 210 ns with whole arrays. A bare array is an address and a shape; its references are not
counted, no index is negative, and no slices are taken of it.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, TypeVar, cast

from numba import types
from numba.core import cgutils
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate, infer_getattr, infer_global, signature
from numba.extending import (
    intrinsic,
    lower_builtin,
    lower_getattr,
    models,
    register_model,
)

A = TypeVar("A")


class ItemsType(types.Type):  # type: ignore[misc]
    """A type whose values have items, each read and written by as many whole numbers as there are dimensions.

    Attributes:
        dtype: numba's type of an item. ndim: how many dimensions. mutable: whether items may be written.
    """

    dtype: Any
    ndim: int
    mutable: bool


class BareType(ItemsType):
    """The type of a bare array of some number of dimensions; one that cannot be written has a type of its own."""

    def __init__(self, dtype: Any, ndim: int, mutable: bool) -> None:
        self.dtype, self.ndim, self.mutable = dtype, ndim, mutable
        super().__init__(f"Bare({dtype}, {ndim}, {'writable' if mutable else 'read-only'})")


@register_model(BareType)
class _BareModel(models.StructModel):  # type: ignore[misc]
    """Address of the first item, and the shape."""

    def __init__(self, manager: Any, kind: BareType) -> None:
        members = [("data", types.CPointer(kind.dtype)), ("shape", types.UniTuple(types.intp, kind.ndim))]
        super().__init__(manager, kind, members)


def _bare_type(kind: Any) -> Any:
    """The type of arrays of a type, or of a named tuple of them, once they are bare; None where that cannot be."""
    if isinstance(kind, types.BaseNamedTuple):
        parts = [_bare_type(part) for part in kind.types]
        return None if None in parts else types.BaseTuple.from_types(parts, kind.instance_class)
    fits = isinstance(kind, types.Array) and kind.layout == "C"
    return BareType(kind.dtype, kind.ndim, kind.mutable) if fits else None


def _strip(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    """The value of `_bare_type(kind)` that stands for a value of a type."""
    if isinstance(kind, types.BaseNamedTuple):
        parts = zip(kind.types, cgutils.unpack_tuple(builder, value, len(kind)), strict=True)
        return context.make_tuple(builder, _bare_type(kind), [_strip(context, builder, *part) for part in parts])
    source = context.make_array(kind)(context, builder, value=value)
    view = cgutils.create_struct_proxy(_bare_type(kind))(context, builder)
    view.data, view.shape = source.data, source.shape
    return view._getvalue()


def _bare(_typing: Any, arrays: Any) -> Any:
    """Type and code of `bare`, in numba's terms."""
    kind = _bare_type(arrays)
    if kind is None:
        return None

    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return _strip(context, builder, arrays, arguments[0])

    return kind(arrays), generate


bare = cast(Callable[[A], A], intrinsic(_bare))
"""The same array, or the same named tuple of arrays and of such tuples, bare.

A bare array is not held: an argument of a kernel is held by its caller, an array that the kernel itself has made lives
only until its own name is used for the last time; `hold` is such a use.
"""


def _hold(_typing: Any, arrays: Any) -> Any:
    """Type and code of `hold`, in numba's terms."""

    def generate(context: Any, _builder: Any, _signature: Any, _arguments: Any) -> Any:
        return context.get_dummy_value()

    return types.none(arrays), generate


hold = cast(Callable[[Any], None], intrinsic(_hold))
"""Does nothing: after the last use of bare arrays, it keeps what they stand for until then."""


def _fits(kind: Any, index: Any) -> bool:
    """Whether an index names one item."""
    if not isinstance(kind, ItemsType):
        return False
    parts = index.types if isinstance(index, types.BaseTuple) else (index,)
    return len(parts) == kind.ndim and all(isinstance(part, types.Integer) for part in parts)


@infer_global(operator.getitem)
class _GetItem(AbstractTemplate):  # type: ignore[misc]
    def generic(self, args: Any, _kws: Any) -> Any:
        kind, index = args
        return signature(kind.dtype, kind, index) if _fits(kind, index) else None


@infer_global(operator.setitem)
class _SetItem(AbstractTemplate):  # type: ignore[misc]
    def generic(self, args: Any, _kws: Any) -> Any:
        kind, index, _ = args
        return signature(types.none, kind, index, kind.dtype) if _fits(kind, index) and kind.mutable else None


@infer_getattr
class _Attribute(AttributeTemplate):  # type: ignore[misc]
    key = BareType

    def resolve_shape(self, kind: BareType) -> Any:
        """The shape, as of any array."""
        return types.UniTuple(types.intp, kind.ndim)


@lower_getattr(BareType, "shape")  # type: ignore[untyped-decorator]
def _shape(context: Any, builder: Any, kind: BareType, value: Any) -> Any:
    return cgutils.create_struct_proxy(kind)(context, builder, value=value).shape


def parts_of_index(context: Any, builder: Any, index_type: Any, index: Any) -> list[Any]:
    """The numbers of an index, as addresses are counted."""
    if isinstance(index_type, types.BaseTuple):
        given = zip(cgutils.unpack_tuple(builder, index), index_type.types, strict=True)
    else:
        given = zip((index,), (index_type,), strict=True)
    return [context.cast(builder, part, kind, types.intp) for part, kind in given]


def _address(context: Any, builder: Any, kind: BareType, value: Any, index_type: Any, index: Any) -> Any:
    """Where the item of an index is."""
    view = cgutils.create_struct_proxy(kind)(context, builder, value=value)
    place, *others = parts_of_index(context, builder, index_type, index)
    for axis, part in enumerate(others, 1):
        place = builder.add(builder.mul(place, builder.extract_value(view.shape, axis)), part)
    return builder.gep(view.data, [place], inbounds=True)


@lower_builtin(operator.getitem, BareType, types.Any)  # type: ignore[untyped-decorator]
def _get_item(context: Any, builder: Any, found: Any, arguments: Any) -> Any:
    kind, index_type = found.args
    return builder.load(_address(context, builder, kind, arguments[0], index_type, arguments[1]))


@lower_builtin(operator.setitem, BareType, types.Any, types.Any)  # type: ignore[untyped-decorator]
def _set_item(context: Any, builder: Any, found: Any, arguments: Any) -> Any:
    kind, index_type, _ = found.args
    builder.store(arguments[2], _address(context, builder, kind, arguments[0], index_type, arguments[1]))
    return context.get_dummy_value()
