"""The Python package over the same numbers as the bench in Rust: one round for every line on standard input.

Prints one line of JSON for each: seconds by case, and those of one call with one number.
"""

import json
import sys
import time

import numpy as np
import stiction

N, ROWS, CALLS = (int(text) for text in sys.argv[1:])

LAWS = {
    "linear": stiction.Linear(mu=0.3, width=0.1),
    "trigonometric": stiction.Trigonometric(mu=0.3, width=0.1),
    "coulomb": stiction.Coulomb(mu=0.3, mu_static=0.4),
    "stribeck": stiction.Stribeck(mu=0.3, mu_static=0.5, velocity=0.1, width=0.01),
    "lugre": stiction.Lugre(mu=0.3, mu_static=0.5, velocity=0.1, stiffness=1e3, damping=10.0),
}
PATCHES = {
    "disc, uniform": stiction.Disc(radius=0.1, mu=0.3, load=10.0),
    "disc, galin": stiction.Disc(radius=0.1, pressure="galin", mu=0.3, load=10.0),
    "rectangle": stiction.Rectangle(length=0.5, width=0.2, mu=0.3, load=10.0),
}


def seconds(f):
    start = time.perf_counter()
    f()
    return time.perf_counter() - start


def calls(law, v):
    for _ in range(CALLS):
        law(v)


if __name__ == "__main__":
    v = 2.0 * np.arange(N) / (N - 1) - 1.0
    i = np.arange(ROWS)
    twists = np.column_stack([np.cos(i), np.sin(0.7 * i), 10.0 * np.sin(0.3 * i)])
    for _ in sys.stdin:
        found = {name: seconds(lambda: law(v)) for name, law in LAWS.items()}
        found |= {name: seconds(lambda: patch.wrench(twists)) for name, patch in PATCHES.items()}
        found |= {f"call of {name}": seconds(lambda: calls(law, 0.05)) / CALLS for name, law in LAWS.items()}
        print(json.dumps(found), flush=True)
