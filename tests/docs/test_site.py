"""The site of the documentation: it builds without a warning, leads everywhere, and fetches nothing from elsewhere."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.docs.block import ROOT

pytest.importorskip("mkdocs", reason="mkdocs is not installed (extra docs)")
pytest.importorskip("material", reason="mkdocs-material is not installed (extra docs)")


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)],
        cwd=ROOT,
        env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return folder


class Fetched(HTMLParser):
    """What a browser fetches for a page, and where its links lead."""

    def __init__(self) -> None:
        super().__init__()
        self.fetched: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attributes) -> None:
        told = dict(attributes)
        if tag in {"script", "img", "iframe", "source", "video"} and told.get("src"):
            self.fetched.append(told["src"])
        if tag == "link" and told.get("href"):
            self.fetched.append(told["href"])
        if tag == "a" and told.get("href"):
            self.links.append(told["href"])


def read(page: Path) -> Fetched:
    found = Fetched()
    found.feed(page.read_text(encoding="utf-8"))
    return found


def test_a_page_fetches_nothing_from_elsewhere(site):
    pages = sorted(site.rglob("*.html"))
    assert len(pages) > 60
    for page in pages:
        for target in read(page).fetched:
            assert not re.match(r"(https?:)?//", target), f"{page}: {target}"
    for style in site.rglob("*.css"):
        assert not re.search(r"(@import|url\()\s*['\"]?(https?:)?//", style.read_text(encoding="utf-8")), style


def test_every_link_leads_to_a_file(site):
    for page in sorted(site.rglob("*.html")):
        for link in read(page).links:
            target = link.partition("#")[0]
            if target and not re.match(r"[a-z]+:", target) and page.name != "404.html":
                assert (page.parent / target).resolve().is_file(), f"{page.relative_to(site)}: {link}"


def test_the_navigation_has_every_page(site):
    home = read(site / "index.html").links
    for page in (ROOT / "docs").rglob("*.md"):
        path = page.relative_to(ROOT / "docs").with_suffix(".html").as_posix()
        assert path in home or path.startswith("decisions/") or path == "index.html", path
    assert "project/ARCHITECTURE.html" in home
    assert (site / "project" / "examples" / "sensor_listen.py.html").is_file(), "pages link to it"


def test_the_search_finds_words_of_the_pages(site):
    index = (site / "search" / "search_index.json").read_text(encoding="utf-8")
    assert "EgoVehicleStatus" in index
    assert "lockstep" in index
