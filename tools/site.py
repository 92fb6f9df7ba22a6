"""What mkdocs asks while it builds the site of the documentation (`hooks` in mkdocs.yml).

The pages are written to be read in the repository, too: their links are relative paths to files of it. Two things come
of that. The navigation is that of `docs/index.md`: a heading is a section, a link below it a page.
And files outside of `docs/` that pages link to (README.md, examples) become pages below `project/`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath
from typing import Any

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File

LINK = re.compile(r"(!?\[[^\]]*\]\()([^)\s#]+)(#[^)\s]*)?\)")
"""A link or picture of Markdown: what stands before its target, the target, its anchor."""
LANGUAGES = {".py": "python", ".toml": "toml", ".yml": "yaml", ".yaml": "yaml", ".json": "json", ".csv": "text"}
OUTSIDE = "project"


def on_config(config: Any) -> Any:
    """Make the navigation of the links in `docs/index.md`, and refuse pages that it does not lead to."""
    docs = Path(config.docs_dir)
    config.nav = navigation((docs / "index.md").read_text(encoding="utf-8"), docs)
    reached = set(_leaves(config.nav))
    missing = [page for page in _pages(docs) if page not in reached]
    if missing:
        raise PluginError(f"docs/index.md leads to no {', '.join(missing)}; give each a line there")
    return config


def on_files(files: Any, config: Any) -> Any:
    """Add what pages link to outside of `docs/`, and what that links to in turn."""
    docs = Path(config.docs_dir)
    root = docs.parent
    waiting = [PurePosixPath("docs", page) for page in _pages(docs)]
    seen = set(waiting)
    while waiting:
        path = waiting.pop()
        for target in _targets(_text(root / path, path), path):
            real = root / target
            if target in seen or target.parts[0] == "docs" or not real.exists() or not real.is_relative_to(root):
                continue
            seen.add(target)
            files.append(File.generated(config, site_path(target, root), content=_text(real, target)))
            if target.suffix == ".md" or real.is_dir():
                waiting.append(target)
    decisions = docs / "decisions"
    files.append(File.generated(config, "decisions/index.md", content=_listing(decisions, "Decisions")))
    return files


def on_page_markdown(markdown: str, *, page: Any, config: Any, **_: Any) -> str:
    """Turn links to files of the repository into links to pages of the site."""
    root = Path(config.docs_dir).parent
    source = repository_path(page.file.src_uri)
    if source.suffix not in {".md", ""}:
        return markdown  # the text of a program

    def relinked(target: str) -> str:
        if "://" in target or target.startswith("mailto:"):
            return target
        path = PurePosixPath(os.path.normpath(source.parent / target))
        return os.path.relpath(site_path(path, root), PurePosixPath(page.file.src_uri).parent)

    return rewritten(markdown, relinked)


def navigation(index: str, docs: Path) -> list[dict[str, Any]]:
    """Sections with their pages, of the index page; headings of the third level are parts of them, folders, too."""
    found: list[dict[str, Any]] = [{"Home": "index.md"}]
    pages: list[Any] = []  # of the section, or part of a section, that the lines are in
    for line in index.splitlines():
        mark, _, title = line.partition(" ")
        if mark == "##":
            pages = []
            found.append({title.strip(): pages})
        elif mark == "###":
            (section,) = found[-1].values()
            pages = []
            section.append({title.strip(): pages})
        elif len(found) > 1:
            pages += [_entry(match, docs) for match in LINK.finditer(line) if _is_page(match[2])]
    return found


def _is_page(target: str) -> bool:
    """Whether a link leads to a page of the site; notebooks are files that it brings along."""
    return "://" not in target and not target.endswith(".ipynb")


def _entry(link: re.Match[str], docs: Path) -> dict[str, Any]:
    path = PurePosixPath(os.path.normpath(PurePosixPath("docs") / link[2]))
    title, target = link[1].strip("[(]"), site_path(path, docs.parent)
    if not (docs.parent / path).is_dir():
        return {title: target}
    inside = sorted((docs.parent / path).glob("*.md"))
    return {title: [target, *(f"{path.name}/{one.name}" for one in inside)]}


def site_path(path: PurePosixPath, root: Path) -> str:
    """Where a file or folder of the repository stands among the site's sources."""
    folder = (root / path).is_dir()
    if path.parts and path.parts[0] == "docs":
        inside = PurePosixPath(*path.parts[1:])
        return str(inside / "index.md") if folder else str(inside)
    outside = PurePosixPath(OUTSIDE) / path
    if folder:
        return str(outside / "index.md")
    return str(outside) if path.suffix == ".md" else f"{outside}.md"


def repository_path(source: str) -> PurePosixPath:
    """The file of the repository that stands there among the site's sources; for a listing, its folder's index."""
    path = PurePosixPath(source)
    if path.parts[0] != OUTSIDE:
        return PurePosixPath("docs") / path
    inside = PurePosixPath(*path.parts[1:])
    return inside.with_suffix("") if inside.with_suffix("").suffix else inside


def rewritten(markdown: str, change: Callable[[str], str]) -> str:
    """The text with the targets of its links changed, except in blocks of code."""
    chunks, fence = [""], ""  # of text and of code, in turns
    for line in markdown.splitlines(keepends=True):
        mark = re.match(r"\s*(`{3,}|~{3,})", line)
        inside = fence
        if mark:
            fence = "" if mark[1] == fence else fence or mark[1]
        if bool(inside or fence) != (len(chunks) % 2 == 0):
            chunks.append("")
        chunks[-1] += line
    for index in range(0, len(chunks), 2):
        chunks[index] = LINK.sub(lambda one: f"{one[1]}{change(one[2])}{one[3] or ''})", chunks[index])
    return "".join(chunks)


def _targets(markdown: str, source: PurePosixPath) -> list[PurePosixPath]:
    folder = source.parent if source.suffix else source
    found: list[PurePosixPath] = []

    def note(target: str) -> str:
        if "://" not in target:
            found.append(PurePosixPath(os.path.normpath(folder / target)))
        return target

    rewritten(markdown, note)
    return found


def _pages(docs: Path) -> list[str]:
    return sorted(path.relative_to(docs).as_posix() for path in docs.rglob("*.md"))


def _leaves(nav: Any) -> Iterator[str]:
    if isinstance(nav, str):
        yield nav
        return
    for one in nav.values() if isinstance(nav, dict) else nav:
        yield from _leaves(one)


def _text(real: Path, target: PurePosixPath) -> str:
    if real.is_dir():
        return _listing(real, str(target))
    text = real.read_text(encoding="utf-8")
    if target.suffix == ".md":
        return text
    return f"# {target}\n\n````{LANGUAGES.get(target.suffix, 'text')}\n{text.rstrip()}\n````\n"


def _listing(folder: Path, title: str) -> str:
    """A page of links to the files of a folder, each by its first heading or its name."""
    lines = [f"# {title}\n\n"]
    for path in sorted(folder.iterdir()):
        if path.is_file():
            head = path.read_text(encoding="utf-8").partition("\n")[0]
            lines.append(f"- [{head[2:] if path.suffix == '.md' else path.name}]({path.name})\n")
    return "".join(lines)
