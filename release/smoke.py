"""The installed package does what it promises: a scenario, a law, a patch, numbers of the command line."""

import sys
import tempfile
from pathlib import Path

import stiction

block = stiction.Oscillator(
    mass=2.0,
    damping=1.0,
    stiffness=200.0,
    force=stiction.Load(amplitude=15.0, frequency=0.8),
    friction=stiction.Contact(law=stiction.Coulomb(mu=0.3, mu_static=0.4), load=20.0),
)
outcome = stiction.run(stiction.Scenario(system=block, analysis=stiction.Transient(periods=20, window=[18, 20])))
assert round(outcome.facts["stick_fraction"], 6) == 0.196464, outcome.facts["stick_fraction"]
wrench = stiction.Disc(radius=0.1, pressure="galin", mu=0.3, load=20.0).wrench([3.0, 4.0, 0.0])
assert [round(value, 12) for value in wrench.tolist()] == [-3.6, -4.8, 0.0], wrench
with tempfile.TemporaryDirectory() as folder:
    outcome.save(Path(folder) / "block.svg")
    stiction.lab(stiction.Scenario(system=block)).save(Path(folder) / "lab.html")
print(f"stiction {stiction.__version__} on Python {sys.version.split()[0]}: smoke test passed")
