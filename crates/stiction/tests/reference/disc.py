"""Writes disc.csv: F, M and J of a unit disc (f = N = R = 1) by quadrature over the disc.

    cargo xtask oracles disc

The disc slides along x with d and spins with 1, so V = (d - y, x) vanishes at (0, d); F, M and J are the integrals of p V_x/|V|,
p (x V_y - y V_x)/|V| and p x V_y/|V|. On the ray from (0, d) along (cos a, sin a), V/|V| = (-sin a, cos a); s is measured along
the ray from the foot of the perpendicular on it from the disc's centre. A chord of half-length L is travelled as s = L sin b,
which takes the roots out of the pressures at the rim.
"""

from mpmath import mp, mpf

from table import quad, remake

mp.dps = 45

# p ds in units of db
WEIGHTS = {
    "galin": lambda L, b: 1 / (2 * mp.pi),
    "hertz": lambda L, b: 3 * (L * mp.cos(b)) ** 2 / (2 * mp.pi),
    "uniform": lambda L, b: L * mp.cos(b) / mp.pi,
}
# entire functions of b on half a turn: doubling the number of nodes changes nothing above 1e-40
NODES = 20


def gauss(n):
    """Nodes and weights on [-1, 1]."""
    pairs = []
    for k in range(n):
        x = mp.cos(mp.pi * (k + mpf(3) / 4) / (n + mpf(1) / 2))
        # Newton's method doubles the two digits of that guess: 2, 4, … 128
        for _ in range(7):
            slope = n * (mp.legendre(n - 1, x) - x * mp.legendre(n, x)) / (1 - x * x)
            x -= mp.legendre(n, x) / slope
        pairs.append((x, 2 / ((1 - x * x) * slope**2)))
    return pairs


GAUSS = gauss(NODES)


def ray(weight, d, sin, cos, L, start):
    """The integrals along one ray from b = start to the rim: of V_x/|V|, of the moment, of x V_y/|V|."""
    force = moment = side = mpf(0)
    middle, half = (mp.pi / 2 + start) / 2, (mp.pi / 2 - start) / 2
    for x, w in GAUSS:
        b = middle + half * x
        s = L * mp.sin(b)
        rho = s - d * sin
        # rho is the factor of the area, s the arm of the force, rho cos the place x
        p = w * half * weight(L, b) * rho
        force, moment, side = force - p * sin, moment + p * s, side + p * rho * cos**2
    return force, moment, side


def from_inside(weight, d):
    """(0, d) lies on the disc: rays in all directions, those with cos a > 0, half of all."""

    def f(a):
        sin, cos = mp.sin(a), mp.cos(a)
        L = mp.sqrt((1 - d) * (1 + d) + (d * sin) ** 2)
        start = mp.asin(max(-1, min(1, d * sin / L))) if L else mpf(0)
        return ray(weight, d, sin, cos, L, start)

    return quad(f, [-mp.pi / 2, 0, mp.pi / 2], 3)


def from_outside(weight, d):
    """(0, d) lies beyond the rim: rays at the distances sin c from the disc's centre, half of all, each through a whole chord."""

    def f(c):
        h = mp.sin(c)
        L, root = mp.cos(c), mp.sqrt(d**2 - h**2)
        return [L / root * x for x in ray(weight, d, -root / d, h / d, L, -mp.pi / 2)]

    return quad(f, [0, mp.pi / 2], 3)


def values(row):
    d, weight = mpf(row["d"]), WEIGHTS[row["pressure"]]
    found = (from_inside if d <= 1 else from_outside)(weight, d)
    # both halves; by symmetry F(0) = 0
    return dict(zip("FMJ", (mp.chop(2 * x, mpf(10) ** -30) for x in found)))


remake("disc", values)
