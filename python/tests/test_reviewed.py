"""What first users stumbled over."""

import copy
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd
import pint
import pytest

import stiction

BLOCK = stiction.Oscillator(mass=1.0, stiffness=1.0, friction=stiction.Coulomb(mu=0.3), initial=stiction.Initial(position=2.0))
DECAY = stiction.Scenario(system=BLOCK, integrator=stiction.Exact(), analysis=stiction.Transient(duration=10.0, samples=11))


def test_a_load_inside_the_law_of_a_contact_is_not_lost():
    with pytest.raises(TypeError, match="one law"):
        stiction.Contact(law={"tanh": {"mu": 0.3, "width": 0.1}, "load": 20.0})


def test_a_load_of_zero_is_the_weight_under_a_body_and_nothing_else():
    disc = stiction.Disc(radius=0.1, mu=0.3, load=0.0)
    with pytest.raises(ValueError, match="load = 0"):
        disc.wrench([1.0, 0.0, 0.0])
    body = stiction.Body(mass=1.0, inertia=0.005, patch=disc, velocity=[1.0, 0.0])
    bare = body.replace(patch=disc.replace(load=None))
    assert stiction.Scenario(system=body).run().facts == stiction.Scenario(system=bare).run().facts
    assert stiction.Disc(radius=0.1, mu=0.3).wrench([1.0, 0.0, 0.0])[0] == -0.3


def test_tables_are_compared_by_their_columns():
    found = stiction.compare(DECAY, laws=["tanh", "linear"], widths=[0.1, 0.01])
    assert copy.deepcopy(found) == found
    assert found != stiction.compare(DECAY, laws=["tanh", "linear"], widths=[0.1, 0.02])


def test_threads_may_save_to_one_path(tmp_path):
    outcome = DECAY.run()
    path = tmp_path / "race.csv"
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: outcome.save(path), range(40)))
    outcome.save(tmp_path / "one.csv")
    assert path.read_bytes() == (tmp_path / "one.csv").read_bytes()
    assert sorted(file.name for file in tmp_path.iterdir()) == ["one.csv", "one.scenario.toml", "race.csv", "race.scenario.toml"]


def test_events_are_saved_as_the_command_line_does(tmp_path):
    outcome = DECAY.run()
    outcome.save(tmp_path / "a.events.csv")
    head, *rows = (tmp_path / "a.events.csv").read_text().splitlines()
    assert head == "t,contact,kind" and len(rows) == len(outcome.events) > 0


def test_a_missing_directory_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match="there is no directory"):
        DECAY.run().save(tmp_path / "none" / "a.csv")


def test_series_and_frames_are_arrays():
    of_series = stiction.Matrices(mass=pd.Series([1.0, 2.0]), stiffness=pd.DataFrame([[2.0, -1.0], [-1.0, 1.0]]))
    assert of_series == stiction.Matrices(mass=[1.0, 2.0], stiffness=[[2.0, -1.0], [-1.0, 1.0]])


def test_widths_and_tolerances_are_numbers_or_quantities():
    units = pint.UnitRegistry()
    plain = stiction.compare(DECAY, laws=["tanh"], widths=[0.1])
    assert stiction.compare(DECAY, laws=["tanh"], widths=np.array([100.0]) * units.mm / units.s) == plain
    assert stiction.compare(DECAY, laws=["tanh"], widths=0.1) == plain
    of = {"criterion": "trajectory", "laws": ["tanh"]}
    assert stiction.tune(DECAY, 10.0 * units.mm, **of) == stiction.tune(DECAY, 0.01, **of)
    with pytest.raises(TypeError, match="not text"):
        stiction.compare(DECAY, widths=["0.1"])
    with pytest.raises(TypeError, match="a list of texts"):
        stiction.compare(DECAY, laws=3)


def test_the_slope_of_a_law_with_memory_checks_its_demand():
    law = stiction.Lugre(mu=0.3, mu_static=0.5, velocity=0.1, stiffness=1e3, damping=10.0)
    with pytest.raises(TypeError, match="demand"):
        law.slope(0.1, demand="garbage")
    assert law.slope(0.1, demand=[0.0, 0.0]).shape == law(0.1, demand=[0.0, 0.0]).shape == (2,)


def test_a_long_key_is_refused():
    with pytest.raises(stiction.ScenarioError, match="parts"):
        DECAY.set({".".join(["system"] + ["a"] * 50_000): 1})


def test_progress_ends_with_one():
    reported = []
    stiction.run(DECAY, reported.append)
    stiction.run([DECAY, DECAY], reported.append)
    assert reported[-1] == 1.0 and reported.count(1.0) == 2
