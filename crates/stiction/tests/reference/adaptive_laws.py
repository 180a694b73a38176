"""Reference motions for tests/adaptive_laws.rs: every continuous law, written from its formula and integrated piece by piece.

A piece is a stretch of time on which every contact stays on one smooth branch of its law. Two solutions are made:

* closed form (matrix exponential) where every branch is affine, otherwise collocation at 8 Gauss points (order 16);
* collocation at 9 Radau points (order 17), with another tolerance.

The end of a piece is found on the polynomial of a step, and the step is repeated until it ends there. The largest
difference of the two solutions is written next to each row. Arguments pick the
cases that contain all of them.

    cargo xtask oracles adaptive_laws
"""

import itertools
import json
import math
import sys
from multiprocessing import Pool

import numpy as np
from mpmath import mp
from numpy.polynomial import legendre
from scipy.linalg import expm
from scipy.optimize import brentq

mp.dps = 40

PERIODS = 20
WIDTHS = [1.0, 1e-1, 1e-2, 1e-3, 1e-4]
MUS = [1.6, 3.2]
# the error that a row may have; the Rust test asks for 1e-8
GOOD = 1e-9


# Laws of the velocity alone: branches (low, high, phi), ascending, each phi analytic on its branch.


def mirrored(right, through_zero=None):
    """An odd law from its branches on v > 0, and the branch through zero if it is one with its mirror image."""
    left = [(-high, -low, lambda v, phi=phi: -phi(-v)) for low, high, phi in reversed(right)]
    middle = [] if through_zero is None else [(-through_zero[0], through_zero[0], through_zero[1])]
    return left + middle + right


def rise_of(p):
    rise = p.get("rise", 0.0)
    return rise, p.get("rise_height", p["mu"] * rise / p["width"])


def plateau(p, start):
    return start, math.inf, lambda v: p["mu"] + 0 * v


def linear(p):
    rise, height = rise_of(p)
    top, peak = p["width"] + rise, p["mu"] + height
    ramp = top, lambda v: peak / top * v
    fall = [(top, top + rise, lambda v: peak - height / rise * (v - top))] if rise else []
    return mirrored(fall + [plateau(p, top + rise)], ramp)


def trigonometric(p):
    rise, height = rise_of(p)
    top, peak = p["width"] + rise, p["mu"] + height
    arc = top, lambda v: peak * np.sin(np.pi / 2 * v / top)
    # half a cosine from the peak down to mu
    fall = [(top, top + rise, lambda v: p["mu"] + height / 2 * (1 + np.cos(np.pi * (v - top) / rise)))] if rise else []
    return mirrored(fall + [plateau(p, top + rise)], arc)


def root(x, least):
    """Square root, continued below `least` by its tangent: an arc ends so close to the vertical that steps reach over."""
    inside = x.real >= least
    sqrt = math.sqrt(least)
    return np.where(inside, np.sqrt(np.where(inside, x, least)), sqrt + (x - least) / (2 * sqrt))


def circular_linear(p):
    rise, height = rise_of(p)
    r, top, peak = p["radius"], p["width"] + rise, p["mu"] + height

    def tangent(w, g):
        """Tangent from the origin to the upper left of the circle about (w, g - r): its slope, and where it touches.

        The last number is the square of the height of that point over the centre.
        """
        angle = math.atan2(g - r, w) + math.asin(r / math.hypot(w, g - r))
        length = math.sqrt(w * w + (g - r) ** 2 - r * r)
        return math.tan(angle), length * math.cos(angle), (r * math.cos(angle)) ** 2

    def arc(x, least):
        """Height of the circle over its centre at the distance x from it."""
        return root((r - x) * (r + x), least)

    slope, touch, least = tangent(top, peak)
    right = [(touch, top, lambda v: peak - r + arc(top - v, least))]
    if rise:
        w, g = rise / 2, height / 2
        centre, level = top + w, p["mu"] + g
        steep, x, low = tangent(w, g)
        right += [
            (top, centre - x, lambda v: peak - r + arc(v - top, low)),
            (centre - x, centre + x, lambda v: level - steep * (v - centre)),
            (centre + x, top + rise, lambda v: p["mu"] + r - arc(top + rise - v, low)),
        ]
    return mirrored(right + [plateau(p, top + rise)], (touch, lambda v: slope * v))


