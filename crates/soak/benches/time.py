"""Times of the Python package and of SciPy for `time.rs`: one line of JSON with what can be imported here."""

import functools
import json
import math
import time
from pathlib import Path

EXAMPLES = Path(__file__).parents[3] / "examples"
# the spinning disc: time, samples and tolerances of both sides
DISC_TIME, DISC_SAMPLES, DISC_RTOL, DISC_ATOL = 1.5, 1501, 1e-8, 1e-10
# the trigonometric law: width, tolerance of the package, and those of LSODA down to the least that it takes
SMOOTH_WIDTH, SMOOTH_TOLERANCE = 0.02, 1e-9
LSODA_TOLERANCES = (1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12, 1e-13)
# package and SciPy take turns: a processor has fast and slow minutes
ROUNDS = 3


def least(run, seconds=0.5):
    """The least processor time of several runs (s), which other work on the machine changes little, and what the last one returned."""
    best, begin, found = math.inf, time.perf_counter(), None
    for i in range(1000):
        start = time.process_time()
        found = run()
        best = min(best, time.process_time() - start)
        if i >= 2 and time.perf_counter() - begin > seconds:
            break
    return best, found


def examples():
    """The time of every example."""
    import stiction

    scenarios = {path.stem: stiction.load(path) for path in sorted(EXAMPLES.glob("*.toml"))}
    return {name: least(lambda: stiction.run(scenario), 0.1)[0] for name, scenario in scenarios.items()}


def package():
    """The times that users are promised."""
    import stiction

    times = {}
    system = stiction.load(EXAMPLES / "stick_slip.toml").system
    for name, samples in (("few", 2), ("many", 1281)):
        scenario = stiction.Scenario(system=system, integrator=stiction.Exact(),
                                     analysis=stiction.Transient(periods=20, samples=samples))
        times[name] = least(lambda: stiction.run(scenario))[0]
    disc = stiction.load(EXAMPLES / "spinning_disc.toml", set={
        "analysis.transient.duration": DISC_TIME, "analysis.transient.samples": DISC_SAMPLES,
        "integrator.adaptive.rtol": DISC_RTOL, "integrator.adaptive.atol": DISC_ATOL})
    seconds, outcome = least(lambda: stiction.run(disc))
    times["disc"] = {"seconds": seconds, "x": float(outcome["x"][-1])}
    smooth = stiction.load(EXAMPLES / "trigonometric_resonance.toml",
                           set={"system.oscillator.friction.trigonometric.width": SMOOTH_WIDTH})
    scenario = stiction.Scenario(system=smooth.system, integrator=stiction.Adaptive(rtol=SMOOTH_TOLERANCE, atol=SMOOTH_TOLERANCE),
                                 analysis=stiction.Transient(periods=20, samples=2))
    times["smooth"] = least(lambda: stiction.run(scenario))[0]
    return times


def lsoda(rtol):
    """The trigonometric law by LSODA: its time, and the last state."""
    from scipy.integrate import solve_ivp

    mu, width = 1.6, SMOOTH_WIDTH

    def rates(t, y):
        v = y[1]
        phi = math.copysign(mu, v) if abs(v) >= width else mu * math.sin(0.5 * math.pi * v / width)
        return [v, 4.0 * math.sin(t) - 0.1 * v - y[0] - phi]

    seconds, path = least(lambda: solve_ivp(rates, (0.0, 40 * math.pi), [0.0, 0.0], method="LSODA", rtol=rtol, atol=rtol))
    return {"rtol": rtol, "seconds": seconds, "evaluations": int(path.nfev), "state": [float(y[-1]) for y in path.y]}


def disc():
    """The spinning disc of the peers' table at its best error, with its samples up to the stop: its time, and the distance."""
    import numpy as np
    from scipy.integrate import solve_ivp

    radius, m, inertia, push = 0.1, 1.0, 0.005, 0.2 * 9.81
    nodes, weights = np.polynomial.legendre.leggauss(24)
    r, angle = radius * (nodes + 1) / 2, 2 * np.pi * (np.arange(48) + 0.5) / 48
    x, y = np.outer(r, np.cos(angle)).ravel(), np.outer(r, np.sin(angle)).ravel()
    w = np.repeat(weights * r / radius, 48) / 48

    def rates(t, state):
        _, v, spin = state
        ux, uy = v - spin * y, spin * x
        speed = np.sqrt(ux * ux + uy * uy)
        return [v, -push / m * (w @ (ux / speed)), -push / inertia * (w @ ((x * uy - y * ux) / speed))]

    def slow(t, y):
        return max(abs(y[1]), abs(y[2]) * radius) - 1e-6

    slow.terminal = True
    times = np.linspace(0.0, DISC_TIME, DISC_SAMPLES)

    def run():
        path = solve_ivp(rates, (0.0, 3.0), [0.0, 1.0, 30.0], method="DOP853", rtol=DISC_RTOL, atol=DISC_ATOL,
                         events=slow, dense_output=True)
        path.sol(times[times <= path.t[-1]])
        return path

    seconds, path = least(run)
    return {"seconds": seconds, "x": float(path.y[0][-1])}


def quickest(a, b):
    """Of two rounds the lesser of every time; all other numbers are the same in both."""
    if isinstance(a, dict):
        return {key: quickest(a[key], b[key]) for key in a}
    if isinstance(a, list):
        return [quickest(x, y) for x, y in zip(a, b)]
    return min(a, b)


def scipy():
    return {"lsoda": [lsoda(rtol) for rtol in LSODA_TOLERANCES], "disc": disc()}


def measured(parts):
    """Results of the parts whose packages can be imported here."""
    found = {}
    for part in parts:
        try:
            found[part.__name__] = part()
        except ImportError:
            pass
    return found


if __name__ == "__main__":
    taking_turns = (measured([package, scipy]) for _ in range(ROUNDS))
    print(json.dumps(measured([examples]) | functools.reduce(quickest, taking_turns)))
