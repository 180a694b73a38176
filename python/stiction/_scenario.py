"""Scenarios: made, loaded, run."""

from __future__ import annotations

import os
import tempfile
import warnings
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from . import _core
from . import _models as models
from ._arrays import finite, listed, real
from ._base import Model, plain
from ._models import SYSTEMS
from ._outcome import CRITERION, ERRORS, TOLERANCE, Comparison, Outcome, StictionWarning, Tuning
from ._parts import made
from ._patch import PatchBase

Progress = Callable[[float], object]


class Scenario:
    """A system, how to integrate it, what to compute: checked as it is made.

    Parameters
    ----------
    system : Oscillator, Matrices or Body
        The mechanical system.
    integrator : Exact, Adaptive, Rk4 or Incremental, optional
        How to integrate; if absent exact where the laws allow it (`Coulomb`, `Linear`), else adaptive.
    analysis : Transient, Steady, Response, Bifurcation, Stability or NonlinearMode, optional
        What to compute; a transient if absent.
    sweep : Sweep, optional
        Many values of some numbers, at each of which `stiction sweep` makes the analysis.
    title : str, default ""
        What the figure and the summary are called.

    Raises
    ------
    ScenarioError
        With everything that is wrong, each at its key.

    Examples
    --------
    >>> block = Oscillator(mass=1.0, stiffness=1.0, friction=Coulomb(mu=0.3), initial=Initial(position=1.0))
    >>> scenario = Scenario(system=block, integrator=Exact(), analysis=Transient(duration=20.0))
    >>> round(scenario.run().facts["friction_loss"], 12)
    0.48
    """

    _study: _core.Study

    def __init__(
        self,
        *,
        system: Model | Mapping[str, Any],
        integrator: Model | Mapping[str, Any] | None = None,
        analysis: Model | Mapping[str, Any] | None = None,
        sweep: Model | Mapping[str, Any] | None = None,
        title: str = "",
    ) -> None:
        for what, given, family in (
            ("system", system, models.SYSTEMS),
            ("integrator", integrator, models.INTEGRATORS),
            ("analysis", analysis, models.ANALYSES),
            ("sweep", sweep, {"": models.Sweep}),
        ):
            if isinstance(given, Model) and given._tag not in family:
                names = ", ".join(kind.__name__ for kind in family.values())
                raise TypeError(f"{what} is a {type(given).__name__}, which is none\nhint: one of {names}")
        tree = {"title": title, "system": system, "integrator": integrator, "analysis": analysis, "sweep": sweep}
        self._study = _core.Study(plain(tree))

    @classmethod
    def from_dict(cls, tree: Mapping[str, Any]) -> Scenario:
        """The scenario in a dict with the keys of a scenario file."""
        return cls._of(_core.Study(plain(tree)))

    @classmethod
    def from_toml(cls, text: str) -> Scenario:
        """The scenario in a text, as `to_toml` gives it."""
        return cls._of(_core.Study.read("scenario", text, []))

    @classmethod
    def _of(cls, study: _core.Study) -> Scenario:
        scenario = cls.__new__(cls)
        scenario._study = study
        return scenario

    @property
    def title(self) -> str:
        """What the figure and the summary are called."""
        title: str = self.to_dict().get("title", "")
        return title

    @property
    def system(self) -> Any:
        """The mechanical system, as written."""
        return made("system", self.to_dict()["system"])

    @property
    def integrator(self) -> Any:
        """How to integrate, as written; None if not."""
        table = self.to_dict().get("integrator")
        return table and made("integrator", table)

    @property
    def analysis(self) -> Any:
        """What to compute, as written; None if not."""
        table = self.to_dict().get("analysis")
        return table and made("analysis", table)

    @property
    def sweep(self) -> Any:
        """What `stiction sweep` varies, as written; None if nothing."""
        table = self.to_dict().get("sweep")
        return table and made("Sweep", table)

    def to_dict(self) -> dict[str, Any]:
        """The scenario as written, with the keys of a scenario file."""
        tree: dict[str, Any] = self._study.tree()
        return tree

    def to_toml(self) -> str:
        """The scenario as a file, with all defaults filled in: what `stiction show` prints."""
        return self._study.toml()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the scenario file that `stiction run` reads."""
        _write(path, self.to_toml().encode())

    def set(self, values: Mapping[str, Any]) -> Scenario:
        """The same scenario with keys overridden, as `--set` does: by their path, or the end of it.

        >>> scenario = load("examples/stick_slip.toml").set({"mu": 0.8, "analysis.transient.periods": 30})
        >>> scenario.system.friction
        Coulomb(mu=0.8)
        """
        return Scenario._of(self._study.set(_sets(values)))

    def replace(self, **changes: Any) -> Scenario:
        """The same scenario with its system, integrator, analysis or title changed."""
        return Scenario(**{**self.to_dict(), **changes})

    def run(
        self,
        progress: Progress | None = None,
        *,
        max_time: float | None = None,
        max_memory: float | None = None,
    ) -> Outcome:
        """Computes. See `stiction.run`."""
        return run(self, progress, max_time=max_time, max_memory=max_memory)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Scenario) and self.to_toml() == other.to_toml()

    def __hash__(self) -> int:
        return hash(self.to_toml())

    def __repr__(self) -> str:
        parts = {"title": self.title, "system": self.system, "integrator": self.integrator, "analysis": self.analysis}
        return f"Scenario({', '.join(f'{name}={part!r}' for name, part in parts.items() if part)})"

    def __reduce__(self) -> tuple[Any, ...]:
        return Scenario.from_dict, (self.to_dict(),)


def load(
    path: str | os.PathLike[str], set: Mapping[str, Any] | None = None, *, max_memory: float | None = None
) -> Any:
    """Reads a scenario file, or a patch file.

    Parameters
    ----------
    path : str or path
        The file (TOML).
    set : dict, optional
        Keys to override: by their path, or the end of it.
    max_memory : float, default 1e9
        Refuse a file that takes more memory than this once it is read (bytes), some 250 times its size.

    Returns
    -------
    Scenario or patch
        A patch (`Disc`, `Rectangle`, `Patch`, …) for a file with a table `[patch]`.

    Raises
    ------
    ScenarioError
        With everything that is wrong, each at its line.
    """
    path = Path(path)
    try:
        # as it is: line ends are the parser's affair
        text = path.read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(f"{path} is not text in UTF-8: {error}") from None
    sets = _sets(set)
    if _core.is_patch(text):
        return made("patch", _core.read_patch(str(path), text, sets)[1])
    return Scenario._of(_core.Study.read(str(path), text, sets, _limit(max_memory, "max_memory", "")))


def _scenario(given: Any) -> Scenario:
    if isinstance(given, Scenario):
        return given
    if isinstance(given, Mapping):
        return Scenario.from_dict(given)
    if isinstance(given, (str, os.PathLike)):
        given = load(given)
        if isinstance(given, Scenario):
            return given
    if isinstance(given, PatchBase):
        raise TypeError("a patch cannot be run\nhint: ask for its wrench(), or put it under a Body in a Scenario")
    if isinstance(given, Model):
        name = type(given).__name__
        way = f"system={name}(…)" if given._tag in SYSTEMS else "system=Oscillator(mass=…, friction=…)"
        raise TypeError(f"{name} is not a scenario\nhint: run(Scenario({way}))")
    raise TypeError(f"a scenario, a dict or a path is needed, not {type(given).__name__}")


@overload
def run(  # type: ignore[overload-overlap]  # a text is a list of texts, too
    scenario: Scenario | Mapping[str, Any] | str | os.PathLike[str],
    progress: Progress | None = ...,
    *,
    max_time: float | None = ...,
    max_memory: float | None = ...,
) -> Outcome: ...
@overload
def run(
    scenario: Iterable[Scenario | Mapping[str, Any] | str | os.PathLike[str]],
    progress: Progress | None = ...,
    *,
    max_time: float | None = ...,
    max_memory: float | None = ...,
) -> list[Outcome]: ...
def run(
    scenario: Any,
    progress: Progress | None = None,
    *,
    max_time: float | None = None,
    max_memory: float | None = None,
) -> Any:
    """Runs a scenario; a list of scenarios on all cores.

    Parameters
    ----------
    scenario : Scenario, dict or path; or a list of them
        A dict has the keys of a scenario file.
    progress : callable, optional
        Called with the fraction done, some twenty times a second, and with 1.0 at the end.
    max_time : float, optional
        Stop after this time (s), all scenarios of a list together.
    max_memory : float, default 1e9
        Refuse a scenario that takes more memory than this (bytes).

    Returns
    -------
    Outcome, or a list of them in the order of the scenarios

    Raises
    ------
    ScenarioError
        Before anything runs, if a scenario is wrong or takes too much memory.
    RunError
        If a run comes to no result, or to none in time.
    InternalError
        If this package has made a mistake.
    KeyboardInterrupt
        On Ctrl-C, at once.

    Warns
    -----
    StictionWarning
        If a result is not what was asked for; `outcome.warnings` lists them.
    """
    limits = _limits(progress, max_time, max_memory)
    if isinstance(scenario, (Scenario, Mapping, str, os.PathLike, Model)):
        return _told(Outcome(_core.run(_scenario(scenario)._study, *limits)))
    if not isinstance(scenario, Iterable):
        raise TypeError(f"a scenario, a dict or a path is needed, not {type(scenario).__name__}")
    studies = [_scenario(one)._study for one in scenario]
    return [_told(Outcome(found)) for found in _core.run_all(studies, *limits)]


def _told(outcome: Outcome) -> Outcome:
    """Gives the warnings of an outcome to Python's."""
    for warning in outcome.warnings:
        title = f"{outcome.title}: " if outcome.title else ""
        warnings.warn(f"{title}{warning.message}", StictionWarning, stacklevel=3)
    return outcome