def cut(low, high, phi, marks):
    """A smooth branch cut at marks, so that no long step ends where the law has just begun to bend."""
    ends = [low, *sorted(mark for mark in marks if low < mark < high), high]
    return [(a, b, phi) for a, b in zip(ends, ends[1:])]


def tanh(p):
    # tanh 20 is 1 in double precision
    return cut(-math.inf, math.inf, lambda v: p["mu"] * np.tanh(v / p["width"]), [-20 * p["width"], 20 * p["width"]])


def stribeck(p):
    mu, excess, vs = p["mu"], p["mu_static"] - p["mu"], p["velocity"]
    weight = {
        "exponential": lambda x: np.exp(-x),
        "gaussian": lambda x: np.exp(-x * x),
        "hyperbolic": lambda x: 1 / (1 + x),
    }[p["weakening"]]

    def phi(v):
        return (mu + excess * weight(v / vs)) * np.tanh(v / p["width"])

    if p["weakening"] == "gaussian":
        return cut(-math.inf, math.inf, phi, [-20 * p["width"], 20 * p["width"], -6 * vs, 6 * vs])
    return mirrored(cut(0.0, math.inf, phi, [20 * p["width"], vs, 6 * vs]))


VELOCITY_LAWS = {
    "linear": linear,
    "trigonometric": trigonometric,
    "circular-linear": circular_linear,
    "tanh": tanh,
    "stribeck": stribeck,
}

# Quinn contacts, with x = d/mu and s = v/width: phi/mu = clamp(s + clamp(x, -1, 1), -1, 1). Five affine branches.
FREE, LOW, LOW_X, HIGH_X, HIGH = "free", "low", "low-x", "high-x", "high"


def demand_guards(branch, s, x):
    """Positive while the contact stays on the branch."""
    return {
        FREE: lambda: [1 - x, 1 + x, 1 - s - x, 1 + s + x],
        HIGH: lambda: [s, np.maximum(s + x - 1, s - 2)],
        LOW: lambda: [-s, np.maximum(-s - x - 1, -s - 2)],
        HIGH_X: lambda: [-s, s + 2, x - 1],
        LOW_X: lambda: [s, 2 - s, -x - 1],
    }[branch]()


