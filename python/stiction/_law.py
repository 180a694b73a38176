"""Friction laws that can be called."""

from __future__ import annotations

from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from ._base import Model


class Friction(Model):
    """A friction law, by itself or with its surroundings.

    Calling it gives the coefficient φ: the friction force is H = N φ with the normal load N, and stands on the left of
    m ü + c u̇ + k u + H = f(t), so a positive H opposes a positive sliding velocity.
    """

    _native: _core.Law

    def __post_init__(self) -> None:
        super().__post_init__()
        law = getattr(self, "law", None)
        if law is not None and not isinstance(law, Law):
            raise TypeError("law must be one law\nhint: law=Coulomb(mu=…); load, belt and viscous stand beside it")
        object.__setattr__(self, "_native", _core.Law(self.to_dict()))

    def to_dict(self) -> dict[str, Any]:
        """The contact as a scenario file has it: the law by its name, and its surroundings."""
        own = self._own()
        return {**own.pop("law"), **own} if "law" in own else {self._tag: own}

    @overload
    def __call__(self, v: float, demand: float = ..., z: float | None = ...) -> float: ...
    @overload
    def __call__(self, v: ArrayLike, demand: ArrayLike = ..., z: ArrayLike | None = ...) -> NDArray[np.float64]: ...
    def __call__(self, v: Any, demand: Any = 0.0, z: Any = None) -> Any:
        """The friction coefficient φ (-).

        Parameters
        ----------
        v : float or array
            Sliding velocity (m/s).
        demand : float or array, default 0.0
            The coefficient that would keep v constant, for laws that answer it (`Quinn`, `Karnopp`, `Coulomb`) (-).
        z : float or array, optional
            Internal state of `Dahl` and `Lugre`; that of steady sliding if absent (m).

        Returns
        -------
        float or array
            A float for a float; otherwise an array of the common shape.

        Examples
        --------
        >>> law = Trigonometric(mu=1.6, width=0.8)
        >>> law(0.8)
        1.6
        """
        return self._native.coefficient(v, demand, z)

    @overload
    def slope(self, v: float, demand: float = ..., z: float | None = ...) -> float: ...
    @overload
    def slope(self, v: ArrayLike, demand: ArrayLike = ..., z: ArrayLike | None = ...) -> NDArray[np.float64]: ...
    def slope(self, v: Any, demand: Any = 0.0, z: Any = None) -> Any:
        """∂φ/∂v (s/m). Parameters as in a call; without z a law with memory gives the slope of steady sliding."""
        return self._native.slope(v, demand, z)

    @overload
    def z_dot(self, v: float, z: float) -> float: ...
    @overload
    def z_dot(self, v: ArrayLike, z: ArrayLike) -> NDArray[np.float64]: ...
    def z_dot(self, v: Any, z: Any) -> Any:
        """Rate of the internal state z (m/s); zero for laws without memory."""
        return self._native.z_dot(v, z)

    @overload
    def z_steady(self, v: float) -> float: ...
    @overload
    def z_steady(self, v: ArrayLike) -> NDArray[np.float64]: ...
    def z_steady(self, v: Any) -> Any:
        """The internal state that steady sliding at v tends to (m); zero for laws without memory."""
        return self._native.z_steady(v)

    def grid(self, n: int = 2001) -> NDArray[np.float64]:
        """n velocities that show all of the law, zero in the middle if n is odd (m/s)."""
        return self._native.grid(n)

    @property
    def graph(self) -> str:
        """The kind of graph over v: "continuous", "jump" or "set-valued"."""
        return self._native.graph

    @property
    def breakpoints(self) -> list[float]:
        """Velocities at which the graph has a kink of some order, ascending (m/s): where an integrator should stop."""
        return self._native.breakpoints

    @property
    def corners(self) -> list[list[float]] | None:
        """The corners (v, φ) of a graph of straight pieces with flat ends; None for any other."""
        return self._native.corners

    @property
    def steepest(self) -> float:
        """The largest |∂φ/∂v|, infinite for a jump (s/m): with load and mass it says how stiff the contact is."""
        return self._native.steepest

    @property
    def bound(self) -> float:
        """The largest |φ| in sliding or rest, memory and viscous part aside (-)."""
        return self._native.bound

    @property
    def has_memory(self) -> bool:
        """Whether the law has an internal state z."""
        return self._native.has_memory

    @property
    def states(self) -> list[tuple[str, str]]:
        """Name and unit of each internal state."""
        return self._native.states

    def plot(self, ax: Any = None) -> Any:
        """Draws φ over v with matplotlib; returns the axes."""
        from ._plot import law

        return law(self, ax)

    def _repr_svg_(self) -> str:
        return self._native.svg()


class Law(Friction):
    """A friction law by its name."""
