"""Starts a program and ends all that it has started, whatever becomes of those who wait for it. Linux only.

    python -I -S supervisor.py [--pipe FD] [--memory BYTES] [--folder DIR --disk BYTES] [--stop COMMAND] -- PROGRAM ...

It needs the standard library only, so that its own start is quick. The program runs in a session of its own, and dies
with the supervisor (parent-death signal). What the program leaves behind comes to the supervisor (subreaper), which
ends it, too: as the program ends, as a signal comes, as a limit is passed, and as the pipe is closed, which happens
however its other end dies. After that it runs the command that stops what is none of its descendants, as a container.
The exit status is that of the program; `MEMORY_STATUS` and `DISK_STATUS` say which limit was passed.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import select
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

MEMORY_STATUS, DISK_STATUS = 201, 202
"""Exit statuses of a program that was ended at a limit."""
_PR_SET_PDEATHSIG, _PR_SET_NAME, _PR_SET_CHILD_SUBREAPER = 1, 15, 36
_NAME = b"dorosim-guard"
"""By which supervisors know each other: what one watches is no matter of the limits of another one above it."""
_LOOK_S = 0.1
"""Time between two looks at what the program takes [s]."""
_STOP_LOOK_S = 0.01
_END_PATIENCE_S = 2.0
"""Time that programs have to end after SIGTERM [s]."""
_STOP_PATIENCE_S, _INNER_PATIENCE_S = 5.0, 6.0
"""Time for the command that stops a container, and that an inner supervisor has for its own beyond that above [s]."""


def control_process(option: int, value: int | bytes) -> None:
    """Call prctl.

    Raises:
        OSError: the system does not know the option.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(option, value, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "prctl")


def descendants() -> list[int]:
    """Process ids of all that this process, or one of these, has started, and that still run."""
    children: dict[int, list[int]] = {}
    for number, parent in _processes():
        children.setdefault(parent, []).append(number)
    found, open_ones = list[int](), [os.getpid()]
    while open_ones:
        more = children.get(open_ones.pop(), [])
        found += more
        open_ones += more
    return found


def watched_ones() -> list[int]:
    """The same, but for those that another supervisor watches, and in a short time however many processes there are."""
    if not _CHILDREN.exists():  # a kernel without these files
        return descendants()
    found, open_ones = list[int](), [os.getpid()]
    while open_ones:
        for one in _children(open_ones.pop()):
            found.append(one)
            if not _is_guard(one):
                open_ones.append(one)
    return found


_CHILDREN = Path(f"/proc/self/task/{os.getpid()}/children")


def _children(number: int) -> Iterator[int]:
    """Process ids of what a process has started."""
    with suppress(OSError):
        for task in os.listdir(f"/proc/{number}/task"):  # noqa: PTH208 - no Path for each of them
            with suppress(OSError):
                yield from map(int, Path(f"/proc/{number}/task/{task}/children").read_bytes().split())


def _processes() -> Iterator[tuple[int, int]]:
    """Ids of all processes with those of their parents."""
    for name in os.listdir("/proc"):  # noqa: PTH208 - no Path for each of them
        if name.isdigit():
            with suppress(OSError, ValueError, IndexError):
                text = Path(f"/proc/{name}/stat").read_text(encoding="ascii", errors="replace")
                state, parent = text.rpartition(")")[2].split()[:2]
                if state != "Z":
                    yield int(name), int(parent)


def memory_of(processes: Sequence[int]) -> int:
    """Memory that processes take alone, in sum [bytes]: pages that are shared with files do not count."""
    pages = 0
    for one in processes:
        with suppress(OSError, ValueError, IndexError):
            resident, shared = Path(f"/proc/{one}/statm").read_text(encoding="ascii").split()[1:3]
            pages += int(resident) - int(shared)
    return pages * os.sysconf("SC_PAGE_SIZE")


def size_of(folder: Path) -> int:
    """What the files of a folder take [bytes]."""
    total = 0
    for at, _, names in os.walk(folder):
        for name in names:
            with suppress(OSError):
                total += (Path(at) / name).lstat().st_blocks * 512
    return total


def end_descendants(patience: float = _END_PATIENCE_S) -> None:
    """End all that this process has started: by SIGTERM, and by SIGKILL those that are still there after a while.

    What another supervisor watches is left to it. Supervisors have more time than others: they may stop containers.
    """
    end = time.monotonic() + patience
    last = end + _INNER_PATIENCE_S
    asked: set[int] = set()
    while left := descendants():
        now = time.monotonic()
        for one in left if now >= last else watched_ones():
            late = now >= (last if _is_guard(one) else end)
            if late or one not in asked:
                asked.add(one)
                with suppress(ProcessLookupError, PermissionError):
                    os.kill(one, signal.SIGKILL if late else signal.SIGTERM)
        _reap()
        time.sleep(0.01)
    _reap()


