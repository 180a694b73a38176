"""Truths that share nothing with any peer, in 30 digits where a closed form allows."""

import functools
import math

import numpy as np
from mpmath import fp, mp
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

import problems

mp.dps = 30
SCAN = 200  # looks per period for a change of sign of the velocity; the shortest slip here lasts 20 of them


class Coulomb:
    """m ü + c u̇ + k u + μ Sgn(u̇) = P sin ωt from event to event, in the closed form of each phase."""

    def __init__(self, case, context=mp):
        self.x = context
        self.m, self.c, self.k, self.P, self.omega, self.mu = (
            context.mpf(str(case[key])) if context is mp else float(case[key])
            for key in ("m", "c", "k", "P", "omega", "mu")
        )
        x = context
        self.period = 2 * x.pi / self.omega
        self.decay = self.c / (2 * self.m)
        self.natural = x.sqrt(self.k / self.m - self.decay**2)
        # particular solution a sin ωt + b cos ωt
        stiff, lossy = self.k - self.m * self.omega**2, self.c * self.omega
        self.a = self.P * stiff / (stiff**2 + lossy**2)
        self.b = -self.P * lossy / (stiff**2 + lossy**2)

    def slip(self, t0, u0, v0, sign):
        """The motion (u, v) as a function of time while u̇ keeps its sign."""
        x, w, d, n = self.x, self.omega, self.decay, self.natural
        rest = -sign * self.mu / self.k
        p = u0 - rest - self.a * x.sin(w * t0) - self.b * x.cos(w * t0)
        q = (v0 - w * (self.a * x.cos(w * t0) - self.b * x.sin(w * t0)) + d * p) / n

        def motion(t):
            s, c, e = x.sin(n * (t - t0)), x.cos(n * (t - t0)), x.exp(-d * (t - t0))
            S, C = x.sin(w * t), x.cos(w * t)
            u = rest + self.a * S + self.b * C + e * (p * c + q * s)
            v = w * (self.a * C - self.b * S) + e * ((n * q - d * p) * c - (n * p + d * q) * s)
            return u, v

        return motion

    def release(self, t, u):
        """When a mass that rests at u from t on begins to slip, and to which side."""
        x, best = self.x, None
        for sign in (1, -1):
            level = (self.k * u + sign * self.mu) / self.P
            if abs(level) > 1:
                continue
            angle = x.asin(level) if sign > 0 else x.pi - x.asin(level)
            turns = x.ceil((self.omega * t - angle) / (2 * x.pi) - x.mpf(10) ** -12)
            when = max(t, (angle + 2 * x.pi * turns) / self.omega)
            if best is None or when < best[0]:
                best = when, sign
        return best or (x.inf, 0)

    def phases(self, t, u, v, t_end):
        """Yields (begin, end, motion, sign) until t_end; sign 0 is rest."""
        x, sign = self.x, int(self.x.sign(v))
        while t < t_end:
            if sign == 0:
                load = self.P * x.sin(self.omega * t) - self.k * u
                when, sign_next = (t, int(x.sign(load))) if abs(load) > self.mu else self.release(t, u)
                if when > t:
                    held = u
                    yield t, min(when, t_end), (lambda s, held=held: (held, x.mpf(0))), 0
                t, sign, v = when, sign_next, x.mpf(0)
                continue
            motion = self.slip(t, u, v, sign)
            end = self.turn(motion, t, sign, t_end)
            yield t, min(end, t_end), motion, sign
            u, v = motion(min(end, t_end))
            t, sign, v = end, 0, x.mpf(0)

    def turn(self, motion, t, sign, t_end):
        """The first zero of the velocity after t."""
        h = self.period / SCAN
        low = t
        while low < t_end:
            high = low + h
            if sign * motion(high)[1] < 0:
                if low == t:
                    # the velocity may still be zero at the very start
                    low = next((t + h * self.x.mpf(2) ** -i for i in range(1, 60)
                                if sign * motion(t + h * self.x.mpf(2) ** -i)[1] > 0), t)
                return self.root(lambda s: motion(s)[1], low, high)
            low = high
        return t_end + h

    def root(self, f, low, high):
        """A bracketed zero by the rule of Anderson and Björck."""
        a, b, tolerance = f(low), f(high), self.x.mpf(10) ** (-28 if self.x is mp else -15) * (1 + abs(high))
        for _ in range(200):
            if a == 0:
                return low
            middle = high - b * (high - low) / (b - a)
            c = f(middle)
            if (c > 0) != (b > 0):
                low, a = high, b
            else:
                factor = 1 - c / b
                a *= factor if factor > 0 else self.x.mpf(0.5)
            previous, high, b = high, middle, c
            if c == 0 or abs(high - previous) < tolerance or abs(high - low) < tolerance:
                return high
        return high