def compare(
    scenario: Scenario | Mapping[str, Any] | str | os.PathLike[str],
    laws: Iterable[str] | None = None,
    widths: Iterable[float] | None = None,
    progress: Progress | None = None,
    stiffnesses: Iterable[float] | None = None,
    *,
    max_time: float | None = None,
    max_memory: float | None = None,
) -> Comparison:
    """Errors of regularised and elastic laws for this system, over their width or stiffness, against set-valued friction, on all cores.

    Parameters
    ----------
    scenario : Scenario, dict or path
        A transient of a system on lines whose contacts all have set-valued laws.
    laws : list of str, optional
        Laws to compare; all that stand in for those of the scenario if absent.
    widths : list of float, optional
        Widths of laws with a transition (m/s); seven, down to 1e-5 of the largest speed, if absent.
    stiffnesses : list of float, optional
        Stiffnesses over the load of laws that bend before they slide (1/m); seven, up to one that bends by 1e-5 of the amplitude
        under full friction, if absent. With widths or stiffnesses alone, only laws that have them are compared, unless `laws` says more.
    progress, max_time, max_memory
        As for `run`.
    """
    names = _names(laws, "laws")
    wide, stiff = _sizes(widths, "widths", "m/s"), _sizes(stiffnesses, "stiffnesses", "1/m")
    limits = _limits(progress, max_time, max_memory)
    return Comparison(*_core.compare(_scenario(scenario)._study, names, wide, stiff, *limits))


