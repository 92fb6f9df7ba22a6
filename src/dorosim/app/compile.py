"""The name of `dorosim.app.run.compile` until 0.7, which workflows of users call; it goes after that version."""

from __future__ import annotations

import runpy
import sys

if __name__ == "__main__":
    sys.stderr.write("python -m dorosim.app.compile is now python -m dorosim.app.run.compile\n")
    runpy.run_module("dorosim.app.run.compile", run_name="__main__")
