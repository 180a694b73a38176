"""What goes wrong is said: what is, what must be, and the way out."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import astropy.units
import numpy as np
import pint
import pytest
import stiction
from conftest import ROOT

LAW = stiction.Tanh(mu=0.3, width=0.1)
DISC = stiction.Disc(radius=0.1)
DECAY = ROOT / "examples/free_decay.toml"
UREG: Any = pint.UnitRegistry()
NAN, INF = float("nan"), float("inf")
LOOP: list[Any] = []
LOOP.append(LOOP)
OWN: dict[str, Any] = {}
OWN["system"] = OWN
MASS = stiction.Oscillator(mass=1.0)
AFTER = stiction.Transient(duration=1.0)

Wrong = tuple[Callable[[], Any], type[Exception], list[str]]

ARRAYS: dict[str, Wrong] = {
    "complex": (lambda: LAW(1j), TypeError, ["v", "complex128", ".real"]),
    "text": (lambda: LAW("fast"), TypeError, ["v", "not text"]),
    "nothing": (lambda: LAW(None), TypeError, ["v", "object", "None"]),
    "truth": (lambda: LAW(True), TypeError, ["v", "bool", "not truths"]),
    "objects": (lambda: LAW([1.0, None]), TypeError, ["v", "object", "float("]),
    "decimals": (lambda: LAW(Decimal("0.1")), TypeError, ["v", "object", "float("]),
    "dates": (lambda: LAW(np.array(["2020-01-01"], dtype="M8[D]")), TypeError, ["v", "datetime64", "seconds"]),
    "rows of different lengths": (lambda: LAW([[1.0], [1.0, 2.0]]), ValueError, ["v", "rows of one length"]),
    "a list in itself": (lambda: LAW(LOOP), ValueError, ["v"]),
    "a huge integer": (lambda: LAW(10**400), TypeError, ["v", "float("]),
    "masked": (lambda: LAW(np.ma.array([1.0, 2.0], mask=[0, 1])), ValueError, ["v", "masked", "compressed"]),
    "nan": (lambda: LAW(NAN), ValueError, ["v is NaN", "finite"]),
    "nan in an array": (lambda: LAW([1.0, NAN]), ValueError, ["v[1] is NaN", "v[np.isfinite(v)]"]),
    "nan in a slope": (lambda: stiction.Linear(mu=0.3, width=0.1).slope([NAN]), ValueError, ["v[0] is NaN"]),
    "nan as demand": (lambda: LAW([0.1], NAN), ValueError, ["demand is NaN"]),
    "nan as state": (lambda: LAW([0.1, 0.2], 0.0, [0.0, NAN]), ValueError, ["z[1] is NaN"]),
    "infinity": (lambda: LAW(-INF), ValueError, ["v is -inf", "finite"]),
    "infinity in an array": (lambda: LAW(np.r_[np.zeros(20000), INF, NAN]), ValueError, ["v[20000] is inf"]),
    "shapes": (lambda: LAW([1.0, 2.0], [1.0, 2.0, 3.0]), ValueError, ["v (2,)", "demand (3,)", "one shape"]),
    "a number as twist": (lambda: DISC.wrench(1.0), TypeError, ["twists", "row of three", "omega"]),
    "two numbers as twist": (lambda: DISC.wrench([1.0, 2.0]), ValueError, ["(2,)", "(…, 3)", "column_stack"]),
    "columns as rows": (lambda: DISC.wrench(np.zeros((3, 4))), ValueError, ["(3, 4)", "(…, 3)"]),
    "nothing as twists": (lambda: DISC.wrench([]), ValueError, ["(0,)", "(…, 3)"]),
    "nan as twist": (lambda: DISC.wrench([[0, 0, 1], [1, NAN, 0]]), ValueError, ["twists[1]", "isfinite(twists).all(axis=-1)"]),
    "infinite twist": (lambda: DISC.jacobian([INF, 0.0, 1.0]), ValueError, ["twists[0] is inf"]),
    "infinite wrench": (lambda: DISC.limit([INF, 0.0, 1.0]), ValueError, ["wrenches[0] is inf"]),
    "twists with one unit": (lambda: DISC.wrench([1, 2, 3] * UREG.m), TypeError, ["twists", "without units"]),
    "no points": (lambda: LAW.grid(0), ValueError, ["n = 0", "2 to"]),
    "fewer than no points": (lambda: LAW.grid(-1), ValueError, ["n = -1"]),
    "points without end": (lambda: LAW.grid(10**18), ValueError, ["2 to"]),
    "half a point": (lambda: LAW.grid(2.5), TypeError, ["integer"]),
    "a surface without end": (lambda: DISC.limit_surface(10**9, 10**9), ValueError, ["2 × 3"]),
    "a surface of fewer than none": (lambda: DISC.limit_surface(-1, 3), ValueError, ["-1 × 3"]),
    "no ratio": (lambda: DISC.curve([NAN]), ValueError, ["ratio", "finite"]),
    "no direction": (lambda: DISC.curve(direction=INF), ValueError, ["direction", "finite"]),
    "points in space": (lambda: DISC.pressure_at([1, 2, 3]), ValueError, ["points", "(…, 2)"]),
    "half a twist": (lambda: DISC.pressure_at([0, 0], [1, 2]), ValueError, ["twist", "(3,)", "omega"]),
}

OBJECTS: dict[str, Wrong] = {
    "an unknown parameter": (lambda: stiction.Linear(mu=0.3, widht=0.1), TypeError, ["Linear", "widht", "did you mean width?"]),
    "a parameter by place": (lambda: stiction.Linear(0.3, 0.1), TypeError, ["by name", "Linear(mu=…, width=…)"]),
    "a missing parameter": (lambda: stiction.Linear(mu=0.3), TypeError, ["needs width", "help("]),
    "none of a parameter": (lambda: stiction.Linear(mu=None, width=0.1), stiction.ScenarioError, ["mu is missing"]),
    "negative and zero": (lambda: stiction.Linear(mu=-0.3, width=0), stiction.ScenarioError, ["linear.mu: -0.3", "linear.width: 0", "positive"]),
    "nan": (lambda: stiction.Linear(mu=NAN, width=0.1), stiction.ScenarioError, ["mu", "finite"]),
    "infinity": (lambda: stiction.Linear(mu=INF, width=0.1), stiction.ScenarioError, ["mu: inf", "finite"]),
    "a huge integer": (lambda: stiction.Linear(mu=10**400, width=0.1), stiction.ScenarioError, ["mu", "finite"]),
    "text": (lambda: stiction.Linear(mu="big", width=0.1), stiction.ScenarioError, ["mu", "number"]),
    "truth": (lambda: stiction.Linear(mu=True, width=0.1), stiction.ScenarioError, ["mu", "number"]),
    "a list": (lambda: stiction.Linear(mu=[0.3], width=0.1), stiction.ScenarioError, ["mu", "number"]),
    "complex": (lambda: stiction.Linear(mu=1j, width=0.1), TypeError, ["mu", "complex"]),
    "an unknown word": (lambda: stiction.Disc(radius=0.1, pressure="flat"), stiction.ScenarioError, ["flat", "galin, hertz, uniform"]),
    "a class": (lambda: stiction.Oscillator(mass=1.0, friction=stiction.Coulomb), TypeError, ["friction", "class Coulomb", "Coulomb(…)"]),
    "a class as system": (lambda: stiction.Scenario(system=stiction.Oscillator), TypeError, ["system", "class", "call it"]),
    "a patch as law": (lambda: stiction.Contact(law=DISC), TypeError, ["law is a Disc", "Law"]),
    "a contact as law": (lambda: stiction.Contact(law=stiction.Contact(law=LAW, viscous=2.0)), TypeError, ["law is a Contact"]),
    "a law as patch": (lambda: stiction.Body(mass=1.0, inertia=1.0, patch=LAW), TypeError, ["patch is a Tanh"]),
    "a list in itself": (lambda: stiction.Matrices(mass=LOOP), ValueError, ["mass", "contain itself"]),
    "no pieces": (lambda: stiction.Pieces(pieces=[]), stiction.ScenarioError, ["pieces", "at least 1"]),
    "two corners": (lambda: stiction.Polygon(vertices=[[0, 0], [1, 1]]), stiction.ScenarioError, ["vertices", "at least 3"]),
    "half a corner": (lambda: stiction.Polygon(vertices=[[0, 0], [1, 1], [2]]), stiction.ScenarioError, ["vertices.2"]),
    "a replaced parameter that is none": (lambda: LAW.replace(x=1), TypeError, ["Tanh", "x", "mu, width"]),
}

SCENARIOS: dict[str, Wrong] = {
    "no system": (lambda: stiction.Scenario.from_dict({}), stiction.ScenarioError, ["system is missing"]),
    "a number as system": (lambda: stiction.Scenario(system=3), stiction.ScenarioError, ["system: 3", "table"]),
    "a law as system": (lambda: stiction.Scenario(system=LAW), TypeError, ["system is a Tanh", "Oscillator, Matrices, Chain, Beam, Plate, Body"]),
    "no mass": (lambda: stiction.Scenario(system=stiction.Matrices(mass=[]), analysis=AFTER), stiction.ScenarioError, ["mass: empty"]),
    "a dict in itself": (lambda: stiction.Scenario.from_dict(OWN), ValueError, ["contain itself"]),
    "a number as key": (lambda: stiction.Scenario.from_dict({1: 1}), TypeError, ["key", "int", "texts"]),
    "a surrogate": (lambda: stiction.Scenario(system=MASS, analysis=AFTER, title="\ud800"), ValueError, ["title", "UTF-8"]),
    "a surrogate as key": (lambda: stiction.Scenario.from_dict({"\ud800": 1}), ValueError, ["UTF-8"]),
    "a huge integer": (lambda: stiction.Scenario(system=MASS, analysis=stiction.Transient(samples=10**30)), stiction.ScenarioError, ["samples", "whole number"]),
    "samples without end": (lambda: stiction.Scenario(system=MASS, analysis=AFTER.replace(samples=10**15)), stiction.ScenarioError, ["samples", "1000000"]),
    "an unknown key": (lambda: stiction.load(DECAY, {"widht": 1.0}), stiction.ScenarioError, ["widht", "whole path"]),
    "a negative override": (lambda: stiction.load(DECAY, {"mass": -1.0}), stiction.ScenarioError, ["mass: -1", "set  mass = -1.0"]),
    "an object as override": (lambda: stiction.load(DECAY, {"mass": object()}), TypeError, ["object", "numbers"]),
    "a number as overridden key": (lambda: stiction.load(DECAY, {3: 1}), TypeError, ["key", "texts"]),
    "overrides as text": (lambda: stiction.load(DECAY, "mu=0.3"), TypeError, ["dict"]),
    "a patch": (lambda: stiction.run(DISC), TypeError, ["patch", "wrench()"]),
    "a law": (lambda: stiction.run(LAW), TypeError, ["Tanh is not a scenario", "friction="]),
    "a system": (lambda: stiction.run(MASS), TypeError, ["Oscillator is not a scenario", "system=Oscillator"]),
    "a number": (lambda: stiction.run(3), TypeError, ["int"]),
    "numbers": (lambda: stiction.run([3]), TypeError, ["int"]),
    "progress that is none": (lambda: stiction.run([], 3), TypeError, ["progress", "callable"]),
    "a missing file": (lambda: stiction.run("nothing.toml"), FileNotFoundError, ["nothing.toml"]),
    "a directory": (lambda: stiction.load(ROOT), IsADirectoryError, [str(ROOT)]),
    "an unknown schema": (lambda: stiction.schema("law"), ValueError, ["law", "scenario or patch"]),
    "an unknown paper": (lambda: stiction.papers("paper-x"), ValueError, ["paper-x", "did you mean"]),
    "an unknown law": (lambda: stiction.compare(DECAY, ["tanhh"]), ValueError, ["tanhh", "did you mean tanh?"]),
    "one law": (lambda: stiction.compare(DECAY, "tanh"), TypeError, ["laws=['tanh']"]),
    "a number as law": (lambda: stiction.compare(DECAY, [3]), TypeError, ["laws", "texts"]),
    "a negative width": (lambda: stiction.compare(DECAY, widths=[-1.0]), ValueError, ["widths: -1", "positive"]),
    "nothing to compare": (lambda: stiction.compare(ROOT / "examples/mass_on_belt.toml"), stiction.ScenarioError, ["set-valued"]),
    "a body to compare": (lambda: stiction.tune(ROOT / "examples/spinning_disc.toml", 0.1), stiction.ScenarioError, ["system on lines"]),
    "a negative tolerance": (lambda: stiction.tune(DECAY, -1.0), stiction.ScenarioError, ["tolerance: -1", "positive"]),
    "an unknown criterion": (lambda: stiction.tune(DECAY, 1.0, "x"), ValueError, ["x", "trajectory"]),
    "a number as criterion": (lambda: stiction.tune(DECAY, 1.0, 3), TypeError, ["criterion", "text"]),
}

ALL = {f"{group}: {name}": wrong for group, table in (("arrays", ARRAYS), ("objects", OBJECTS), ("scenarios", SCENARIOS)) for name, wrong in table.items()}


@pytest.mark.parametrize("name", ALL)
def test_what_is_wrong_is_said_with_the_way_out(name: str) -> None:
    wrong, kind, words = ALL[name]
    with pytest.raises(kind) as caught:
        wrong()
    for word in words:
        assert word in str(caught.value), f"{word!r} is not in\n{caught.value}"


def test_an_outcome_names_its_columns_and_facts() -> None:
    outcome = stiction.run(DECAY)
    with pytest.raises(KeyError, match="positon; did you mean position"):
        outcome["positon"]
    with pytest.raises(KeyError, match="positon_max; did you mean position_max"):
        outcome.facts["positon_max"]
    with pytest.raises(ValueError, match=r"\.txt\nhint: \.svg"):
        outcome.save("outcome.txt")


def test_an_error_in_a_file_is_shown_with_its_line(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.toml"
    wrong.write_text(DECAY.read_text(encoding="utf-8").replace("mass = 1.0", "mass = -1.0\ncolour = 3"), encoding="utf-8")
    with pytest.raises(stiction.ScenarioError) as caught:
        stiction.load(wrong)
    found = {fault.key: fault.place for fault in caught.value.diagnostics}
    assert found == {"system.oscillator.mass": f"{wrong}:5  mass = -1.0", "system.oscillator.colour": f"{wrong}:6  colour = 3"}
    wrong.write_text("[system.oscillator]\nmass = = 1\n", encoding="utf-8")
    with pytest.raises(stiction.ScenarioError, match=r"wrong\.toml:2"):
        stiction.run(wrong)
    wrong.write_bytes(b"\x7fELF\xff\xfe\x00")
    with pytest.raises(ValueError, match="not text in UTF-8"):
        stiction.load(wrong)
    wrong.write_text("")
    with pytest.raises(stiction.ScenarioError, match="system is missing"):
        stiction.load(wrong)


def test_errors_survive_pickling() -> None:
    with pytest.raises(stiction.ScenarioError) as caught:
        stiction.Linear(mu=-1.0, width=-1.0)
    again = pickle.loads(pickle.dumps(caught.value))
    assert again.diagnostics == caught.value.diagnostics and str(again) == str(caught.value)
    run = stiction.RunError("stopped", "go on")
    assert str(pickle.loads(pickle.dumps(run))) == "stopped\nhint: go on"


def test_a_run_that_fails_says_which_of_the_list_it_was() -> None:
    hard = stiction.load(ROOT / "examples/mass_on_belt.toml").set({"integrator": {"adaptive": {"max_steps": 10}}})
    with pytest.raises(stiction.RunError, match="max_steps|steps"):
        hard.run()
    with pytest.raises(stiction.RunError, match="scenario 1 of the list"):
        stiction.run([stiction.load(DECAY), hard, hard])


def test_quantities_with_units_are_converted() -> None:
    u: Any = astropy.units
    expected = stiction.Trigonometric(mu=0.3, width=0.003)
    for width in (3 * UREG.mm / UREG.s, 3 * u.mm / u.s, 0.3 * UREG.cm / UREG.s):
        assert stiction.Trigonometric(mu=0.3, width=width).width == pytest.approx(0.003, rel=1e-15)
    assert stiction.Trigonometric(mu=30 * UREG.percent, width=0.003).mu == pytest.approx(0.3, rel=1e-15)
    assert stiction.Trigonometric(mu=30 * u.percent, width=0.003).mu == pytest.approx(0.3, rel=1e-15)
    shaken = stiction.Oscillation(amplitude=[1, 2] * UREG.mm, omega=60 * UREG.rpm)
    assert shaken.amplitude == (0.001, 0.002) and shaken.omega == pytest.approx(2 * np.pi, rel=1e-12)
    assert stiction.Oscillation(amplitude=[1 * UREG.mm, 2 * u.m], omega=60 * u.deg / u.s).amplitude == (0.001, 2.0)
    assert expected(3 * UREG.mm / UREG.s) == expected(0.003) == expected(3 * u.mm / u.s)
    assert np.array_equal(expected(np.arange(3) * u.mm / u.s), expected(np.arange(3) * 1e-3))
    assert expected(0.1, 0.2 * UREG.dimensionless) == expected(0.1, 0.2)
    assert stiction.Dahl(mu=0.3, stiffness=1e3)(0.0, z=1 * UREG.um) == pytest.approx(1e-3, rel=1e-12)


def test_quantities_that_do_not_fit_are_refused_with_the_unit_that_does() -> None:
    u: Any = astropy.units
    for wrong in (3 * UREG.kg, 3 * u.kg):
        with pytest.raises(ValueError, match=r"width = 3.* k.*but its unit must be m/s"):
            stiction.Trigonometric(mu=0.3, width=wrong)
        with pytest.raises(ValueError, match=r"v = 3.* k.*but its unit must be m/s"):
            LAW(wrong)
    with pytest.raises(ValueError, match="mu = 30 meter"):
        stiction.Trigonometric(mu=30 * UREG.m, width=1.0)
    with pytest.raises(TypeError, match="weakening carries a unit"):
        stiction.Stribeck(mu=0.3, mu_static=0.5, velocity=0.1, width=0.01, weakening=3 * UREG.m)
    # for pint 1 Hz is 1 rad/s
    with pytest.raises(ValueError, match=r"omega.*rad/s\nhint: multiply a frequency by 2π rad"):
        stiction.Load(amplitude=1.0, omega=1 * UREG.kHz)
    with pytest.raises(ValueError, match=r"omega.*unit must be rad/s"):
        stiction.Load(amplitude=1.0, omega=1 * u.Hz)
