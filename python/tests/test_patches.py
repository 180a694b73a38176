"""Contact patches: wrenches of every other front end, for twists of any number."""

from __future__ import annotations

import csv
from io import StringIO
from typing import Any

import numpy as np
import pytest
import stiction
from conftest import PATCHES, PATCH_FILES, REFERENCE, Cli, named, read_toml
from numpy.typing import NDArray

each_patch = pytest.mark.parametrize("patch", PATCHES, ids=named)


def twists(n: int = 200) -> NDArray[np.float64]:
    """Sliding and spin over many decades of their ratio, both alone, and rest."""
    random = np.random.default_rng(1)
    mixed = random.normal(size=(n, 3)) * 10.0 ** random.uniform(-6, 3, size=(n, 3))
    return np.concatenate([mixed, np.eye(3), -np.eye(3), np.zeros((1, 3))])


def same_bits(a: Any, b: Any) -> bool:
    return np.array_equal(np.asarray(a, np.float64).view(np.int64), np.asarray(b, np.float64).view(np.int64))


@each_patch
def test_rows_of_any_number_give_the_same_bits(patch: Any) -> None:
    given = twists()
    each = np.array([patch.wrench(row) for row in given])
    assert each.shape == given.shape and same_bits(patch.wrench(given), each)
    stacked = given[:204].reshape(4, 51, 3)
    assert same_bits(patch.wrench(stacked), each[:204].reshape(4, 51, 3))
    assert patch.wrench(np.empty((0, 3))).shape == (0, 3)
    assert patch.jacobian(np.empty((2, 0, 3))).shape == (2, 0, 3, 3)
    assert patch.power(np.empty((0, 3))).shape == (0,) and patch.limit(np.empty((0, 3))).factor.shape == (0,)
    assert patch.jacobian(stacked).shape == (4, 51, 3, 3) and patch.power(stacked).shape == (4, 51)
    assert type(patch.power(given[0])) is float and type(patch.limit(given[0]).factor) is float
    assert patch.limit(stacked).factor.shape == (4, 51) and patch.limit(stacked).motion.shape == (4, 51, 3)


@pytest.mark.parametrize("patch", [PATCHES[0], PATCHES[7]], ids=named)
def test_many_rows_give_the_bits_of_few(patch: Any) -> None:
    # enough for all threads, and no multiple of what a thread takes at a time
    given = np.resize(twists(997), (5003, 3))
    parts = np.array_split(given, 101)
    for f in (patch.wrench, patch.jacobian, patch.power):
        assert same_bits(f(given), np.concatenate([f(part) for part in parts]))


def test_rows_in_any_order_of_memory_are_taken() -> None:
    patch, given = PATCHES[1], twists()
    expected = patch.wrench(given)
    for other in (np.asfortranarray(given), np.repeat(given, 2, axis=0)[::2], given.tolist(), given.astype(">f8")):
        assert same_bits(patch.wrench(other), expected)
    assert same_bits(patch.wrench(given[::-1]), expected[::-1])
    assert same_bits(patch.wrench([1, 0, 5]), patch.wrench([1.0, 0.0, 5.0]))


@each_patch
def test_the_wrench_is_that_of_the_command_line(patch: Any, cli: Cli, tmp_path: Any) -> None:
    tree = patch.to_dict()
    tree.setdefault("mu", 1.0)
    tree["load"] = tree.get("load") or 1.0
    (tmp_path / "patch.toml").write_text("patch = " + toml(tree), encoding="utf-8")
    given = twists()
    lines = ["vx,vy,omega", *(",".join(map(repr, row)) for row in given.tolist())]
    table = cli("patch", tmp_path / "patch.toml", "--twists=-", given="\n".join(lines))
    rows = list(csv.DictReader(StringIO(table)))
    found = np.array([[float(row[name]) for name in ("fx", "fy", "mz")] for row in rows])
    # 17 digits are all that a number has
    assert np.array_equal(found, patch.wrench(given))


