"""The form of the sources: sizes of files and functions, equal blocks, constants of one name; and of the tests."""

from __future__ import annotations

import ast
import re
import statistics
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from tests.source import ROOT, assignments, sources, texts, tree

MAX_FILE, MAX_FUNCTION, MAX_MEDIAN_FILE = 400, 60, 115
"""Lines; of a function those without its docstring."""

BLOCK = 8
"""Lines of code, without comments, docstrings, imports and blank lines, that may not be in two places."""

EQUAL_BLOCKS: dict[tuple[str, ...], str] = {
    ("testing/scenario.py",): "two calls of users with the same typed arguments",
}
"""Files that have an equal block of that many lines or more, and why."""

SHARED = """
AZIMUTHS DEFAULT_RATE_HZ DISTANCE_STEP FAILURE FOREVER FRAME HURRIED LAST_PORT MAX_ACTIVE_CALLS MAX_CALLERS
MAX_EGOS MAX_IMAGE_SIDE MAX_LIST_LENGTH MILLISECOND NANOSECONDS ROS SECOND SIMD_WIDTH SUCCESS UDP
"""
"""Public constants with one name and one value in several modules."""

OLD_STYLE = re.compile(r"_?(?:MOST|LEAST|LONGEST|FARTHEST|SHORTEST|PATIENCE|REACH)(?:_|$)")


def functions(module: ast.Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(module):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def docstring_lines(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    first = node.body[0]
    return first.end_lineno - first.lineno + 1 if ast.get_docstring(node) is not None else 0


def test_files_are_short():
    lines = {name: text.count("\n") for name, text in sources().items()}
    assert {name for name, count in lines.items() if count > MAX_FILE} == set()
    assert statistics.median(lines.values()) <= MAX_MEDIAN_FILE


def test_functions_are_short():
    long = {
        f"{name} {node.name}"
        for name in sources()
        for node in functions(tree(name))
        if (node.end_lineno or 0) - node.lineno + 1 - docstring_lines(node) > MAX_FUNCTION
    }
    assert long == set()


def code_lines(name: str) -> list[str]:
    """The lines of a module without indent, blank lines, comments, docstrings and imports."""
    left_out: set[int] = set()
    imports = (node for node in ast.walk(tree(name)) if isinstance(node, ast.Import | ast.ImportFrom))
    for node in (*texts(tree(name)), *imports):
        left_out.update(range(node.lineno, (node.end_lineno or 0) + 1))
    stripped = ((number, line.strip()) for number, line in enumerate(sources()[name].splitlines(), 1))
    return [line for number, line in stripped if number not in left_out and line and not line.startswith("#")]


def test_no_block_is_in_two_places():
    """A list in the tests names those that are, with a reason."""
    places: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
    for name in sources():
        lines = code_lines(name)
        for first in range(len(lines) - BLOCK + 1):
            places[tuple(lines[first : first + BLOCK])].append(name)
    equal = {tuple(sorted(set(names))): block for block, names in places.items() if len(names) > 1}
    assert {names: block for names, block in equal.items() if names not in EQUAL_BLOCKS} == {}
    assert set(EQUAL_BLOCKS) <= set(equal), "take out exceptions that are no longer needed"


def number_of(value: ast.expr, known: dict[str, Any]) -> float | None:
    """The value of an expression of numbers and of constants before it; None for anything else."""
    try:
        found = eval(compile(ast.Expression(value), "", "eval"), {"__builtins__": {}}, dict(known))
    except Exception:
        return None
    return found if isinstance(found, int | float) and not isinstance(found, bool) else None


def constants() -> dict[str, dict[str, float]]:
    """Name to module to value, of all public constants of modules that are numbers."""
    found: defaultdict[str, dict[str, float]] = defaultdict(dict)
    for module in sources():
        known: dict[str, Any] = {}
        for name, value in assignments(tree(module)):
            number = number_of(value, known) if re.fullmatch(r"_?[A-Z][A-Z0-9_]*", name) else None
            if number is not None:
                known[name] = number
                if not name.startswith("_"):
                    found[name][module] = number
    return found


def test_a_constant_of_one_name_has_one_value():
    """A list in the tests names those that are defined twice."""
    several = {name: values for name, values in constants().items() if len(values) > 1}
    assert {name: values for name, values in several.items() if len(set(values.values())) > 1} == {}
    shared = set(SHARED.split())
    assert several.keys() == shared, {name: several[name] for name in several.keys() - shared}


def test_limits_have_the_names_of_the_field():
    found = {
        module: sorted(name for name, _ in assignments(tree(module)) if OLD_STYLE.match(name)) for module in sources()
    }
    assert {module: names for module, names in found.items() if names} == {}


MAX_SLEEP = 0.05
"""Seconds: a test that sleeps for longer at a time does not look for an event meanwhile."""

SLEEPS = {
    "browser/test_page.py": "a picture that stays the same, and a click that does nothing, show no event",
    "system/test_grpc_run.py": "no answer shows that the call of another client has arrived and waits",
    "system/test_watchdog.py": "a client commands all the time and then falls silent, in the time of a real program",
    "system/test_sensor_example.py": "the example prints nothing until its end, and datagrams may be on their way",
}
"""Files of tests that sleep for longer, and why."""


def modules_of_tests() -> Iterator[tuple[str, ast.Module]]:
    """Path below the tests, and syntax tree, of each of their modules."""
    for path in sorted((ROOT / "tests").rglob("*.py")):
        yield path.relative_to(ROOT / "tests").as_posix(), ast.parse(path.read_text(encoding="utf-8"))


def sleeps(module: ast.Module) -> Iterator[ast.Call]:
    """Calls that sleep for a fixed time of `MAX_SLEEP` or more, outside tests that are marked `soak`."""
    for node in ast.iter_child_nodes(module):
        if isinstance(node, ast.FunctionDef) and any("mark.soak" in ast.unparse(one) for one in node.decorator_list):
            continue
        for call in ast.walk(node):
            match call:
                case ast.Call(
                    func=ast.Name(id="sleep") | ast.Attribute(attr="sleep"),
                    args=[ast.Constant(value=float() | int() as seconds)],
                ) if seconds >= MAX_SLEEP:
                    yield call


def test_tests_wait_for_events():
    assert {name for name, module in modules_of_tests() if any(sleeps(module))} == set(SLEEPS)


def imports(module: ast.Module) -> Iterator[tuple[str, str]]:
    """The module and the name of each `from ... import ...`."""
    for node in ast.walk(module):
        if isinstance(node, ast.ImportFrom):
            yield from ((node.module or "", one.name) for one in node.names)


def test_tests_import_public_names_and_no_other_test():
    ours = ("dorosim", "tools", "tests")
    found = [
        f"{name}: {source} {what}"
        for name, module in modules_of_tests()
        for source, what in imports(module)
        if source.partition(".")[0] in ours
        and any(re.match(r"test_|_(?!_)", part) for part in (*source.split(".")[1:], what))
    ]
    assert found == []
