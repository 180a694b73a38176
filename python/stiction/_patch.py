"""Contact patches that slide and spin at once."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from ._base import Model, plain
from ._errors import ScenarioError


class Limit(NamedTuple):
    """How far wrenches are from moving a body at rest."""

    factor: Any
    """The wrench as a fraction of the largest one in its direction that the patch holds: above 1 the body moves (-)."""
    motion: NDArray[np.float64]
    """The motion (vx, vy, omega) in which it would start, scaled to unit speed."""


class PatchBase(Model):
    """A flat contact patch: dF = −μ p V/|V| dA with V = v + ω ẑ × r, integrated over the patch in closed form."""

    _native: _core.Patch

    def __post_init__(self) -> None:
        super().__post_init__()
        tree = self._as_patch()
        # without a coefficient and a load of its own, the wrench per unit of μN
        tree.setdefault("mu", 1.0)
        if tree.get("load", 0.0) == 0.0:
            tree["load"] = 1.0
        object.__setattr__(self, "_native", _core.Patch(tree))

    def _as_patch(self) -> dict[str, Any]:
        return self._own()

    def wrench(self, twists: ArrayLike) -> NDArray[np.float64]:
        """The friction wrench on the body about the reference point; zero at rest.

        Parameters
        ----------
        twists : array (…, 3)
            Velocity of the reference point and spin: vx (m/s), vy (m/s), omega (rad/s), counter-clockwise.

        Returns
        -------
        array (…, 3)
            fx (N), fy (N), mz (N m). Without `mu` and `load` per unit of μN.

        Examples
        --------
        >>> Disc(radius=0.1, pressure="galin").wrench([1.0, 0.0, 0.0])
        array([-1.,  0.,  0.])
        """
        return self._native.wrench(twists)

    def jacobian(self, twists: ArrayLike) -> NDArray[np.float64]:
        """Derivative of (fx, fy, mz), by rows, by (vx, vy, omega): array (…, 3, 3); zero at rest, where there is none."""
        return self._native.jacobian(twists)

    def power(self, twists: ArrayLike) -> Any:
        """Power of the friction wrench, never positive (W)."""
        return self._native.power(twists)

    def limit(self, wrenches: ArrayLike) -> Limit:
        """How far applied wrenches (fx, fy, mz) are from moving the body at rest: load factor and motion of the start.

        Coulomb's law with the exact closure; neither `height`, `mu1`, `mu2` nor `width` enter.
        """
        found = self._native.limit(wrenches)
        factor = found[..., 0]
        return Limit(factor if factor.ndim else float(factor), found[..., 1:])

    @property
    def tipping(self) -> float:
        """Height times friction coefficient at which sliding lifts an edge or a foot (m)."""
        return self._native.tipping


class Shape(PatchBase):
    """An outline; with `mu`, `load` and the like it is a patch."""

    def _split(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """The keys of the outline, and those of the patch."""
        from ._models import Patch

        own = self._own()
        of_patch = {field.name for field in fields(Patch)} - self._lengths()  # type: ignore[arg-type]
        return {k: v for k, v in own.items() if k not in of_patch}, {k: v for k, v in own.items() if k in of_patch}

    def _lengths(self) -> set[str]:
        """Keys of the outline that a patch has too."""
        return {"width"} if self._tag == "rectangle" else set()

    def _as_shape(self) -> dict[str, Any]:
        outline, patch = self._split()
        defaults = {field.name: plain(field.default) for field in fields(self)}  # type: ignore[arg-type]
        given = [key for key, value in patch.items() if value != defaults[key]]
        if given:
            message = f"{type(self).__name__} stands for an outline here, but has {', '.join(given)}"
            raise ScenarioError([("shape", message, None, f"give {', '.join(given)} beside the shape")])
        return {self._tag: outline["pieces"] if self._tag == "pieces" else outline}

    def _as_patch(self) -> dict[str, Any]:
        outline, patch = self._split()
        return {"shape": {self._tag: outline["pieces"] if self._tag == "pieces" else outline}, **patch}

    def to_dict(self) -> dict[str, Any]:
        """The patch as a scenario file has it."""
        return self._as_patch()
