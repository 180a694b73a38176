"""Runs every peer on the same problems, one after the other, and writes tables, numbers and figures into `results`.

Each peer has a process of its own, so that the crash of one is a note. All run in one thread.
"""

import argparse
import datetime
import json
import os
import platform
import subprocess
import sys
from pathlib import Path

import numpy as np

import figures
import problems
import tables
import truth

HERE = Path(__file__).parent
TIMEOUT = 900  # for one peer (s)
DEBIAN = "/usr/bin/python3"
PEERS = {
    "stiction": (sys.executable, "`pip install .` in the root of the project"),
    "scipy": (sys.executable, "`pip install scipy`"),
    "mujoco": (sys.executable, "`pip install mujoco`"),
    "exudyn": (sys.executable, "`pip install exudyn`"),
    "pybullet": (sys.executable, "`pip install pybullet`"),
    "siconos": (DEBIAN, "`apt-get install python3-siconos`"),
}
ONE_THREAD = {name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "RAYON_NUM_THREADS")}


def is_importable(python, module):
    try:
        return subprocess.run([python, "-c", f"import {module}"], capture_output=True, timeout=60).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def report_of(name):
    """What a peer found, or a report with nothing but a note."""
    python, hint = PEERS[name]
    empty = {"peer": name, "version": None, "results": {}}
    if not is_importable(python, name):
        return {**empty, "notes": [f"skipped: not installed; {hint}"]}
    environment = {**os.environ, **ONE_THREAD}
    try:
        done = subprocess.run([python, f"{name}_peer.py"], cwd=HERE, env=environment, stdout=subprocess.PIPE, text=True, timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        return {**empty, "notes": [f"stopped after {TIMEOUT} s"]}
    # engines print to the same stream: the report is the last line
    last = done.stdout.strip().rpartition("\n")[2]
    try:
        return json.loads(last)
    except json.JSONDecodeError:
        return {**empty, "notes": [f"ended with exit code {done.returncode} and no report"]}


def relative(found, true, every):
    """The largest error of one of every so many samples, relative to the largest of all."""
    return float(np.max(np.abs(np.asarray(found) - true[::every])) / np.max(np.abs(true)))


def judge(problem, row):
    """Adds errors against the truth to a row."""
    if "u" in row:
        row["error"] = relative(row["u"], truth.oscillator(problem)[0], row.get("every", 1))
    elif "amplitude" in row:
        true = truth.response()
        errors = np.abs(np.array(row["amplitude"]) / true - 1)
        row["errors"], row["error"] = errors.tolist(), float(errors.max())
        row["seconds"] /= len(true)
    elif "wrench" in row:
        p = problems.PATCH
        scale = p["mu"] * p["N"] * np.array([1.0, 1.0, p["R"]])
        row["error"] = float(np.max(np.abs(np.array(row["wrench"]) - truth.patch(problem[6:], problems.CHECKED)) / scale))
    else:
        true = truth.disc()[0]
        row.update(problems.stop(row["t"], row["x"], row["v"], row["spin"]))
        keys = ("stop_time", "distance", "late_ratio")
        row["error"] = max(abs(row[key] / true[key] - 1) if row[key] else 1.0 for key in keys)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("peers", nargs="*", help="only these peers; stiction always runs")
    wanted = parser.parse_args().peers
    truth.check()
    reports = [report_of(name) for name in PEERS if not wanted or name in wanted or name == "stiction"]
    for report in reports:
        for problem, rows in report["results"].items():
            for row in rows:
                judge(problem, row)
    out = HERE / "results"
    out.mkdir(exist_ok=True)
    about = {"date": datetime.date.today().isoformat(), "python": platform.python_version(), "system": platform.system()}
    figures.draw(reports, out)
    text = tables.markdown(reports, about)
    (out / "table.md").write_text(text, encoding="utf-8")
    # the motions are for the figures only
    bulky = {"u", "t", "x", "v", "spin", "wrench", "errors"}
    for report in reports:
        for rows in report["results"].values():
            rows[:] = [{key: value for key, value in row.items() if key not in bulky} for row in rows]
    numbers = {**about, "truth": {"disc": truth.disc()[0]}, "peers": reports}
    (out / "results.json").write_text(json.dumps(numbers, indent=1) + "\n", encoding="utf-8")
    print(text)
    return 0 if reports[0]["version"] else 1


if __name__ == "__main__":
    sys.exit(main())
