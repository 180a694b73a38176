"""Co-simulation: inputs are set between communication points."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, TypedDict, cast

import numpy as np
from numpy.typing import NDArray

from . import _core
from . import _models as models
from ._base import Model
from ._outcome import Event
from ._scenario import Scenario, load


class SessionState(TypedDict):
    """Everything that a session needs to go on; plain values, which JSON and pickle keep bit by bit.

    `system` says which system, integrator and inputs the state belongs to.
    """

    system: str
    t: float
    position: list[float]
    velocity: list[float]
    states: list[float]
    inputs: dict[str, float]


class Session:
    """Co-simulation: inputs are set between communication points, the state is read, saved and restored.

    Inside an advance the motion is that of the integrator: `Exact` finds every event. An advance depends on nothing but the
    state and the inputs, so a session that is restored goes on bit by bit as before.

    Parameters
    ----------
    scenario : Scenario, system, dict or path
        A system on lines; of a scenario the system and the integrator, `Exact` or `Adaptive`, count.
    inputs : dict, optional
        Name → where it acts: ("load", degree of freedom or direction) (N), ("normal_load", contact) (N), ("belt", contact)
        (m/s), ("reference", controller). Inputs add to what the system has there, and begin at zero.

    Attributes
    ----------
    t : float
        The time reached (s).
    position, velocity, acceleration, sliding, friction, states : array
        The motion there.
    events : list of Event
        Those inside the last advance, which `Exact` finds.

    Examples
    --------
    >>> block = Oscillator(mass=1.0, friction=Coulomb(mu=0.5))
    >>> session = Session(block, inputs={"push": ("load", 0)})
    >>> session.lead(push=1.0)                 # from 0 to 1 N by the end of the next advance
    >>> session.advance(1.0)
    >>> session.events
    [Event(t=0.5, contact=0, kind='slip')]
    >>> saved = session.state
    >>> session.set(push=0.0)                  # held from now on
    >>> session.advance(5.0)
    >>> session.velocity
    array([0.])
    >>> session.restore(saved)
    >>> session.t
    1.0
    """

    def __init__(
        self,
        scenario: Scenario | Model | Mapping[str, Any] | str | os.PathLike[str],
        inputs: Mapping[str, tuple[str, int | Sequence[float]]] | None = None,
    ) -> None:
        if isinstance(scenario, Model):
            transient = models.Transient(duration=1.0)
            scenario = Scenario(system=scenario, analysis=transient)
        elif isinstance(scenario, (str, os.PathLike)):
            loaded = load(scenario)
            if not isinstance(loaded, Scenario):
                raise TypeError("a session leads a system, not a patch")
            scenario = loaded
        elif not isinstance(scenario, Scenario):
            scenario = Scenario.from_dict(scenario)
        rows: list[tuple[str, list[float], float, float]] = []
        for name, place in (inputs or {}).items():
            try:
                kind, at = place
            except (TypeError, ValueError):
                raise TypeError(f'input {name} is {place!r}\nhint: such as ("load", 0)') from None
            if kind == "load" and not isinstance(at, (int, np.integer)):
                kind = "direction"
            numbers = np.atleast_1d(np.asarray(at, dtype=float)).tolist()
            rows.append((kind, numbers, 0.0, 1.0))
        self._names = list(inputs or {})
        self._native = _core.Session(scenario._study, rows)
        self._look()

    def _look(self) -> None:
        motion = [np.array(numbers) for numbers in self._native.motion()]
        self.position: NDArray[np.float64] = motion[0]
        self.velocity: NDArray[np.float64] = motion[1]
        self.acceleration: NDArray[np.float64] = motion[2]
        self.sliding: NDArray[np.float64] = motion[3]
        self.friction: NDArray[np.float64] = motion[4]
        self.states: NDArray[np.float64] = motion[5]
        self.events = [Event(*event) for event in self._native.events()]

    def _number(self, name: str) -> int:
        if name not in self._names:
            known = ", ".join(self._names) or "none"
            raise TypeError(f"no input is called {name}\nhint: there are {known}")
        return self._names.index(name)

    @property
    def t(self) -> float:
        """The time reached (s)."""
        return self._native.t

    def set(self, **values: float) -> None:
        """Holds inputs at values from now on."""
        for number, value in [(self._number(name), value) for name, value in values.items()]:
            self._native.set(number, value)

    def lead(self, **values: float) -> None:
        """Leads inputs along straight lines to values that they have by the end of the next advance."""
        for number, value in [(self._number(name), value) for name, value in values.items()]:
            self._native.lead(number, value)

    def advance(self, t: float) -> None:
        """Goes on to the time t (s); after an error the session is where it was."""
        self._native.advance(t)
        self._look()

    @property
    def state(self) -> SessionState:
        """Everything that is needed to go on, as plain values."""
        t, position, velocity, states, inputs = self._native.state()
        named = dict(zip(self._names, inputs, strict=True))
        numbers = {"position": position, "velocity": velocity, "states": states, "inputs": named}
        return cast(SessionState, {"system": self._native.system, "t": t, **numbers})

    def restore(self, state: SessionState) -> None:
        """Goes on from a state, of this session or of another one of the same system, integrator and inputs; any other is refused."""
        missing = [name for name in self._names if name not in state["inputs"]]
        if missing:
            raise ValueError(f"the state has no input {missing[0]}\nhint: was it saved by a session with other inputs?")
        if state.get("system") != self._native.system:
            hint = "restore it in a session of the same system, integrator and inputs; `initial` of a system takes any numbers"
            raise ValueError(f"the state belongs to another system\nhint: {hint}")
        inputs = [state["inputs"][name] for name in self._names]
        self._native.restore((state["t"], state["position"], state["velocity"], state["states"], inputs))
        self._look()

    def __repr__(self) -> str:
        return f"<stiction.Session at t = {self.t} s>"
