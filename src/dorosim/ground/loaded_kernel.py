"""Loads compiled kernels without what only a compiler needs of them.

numba keeps of each kernel its machine code, and the code before that, so that other kernels can take it in. At a
start nothing is compiled, but numba reads the latter of every kernel all the same, which is more than half of the time
to load one. Here it is read when a kernel that is compiled asks for it.

Sources: numba's `numba.core.codegen` (CPUCodeLibrary._unserialize, CodeLibrary._get_module_for_linking, JitEngine) and
`numba.core.compiler` (CompileResult._rebuild); the versions that dorosim takes are bounded.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from llvmlite import binding
from numba.core.compiler import CompileResult

_MACHINE_CODE = "object"
"""numba's word for a kernel that is kept as machine code."""


@cache
def _nothing() -> bytes:
    """What numba reads of a kernel instead: no code."""
    return bytes(binding.parse_assembly("").as_bitcode())


class _CodeBefore:
    """The code of a kernel before it was made machine code, read at the first use.

    Args:
        library: numba's library of the kernel.
        bitcode: LLVM's.
    """

    def __init__(self, library: Any, bitcode: bytes) -> None:
        self._library, self._bitcode = library, bitcode

    def __call__(self) -> Any:
        """The module that a kernel takes in which calls this one."""
        library = self._library
        if library._shared_module is None:
            library._shared_module = binding.parse_bitcode(self._bitcode)
            library.codegen._engine._load_defined_symbols(library._shared_module)
        return library._shared_module


def rebuilt(target_context: Any, kept: tuple[Any, ...]) -> Any:
    """The compiled kernel of what numba keeps of it.

    Args:
        target_context: numba's, of the processor.
        kept: as `CompileResult._rebuild` takes it: the library, the descriptor of the function, and more.
    """
    (name, kind, content), descriptor, *rest = kept
    if kind != _MACHINE_CODE:
        return CompileResult._rebuild(target_context, *kept)
    code, bitcode = content
    # the only functions whose addresses anything asks for by their names
    named = {descriptor.llvm_func_name, descriptor.llvm_cpython_wrapper_name}
    target_context.codegen()._engine._defined_symbols |= named
    made = CompileResult._rebuild(target_context, (name, kind, (code, _nothing())), descriptor, *rest)
    made.library._shared_module = None
    made.library._get_module_for_linking = _CodeBefore(made.library, bitcode)
    return made