@functools.cache
def oscillator(name):
    """Positions on the grid of samples, 1/SAMPLES of a period apart, from t = 0 on; and counts of stops and reversals."""
    case = problems.OSCILLATORS[name]
    exact = Coulomb(case)
    n = problems.PERIODS * problems.SAMPLES
    times = [exact.period * i / problems.SAMPLES for i in range(n + 1)]
    u, i, signs = [], 0, []
    for begin, end, motion, sign in exact.phases(mp.mpf(0), mp.mpf(0), mp.mpf(0), times[-1]):
        signs.append(sign)
        while i <= n and (times[i] < end or (i == n and end >= times[n])):
            u.append(float(motion(times[i])[0]))
            i += 1
    u += [u[-1]] * (n + 1 - len(u))
    return np.array(u), {"rests": signs.count(0), "slips": len(signs) - signs.count(0)}


def over_a_period(exact, u, v):
    """State after one period from t = 0, and the amplitude on the way."""
    places = []
    for begin, end, motion, sign in exact.phases(exact.x.mpf(0), u, v, exact.period):
        state = motion(end)
        places += [motion(begin)[0]] * (begin > 0) + [state[0]] * (end < exact.period)
    return state, (max(places) - min(places)) / 2


def steady_amplitude(case):
    """Amplitude of the steady motion: a transient in doubles, then Newton's method in 30 digits."""
    rough, state, last = Coulomb(case, fp), (0.0, 0.0), None
    for _ in range(5000):
        last, (state, _) = state, over_a_period(rough, *state)
        if problems.settled(state, last, 1e-9):
            break
    exact, h = Coulomb(case), mp.mpf(10) ** -15
    state = [mp.mpf(value) for value in state]
    for _ in range(6):
        (u, v), amplitude = over_a_period(exact, *state)
        residual = mp.matrix([u - state[0], v - state[1]])
        if mp.norm(residual) < mp.mpf(10) ** -20:
            break
        jacobian = mp.matrix(2, 2)
        for j in (0, 1):
            column, _ = over_a_period(exact, state[0] + h * (j == 0), state[1] + h * (j == 1))
            jacobian[0, j], jacobian[1, j] = (column[0] - u) / h - (j == 0), (column[1] - v) / h - (j == 1)
        step = mp.lu_solve(jacobian, -residual)
        state = [state[0] + step[0], state[1] + step[1]]
    return float(amplitude)


@functools.cache
def response():
    """Amplitudes of the steady motions."""
    return np.array([steady_amplitude(problems.response_case(omega)) for omega in problems.frequencies()])


def disc_forces(ratio, nodes=400):
    """Force and moment about the centre in units of μN and μNR, for v along x and ω > 0; ratio = v/(ωR) < 1.

    In polar coordinates about the centre of rotation, a point inside the disc, where the directions of friction are plain:
    the integrand is smooth and periodic, so that the trapezoidal rule converges faster than any power.
    """
    angle = 2 * np.pi * np.arange(nodes) / nodes
    radius = -ratio * np.sin(angle) + np.sqrt(1 - (ratio * np.cos(angle)) ** 2)
    force = np.mean(np.sin(angle) * radius**2)
    return force, -np.mean(2 * radius**3 / 3) - ratio * force


