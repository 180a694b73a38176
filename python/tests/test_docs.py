"""Every block of the site and of the README runs, and gives the output that stands below it."""

import ast
import doctest
import importlib
import json
import os
import pkgutil
import re
import shutil
import subprocess
import time
from pathlib import Path

import matplotlib.pyplot as plt
import pytest

import stiction

ROOT = Path(__file__).parents[2]
MODULES = ["stiction", *(f"stiction.{module.name}" for module in pkgutil.iter_modules(stiction.__path__) if module.name != "_core")]
# written by hand or by `cargo xtask generate`; Rust blocks are tests of `cargo test --doc`
PAGES = sorted(str(path.relative_to(ROOT)) for path in [ROOT / "README.md", ROOT / "python/README.md", *(ROOT / "docs").rglob("*.md")])
KINDS = ("sh", "toml", "python")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    shutil.copytree(ROOT / "docs/data", tmp_path / "data")
    monkeypatch.chdir(tmp_path)
    plt.switch_backend("Agg")
    yield
    plt.close("all")


def blocks(page):
    """Language and text of the blocks of a page, in order."""
    return re.findall(r"^```([a-z]*)\n(.*?)^```", (ROOT / page).read_text(encoding="utf-8"), re.M | re.S)


@pytest.mark.parametrize("page", [page for page in PAGES if any(kind in KINDS for kind, _ in blocks(page))])
def test_every_block_of_a_page_runs(page, record_property):
    start, work, names, shown = time.perf_counter(), processor(), {}, None
    counts = dict.fromkeys(KINDS, 0)
    for kind, block in blocks(page):
        if kind == "sh":
            shown = shell(block)
        elif kind == "toml":
            scenario(block)
        elif kind == "python":
            python(block, names)
        elif kind == "text" and shown is not None:
            # what a command prints; "…" leaves lines out
            said = [line.strip() for line in block.splitlines() if line.strip() not in ("", "…")]
            assert [line for line in said if line not in shown] == []
        if kind != "sh":
            shown = None
        if kind in counts:
            counts[kind] += 1
    record_property("blocks", {**counts, "seconds": time.perf_counter() - start, "work": processor() - work})


def processor():
    """Processor time of this process and of the commands that it has run (s)."""
    return sum(os.times()[:4])


def shell(block):
    """Runs a block as a user would, with `stiction` on the path; a line that ends with `# exit code 1` ends with it."""
    program = Path(os.environ["STICTION"])
    path = f"{program.parent}{os.pathsep}{os.environ['PATH']}"
    lines = [re.sub(r"^(.*\S)\s+# exit code 1$", r"if \1; then exit 1; fi", line) for line in block.splitlines()]
    run = subprocess.run(
        ["bash", "-e", "-c", "\n".join(lines)], capture_output=True, text=True, env={**os.environ, "PATH": path}, stdin=subprocess.DEVNULL
    )
    assert run.returncode == 0, f"{block}\n{run.stdout}{run.stderr}"
    return {line.strip() for line in (run.stdout + run.stderr).splitlines()}


def scenario(block):
    """Writes a block that begins with `# NAME.toml` to that file, or adds it to one; all are checked."""
    named = re.match(r"# (added to )?([\w-]+\.(?:toml|csv))\n", block)
    path = Path(named[2] if named else "block.toml")
    if named and named[1]:
        block = path.read_text(encoding="utf-8") + block
    path.write_text(block, encoding="utf-8")
    if re.search(r"^\[patch", block, re.M):
        shell(f"stiction patch {path}")
    else:
        stiction.load(path)


def python(block, names):
    """Runs a block; an expression with a comment after it has the value that the comment states."""
    lines = block.split("\n")
    for statement in ast.parse(block).body:
        _, _, said = lines[statement.end_lineno - 1].partition("  # ")
        code = ast.get_source_segment(block, statement)
        if isinstance(statement, ast.Expr) and said:
            assert repr(eval(code, names)) == said, code
        else:
            exec(code, names)


