"""Arrays inside kernels without reference counting.

numba counts references to an array whenever it is passed on or taken out of a tuple, by an atomic operation each time.
In kernels that are made of many small functions over the same tables that is most of the time: moving a vehicle took
210 ns with it and takes 45 ns without.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

from numba.core import cgutils
from numba.extending import intrinsic

A = TypeVar("A")


def _uncounted(_typing: Any, array: Any) -> Any:
    """Type and code of `uncounted`, in numba's terms."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        view = context.make_array(signature.return_type)(context, builder, value=arguments[0])
        view.meminfo = cgutils.get_null_value(view.meminfo.type)
        view.parent = cgutils.get_null_value(view.parent.type)
        return view._getvalue()

    return array(array), generate


uncounted = cast(Callable[[A], A], intrinsic(_uncounted))
"""The same array, of which no references are counted.

For arguments of a kernel only: its caller holds them until it returns. An array that the kernel itself has made would
be freed as soon as its own name is no longer used.
"""
