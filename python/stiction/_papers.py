"""The papers' cases, and the numbers that they print."""

from __future__ import annotations

import difflib
from typing import Any, NamedTuple

from . import _core
from ._parts import made
from ._scenario import Scenario


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


def _case(paper: str, figure: str, name: str, text: str, printed: list[tuple[str, float, float]]) -> Case:
    model: Any
    if _core.is_patch(text):
        model = made("patch", _core.read_patch(name, text, [])[1])
    else:
        model = Scenario._of(_core.Study.read(name, text, []))
    return Case(paper, figure, name, model, {fact: Printed(value, allows) for fact, value, allows in printed})
