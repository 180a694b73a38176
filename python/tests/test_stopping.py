"""Long runs: progress is reported, and they stop when they are asked to."""

from __future__ import annotations

import pickle
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pint
import pytest
import stiction
from test_runs import LONG


def test_progress_is_told_and_never_goes_back() -> None:
    reported: list[float] = []
    stiction.run(LONG, reported.append)
    assert len(reported) >= 2 and reported == sorted(reported) and 0.0 <= reported[0] and reported[-1] <= 1.0


def test_progress_of_a_list_is_that_of_all() -> None:
    reported: list[float] = []
    stiction.run([LONG] * 3, reported.append)
    assert len(reported) >= 2 and reported == sorted(reported) and 0.0 <= reported[0] and reported[-1] <= 1.0


class Enough(Exception):
    pass


def enough(fraction: float) -> None:
    raise Enough(f"at {fraction}")


VERY_LONG = {**LONG, "analysis": {"transient": {"duration": 1e6, "samples": 11}}}


@pytest.mark.parametrize("given", [VERY_LONG, [VERY_LONG] * 4], ids=["one", "list"])
def test_an_exception_in_progress_stops_the_run(given: Any) -> None:
    start = time.monotonic()
    with pytest.raises(Enough):
        stiction.run(given, enough)
    # the run would take minutes; all but a tenth of a second is for a busy machine
    assert time.monotonic() - start < 5.0


def test_an_exception_in_progress_stops_comparing() -> None:
    for work in (stiction.compare, lambda s, **k: stiction.tune(s, 1e-6, **k)):
        with pytest.raises(Enough):
            work(COULOMB, progress=enough)


COULOMB = {
    "system": {"oscillator": {"mass": 1.0, "stiffness": 1.0, "force": {"amplitude": 1.0, "omega": 0.7}, "friction": {"coulomb": {"mu": 0.5}}}},
    "integrator": {"exact": {}},
    "analysis": {"transient": {"duration": 1e5, "samples": 11}},
}

FALLING = {"stribeck": {"mu": 0.3, "mu_static": 1.0, "velocity": 0.3, "width": 1e-3}}


def of(analysis: dict[str, Any], friction: dict[str, Any] | None = None, **system: Any) -> dict[str, Any]:
    """A forced oscillator under an analysis."""
    table = {"mass": 1.0, "damping": 0.05, "stiffness": 1.0, "force": {"amplitude": 1.0, "omega": 0.7}, **system}
    return {"system": {"oscillator": {**table, "friction": friction or {"coulomb": {"mu": 0.5}}}}, "analysis": analysis}


SLIDE = {
    "system": {
        "body": {
            "mass": 1.0,
            "inertia": 0.005,
            "velocity": [1.0, 0.0],
            "spin": 3.0,
            "forces": [{"amplitude": [3.0, 0.0], "omega": 50.0}],
            "patch": {"shape": {"rectangle": {"length": 0.2, "width": 0.1}}, "mu": 0.2},
        }
    },
    "analysis": {"transient": {"duration": 1e5}},
}
SWEEP = {"parameter": "omega", "from": 0.2, "to": 2.0}
# each takes minutes
TASKS: dict[str, tuple[str, Any]] = {
    "transient, rk4": ("run", VERY_LONG),
    "transient, adaptive": ("run", {**VERY_LONG, "integrator": {"adaptive": {}}}),
    "transient, exact": ("run", {**COULOMB, "analysis": {"transient": {"duration": 1e9, "samples": 11}}}),
    "transient, incremental": ("run", {**VERY_LONG, "integrator": {"incremental": {"step": 1e-3}}}),
    "slide": ("run", SLIDE),
    "steady": ("run", of({"steady": {"subharmonic": 40000}}, FALLING)),
    "response": ("run", of({"response": {**SWEEP, "points": 100000}}, FALLING)),
    "branch": ("run", of({"response": {**SWEEP, "points": 100000, "through_folds": True}}, FALLING)),
    "bifurcation": ("run", of({"bifurcation": {**SWEEP, "points": 10000, "transient": 10000}})),
    "list": ("run", [VERY_LONG] * 5),
    "compare": ("compare", COULOMB),
    "tune": ("lambda s: stiction.tune(s, 1e-6)", COULOMB),
}

