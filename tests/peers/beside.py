"""Runs a program with a peer's packages beside those of this environment: `beside.py PACKAGES first|last PROGRAM ...`.

Programs that learn need dorosim and the peer's packages in one process. Where both have a package, that of the peer
counts ("first") or that of this environment ("last").
"""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

if __name__ == "__main__":
    _, packages, place, program, *arguments = sys.argv
    sys.path.insert(0 if place == "first" else len(sys.path), packages)
    sys.path.insert(0, str(Path(program).parent))  # as Python itself does
    sys.argv = [program, *arguments]
    runpy.run_path(program, run_name="__main__")
