"""Whatever a caller gives, as arrays of float64 in order; or an exception that says what to give instead."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def magnitude(value: Any, name: str, unit: str) -> Any:
    """A quantity with units as plain numbers in `unit`; anything else as it is."""
    if isinstance(value, (np.ndarray, np.generic)) and type(value).__module__ == "numpy":
        return value
    convert = getattr(value, "m_as", None) or getattr(value, "to_value", None)
    if convert is None or isinstance(value, type):
        return value
    if not unit:
        raise TypeError(f"{name} carries a unit, but it must be plain numbers\nhint: give SI values, without units")
    # for pint 1 Hz is 1 rad/s
    if "rad" in unit and "hertz" in str(getattr(value, "units", "")):
        raise ValueError(f"{name} = {value!s}, but it must be in {unit}\nhint: multiply a frequency by 2π rad")
    try:
        return convert(_spelt(unit))
    except Exception as error:
        raise ValueError(f"{name} = {value!s}, but its unit must be {unit} or one like it: {error}") from error


def _spelt(unit: str) -> str:
    """A unit as the libraries of quantities read it."""
    unit = unit.removesuffix("-")
    for digit, power in (("²", "**2"), ("³", "**3")):
        unit = unit.replace(digit, power)
    over, _, under = unit.partition("/")
    return over.replace(" ", "*") + ("/" + under if under else "")


def real(value: Any, name: str, unit: str) -> NDArray[np.float64]:
    """Real numbers of any shape, in order."""
    value = magnitude(value, name, unit)
    if isinstance(value, np.ma.MaskedArray) and np.ma.is_masked(value):
        raise ValueError(f"{name} has values that are masked\nhint: {name}.compressed() leaves them out, {name}.filled(…) fills them")
    try:
        array = np.asarray(value)
    except ValueError as error:
        raise ValueError(f"{name} is no array: {error}\nhint: give rows of one length") from None
    if array.dtype.kind not in "fiu":
        ways = {
            "c": "take .real, or the part that you mean",
            "b": "give numbers, not truths",
            "U": "give numbers, not text",
            "S": "give numbers, not text",
            "O": "float(…) makes numbers of objects; None cannot be computed with",
            "M": "give seconds as numbers",
            "m": "give seconds as numbers",
        }
        hint = ways.get(array.dtype.kind, "give numbers")
        raise TypeError(f"{name} is of dtype {array.dtype}, but it must be real numbers\nhint: {hint}")
    return np.require(array, np.float64, ["C", "A"])


def finite(value: Any, name: str, unit: str) -> NDArray[np.float64]:
    """Real numbers of any shape, none of them NaN or infinite."""
    array = real(value, name, unit)
    if not np.isfinite(array).all():
        raise ValueError(f"{name} is not finite everywhere\nhint: leave such values out, as in {name}[np.isfinite({name})]")
    return array


def listed(value: Any, name: str, unit: str) -> list[float]:
    """Finite numbers in a row: one of them, or an array of one dimension."""
    array = np.atleast_1d(finite(value, name, unit))
    if array.ndim > 1:
        hint = "give a list of numbers; for all entries of an array its ravel()"
        raise ValueError(f"{name} has the shape {array.shape}, but it must have one dimension\nhint: {hint}")
    numbers: list[float] = array.tolist()
    return numbers


def broadcast(values: list[tuple[Any, str, str]]) -> list[NDArray[np.float64]]:
    """Several arrays brought to one shape."""
    arrays = [real(*value) for value in values]
    try:
        common = np.broadcast_arrays(*arrays)
    except ValueError:
        shapes = ", ".join(f"{name} {array.shape}" for array, (_, name, _) in zip(arrays, values) if array.ndim)
        raise ValueError(f"the shapes do not fit together: {shapes}\nhint: give arrays of one shape, or single numbers") from None
    return [np.require(array, np.float64, ["C", "A"]) for array in common]