SCRIPT = """
import signal, stiction
from stiction import compare, run
# what is started in the background inherits deafness
signal.signal(signal.SIGINT, signal.default_int_handler)
scenario, work = {scenario!r}, {work}
print("ready", flush=True)
try:
    work(scenario)
    print("ended", flush=True)
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


@pytest.mark.parametrize("name", TASKS)
def test_ctrl_c_stops_the_work_at_once(name: str) -> None:
    work, scenario = TASKS[name]
    script = SCRIPT.format(scenario=scenario, work=work)
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            assert process.stdout.readline() == "ready\n"
            time.sleep(0.5)
            start = time.monotonic()
            process.send_signal(signal.SIGINT)
            assert process.stdout.readline() == "interrupted\n"
            assert time.monotonic() - start < 2.0
            assert process.wait(5) == 0
        finally:
            process.kill()


@pytest.mark.parametrize("name", TASKS)
def test_work_ends_in_time(name: str) -> None:
    scenario = TASKS[name][1]
    run: Any = {"compare": stiction.compare, "tune": stiction.tune}.get(name, stiction.run)
    start = time.monotonic()
    with pytest.raises(stiction.RunError, match=r"stopped.*because the 0\.3 s of max_time are over, \d+ % done") as caught:
        run(scenario, max_time=0.3)
    # all but a tenth of a second is for a busy machine
    assert time.monotonic() - start < 3.0
    assert caught.value.hint == "raise max_time, or shorten the run"
    if name.startswith("transient"):
        assert "stopped at t = " in caught.value.message


PARTLY = ["transient, rk4", "transient, adaptive", "transient, exact", "transient, incremental", "response", "branch", "bifurcation"]


@pytest.mark.parametrize("name", PARTLY)
def test_an_exception_carries_what_was_finished(name: str) -> None:
    scenario = TASKS[name][1]
    if "duration" in scenario["analysis"].get("transient", {}):
        samples = {"duration": scenario["analysis"]["transient"]["duration"], "samples": 900_000}
        scenario = {**scenario, "analysis": {"transient": samples}}
    with pytest.raises(stiction.RunError) as caught:
        stiction.run(scenario, max_time=0.5)
    outcome = caught.value.outcome
    assert outcome is not None and outcome.title.endswith("(incomplete)")
    assert [warning.name for warning in outcome.warnings][:1] == ["incomplete"]
    assert len(next(iter(outcome.values()))) > 0
    again = pickle.loads(pickle.dumps(caught.value))
    assert again.outcome is not None and again.outcome.title == outcome.title

    def stop(fraction: float) -> None:
        if fraction > 0.0 and time.monotonic() - start > 0.3:
            raise KeyboardInterrupt

    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt) as interrupted:
        stiction.run(scenario, stop)
    assert getattr(interrupted.value, "outcome").title == outcome.title


def test_a_run_that_was_refused_carries_no_outcome() -> None:
    with pytest.raises(stiction.RunError) as caught:
        stiction.run(of({"steady": {"subharmonic": 40000}}, FALLING), max_time=0.3)
    assert caught.value.outcome is None


def test_a_long_run_says_what_to_write_instead() -> None:
    response = of({"response": {**SWEEP, "points": 100000}}, FALLING)
    with pytest.warns(stiction.StictionWarning, match=r"% done after .* left\nhint: .*harmonic_balance") as warned:
        with pytest.raises(stiction.RunError):
            stiction.run(response, max_time=9.0)
    assert warned[0].filename == __file__


def test_what_is_done_in_time_is_the_same() -> None:
    plain = stiction.run(LONG)
    for limit in (1e3, 1e300, float("inf")):
        assert (stiction.run(LONG, max_time=limit)["position"] == plain["position"]).all()
    assert (stiction.Scenario.from_dict(LONG).run(max_time=1e3)["position"] == plain["position"]).all()
    (report,) = stiction.reproduce("paper-b", "fig-2", max_time=100.0)
    assert all(check.agrees for check in report.checks)


# 61 columns of a million samples
LARGE = {
    "system": {"matrices": {"mass": [1.0] * 20, "initial": {"velocity": [1.0] * 20}}},
    "analysis": {"transient": {"duration": 1.0, "samples": 10**6}},
}


def test_memory_is_limited_before_it_is_taken() -> None:
    scenario = stiction.Scenario.from_dict(LARGE)
    small = scenario.set({"samples": 11})
    for work in (
        scenario.run,
        lambda: stiction.run([small, scenario]),
        lambda: stiction.run(scenario, max_memory=1.9e9),
        lambda: stiction.run(scenario.set({"samples": 1000}), max_memory=1e6),
    ):
        with pytest.raises(stiction.ScenarioError, match=r"takes .* of memory, but .* are allowed(.|\n)*max_memory"):
            work()
    assert len(stiction.run(small, max_memory=1e6)["t"]) == 11
    assert len(stiction.run(scenario.set({"samples": 40_000}), max_memory=3e9)["t"]) == 40_000


def test_a_long_file_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "long.toml"
    path.write_text("# " + "x" * 4_000_000 + "\n[system.oscillator]\nmass = 1\n[analysis.transient]\nduration = 1\n")
    with pytest.raises(stiction.ScenarioError, match=r"4\.0 MB, but at most 3\.9 MB are read(.|\n)*max_memory"):
        stiction.load(path)
    assert stiction.load(path, max_memory=2e9).system.mass == 1


@pytest.mark.parametrize("name", ["max_time", "max_memory"])
@pytest.mark.parametrize("value", [0.0, -1.0, float("nan")])
def test_a_limit_is_positive(name: str, value: float) -> None:
    for work in (stiction.run, stiction.compare, stiction.tune):
        with pytest.raises(ValueError, match=f"{name} = .*, but it must be positive"):
            work(COULOMB, **{name: value})


def test_a_limit_may_have_units() -> None:
    ureg: Any = pint.UnitRegistry()
    with pytest.raises(stiction.RunError, match=r"the 0\.3 s of max_time"):
        stiction.run(VERY_LONG, max_time=300 * ureg.ms)
    with pytest.raises(TypeError, match="max_time is an array"):
        stiction.run(VERY_LONG, max_time=[1.0, 2.0])
