"""What a run leaves behind."""

from __future__ import annotations

import difflib
import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from . import _core


CRITERION, TOLERANCE, DPI, SURFACE = _core.defaults()
"""Defaults that all front ends share."""


class Event(NamedTuple):
    """What happens to a contact at one instant."""

    t: float
    """Time (s)."""
    contact: int
    """The contact, from 0."""
    kind: str
    """stick, slip, reverse or corner."""


class Table(Mapping[str, NDArray[Any]]):
    """Named columns with units."""

    def __init__(self, columns: Mapping[str, NDArray[Any]], units: Mapping[str, str]) -> None:
        self._columns = dict(columns)
        self._units = dict(units)

    def __getitem__(self, name: str) -> NDArray[Any]:
        try:
            return self._columns[name]
        except KeyError:
            raise KeyError(_unknown("column", name, self._columns)) from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    @property
    def units(self) -> dict[str, str]:
        """SI unit of every column and fact; "-" for a pure number."""
        return dict(self._units)

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other) or not isinstance(other, Table):
            return False
        return list(self) == list(other) and all(_same(self[name], other[name]) for name in self)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return _text(self)

    def to_pandas(self) -> Any:
        """The columns as a pandas.DataFrame; units in its `attrs["units"]`."""
        pandas = _imported("pandas")
        frame = pandas.DataFrame({name: np.asarray(column) for name, column in self._columns.items()})
        frame.attrs["units"] = {name: self._units.get(name, "-") for name in self._columns}
        return frame

    def to_arrow(self) -> Any:
        """The columns as a pyarrow.Table; units in the metadata of its fields."""
        pyarrow = _imported("pyarrow")
        arrays = [pyarrow.array(column) for column in self._columns.values()]
        fields = [
            pyarrow.field(name, array.type, metadata={"unit": self._units.get(name, "-")})
            for name, array in zip(self._columns, arrays)
        ]
        return pyarrow.Table.from_arrays(arrays, schema=pyarrow.schema(fields))


class Facts(dict[str, float]):
    """Numbers that a run found, by name; `describe` says what they mean."""

    def __init__(self, rows: Iterable[tuple[str, float, str, str, str]] = ()) -> None:
        rows = list(rows)
        super().__init__({name: value for name, value, *_ in rows})
        self._meanings = {name: (unit, symbol, meaning) for name, _, unit, symbol, meaning in rows}

    def __missing__(self, name: str) -> float:
        raise KeyError(_unknown("fact", name, self))

    @property
    def units(self) -> dict[str, str]:
        """SI unit of every fact; "-" for a pure number."""
        return {name: unit for name, (unit, *_) in self._meanings.items()}

    def describe(self, name: str | None = None) -> str:
        """What a fact means, or all of them: name, unit and a sentence for each.

        >>> facts = run("examples/stick_slip.toml").facts
        >>> print(facts.describe("stick_fraction"))
        stick_fraction (-): Share of the window in which a contact sticks; absent if its law does not say what stick is, as rate-and-state friction, which creeps under any load.
        """
        if name is not None:
            self[name]
        named = [name] if name is not None else list(self)
        return "\n".join(f"{one} ({self._meanings[one][0]}): {self._meanings[one][2]}" for one in named)

    def __reduce__(self) -> tuple[Any, ...]:
        return Facts, ([(name, self[name], *self._meanings[name]) for name in self],)


class Warned(NamedTuple):
    """What a run says against its own result."""

    name: str
    """What it is about, such as energy-residual."""
    message: str
    """What is, with numbers."""
    hint: str | None
    """The way out."""
    is_failure: bool
    """Whether the result is not what was asked for: the command line then ends with exit code 1."""


class StictionWarning(UserWarning):
    """A result that is not what was asked for, or not as accurate; `outcome.warnings` lists them."""


