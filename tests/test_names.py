"""Names of modules: a second value for one name would be taken by every reader of the first."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]


def assigned(path: Path) -> Iterator[str]:
    """Names that the statements of a module itself give a value."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        match node:
            case ast.Assign(targets=targets):
                pass
            case ast.AnnAssign(target=target, value=ast.expr()):
                targets = [target]
            case _:
                continue
        for target in targets:
            names = target.elts if isinstance(target, ast.Tuple | ast.List) else [target]
            yield from (name.id for name in names if isinstance(name, ast.Name) and name.id != "_")


def test_no_module_gives_a_name_two_values() -> None:
    modules = sorted((ROOT / "src").rglob("*.py"))
    assert len(modules) > 700
    twice = {path: [name for name, times in Counter(assigned(path)).items() if times > 1] for path in modules}
    assert {str(path): names for path, names in twice.items() if names} == {}
