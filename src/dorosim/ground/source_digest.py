"""A digest of sources: what is made by code and kept is kept for that code only."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from dorosim import __version__


@cache
def source_digest(*folders: str) -> str:
    """A digest of the version of dorosim and of all modules in folders of it, e.g. "road" or "world/traffic".

    Where the sources are not there, as in an installation of compiled modules alone, the version stands for them.
    """
    digest = hashlib.blake2b(__version__.encode(), digest_size=8)
    root = Path(__file__).absolute().parents[1]
    for folder in folders:
        for path in sorted((root / folder).rglob("*.py")):
            digest.update(str(path.relative_to(root)).encode() + b"\0")
            digest.update(path.read_bytes())
    return digest.hexdigest()
