"""Dry friction, computed right: laws, oscillators, stick and slip, patches that slide and spin.

Laws and patches are objects that take NumPy arrays:

    >>> import numpy as np, stiction
    >>> law = stiction.Trigonometric(mu=1.6, width=0.8)
    >>> law(np.array([-0.8, 0.0, 0.8])), law.slope(0.0)
    (array([-1.6,  0. ,  1.6]), 3.141592653589793)
    >>> stiction.Disc(radius=0.1, pressure="galin", mu=0.3, load=20.0).wrench([[3.0, 4.0, 0.0]])
    array([[-3.6, -4.8,  0. ]])

Scenarios are made of objects, loaded from files, or given as dicts with the same keys:

    >>> block = stiction.Oscillator(mass=1.0, stiffness=1.0, friction=stiction.Coulomb(mu=0.3),
    ...                             initial=stiction.Initial(position=1.0))
    >>> outcome = stiction.run(stiction.Scenario(system=block, integrator=stiction.Exact(),
    ...                                          analysis=stiction.Transient(duration=20.0)))
    >>> outcome["position"].shape, outcome.events[-1].kind
    ((2001,), 'stick')
    >>> outcome = stiction.run("examples/stick_slip.toml")

=============  ==========================================================================================
laws           Coulomb, Trigonometric, Quinn, Lugre, …: one class for each of stiction.LAWS;
               Contact puts load, belt and viscous part beside one; CustomLaw is any function of v
patches        Disc, Ring, Annulus, Rectangle, Polygon, Pieces, Patch
systems        Oscillator, Matrices, Body
integrators    Exact, Adaptive, Rk4, Incremental
analyses       Transient, Steady, Response, Bifurcation, Stability, NonlinearMode
what to do     run, Session, sweep, load, compare, tune, lab, papers, reproduce
=============  ==========================================================================================

SI units throughout; quantities of pint and astropy are converted. `help(stiction.Lugre)` shows a law's formula.
"""

from __future__ import annotations

import json
from typing import Any

from . import _core, _models
from ._core import __version__
from ._custom import CustomLaw
from ._errors import Diagnostic, Error, InternalError, RunError, ScenarioError
from ._lab import Lab, lab
from ._law import Friction, Law
from ._models import *
from ._outcome import Comparison, Event, Facts, Outcome, StictionWarning, Table, Tuning, Warned
from ._papers import Case, Check, Printed, Report, papers, reproduce
from ._patch import Limit, Shape
from ._scenario import Scenario, compare, load, run, tune
from ._session import Session
from ._sweep import Dataset, sweep

LAWS: tuple[str, ...] = tuple(_core.laws())
"""Names of all laws, as a scenario file writes them."""


def schema(kind: str = "scenario") -> dict[str, Any]:
    """The JSON Schema of scenario files, or of patch files with kind="patch"."""
    found: dict[str, Any] = json.loads(_core.schema(kind))
    return found


__all__ = [
    "LAWS",
    "Case",
    "Check",
    "Comparison",
    "CustomLaw",
    "Dataset",
    "Diagnostic",
    "Error",
    "Event",
    "Facts",
    "Friction",
    "InternalError",
    "Lab",
    "Law",
    "Limit",
    "Outcome",
    "Printed",
    "Report",
    "RunError",
    "Scenario",
    "ScenarioError",
    "Session",
    "Shape",
    "StictionWarning",
    "Table",
    "Tuning",
    "Warned",
    "__version__",
    "compare",
    "lab",
    "load",
    "papers",
    "reproduce",
    "run",
    "schema",
    "sweep",
    "tune",
]
__all__ += _models.__all__
