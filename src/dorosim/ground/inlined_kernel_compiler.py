"""How numba compiles functions that only kernels call: no further than their callers need.

numba optimises each function and makes machine code of it before a caller takes it in, where it is optimised and made
machine code of once more, with the caller. Of a function that Python never calls the first time is wasted: a third of
the time to compile a kernel of many parts. Here such a function goes to its callers as numba has lowered it. What they
compute is the same to the bit: without `fastmath` LLVM keeps the order of sums, whenever it optimises.
"""

from __future__ import annotations

from typing import Any

from numba import _dynfunc
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.compiler_machinery import register_pass
from numba.core.typed_passes import NativeLowering


class InlinedCompiler(Compiler):  # type: ignore[misc]
    """The compiler of numba but for its last part."""

    def define_pipelines(self) -> list[Any]:
        """The passes of numba, with the lowering of this module in place of its own."""
        pipelines: list[Any] = super().define_pipelines()
        for one in pipelines:
            one.passes = [(_Lowering if kind is NativeLowering else kind, text) for kind, text in one.passes]
            one.finalize()
        return pipelines


class _Library(JITCodeLibrary):  # type: ignore[misc]
    """The code of one function, to be linked into its callers."""

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True


@register_pass(mutates_CFG=True, analysis_only=False)
class _Lowering(NativeLowering):  # type: ignore[misc]
    """Lowers a function into a library of no machine code."""

    _name = "inlined_lowering"

    def run_pass(self, state: Any) -> bool:
        """As numba's pass of this name, with the state of one compilation."""
        state.flags.no_compile = True
        state.library = _Library(state.targetctx.codegen(), state.func_id.func_qualname)
        super().run_pass(state)
        lowered = state["cr"]
        description = lowered.fndesc
        # numba finds a function by its entry, and makes one without code also where no wrapper is asked for
        entry = _dynfunc.make_function(
            description.lookup_module(), description.qualname.split(".")[-1], "", 0, lowered.env, (state.library,)
        )
        state.targetctx.insert_user_function(entry, description, [state.library])
        state["cr"] = lowered._replace(cfunc=entry)
        return True
