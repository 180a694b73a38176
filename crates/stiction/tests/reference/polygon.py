"""Writes polygon.csv: the wrench on a sliding and spinning polygon (f = N = 1) by quadrature over the polygon.

    cargo xtask oracles polygon

The polygon is a sum of triangles, with signs, from the centre of rotation c to its edges. A point of a triangle is
c + a (e - c), 0 < a < 1, with e on the edge: V/|V| does not depend on a, the rest is a polynomial in it. Area, centroid and wrench
come from one quadrature.
"""

from mpmath import mp, mpf

from table import quad, remake

# a far centre cancels: its triangles are larger than the polygon
mp.dps = 60

# Gauss's rule with three nodes on [0, 1]: exact up to a^5
HALF, ROOT = mpf(1) / 2, mp.sqrt(mpf(3) / 5) / 2
GAUSS = [(HALF - ROOT, mpf(5) / 18), (HALF, mpf(4) / 9), (HALF + ROOT, mpf(5) / 18)]


def nearest(c, p, q):
    """Where on the edge p q the distance from c is least, as the break of its quadrature."""
    edge = q - p
    at = mp.re(mp.conj(edge) * (c - p)) / abs(edge) ** 2
    return [mpf(0), at, mpf(1)] if 0 < at < 1 else [mpf(0), mpf(1)]


def integrals(vertices, c, f, size):
    """The integrals of the components of f(r, e - c) over the polygon; points of the plane are complex numbers."""
    total = [mpf(0)] * size
    for p, q in zip(vertices, vertices[1:] + vertices[:1]):
        twice_area = mp.im(mp.conj(p - c) * (q - c))

        def on_edge(x):
            ray = p + x * (q - p) - c
            parts = zip(*([w * a * y for y in f(c + a * ray, ray)] for a, w in GAUSS))
            return [sum(part) for part in parts]

        found = quad(on_edge, nearest(c, p, q), size)
        total = [sum_ + twice_area * x for sum_, x in zip(total, found)]
    return total


def values(row):
    vertices = [mp.mpc(*point.split()) for point in row["vertices"].split(";")]
    g = mp.mpc(row["pressure_gradient_x"], row["pressure_gradient_y"])
    v, omega = mp.mpc(row["vx"], row["vy"]), mpf(row["omega"])
    # v + i omega r = 0
    c = 1j * v / omega
    area, moment = integrals(vertices, c, lambda r, ray: (mpf(1), r), 2)

    def wrench(r, ray):
        pressure = (1 + mp.re(mp.conj(g) * (r - moment / area))) / area
        force = -pressure * mp.sign(omega) * 1j * ray / abs(ray)
        return force, mp.im(mp.conj(r) * force)

    force, mz = integrals(vertices, c, wrench, 2)
    return {"Fx": mp.re(force), "Fy": mp.im(force), "Mz": mz}


remake("polygon", values)
