"""Tables of the page of a sweep, as HTML."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

TABLE_STYLE = """.scroll{overflow-x:auto}table{border-collapse:collapse}.wide{min-width:56em}code{white-space:nowrap}
td,th{padding:2px 14px 2px 0;text-align:left;vertical-align:top;border-bottom:1px solid #eee}
th{font-weight:600;white-space:nowrap}thead th{border-bottom:2px solid #bbb}"""
"""A table that is wider than the page is scrolled by itself: the page fits a phone."""


def table_of_facts(rows: Sequence[tuple[str, str]]) -> str:
    """A table of names and what each is, both as text."""
    lines = (f'<tr><th scope="row">{escape(name)}</th><td>{escape(text)}</td></tr>' for name, text in rows)
    return _scrolled(f"<table><tbody>{''.join(lines)}</tbody></table>")


def table_with_head(head: Sequence[str], rows: Sequence[Sequence[str]], *, wide: bool = False) -> str:
    """A table with a head.

    A column without any content is left out.

    Args:
        head: name of each column, as text.
        rows: cells, as HTML.
        wide: whether a narrow page scrolls it instead of breaking each of its words into a line of its own.
    """
    shown = [column for column in range(len(head)) if not rows or any(row[column] for row in rows)]
    heads = "".join(f'<th scope="col">{escape(head[column])}</th>' for column in shown)
    lines = ("".join(f"<td>{row[column]}</td>" for column in shown) for row in rows)
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    kind = ' class="wide"' if wide else ""
    return _scrolled(f"<table{kind}><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>")


def _scrolled(table: str) -> str:
    return f'<div class="scroll">{table}</div>'
