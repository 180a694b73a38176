"""A forced Coulomb oscillator by SciPy's solve_ivp (DOP853, rtol 1e-10) with events and stick-slip logic.

Prints one line of JSON: seconds, events and the last state of a transient, and the seconds that one point of a frequency
response takes when its steady state is reached by a transient.
"""

import json
import math
import sys
import time

from scipy.integrate import solve_ivp

M, C, K, P, MU = 1.0, 0.1, 1.0, 2.0, 1.0


def run(omega, periods, state=(0.0, 0.0), tolerance=None):
    """From event to event; with a tolerance, until the state repeats itself from period to period."""
    period = 2 * math.pi / omega
    t, (u, v), t_end = 0.0, state, periods * period
    n_events, last, due = 0, None, period
    while t < t_end:
        demand = P * math.sin(omega * t) - K * u
        stop = min(due, t_end)
        if abs(v) < 1e-12 and abs(demand) <= MU * (1 + 1e-12) and not leaves(omega, t, u):
            # stick: the load P sin ωt − k u reaches ±μ
            def load(s, y, u=u):
                return abs(P * math.sin(omega * s) - K * u) - MU

            load.terminal, load.direction = True, 1
            s = solve_ivp(lambda s, y: [0.0, 0.0], (t, stop), [u, 0.0], method="DOP853", rtol=1e-10, atol=1e-12,
                          events=load, max_step=period / 50)
        else:
            sign = math.copysign(1.0, v if abs(v) > 1e-12 else demand)

            def turn(s, y):
                return y[1]

            turn.terminal, turn.direction = True, -sign
            s = solve_ivp(lambda s, y: [y[1], (P * math.sin(omega * s) - C * y[1] - K * y[0] - sign * MU) / M],
                          (t, stop), [u, v], method="DOP853", rtol=1e-10, atol=1e-12, events=turn)
        t, u, v = s.t[-1], s.y[0][-1], s.y[1][-1]
        if s.status == 1:
            n_events, v = n_events + 1, 0.0
        if t >= due - 1e-12:
            due += period
            if tolerance and last and math.hypot(u - last[0], v - last[1]) < tolerance:
                break
            last = (u, v)
    return u, v, n_events, t


def leaves(omega, t, u):
    """Whether a contact at its limit is about to let go."""
    demand, rate = P * math.sin(omega * t) - K * u, P * omega * math.cos(omega * t)
    return abs(demand) >= MU * (1 - 1e-9) and demand * rate > 0


if __name__ == "__main__":
    omega, periods = float(sys.argv[1]), int(sys.argv[2])
    start = time.perf_counter()
    u, v, n_events, _ = run(omega, periods)
    transient = time.perf_counter() - start
    frequencies = [0.3 + 1.5 * i / 7 for i in range(8)]
    start = time.perf_counter()
    for frequency in frequencies:
        run(frequency, 2000, tolerance=1e-9)
    point = (time.perf_counter() - start) / len(frequencies)
    print(json.dumps({"seconds": transient, "u": u, "v": v, "events": n_events, "point": point}))
