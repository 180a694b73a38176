"""Objects are values: equal when their parameters are, immutable, copied and sent elsewhere whole."""

from __future__ import annotations

import copy
import math
import pickle
from dataclasses import FrozenInstanceError

import numpy as np
import pytest
import stiction
from conftest import EXAMPLES, LAWS, PATCHES, PATCH_FILES, named
from stiction._base import Model

WHOLE = [stiction.load(path) for path in EXAMPLES]
OBJECTS: list[Model] = [
    *LAWS,
    *PATCHES,
    *(stiction.load(path) for path in PATCH_FILES),
    *(part for scenario in WHOLE for part in (scenario.system, scenario.integrator, scenario.analysis) if part is not None),
    stiction.Contact(law=LAWS[0], viscous=0.1, load=2.0, belt=0.1, dof=1),
    stiction.Load(amplitude=1.0, omega=2.0, direction=[1, 0]),
    stiction.Force(constant=np.array([1.0, 2.0]), axes="body"),
    stiction.InnerMass(mass=1.0, path=[stiction.Oscillation(amplitude=[0.1, 0.0], omega=3.0)]),
    stiction.Response(parameter="omega", from_=0.2, to=2.0),
    stiction.Steady(starts=[stiction.Start(position=[0.0], velocity=[1.0])]),
]
each_object = pytest.mark.parametrize("value", OBJECTS, ids=named)


@each_object
def test_what_is_written_evaluates_to_an_equal_object(value: Model) -> None:
    again = eval(repr(value), vars(stiction))
    assert again == value and type(again) is type(value) and hash(again) == hash(value)


@each_object
@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_an_object_survives_pickling(value: Model, protocol: int) -> None:
    again = pickle.loads(pickle.dumps(value, protocol))
    assert again == value and type(again) is type(value) and hash(again) == hash(value)


@each_object
def test_copies_are_equal(value: Model) -> None:
    assert copy.copy(value) == value and copy.deepcopy(value) == value and value.replace() == value


def test_objects_differ_where_a_parameter_or_the_kind_does() -> None:
    law = stiction.Linear(mu=0.3, width=0.1)
    assert law.replace(mu=0.4) == stiction.Linear(mu=0.4, width=0.1) != law
    assert law != stiction.Trigonometric(mu=0.3, width=0.1) and law != law.to_dict()
    assert len({law, law.replace(), law.replace(width=0.2), *LAWS}) == 2 + len(LAWS)


def test_an_object_cannot_be_changed() -> None:
    law = stiction.Linear(mu=0.3, width=0.1)
    with pytest.raises(FrozenInstanceError):
        law.mu = 0.4  # type: ignore[misc]
    given = np.array([1.0, 2.0])
    load = stiction.Load(amplitude=1.0, omega=1.0, direction=given)
    given[0] = 5.0
    assert load.direction == (1.0, 2.0)


def test_arrays_lists_and_numpys_numbers_make_the_same_object() -> None:
    lists = stiction.Matrices(mass=[1.0, 2.0], stiffness=[[2.0, -1.0], [-1.0, 1.0]])
    arrays = stiction.Matrices(mass=np.array([1.0, 2.0]), stiffness=np.array([[2.0, -1.0], [-1.0, 1.0]]))
    assert lists == arrays and hash(lists) == hash(arrays)
    assert stiction.Linear(mu=np.float32(0.5), width=np.int64(1)) == stiction.Linear(mu=0.5, width=1)


def test_dicts_inside_objects_become_objects() -> None:
    block = stiction.Oscillator(
        mass=1.0, force={"amplitude": 1.0, "omega": 2.0}, friction=[{"coulomb": {"mu": 0.3}, "load": 2.0}], initial={"position": 1.0}
    )
    assert block.force == stiction.Load(amplitude=1.0, omega=2.0)
    assert block.friction == (stiction.Contact(law=stiction.Coulomb(mu=0.3), load=2.0),)
    assert block.initial == stiction.Initial(position=1.0)
    body = stiction.Body(mass=1.0, inertia=1.0, patch={"shape": {"disc": {"radius": 0.1}}, "mu": 0.2})
    assert body.patch == stiction.Disc(radius=0.1, mu=0.2)


@pytest.mark.parametrize("scenario", WHOLE, ids=[path.stem for path in EXAMPLES])
def test_a_scenario_is_a_value_too(scenario: stiction.Scenario) -> None:
    again = pickle.loads(pickle.dumps(scenario))
    assert again == scenario == copy.deepcopy(scenario) and hash(again) == hash(scenario)
    assert eval(repr(scenario), vars(stiction)) == scenario
    assert scenario.set({"title": "another"}) != scenario


def test_an_angle_may_be_given_in_degrees() -> None:
    def force(**phase: float) -> stiction.Oscillator:
        load = stiction.Load(amplitude=1.0, omega=1.0, **phase)
        return stiction.Oscillator(mass=1.0, stiffness=1.0, force=load, friction=stiction.Coulomb(mu=0.2))

    def end(system: stiction.Oscillator) -> float:
        return float(stiction.run(stiction.Scenario(system=system)).facts["position_max"])

    assert end(force(phase_deg=30.0)) == pytest.approx(end(force(phase=math.pi / 6)), rel=1e-12)
    assert end(force(phase_deg=30.0)) != end(force())
    with pytest.raises(stiction.ScenarioError, match="given beside phase"):
        end(force(phase=1.0, phase_deg=30.0))
