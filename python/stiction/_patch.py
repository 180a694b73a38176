"""Contact patches that slide and spin at once."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from ._arrays import finite, listed
from ._base import Model, plain
from ._errors import ScenarioError
from ._outcome import SURFACE, Facts, Table


class Limit(NamedTuple):
    """How far wrenches are from moving a body at rest."""

    factor: Any
    """The wrench as a fraction of the largest one in its direction that the patch holds: above 1 the body moves (-)."""
    motion: NDArray[np.float64]
    """The motion (vx, vy, omega) in which it would start, scaled to unit speed."""


class PatchBase(Model):
    """A flat contact patch: dF = −μ p V/|V| dA with V = v + ω ẑ × r, integrated over the patch in closed form."""

    def __post_init__(self) -> None:
        super().__post_init__()
        tree = self._as_patch()
        # without a coefficient and a load of its own, the wrench per unit of μN
        tree.setdefault("mu", 1.0)
        is_weight = tree.setdefault("load", 1.0) == 0.0
        native = _core.Patch({**tree, "load": 1.0} if is_weight else tree)
        object.__setattr__(self, "_evaluated", None if is_weight else native)

    @property
    def _native(self) -> _core.Patch:
        """What evaluates the patch."""
        native: _core.Patch | None = self.__dict__["_evaluated"]
        if native is None:
            raise ValueError("load = 0, which stands for the weight under a body\nhint: give a positive load, or none for wrenches per unit of μN")
        return native

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
        >>> Disc(radius=0.1, pressure="galin").wrench([3.0, 4.0, 0.0])
        array([-0.6, -0.8,  0. ])
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

    def limit_surface(self, rows: int = SURFACE[0], columns: int = SURFACE[1]) -> Table:
        """What the patch holds at rest: points of the surface, and the motion in which the body would start there.

        Parameters
        ----------
        rows : int, default 25
            Elevations of the moment, from pole to pole.
        columns : int, default 72
            Directions of the force.

        Returns
        -------
        Table
            fx (N), fy (N), mz (N m), vx (m/s), vy (m/s), omega (rad/s).
        """
        units = {"fx": "N", "fy": "N", "mz": "N m", "vx": "m/s", "vy": "m/s", "omega": "rad/s"}
        points = self._native.limit_surface(rows, columns)
        return Table({name: points[:, i].copy() for i, name in enumerate(units)}, units)

    def curve(self, ratio: ArrayLike | None = None, direction: float = 0.0) -> Table:
        """Friction over the ratio of sliding to spinning, as the papers draw it.

        Parameters
        ----------
        ratio : array, optional
            v/(ωR) (-), R the distance of the farthest point from the centre; from 0.01 to 100 if absent.
        direction : float, default 0.0
            Direction of the velocity (rad).

        Returns
        -------
        Table
            ratio, along F∥/(μN), across F⊥/(μN), moment M/(μNR), all (-); the closure is that of the patch.
        """
        ratios = None if ratio is None else listed(ratio, "ratio", "-")
        names = ("ratio", "along", "across", "moment")
        columns = self._native.curve(float(finite(direction, "direction", "rad")), ratios)
        return Table({name: np.array(column) for name, column in zip(names, columns)}, dict.fromkeys(names, "-"))

    def deviations(self) -> Table:
        """How far the Padé closures are off the exact integrals, over all ratios of sliding to spinning.

        Returns
        -------
        Table
            closure, constants, quantity (along, across, moment), worst error as a fraction of the largest exact value
            (NaN if that is zero), and where it is: ratio v/(ωR), direction (rad).
        """
        names = ("closure", "constants", "quantity", "worst", "ratio", "direction")
        rows = list(zip(*self._native.deviations()))
        texts = {name: np.array(column, dtype=str) for name, column in zip(names[:3], rows)}
        numbers = {name: np.array(column, dtype=float) for name, column in zip(names[3:], rows[3:])}
        return Table({**texts, **numbers}, {**dict.fromkeys(names, "-"), "direction": "rad"})

    def pressure_at(self, points: ArrayLike, twist: ArrayLike = (0.0, 0.0, 0.0)) -> Any:
        """The pressure at points (…, 2) relative to the reference point, in a motion that may skew it (Pa)."""
        places = finite(points, "points", "m")
        if places.ndim == 0 or places.shape[-1] != 2:
            raise ValueError(f"points has the shape {places.shape}, but it must be (2,) or (…, 2)\nhint: one row holds x (m), y (m)")
        padded = np.concatenate([places, np.zeros((*places.shape[:-1], 1))], axis=-1)
        motion = finite(twist, "twist", "")
        if motion.shape != (3,):
            raise ValueError(f"twist has the shape {motion.shape}, but it must be (3,)\nhint: vx (m/s), vy (m/s), omega (rad/s)")
        return self._native.pressure(padded, motion.tolist())

    @property
    def facts(self) -> Facts:
        """Largest force and moment about the centre, centre of pressure, skew in sliding, height at which it would tip."""
        return Facts(self._native.facts())

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
        of_patch = {field.name for field in fields(Patch)} - self._lengths()
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
