"""A mistake of the package itself is an exception like any other, wherever it happens. A build with the feature `failpoints` panics on request."""

from __future__ import annotations

import pathlib
import pickle
import tempfile
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import stiction
from conftest import ROOT
from stiction import _core

LAW = _core.Law({"dahl": {"mu": 0.3, "stiffness": 100.0}})
DISC = {"shape": {"disc": {"radius": 0.1}}, "mu": 0.3, "load": 1.0}
PATCH = _core.Patch(DISC)
TREE = {
    "system": {"oscillator": {"mass": 1.0, "stiffness": 1.0, "friction": {"coulomb": {"mu": 0.3}}, "initial": {"position": 1.0}}},
    "analysis": {"transient": {"duration": 5.0, "samples": 11}},
}
STUDY = _core.Study(TREE)
TEXT = STUDY.toml()
OUTCOME = _core.run(STUDY)
(SECTION,) = _core.reproduce("paper-b", "fig-2")
(FIGURE, *_) = SECTION.figures()
PATCH_TEXT = (ROOT / "examples/patches/three_feet.toml").read_text()

SESSION = _core.Session(STUDY, [])
LOADED = _core.Session(STUDY, [("load", [0.0], 0.0, 1.0)])

SWEPT = {
    **TREE,
    "analysis": {"steady": {}},
    "system": {"oscillator": {**TREE["system"]["oscillator"], "force": {"amplitude": 1.0, "omega": 0.7}}},
    "sweep": {"over": [{"parameter": "mu", "values": [0.2, 0.3]}]},
}
SWEEP = _core.Sweep(_core.Study(SWEPT))
FOLDER = tempfile.mkdtemp()
SWEEP.run(FOLDER)
PART = (pathlib.Path(FOLDER) / "rows/part-000000.parquet").read_bytes()

