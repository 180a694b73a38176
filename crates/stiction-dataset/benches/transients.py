"""Transients by SciPy until the motion of Den Hartog's oscillator has settled, over a sample of the map.

Coulomb's law is a ramp; forty periods by LSODA, once coarsely and once so that the amplitude is good to about 1e-6. A line for each: its name,
the processor time of a point (s), and the amplitudes at all points.
"""

import time

import numpy as np
from scipy.integrate import solve_ivp

PERIODS = 40
SETTINGS = {"coarse": (1e-3, 1e-6), "fine": (1e-6, 1e-9)}
POINTS = [(omega, mu) for omega in (0.3, 0.7, 1.2, 1.8) for mu in (0.1, 0.4, 0.8)]


def transient(omega: float, mu: float, width: float, tolerance: float) -> float:
    def f(t: float, y: np.ndarray) -> tuple[float, float]:
        friction = mu * min(1.0, max(-1.0, y[1] / width))
        return y[1], np.sin(omega * t) - y[0] - friction

    period = 2 * np.pi / omega
    run = solve_ivp(
        f, (0.0, PERIODS * period), (0.0, 0.0), method="LSODA", rtol=tolerance, atol=1e-2 * tolerance, dense_output=True
    )
    assert run.sol is not None
    last = run.sol(np.linspace((PERIODS - 1) * period, PERIODS * period, 2001))[0]
    return float(np.ptp(last) / 2)


for name, setting in SETTINGS.items():
    start = time.process_time()
    amplitudes = [transient(*point, *setting) for point in POINTS]
    print(name, (time.process_time() - start) / len(POINTS), *amplitudes)
