"""Laws of the reader's own."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pytest

import stiction


def on_belt(law: stiction.Law, duration: float = 60.0) -> stiction.Scenario:
    block = stiction.Oscillator(mass=1.0, stiffness=1.0, friction=stiction.Contact(law=law, belt=0.2))
    return stiction.Scenario(
        system=block,
        integrator=stiction.Adaptive(rtol=1e-12, atol=1e-14),
        analysis=stiction.Transient(duration=duration),
    )


def hyperbola(v: float) -> float:
    return math.copysign(1.0 / (1.0 + 3.0 * abs(v)), v)


def period(outcome: stiction.Outcome) -> float:
    slips = [event.t for event in outcome.events if event.kind == "slip"]
    return slips[-1] - slips[-2]


def test_a_function_moves_as_its_formula() -> None:
    laws = [stiction.CustomLaw(hyperbola), stiction.Expression(phi="sign(v)/(1 + 3*abs(v))")]
    assert [law.graph for law in laws] == ["set-valued"] * 2
    for law in laws:
        found = period(stiction.run(on_belt(law)))
        assert abs(found - 12.00103129483057865) < 1e-9, law
    v = np.linspace(-2, 2, 9)
    np.testing.assert_allclose(laws[0](v), laws[1](v), rtol=1e-15, atol=0)
    np.testing.assert_allclose(laws[0].slope(v[v != 0]), laws[1].slope(v[v != 0]), rtol=1e-8)


def test_a_polyline_from_python_is_exact() -> None:
    curve = stiction.Polyline(velocities=[0.0, 1.0], coefficients=[0.3, 0.3])
    runs = []
    for law in (curve, stiction.Coulomb(mu=0.3)):
        block = stiction.Oscillator(mass=1.0, stiffness=1.0, friction=law, initial=stiction.Initial(position=1.0))
        runs.append(stiction.run(stiction.Scenario(system=block, analysis=stiction.Transient(duration=20.0))))
    np.testing.assert_allclose(runs[0]["position"], runs[1]["position"], atol=1e-14)


def test_what_a_function_raises_is_raised() -> None:
    def fails(v: float) -> float:
        if abs(v) == 10.0 or abs(v) < 1e-6:
            return math.copysign(0.3, v)
        if 0.05 < abs(v) < 0.051:
            raise ZeroDivisionError("my own fault")
        return math.copysign(0.3, v)

    law = stiction.CustomLaw(fails)
    with pytest.raises(ZeroDivisionError, match="my own fault"):
        law(0.0505)
    with pytest.raises(ZeroDivisionError, match="my own fault"):
        stiction.run(
            stiction.Scenario(
                system=stiction.Oscillator(mass=1.0, stiffness=1.0, friction=law, initial=stiction.Initial(position=1.0)),
                analysis=stiction.Transient(duration=20.0),
            )
        )
    # the next run is not blamed
    assert law(1.0) == 0.3


def test_a_function_that_is_no_law_is_refused() -> None:
    with pytest.raises(ValueError, match=r"gives NaN at v = "):
        stiction.CustomLaw(lambda v: math.nan)
    with pytest.raises(RuntimeError, match="at once"):

        def raises(v: float) -> float:
            raise RuntimeError("at once")

        stiction.CustomLaw(raises)
    with pytest.raises(ValueError, match="would push"):
        stiction.CustomLaw(lambda v: 0.3)
    with pytest.raises(TypeError):
        stiction.CustomLaw(lambda v: "text")  # type: ignore[arg-type, return-value]
    with pytest.raises(TypeError, match="function of v"):
        stiction.CustomLaw(0.3)  # type: ignore[arg-type]


def test_a_custom_law_stays_in_its_process() -> None:
    law = stiction.CustomLaw(hyperbola, name="mine")
    scenario = on_belt(law, 1.0)
    assert scenario.system.friction.law is law
    with pytest.raises(TypeError, match="cannot be sent"):
        pickle.dumps(law)
    with pytest.raises(stiction.ScenarioError, match="only the program"):
        stiction.Scenario.from_dict({"system": {"oscillator": {"mass": 1.0, "friction": {"custom": {"name": "unknown"}}}}})


def test_formulas_are_refused_with_their_place() -> None:
    with pytest.raises(stiction.ScenarioError, match=r"▸w◂\), column 10"):
        stiction.Expression(phi="1/(1 + 3*w)")
    law = stiction.Expression(phi="a*sign(v)", parameters={"a": 0.3})
    assert hash(law) == hash(law.replace(scale=1.0))
    assert law.replace(parameters={"a": 0.5})(1.0) == 0.5