class Outcome(Table):
    """What a run found: `outcome["position"]` is a column, `outcome.facts["work_in"]` a number. Columns cannot be written to.

    Attributes
    ----------
    title : str
        The scenario's title.
    facts : Facts
        Numbers by name; `facts.describe()` says what they mean.
    units : dict
        SI unit of every column and fact; "-" for a pure number.
    symbols : dict
        Letter of the literature for every column.
    events : list of Event
        Stick, slip, reverse, corner.
    warnings : list of Warned
        What the run says against its own result; `run` gives each to `warnings.warn`, too.
    work : dict
        Steps, evaluations and the like; zero in searches for periodic motions, where they are not counted.
    """

    def __init__(self, native: _core.Outcome) -> None:
        self._native = native
        self.title: str = native.title
        self.warnings = [Warned(*warning) for warning in native.warnings()]

    # the rest is made when it is asked for

    @cached_property
    def _heads_and_values(self) -> list[tuple[str, str, str, NDArray[np.float64]]]:
        columns = self._native.columns()
        for *_, values in columns:
            # what is saved, compared and pickled is the native outcome
            values.setflags(write=False)
        return columns

    @cached_property
    def _columns(self) -> dict[str, NDArray[Any]]:  # type: ignore[override]
        return {name: values for name, _, _, values in self._heads_and_values}

    @cached_property
    def _units(self) -> dict[str, str]:  # type: ignore[override]
        return {name: unit for name, _, unit, _ in self._heads_and_values} | self.facts.units

    @cached_property
    def facts(self) -> Facts:
        return Facts(self._native.facts())

    @cached_property
    def symbols(self) -> dict[str, str]:
        return {name: symbol for name, symbol, _, _ in self._heads_and_values}

    @cached_property
    def events(self) -> list[Event]:
        return [Event(*event) for event in self._native.events()]

    @cached_property
    def work(self) -> dict[str, int]:
        return self._native.work()

    @property
    def end(self) -> dict[str, Any]:
        """The state at the end of a transient, from which another goes on: `scenario.set({"system.oscillator.initial": outcome.end})`. Empty for
        searches, bodies and reduced models."""
        found = self._native.end()
        state: dict[str, Any] = json.loads(found) if found else {}
        return state

    @property
    def provenance(self) -> dict[str, str]:
        """Where it comes from: stiction (its version), commit if known, command, hash of the inputs, scenario (TOML with all
        defaults). What is saved or pickled carries it; `stiction.Scenario.from_toml(outcome.provenance["scenario"])` can be run again."""
        found = self._native.provenance()
        provenance: dict[str, str] = json.loads(found[0]) if found else {}
        return provenance

    def summary(self) -> str:
        """What `stiction run` prints about the run."""
        return self._native.summary()

    def save(
        self,
        path: str | os.PathLike[str],
        *,
        width: float | None = None,
        panels: Sequence[str] = (),
        outlines: bool = False,
    ) -> None:
        """Writes what the ending asks for: .svg, .png, .pdf (the figure of `stiction run`), .csv (the columns), .events.csv (the
        events), .json (all). Beside a table it writes the scenario, as .scenario.toml; other files carry it in themselves.

        Parameters
        ----------
        path : str or path
            The file.
        width : float, optional
            Width of the figure (mm), from 30 to 1000; 85 or 175 if absent, after the number of panels.
        panels : list, optional
            Panels of the figure by their letters, as ["a", "d"]; all if absent.
        outlines : bool, optional
            Draw letters in SVG as outlines: the same picture in every viewer, but text cannot be searched or edited.
        """
        from ._arrays import finite
        from ._scenario import _one, _write

        ending = Path(path).suffix.lower()
        if ending in (".svg", ".png", ".pdf"):
            wide = None if width is None else _one(finite(width, "width", "mm"), "width")
            if wide is not None and not 30.0 <= wide <= 1000.0:
                raise ValueError(f"width is {wide:g} mm, but it must be from 30 to 1000")
            if isinstance(panels, str):
                raise TypeError(f"panels is one text, but a list is needed\nhint: panels=[{panels!r}]")
            form = "outlines" if outlines and ending == ".svg" else ending[1:]
            return _write(path, self._native.figure(form, DPI, wide, [str(panel) for panel in panels]))
        if width is not None or panels or outlines:
            raise ValueError(f"width, panels and outlines are for figures, but {os.fspath(path)} is none\nhint: .svg, .png or .pdf")
        if ending == ".csv" and (found := self._native.provenance()):
            stem = Path(path).name[: -len(".csv")].removesuffix(".events")
            _write(Path(path).with_name(f"{stem}.scenario.toml"), found[1].encode())
        if Path(path).name.lower().endswith(".events.csv"):
            _write(path, self._native.events_csv().encode())
        elif ending in (".csv", ".json"):
            _write(path, getattr(self._native, ending[1:])().encode())
        else:
            raise ValueError(f"{os.fspath(path)} ends in {ending or 'nothing'}\nhint: .svg, .png, .pdf, .csv or .json")

    def plot(self, columns: Sequence[str | tuple[str, str]] | None = None, axes: Any = None) -> Any:
        """Draws columns with matplotlib, a panel for each; returns the axes as an array.

        Parameters
        ----------
        columns : list, optional
            Columns to draw over the first one; or pairs, ("position", "friction") for friction over position. Of several
            degrees of freedom "position" draws position_0, position_1, … together. The most informative ones if absent.
        axes : matplotlib axes or array of them, optional
            Where to draw, one for each panel; a new figure if absent.
        """
        from ._plot import outcome

        return outcome(self, columns, axes)

    def _repr_svg_(self) -> str:
        return self._native.svg()

    def __repr__(self) -> str:
        names = ", ".join(self)
        rows = len(next(iter(self.values()))) if len(self) else 0
        facts = "\n".join(f"  {name:<24} {value:>16.9g} {self.units[name]}" for name, value in self.facts.items())
        title = self.title or "outcome"
        return f"{title}: {rows} samples of {names}; {len(self.events)} events\n{facts}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Outcome) and self._native.json() == other._native.json()


    def __reduce__(self) -> tuple[Any, ...]:
        return Outcome, (self._native,)


