"""SciPy: solve_ivp with events and own stick-slip logic, and with a smoothed law; quadrature over patches with NumPy.

Of the methods of solve_ivp DOP853 was fastest between events at small tolerances, LSODA for the smoothed law.
"""

import math

import numpy as np
import scipy
from scipy.integrate import dblquad, solve_ivp

import problems
from problems import DISC, PATCH, fastest

REST = 1e-12  # a mass slower than this after an event is at rest (m/s)


def leaves(case, t, u):
    """Whether a contact at its limit is about to let go."""
    w = case["omega"]
    demand, rate = case["P"] * math.sin(w * t) - case["k"] * u, case["P"] * w * math.cos(w * t)
    return abs(demand) >= case["mu"] * (1 - 1e-9) and demand * rate > 0


def phase(case, t, u, v, stop, rtol):
    """Slip or stick until an event or `stop`."""
    m, c, k, P, w, mu = (case[key] for key in ("m", "c", "k", "P", "omega", "mu"))
    options = {"method": "DOP853", "rtol": rtol, "atol": rtol / 100, "dense_output": True}
    demand = P * math.sin(w * t) - k * u
    if abs(v) < REST and abs(demand) <= mu * (1 + 1e-12) and not leaves(case, t, u):
        def load(s, y):
            return abs(P * math.sin(w * s) - k * u) - mu

        load.terminal, load.direction = True, 1
        return solve_ivp(lambda s, y: [0.0, 0.0], (t, stop), [u, 0.0], events=load, max_step=2 * math.pi / w / 50, **options)
    sign = math.copysign(1.0, v if abs(v) > REST else demand)

    def turn(s, y):
        return y[1]

    turn.terminal, turn.direction = True, -sign
    return solve_ivp(lambda s, y: [y[1], (P * math.sin(w * s) - c * y[1] - k * y[0] - sign * mu) / m],
                     (t, stop), [u, v], events=turn, **options)


def by_events(case, rtol, t, u, v, t_end, grid):
    """From event to event: positions on the grid, the places of the events, the last state."""
    positions, places = [u], []
    while t < t_end:
        path = phase(case, t, u, v, t_end, rtol)
        if path.status == 1:
            t, u, v = path.t_events[0][0], path.y_events[0][0][0], 0.0
            places.append(u)
        else:
            t, u, v = t_end, path.y[0][-1], path.y[1][-1]
        passed = grid[len(positions):np.searchsorted(grid, t, side="right")]
        if len(passed):
            positions.extend(path.sol(passed)[0])
    return positions, places, (u, v)


def smoothed(case, width, rtol, grid):
    """The law μ v/√(v² + width²), which creeps."""
    m, c, k, P, w, mu = (case[key] for key in ("m", "c", "k", "P", "omega", "mu"))

    def rates(t, y):
        return [y[1], (P * math.sin(w * t) - c * y[1] - k * y[0] - mu * y[1] / math.hypot(y[1], width)) / m]

    return solve_ivp(rates, (0.0, grid[-1]), [0.0, 0.0], method="LSODA", rtol=rtol, atol=rtol / 100, t_eval=grid).y[0]


def oscillator(name):
    case = problems.OSCILLATORS[name]
    grid = problems.period(case) / problems.SAMPLES * np.arange(problems.PERIODS * problems.SAMPLES + 1)
    for rtol in (1e-2, 1e-3, 1e-5, 1e-7, 1e-9, 1e-11):
        seconds, (u, _, _) = fastest(lambda: by_events(case, rtol, 0.0, 0.0, 0.0, grid[-1], grid))
        yield {"setting": f"events, rtol {rtol:g}", "series": "events", "seconds": seconds, "u": [float(x) for x in u]}
    for width, rtol in ((1e-1, 1e-2), (1e-2, 1e-4), (1e-3, 1e-6), (1e-4, 1e-7), (1e-5, 1e-8)):
        seconds, u = fastest(lambda: smoothed(case, width, rtol, grid))
        yield {"setting": f"smoothed, width {width:g} m/s, rtol {rtol:g}", "series": "smoothed", "seconds": seconds, "u": u.tolist()}


def steady_amplitude(omega, rtol, tolerance):
    case = problems.response_case(omega)
    state, last, nothing = (0.0, 0.0), None, np.array([])
    for _ in range(problems.MOST_PERIODS):
        _, places, state = by_events(case, rtol, 0.0, *state, problems.period(case), nothing)
        if problems.settled(state, last, tolerance):
            break
        last = state
    return (max(places) - min(places)) / 2


def response():
    for rtol, tolerance in ((1e-2, 1e-2), (1e-4, 1e-4), (1e-7, 1e-6)):
        seconds, amplitude = fastest(lambda: [steady_amplitude(w, rtol, tolerance) for w in problems.frequencies()])
        yield {"setting": f"events, rtol {rtol:g}, until states repeat to {tolerance:g}", "seconds": seconds,
               "amplitude": amplitude}


