"""The problems, as plain numbers in SI units, and the frame in which every peer runs.

Only the standard library, so that any Python can import it.
"""

import importlib.metadata
import json
import math
import sys
import time
import traceback

# m ü + c u̇ + k u + μ Sgn(u̇) = P sin ωt, from rest at u = 0; as in examples/den_hartog.toml and examples/stick_slip.toml
OSCILLATORS = {
    "no_stick": {"m": 1.0, "c": 0.0, "k": 1.0, "P": 1.0, "omega": 0.7, "mu": 0.5},
    "stick_slip": {"m": 1.0, "c": 0.1, "k": 1.0, "P": 2.0, "omega": 0.5, "mu": 1.0},
}
PERIODS = 20
SAMPLES = 64  # in a period

# examples/frequency_response.toml, with fewer points: the amplitude (max u − min u)/2 of the steady motion
RESPONSE = {"m": 1.0, "c": 0.05, "k": 1.0, "P": 1.0, "mu": 0.5, "from": 0.3, "to": 1.8, "points": 60}
MOST_PERIODS, PERIODS_AT_ONCE = 600, 10

# examples/spinning_disc.toml: uniform pressure, centre of mass in the plane of contact
DISC = {"m": 1.0, "R": 0.1, "I": 0.005, "mu": 0.2, "g": 9.81, "v": 1.0, "spin": 30.0}
DISC_TIME, DISC_SAMPLE = 1.5, 1e-3  # simulated time and distance of the samples (s)
# read from the samples, of the truth too: the body has stopped when its rim is slower than RIM_AT (m/s), and the ratio v/(ωR),
# whose limit 0.653 is approached slowly, is taken when v = RATIO_AT (m/s)
RIM_AT, RATIO_AT = 1e-3, 1e-2

# patches under the load N, both with friction μ: a disc, and a rectangle of sides 2a and 2b
PATCH = {"mu": 0.3, "N": 10.0, "R": 0.1, "a": 0.1, "b": 0.05}
CHECKED = 24  # twists whose wrench is compared with the truth


def period(case):
    return 2 * math.pi / case["omega"]


def steps(case, numbers=(16, 32, 64, 256, 1024, 4096)):
    """Runs with so many steps a period: steps from one sample to the next, the step (s), the number of all, and of how many samples
    one is there: steps longer than the distance of the samples meet few of them."""
    for per_period in numbers:
        yield max(1, per_period // SAMPLES), period(case) / per_period, PERIODS * per_period, max(1, SAMPLES // per_period)


def frequencies():
    n, a, b = RESPONSE["points"], RESPONSE["from"], RESPONSE["to"]
    return [a + (b - a) * i / (n - 1) for i in range(n)]


def response_case(omega):
    return {**{key: RESPONSE[key] for key in ("m", "c", "k", "P", "mu")}, "omega": omega}


def twists(n):
    """(vx, vy, ω) in all directions, both senses of spin, v/(ωR) from 0.01 to 100: a Kronecker sequence."""
    golden, silver = (math.sqrt(5) - 1) / 2, math.sqrt(2) - 1
    found = []
    for i in range(n):
        angle = 2 * math.pi * ((i + 0.5) * golden % 1.0)
        ratio = 10 ** (4 * ((i + 0.5) * silver % 1.0) - 2)
        v, spin = ratio * PATCH["R"] / (1 + ratio), (-1) ** i / (1 + ratio)
        found.append((v * math.cos(angle), v * math.sin(angle), spin))
    return found


def settled(state, last, tolerance):
    """Whether a state repeats the last one, some periods ago."""
    return last is not None and max(abs(a - b) for a, b in zip(state, last)) < tolerance


def fastest(run, prepare=None):
    """The least processor time of several runs (s), which other work on the machine changes little, and what the last run
    returned: at least five runs and half a second, but no new run after three seconds.

    What `prepare` returns is given to the run, and not timed.
    """
    best, n_runs, start = math.inf, 0, time.perf_counter()
    while True:
        given = (prepare(),) if prepare else ()
        begin = time.process_time()
        result = run(*given)
        best, n_runs, spent = min(best, time.process_time() - begin), n_runs + 1, time.perf_counter() - start
        if spent > 3.0 or (n_runs >= 5 and spent > 0.5):
            return best, result


def crossing(t, values, level):
    """The first time at which values fall below a level, by linear interpolation; None if they do not."""
    for i in range(1, len(t)):
        if values[i] < level:
            return t[i - 1] + (t[i] - t[i - 1]) * (values[i - 1] - level) / (values[i - 1] - values[i])
    return None


def at(t, values, when):
    i = next(i for i in range(1, len(t)) if t[i] >= when)
    return values[i - 1] + (values[i] - values[i - 1]) * (when - t[i - 1]) / (t[i] - t[i - 1])


def stop(t, x, v, spin):
    """Facts of a sliding disc from samples: stop time (s), distance (m), late ratio v/(ωR) (-)."""
    rim = [max(abs(a), abs(b) * DISC["R"]) for a, b in zip(v, spin)]
    late = crossing(t, v, RATIO_AT)
    return {
        "stop_time": crossing(t, rim, RIM_AT),
        "distance": x[-1],
        "late_ratio": late and RATIO_AT / (at(t, spin, late) * DISC["R"]),
    }


def steady_amplitude(advance, tolerance):
    """Amplitude of a motion that has settled; `advance` runs some periods and returns the positions of the last one and the
    state at its end."""
    last = None
    for _ in range(MOST_PERIODS // PERIODS_AT_ONCE):
        positions, state = advance()
        if settled(state, last, tolerance):
            break
        last = state
    return (max(positions) - min(positions)) / 2


def sunflower(n, radius):
    """n points spread evenly over a disc, with its centroid and its polar moment radius²/2."""
    golden = math.pi * (3 - math.sqrt(5))
    points = [(math.sqrt(i + 0.5) * math.cos(i * golden), math.sqrt(i + 0.5) * math.sin(i * golden)) for i in range(n)]
    cx, cy = (sum(point[axis] for point in points) / n for axis in (0, 1))
    points = [(x - cx, y - cy) for x, y in points]
    scale = radius / math.sqrt(2 * sum(x * x + y * y for x, y in points) / n)
    return [(scale * x, scale * y) for x, y in points]


def installed(package):
    """Version of an installed package."""
    return importlib.metadata.version(package)


def serve(peer, version, problems, notes=()):
    """Runs every problem of a peer, or those named on the command line, and prints one JSON object."""
    report = {"peer": peer, "version": version, "notes": list(notes), "results": {}}
    for name, problem in problems.items():
        if sys.argv[1:] and name not in sys.argv[1:]:
            continue
        rows = report["results"][name] = []
        try:
            for row in problem():
                rows.append(row)
                print(f"{peer}: {name}: {row['setting']}: {row['seconds']:.3g} s", file=sys.stderr, flush=True)
        except Exception:
            report["notes"].append(f"{name}: {traceback.format_exc(limit=2)}")
            traceback.print_exc()
    print(json.dumps(report))
