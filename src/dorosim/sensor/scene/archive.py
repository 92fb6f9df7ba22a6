"""Arrays kept as bytes (numpy's npz), for caches of scenes."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from dorosim.ground.error import InputError


@contextmanager
def opened_archive(content: bytes, source: str) -> Iterator[Any]:
    """The arrays of an archive by name, while the block lasts.

    Args:
        content: of the archive.
        source: what it holds, for the error.

    Raises:
        InputError: it is broken, or has not what the block looks for.
    """
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as file:
            yield file
    except (ValueError, KeyError, OSError, EOFError, zipfile.BadZipFile) as error:
        raise InputError(source, "", f"cannot be read: {error}", "build it anew") from None
