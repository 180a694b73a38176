"""Friction laws: the numbers of every other front end, for whatever array they are given."""

from __future__ import annotations

import csv
import json
import math
from typing import Any

import numpy as np
import pytest
import stiction
from conftest import LAWS, REFERENCE, Cli, named
from numpy.typing import NDArray

BRISTLES = [law for law in LAWS if law.states == [("deflection", "m")]]
each_law = pytest.mark.parametrize("law", LAWS, ids=named)


def velocities(law: stiction.Law, n: int = 101) -> NDArray[np.float64]:
    """All of the graph, its kinks, both signs of zero, decades beyond."""
    decades = np.logspace(-12, 3, 31)
    return np.concatenate([law.grid(n), law.breakpoints, [0.0, -0.0], decades, -decades])


def same_bits(a: Any, b: Any) -> bool:
    return np.array_equal(np.asarray(a, np.float64).view(np.int64), np.asarray(b, np.float64).view(np.int64))


def test_every_law_has_an_example_here() -> None:
    assert {law._tag for law in LAWS} == set(stiction.LAWS)


@each_law
@pytest.mark.parametrize("demand", [0.0, 0.25, -7.0])
def test_every_law_gives_the_bits_of_the_command_line(law: stiction.Law, demand: float, cli: Cli) -> None:
    ((tag, values),) = law.to_dict().items()
    sets = [f"--set={key}={json.dumps(value)}" for key, value in values.items()]
    v = velocities(law)
    at = ",".join(map(repr, v.tolist()))
    table = json.loads(cli("law", tag, *sets, f"--at={at}", f"--demand={demand}", "--json"))
    assert same_bits(table["v"], v)
    assert same_bits(table["coefficient"], law(v, demand))
    # JSON has no infinity: the slope where the curve jumps
    slope = [math.inf if x is None else x for x in table["slope"]]
    assert same_bits(slope, law.slope(v, demand))


