"""What the scripts beside it share: tables whose inputs stand in the committed CSV itself, quadrature with a checked error."""

import csv
import sys
from pathlib import Path

from mpmath import mp, mpf

# printed; computed with at least twice as many
DIGITS = 20


def rows(name):
    """The rows of NAME.csv, each a dict of texts."""
    with open(Path(__file__).with_name(f"{name}.csv"), newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def show(columns):
    print(*columns, sep=",")


def text(x):
    return x if isinstance(x, str) else mp.nstr(x, DIGITS)


def stride():
    """`--every N` on the command line takes the rows 0, N, 2N, …"""
    return int(sys.argv[sys.argv.index("--every") + 1]) if "--every" in sys.argv else 1


def remake(name, values):
    """Prints NAME.csv with the columns that `values(row)` returns in place of the committed ones."""
    committed = rows(name)
    show(committed[0])
    for row in committed[:: stride()]:
        found = {column: text(x) for column, x in values(row).items()}
        assert found.keys() <= row.keys(), f"{name}.csv has no such column"
        show((row | found).values())


def quad(f, points, size):
    """Integrals of the components of f between the points, by tanh-sinh."""
    values = {}

    def at(x, i):
        if x not in values:
            values[x] = f(x)
        return values[x][i]

    found = []
    for i in range(size):
        value, error = mp.quad(lambda x: at(x, i), points, error=True)
        assert error < mpf(10) ** -(DIGITS + 5), f"a quadrature is off by {error}"
        found.append(value)
    return found
