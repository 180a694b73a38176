"""What all tables of a scenario have in common."""

from __future__ import annotations

import difflib
import functools
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields, replace
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from ._arrays import magnitude, real

if TYPE_CHECKING:
    from typing_extensions import Self, dataclass_transform
else:

    def dataclass_transform(**_: Any) -> Callable[[Any], Any]:
        return lambda decorator: decorator


Vector = Sequence[float] | NDArray[Any]
Matrix = Sequence[Sequence[float]] | NDArray[Any]


class SparseMatrix(Protocol):
    """A sparse matrix, such as those of SciPy."""

    def tocoo(self) -> Any:
        """The same as lists of rows, columns and values."""


MatrixLike = Vector | Matrix | SparseMatrix | str | os.PathLike[str] | Mapping[str, Any]

T = TypeVar("T")

DEEPEST = 64
"""Tables and lists within one another; a scenario needs seven."""


class Model:
    """A table of a scenario: immutable, compared by value, with its parameters given by name."""

    _tag: ClassVar[str] = ""
    _parts: ClassVar[dict[str, str]] = {}
    _units: ClassVar[dict[str, str]] = {}

    def __post_init__(self) -> None:
        for field in fields(self):  # type: ignore[arg-type]
            value = getattr(self, field.name)
            value = tidy(value, field.name, self._units.get(field.name, ""))
            part = self._parts.get(field.name)
            object.__setattr__(self, field.name, parted(value, part, field.name) if part else value)

    def _own(self) -> dict[str, Any]:
        """The keys of the table itself."""
        given = {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]
        # an angle in radians that was left out gives way to the one in degrees
        in_degrees = (field for field in fields(self) if given.get(f"{field.name}_deg") is not None)  # type: ignore[arg-type]
        idle = {field.name for field in in_degrees if given[field.name] == field.default}
        return {name.rstrip("_"): plain(value, name) for name, value in given.items() if value is not None and name not in idle}

    def to_dict(self) -> dict[str, Any]:
        """The table as a scenario file has it: dicts, lists, numbers and texts."""
        return {self._tag: self._own()} if self._tag else self._own()

    def replace(self, **changes: Any) -> Self:
        """The same with some parameters changed."""
        return replace(self, **changes)  # type: ignore[type-var]

    def __repr__(self) -> str:
        values = ((field, getattr(self, field.name)) for field in fields(self))  # type: ignore[arg-type]
        given = (f"{field.name}={value!r}" for field, value in values if value != field.default)
        return f"{type(self).__name__}({', '.join(given)})"

    def __reduce__(self) -> tuple[Any, ...]:
        values = {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]
        return _rebuilt, (type(self), values)


def _rebuilt(kind: type[T], values: dict[str, Any]) -> T:
    return kind(**values)


@dataclass_transform(frozen_default=True, kw_only_default=True)
def model(cls: type[T]) -> type[T]:
    """Makes a class a table of a scenario; says what is wrong with the names of its parameters."""
    made = dataclass(frozen=True, kw_only=True, repr=False)(cls)
    known = fields(made)  # type: ignore[arg-type]
    names = [field.name for field in known]
    needed = [field.name for field in known if field.default is MISSING]
    init = made.__init__

    @functools.wraps(init)
    def __init__(self: Any, *args: Any, **values: Any) -> None:
        title = made.__name__
        if args:
            pattern = ", ".join(f"{name}=…" for name in needed or names[:1])
            raise TypeError(f"{title} takes its parameters by name: {title}({pattern})")
        for name in [name for name in values if name + "_" in names]:
            values[name + "_"] = values.pop(name)
        for name in values:
            if name not in names:
                close = difflib.get_close_matches(name, names, 1)
                hint = f"did you mean {close[0]}?" if close else f"one of: {', '.join(names)}" if names else "it has none"
                raise TypeError(f"{title} has no parameter {name}\nhint: {hint}")
        missing = [name for name in needed if name not in values]
        if missing:
            raise TypeError(f"{title} needs {' and '.join(missing)}\nhint: help(stiction.{title}) says what it takes")
        init(self, **values)

    made.__init__ = __init__  # type: ignore[method-assign]
    return made


def tidy(value: Any, name: str, unit: str, depth: int = 0) -> Any:
    """A value that cannot change: arrays and lists become tuples, quantities with units plain numbers."""
    value = magnitude(value, name, unit)
    if isinstance(value, type):
        raise TypeError(f"{name} is the class {value.__name__}, but an object is needed\nhint: call it: {value.__name__}(…)")
    if isinstance(value, (np.ndarray, np.generic)) or (hasattr(value, "__array__") and not isinstance(value, Model)):
        value = np.asarray(value).tolist()
    if isinstance(value, list | tuple):
        return tuple(tidy(item, name, unit, depth + 1) for item in value) if depth < DEEPEST else _too_deep(name)
    return value


def plain(value: Any, name: str = "", depth: int = 0) -> Any:
    """A value as a scenario file has it."""
    if depth > DEEPEST:
        return _too_deep(name)
    if isinstance(value, Model):
        as_part = getattr(value, f"_as_{name}", None)
        return as_part() if as_part else value.to_dict()
    if isinstance(value, tuple | list):
        return [plain(item, name, depth + 1) for item in value]
    if isinstance(value, Mapping):
        return {key: plain(item, key, depth + 1) for key, item in value.items() if item is not None}
    if hasattr(value, "tocoo"):
        return plain(stored(value, name), name, depth + 1)
    return value


def stored(value: Any, name: str) -> Any:
    """A sparse matrix, or the path of one, as the table that a scenario file has; anything else as it is."""
    if isinstance(value, (str, os.PathLike)):
        path = os.fspath(value)
        if not path.endswith(".npz"):
            return Frozen(file=path)
        try:
            from scipy.sparse import load_npz  # type: ignore[import-untyped]
        except ImportError:
            raise ImportError(f"{name}: SciPy is needed to read {path}\nhint: pip install scipy") from None
        value = load_npz(path)
    if isinstance(value, Mapping):
        return Frozen((key, stored(item, name) if isinstance(item, Mapping) else tidy(item, name, "")) for key, item in value.items())
    if not hasattr(value, "tocoo") or isinstance(value, type):
        return value
    entries = value.tocoo()
    if len(value.shape) != 2 or value.shape[0] != value.shape[1]:
        raise ValueError(f"{name} has the shape {tuple(value.shape)}, but it must be square")
    values = real(entries.data, name, "")
    places = {"rows": tuple(entries.row.tolist()), "columns": tuple(entries.col.tolist())}
    return Frozen(sparse=Frozen(n=int(value.shape[0]), **places, values=tuple(values.tolist())))


class Frozen(dict[str, Any]):
    """A dict inside an object: compared by value, and hashed."""

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))


def parted(value: Any, part: str, name: str) -> Any:
    """Dicts inside a table as the classes that they stand for, where they fit."""
    from ._parts import kind, made

    if part == "matrix":
        return stored(value, name)
    if part == "numbers":
        return Frozen({key: tidy(item, name, "") for key, item in value.items()}) if isinstance(value, Mapping) else value
    if isinstance(value, tuple):
        return tuple(parted(item, part, name) for item in value)
    value = made(part, value) if isinstance(value, Mapping) else value
    if isinstance(value, Model) and not isinstance(value, kind(part)):
        raise TypeError(f"{name} is a {type(value).__name__}, but it must be a {kind(part).__name__}")
    return value


def _too_deep(name: str) -> NoReturn:
    raise ValueError(f"{name} is nested too deep\nhint: does a dict or a list contain itself?")
