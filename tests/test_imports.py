"""What import-linter does not hold: floors and the SDK are contracts in pyproject.toml."""

from __future__ import annotations

import grimp
import networkx


def test_no_modules_import_each_other_in_a_circle() -> None:
    """Neither at run time nor for types alone: each can be understood without those that use it."""
    graph = grimp.build_graph("dorosim", cache_dir=None)
    imports = networkx.DiGraph(
        (module, other) for module in graph.modules for other in graph.find_modules_directly_imported_by(module)
    )
    assert len(imports) > 700
    circles = [sorted(group) for group in networkx.strongly_connected_components(imports) if len(group) > 1]
    assert circles == []
