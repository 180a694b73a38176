"""Whatever is given, the answer is a result or an exception that says something: never a panic, never a crash."""

from __future__ import annotations

import random
import time
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import stiction
from conftest import EXAMPLES, LAWS, PATCHES

ODD: list[Any] = [
    None, True, False, 0, 1, -1, 2, 10**30, -(10**400), 0.0, -0.0, 1e-320, 1e-300, 1e300, -1e300, 1e15, float("nan"), float("inf"),
    "", "a", "\ud800", "\0", "auto", "é" * 300, b"x", (), [], {}, [[]], [{}], {"": 1}, {1: 2}, {"coulomb": 3}, {"coulomb": {"mu": 0.3}},
    [1, 2, 3], [1, [2]], [None], ["x"], 1j, object(), object, len, range(3), {1, 2}, np.float32(1), np.int8(-3), np.array([]), np.eye(2),
    np.array("x"), np.array([1j]), np.datetime64("2020"), stiction.Coulomb(mu=0.3), stiction.Coulomb, stiction.Disc(radius=1.0), stiction,
]  # fmt: skip
ALLOWED = (stiction.Error, TypeError, ValueError, KeyError)


def places(tree: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Paths of everything below a tree."""
    items = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    return [path, *(place for key, value in items for place in places(value, (*path, key)))]


def copied(tree: Any) -> Any:
    """The tables and lists of a tree anew."""
    if isinstance(tree, dict):
        return {key: copied(value) for key, value in tree.items()}
    return [copied(value) for value in tree] if isinstance(tree, list) else tree


def mutated(tree: Any, chance: random.Random) -> Any:
    """The tree with something replaced, added, removed or exchanged."""
    tree = copied(tree)
    for _ in range(chance.choice([1, 1, 2, 4])):
        path = chance.choice(places(tree))
        if not path:
            continue
        table = tree
        for key in path[:-1]:
            table = table[key]
        key = path[-1]
        what = chance.randrange(5)
        if what == 0:
            del table[key]
        elif what == 1 and isinstance(table, dict):
            table[chance.choice(["mu", "width", "", "x", "from", "law", "shape", "coulomb", "\ud800"])] = copied(chance.choice(ODD))
        elif what == 2 and isinstance(table[key], float):
            table[key] = table[key] * chance.choice([-1, 0, 1e-9, 1e9, 1e300, 3])
        elif what == 3:
            other = tree
            for step in chance.choice(places(tree)):
                other = other[step]
            table[key] = copied(other)
        else:
            table[key] = copied(chance.choice(ODD))
    return tree


def mutations(chance: random.Random, n: int) -> Iterator[Any]:
    """n changed examples."""
    # ten thousand masses are reduced each time that they are read
    trees = [stiction.load(path).to_dict() for path in EXAMPLES if path.stem != "drill_string"]
    for _ in range(n):
        yield mutated(chance.choice(trees), chance)


def test_no_mutation_of_a_scenario_does_more_than_raise() -> None:
    n_good = 0
    for tree in mutations(random.Random(20), 4000):
        try:
            scenario = stiction.Scenario.from_dict(tree)
            assert stiction.Scenario.from_dict(scenario.to_dict()) == scenario
            parts = {"system": scenario.system, "integrator": scenario.integrator, "analysis": scenario.analysis}
            assert stiction.Scenario(title=scenario.title, **parts) == scenario
            n_good += 1
        except ALLOWED as error:
            assert str(error), tree
    # some change nothing that matters: the others are worth trying only if these are
    assert 200 < n_good < 3800


class TooLong(Exception):
    """A run that is right, but takes long: a stiff spring makes many events."""


def limited() -> Callable[[float], None]:
    """Progress that ends a run after a while."""
    end = time.monotonic() + 0.3

    def report(_: float) -> None:
        if time.monotonic() > end:
            raise TooLong

    return report


def test_no_mutation_of_a_short_run_does_more_than_raise() -> None:
    chance = random.Random(21)
    n_good = 0
    for tree in mutations(chance, 1000):
        tree["analysis"] = {"transient": {"duration": 0.5, "samples": 5}}
        tree["integrator"] = chance.choice([{"exact": {}}, {"adaptive": {"max_steps": 2000}}, {"rk4": {"step": 0.01}}])
        try:
            with warnings.catch_warnings():
                # what a run says against itself is no failure of the package
                warnings.simplefilter("ignore", stiction.StictionWarning)
                found = stiction.run(tree, limited())
            assert repr(found) and found._repr_svg_()
            n_good += 1
        except TooLong:
            pass
        except ALLOWED as error:
            assert str(error), tree
    assert 50 < n_good < 950


def test_no_parameter_does_more_than_raise() -> None:
    chance = random.Random(22)
    kinds = [value for value in vars(stiction).values() if isinstance(value, type) and hasattr(value, "_units")]
    samples = [*LAWS, *PATCHES, *(stiction.load(path).system for path in EXAMPLES)]
    for _ in range(4000):
        sample = chance.choice(samples)
        names = [name for name in sample.__dataclass_fields__]
        given = {name: getattr(sample, name) for name in names}
        given[chance.choice(names)] = chance.choice(ODD)
        try:
            made = (type(sample) if chance.random() < 0.9 else chance.choice(kinds))(**given)
            assert repr(made) and isinstance(made.to_dict(), dict)
        except ALLOWED as error:
            assert str(error), given


def test_no_argument_does_more_than_raise() -> None:
    chance = random.Random(23)
    laws, patches = [*LAWS], [*PATCHES]
    for _ in range(3000):
        law, patch = chance.choice(laws), chance.choice(patches)
        one, two, three = (chance.choice([*ODD, 0.1, np.linspace(-1, 1, 3)]) for _ in range(3))
        calls: list[Any] = [
            lambda: law(one, two, three), lambda: law.slope(one, two), lambda: law.z_dot(one, two), lambda: law.z_steady(one),
            lambda: patch.wrench(one), lambda: patch.wrench([one, two, three]), lambda: patch.jacobian([one, two, three]),
            lambda: patch.power([1.0, two, 3.0]), lambda: patch.limit([one, 0.0, three]), lambda: patch.pressure_at([one, two]),
            lambda: patch.curve(one, two), lambda: stiction.run(one, two) if not isinstance(one, str) else None,
        ]  # fmt: skip
        try:
            chance.choice(calls)()
        except ALLOWED as error:
            assert str(error)