def disc_grid(n_radii, n_angles, R):
    """Points and weights of a product rule: Gauss in the radius, trapezoidal in the angle."""
    nodes, weights = np.polynomial.legendre.leggauss(n_radii)
    r, angle = R * (nodes + 1) / 2, 2 * np.pi * (np.arange(n_angles) + 0.5) / n_angles
    x, y = np.outer(r, np.cos(angle)).ravel(), np.outer(r, np.sin(angle)).ravel()
    return x, y, np.repeat(weights * r / R, n_angles) / n_angles


def rectangle_grid(n, a, b):
    nodes, weights = np.polynomial.legendre.leggauss(n)
    return np.repeat(a * nodes, n), np.tile(b * nodes, n), np.outer(weights, weights).ravel() / 4


def disc():
    weight, R = DISC["mu"] * DISC["m"] * DISC["g"], DISC["R"]

    def slow(t, y):
        return max(abs(y[1]), abs(y[2]) * R) - 1e-6

    slow.terminal = True
    for n_radii, n_angles, rtol in ((4, 8, 1e-4), (8, 16, 1e-6), (24, 48, 1e-8)):
        x, y, w = disc_grid(n_radii, n_angles, R)

        def rates(t, state):
            _, v, spin = state
            ux, uy = v - spin * y, spin * x
            speed = np.sqrt(ux * ux + uy * uy)
            return [v, -weight / DISC["m"] * (w @ (ux / speed)), -weight / DISC["I"] * (w @ ((x * uy - y * ux) / speed))]

        def run():
            path = solve_ivp(rates, (0.0, 3.0), [0.0, DISC["v"], DISC["spin"]], method="DOP853", rtol=rtol, atol=1e-10,
                             events=slow, dense_output=True)
            t = np.append(np.arange(0.0, path.t[-1], problems.DISC_SAMPLE), path.t[-1])
            return t, path.sol(t)

        seconds, (t, states) = fastest(run)
        x_of_t, v, spin = states.tolist()
        yield {"setting": f"{n_radii} × {n_angles} points, DOP853, rtol {rtol:g}", "seconds": seconds, "t": t.tolist(),
               "x": x_of_t, "v": v, "spin": spin}


def wrenches(grid, twists):
    """All twists at once, in blocks that fit into the cache."""
    x, y, w = grid
    scale, found = PATCH["mu"] * PATCH["N"], []
    for part in np.array_split(twists, max(1, len(twists) * len(x) // 100_000)):
        ux, uy = part[:, :1] - part[:, 2:] * y, part[:, 1:2] + part[:, 2:] * x
        per_speed = w / np.sqrt(ux * ux + uy * uy)
        found.append(-scale * np.stack([(ux * per_speed).sum(1), (uy * per_speed).sum(1),
                                        ((x * uy - y * ux) * per_speed).sum(1)], axis=1))
    return np.concatenate(found)


def adaptive_wrench(shape, twist):
    vx, vy, spin = twist
    R, a, b = PATCH["R"], PATCH["a"], PATCH["b"]

    def component(i):
        def at(y, x, jacobian=1.0):
            ux, uy = vx - spin * y, vy + spin * x
            return jacobian * (ux, uy, x * uy - y * ux)[i] / (math.hypot(ux, uy) or 1.0)

        if shape == "disc":
            total = dblquad(lambda r, s: at(r * math.sin(s), r * math.cos(s), r), 0, 2 * math.pi, 0, R, epsabs=1e-9, epsrel=1e-6)[0]
            return total / (math.pi * R * R)
        return dblquad(at, -a, a, -b, b, epsabs=1e-9, epsrel=1e-6)[0] / (4 * a * b)

    return [-PATCH["mu"] * PATCH["N"] * component(i) for i in range(3)]


def patch(shape):
    few, many = problems.twists(problems.CHECKED), np.array(problems.twists(1000))
    for n in (4, 8, 32, 128):
        grid = disc_grid(n, 2 * n, PATCH["R"]) if shape == "disc" else rectangle_grid(n, PATCH["a"], PATCH["b"])
        seconds, found = fastest(lambda: wrenches(grid, many))
        yield {"setting": f"Gauss, {len(grid[0])} points, NumPy", "seconds": seconds / len(many),
               "wrench": found[: problems.CHECKED].tolist()}
    seconds, found = fastest(lambda: [adaptive_wrench(shape, twist) for twist in few])
    yield {"setting": "dblquad, epsrel 1e-6", "seconds": seconds / len(few), "wrench": found}


if __name__ == "__main__":
    import warnings

    warnings.simplefilter("ignore")  # dblquad warns at the centre of rotation, where the integrand has no limit
    problems.serve("SciPy", scipy.__version__, {
        "no_stick": lambda: oscillator("no_stick"), "stick_slip": lambda: oscillator("stick_slip"), "response": response,
        "disc": disc, "patch_disc": lambda: patch("disc"), "patch_rectangle": lambda: patch("rectangle"),
    })
