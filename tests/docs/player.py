"""Plays the blocks of a page, in order, as a reader does: `python -m tests.docs.player PAGE FOLDER`.

The folder looks like a fresh clone after `make run`: the project's files, and `.venv/bin` with its programs. Shell
blocks run in it, programs that go on stay in the background, blocks of Python share their names. The test starts this
program in a network of its own, so the default ports are free.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
import traceback
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

from tests.docs.block import Block, blocks_of
from tests.docs.loopback import raise_loopback
from tests.docs.sandbox import make_prop, make_sandbox

PATIENCE = 240.0
"""Wall time for a program to be ready: the first one on a machine compiles kernels [s]."""
LONGEST = 300.0
"""Wall time of a block that ends by itself [s]."""


AGAIN = 90.0
"""Wall time for which a block that may come too early is tried again [s]."""


class PageError(Exception):
    """A block of a page does not do what the page says."""


class Program:
    """A program in the background, with its output in a file."""

    def __init__(self, block: Block, text: str, folder: Path, until: str):
        self.block, self.log = block, folder / f".output-{block.line}-{time.monotonic_ns()}"
        with self.log.open("wb") as file:
            self.process = subprocess.Popen(
                ["bash", "-ec", text], cwd=folder, stdout=file, stderr=subprocess.STDOUT, start_new_session=True
            )
        end = time.monotonic() + PATIENCE
        while until not in self.output():
            if self.process.poll() is not None:
                raise PageError(f"{block}: ended with {self.process.returncode}:\n{self.output()}")
            if time.monotonic() > end:
                raise PageError(f"{block}: never printed {until!r}:\n{self.output()}")
            time.sleep(0.02)

    def output(self) -> str:
        return self.log.read_text(errors="replace")

    def stop(self) -> None:
        """As a user does: Ctrl-C."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGINT)
            try:
                self.process.wait(90.0)
            except subprocess.TimeoutExpired:
                os.killpg(self.process.pid, signal.SIGKILL)
                raise PageError(f"{self.block}: does not end by Ctrl-C:\n{self.output()}") from None
        if "Traceback" in self.output():
            raise PageError(f"{self.block}: crashed:\n{self.output()}")


class Player:
    """The reader: a folder, programs in other terminals, the names of Python so far, what was printed last."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.programs: list[Program] = []
        self.names: dict[str, object] = {"__name__": "__main__"}
        self.printed = ""

    def play(self, block: Block) -> None:
        marks = block.marks
        if "alone" in marks:
            self.stop()
        if "stop" in marks:
            self.programs.pop().stop()
        if "prop" in marks:
            make_prop(self.folder / marks["prop"])
        if "file" in marks:
            path = self.folder / marks["file"]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text, encoding="utf-8")
        elif "output" in marks:
            self.compare(block)
        elif block.language == "python":
            self.run_python(block)
        elif "each" in marks:
            for line in block.text.splitlines():
                self.stop()
                Program(block, line, self.folder, marks["until"]).stop()
        elif "background" in marks:
            if "beside" not in marks:
                self.stop()
            self.programs.append(Program(block, block.text, self.folder, marks["until"]))
            self.printed = self.programs[-1].output()
        elif "again" in marks:
            self.run_again(block)
        else:
            self.run(block)

    def run_again(self, block: Block) -> None:
        end = time.monotonic() + AGAIN
        while True:
            try:
                return self.run(block)
            except PageError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.02)

    def run(self, block: Block) -> None:
        try:
            done = subprocess.run(
                ["bash", "-ec", block.text],
                cwd=self.folder,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                stdin=subprocess.DEVNULL,
                text=True,
                timeout=LONGEST,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            said = (error.stdout or b"").decode() if isinstance(error.stdout, bytes) else error.stdout
            raise PageError(f"{block}: does not end:\n{said}") from None
        self.printed = done.stdout
        print(done.stdout)
        if done.returncode != int(block.marks.get("exit", 0)):
            others = "".join(f"\n--- {one.block}:\n{one.output()}" for one in self.programs)
            raise PageError(f"{block}: ended with {done.returncode}:\n{done.stdout}{others}")

    def run_python(self, block: Block) -> None:
        with redirect_stdout(StringIO()) as out:
            try:
                exec(block.marks.get("first", ""), self.names)
                exec(compile("\n" * block.line + block.text, str(block.page), "exec"), self.names)
            except Exception as error:
                raise PageError(f"{block}: {traceback.format_exc()}") from error
        self.printed = out.getvalue()
        print(self.printed)

    def compare(self, block: Block) -> None:
        """Each line of the block in what was printed, in order, whatever spaces are, and numbers if not exact."""
        assert block.marks["output"] in {"", "exact"}, block
        plain = _spaced if block.marks["output"] else _numberless
        waiting = [plain(line) for line in self.printed.splitlines()]
        for line in block.text.splitlines():
            wanted = plain(line)
            if not wanted or wanted == "...":
                continue
            if wanted not in waiting:
                raise PageError(f"{block}: {line!r} is not in what was printed:\n{self.printed}")
            waiting = waiting[waiting.index(wanted) + 1 :]

    def stop(self) -> None:
        while self.programs:
            self.programs.pop().stop()


def _spaced(line: str) -> str:
    return " ".join(line.split())


def _numberless(line: str) -> str:
    return re.sub(r"[-+]?\d[\d,.]*(e-?\d+)?", "#", _spaced(line))


def main() -> None:
    page, folder = sys.argv[1], Path(sys.argv[2])
    signal.signal(signal.SIGINT, signal.default_int_handler)  # programs inherit it where a shell has switched it off
    raise_loopback()
    make_sandbox(folder)
    os.chdir(folder)
    player = Player(folder)
    try:
        for block in blocks_of(page):
            if is_played(block):
                if missing(block):
                    print(f"=== {block} is left out: there is no {', '.join(missing(block))}")
                    continue
                start = time.monotonic()
                print(f"=== {block} {block.head}", flush=True)
                player.play(block)
                print(f"=== {time.monotonic() - start:.1f} s", flush=True)
        player.stop()
    except PageError as error:
        for program in player.programs:
            if program.process.poll() is None:
                os.killpg(program.process.pid, signal.SIGKILL)
        sys.exit(f"\n{error}")


def missing(block: Block) -> list[str]:
    """Programs that a block needs and the machine has not."""
    return [need for need in block.marks.get("needs", "").split() if shutil.which(need) is None]


def is_played(block: Block) -> bool:
    """Whether the player has something to do with a block."""
    from tests.docs.shown import reason_for

    if "played" in block.marks or "example" in block.marks or reason_for(block):
        return False
    return bool({"file", "output"} & block.marks.keys()) or block.language in {"sh", "python"}


if __name__ == "__main__":
    main()
