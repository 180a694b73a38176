"""What a type checker knows of the package. Checked by mypy (test_typing.py), never run."""

from typing import Any

import numpy as np
import stiction
from numpy.typing import NDArray
from typing_extensions import assert_type

Reals = NDArray[np.float64]

law = stiction.Trigonometric(mu=1.6, width=0.8)
assert_type(law, stiction.Trigonometric)
assert_type(law.mu, float)
assert_type(law(0.3), float)
assert_type(law(3), float)
assert_type(law([0.1, 0.2]), Reals)
assert_type(law(np.zeros(3), demand=0.1), Reals)
assert_type(law.slope(0.3), float)
assert_type(law.slope(np.zeros(3)), Reals)
assert_type(law.replace(mu=0.3), stiction.Trigonometric)
assert_type(law.grid(5), Reals)
assert_type(law.corners, list[list[float]] | None)
law.mu = 0.3  # type: ignore[misc]
stiction.Trigonometric(1.6, 0.8)  # type: ignore[call-arg]
stiction.Trigonometric(mu=1.6)  # type: ignore[call-arg]
stiction.Trigonometric(mu=1.6, widht=0.8)  # type: ignore[call-arg]
stiction.Trigonometric(mu="large", width=0.8)  # type: ignore[arg-type]
stiction.Stribeck(mu=0.3, mu_static=0.5, velocity=0.1, width=0.1, weakening="slow")  # type: ignore[arg-type]
stiction.Contact(law=stiction.Disc(radius=0.1))  # type: ignore[arg-type]

disc = stiction.Disc(radius=0.1, pressure="galin", mu=0.3, load=20.0)
assert_type(disc.wrench([[1.0, 0.0, 5.0]]), Reals)
assert_type(disc.limit([1.0, 0.0, 0.0]).motion, Reals)

block = stiction.Oscillator(mass=1.0, friction=[law, {"coulomb": {"mu": 0.3}}], initial=stiction.Initial(position=1.0))
scenario = stiction.Scenario(system=block, analysis=stiction.Transient(duration=1.0))
assert_type(scenario.set({"mu": 0.4}), stiction.Scenario)
outcome = stiction.run(scenario)
assert_type(outcome, stiction.Outcome)
assert_type(stiction.run("stick_slip.toml", print), stiction.Outcome)
assert_type(stiction.run([scenario, "stick_slip.toml", {"system": {}}]), list[stiction.Outcome])
assert_type(outcome["position"], NDArray[Any])
assert_type(outcome.facts["friction_loss"], float)
assert_type(outcome.events[0].kind, str)
assert_type(outcome.work["steps"], int)
assert_type(stiction.compare(scenario), stiction.Comparison)
assert_type(stiction.tune(scenario, 1e-3).coarsest, dict[str, float | None])
assert_type(stiction.papers("paper-b")[0].printed, dict[str, stiction.Printed])
