"""Writes axial.csv: F, M and J of a unit disc (f = N = R = 1) on a dense grid of d = v/(ωR), 1e-12 … 1e12.

    cargo xtask oracles axial

Elliptic and elementary closed forms in their textbook shape, with so many digits that their cancellation does no harm.
"""
import mpmath as mp

mp.mp.dps = 160


def galin(d):
    if d <= 1:
        return mp.pi * d / 4, mp.pi / 4 * (1 - d**2 / 2), mp.pi / 8 * (1 - d**2 / 4)
    a, q = mp.asin(1 / d), mp.sqrt(d * d - 1)
    return (d * a + q / d) / 2, ((2 - d**2) * a + q) / 4, ((4 - d**2) * a + q * (1 + 2 / d**2)) / 16


def hertz(d):
    if d <= 1:
        m = 3 * mp.pi / 16 * (1 - d**2 + 3 * d**4 / 8)
        return 3 * mp.pi / 8 * (d - d**3 / 4), m, 3 * mp.pi / 256 * (8 - 4 * d**2 + d**4)
    a, q = mp.asin(1 / d), mp.sqrt(d * d - 1)
    f = mp.mpf(3) / 16 * ((4 - d**2) * d * a + q * (2 + d**2) / d)
    m = mp.mpf(3) / 64 * ((8 - 8 * d**2 + 3 * d**4) * a + (6 - 3 * d**2) * q)
    return f, m, ((24 - 12 * d**2 + 3 * d**4) * a + (10 - 3 * d**2 + 8 / d**2) * q) / 128


def uniform(d):
    if d <= 1:
        e, k = mp.ellipe(d * d), (mp.ellipk(d * d) if d < 1 else mp.mpf(0))
        f = 4 / (3 * mp.pi * d) * ((d**2 + 1) * e + (d**2 - 1) * k)
        m = 4 / (9 * mp.pi) * ((4 - 2 * d**2) * e + (d**2 - 1) * k)
        return f, m, 4 / (45 * mp.pi) * ((7 - 2 * d**2 + 3 / d**2) * e + (2 + d**2 - 3 / d**2) * k)
    e, k = mp.ellipe(1 / d**2), mp.ellipk(1 / d**2)
    f = 4 / (3 * mp.pi) * ((d**2 + 1) * e - (d**2 - 1) * k)
    m = 4 * d / (9 * mp.pi) * ((4 - 2 * d**2) * e + (2 * d**2 - 5 + 3 / d**2) * k)
    return f, m, 4 / (45 * mp.pi) * ((7 * d - 2 * d**3 + 3 / d) * e + (2 * d**3 - 8 * d + 6 / d) * k)


def ring(d):
    # W² = 1 + d² − 2d sin θ; means of W, of its derivatives by v and u, and of cos²/W = −W sin/d by parts
    p = 4 * d / (1 + d) ** 2
    e, k = mp.ellipe(p), (mp.ellipk(p) if d != 1 else mp.mpf(0))
    f = ((d + 1) * e + (d - 1) * k) / (mp.pi * d)
    m = ((1 + d) * e + (1 - d) * k) / mp.pi
    w1 = 2 / mp.pi * (1 + d) * e
    w3 = 2 / mp.pi * (1 + d) ** 3 * (2 * (2 - p) * e - (1 - p) * k) / 3
    return f, m, -((1 + d * d) * w1 - w3) / (2 * d * d)


grid = {10.0 ** (k / 4) for k in range(-48, 49)}
grid |= {1 + s * 10.0**-k for k in range(1, 16) for s in (-1, 1)} | {0.5**0.5, 2**0.5, 0.7, 1.4}
print("profile,d,F,M,J")
for profile in (galin, hertz, uniform, ring):
    for d in sorted(grid):
        values = profile(mp.mpf(d))
        print(profile.__name__, repr(d), *(mp.nstr(v, 20) for v in values), sep=",")