ERRORS = dict(_core.criteria())
"""Names and units of the errors."""
UNITS = {"law": "-", "parameter": "-", "size": "as in unit", "unit": "-", **ERRORS, "steps": "-", "evaluations": "-"}

Line = tuple[str, str, float, str, list[float], int, int]


def _columns(lines: list[Line]) -> dict[str, NDArray[Any]]:
    columns: dict[str, NDArray[Any]] = {
        "law": np.array([line[0] for line in lines], dtype=str),
        "parameter": np.array([line[1] for line in lines], dtype=str),
        "size": np.array([line[2] for line in lines], dtype=float),
        "unit": np.array([line[3] for line in lines], dtype=str),
    }
    for i, name in enumerate(ERRORS):
        columns[name] = np.array([line[4][i] for line in lines], dtype=float)
    columns["steps"] = np.array([line[5] for line in lines], dtype=np.int64)
    columns["evaluations"] = np.array([line[6] for line in lines], dtype=np.int64)
    return columns


class Comparison(Table):
    """Errors of laws over their width or stiffness against set-valued friction, one row for each.

    The column `parameter` names the number that is the size of a law: `width` (m/s) or `stiffness` (1/m).

    Attributes
    ----------
    speed : float
        The largest sliding speed of the exact run (m/s): the scale of widths.
    length : float
        Half the widest way of the exact run (m): the scale of what bends before it slides.
    """

    def __init__(self, scales: tuple[float, float], lines: list[Line], text: str) -> None:
        super().__init__(_columns(lines), UNITS)
        self.speed, self.length = scales
        self._text = text

    def plot(self, axes: Any = None) -> Any:
        """Draws trajectory and creep errors over the size with matplotlib; returns the two axes."""
        from ._plot import comparison

        return comparison(self, axes)

    def __repr__(self) -> str:
        return self._text


class Tuning(Table):
    """The coarsest size of each law within a tolerance, one row for each law that has one.

    Attributes
    ----------
    coarsest : dict
        Size by law: the widest width (m/s) or the softest stiffness (1/m); None where not even the finest fits.
    """

    def __init__(self, found: list[tuple[str, Line | None]], text: str, tolerance: float, criterion: str) -> None:
        super().__init__(_columns([line for _, line in found if line is not None]), UNITS)
        self.coarsest: dict[str, float | None] = {law: line[2] if line else None for law, line in found}
        self.tolerance = tolerance
        self.criterion = criterion
        self._text = text

    def __repr__(self) -> str:
        return self._text


def _text(table: Table, most: int = 60) -> str:
    """A table for the terminal; the middle of a long one is left out."""
    lines = ["".join(f"{name:>15}" for name in table)]
    rows = list(zip(*table.values()))
    skipped = range(most // 2, len(rows) - most // 2) if len(rows) > most else range(0)
    for i, row in enumerate(rows):
        if i not in skipped:
            lines.append("".join(f"{value:>15.3g}" if isinstance(value, float) else f"{value!s:>15}" for value in row))
        elif i == skipped[0]:
            lines.append(f"{f'… {len(skipped)} rows …':>15}")
    return "\n".join(lines)


def _same(a: NDArray[Any], b: NDArray[Any]) -> bool:
    """Whether two columns are the same; NaN is the same as NaN."""
    return np.array_equal(a, b, equal_nan=a.dtype.kind == "f" and b.dtype.kind == "f")


def _unknown(what: str, name: object, known: Iterable[str]) -> str:
    """What is wrong with a name."""
    known = list(known)
    close = difflib.get_close_matches(str(name), known, 1)
    hint = f"did you mean {close[0]}?" if close else f"there are {', '.join(known)}"
    return f"no {what} is called {name}; {hint}"


def _imported(name: str) -> Any:
    import importlib

    try:
        return importlib.import_module(name)
    except ModuleNotFoundError:
        package = name.partition(".")[0]
        raise ImportError(f"{package} is not installed\nhint: pip install {package}") from None
