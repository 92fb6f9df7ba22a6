"""The source files of dorosim as tests of its form read them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "dorosim"


@cache
def sources() -> dict[str, str]:
    """Path below the package to text, of every module."""
    return {
        path.relative_to(PACKAGE).as_posix(): path.read_text(encoding="utf-8") for path in sorted(PACKAGE.rglob("*.py"))
    }


@cache
def tree(name: str) -> ast.Module:
    """The syntax tree of a module, given by its path below the package."""
    return ast.parse(sources()[name])


def texts(module: ast.AST) -> Iterator[ast.Expr]:
    """Docstrings of all kinds: strings that are statements of their own."""
    for node in ast.walk(module):
        match node:
            case ast.Expr(value=ast.Constant(value=str())):
                yield node


def assignments(module: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    """Names that the statements of a module itself give a value, and the value's expression."""
    for node in module.body:
        match node:
            case ast.Assign(targets=[target], value=value):
                pass
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                pass
            case _:
                continue
        match target, value:
            case ast.Name(id=name), _:
                yield name, value
            case ast.Tuple(elts=names), ast.Tuple(elts=values) if len(names) == len(values):
                for name, part in zip(names, values, strict=True):
                    if isinstance(name, ast.Name):
                        yield name.id, part
