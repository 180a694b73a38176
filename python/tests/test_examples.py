"""The examples run, agree with the scenario files, and their notebooks are fresh."""

import contextlib
import functools
import io
import runpy
from pathlib import Path

import matplotlib.pyplot as plt
import nbformat
import numpy as np
import pytest

import stiction

ROOT = Path(__file__).parents[2]
NOTEBOOKS = runpy.run_path(str(ROOT / "python/examples/notebooks.py"), run_name="notebooks")
SCRIPTS = {path.stem: path for path in NOTEBOOKS["scripts"]()}
# the outcomes of a script, and the scenario files that give the same
FILES = {
    "choosing_a_width": {"outcome": "free_decay"},
    "frequency_response": {"outcome": "frequency_response"},
    "law_inside_scipy": {"shaken": "shaking_table", "presliding": "lugre_presliding", "sliding": "spinning_disc"},
    "spinning_disc": {"outcome": "spinning_disc"},
    "stick_slip_oscillator": {"outcome": "stick_slip"},
}
# facts that a script prints, as it prints them
PRINTED = {
    "frequency_response": ("outcome", "peak of {peak_amplitude:.6f} m at {peak_at:.4f} rad/s"),
    "law_inside_scipy": ("sliding", "stop after {stop_time:.9f} s"),
    "spinning_disc": ("outcome", "slides {path:.4f} m and turns {revolutions:.4f} times in {stop_time:.4f} s"),
    "stick_slip_oscillator": ("outcome", "work_in          {work_in:12.6g} J"),
}

each = pytest.mark.parametrize("name", SCRIPTS)


@pytest.fixture(scope="module")
def ran(tmp_path_factory):
    """What a script leaves behind and what it prints, run once in an empty folder without a screen."""

    @functools.cache
    def run(name):
        folder = tmp_path_factory.mktemp(name)
        with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(io.StringIO()) as printed:
            patch.chdir(folder)
            plt.switch_backend("Agg")
            patch.setattr(plt, "show", lambda: plt.close("all"))
            left = runpy.run_path(str(SCRIPTS[name]), run_name="__main__")
        assert not list(folder.iterdir()), "an example saves nothing unless asked"
        return left, printed.getvalue()

    return run


def test_every_example_has_its_scenario_files():
    assert list(SCRIPTS) == sorted(FILES)


@each
def test_a_script_agrees_with_its_scenario_files_bit_for_bit(name, ran):
    left, printed = ran(name)
    for outcome, file in FILES[name].items():
        of_file = stiction.run(ROOT / "examples" / f"{file}.toml")
        assert left[outcome].title == of_file.title
        assert left[outcome].facts == of_file.facts
        assert left[outcome] == of_file


@pytest.mark.parametrize("name", PRINTED)
def test_a_script_prints_facts_with_units(name, ran):
    left, printed = ran(name)
    outcome, pattern = PRINTED[name]
    assert pattern.format(**left[outcome].facts) in printed


@each
def test_a_notebook_is_that_of_its_script_with_its_outputs(name):
    hint = "stale\nhint: target/python/bin/python python/examples/notebooks.py"
    committed = nbformat.read(NOTEBOOKS["path"](SCRIPTS[name]), as_version=4)
    nbformat.validate(committed)
    fresh = NOTEBOOKS["executed"](SCRIPTS[name])
    assert [cell.source for cell in committed.cells] == [cell.source for cell in fresh.cells], hint
    assert printed(committed) == printed(fresh), hint
    outputs = [output for cell in committed.cells for output in cell.get("outputs", [])]
    assert any("image/png" in output.get("data", {}) for output in outputs)
    assert not [output for output in outputs if output.get("name") == "stderr"]


def printed(notebook):
    """What the cells print; pictures depend on fonts."""
    return [[output.get("text", "") for output in cell.get("outputs", [])] for cell in notebook.cells]


def test_a_disc_slides_further_with_spin(ran):
    left, _ = ran("spinning_disc")
    assert left["outcome"].facts["path"] > 2.0 * left["still"].facts["path"]


def test_tuned_widths_keep_their_tolerance_and_wider_ones_do_not(ran):
    left, _ = ran("choosing_a_width")
    for law, width in left["tuning"].coarsest.items():
        # the search ends when it knows the width to two digits
        errors = stiction.compare(left["scenario"], laws=[law], widths=[width, 1.05 * width])["trajectory"]
        assert errors[0] <= 1e-3 < errors[1]


def test_scipy_and_stiction_agree(ran):
    left, _ = ran("law_inside_scipy")
    # global errors are some tens of the tolerance of a step, and the tolerances are 1e-9 and 1e-8
    for name, tolerance in (("shaken", 1e-7), ("presliding", 1e-6)):
        exact = left[name]["position"]
        assert np.abs(left[f"scipy_{name}"].y[0] - exact).max() < tolerance * np.abs(exact).max()
    # SciPy leaves off at 1e-6 m/s, where sliding meets 0.61 of μN
    ahead = left["sliding"].facts["stop_time"] - left["scipy_sliding"].t[-1]
    assert 0.0 < ahead < 1e-6 / (0.5 * 0.2 * 9.81)
