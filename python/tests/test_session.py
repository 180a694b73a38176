"""Sessions: inputs from step to step, states saved and restored, runs that go on."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
import stiction

BLOCK = stiction.Oscillator(
    mass=1.0,
    damping=0.1,
    stiffness=1.0,
    friction=stiction.Coulomb(mu=0.5, mu_static=0.6),
)
LUGRE = stiction.Lugre(mu=0.3, mu_static=0.4, velocity=0.1, stiffness=1e3, damping=10.0)


def test_a_session_led_along_a_table_is_the_run_with_that_table() -> None:
    times, values = [0.0, 1.0, 2.0, 2.5, 6.0, 9.0, 20.0], [0.0, 2.0, 2.0, -1.5, 1.8, 0.0, 0.0]
    table = {"times": times, "values": values}
    tabled = stiction.Oscillator(**{**BLOCK.to_dict()["oscillator"], "force": {"table": table}})
    outcome = stiction.run(stiction.Scenario(system=tabled, analysis=stiction.Transient(duration=20.0)))
    session = stiction.Session(BLOCK, inputs={"push": ("load", 0)})
    events = []
    for t, value in zip(times[1:], values[1:], strict=True):
        session.lead(push=value)
        session.advance(t)
        events += session.events
    assert session.t == 20.0
    assert abs(session.position[0] - outcome["position"][-1]) < 1e-11
    assert [event.kind for event in events] == [event.kind for event in outcome.events]


@pytest.mark.parametrize("law", [stiction.Coulomb(mu=0.5, mu_static=0.6), LUGRE], ids=["exact", "adaptive"])
def test_a_restored_session_goes_on_bit_by_bit(law: stiction.Law) -> None:
    system = stiction.Oscillator(mass=1.0, stiffness=1.0, friction=law, force=stiction.Load(amplitude=1.0, omega=0.5))
    session = stiction.Session(system, inputs={"push": ("load", [1.0])})

    def lead(session: stiction.Session, i: int) -> None:
        (session.set if i % 2 else session.lead)(push=0.3 * math.sin(i))
        session.advance(0.4 * (i + 1))

    for i in range(5):
        lead(session, i)
    # states are plain numbers
    saved = json.loads(json.dumps(session.state))
    for i in range(5, 12):
        lead(session, i)
    other = stiction.Session(system, inputs={"push": ("load", [1.0])})
    other.restore(saved)
    for i in range(5, 12):
        lead(other, i)
    assert other.state == session.state and np.array_equal(other.position, session.position)


def test_what_a_session_cannot_do_is_said() -> None:
    session = stiction.Session(BLOCK, inputs={"push": ("load", 0)})
    with pytest.raises(TypeError, match="no input is called pull"):
        session.set(pull=1.0)
    with pytest.raises(stiction.RunError, match="does not go back"):
        session.advance(-1.0)
    with pytest.raises(ValueError, match="no input acts on weight"):
        stiction.Session(BLOCK, inputs={"push": ("weight", 0)})
    with pytest.raises(ValueError, match="degree of freedom 1, but they are 0 to 0"):
        stiction.Session(BLOCK, inputs={"push": ("load", 1)})
    with pytest.raises(TypeError, match="load"):
        stiction.Session(BLOCK, inputs={"push": 3})  # type: ignore[dict-item]
    steady = stiction.load("examples/pid_limit_cycle.toml")
    assert isinstance(steady, stiction.Scenario)
    with pytest.raises(ValueError, match="transient"):
        stiction.Session(steady)


def test_a_run_goes_on_from_the_end_of_another() -> None:
    system = stiction.Oscillator(mass=1.0, stiffness=1.0, friction=LUGRE, force=stiction.Load(amplitude=1.0, omega=0.5))

    def scenario(duration: float) -> stiction.Scenario:
        tight = stiction.Adaptive(rtol=1e-9, atol=1e-11)
        return stiction.Scenario(system=system, integrator=tight, analysis=stiction.Transient(duration=duration))

    first = stiction.run(scenario(6.0))
    assert first.end["time"] == 6.0 and first.end["states"] == [first["deflection"][-1]]
    second = stiction.run(scenario(14.0).set({"system.oscillator.initial": first.end}))
    whole = stiction.run(scenario(20.0))
    assert abs(second["position"][-1] - whole["position"][-1]) < 1e-7
    assert second.end["time"] == 20.0


def test_a_state_of_another_system_is_refused() -> None:
    inputs = {"push": ("load", 0)}
    saved = stiction.Session(BLOCK, inputs=inputs).state
    table = BLOCK.to_dict()["oscillator"]
    # where it begins does not matter
    stiction.Session(stiction.Oscillator(**{**table, "initial": {"position": 2.0}}), inputs=inputs).restore(saved)
    others = [
        stiction.Session(stiction.Oscillator(**{**table, "mass": 2.0}), inputs=inputs),
        stiction.Session(stiction.Oscillator(**{**table, "friction": stiction.Coulomb(mu=0.5)}), inputs=inputs),
        stiction.Session(BLOCK, inputs={"push": ("belt", 0)}),
    ]
    for other in others:
        before = other.state
        with pytest.raises(ValueError, match="belongs to another system"):
            other.restore(saved)
        assert other.state == before
    with pytest.raises(ValueError, match="belongs to another system"):
        stiction.Session(BLOCK, inputs=inputs).restore({k: v for k, v in saved.items() if k != "system"})  # type: ignore[typeddict-item]