def test_every_page_with_rust_is_a_test_of_cargo():
    source = (ROOT / "crates/soak/src/lib.rs").read_text(encoding="utf-8")
    for page in PAGES:
        if any(kind == "rust" for kind, _ in blocks(page)):
            assert f'"../../../{page}"' in source, page


def test_every_key_of_the_schemas_has_an_entry_with_unit_default_and_example():
    entries, table = {}, None
    for page in sorted((ROOT / "docs/reference").glob("*.md")):
        for line in page.read_text(encoding="utf-8").splitlines():
            if label := re.match(r"\((?:table|law)-(.*)\)=", line):
                table = label[1].replace("-", "")
            elif row := re.match(r"\| `(\w+)` \| (.*\S) \| (.*\S) \| (.*\S) \| `(.*)` \|$", line):
                entries[table, row[1]] = row.groups()[1:]
    missing = []
    for name in ("scenario", "patch"):
        schema = stiction.schema(name) if name == "patch" else stiction.schema()
        tables = {key: body for key, body in schema["$defs"].items() if "properties" in body}
        if name == "scenario":
            tables["Scenario"] = schema
        for table, body in tables.items():
            for key, property in body["properties"].items():
                entry = entries.get((table.lower(), key))
                if entry is None:
                    missing.append(f"{table}.{key}")
                    continue
                meaning, unit, default, example = entry
                assert meaning and unit and default and example.startswith(key), (table, key)
                if "number" in property.get("type", ()):
                    assert unit != "–", (table, key)
                if key in body.get("required", ()):
                    assert default == "required", (table, key)
                elif property.get("default") is not None:
                    assert default not in ("required", "absent"), (table, key)
    assert missing == []
    assert len(entries) > 400


def sections():
    """Text of each section of the reference by its label, without prefix and dashes."""
    found = {}
    for page in sorted((ROOT / "docs/reference").glob("*.md")):
        _, *parts = re.split(r"^\((?:table|law)-(.*)\)=$", page.read_text(encoding="utf-8"), flags=re.M)
        found.update(zip([label.replace("-", "") for label in parts[::2]], parts[1::2], strict=True))
    return found


def test_every_choice_of_the_schemas_has_an_entry_with_its_meaning():
    found, seen = sections(), set()
    for schema in (stiction.schema(), stiction.schema("patch")):
        # laws have sections of their own, which hold the words of two of their keys
        for name, body in schema["$defs"].items():
            text = found.get(name.lower()) or (ROOT / "docs/reference/laws.md").read_text(encoding="utf-8")
            for choice in body.get("oneOf", ()) if name != "Contact" else ():
                tags = choice.get("properties", {f'"{choice.get("const")}"': {}})
                for tag, value in tags.items():
                    entry = re.search(rf"^\* `{re.escape(tag)}`: (\S.*)$", text, re.M)
                    assert entry, (name, tag)
                    for key in value.get("properties", {}):
                        assert re.search(rf"`{key}`: \S", entry[1]), (name, tag, key)
                    seen.add((name, tag))
    assert len(seen) > 40


@pytest.mark.parametrize("law", stiction.LAWS)
def test_the_page_of_laws_lists_the_parameters_and_units_that_the_command_line_prints(law):
    section = sections()[law.replace("-", "")]
    assert "```{math}" in section and f"law/{law}.svg" in section and "Use it when" in section
    listed = dict(re.findall(r"^\| `(\w+)` \| .*\S \| (.*\S) \| .*\S \| `.*` \|$", section, re.M))
    program = [os.environ["STICTION"], "law", law, "--at", "1", "--json"]
    printed = json.loads(subprocess.run(program, capture_output=True, text=True, check=True).stdout)["parameters"]
    assert printed
    for one in printed:
        # "–" stands for text, which has no unit; spaces do not break
        assert listed[one["name"]].replace("–", "-").replace("\xa0", " ") == one["unit"], one


def test_the_readme_is_short():
    lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 150
    assert max(map(len, lines)) <= 140


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