@functools.cache
def disc():
    """Facts as in problems.stop, with time and ratio at rest, and the motion (t, x, v, ω) as arrays. In logarithmic time −ln(ω/ω₀)."""
    d = problems.DISC
    weight = d["mu"] * d["m"] * d["g"]

    def rates(_, y):
        v, spin = y[0], math.exp(y[3])
        force, moment = disc_forces(v / (spin * d["R"]))
        spin_rate = weight * d["R"] * moment / d["I"]
        dt = -spin / spin_rate
        return [weight * force / d["m"] * dt, v * dt, dt, -1.0]

    start = [d["v"], 0.0, 0.0, math.log(d["spin"])]
    path = solve_ivp(rates, (0.0, 40.0), start, method="DOP853", rtol=1e-13,
                     atol=[1e-30, 1e-16, 1e-16, 1e-16], dense_output=True)
    v, x, t, spin = path.sol(np.linspace(0.0, 40.0, 40001))
    spin = np.exp(spin)
    rim = float(np.interp(-math.log(problems.RIM_AT), -np.log(np.maximum(v, spin * d["R"])), t))
    late = float(np.exp(np.interp(-math.log(problems.RATIO_AT), -np.log(v), np.log(v / (spin * d["R"])))))
    # the limit, at which v and ω fall in proportion
    def drift(ratio):
        force, moment = disc_forces(ratio)
        return force / ratio - moment * d["m"] * d["R"] ** 2 / d["I"]

    limit = brentq(drift, 0.1, 0.9, xtol=1e-15)
    facts = {"stop_time": rim, "distance": float(x[-1]), "late_ratio": late, "rest": float(t[-1]), "limit": limit}
    return facts, (t, x, v, spin)


def wrench(outline, twist):
    """(Fx, Fy, M) about the origin on a patch of uniform pressure; outline is a polygon, or a radius."""
    vx, vy, spin = (mp.mpf(value) for value in twist)
    mu, load = mp.mpf(str(problems.PATCH["mu"])), mp.mpf(str(problems.PATCH["N"]))
    # the centre of rotation, from which radii and angles are measured
    cx, cy = -vy / spin, vx / spin
    if isinstance(outline, float):
        parts, area = disc_parts(mp.mpf(str(outline)), cx, cy)
    else:
        parts, area = polygon_parts([(mp.mpf(str(x)), mp.mpf(str(y))) for x, y in outline], cx, cy)
    fx, fy, m = [mu * load / area * mp.sign(spin) * part for part in parts]
    return [float(value) for value in (fx, fy, m + cx * fy - cy * fx)]


def polygon_parts(corners, cx, cy):
    """∫∫ (sin θ, −cos θ, −r) dA, as a sum of signed triangles that meet in the centre of rotation; and the area."""
    total, area = [mp.mpf(0)] * 3, mp.mpf(0)
    for (x0, y0), (x1, y1) in zip(corners, corners[1:] + corners[:1]):
        area += (x0 * y1 - x1 * y0) / 2
        ax, ay, bx, by = x0 - cx, y0 - cy, x1 - cx, y1 - cy
        length = mp.hypot(bx - ax, by - ay)
        distance = (ax * by - bx * ay) / length
        if distance == 0:
            continue
        normal = mp.atan2(-(bx - ax), by - ay)
        if distance < 0:
            normal += mp.pi
        h = abs(distance)
        # along the edge: w from the foot of the perpendicular, tan(θ − normal) = w/h
        low, high = [(px * mp.cos(normal + mp.pi / 2) + py * mp.sin(normal + mp.pi / 2)) for px, py in ((ax, ay), (bx, by))]
        c, s = mp.cos(normal), mp.sin(normal)

        def primitive(w):
            r = mp.sqrt(h * h + w * w)
            log = mp.asinh(w / h)
            # ½∫ρ² cos, ½∫ρ² sin in the frame of the normal, ⅓∫ρ³
            return h * h * log / 2, (r - h) * h / 2, h * (w * r + h * h * log) / 6

        (c1, s1, m1), (c0, s0, m0) = primitive(high), primitive(low)
        along, across, moment = c1 - c0, s1 - s0, m1 - m0
        cosine, sine = c * along - s * across, s * along + c * across
        total = [total[0] + sine, total[1] - cosine, total[2] - moment]
    return total, area