class Problem:
    """M q" + C q' + K q + sum w H = f sin t; y = [q, q', zeta], zeta the deflection of a contact with memory over mu/sigma."""

    def __init__(self, system, name, p):
        self.name, self.p = name, p
        pair = system == "pair"
        self.mass = np.array([[1.0, 0.2], [0.2, 0.8]] if pair else [[1.0]])
        self.damping = np.array([[0.15, -0.05], [-0.05, 0.1]] if pair else [[0.1]])
        self.stiffness = np.array([[2.0, -1.0], [-1.0, 1.5]] if pair else [[1.0]])
        self.force = np.array([4.0, 1.0] if pair else [4.0])
        # columns are the directions of the contacts
        self.w = np.array([[1.0, -1.0], [0.0, 1.0]] if pair else [[1.0]])
        self.load = np.array([1.0, 0.6] if pair else [1.0])
        self.belt = 0.5 if system == "belt" else 0.0
        self.viscous = 0.05 if system == "viscous" else 0.0
        self.inverse = np.linalg.inv(self.mass)
        self.delassus = self.w.T @ self.inverse @ self.w
        self.own = np.diag(self.delassus) * self.load
        self.n, self.m = self.w.shape
        self.has_memory = name in ("dahl", "lugre")
        self.answers = name == "quinn"
        self.branches = VELOCITY_LAWS[name](p) if name in VELOCITY_LAWS else None
        self.is_affine = name in ("linear", "quinn")
        self.size = 2 * self.n + (self.m if self.has_memory else 0)
        self.inverses = {}

    def initial(self):
        return np.zeros(self.size)

    def sliding(self, y):
        return y[:, self.n : 2 * self.n] @ self.w - self.belt

    def without_friction(self, t, y):
        """The loads that the law must balance: everything but the friction of the laws themselves."""
        q, v = y[:, : self.n], y[:, self.n : 2 * self.n]
        viscous = self.viscous * self.sliding(y) * self.load
        return np.outer(np.sin(t), self.force) - v @ self.damping.T - q @ self.stiffness.T - viscous @ self.w.T

    def memory(self, mode, y):
        """phi and zeta' of contacts with memory; the mode says which way each slides."""
        v, zeta, p, way = self.sliding(y), y[:, 2 * self.n :], self.p, np.array(mode)
        if self.name == "dahl":
            return p["mu"] * zeta, p["stiffness"] / p["mu"] * v * (1 - way * zeta)
        g = p["mu"] + (p["mu_static"] - p["mu"]) * np.exp(-((v / p["velocity"]) ** 2))
        z_dot = v * (1 - way * p["mu"] * zeta / g)
        return p["mu"] * zeta + p["damping"] * z_dot, p["stiffness"] / p["mu"] * z_dot

    def held(self, mode, loads, v):
        """Forces of quinn contacts on their branches, and x = d/mu."""
        mu, s = self.p["mu"], v / self.p["width"]
        b = loads @ self.inverse @ self.w
        if mode not in self.inverses:
            rows = [self.delassus[i] if branch == FREE else np.eye(self.m)[i] for i, branch in enumerate(mode)]
            self.inverses[mode] = np.linalg.inv(np.array(rows)).T
        limit = {LOW: lambda i: -1 + 0 * s[:, i], HIGH: lambda i: 1 + 0 * s[:, i]}
        limit |= {LOW_X: lambda i: s[:, i] - 1, HIGH_X: lambda i: s[:, i] + 1}
        columns = [
            b[:, i] + self.own[i] * mu * s[:, i] if branch == FREE else self.load[i] * mu * limit[branch](i)
            for i, branch in enumerate(mode)
        ]
        force = np.array(columns).T @ self.inverses[mode]
        others = force @ self.delassus.T - force * np.diag(self.delassus)
        return force, s, (b - others) / (self.own * mu)

    def rhs(self, mode, t, y):
        """y' at several (t, y), with each contact on the branch that `mode` names."""
        out = np.zeros_like(y)
        loads, v = self.without_friction(t, y), self.sliding(y)
        if self.answers:
            force = self.held(mode, loads, v)[0]
        elif self.has_memory:
            phi, out[:, 2 * self.n :] = self.memory(mode, y)
            force = phi * self.load
        else:
            force = np.array([self.branches[k][2](v[:, i]) for i, k in enumerate(mode)]).T * self.load
        out[:, : self.n] = y[:, self.n : 2 * self.n]
        out[:, self.n : 2 * self.n] = (loads - force @ self.w.T) @ self.inverse.T
        return out

    def slopes(self, mode, t, y):
        """Jacobians by complex steps."""
        step = 1e-30
        jac = np.empty((len(t), self.size, self.size))
        for j in range(self.size):
            shifted = y.astype(complex)
            shifted[:, j] += 1j * step
            jac[:, :, j] = self.rhs(mode, t, shifted).imag / step
        return jac

    def guards(self, mode, t, y):
        """One column per guard; all positive while the mode lasts."""
        v = self.sliding(y)
        columns = []
        if self.answers:
            _, s, x = self.held(mode, self.without_friction(t, y), v)
            for i, branch in enumerate(mode):
                columns += demand_guards(branch, s[:, i], x[:, i])
        elif self.has_memory:
            columns = [way * v[:, i] for i, way in enumerate(mode)]
        else:
            for i, k in enumerate(mode):
                low, high, _ = self.branches[k]
                columns += [v[:, i] - low] if low > -math.inf else []
                columns += [high - v[:, i]] if high < math.inf else []
        return np.array(columns).T if columns else np.ones((len(t), 1))

    def modes(self):
        each = [FREE, HIGH, LOW, HIGH_X, LOW_X] if self.answers else [1, -1] if self.has_memory else range(len(self.branches))
        return itertools.product(each, repeat=self.m)

    def mode_at(self, t, y):
        """The mode whose guards are least violated."""
        at = np.array([t]), y[None]
        return max(self.modes(), key=lambda mode: self.guards(mode, *at).min())

    def mode_after(self, t, y, mode, farther=0):
        """The mode just behind (t, y), where `mode` ends; a few short Heun steps determine the direction, for the first may graze.

        Where a contact at rest breaks away its velocity is rounding at first: one may have to look farther.
        """
        delta = 1e-9 * min(1.0, self.p.get("width", 1.0)) * 4**farther if t > 0 else 1e-6
        for _ in range(4):
            f = self.rhs(mode, np.array([t]), y[None])[0]
            ahead = self.mode_at(t + delta, y + delta * f)
            g = self.rhs(ahead, np.array([t + delta]), (y + delta * f)[None])[0]
            t, y = t + delta, y + delta / 2 * (f + g)
            mode = self.mode_at(t, y)
        return mode


