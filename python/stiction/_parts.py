"""From the dicts of a scenario to the classes that they stand for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from . import _models as models
from ._law import Friction, Law
from ._patch import PatchBase, Shape


def kind(part: str) -> type[Any]:
    """The class, or the base of the classes, of a part."""
    bases: dict[str, type[Any]] = {
        "contact": Friction,
        "law": Law,
        "patch": PatchBase,
        "shape": Shape,
        "pressure": models.LinearPressure,
    }
    return bases.get(part) or models.TABLES[part]


def made(part: str, table: Mapping[str, Any]) -> Any:
    """The object that a table describes; the table itself where it fits no class."""
    if part == "contact":
        return contact(table)
    if part == "patch":
        return patch(table)
    families: dict[str, dict[str, type[Any]]] = {
        "system": models.SYSTEMS,
        "integrator": models.INTEGRATORS,
        "analysis": models.ANALYSES,
        "law": models.LAWS,
        "shape": models.SHAPES,
        "pressure": {"linear": models.LinearPressure},
    }
    if part in families:
        return tagged(families[part], table)
    return models.TABLES[part](**table)


def tagged(family: Mapping[str, type[Any]], table: Mapping[str, Any]) -> Any:
    """The member of a family that the only key of a table names."""
    if len(table) != 1:
        return table
    ((tag, body),) = table.items()
    kind = family.get(tag)
    if kind is None:
        return table
    if kind is models.Pieces and not isinstance(body, Mapping):
        return kind(pieces=body)
    return kind(**body) if isinstance(body, Mapping) else table


def contact(table: Mapping[str, Any]) -> Any:
    """A law by itself, or with its surroundings."""
    laws = [tag for tag in table if tag in models.LAWS]
    if len(laws) != 1 or not isinstance(table[laws[0]], Mapping):
        return table
    law = models.LAWS[laws[0]](**table[laws[0]])
    rest = {key: value for key, value in table.items() if key != laws[0]}
    return models.Contact(law=law, **rest) if rest else law


def patch(table: Mapping[str, Any]) -> Any:
    """A patch; by the name of its shape where that says all."""
    shape = table.get("shape")
    if isinstance(shape, Mapping):
        shape = tagged(models.SHAPES, shape)
    rest = {key: value for key, value in table.items() if key != "shape"}
    if isinstance(shape, Shape) and not (isinstance(shape, models.Rectangle) and "width" in rest):
        return shape.replace(**rest)
    return models.Patch(**{**table, "shape": shape})