def test_the_transition_laws_agree_with_40_digits() -> None:
    # the reference is exact to double precision, and each law takes a handful of roundings
    tolerance = 1e-13
    kinds = {"linear": stiction.Linear, "trigonometric": stiction.Trigonometric, "circular": stiction.CircularLinear}
    with open(REFERENCE / "laws.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 150
    for row in rows:
        given = {"mu": row["force"], "width": row["width"], "rise": row["rise_width"], "radius": row["radius"]}
        law = kinds[row["law"]](**{key: float(value) for key, value in given.items() if value})
        v = float(row["velocity"])
        assert law(v) == pytest.approx(float(row["H"]), rel=tolerance, abs=0.0), row
        assert law.slope(v) == pytest.approx(float(row["dH_dv"]), rel=tolerance, abs=0.0), row


@each_law
def test_every_law_is_odd(law: stiction.Law) -> None:
    v = velocities(law)
    v = v[v != 0.0]
    if isinstance(law, stiction.Polyline) and law.velocities[0] < 0.0:
        # points for both directions are joined from left to right, so that mirror images are rounded otherwise
        assert np.allclose(law(v, 0.1), -law(-v, -0.1), rtol=0.0, atol=1e-15)
    else:
        assert np.array_equal(law(v, 0.1), -law(-v, -0.1))


@each_law
def test_one_number_and_an_array_give_the_same_bits(law: stiction.Law) -> None:
    v = velocities(law)
    # one number z cannot hold several states
    for f in (law, law.slope) if len(law.states) > 1 else (law, law.slope, law.z_steady):
        assert same_bits(f(v), [f(x) for x in v.tolist()])
    assert type(law(0.3)) is float and type(law(3)) is float and type(law(np.float64(0.3))) is float
    assert type(law(np.array(0.3))) is float and type(law(np.float32(0.3))) is float


@each_law
def test_a_large_array_gives_the_bits_of_its_parts(law: stiction.Law) -> None:
    # large enough for all threads, and no multiple of what a thread takes at a time
    v = np.resize(velocities(law, 997), 50_021)
    parts = np.array_split(v, 401)
    assert same_bits(law(v), np.concatenate([law(part) for part in parts]))
    assert same_bits(law.slope(v, 0.1), np.concatenate([law.slope(part, 0.1) for part in parts]))


@each_law
def test_velocity_demand_and_state_are_broadcast(law: stiction.Law) -> None:
    v, demand, z = np.linspace(-1, 1, 7), np.linspace(-0.5, 0.5, 5)[:, None], np.linspace(-1e-3, 1e-3, 3)[:, None, None]
    if len(law.states) > 1:
        with pytest.raises(ValueError, match="internal states"):
            law(v, demand, z)
        assert law(v, demand).shape == (5, 7)
        return
    found = law(v, demand, z)
    assert found.shape == (3, 5, 7)
    each = [[[law(x, d, s) for x in v] for d in demand[:, 0]] for s in z[:, 0, 0]]
    assert same_bits(found, each)
    assert law(0.5, demand).shape == (5, 1) and law.slope(v, 0.0, z).shape == (3, 1, 7)
    assert law.z_dot(v, z).shape == (3, 1, 7)


ARRAYS: dict[str, Any] = {
    "one without dimensions": np.array(0.3),
    "empty": np.empty(0),
    "empty of three dimensions": np.empty((2, 0, 3)),
    "of four dimensions": np.linspace(-1, 1, 24).reshape(2, 3, 1, 4),
    "in Fortran's order": np.asfortranarray(np.linspace(-1, 1, 12).reshape(3, 4)),
    "every other": np.linspace(-1, 1, 20)[::2],
    "backwards": np.linspace(-1, 1, 20)[::-1],
    "repeated": np.broadcast_to(np.linspace(-1, 1, 3), (4, 3)),
    "of float32": np.linspace(-1, 1, 5, dtype=np.float32),
    "of float16": np.linspace(-1, 1, 5, dtype=np.float16),
    "of whole numbers": np.arange(-2, 3),
    "of bytes": np.arange(3, dtype=np.uint8),
    "list": [-0.5, 0.0, 1],
    "list of lists": [[-0.5, 0.0], [1, 2]],
    "tuple": (0.1, 0.2),
    "range": range(3),
    "byte-swapped": np.linspace(-1, 1, 5).astype(np.dtype(np.float64).newbyteorder("S")),
    "misaligned": np.frombuffer(b"\0" + np.linspace(-1, 1, 5).tobytes(), np.uint8)[1:].view(np.float64),
    "a field of records": np.array([(0.1, 1), (0.2, 2)], dtype=[("v", "f8"), ("n", "i4")])["v"],
    "a matrix": np.linspace(-1, 1, 4).reshape(2, 2).view(type("Own", (np.ndarray,), {})),
    "the only one": [0.5],
}


@pytest.mark.parametrize("v", list(ARRAYS.values()), ids=list(ARRAYS))
def test_any_array_of_real_numbers_is_taken(v: Any) -> None:
    law = stiction.Trigonometric(mu=1.6, width=0.8)
    plain = np.array(v, dtype=np.float64, order="C", subok=False)
    for found in (law(v), law.slope(v), law(0.0, v), law(v, v)):
        assert np.shape(found) == plain.shape
    assert same_bits(law(v), np.reshape([law(x) for x in plain.ravel().tolist()], plain.shape))


def test_an_array_that_cannot_be_written_is_read_and_left_alone() -> None:
    v = np.linspace(-1, 1, 5)
    v.flags.writeable = False
    kept = v.copy()
    found = stiction.Tanh(mu=0.3, width=0.1)(v)
    assert same_bits(v, kept) and found.flags.writeable and found.flags.owndata and found.flags.c_contiguous


def test_a_pandas_series_is_an_array() -> None:
    pandas = pytest.importorskip("pandas")
    law = stiction.Tanh(mu=0.3, width=0.1)
    assert same_bits(law(pandas.Series([0.1, 0.2])), law([0.1, 0.2]))


@pytest.mark.parametrize("law", BRISTLES, ids=named)
def test_a_law_with_memory_slides_steadily_unless_told_its_state(law: stiction.Law) -> None:
    v = np.array([-1.0, -0.01, 0.02, 3.0])
    assert same_bits(law(v), law(v, 0.0, law.z_steady(v)))
    assert np.abs(law.z_dot(v, law.z_steady(v))).max() < 1e-12
    # bristles bend in the direction of sliding
    assert np.array_equal(np.sign(law.z_dot(v, 0.0)), np.sign(v))
    assert law(0.0, z=1e-4) > 0.0 > law(0.0, z=-1e-4)


@pytest.mark.parametrize("law", [law for law in LAWS if not law.has_memory], ids=named)
def test_a_law_without_memory_has_no_state(law: stiction.Law) -> None:
    v = velocities(law)
    assert not law.z_steady(v).any() and not law.z_dot(v, 0.1).any() and same_bits(law(v), law(v, z=0.1))


@each_law
def test_what_a_law_says_of_itself_is_true(law: stiction.Law) -> None:
    assert law.graph in ("continuous", "jump", "set-valued")
    assert sorted(law.breakpoints) == law.breakpoints
    # a sum of parts is rounded
    assert np.abs(law(velocities(law))).max() <= law.bound * (1.0 + 4.0 * np.finfo(float).eps)
    assert law.grid(5).shape == (5,) and law.grid(5)[2] == 0.0
    if law.corners is not None:
        v, phi = np.array(law.corners).T
        inside = np.linspace(v[0] - 1, v[-1] + 1, 401)
        inside = inside[np.abs(inside) > 1e-9]
        # one rounding of a straight line
        assert np.interp(inside, v, phi) == pytest.approx(law(inside), rel=1e-12, abs=1e-15)
    assert law._repr_svg_().startswith("<svg")


def test_a_contact_adds_its_viscous_part() -> None:
    law = stiction.Tanh(mu=0.3, width=0.1)
    contact = stiction.Contact(law=law, viscous=2.0, load=5.0)
    assert contact(0.5) == law(0.5) + 2.0 * 0.5 and contact.slope(0.5) == law.slope(0.5) + 2.0