# Steps: each returns the states at t + theta h for an array of theta.


class Exact:
    """Closed form on affine branches: d/dt [y, 1, sin t, cos t] is a constant matrix."""

    def __init__(self, problem):
        self.problem, self.matrices, self.exponentials = problem, {}, {}
        self.thetas = np.array([0.25, 0.5, 0.75, 1.0])

    def matrix(self, mode):
        if mode not in self.matrices:
            problem, n = self.problem, self.problem.size
            zero = np.zeros((1, n))
            big = np.zeros((n + 3, n + 3))
            big[:n, :n] = problem.slopes(mode, np.zeros(1), zero)[0]
            big[:n, n] = problem.rhs(mode, np.zeros(1), zero)[0]
            big[:n, n + 1] = problem.rhs(mode, np.array([np.pi / 2]), zero)[0] - big[:n, n]
            big[n + 1, n + 2], big[n + 2, n + 1] = 1, -1
            self.matrices[mode] = big
        return self.matrices[mode]

    def propagate(self, mode, t, y, tau, keep):
        key = mode, tau
        e = self.exponentials.get(key)
        if e is None:
            e = expm(self.matrix(mode) * tau)
            if keep:
                self.exponentials[key] = e
        return (e @ np.concatenate([y, [1, math.sin(t), math.cos(t)]]))[: len(y)]

    def first(self, mode, t, y):
        return 2.0 ** -round(math.log2(1e3 * (1 + np.abs(self.matrix(mode)).max())))

    def step(self, mode, t, y, h):
        states = np.array([self.propagate(mode, t, y, theta * h, True) for theta in self.thetas])
        dense = lambda theta: np.array([self.propagate(mode, t, y, x * h, False) for x in np.atleast_1d(theta)])
        return states[-1], dense, (self.thetas, states), min(2 * h, 2.0**-6)


