"""Writes the reference pages: `python -m tools.reference [DIR]`."""

from __future__ import annotations

import sys
from pathlib import Path

from tools.reference.page import write_pages

if __name__ == "__main__":
    write_pages(Path(sys.argv[1] if len(sys.argv) > 1 else "docs/reference"))
