"""Kernels that call others by their addresses, so that neither is compiled into the other.

numba takes the code of a kernel into each kernel that calls it, and makes machine code of all of it once more. A kernel
that only calls others in turn needs nothing of them but where they are: it is compiled in a second, whatever they do,
and stays as it is when they change. It gets their addresses in an array, with those of the arrays that they take.

What a kernel is called with is checked when its address is asked for, never in a call: a *link* says once which types
that are.

    LINK = KernelLink("dorosim.world.vehicle.kernel", "step_vehicles", (...), types.none)
    _step = LINK.call
    ...
    _step(words[STEP], (words[PARAMETER], floats, dt))   # in a kernel

An argument that is an array or a tuple of arrays is given as such, or as the address of its description
(`describe`); a tuple also as one of such arguments.

Sources: numba's calling convention (`numba.core.callconv`, CPUCallConv) and its array structure
(`numba.core.datamodel.models`, ArrayModel); the versions that dorosim takes are bounded.
"""

from __future__ import annotations

from functools import cached_property
from importlib import import_module
from typing import Any

import numpy as np
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.numpy_support import as_dtype


class OtherLayoutError(TypeError):
    """An array is read-only or not contiguous where a kernel takes another one."""


def array_kind(scalar: str, ndim: int, *, writable: bool = False) -> types.Array:
    """The type of C-contiguous arrays of a scalar type of numba, by its name: `float64`, `int64`, `boolean`."""
    return types.Array(getattr(types, scalar), ndim, "C", readonly=not writable)


class KernelLink:
    """A kernel that others call by its address.

    Args:
        module: the kernel's.
        name: the kernel's.
        kinds: the types of its arguments: those by which Python calls it, so that it is compiled once.
        result: the type of what it returns.
    """

    def __init__(self, module: str, name: str, kinds: tuple[types.Type, ...], result: types.Type = types.none) -> None:
        self.module, self.name, self.kinds, self.result = module, name, kinds, result
        self._address = 0

    @cached_property
    def kernel(self) -> Any:
        """The kernel."""
        return getattr(import_module(self.module), self.name)

    def is_loaded(self) -> bool:
        """Whether the kernel has been loaded or compiled in this process."""
        return self._address != 0 or self.kinds in self.kernel.overloads

    def is_there(self) -> bool:
        """Whether the kernel has been loaded, or can be without compiling it."""
        kernel = self.kernel
        return self.is_loaded() or bool(kernel._cache.is_kept(self.kinds, kernel.targetctx.codegen()))

    def address(self) -> int:
        """Where its machine code is; it is loaded, or compiled, unless it has been.

        Raises:
            TypeError: it returns something else than the link says.
        """
        if self._address:
            return self._address
        kernel = self.kernel
        if not self.is_loaded():
            kernel.compile(self.kinds)
        made = kernel.overloads[self.kinds]
        if made.signature.return_type != self.result:
            raise TypeError(f"{self.name} returns {made.signature.return_type}, not {self.result}")
        self._address = int(made.library.get_pointer_to_function(made.fndesc.llvm_func_name))
        return self._address

    @cached_property
    def call(self) -> Any:
        """What kernels call: it takes the address of the kernel and a tuple of its arguments."""
        kinds, result = self.kinds, self.result

        @intrinsic  # type: ignore[untyped-decorator]
        def call(_typing: Any, address: Any, arguments: Any) -> Any:
            given = arguments.types
            if len(given) != len(kinds):
                raise TypeError(f"{len(given)} arguments for a kernel that takes {len(kinds)}")

            def code(context: Any, builder: Any, _signature: Any, values: Any) -> Any:
                parts = cgutils.unpack_tuple(builder, values[1], len(kinds))
                taken = [_taken(context, builder, *one) for one in zip(kinds, given, parts, strict=True)]
                place = context.call_conv.get_function_type(result, kinds).as_pointer()
                kernel = builder.inttoptr(values[0], place)
                status, made = context.call_conv.call_function(builder, kernel, result, kinds, taken)
                with cgutils.if_unlikely(builder, status.is_error):
                    context.call_conv.return_status_propagate(builder, status)
                return made

            return result(address, arguments), code

        return call


def _taken(context: Any, builder: Any, kind: types.Type, given: types.Type, value: Any) -> Any:
    """An argument as a kernel takes it."""
    if not isinstance(kind, types.Array | types.BaseTuple):
        return context.cast(builder, value, given, kind)
    if isinstance(given, types.Integer):
        return builder.load(builder.inttoptr(value, context.get_value_type(kind).as_pointer()))
    if isinstance(kind, types.BaseTuple):
        if not isinstance(given, types.BaseTuple) or len(given) != len(kind):
            raise TypeError(f"{given} for {kind}")
        parts = zip(kind.types, given.types, cgutils.unpack_tuple(builder, value, len(kind)), strict=True)
        return context.make_tuple(builder, kind, [_taken(context, builder, *one) for one in parts])
    fits = isinstance(given, types.Array) and (given.dtype, given.ndim, given.layout) == (kind.dtype, kind.ndim, "C")
    if not fits or (kind.mutable and not given.mutable):
        raise TypeError(f"{given} for {kind}")
    return value


def describe(kind: types.Type, value: Any) -> list[int]:
    """An array, or a named tuple of arrays, as kernels lay it out in memory: numbers of 64 bits.

    Whoever uses a description keeps the arrays. It holds no reference to them.

    Raises:
        TypeError: the array is none that the type stands for.
        OtherLayoutError: it is, but for its layout.
    """
    if isinstance(kind, types.BaseTuple):
        return [word for one, part in zip(kind.types, value, strict=True) for word in describe(one, part)]
    if not isinstance(value, np.ndarray) or value.dtype != as_dtype(kind.dtype) or value.ndim != kind.ndim:
        raise TypeError(f"no {kind}: {type(value).__name__}")
    if not value.flags.c_contiguous or (kind.mutable and not value.flags.writeable):
        raise OtherLayoutError(f"no {kind}: it is read-only or not contiguous")
    return [0, 0, value.size, value.itemsize, value.ctypes.data, *value.shape, *value.strides]