def _sizes(values: Iterable[float] | None, name: str, unit: str) -> list[float] | None:
    """Sizes of laws, as the native part takes them."""
    if values is None:
        return None
    return listed(values, name, unit)


def tune(
    scenario: Scenario | Mapping[str, Any] | str | os.PathLike[str],
    tolerance: float = TOLERANCE,
    criterion: str = CRITERION,
    laws: Iterable[str] | None = None,
    progress: Progress | None = None,
    *,
    max_time: float | None = None,
    max_memory: float | None = None,
) -> Tuning:
    """How wide may a transition be, and how soft a contact? The coarsest size of each law whose error stays below a tolerance.

    Parameters
    ----------
    scenario : Scenario, dict or path
        A transient of a system on lines whose contacts all have set-valued laws.
    tolerance : float, default 0.01
        The largest error, in the unit of the criterion.
    criterion : str, default "amplitude"
        trajectory (m), amplitude (-), phase (rad), dissipation (-), stick-fraction (-) or creep (m/s).
    laws : list of str, optional
        Laws to try; all that stand in for those of the scenario if absent.
    progress, max_time, max_memory
        As for `run`.
    """
    names = _names(laws, "laws")
    if not isinstance(criterion, str):
        raise TypeError(f"criterion is of type {type(criterion).__name__}, but it must be a text\nhint: criterion=\"trajectory\"")
    allowed = _one(finite(tolerance, "tolerance", ERRORS.get(criterion.replace("-", "_"), "-")), "tolerance")
    limits = _limits(progress, max_time, max_memory)
    found, text = _core.tune(_scenario(scenario)._study, allowed, criterion, names, *limits)
    return Tuning(found, text, allowed, criterion)


