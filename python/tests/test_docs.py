"""What the documentation shows is so."""

import ast
import doctest
import importlib
import pkgutil
import re
import shutil
from pathlib import Path

import matplotlib.pyplot as plt
import pytest

import stiction

ROOT = Path(__file__).parents[2]
MODULES = ["stiction", *(f"stiction.{module.name}" for module in pkgutil.iter_modules(stiction.__path__) if module.name != "_core")]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    plt.switch_backend("Agg")
    yield
    plt.close("all")


def test_every_block_of_the_page_runs_and_gives_what_it_says():
    names, checked = {}, 0
    for block in blocks("docs/python.md"):
        lines = block.split("\n")
        for statement in ast.parse(block).body:
            # an expression with a comment behind it: the comment is its value
            _, _, said = lines[statement.end_lineno - 1].partition("  # ")
            code = ast.get_source_segment(block, statement)
            if isinstance(statement, ast.Expr) and said:
                assert repr(eval(code, names)) == said, code
                checked += 1
            else:
                exec(code, names)
    assert checked > 20


def test_every_block_of_the_readme_runs():
    names = {}
    for block in blocks("README.md"):
        exec(block, names)
    assert names["outcome"].facts["stick_fraction"] > 0.1


def blocks(page):
    return re.findall(r"^```python\n(.*?)^```", (ROOT / page).read_text(encoding="utf-8"), re.M | re.S)


@pytest.mark.parametrize("module", MODULES)
def test_examples_of_docstrings(module):
    names = {name: getattr(stiction, name) for name in stiction.__all__}
    options = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    found = doctest.testmod(importlib.import_module(module), extraglobs=names, optionflags=options)
    assert found.failed == 0


def test_docstrings_have_examples():
    finder = doctest.DocTestFinder()
    found = [test.name for module in MODULES for test in finder.find(importlib.import_module(module)) if test.examples]
    assert {"stiction", "stiction._scenario.Scenario", "stiction._patch.PatchBase.wrench"} <= set(found)
