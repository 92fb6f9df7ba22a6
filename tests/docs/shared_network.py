"""A network that pages share, with a process that has loaded dorosim in it: `python -m tests.docs.shared_network`.

To make both for each page would take two seconds of each; pages that are played one after the other find all ports free
all the same. It prints the words that start `dorosim` there, and ends with its standard input.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from tests.docs.block import ROOT
from tests.docs.loopback import own_network, raise_loopback
from tests.loaded import SHARED_COMMAND, loaded_command


class SharedNetwork(NamedTuple):
    """How a program gets into it: the words before its command, and what it finds around it."""

    words: tuple[str, ...]
    environment: dict[str, str]


@contextmanager
def shared_network() -> Iterator[SharedNetwork | None]:
    """Make one, for as long as it lasts; None where none can be had."""
    made = own_network()
    if not made or shutil.which("nsenter") is None:
        yield None
        return
    environment = os.environ | {"PYTHONPATH": f"{ROOT / 'src'}:{ROOT}"}
    holder = subprocess.Popen(
        [*made, sys.executable, "-m", __name__],
        env=environment,
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with holder:
        assert holder.stdout is not None
        command = holder.stdout.readline().strip()
        if not command:
            raise RuntimeError("no network for pages could be made; its program says why above")
        own_user = ("--user", "--preserve-credentials") if "--user" in made else ()
        words = ("nsenter", "--target", str(holder.pid), "--net", *own_user)
        yield SharedNetwork(words, {SHARED_COMMAND: command})
        holder.communicate()


if __name__ == "__main__":
    raise_loopback()
    print(json.dumps(loaded_command()), flush=True)
    sys.stdin.read()
