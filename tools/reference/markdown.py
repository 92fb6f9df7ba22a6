"""Tables in Markdown, for the reference pages."""

from __future__ import annotations

from collections.abc import Iterable


def table(head: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """A table; bars in its cells are escaped."""
    lines = ["| " + " | ".join(head) + " |"]
    lines.append("|" + "---|" * len(lines[0].strip("| ").split(" | ")))
    lines += ["| " + " | ".join(str(cell).replace("|", "\\|") for cell in row) + " |" for row in rows]
    return "\n".join(lines) + "\n"
