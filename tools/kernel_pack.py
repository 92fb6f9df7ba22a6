"""Compiles all kernels for a common processor: `python -m tools.kernel_pack`.

It writes `src/dorosim/ground/kernels.zip`, which comes with dorosim, so that no first start compiles
(`dorosim.ground.kernel_pack`). It compiles what `kernels.json` lists, so make that list first if a kernel is new.
"""

from __future__ import annotations

import json
import os
import pickle
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from dorosim.app.run.kernel_list import GROUPS, compile_listed, listed
from dorosim.ground.kernel_pack import COMPILE, FEATURES, INDEX, PACK, PROCESSOR, Index, digest_of, here, key_of
from dorosim.ground.kernel_signature import read_type
from tools.kernel_sources import SOURCES, sources_of

PLACE = Path("/tmp/dorosim-kernels")
"""Machine code holds the place of the sources, for messages of errors. It is compiled from here, so that it holds that
of nobody's folder."""
NOTES = 6
"""Where what numba keeps of a kernel has a text with the types of its variables: half of its length, read by nobody."""
KEEP, HELP = "--keep", "--help-out"
"""To compile and write the file, and to compile only; both as processes of this program."""


@contextmanager
def neutral_place() -> Iterator[dict[str, str]]:
    """Variables of a process that compiles for the common processor, from `PLACE` and into it.

    Raises:
        FileExistsError: another process does it, or has been stopped.
    """
    PLACE.mkdir(mode=0o700)
    try:
        places = {
            "src": SOURCES.parent,
            "tools": SOURCES.parents[1] / "tools",
            "site": Path(sysconfig.get_path("purelib")),
        }
        for name, target in places.items():
            (PLACE / name).symlink_to(target)
        yield {
            **os.environ,
            COMPILE: "1",
            "PYTHONPATH": f"{PLACE / 'src'}:{PLACE}:{PLACE / 'site'}",
            "XDG_CACHE_HOME": str(PLACE),
            "NUMBA_CPU_NAME": PROCESSOR,
            "NUMBA_CPU_FEATURES": ",".join(f"+{name}" for name in FEATURES),
        }
    finally:
        shutil.rmtree(PLACE)


def kept(module: str, name: str, kinds: list[Any]) -> tuple[str, bytes]:
    """Key and content of a kernel that has been compiled."""
    kernel: Any = getattr(import_module(module), name)
    signature = tuple(map(read_type, kinds))
    kernel.compile(signature)  # waits for the process that compiles it
    shelf = kernel._cache
    index = shelf._cache_file._load_index()
    member = index[shelf._index_key(signature, kernel.targetctx.codegen())]
    parts = list(pickle.loads((Path(shelf.cache_path) / member).read_bytes()))
    parts[NOTES] = ""
    return key_of(module, name, signature), pickle.dumps(tuple(parts), protocol=4)


def members() -> Iterator[tuple[str, bytes]]:
    """All members of the file: the kernels in the order of their keys, and at last the index."""
    kernels = dict(kept(*one) for group in GROUPS for one in listed(group))
    names: dict[str, set[str]] = {}
    for group in GROUPS:
        for module, name, _ in listed(group):
            names.setdefault(module, set()).add(name)
    made_of = {module: sources_of(module, names[module]) for module in sorted(names)}
    index = Index(
        made_for=here(),
        files={path: digest_of(SOURCES / path) for path in sorted({path for one in made_of.values() for path in one})},
        modules=made_of,
        groups={group: sorted({module for module, _, _ in listed(group)}) for group in GROUPS},
        kernels=sorted(kernels),
    )
    yield from ((key, kernels[key]) for key in sorted(kernels))
    yield INDEX, json.dumps(index, separators=(",", ":")).encode()


def main(options: list[str]) -> None:
    """Write the file."""
    if KEEP in options or HELP in options:
        for group in GROUPS:
            compile_listed(group)
        if KEEP in options:
            found = list(members())
            with ZipFile(options[-1], "w") as written:
                for name, content in found:
                    written.writestr(ZipInfo(name), content, ZIP_DEFLATED, 9)
        return
    with neutral_place() as environment:
        command = [sys.executable, "-S", "-m", "tools.kernel_pack"]
        helper = subprocess.Popen([*command, HELP], env=environment)
        try:
            subprocess.run([*command, KEEP, str(PACK)], env=environment, check=True)
        finally:
            helper.terminate()
            helper.wait()


if __name__ == "__main__":
    main(sys.argv[1:])