def toml(value: Any) -> str:
    """A value as TOML writes it in one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {toml(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    return f'"{value}"' if isinstance(value, str) else repr(value)


@each_patch
def test_the_jacobian_is_the_difference_quotient(patch: Any) -> None:
    random = np.random.default_rng(2)
    given = random.normal(size=(50, 3)) * [1.0, 1.0, 10.0]
    h = 1e-5
    steps = h * np.eye(3)
    quotient = np.stack([(patch.wrench(given + step) - patch.wrench(given - step)) / (2 * h) for step in steps], axis=-1)
    found = patch.jacobian(given)
    # h² of the third derivative, which grows where a twist turns about a point near the patch
    error = np.abs(found - quotient).max(axis=(1, 2)) / (1e-3 + np.abs(found).max(axis=(1, 2)))
    assert np.median(error) < 1e-7 and error.max() < 1e-3


@each_patch
def test_friction_takes_energy_and_leaves_rest_alone(patch: Any) -> None:
    given = twists()
    power = patch.power(given)
    assert (power <= 0.0).all() and power[-1] == 0.0
    assert not patch.wrench([0.0, 0.0, 0.0]).any() and not patch.jacobian([0.0, 0.0, 0.0]).any()
    # the power is the sum of three products
    assert power == pytest.approx((patch.wrench(given) * given).sum(axis=1), rel=1e-12, abs=1e-12 * np.abs(power).max())


PROFILES = {
    "galin": (stiction.Disc(radius=1.0, pressure="galin"), 1 / 3),
    "hertz": (stiction.Disc(radius=1.0, pressure="hertz"), 1 / 5),
    "uniform": (stiction.Disc(radius=1.0), 1 / 4),
    "ring": (stiction.Ring(radius=1.0), 1 / 2),
}


@pytest.mark.parametrize("file", ["disc.csv", "axial.csv"])
def test_discs_and_rings_agree_with_45_digits_and_more(file: str) -> None:
    # closed forms, good to a few units in the last place; this leaves a decade
    tolerance = 1e-13
    with open(REFERENCE / file, encoding="utf-8") as rows:
        for row in csv.DictReader(rows):
            patch, x2 = PROFILES[row.get("pressure") or row["profile"]]
            d = float(row["d"])
            # at this height the skew of the pressure shows J in the side force: half of F times J
            fx, fy, mz = patch.replace(height=0.5 * x2).wrench([d, 0.0, 1.0]).tolist()
            assert -fx == pytest.approx(float(row["F"]), rel=tolerance, abs=0.0), row
            assert -mz == pytest.approx(float(row["M"]), rel=tolerance, abs=0.0), row
            if d > 0.0:
                assert -fy / (-0.5 * fx) == pytest.approx(float(row["J"]), rel=tolerance, abs=0.0), row


def test_polygons_agree_with_45_digits() -> None:
    # sums over edges, relative to the size of the wrench
    tolerance = 1e-12
    with open(REFERENCE / "polygon.csv", encoding="utf-8") as rows:
        for row in csv.DictReader(rows):
            vertices = [[float(x) for x in point.split()] for point in row["vertices"].split(";")]
            gradient = [float(row["pressure_gradient_x"]), float(row["pressure_gradient_y"])]
            pressure: Any = {"linear": {"gradient": gradient}} if any(gradient) else "uniform"
            expected = np.array([float(row[name]) for name in ("Fx", "Fy", "Mz")])
            for points in (vertices, vertices[::-1]):
                patch = stiction.Polygon(vertices=points, pressure=pressure)
                error = patch.wrench([float(row[name]) for name in ("vx", "vy", "omega")]) - expected
                assert np.abs(error).max() <= tolerance * np.linalg.norm(expected), row


@each_patch
def test_a_wrench_at_the_limit_starts_the_motion_that_meets_it(patch: Any) -> None:
    given = np.array([[1.0, 0.0, 0.0], [0.3, -0.2, 0.01], [0.0, 0.0, 0.1]])
    factor, motion = patch.limit(given)
    assert (factor > 0.0).all() and patch.limit(2.0 * given).factor == pytest.approx(2.0 * factor, rel=1e-9)
    assert type(patch.limit(given[0])) is stiction.Limit


def test_the_limit_of_pure_sliding_is_coulombs() -> None:
    disc = stiction.Disc(radius=0.1, mu=0.3, load=20.0)
    factor, motion = disc.limit([3.0, 0.0, 0.0])
    assert factor == pytest.approx(0.5, rel=1e-12) and motion == pytest.approx([1.0, 0.0, 0.0], abs=1e-9)


def test_without_mu_and_load_the_wrench_is_per_unit_of_them() -> None:
    plain, full = stiction.Disc(radius=0.1), stiction.Disc(radius=0.1, mu=0.3, load=20.0)
    assert full.wrench([1.0, 2.0, 3.0]) == pytest.approx(6.0 * plain.wrench([1.0, 2.0, 3.0]), rel=1e-15)


def test_a_shape_is_a_patch_and_an_outline() -> None:
    shape = stiction.Disc(radius=0.1, pressure="galin", mu=0.3, load=20.0)
    for outline in (stiction.Disc(radius=0.1), {"disc": {"radius": 0.1}}):
        patch = stiction.Patch(shape=outline, pressure="galin", mu=0.3, load=20.0)
        assert patch.to_dict() == shape.to_dict() and same_bits(patch.wrench([1, 2, 3]), shape.wrench([1, 2, 3]))
    with pytest.raises(stiction.ScenarioError, match="stands for an outline here, but has mu, load"):
        stiction.Piece(shape=stiction.Disc(radius=0.1, mu=0.3, load=20.0)).to_dict()
    rounded = stiction.Patch(shape=stiction.Rectangle(length=0.5, width=0.2), mu=0.3, width=0.01)
    assert rounded.to_dict()["shape"] == {"rectangle": {"length": 0.5, "width": 0.2}} and rounded.to_dict()["width"] == 0.01


@pytest.mark.parametrize("path", PATCH_FILES, ids=named)
def test_a_loaded_patch_holds_what_the_file_does(path: Any) -> None:
    written = read_toml(path.read_text(encoding="utf-8"))["patch"]
    assert within(written, stiction.load(path).to_dict())
    assert stiction.load(path, {"mu": 0.2}).mu == 0.2


def within(part: Any, whole: Any) -> bool:
    """Whether a tree holds another, beside defaults."""
    if isinstance(part, dict):
        return all(key in whole and within(value, whole[key]) for key, value in part.items())
    if isinstance(part, list):
        return len(part) == len(whole) and all(map(within, part, whole))
    return bool(part == whole)