class Collocation:
    """Implicit Runge-Kutta at s nodes; the last coefficient of the Legendre series of a step steers its length."""

    def __init__(self, problem, nodes, tolerance):
        self.problem, self.tolerance, s = problem, tolerance, len(nodes)
        # in 40 digits, for the matrix of powers is ill-conditioned
        powers = mp.matrix(s, s)
        integrals = mp.matrix(s, s)
        for i, k in itertools.product(range(s), repeat=2):
            powers[i, k], integrals[i, k] = nodes[i] ** k, nodes[i] ** (k + 1) / (k + 1)
        self.a = np.array((integrals * powers**-1).tolist(), dtype=float)
        self.c = np.array(nodes, dtype=float)
        points = np.concatenate([[0.0], self.c])
        self.to_series = np.linalg.inv(legendre.legvander(2 * points - 1, s))
        self.thetas = np.linspace(0, 1, 33)[1:]
        self.samples = legendre.legvander(2 * self.thetas - 1, s)
        self.series = None

    def first(self, mode, t, y):
        self.series = None
        return 1e-2 / (1 + np.abs(self.problem.slopes(mode, np.array([t]), y[None])).max())

    def step(self, mode, t, y, h):
        """None if Newton's iteration fails or the step is too long; then the second value is the length to try."""
        problem, s, n = self.problem, len(self.c), len(y)
        times, z = t + self.c * h, np.tile(y, (s, 1))
        if self.series is not None and self.series[0] is y:
            ahead = legendre.legvander(2 * (1 + self.c * h / self.series[1]) - 1, s) @ self.series[2]
            z = ahead if np.all(np.abs(ahead - y) < 1) else z
        last = math.inf
        for _ in range(12):
            with np.errstate(all="ignore"):
                residual = y + h * (self.a @ problem.rhs(mode, times, z)) - z
                jac = problem.slopes(mode, times, z)
            matrix = np.eye(s * n) - h * np.einsum("ij,jab->iajb", self.a, jac).reshape(s * n, s * n)
            if not (np.all(np.isfinite(residual)) and np.all(np.isfinite(matrix))):
                return None, h / 4
            change = np.linalg.solve(matrix, residual.ravel()).reshape(s, n)
            z = z + change
            size = np.abs(change / np.maximum(1, np.abs(z))).max()
            if size < 1e-15 or size >= last / 2 and size < 1e-13:
                break
            last = size
        else:
            return None, h / 4
        series = self.to_series @ np.vstack([y, z])
        error = np.maximum(np.abs(series[-1]), 0.1 * np.abs(series[-2])) / np.maximum(1, np.abs(y))
        factor = 0.8 * (self.tolerance / max(error.max(), 1e-30)) ** (1 / s)
        if factor < 0.7:
            return None, h * max(factor, 0.1)
        dense = lambda theta: legendre.legvander(2 * np.atleast_1d(theta) - 1, s) @ series
        new = dense(1.0)[0]
        self.series = new, h, series
        return new, dense, (self.thetas, self.samples @ series), h * min(factor, 4)


def zeros(polynomial, guesses):
    """Its zeros on [-1, 1] from guesses, taken to [0, 1]."""
    return [(mp.findroot(polynomial, mp.mpf(x)) + 1) / 2 for x in guesses]


def gauss(s):
    return zeros(lambda x: mp.legendre(s, x), legendre.leggauss(s)[0])


def radau(s):
    # zeros of P_s - P_(s-1), the last of which is 1
    guesses = legendre.legroots([0] * (s - 1) + [-1, 1])
    return zeros(lambda x: mp.legendre(s, x) - mp.legendre(s - 1, x), guesses[:-1]) + [mp.mpf(1)]


def crossing(problem, mode, t, h, start, found, dense):
    """The first theta at which a guard vanishes, None if none does."""
    thetas, states = found
    guards = problem.guards(mode, t + thetas * h, states)
    # a piece begins with a guard at zero, up to rounding of velocities of order ten over the width
    slack = 1e-14 / min(1.0, problem.p.get("width", 1.0)) if problem.answers else 1e-14
    before, theta, roots = problem.guards(mode, np.array([t]), start[None])[0], 0.0, []
    for row, x in zip(guards, thetas):
        for j in np.nonzero(row < -slack)[0]:
            guard = lambda at: problem.guards(mode, np.array([t + at * h]), dense(at))[0, j]
            if before[j] <= 0 or guard(theta) <= 0:
                roots.append(theta)
            else:
                roots.append(brentq(guard, theta, x, xtol=1e-16, rtol=1e-15))
        if roots:
            return min(roots)
        before, theta = row, x
    return None


