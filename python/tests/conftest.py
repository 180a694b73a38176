"""What the tests share: the command line, the examples, one object of every kind."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import stiction

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "examples").glob("*.toml"))
PATCH_FILES = sorted((ROOT / "examples" / "patches").glob("*.toml"))
REFERENCE = ROOT / "crates/stiction/tests/reference"

# every parameter given at least once, so that none is left at its default everywhere
LAWS: list[stiction.Law] = [
    stiction.Linear(mu=1.6, width=0.8),
    stiction.Linear(mu=0.3, width=0.05, rise=0.02, rise_height=0.1),
    stiction.Trigonometric(mu=1.6, width=0.8),
    stiction.Trigonometric(mu=0.3, width=0.05, rise=0.02, rise_height=0.1),
    stiction.CircularLinear(mu=1.6, width=0.8, radius=0.3),
    stiction.CircularLinear(mu=0.3, width=0.05, radius=0.009, rise=0.02, rise_height=0.1),
    stiction.Quinn(mu=0.3, width=0.001),
    stiction.Coulomb(mu=0.3),
    stiction.Coulomb(mu=0.3, mu_static=0.45),
    stiction.SignCoulomb(mu=0.3),
    stiction.Karnopp(mu=0.3, width=0.01, mu_static=0.4),
    stiction.Tanh(mu=0.3, width=0.01),
    stiction.Stribeck(mu=0.3, mu_static=1.0, velocity=0.3, width=0.001),
    stiction.Stribeck(mu=0.3, mu_static=0.5, velocity=0.1, width=0.01, weakening="exponential"),
    stiction.Stribeck(mu=0.3, mu_static=0.5, velocity=0.1, width=0.01, weakening="hyperbolic"),
    stiction.Polyline(velocities=[0.0, 0.05, 0.5], coefficients=[0.45, 0.38, 0.3], mu_static=0.5, scale=0.8),
    stiction.Polyline(velocities=[-0.1, 0.0, 0.1], coefficients=[-0.3, 0.0, 0.3]),
    stiction.Expression(phi="0.4*sign(v)/(1 + abs(v)/0.1)", mu_static=0.5, reach=5.0),
    stiction.Expression(phi="0.3*tanh(v/0.01) + max(-0.1, min(0.1, v))", kinks=[-0.1, 0.1], scale=1.5),
    stiction.Dahl(mu=0.3, stiffness=1000.0),
    stiction.Lugre(mu=1.0, mu_static=1.5, velocity=0.05, stiffness=1000.0, damping=10.0),
    stiction.Lugre(mu=1.0, mu_static=1.5, velocity=0.05, stiffness=1000.0, damping=10.0, exponent=1.0),
    stiction.CoulombDwell(mu=0.3, mu_static=0.5, time=2.0, exponent=0.7),
    stiction.ElastoPlastic(mu=0.3, mu_static=0.45, velocity=0.05, stiffness=1000.0, damping=10.0, elastic=0.7),
    stiction.BoucWen(mu=0.3, stiffness=1000.0, exponent=2.0, share=0.4),
    stiction.RateAndState(mu=0.6, a=0.01, b=0.015, distance=1e-5, velocity=1e-6, evolution="slip"),
    stiction.Gms(mu=0.3, mu_static=0.45, velocity=0.05, share=[0.4, 0.6], stiffness=[400.0, 200.0], attraction=50.0),
    stiction.Jenkins(mu=0.3, stiffness=1000.0),
    stiction.Iwan(mu=[0.1, 0.2, 0.35], stiffness=[400.0, 200.0, 100.0]),
    stiction.FourParameterIwan(mu=0.3, stiffness=1000.0, exponent=-0.5, ratio=0.5, sliders=10),
]

SQUARE = ((0.0, 0.0), (0.3, 0.0), (0.3, 0.2), (0.0, 0.2))
HOLE = ((0.1, 0.05), (0.2, 0.05), (0.2, 0.15), (0.1, 0.15))
PATCHES: list[stiction.Shape | stiction.Patch] = [
    stiction.Disc(radius=0.1),
    stiction.Disc(radius=0.1, pressure="galin", mu=0.3, load=20.0, height=0.05),
    stiction.Disc(radius=0.1, pressure="hertz", mu=0.3, load=20.0, mu1=0.02, mu2=0.01, centre=(0.1, -0.2)),
    stiction.Disc(radius=0.1, mu=0.3, load=2.0, width=0.01),
    stiction.Disc(radius=0.1, pressure="galin", mu=0.3, load=20.0, closure="pade2", constants="as-printed"),
    stiction.Ring(radius=0.2, mu=0.4, load=3.0),
    stiction.Annulus(inner=0.05, outer=0.1, mu=0.4, load=3.0),
    stiction.Rectangle(length=0.5, width=0.2, mu=0.4, load=9.81),
    stiction.Polygon(vertices=SQUARE, mu=0.4, load=9.81, pressure=stiction.LinearPressure(gradient=(0.5, -0.3))),
    stiction.Polygon(vertices=SQUARE, holes=(HOLE,), mu=0.4, load=9.81),
    stiction.Pieces(
        pieces=[
            stiction.Piece(shape=stiction.Disc(radius=0.02), pressure="hertz", centre=(0.2, 0.0), share=2.0),
            stiction.Piece(shape=stiction.Rectangle(length=0.05, width=0.04), centre=(-0.1, 0.17)),
            stiction.Piece(shape=stiction.Disc(radius=0.02), centre=(-0.1, -0.17)),
        ],
        mu=0.5,
        load=60.0,
        height=0.02,
    ),
    stiction.Patch(shape=stiction.Rectangle(length=0.5, width=0.2), mu=0.4, load=9.81, width=0.01),
]


def read_toml(text: str) -> dict[str, object]:
    """Text in TOML as Python's own reader sees it."""
    return tomllib.loads(text)


def named(value: object) -> str:
    """How a test of that value is called."""
    return value.stem if isinstance(value, Path) else repr(value).partition("(")[0].lower()


Cli = Callable[..., str]


@pytest.fixture(scope="session")
def cli() -> Cli:
    """The command line of these very sources (the program `STICTION`): arguments in, standard output out."""
    program = os.environ.get("STICTION")
    if program is None:
        subprocess.run(["cargo", "build", "--quiet", "--release", "--package", "stiction-cli"], cwd=ROOT, check=True)
        program = str(Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "release" / "stiction")

    def run(*args: object, given: str | None = None) -> str:
        done = subprocess.run([program, *map(str, args)], cwd=ROOT, input=given, capture_output=True, text=True, encoding="utf-8")
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """How many blocks of the documentation ran, and how long they took."""
    counts: dict[str, float] = {}
    for report in terminalreporter.stats.get("passed", []):
        for name, value in report.user_properties:
            if name == "blocks":
                counts = {kind: counts.get(kind, 0) + n for kind, n in value.items()}
    if counts:
        seconds, work = counts.pop("seconds"), counts.pop("work")
        kinds = ", ".join(f"{n} {kind}" for kind, n in counts.items())
        took = f"{seconds:.1f} s, {work:.1f} s of processor time"
        terminalreporter.write_line(f"blocks of site and README: {sum(counts.values())} ran ({kinds}) in {took}")
