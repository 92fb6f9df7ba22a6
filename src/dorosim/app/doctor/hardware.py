"""Checks of the machine: processors, memory, what else it does."""

from __future__ import annotations

import os
import platform
import re
import time
from pathlib import Path

from dorosim.app.doctor.finding import Findings, note, note_if, ok, problem
from dorosim.app.setting.choice import Base
from dorosim.ground.cores import usable_cores

SIMD = (
    ("avx512f", "AVX-512"),
    ("avx2", "AVX2"),
    ("avx", "AVX"),
    ("sse4.2", "SSE4.2"),
    ("sve", "SVE"),
    ("neon", "NEON"),
)
"""Vector units by the names of LLVM, the widest first."""
WIDE = ("AVX-512", "AVX2", "SVE", "NEON")
RECOMMENDED_MEMORY_MIB, MIN_MEMORY_MIB = 1024, 400
"""Memory that is free [MiB]: a run with traffic and sensors needs the first, one with an ego vehicle the second."""
LOAD_WINDOW_S = 0.2
"""Wall time over which the processors are watched [s]."""
MAX_STEAL = 0.05


def check_processors(_: Base) -> Findings:
    """The processors that this process may use: how many there are, and their model."""
    count, there = usable_cores(), os.cpu_count() or 1
    text = f"{count} of {there} processors" if count < there else f"{count} processors"
    model = re.search(r"^model name\s*: (.+)$", _read("/proc/cpuinfo"), re.MULTILINE)
    text += f", {model[1].strip()}" if model else f", {platform.processor() or platform.machine()}"
    yield note_if(count < 2, "processors", text, "give it two: sensors, gRPC and ROS work beside the loop")
    quota = _quota()
    if quota is not None and quota < count:
        cure = "raise the limit of the container, or expect ticks that are late"
        yield note("processor quota", f"a container allows {quota:g} of {count} processors", cure)


def _quota() -> float | None:
    """Processors that a control group allows, None for any number."""
    limit = _read("/sys/fs/cgroup/cpu.max").split()
    return int(limit[0]) / int(limit[1]) if len(limit) == 2 and limit[0].isdigit() else None


def check_simd(_: Base) -> Findings:
    """The vector units for which the kernels are compiled."""
    from llvmlite import binding

    features = binding.get_host_cpu_features()
    unit = next((name for key, name in SIMD if features.get(key)), "no vector unit that is known")
    text = f"kernels are compiled for {binding.get_host_cpu_name()} with {unit}"
    yield note_if(unit not in WIDE, "vector unit", text, "cameras and lidars are slower than they could be here")


def check_frequency(_: Base) -> Findings:
    """What the system does to save power."""
    governor = _read("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor").strip()
    if governor == "powersave" and not _read("/sys/devices/system/cpu/intel_pstate/status").startswith("active"):
        cure = "for steady ticks: cpupower frequency-set -g performance"
        yield note("frequency", "the governor is powersave: ticks may be late after a pause", cure)
    else:
        yield ok("frequency", f"the governor is {governor}" if governor else "the system names no governor")


def check_load(_: Base) -> Findings:
    """What else the processors do."""
    before = _ticks()
    time.sleep(LOAD_WINDOW_S)
    after = _ticks()
    total = sum(after) - sum(before)
    if len(after) > 7 and total > 0:
        steal, idle = (after[7] - before[7]) / total, (after[3] - before[3]) / total
        if steal > MAX_STEAL:
            cure = "use a machine of its own for runs that must keep real time"
            yield note("steal", f"other virtual machines take {steal:.0%} of the processors' time", cure)
        text = f"{1.0 - idle:.0%} of the processors' time is in use"
        busy = idle * usable_cores() < 1.0
        yield note_if(busy, "load", text, "end what else runs if a run must keep real time")
    elif hasattr(os, "getloadavg"):
        yield ok("load", f"{os.getloadavg()[0]:.1f} programs run at a time")


def _ticks() -> list[int]:
    line = next((one for one in _read("/proc/stat").splitlines() if one.startswith("cpu ")), "")
    return [int(part) for part in line.split()[1:9]]


def check_memory(_: Base) -> Findings:
    """Memory that is free."""
    found = re.search(r"^MemAvailable:\s+(\d+) kB$", _read("/proc/meminfo"), re.MULTILINE)
    if not found:
        yield ok("memory", "the system does not show how much is free")
        return
    free = int(found[1]) // 1024
    limit = _read("/sys/fs/cgroup/memory.max").strip()
    used = _read("/sys/fs/cgroup/memory.current").strip()
    if limit.isdigit() and used.isdigit():
        # the memory in use counts the cached parts of files, too; the system frees those that no process needs just now
        cached = re.search(r"^inactive_file (\d+)$", _read("/sys/fs/cgroup/memory.stat"), re.MULTILINE)
        free = min(free, (int(limit) - int(used) + (int(cached[1]) if cached else 0)) >> 20)
    text = f"{free:,} MiB free"
    if free < MIN_MEMORY_MIB:
        yield problem("memory", text, f"a run needs {MIN_MEMORY_MIB} MiB")
    else:
        cure = f"a run with traffic and sensors needs {RECOMMENDED_MEMORY_MIB} MiB"
        yield note_if(free < RECOMMENDED_MEMORY_MIB, "memory", text, cure)


def _read(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