CALLS: dict[str, Callable[[], Any]] = {
    "Law": lambda: _core.Law({"dahl": {"mu": 0.3, "stiffness": 100.0}}),
    "CustomLaw": lambda: _core.CustomLaw("own", lambda v: 0.1 * v, None, [], None, 1.0),
    "Law.coefficient": lambda: LAW.coefficient(0.1),
    "Law.slope": lambda: LAW.slope([0.1, 0.2]),
    "Law.z_dot": lambda: LAW.z_dot(0.1, 0.0),
    "Law.z_steady": lambda: LAW.z_steady(0.1),
    "Law.grid": lambda: LAW.grid(5),
    "Law.graph": lambda: LAW.graph,
    "Law.breakpoints": lambda: LAW.breakpoints,
    "Law.corners": lambda: LAW.corners,
    "Law.steepest": lambda: LAW.steepest,
    "Law.bound": lambda: LAW.bound,
    "Law.has_memory": lambda: LAW.has_memory,
    "Law.states": lambda: LAW.states,
    "Law.svg": LAW.svg,
    "Patch": lambda: _core.Patch(DISC),
    "Patch.wrench": lambda: PATCH.wrench([1.0, 0.0, 1.0]),
    "Patch.jacobian": lambda: PATCH.jacobian([1.0, 0.0, 1.0]),
    "Patch.power": lambda: PATCH.power([1.0, 0.0, 1.0]),
    "Patch.limit": lambda: PATCH.limit([1.0, 0.0, 0.0]),
    "Patch.tipping": lambda: PATCH.tipping,
    "Patch.facts": PATCH.facts,
    "Patch.curve": lambda: PATCH.curve(0.0),
    "Patch.deviations": PATCH.deviations,
    "Patch.limit_surface": lambda: PATCH.limit_surface(2, 3),
    "Patch.pressure": lambda: PATCH.pressure([0.0, 0.0, 0.0], [1.0, 0.0, 0.0]),
    "Study": lambda: _core.Study(TREE),
    "Study.read": lambda: _core.Study.read("a.toml", TEXT, []),
    "Study.set": lambda: STUDY.set([("mu", 0.2)]),
    "Study.tree": STUDY.tree,
    "Study.toml": STUDY.toml,
    "Session": lambda: _core.Session(STUDY, []),
    "Session.set": lambda: LOADED.set(0, 1.0),
    "Session.lead": lambda: LOADED.lead(0, 1.0),
    "Session.advance": lambda: SESSION.advance(SESSION.t),
    "Session.state": SESSION.state,
    "Session.restore": lambda: SESSION.restore(STATE),
    "Session.motion": SESSION.motion,
    "Session.events": SESSION.events,
    "Sweep": lambda: _core.Sweep(_core.Study(SWEPT)),
    "Sweep.run": lambda: SWEEP.run(FOLDER, True),
    "Sweep.begin": lambda: SWEEP.begin(FOLDER, True),
    "Sweep.part": lambda: SWEEP.part(0),
    "Sweep.write": lambda: SWEEP.write(FOLDER, 0),
    "Sweep.end": lambda: SWEEP.end(FOLDER),
    "Sweep.continues": lambda: SWEEP.continues("here", SWEEP.manifest(0, 0), True),
    "Sweep.failed": lambda: SWEEP.failed(0, PART),
    "Sweep.manifest": lambda: SWEEP.manifest(0, 0),
    "Sweep.refine": lambda: SWEEP.refine(FOLDER, "stops", 1e-3),
    "check_part": lambda: _core.check_part("here", SWEEP.manifest(0, 0), "rows/part-000000.parquet", PART),
    "dataset_manifest": lambda: _core.dataset_manifest(FOLDER),
    "dataset_numbers": lambda: _core.dataset_numbers(FOLDER, "mu"),
    "Outcome": lambda: pickle.loads(PICKLED),
    "Outcome.end": OUTCOME.end,
    "Outcome.facts": OUTCOME.facts,
    "Outcome.summary": OUTCOME.summary,
    "Outcome.provenance": OUTCOME.provenance,
    "Outcome.json": OUTCOME.json,
    "Outcome.csv": OUTCOME.csv,
    "Outcome.events_csv": OUTCOME.events_csv,
    "Outcome.svg": OUTCOME.svg,
    "Outcome.figure": lambda: OUTCOME.figure("png", 50.0, None, []),
    "Section.text": SECTION.text,
    "Section.checks": SECTION.checks,
    "Section.svg": lambda: SECTION.svg(FIGURE),
    "Section.png": lambda: SECTION.png(FIGURE, 50.0),
    "run": lambda: _core.run(STUDY),
    "run_all": lambda: _core.run_all([STUDY, STUDY]),
    "compare": lambda: _core.compare(STUDY, ["tanh"], [0.1]),
    "tune": lambda: _core.tune(STUDY, 0.1, "trajectory", ["tanh"]),
    "is_patch": lambda: _core.is_patch(""),
    "read_patch": lambda: _core.read_patch("a.toml", PATCH_TEXT, []),
    "reproduce": lambda: _core.reproduce("paper-b", "fig-2"),
    "criteria": _core.criteria,
    "papers": _core.papers,
    "schema": lambda: _core.schema("scenario"),
}
PICKLED = pickle.dumps(OUTCOME)
STATE = SESSION.state()
# what only hands over values that are there
PLAIN = {
    "Session.t",
    "Session.system",
    "Section",
    "Section.name",
    "Section.title",
    "Section.figures",
    "Sweep.part_name",
    "Sweep.part_rows",
    "Sweep.parts",
    "Sweep.hash",
    "Sweep.scenario",
    "Sweep.is_small",
    "Outcome.title",
    "Outcome.columns",
    "Outcome.events",
    "Outcome.warnings",
    "Outcome.work",
    "defaults",
    "facts",
    "lab_page",
    "laws",
}
# on threads of their own
WORK: dict[str, Callable[[], Any]] = {
    "an array": lambda: LAW.coefficient(np.zeros(100_000)),
    "rows": lambda: PATCH.wrench(np.ones((10_000, 3))),
    **{name: CALLS[name] for name in ("run", "run_all", "compare", "tune", "reproduce", "Patch.limit_surface", "Sweep.run", "Sweep.part", "Sweep.refine")},
}


def test_every_native_call_is_listed() -> None:
    found = set()
    for name, value in vars(_core).items():
        if name.startswith("_") or not callable(value):
            continue
        found.add(name)
        if isinstance(value, type):
            found |= {f"{name}.{attribute}" for attribute in vars(value) if not attribute.startswith("_")}
    assert found == CALLS.keys() | PLAIN


def raised(call: Callable[[], Any]) -> stiction.InternalError:
    with pytest.raises(stiction.InternalError) as caught:
        call()
    return caught.value


@pytest.mark.parametrize("name", CALLS)
def test_a_panic_is_an_internal_error(name: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("STICTION_PANIC", "border")
    error = raised(CALLS[name])
    assert isinstance(error, stiction.Error) and isinstance(error, Exception)
    assert "guard.rs:" in error.message and "please report it" in error.hint
    assert str(error) == f"internal error: {error.message}\nhint: {error.hint}"
    assert str(pickle.loads(pickle.dumps(error))) == str(error)
    # reported by the exception, and not beside it
    assert capfd.readouterr().err == ""
    monkeypatch.delenv("STICTION_PANIC")
    CALLS[name]()


@pytest.mark.parametrize("name", WORK)
def test_a_panic_on_another_thread_is_an_internal_error(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STICTION_PANIC", "work")
    assert "STICTION_PANIC=work, at " in raised(WORK[name]).message
    monkeypatch.delenv("STICTION_PANIC")
    WORK[name]()