def integrate(problem, method, t_end):
    """The state at t_end, and the number of pieces."""
    # time in two parts, for a piece may be shorter than the rounding of t
    t, rest, y, n_pieces = 0.0, 0.0, problem.initial(), 1
    mode = problem.mode_after(t, y, problem.mode_at(t, y))
    h = method.first(mode, t, y)
    at_once = 0
    while t_end - t - rest > 1e-13:
        h = min(h, t_end - t - rest)
        assert h > 1e-25, f"step vanished at {t}"
        new, dense, *more = method.step(mode, t, y, h)
        if new is None:
            h = dense
            continue
        found, h_next = more
        theta = crossing(problem, mode, t, h, y, found, dense)
        if theta is not None and theta * h > 1e-22:
            if theta < 0.998:
                # a fresh step to the end of the piece, and its end found anew
                h *= theta * 1.001
                continue
            new, h = dense(theta)[0], theta * h
        elif theta is not None:
            new, h = y, 0.0
        at_once = at_once + 1 if h == 0 else 0
        assert at_once < 20, f"no way on at {t}"
        rest += h
        t, rest, y = t + rest, rest - (t + rest - t), new
        h = h_next
        if theta is not None:
            n_pieces += 1
            mode = problem.mode_after(t, y, mode, at_once)
            assert problem.guards(mode, np.array([t]), y[None]).min() > -1e-9, f"wrong mode at {t}"
            h = method.first(mode, t, y)
    return y, n_pieces


def cases():
    for mu, width in itertools.product(MUS, WIDTHS):
        plain = {"mu": mu, "width": width}
        raised = plain | {"rise": width / 2, "rise_height": 0.15 * mu}
        weak = {"mu": mu, "mu_static": 1.15 * mu, "velocity": 0.5, "width": width}
        dahl = {"mu": mu, "stiffness": mu / width}
        lugre = {"mu": mu, "mu_static": 1.15 * mu, "velocity": 0.5, "stiffness": mu / width}
        lugre |= {"damping": 0.5 * math.sqrt(mu / width)}
        for system, name, p in [
            ("oscillator", "linear", plain),
            ("oscillator", "linear", raised),
            ("oscillator", "trigonometric", plain),
            ("oscillator", "trigonometric", raised),
            ("oscillator", "circular-linear", plain | {"radius": 0.6 * width}),
            ("oscillator", "circular-linear", raised | {"radius": 0.15 * width}),
            ("oscillator", "quinn", plain),
            ("oscillator", "tanh", plain),
            ("oscillator", "stribeck", weak | {"weakening": "exponential"}),
            ("oscillator", "stribeck", weak | {"weakening": "gaussian"}),
            ("oscillator", "stribeck", weak | {"weakening": "hyperbolic"}),
            ("oscillator", "dahl", dahl),
            ("oscillator", "lugre", lugre),
            ("viscous", "trigonometric", plain),
            ("viscous", "quinn", plain),
            ("belt", "stribeck", weak | {"weakening": "gaussian"}),
            ("belt", "quinn", plain),
            ("pair", "quinn", plain),
            ("pair", "lugre", lugre),
        ]:
            yield system, name, p, width


def solve(case):
    system, name, p, width = case
    problem, t_end = Problem(system, name, p), PERIODS * 2 * math.pi
    other = Exact(problem) if problem.is_affine else Collocation(problem, gauss(8), 3e-14)
    (a, n_pieces), (b, n_again) = (
        integrate(problem, method, t_end) for method in (other, Collocation(problem, radau(9), 1e-13))
    )
    n = problem.n
    error = np.abs(a - b)[: 2 * n].max()
    label = f"{system} {name} {p}: {n_pieces} and {n_again} pieces, {error:.1e}"
    print(label, "" if error <= GOOD else "TOO LARGE", file=sys.stderr, flush=True)
    numbers = [repr(float(x)) for x in (t_end, *a[:n], *([math.nan] * (2 - n)), *a[n : 2 * n], *([math.nan] * (2 - n)))]
    law = json.dumps({name: p})
    return ";".join([system, law, repr(p["mu"]), repr(width), *numbers, f"{error:.1e}"]).replace("nan", "")


def main():
    wanted = [case for case in cases() if all(word in str(case) for word in sys.argv[1:])]
    print("system;law;mu;width;t_end;position_1;position_2;velocity_1;velocity_2;error")
    with Pool() as pool:
        for row in pool.imap(solve, wanted):
            print(row, flush=True)


if __name__ == "__main__":
    main()
