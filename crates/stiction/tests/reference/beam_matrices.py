"""Prints beam_m.mtx or beam_k.mtx: a cantilever of four elements, in Matrix Market format.

    cargo xtask oracles beam_m beam_k

E = 4, I = 1/2, rho = 6, A = 1/2, L = 3/2. The element matrices are integrals of the cubic shape functions, as fractions: no
formula is shared with the product.
"""

import sys
from fractions import Fraction as F

ELEMENTS, LENGTH, BENDING, MASS = 4, F(3, 2), F(2), F(3)
H = LENGTH / ELEMENTS
# deflection of an element over s = x/h, powers of s ascending: 1 for one of (w0, w0', w1, w1') and 0 for the others
SHAPES = [[1, 0, -3, 2], [0, H, -2 * H, H], [0, 0, 3, -2], [0, 0, -H, H]]


def curvature(shape):
    return [k * (k - 1) * c / H**2 for k, c in enumerate(shape)][2:]


def integral(a, b):
    """Of the product of two polynomials over the element."""
    return H * sum(F(x) * y / (i + j + 1) for i, x in enumerate(a) for j, y in enumerate(b))


def element(kind):
    if kind == "m":
        return [[MASS * integral(a, b) for b in SHAPES] for a in SHAPES]
    return [[BENDING * integral(curvature(a), curvature(b)) for b in SHAPES] for a in SHAPES]


def main(kind):
    matrix = {}
    for first in range(0, 2 * ELEMENTS, 2):
        for a, row in enumerate(element(kind)):
            for b, entry in enumerate(row):
                # the first node is clamped
                i, j = first + a - 2, first + b - 2
                if 0 <= j <= i:
                    matrix[j, i] = matrix.get((j, i), 0) + entry
    entries = [(i + 1, j + 1, float(x)) for (j, i), x in sorted(matrix.items()) if x]
    print("%%MatrixMarket matrix coordinate real symmetric")
    print(f"% cantilever of {ELEMENTS} elements, by beam_matrices.py")
    print(2 * ELEMENTS, 2 * ELEMENTS, len(entries))
    for entry in entries:
        print(*entry)


main(sys.argv[1])
