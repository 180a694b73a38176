"""Models from arrays, sparse matrices and files: the same scenario either way."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import stiction
from scipy import io, sparse

MASS = np.diag([2.0, 1.0, 3.0])
STIFFNESS = np.array([[3.0, -1.0, 0.0], [-1.0, 2.0, -1.0], [0.0, -1.0, 4.0]])
FRICTION = stiction.Contact(law=stiction.Coulomb(mu=0.3), dof=2)
FORCE = stiction.Load(amplitude=1.0, omega=0.7, dof=0)


def position(mass: Any, stiffness: Any, damping: Any = None) -> Any:
    system = stiction.Matrices(mass=mass, stiffness=stiffness, damping=damping, friction=FRICTION, force=FORCE)
    scenario = stiction.Scenario(system=system, analysis=stiction.Transient(periods=2))
    assert pickle.loads(pickle.dumps(scenario)) == scenario
    assert hash(system) == hash(pickle.loads(pickle.dumps(system)))
    return scenario.run()["position_2"]


def test_every_form_of_a_matrix_moves_alike(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    expected = position(MASS, STIFFNESS)
    io.mmwrite("m.mtx", sparse.coo_array(MASS))
    io.mmwrite("k.mtx", sparse.coo_array(STIFFNESS), symmetry="symmetric")
    sparse.save_npz("k.npz", sparse.csr_matrix(STIFFNESS))
    np.savetxt("k.txt", STIFFNESS)
    np.savetxt("k.csv", STIFFNESS, delimiter=",")
    for mass, stiffness in [
        ([2.0, 1.0, 3.0], STIFFNESS.tolist()),
        (sparse.csr_matrix(MASS), sparse.csc_array(STIFFNESS)),
        ("m.mtx", "k.mtx"),
        (Path("m.mtx"), Path("k.npz")),
        ({"file": "m.mtx"}, {"file": "k.csv"}),
        (MASS, tmp_path / "k.txt"),
    ]:
        assert np.array_equal(position(mass, stiffness), expected), stiffness
    tree = {"mass": sparse.coo_matrix(MASS), "stiffness": STIFFNESS, "friction": FRICTION, "force": FORCE}
    outcome = stiction.run({"system": {"matrices": tree}, "analysis": {"transient": {"periods": 2}}})
    assert np.array_equal(outcome["position_2"], expected)


def test_a_file_is_found_again_from_another_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    io.mmwrite(tmp_path / "k.mtx", sparse.coo_array(STIFFNESS))
    file = tmp_path / "model.toml"
    file.write_text("[system.matrices]\nmass = [2, 1, 3]\nstiffness.file = 'k.mtx'\n[analysis.transient]\nduration = 1\n", encoding="utf-8")
    scenario = stiction.load(file)
    (tmp_path / "below").mkdir()
    scenario.save(tmp_path / "below/saved.toml")
    assert stiction.load(tmp_path / "below/saved.toml") == scenario
    monkeypatch.chdir(tmp_path / "below")
    assert pickle.loads(pickle.dumps(scenario)) == scenario


def test_damping_by_the_modes_and_of_rayleigh() -> None:
    rayleigh = position(MASS, STIFFNESS, {"rayleigh": {"alpha": 0.1, "beta": 0.05}})
    assert np.allclose(rayleigh, position(MASS, STIFFNESS, 0.1 * MASS + 0.05 * STIFFNESS), rtol=0, atol=1e-12)
    modal = position(MASS, STIFFNESS, {"modal": 0.05})
    assert np.array_equal(modal, position(MASS, STIFFNESS, {"modal": [0.05, 0.05, 0.05]}))


def test_a_matrix_that_is_none_is_refused_with_its_name() -> None:
    with pytest.raises(ValueError, match=r"mass has the shape \(2, 3\)"):
        stiction.Matrices(mass=sparse.csr_matrix((2, 3)))
    with pytest.raises(TypeError, match="mass is of dtype complex128"):
        stiction.Matrices(mass=sparse.csr_matrix(1j * MASS))
    with pytest.raises(stiction.ScenarioError, match="no-such.mtx"):
        position("no-such.mtx", STIFFNESS)


def test_generators_make_nodes() -> None:
    beam = stiction.Beam(elements=8, length=1.0, young=1.0, inertia=1.0, density=1.0, area=1.0, friction=stiction.Contact(law=stiction.Coulomb(mu=0.3), node=8))
    with pytest.raises(stiction.ScenarioError, match="support"):
        stiction.Scenario(system=beam.replace(force=stiction.Load(constant=1.0, node=0)), analysis=stiction.Transient(duration=1.0))
    chain = stiction.Chain(masses=4, mass=1.0, stiffness=1.0, friction=stiction.Contact(law=stiction.Coulomb(mu=0.3), belt=0.1, node="all"))
    outcome = stiction.Scenario(system=chain, analysis=stiction.Transient(duration=1.0)).run()
    assert [name for name in outcome if name.startswith("friction")] == [f"friction_{i}" for i in range(4)]
