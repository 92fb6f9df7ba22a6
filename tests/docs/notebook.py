"""Runs the cells of a notebook in order, as Jupyter does, and prints what each shows, as lines of JSON.

`python -m tests.docs.notebook FILE`: {"cell": number, "kind": "png", "size": bytes} for each cell that shows something.
"""

from __future__ import annotations

import ast
import json
import sys
from pathlib import Path
from typing import Any

KINDS = ("png", "svg", "html")


def code_of(path: Path) -> list[str]:
    """The code of each cell."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]


def shown_by(code: str, names: dict[str, Any]) -> Any:
    """The value of the last line of a cell, None for none."""
    tree = ast.parse(code)
    last = tree.body[-1]
    if not isinstance(last, ast.Expr):
        exec(compile(tree, "cell", "exec"), names)
        return None
    tree.body.pop()
    exec(compile(tree, "cell", "exec"), names)
    return eval(compile(ast.Expression(last.value), "cell", "eval"), names)


def main(path: str) -> None:
    names: dict[str, Any] = {"__name__": "__main__"}
    for number, code in enumerate(code_of(Path(path))):
        value = shown_by(code, names)
        if value is None:
            continue
        kind = next((one for one in KINDS if hasattr(value, f"_repr_{one}_")), "text")
        shown = repr(value) if kind == "text" else getattr(value, f"_repr_{kind}_")()
        head = shown[:8].hex() if isinstance(shown, bytes) else shown[:40]
        print(json.dumps({"cell": number, "kind": kind, "size": len(shown), "head": head}))


if __name__ == "__main__":
    main(sys.argv[1])
