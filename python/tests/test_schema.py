"""One schema for all front ends: no key can be missing here, none has another default."""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterator
from dataclasses import MISSING, Field, fields
from typing import Any

import pytest
import stiction
from stiction._patch import PatchBase
from conftest import EXAMPLES, ROOT, Cli, named, read_toml
from stiction import _models as models

SCHEMA = stiction.schema()
DEFS: dict[str, Any] = SCHEMA["$defs"]
FAMILIES = {
    "SystemKind": models.SYSTEMS,
    "IntegratorKind": models.INTEGRATORS,
    "AnalysisKind": models.ANALYSES,
    # CustomLaw, a function, is no table
    "Contact": {tag: kind for tag, kind in models.LAWS.items() if tag != "custom"},
    "Shape": models.SHAPES,
    "Pressure": {"linear": models.LinearPressure},
}
# choices of words, and of one thing or several of it: annotations, not classes
WITHOUT_CLASS = {"Closure", "Constants", "Axes", "Method", "Weakening", "Evolution", "Nodes", "NodesWord", "ChainEnd", "Support", "DrawKind", "Spacing", "MotionKind", "LogAxes", "SignalOrNumber", "MassOrMasses"}
# matrices: arrays, or dicts
WITHOUT_CLASS |= {"MatrixForm", "StoredMatrix", "SparseEntries", "DampingForm", "ModelDamping", "RayleighDamping"}


def resolved(table: Any) -> Any:
    return DEFS[table["$ref"].rpartition("/")[2]] if "$ref" in table else table


def tagged(definition: Any) -> Iterator[tuple[str, Any]]:
    """Tag and body of every variant that holds something."""
    for variant in definition["oneOf"]:
        for tag, body in variant.get("properties", {}).items():
            if tag != "custom":
                yield tag, resolved(body)


def pairs() -> Iterator[tuple[type[Any], Any]]:
    """Every class, and the table of the schema that it stands for."""
    for name, family in FAMILIES.items():
        for tag, body in tagged(DEFS[name]):
            yield family[tag], body
    for name, kind in models.TABLES.items():
        yield kind, DEFS[name]


def test_every_definition_has_its_class_and_every_class_its_definition() -> None:
    one_or_many = {name for name in DEFS if name.startswith("OneOrMany")}
    tables = {tag_body.get("$ref", "").rpartition("/")[2] for name in FAMILIES for v in DEFS[name]["oneOf"] for tag_body in v.get("properties", {}).values()}
    assert set(DEFS) == set(FAMILIES) | set(models.TABLES) | WITHOUT_CLASS | one_or_many | (tables - {""})
    for name, family in FAMILIES.items():
        assert set(family) == {tag for tag, _ in tagged(DEFS[name])}, name
    classes = {kind for kind, _ in pairs()}
    assert classes == {kind for kind in vars(models).values() if isinstance(kind, type) and kind.__module__ == models.__name__}
    assert all(getattr(stiction, kind.__name__) is kind and kind.__name__ in stiction.__all__ for kind in classes)


def default(field: Field[Any]) -> Any:
    return None if field.default is MISSING else json.loads(json.dumps(field.default))


@pytest.mark.parametrize(("kind", "table"), list(pairs()), ids=lambda x: x.__name__ if isinstance(x, type) else "")
def test_every_key_is_a_parameter_with_the_same_default(kind: type[Any], table: Any) -> None:
    if table.get("type") == "array":
        table = {"properties": {kind._tag: {}}, "required": [kind._tag]}
    keys = dict(table.get("properties", {}))
    required = set(table.get("required", []))
    if issubclass(kind, stiction.Shape):
        # a shape is a patch too, where no length of its own has the same name
        of_patch = DEFS["Patch"]["properties"]
        keys = {**{key: value for key, value in of_patch.items() if key != "shape"}, **keys}
    own = {field.name.rstrip("_"): field for field in fields(kind)}
    if kind is stiction.Contact:
        assert own.pop("law").default is MISSING
    assert set(own) == set(keys)
    for key, field in own.items():
        assert (field.default is MISSING) == (key in required), key
        wanted = keys[key].get("default")
        # a table of defaults stands for the class with its own, and is left out; so is the load of a patch, whose 0 is the weight
        is_left_out = isinstance(wanted, dict) or (issubclass(kind, PatchBase) and key == "load")
        assert default(field) == (None if is_left_out else wanted), key
        assert f"\n{field.name} : " in (inspect.getdoc(kind) or ""), key


@pytest.mark.parametrize(("kind", "table"), list(pairs()), ids=lambda x: x.__name__ if isinstance(x, type) else "")
def test_every_unit_is_the_one_of_the_schema(kind: type[Any], table: Any) -> None:
    for key, value in table.get("properties", {}).items():
        text = value.get("description", "")
        unit = kind._units.get(key + "_" if key == "from" else key)
        assert unit is None or text.endswith(f"({unit})."), key


def test_a_scenario_takes_the_roots_of_the_schema() -> None:
    parameters = inspect.signature(stiction.Scenario).parameters
    assert set(parameters) == set(SCHEMA["properties"])
    assert {name for name, p in parameters.items() if p.default is inspect.Parameter.empty} == set(SCHEMA["required"])


def test_the_schemas_are_those_of_the_command_line(cli: Cli) -> None:
    for kind in ("scenario", "patch"):
        assert json.loads(cli("schema", kind)) == stiction.schema(kind)
        assert json.loads((ROOT / f"crates/stiction-study/schema/{kind}.schema.json").read_text(encoding="utf-8")) == stiction.schema(kind)


@pytest.mark.parametrize("path", EXAMPLES, ids=named)
def test_an_example_goes_through_objects_and_back(path: Any, cli: Cli) -> None:
    loaded = stiction.load(path)
    shown = cli("show", path)
    assert loaded.to_toml() == shown
    whole = stiction.Scenario(
        title=loaded.title, system=loaded.system, integrator=loaded.integrator, analysis=loaded.analysis
    )
    assert isinstance(whole.system, stiction._base.Model)
    assert whole.to_toml() == shown and whole == loaded
    # a dict with the keys of the file, and one with all defaults
    assert loaded.to_dict() == read_toml(path.read_text(encoding="utf-8"))
    assert stiction.Scenario.from_dict(loaded.to_dict()) == loaded
    assert stiction.Scenario.from_dict(read_toml(shown)).to_toml() == shown


def test_a_saved_scenario_is_loaded_again(tmp_path: Any) -> None:
    for path in EXAMPLES:
        scenario = stiction.load(path)
        scenario.save(tmp_path / "saved.toml")
        assert stiction.load(tmp_path / "saved.toml") == scenario
    assert [file.name for file in tmp_path.iterdir()] == ["saved.toml"]


def test_keys_are_overridden_as_on_the_command_line(cli: Cli) -> None:
    path = ROOT / "examples/trigonometric_resonance.toml"
    sets = {"width": 0.4, "analysis.transient.periods": 50, "title": "broad"}
    shown = cli("show", path, *(f"--set={key}={json.dumps(value)}" for key, value in sets.items()))
    assert stiction.load(path, sets).to_toml() == shown == stiction.load(path).set(sets).to_toml()
