"""Writes coulomb.csv or, with the argument `events`, coulomb_events.csv: five oscillators under Coulomb friction, N = 1.

    cargo xtask oracles coulomb coulomb_events

    m u" + c u' + k u + H = P sin(omega t),   H = mu sgn u' in slip,   |H| <= mu_static in stick

Phases are closed forms; the end of each is bracketed, and bounds of the derivatives prove that nothing was
stepped over. Times are those of the table, at whole quarters of a period.
"""

import sys

from mpmath import mp, mpf

from table import remake, rows, show, text

mp.dps = 45

PERIODS = 20
# of the time scale of the motion: brackets are at most as long
STEP = mpf(1) / 20
# a quantity below this is zero up to rounding
ZERO = mpf(10) ** -35


class Waves:
    """A sum of Re(z exp(s t)); so are its derivatives, whose bounds follow from the moduli."""

    def __init__(self, terms):
        self.terms = terms

    def derivative(self):
        return Waves([(z * s, s) for z, s in self.terms])

    def at(self, t):
        return mp.re(mp.fsum(z * mp.exp(s * t) for z, s in self.terms))

    def bound(self):
        """No larger for t > 0: no term grows."""
        assert all(mp.re(s) <= 0 for _, s in self.terms)
        return mp.fsum(abs(z) for z, _ in self.terms)


def departure(g):
    """A time up to which g, zero at 0, keeps the sign that it takes there: by Taylor's theorem at its first derivative not zero."""
    for order in range(1, 5):
        g = g.derivative()
        # t^order/order! |first| > t^(order + 1)/(order + 1)! bound
        if abs(g.at(0)) > ZERO:
            return abs(g.at(0)) * (order + 1) / g.derivative().bound() / 2
    raise AssertionError("no way off zero")


def first_zero(g, t, horizon, scale):
    """The first zero of g after t, where it is not zero; None if there is none up to the horizon."""
    slope, curve = g.derivative(), g.derivative().derivative()
    most, bend = slope.bound(), curve.bound()
    if most == 0:
        return None
    sign, step = mp.sign(g.at(t)), STEP * scale
    while t < horizon:
        if sign * g.at(t + step) < 0:
            # monotonic, so that the zero is the only one
            if abs(slope.at(t)) > step * bend:
                return zero_between(g, t, t + step)
            step /= 2
            continue
        # no zero is nearer than this
        safe = abs(g.at(t)) / most
        assert safe > ZERO, "a grazing contact"
        t += safe
    return None


def zero_between(g, low, high):
    """The zero in a bracket: bisected to six digits, which Newton's method doubles to 12, 24, 48."""
    sign, slope = mp.sign(g.at(low)), g.derivative()
    for _ in range(20):
        middle = (low + high) / 2
        low, high = (middle, high) if sign * g.at(middle) > 0 else (low, middle)
    t = low
    for _ in range(4):
        t -= g.at(t) / slope.at(t)
    assert low - ZERO <= t <= high + ZERO
    return t


class Oscillator:
    def __init__(self, row):
        names = ("m", "c", "k", "P", "omega", "mu", "mu_static", "u0", "v0")
        self.m, self.c, self.k, self.P, self.omega, self.mu, self.mu_static, self.u, self.v = (
            mpf(row[name]) for name in names
        )
        self.period = 2 * mp.pi / self.omega

    def demand(self, t, u):
        """What friction must hold at rest."""
        return self.P * mp.sin(self.omega * t) - self.k * u

    def slip(self, t, u, v, way):
        """u after t in slip to one side, as waves of the time since t."""
        # P sin = Re(-i P exp(i omega t)); without a force the response is not asked for, not even at resonance
        i_omega = mp.mpc(0, self.omega)
        impedance = self.m * i_omega**2 + self.c * i_omega + self.k
        forced = -1j * self.P * mp.exp(i_omega * t) / impedance if self.P else mp.mpc(0)
        fixed = -way * self.mu / self.k
        root = mp.sqrt(mp.mpc(self.c**2 - 4 * self.m * self.k))
        rate = (-self.c + root) / (2 * self.m)
        assert mp.im(rate) > 0, "underdamped"
        # the real part of z exp(rate t): its value and its slope at zero are left over
        x, y = u - mp.re(forced) - fixed, v - mp.re(forced * i_omega)
        z = mp.mpc(x, (mp.re(rate) * x - y) / mp.im(rate))
        return Waves([(forced, i_omega), (mp.mpc(fixed), mp.mpc(0)), (z, rate)])

    def held(self, t, u, way):
        """mu_static less the demand to one side, as waves of the time since t."""
        i_omega = mp.mpc(0, self.omega)
        load = way * 1j * self.P * mp.exp(i_omega * t)
        return Waves([(load, i_omega), (mp.mpc(self.mu_static + way * self.k * u), mp.mpc(0))])

    def release(self, t, u, end):
        """When stick ends and to which side."""
        scale = 1 / self.omega
        found = [(first_zero(self.held(t, u, way), mpf(0), end - t, scale), way) for way in (1, -1)]
        return min(((after, way) for after, way in found if after is not None), default=(None, 0))

    def phases(self, end):
        """Start, motion as waves of the time since (None in stick: u stays), u at the start, and the event that begins the phase."""
        assert self.v == 0, "every case starts at rest"
        t, u, way, kind = mpf(0), self.u, 0, None
        while True:
            demand = self.demand(t, u)
            if abs(demand) <= self.mu_static:
                yield t, None, u, kind and "stick"
                after, way = self.release(t, u, end)
                if after is None:
                    return
                t, kind = t + after, "slip"
            else:
                # through zero velocity without a rest
                assert mp.sign(demand) != way, "a grazing contact"
                way, kind = mp.sign(demand), kind and "reverse"
            motion = self.slip(t, u, mpf(0), way)
            yield t, motion, u, kind
            velocity = motion.derivative()
            after = first_zero(velocity, departure(velocity), end - t, mp.sqrt(self.m / self.k))
            if after is None:
                return
            t, u, kind = t + after, motion.at(after), "stop"


def cases():
    """The period and the phases of every case of coulomb.csv."""
    found = {}
    for row in rows("coulomb"):
        if row["case"] not in found:
            oscillator = Oscillator(row)
            found[row["case"]] = oscillator.period, list(oscillator.phases(PERIODS * oscillator.period))
    return found


CASES = cases()


def state(row):
    period, phases = CASES[row["case"]]
    quarter = period / 4
    t = mp.nint(mpf(row["t"]) / quarter) * quarter
    start, motion, u, _ = [phase for phase in phases if phase[0] <= t][-1]
    if motion is None:
        return {"t": t, "u": u, "v": mpf(0)}
    # free_decay stops on a quarter
    return {"t": t, "u": motion.at(t - start), "v": mp.chop(motion.derivative().at(t - start), ZERO)}


def events():
    show(["case", "index", "t", "kind"])
    for case, (period, phases) in CASES.items():
        marked = [(t, kind) for t, _, _, kind in phases if kind and t <= PERIODS * period]
        for index, (t, kind) in enumerate(marked):
            show([case, index, text(t), kind])


if "events" in sys.argv:
    events()
else:
    remake("coulomb", state)
