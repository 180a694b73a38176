"""Writes sobol.csv: points of Sobol's sequence without scrambling as SciPy makes them, in parts of 2^-30, for all dimensions.

Each row is a point: its number, then its coordinates.
"""

from scipy.stats import qmc

DIMENSIONS, BITS = 64, 30
NUMBERS = [0, 1, 2, 3, 5, 100, 255, 256, 4095, 65537, 1048575]

for i in NUMBERS:
    sequence = qmc.Sobol(DIMENSIONS, scramble=False, bits=BITS)
    if i:
        sequence.fast_forward(i)
    (point,) = sequence.random(1)
    print(",".join(str(int(x * 2**BITS)) if k else f"{i},{int(x * 2**BITS)}" for k, x in enumerate(point)))
