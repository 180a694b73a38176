"""The papers' cases, and the numbers that they print."""

from __future__ import annotations

import difflib
import os
from pathlib import Path
from typing import Any, NamedTuple

from . import _core
from ._outcome import DPI
from ._parts import made
from ._scenario import Progress, Scenario, _callable, _limit, _write


class Printed(NamedTuple):
    """A number as a paper prints it."""

    value: float
    """The printed value, in the unit of the fact."""
    allows: float
    """Half a unit of its last digit."""


class Case(NamedTuple):
    """One case of a paper."""

    paper: str
    """paper-a to paper-e."""
    figure: str
    """The figure that it belongs to."""
    name: str
    """Name of its file."""
    model: Any
    """A Scenario, or the patch of papers C and D."""
    printed: dict[str, Printed]
    """The facts that the paper prints."""


def papers(paper: str | None = None) -> list[Case]:
    """The cases of the five papers, as `stiction reproduce` runs them.

    Parameters
    ----------
    paper : str, optional
        paper-a to paper-e; all if absent.

    Examples
    --------
    >>> case = papers("paper-b")[1]
    >>> facts = case.model.run().facts
    >>> all(abs(facts[name] - value) <= allows * (1 + 1e-9) for name, (value, allows) in case.printed.items())
    True
    """
    rows = _core.papers()
    known = sorted({row[0] for row in rows})
    if paper is not None and paper not in known:
        close = difflib.get_close_matches(str(paper), known, 1)
        raise ValueError(f"no paper is called {paper}\nhint: {f'did you mean {close[0]}?' if close else ', '.join(known)}")
    return [_case(*row) for row in rows if paper in (None, row[0])]


class Check(NamedTuple):
    """What a paper states, as it should be and as it is found."""

    name: str
    """What is stated."""
    printed: float | None
    """The value that the paper prints, if it prints one."""
    expected: float
    """The value that it should have."""
    found: float
    """The value found."""
    agrees: bool
    """Whether the two are the same."""


class Report:
    """A part of the report on a paper: `print` it for the text of `stiction reproduce`.

    Attributes
    ----------
    name : str
        Paper and figure, such as "paper-b fig-2".
    title : str
        What it shows.
    checks : list of Check
        What the paper states, beside what was found.
    figures : list of str
        Names of the figures, for `svg` and `save`.
    """

    def __init__(self, native: _core.Section) -> None:
        self._native = native
        self.name: str = native.name
        self.title: str = native.title
        self.checks = [Check(*row) for row in native.checks()]
        self.figures: list[str] = native.figures()

    def svg(self, figure: str) -> str:
        """A figure as SVG."""
        return self._native.svg(figure)

    def save(self, figure: str, path: str | os.PathLike[str]) -> None:
        """Writes a figure: .svg or .png."""
        ending = Path(path).suffix.lower()
        if ending not in (".svg", ".png"):
            raise ValueError(f"{os.fspath(path)} ends in {ending or 'nothing'}\nhint: .svg or .png")
        _write(path, self._native.svg(figure).encode() if ending == ".svg" else self._native.png(figure, DPI))

    def __repr__(self) -> str:
        return self._native.text()


def reproduce(
    paper: str | None = None,
    figure: str | None = None,
    progress: Progress | None = None,
    *,
    max_time: float | None = None,
) -> list[Report]:
    """Computes the papers' figures and printed numbers again, as `stiction reproduce` does.

    Parameters
    ----------
    paper : str, optional
        paper-a to paper-e; all if absent.
    figure : str, optional
        One figure of the paper.
    progress : callable, optional
        Called with the fraction done, some twenty times a second, and with 1.0 at the end.
    max_time : float, optional
        Stop after this time (s).

    Examples
    --------
    >>> (report,) = reproduce("paper-b", "fig-2")
    >>> all(check.agrees for check in report.checks), report.checks[0].printed
    (True, 19.5902)
    """
    limits = (_callable(progress), _limit(max_time, "max_time", "s"))
    return [Report(section) for section in _core.reproduce(paper, figure, *limits)]


def _case(paper: str, figure: str, name: str, text: str, printed: list[tuple[str, float, float]]) -> Case:
    model: Any
    if _core.is_patch(text):
        model = made("patch", _core.read_patch(name, text, [])[1])
    else:
        model = Scenario._of(_core.Study.read(name, text, []))
    return Case(paper, figure, name, model, {fact: Printed(value, allows) for fact, value, allows in printed})
