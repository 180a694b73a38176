"""Processor time (s) that a transient by SciPy takes until the motion of Den Hartog's oscillator has settled, the mean over a sample of the
map: Coulomb's law as a ramp of width 1e-3, forty periods, tolerances 1e-6."""

import time

import numpy as np
from scipy.integrate import solve_ivp

WIDTH, PERIODS = 1e-3, 40


def transient(omega: float, mu: float) -> float:
    def f(t: float, y: np.ndarray) -> tuple[float, float]:
        friction = mu * min(1.0, max(-1.0, y[1] / WIDTH))
        return y[1], np.sin(omega * t) - y[0] - friction

    run = solve_ivp(f, (0.0, PERIODS * 2 * np.pi / omega), (0.0, 0.0), method="LSODA", rtol=1e-6, atol=1e-8)
    last = run.t > (PERIODS - 1) * 2 * np.pi / omega
    return float(np.ptp(run.y[0][last]) / 2)


points = [(omega, mu) for omega in (0.3, 0.7, 1.2, 1.8) for mu in (0.1, 0.4, 0.8)]
start = time.process_time()
for point in points:
    transient(*point)
print((time.process_time() - start) / len(points))