def disc_parts(R, cx, cy):
    """The same for a disc, over all directions from inside, between the tangents from outside."""
    d, towards = mp.hypot(cx, cy), mp.atan2(-cy, -cx)

    def parts(angle):
        root = mp.sqrt(max(R * R - (d * mp.sin(angle)) ** 2, 0))
        far, near = d * mp.cos(angle) + root, (d * mp.cos(angle) - root if d > R else 0)
        return (far**2 - near**2) / 2, (far**3 - near**3) / 3

    if d < R:
        points = [0, mp.pi / 2, mp.pi]
        force = 2 * mp.quad(lambda a: parts(a)[0] * mp.cos(a), points)
        moment = 2 * mp.quad(lambda a: parts(a)[1], points)
    else:
        # sin α = (R/d) sin β takes the roots at the tangents away
        def change(part):
            def integrand(beta):
                angle = mp.asin(R / d * mp.sin(beta))
                return part(angle) * R * mp.cos(beta) / (d * mp.cos(angle))
            return 2 * mp.quad(integrand, [0, mp.pi / 4, mp.pi / 2])

        force, moment = change(lambda a: parts(a)[0] * mp.cos(a)), change(lambda a: parts(a)[1])
    c, s = mp.cos(towards), mp.sin(towards)
    return [force * s, -force * c, -moment], mp.pi * R * R


@functools.cache
def patch(shape, n):
    """Wrenches of the first n twists of problems.twists, an array of n × 3."""
    p = problems.PATCH
    corners = [(p["a"], p["b"]), (-p["a"], p["b"]), (-p["a"], -p["b"]), (p["a"], -p["b"])]
    outline = p["R"] if shape == "disc" else corners
    return np.array([wrench(outline, twist) for twist in problems.twists(n)])


def check():
    """Compares the truths with what is known: a truth that fails makes the comparison worthless."""
    # Den Hartog's closed form without viscous damping, with r = ω/ωₙ and f = μ/P
    case = problems.OSCILLATORS["no_stick"]
    r, f = case["omega"], case["mu"] / case["P"]
    turn = math.sin(math.pi / r) / (r * (1 + math.cos(math.pi / r)))
    hartog = case["P"] / case["k"] * math.sqrt(1 / (1 - r * r) ** 2 - (f * turn) ** 2)
    # a wrench as the mean of unit vectors over points spread evenly; the limit has three digits in Farkas et al. 2003
    points, p = np.array(problems.sunflower(20000, problems.PATCH["R"])), problems.PATCH
    (vx, vy, spin), true = problems.twists(2)[1], patch("disc", 2)[1]
    slip = np.stack([vx - spin * points[:, 1], vy + spin * points[:, 0]], axis=1)
    mean = -p["mu"] * p["N"] * np.mean(slip / np.linalg.norm(slip, axis=1, keepdims=True), axis=0)
    for name, found, known, tolerance in (("Den Hartog's amplitude", steady_amplitude(case), hartog, 1e-12),
                                          ("the disc's limit", disc()[0]["limit"], 0.653, 5e-4),
                                          ("a wrench", float(np.max(np.abs(mean - true[:2]))), 0.0, 1e-3)):
        if abs(found - known) > tolerance:
            raise ValueError(f"{name} is {found}, but {known} is known")
