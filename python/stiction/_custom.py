"""Friction laws of the reader's own."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any, ClassVar, NoReturn
from weakref import WeakValueDictionary

from . import _core
from . import _models as models
from ._law import Law

_KNOWN: WeakValueDictionary[str, CustomLaw] = WeakValueDictionary()
_NUMBERS = itertools.count(1)


class CustomLaw(Law):
    """A friction law that is a function of Python's.

    Slow: `adaptive` calls it some hundred times for each event, and takes the interpreter's lock for every call, so that runs on several cores
    wait for each other. `Expression` says most laws as a formula and is a hundred times faster.

    Parameters
    ----------
    f : callable
        The friction coefficient φ(v) (-) for a sliding velocity v (m/s), with the sign of v; it must be finite. A jump at v = 0 is
        an interval of forces at rest, so that the law sticks. It is not asked at v = 0. What it raises ends the run and is raised.
    slope : callable, optional
        ∂φ/∂v (s/m); difference quotients if absent.
    breakpoints : array, optional
        Velocities beside 0 at which f has a kink (m/s).
    mu_static : float, optional
        Static friction coefficient at v = 0; that of f beside it if absent (-).
    reach : float, default 10.0
        Speed up to which f is asked; beyond it friction is held, and a run that slides faster warns (m/s).
    name : str, optional
        What a scenario calls it. A scenario with such a law can be written, but only this process can run it.

    Examples
    --------
    >>> import numpy as np
    >>> law = CustomLaw(lambda v: (0.2 + 0.1 / (1 + abs(v))) * np.sign(v))
    >>> law.graph
    'set-valued'
    """

    _tag: ClassVar[str] = "custom"

    def __init__(
        self,
        f: Callable[[float], float],
        slope: Callable[[float], float] | None = None,
        breakpoints: Any = (),
        *,
        mu_static: float | None = None,
        reach: float = 10.0,
        name: str | None = None,
    ) -> None:
        for argument, value in (("f", f), ("slope", slope)):
            if not callable(value) and not (argument == "slope" and value is None):
                raise TypeError(f"{argument} is {value!r}, but it must be a function of v")
        places = sorted(float(v) for v in breakpoints)
        word = name or f"{getattr(f, '__name__', type(f).__name__)}-{next(_NUMBERS)}"
        static = None if mu_static is None else float(mu_static)
        own = _core.CustomLaw(word, f, slope, places, static, float(reach))
        for key, what in {"name": word, "_f": f, "_own_law": own}.items():
            object.__setattr__(self, key, what)
        object.__setattr__(self, "_native", _core.Law(self.to_dict()))
        _KNOWN[word] = self

    name: str

    def _own(self) -> dict[str, Any]:
        return {"name": self.name}

    def to_dict(self) -> dict[str, Any]:
        """The law as a scenario file names it."""
        return {self._tag: self._own()}

    def replace(self, **_: Any) -> NoReturn:
        """A function cannot be changed: make another law."""
        raise TypeError("a CustomLaw cannot be changed\nhint: make another one")

    def __repr__(self) -> str:
        return f"CustomLaw({self.name})"

    def __reduce__(self) -> NoReturn:
        raise TypeError(f"the law {self.name} is a function and cannot be sent elsewhere\nhint: write it as an Expression")


def _known(name: str) -> CustomLaw:
    """The law that a scenario names."""
    law = _KNOWN.get(name)
    if law is None:
        raise ValueError(f"no law of this process is called {name}\nhint: CustomLaw(…) must be made before, and kept")
    return law


models.LAWS["custom"] = _known  # type: ignore[assignment]
