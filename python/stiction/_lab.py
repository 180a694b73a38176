"""The lab: a page with the core inside it, in a notebook, a file or the browser."""

from __future__ import annotations

import html
import os
import tempfile
import webbrowser
from pathlib import Path
from typing import Any

from . import _core
from ._scenario import _scenario

HEIGHT = 900
"""Height of the page in a notebook, in pixels."""


class Lab:
    """The page of the lab. A notebook shows it; elsewhere `save` writes it and `open` shows it in the browser."""

    def __init__(self, page: str, height: int) -> None:
        self._page = page
        self._height = height

    @property
    def page(self) -> str:
        """The page as HTML; it needs nothing else."""
        return self._page

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Writes the page to a file, and gives its path."""
        target = Path(path)
        target.write_text(self._page, encoding="utf-8")
        return target

    def open(self) -> Path:
        """Writes the page to a temporary file and opens it in the browser."""
        path = self.save(Path(tempfile.mkdtemp(prefix="stiction-lab-")) / "lab.html")
        webbrowser.open(path.as_uri())
        return path

    def _repr_html_(self) -> str:
        style = f"width:100%;height:{self._height}px;border:0"
        return f'<iframe title="stiction lab" style="{style}" srcdoc="{html.escape(self._page)}"></iframe>'

    def __repr__(self) -> str:
        return f"Lab({len(self._page)} letters; .open() shows it in the browser, .save(path) keeps it)"


def lab(scenario: Any = None, *, height: int = HEIGHT) -> Lab:
    """The page on which a scenario can be played with: sliders, motion, plots, computed inside the page.

    `scenario` is what `run` takes; without one the page opens with an example. A notebook shows the page as the value of a
    cell; `stiction.lab("examples/stick_slip.toml").open()` opens the browser.
    """
    if scenario is None:
        return Lab(_core.lab_page("", None), height)
    checked = _scenario(scenario)
    if isinstance(scenario, (str, os.PathLike)):
        # as written, with its comments
        return Lab(_core.lab_page(os.fspath(scenario), Path(scenario).read_text(encoding="utf-8")), height)
    return Lab(_core.lab_page("Python", checked.to_toml()), height)
