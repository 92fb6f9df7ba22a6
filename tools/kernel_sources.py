"""Which sources a kernel is made of: those that define a name which the kernel uses, and so on, name by name.

A kernel keeps what its function, the functions that it calls, and the constants of both say. A module that is imported
for another reason, as for a type of an annotation, does not count: words in it make no kernel stale.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

SOURCES = Path(__file__).absolute().parents[1] / "src" / "dorosim"
NO_CODE = {f"dorosim.ground.{name}" for name in ("kernel_cache", "kernel_pack", "private_folder")}
"""Modules that keep and find kernels: no kernel is made of them."""
ALL = "*"
"""Stands for all names of a module."""


@dataclass
class Outline:
    """What a module says at its top level.

    Attributes:
        imported: by each name that it imports, the module of dorosim and the name there, `ALL` for the module itself.
        defined: by each name that it gives, the statements that do so.
        acting: statements that may act on anything in it, as loops and calls.
    """

    imported: dict[str, tuple[str, str]] = field(default_factory=dict)
    defined: dict[str, list[ast.stmt]] = field(default_factory=lambda: defaultdict(list))
    acting: list[ast.stmt] = field(default_factory=list)


def sources_of(module: str, kernels: Iterable[str]) -> list[str]:
    """Paths of the sources that kernels of a module are made of, below the folder of `dorosim`."""
    seen: set[tuple[str, str]] = set()
    left = [(module, name) for name in kernels]
    while left:
        one = left.pop()
        if one not in seen and one[0] not in NO_CODE:
            seen.add(one)
            left += _needed(*one)
    return sorted({path_of(name).relative_to(SOURCES).as_posix() for name, _ in seen})


def path_of(module: str) -> Path:
    """The file of a module."""
    path = SOURCES.joinpath(*module.split(".")[1:])
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def _needed(module: str, name: str) -> Iterator[tuple[str, str]]:
    """Modules and names that a name of a module needs, the packages that hold the module included."""
    outline = outline_of(module)
    parts = module.split(".")
    yield from ((".".join(parts[:length]), "") for length in range(2, len(parts)))
    statements = list(outline.acting)
    if name == ALL:
        statements += [one for found in outline.defined.values() for one in found]
        yield from outline.imported.values()
    else:
        statements += outline.defined.get(name, [])
        if name in outline.imported:
            yield outline.imported[name]
    for statement in statements:
        yield from _local_imports(statement)
        for used in names_in(statement):
            if used in outline.imported:
                yield outline.imported[used]
            if used in outline.defined:
                yield module, used


def _local_imports(statement: ast.stmt) -> Iterator[tuple[str, str]]:
    """What a statement imports where it runs."""
    for node in ast.walk(statement):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            yield from (found for _, found in _imported(node))


@cache
def outline_of(module: str) -> Outline:
    """The outline of a module."""
    made = Outline()
    for statement in ast.parse(path_of(module).read_text("utf-8")).body:
        _add(made, statement)
    return made


def _add(made: Outline, statement: ast.stmt) -> None:
    match statement:
        case ast.Import() | ast.ImportFrom():
            made.imported.update(_imported(statement))
        case ast.Expr(value=ast.Constant()):
            pass
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            made.defined[name].append(statement)
        case ast.Assign() | ast.AnnAssign() | ast.AugAssign():
            given = [
                node.id
                for node in ast.walk(statement)
                if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
            ]
            for name in given:
                made.defined[name].append(statement)
            made.acting += [] if given else [statement]
        case ast.If(test=ast.Name(id="TYPE_CHECKING")):
            pass
        case _:
            made.acting.append(statement)


def _imported(statement: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, tuple[str, str]]]:
    """Names that a statement imports from dorosim, each with its module and its name there."""
    for one in statement.names:
        if isinstance(statement, ast.Import):
            if one.name.startswith("dorosim."):
                yield (one.asname or one.name).split(".")[0], (one.name, ALL)
        elif (statement.module or "").startswith("dorosim"):
            inside = f"{statement.module}.{one.name}"
            yield (
                one.asname or one.name,
                (inside, ALL) if path_of(inside).exists() else (statement.module or "", one.name),
            )


def names_in(statement: ast.stmt) -> set[str]:
    """Names that a statement uses; of functions and their parameters, what their annotations say does not count."""
    found: set[str] = set()
    left: list[ast.AST] = [statement]
    while left:
        node = left.pop()
        if isinstance(node, ast.Name):
            found.add(node.id)
        for name, value in ast.iter_fields(node):
            if name == "returns" or (name == "annotation" and isinstance(node, ast.arg)):
                continue
            left += [one for one in (value if isinstance(value, list) else [value]) if isinstance(one, ast.AST)]
    return found
