"""Writes laws.csv: value and slope of the transition laws, drawn as their papers describe them.

    cargo xtask oracles laws

The joining line of the circular-linear law is found by bisection on its angle, slopes are derivatives of the drawn branch:
no formula is shared with the product. The rise has the height that keeps the slope of the ramp, ha = mu rise/width.
"""

from mpmath import mp, mpf

from table import remake

mp.dps = 45


def linear(w, g, _):
    return lambda x: g / w * x


def trigonometric(w, g, _):
    return lambda x: g * mp.sin(mp.pi / 2 * x / w)


def circular(w, g, r):
    """A line through the centre of the transition, tangent to circles of radius r that touch both plateaus."""

    def gap(angle):
        """Distance of the upper circle's centre (w, g - r) from the line, beyond r."""
        return w * mp.sin(angle) - (g - r) * mp.cos(angle) - r

    low, high = mpf(0), mp.pi / 2
    assert gap(low) < 0 < gap(high), "0 < r < w is needed"
    for _ in range(4 * mp.dps):
        middle = (low + high) / 2
        low, high = (middle, high) if gap(middle) < 0 else (low, middle)
    steep = mp.tan(low)
    # the foot of the perpendicular from the centre of the circle
    touch = w * mp.cos(low) ** 2 + (g - r) * mp.sin(low) * mp.cos(low)

    def upper(x):
        return g - r + mp.sqrt(r**2 - (x - w) ** 2)

    def shape(x):
        return steep * x if abs(x) <= touch else mp.sign(x) * upper(abs(x))

    return shape


SHAPES = {"linear": linear, "trigonometric": trigonometric, "circular": circular}


def transition(shape, v1, v2, h1, h2, r):
    """The curve from (v1, h1) to (v2, h2); the shape knows half of a rising one about its centre."""
    w, g = (v2 - v1) / 2, (h2 - h1) / 2
    half = shape(w, abs(g), r)
    return lambda v: (h1 + h2) / 2 + mp.sign(g) * half(v - (v1 + v2) / 2)


def branch(row):
    """The smooth piece of the law at the speed of the row, as a function of the speed."""
    mu, width = mpf(row["force"]), mpf(row["width"])
    rise, r = mpf(row["rise_width"] or 0), mpf(row["radius"] or 0)
    shape, speed = SHAPES[row["law"]], abs(mpf(row["velocity"]))
    top, peak = width + rise, mu * (1 + rise / width)
    if speed < top:
        return transition(shape, -top, top, -peak, peak, r)
    if speed < top + rise:
        return transition(shape, top, top + rise, peak, mu, r)
    return lambda v: mu + 0 * v


def values(row):
    phi, v = branch(row), mpf(row["velocity"])
    return {"H": mp.sign(v) * phi(abs(v)), "dH_dv": mp.diff(phi, abs(v))}


remake("laws", values)