def _is_guard(number: int) -> bool:
    """Whether a process is a supervisor."""
    try:
        return Path(f"/proc/{number}/comm").read_bytes().strip() == _NAME
    except OSError:
        return False


def _reap(main: int = 0) -> int | None:
    """Take the exit status of all that has ended. Returns that of `main`, None while it runs."""
    found = None
    with suppress(ChildProcessError):
        while True:
            number, status = os.waitpid(-1, os.WNOHANG)
            if not number:
                break
            if number == main:
                code = os.waitstatus_to_exitcode(status)
                found = code if code >= 0 else 128 - code
    return found


class Supervisor:
    """Watches a program.

    Args:
        main: its process. pipe: file descriptor whose end of file ends the program, -1 for none.
        memory: that it and its descendants may take [bytes], but for those that another supervisor watches; 0 for any.
        folder: in which it writes, and disk: what it may write there [bytes], 0 for any.
        stop: a command for the end, "" for none.
    """

    def __init__(self, main: int, pipe: int, memory: int, folder: Path | None, disk: int, stop: str = "") -> None:
        self._main, self._pipe, self._memory, self._folder, self._disk = main, pipe, memory, folder, disk
        self._stop, self._asked = stop, False

    def ask(self, *_: object) -> None:
        """Take the signal to end."""
        self._asked = True

    def watch(self) -> int:
        """Wait for the end. Returns the exit status; nothing that the program has started runs then."""
        status = None
        while status is None and not self._asked:
            if self._pipe >= 0:
                ready, _, _ = select.select([self._pipe], [], [], _LOOK_S)
                if ready and not os.read(self._pipe, 4096):
                    break
            else:
                time.sleep(_LOOK_S)
            status = _reap(self._main)
            if status is None:
                status = self._beyond()
        end_descendants()
        self._run_stop()
        return 128 + signal.SIGTERM if status is None else status

    def _run_stop(self) -> None:
        """Run the command for the end, for a while at most; it fails where its container has gone already."""
        if not self._stop:
            return
        import shlex  # takes some milliseconds, which most supervisors do without

        end = time.monotonic() + _STOP_PATIENCE_S
        child = _start(shlex.split(self._stop), self._pipe)
        while _reap(child) is None and time.monotonic() < end:
            time.sleep(_STOP_LOOK_S)
        end_descendants(0.0)

    def _beyond(self) -> int | None:
        """The exit status for a limit that is passed, None for none."""
        if self._memory and memory_of(watched_ones()) > self._memory:
            return MEMORY_STATUS
        if self._disk and self._folder is not None and size_of(self._folder) > self._disk:
            return DISK_STATUS
        return None


def _start(words: Sequence[str], pipe: int) -> int:
    """Start the program. Returns its process id."""
    parent = os.getpid()
    child = os.fork()
    if child:
        return child
    try:
        os.setsid()
        control_process(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:  # it died before the signal was set
            os._exit(128 + signal.SIGKILL)
        if pipe == 0:
            nothing = os.open(os.devnull, os.O_RDONLY)
            os.dup2(nothing, 0)
        elif pipe > 0:
            os.close(pipe)
        os.execvp(words[0], list(words))
    except OSError as error:
        os.write(2, f"{words[0]}: {error.strerror}\n".encode())
    os._exit(127)


def main(arguments: Sequence[str]) -> int:
    """Supervise a program. Returns the exit status."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--pipe", type=int, default=-1)
    parser.add_argument("--memory", type=int, default=0)
    parser.add_argument("--disk", type=int, default=0)
    parser.add_argument("--folder", type=Path, default=None)
    parser.add_argument("--stop", default="")
    parser.add_argument("words", nargs="+")
    given = parser.parse_args(arguments)
    control_process(_PR_SET_CHILD_SUBREAPER, 1)
    child = _start(given.words, given.pipe)
    control_process(_PR_SET_NAME, _NAME)  # not before: the program would have it
    watched = Supervisor(child, given.pipe, given.memory, given.folder, given.disk, given.stop)
    for sign in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(sign, watched.ask)
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1):  # else pipes of the program would stay open with its end
        if number != given.pipe:
            os.dup2(nothing, number)
    return watched.watch()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