def _limits(
    progress: Progress | None, max_time: float | None, max_memory: float | None
) -> tuple[Progress | None, float | None, float | None]:
    """Progress, time (s) and memory (bytes), as the native part takes them."""
    return _callable(progress), _limit(max_time, "max_time", "s"), _limit(max_memory, "max_memory", "")


def _limit(value: float | None, name: str, unit: str) -> float | None:
    """A number, which may be infinite; None for none."""
    return None if value is None else _one(real(value, name, unit), name)


def _one(numbers: NDArray[np.float64], name: str) -> float:
    if numbers.ndim:
        raise TypeError(f"{name} is an array, but one number is needed")
    return float(numbers)


def _callable(progress: Progress | None) -> Progress | None:
    if progress is not None and not callable(progress):
        raise TypeError(f"progress is of type {type(progress).__name__}, but it must be callable\nhint: progress=print")
    return progress


def _names(names: Iterable[str] | None, what: str) -> list[str] | None:
    if names is None:
        return None
    if isinstance(names, str) or not isinstance(names, Iterable):
        raise TypeError(f"{what} is one {type(names).__name__}, but a list of texts is needed\nhint: {what}=[{names!r}]")
    found = list(names)
    for name in found:
        if not isinstance(name, str):
            raise TypeError(f"{what} holds a value of type {type(name).__name__}, but names are texts\nhint: {what}=[\"tanh\"]")
    return found


def _sets(values: Mapping[str, Any] | None) -> list[tuple[str, Any]]:
    """Overrides, as the native part takes them."""
    if values is not None and not isinstance(values, Mapping):
        raise TypeError(f"overrides are of type {type(values).__name__}, but they must be a dict\nhint: {{\"mu\": 0.3}}")
    for key in values or ():
        if not isinstance(key, str):
            raise TypeError(f"a key is of type {type(key).__name__}\nhint: keys are texts, such as \"system.oscillator.mass\"")
    return [(key, plain(value)) for key, value in (values or {}).items()]


def _write(path: str | os.PathLike[str], data: bytes) -> None:
    """Writes a file whole, or not at all."""
    path = Path(path)
    if not path.parent.is_dir():
        raise FileNotFoundError(f"{path} cannot be written: there is no directory {path.parent}")
    # a short name of its own: the name of the file may be as long as names can be
    part = tempfile.NamedTemporaryFile(dir=path.parent, prefix=".stiction-", suffix=".part", delete=False)
    try:
        with part:
            part.write(data)
            part.flush()
            os.fsync(part.fileno())
        # a temporary file is private, what is saved is not
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(part.name, 0o666 & ~mask)
        os.replace(part.name, path)
    finally:
        Path(part.name).unlink(missing_ok=True)
