"""Runs: the numbers of every other front end to the last bit, one by one and many at once."""

from __future__ import annotations

import json
import os
import pickle
import struct
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import stiction
from conftest import EXAMPLES, ROOT, Cli, named

CASES = [case for case in stiction.papers() if isinstance(case.model, stiction.Scenario)]


def bits(values: Any) -> list[str]:
    """Numbers to the last bit; what JSON has no number for is null there."""
    return [float(x).hex() if x is not None and np.isfinite(x) else "null" for x in values]


def fnv(data: bytes) -> str:
    """FNV-1a, 64 bits."""
    h = 0xCBF29CE484222325
    for byte in data:
        h = (h ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return f"{h:016x}"


def golden(outcome: stiction.Outcome) -> list[tuple[str, ...]]:
    """The words of every line of `tests/golden`; facts as numbers in hexadecimal."""
    finite = [np.where(np.isfinite(column), column, np.nan) for column in outcome.values()]
    logged = b"".join(struct.pack("<d", event.t) + f"{event.contact} {event.kind}".encode() for event in outcome.events)
    return [
        *(("fact", name, *bits([value]), outcome.units[name]) for name, value in outcome.facts.items()),
        *(("column", name, str(len(column)), fnv(column.tobytes())) for name, column in zip(outcome, finite)),
        ("events", str(len(outcome.events)), fnv(logged)),
    ]


def committed(name: str) -> list[tuple[str, ...]]:
    """What `tests/golden` holds for an example or a case of a paper."""
    rows = [line.split(" ") for line in (ROOT / "tests/golden" / f"{name}.txt").read_text(encoding="utf-8").splitlines()]
    rows = [row for row in rows if row[0] != "#"]
    for row in rows:
        if row[0] == "fact":
            row[2:] = [*bits([None if row[2] == "none" else float(row[2])]), " ".join(row[3:])]
    return [tuple(row) for row in rows]


# a peak between the points of a response is a warning
@pytest.mark.filterwarnings("ignore::stiction.StictionWarning")
@pytest.mark.parametrize("path", EXAMPLES, ids=named)
def test_an_example_gives_the_committed_bits(path: Path) -> None:
    assert golden(stiction.run(path)) == committed(path.stem)


# the sign function of paper E does not balance, and says so
@pytest.mark.filterwarnings("ignore::stiction.StictionWarning")
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_paper_gives_the_committed_bits_and_its_printed_numbers(case: stiction.Case) -> None:
    outcome = case.model.run()
    assert golden(outcome) == committed(case.name.removesuffix(".toml").replace("/", "-"))
    for name, (value, allows) in case.printed.items():
        # what the print allows, and round-off
        assert abs(outcome.facts[name] - value) <= allows * (1 + 1e-9), name


def test_objects_dicts_and_files_give_the_same_bits() -> None:
    path = ROOT / "examples/stick_slip.toml"
    scenario = stiction.load(path)
    expected = stiction.run(path)
    assert scenario.run() == expected == stiction.run(scenario.to_dict()) == stiction.run(str(path))


QUICK = ["free_decay", "den_hartog", "stick_slip", "spinning_disc", "mass_on_belt", "frequency_response"]
BATCH = [ROOT / f"examples/{name}.toml" for name in QUICK]


@pytest.fixture(scope="module")
def singly() -> list[stiction.Outcome]:
    return [stiction.run(path) for path in BATCH]


def test_a_list_gives_the_bits_of_single_runs_in_order(singly: list[stiction.Outcome]) -> None:
    assert stiction.run(BATCH) == singly
    assert stiction.run(iter([stiction.load(path) for path in BATCH[::-1]])) == singly[::-1]
    assert stiction.run([]) == []


@pytest.mark.parametrize("n_threads", [1, 2, 5])
def test_the_number_of_threads_changes_nothing(n_threads: int, singly: list[stiction.Outcome]) -> None:
    script = f"import stiction, sys, pickle; sys.stdout.buffer.write(pickle.dumps(stiction.run({[str(p) for p in BATCH]})))"
    env = {**os.environ, "RAYON_NUM_THREADS": str(n_threads)}
    done = subprocess.run([sys.executable, "-c", script], env=env, capture_output=True, check=True)
    assert pickle.loads(done.stdout) == singly


def test_pickled_outcomes_are_whole(singly: list[stiction.Outcome], tmp_path: Path) -> None:
    for outcome in singly:
        again = pickle.loads(pickle.dumps(outcome))
        assert again == outcome and repr(again) == repr(outcome)
        assert again.units == outcome.units and again.symbols == outcome.symbols
        assert again.events == outcome.events and again.work == outcome.work
        assert again._repr_svg_() == outcome._repr_svg_()
        assert all(bits(again[name]) == bits(outcome[name]) for name in outcome)


def test_pickled_tables_are_whole() -> None:
    path = ROOT / "examples/free_decay.toml"
    for table in (stiction.compare(path, ["tanh"], [0.01]), stiction.tune(path, 0.1, laws=["tanh"])):
        again = pickle.loads(pickle.dumps(table))
        assert type(again) is type(table) and repr(again) == repr(table) and again.units == table.units


def test_comparing_gives_the_bits_of_the_command_line(cli: Cli) -> None:
    path = ROOT / "examples/free_decay.toml"
    found = json.loads(cli("compare", path, "--laws=tanh,jenkins", "--widths=0.01,0.1", "--stiffnesses=10,100", "--json"))
    table = stiction.compare(path, ["tanh", "jenkins"], [0.01, 0.1], stiffnesses=[10.0, 100.0])
    for name in ("law", "parameter", "unit"):
        assert list(table[name]) == [row[name] for row in found["rows"]]
    assert (table.speed, table.length) == (found["speed"], found["length"])
    for name in ("size", "trajectory", "amplitude", "phase", "dissipation", "stick_fraction", "creep"):
        assert bits(table[name]) == bits(row[name] for row in found["rows"]), name


def test_a_body_and_a_response_have_columns_with_units() -> None:
    slide, response = stiction.run([ROOT / "examples/spinning_disc.toml", ROOT / "examples/frequency_response.toml"])
    assert slide.units["x"] == "m" and len(slide["t"]) == 2001
    assert len(response["amplitude"]) == 400 and response.symbols["amplitude"]


LONG = {
    "system": {"oscillator": {"mass": 1.0, "stiffness": 1.0, "force": {"amplitude": 1.0, "omega": 0.7}, "friction": {"tanh": {"mu": 0.3, "width": 0.01}}}},
    "integrator": {"rk4": {"step": 1e-3}},
    "analysis": {"transient": {"duration": 2000.0, "samples": 11}},
}


def test_other_threads_go_on_during_a_run() -> None:
    count, is_done = 0, threading.Event()

    def work() -> None:
        nonlocal count
        while not is_done.wait(1e-3):
            count += 1

    other = threading.Thread(target=work)
    other.start()
    start = time.monotonic()
    stiction.run(LONG)
    seconds = time.monotonic() - start
    during = count
    is_done.set()
    other.join()
    # a thousand times a second if all is well; a busy machine may be far slower, but a lock held throughout gives none
    assert seconds > 0.1 and during > 20 * seconds


def test_several_threads_run_at_once() -> None:
    expected = [stiction.run(path) for path in BATCH[:4]]
    found: dict[int, Any] = {}

    def work(i: int) -> None:
        found[i] = stiction.run(BATCH[i % 4]) if i < 8 else stiction.run(BATCH[:4])

    threads = [threading.Thread(target=work, args=(i,)) for i in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(found[i] == (expected[i % 4] if i < 8 else expected) for i in range(10))


FORKED = """
import multiprocessing, sys, numpy as np, stiction
law, v = stiction.Tanh(mu=0.3, width=0.1), np.linspace(-1, 1, 100_000)
disc, twists = stiction.Disc(radius=0.1), np.ones((10_000, 3))
paths = sys.argv[1:]
def work(_):
    return law(v).sum(), disc.wrench(twists).sum(), [o.facts["friction_loss"] for o in stiction.run(paths)]
expected = work(0)
with multiprocessing.get_context("fork").Pool(2) as pool:
    assert pool.map_async(work, range(4)).get(timeout=60) == [expected] * 4
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_forked_process_computes_too() -> None:
    subprocess.run([sys.executable, "-W", "ignore", "-c", FORKED, *map(str, BATCH[:1])], check=True, timeout=120)
