"""The tables of a scenario as classes. Written by `cargo xtask generate` from the schema; do not edit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal

from ._base import Matrix, MatrixLike, Model, Vector, model
from ._law import Friction, Law
from ._patch import PatchBase, Shape

Table = Mapping[str, Any]


@model
class Oscillator(Model):
    """One degree of freedom: m ü + c u̇ + k u + H = f(t).

    Parameters
    ----------
    mass : float
        Mass m (kg).
    damping : float, default 0.0
        Viscous damping c (N s/m).
    stiffness : float, default 0.0
        Stiffness k (N/m).
    kind : {"translation", "rotation"}, optional
        Whether the degrees of freedom are displacements or angles, which changes units only: with "rotation" masses are kg m², positions rad, forces N m.
        "translation": Displacements.
        "rotation": Angles.
    force : Load, or a list of them, optional
        Loads, one or a list.
    base : Base, or a list of them, optional
        Motion of the base on which everything rides; positions are then measured from the base.
    prescribed : Prescribed, or a list of them, optional
        Degrees of freedom whose motion is prescribed, one or a list; what holds them is a column.
    friction : Law or Contact, or a list of them, optional
        Friction contacts, one or a list.
    spring : Spring, or a list of them, optional
        Springs beside the stiffness, of straight pieces or polynomial, one or a list.
    stop : Stop, or a list of them, optional
        Stops, one or a list.
    control : Control, or a list of them, optional
        Controllers, one or a list.
    state_space : StateSpace, or a list of them, optional
        Linear controllers and filters of any kind, one or a list; their states come after those of `control`.
    initial : Initial, optional
        State at t = 0.
    """

    _tag: ClassVar[str] = "oscillator"
    _parts: ClassVar[dict[str, str]] = {"force": "Load", "base": "Base", "prescribed": "Prescribed", "friction": "contact", "spring": "Spring", "stop": "Stop", "control": "Control", "state_space": "StateSpace", "initial": "Initial"}
    _units: ClassVar[dict[str, str]] = {"mass": "kg", "damping": "N s/m", "stiffness": "N/m"}
    mass: float
    damping: float = 0.0
    stiffness: float = 0.0
    kind: Literal["translation", "rotation"] | None = None
    force: Load | Table | Sequence[Load | Table] | None = None
    base: Base | Table | Sequence[Base | Table] | None = None
    prescribed: Prescribed | Table | Sequence[Prescribed | Table] | None = None
    friction: Friction | Table | Sequence[Friction | Table] | None = None
    spring: Spring | Table | Sequence[Spring | Table] | None = None
    stop: Stop | Table | Sequence[Stop | Table] | None = None
    control: Control | Table | Sequence[Control | Table] | None = None
    state_space: StateSpace | Table | Sequence[StateSpace | Table] | None = None
    initial: Initial | Table | None = None


@model
class Matrices(Model):
    """n degrees of freedom: M q̈ + C q̇ + K q + Σ wᵢ Hᵢ = f(t).

    Parameters
    ----------
    mass : array, sparse matrix, path or dict
        Mass matrix M: rows, diagonal, or where it is stored (kg).
    stiffness : array, sparse matrix, path or dict, optional
        Stiffness matrix K: rows, diagonal, or where it is stored (N/m).
    damping : array, sparse matrix, path or dict, optional
        Damping matrix C: rows, diagonal, where it is stored, of Rayleigh's kind or by the modes (N s/m).
    kind : {"translation", "rotation"}, optional
        Whether the degrees of freedom are displacements or angles, which changes units only: with "rotation" masses are kg m², positions rad, forces N m.
        "translation": Displacements.
        "rotation": Angles.
    force : Load, or a list of them, optional
        Loads, one or a list.
    base : Base, or a list of them, optional
        Motion of the base on which everything rides; positions are then measured from the base.
    prescribed : Prescribed, or a list of them, optional
        Degrees of freedom whose motion is prescribed, one or a list; what holds them is a column.
    friction : Law or Contact, or a list of them, optional
        Friction contacts, one or a list.
    spring : Spring, or a list of them, optional
        Springs beside the stiffness, of straight pieces or polynomial, one or a list.
    stop : Stop, or a list of them, optional
        Stops, one or a list.
    control : Control, or a list of them, optional
        Controllers, one or a list.
    state_space : StateSpace, or a list of them, optional
        Linear controllers and filters of any kind, one or a list; their states come after those of `control`.
    initial : InitialVectors, optional
        State at t = 0.
    reduce : Reduce, optional
        Reduction to the lowest modes and the static shapes of contacts and loads.
    """

    _tag: ClassVar[str] = "matrices"
    _parts: ClassVar[dict[str, str]] = {"mass": "matrix", "stiffness": "matrix", "damping": "matrix", "force": "Load", "base": "Base", "prescribed": "Prescribed", "friction": "contact", "spring": "Spring", "stop": "Stop", "control": "Control", "state_space": "StateSpace", "initial": "InitialVectors", "reduce": "Reduce"}
    _units: ClassVar[dict[str, str]] = {"mass": "kg", "stiffness": "N/m", "damping": "N s/m"}
    mass: MatrixLike
    stiffness: MatrixLike | None = None
    damping: MatrixLike | None = None
    kind: Literal["translation", "rotation"] | None = None
    force: Load | Table | Sequence[Load | Table] | None = None
    base: Base | Table | Sequence[Base | Table] | None = None
    prescribed: Prescribed | Table | Sequence[Prescribed | Table] | None = None
    friction: Friction | Table | Sequence[Friction | Table] | None = None
    spring: Spring | Table | Sequence[Spring | Table] | None = None
    stop: Stop | Table | Sequence[Stop | Table] | None = None
    control: Control | Table | Sequence[Control | Table] | None = None
    state_space: StateSpace | Table | Sequence[StateSpace | Table] | None = None
    initial: InitialVectors | Table | None = None
    reduce: Reduce | Table | None = None


@model
class Chain(Model):
    """Masses in a row, joined by springs.

    Parameters
    ----------
    mass : float, or a list of them
        Each mass, or the list of all (kg).
    stiffness : float
        Each spring between neighbours, and to the wall at a fixed end (N/m).
    masses : int, optional
        Number of masses, the nodes of the chain; that of the list `mass` if absent (-).
    ground : float, default 0.0
        Each spring from a mass to the ground (N/m).
    left : {"fixed", "free"}, default "fixed"
        End before the first mass.
        "fixed": Tied to a wall by a spring.
        "free": Not tied.
    right : {"fixed", "free"}, default "free"
        End after the last mass.
        "fixed": Tied to a wall by a spring.
        "free": Not tied.
    damping : array, sparse matrix, path or dict, optional
        Damping matrix C: rows, diagonal, where it is stored, of Rayleigh's kind or by the modes (N s/m).
    kind : {"translation", "rotation"}, optional
        Whether the degrees of freedom are displacements or angles, which changes units only: with "rotation" masses are kg m², positions rad, forces N m.
        "translation": Displacements.
        "rotation": Angles.
    force : Load, or a list of them, optional
        Loads, one or a list.
    base : Base, or a list of them, optional
        Motion of the base on which everything rides; positions are then measured from the base.
    prescribed : Prescribed, or a list of them, optional
        Degrees of freedom whose motion is prescribed, one or a list; what holds them is a column.
    friction : Law or Contact, or a list of them, optional
        Friction contacts, one or a list.
    spring : Spring, or a list of them, optional
        Springs beside the stiffness, of straight pieces or polynomial, one or a list.
    stop : Stop, or a list of them, optional
        Stops, one or a list.
    control : Control, or a list of them, optional
        Controllers, one or a list.
    state_space : StateSpace, or a list of them, optional
        Linear controllers and filters of any kind, one or a list; their states come after those of `control`.
    initial : InitialVectors, optional
        State at t = 0.
    reduce : Reduce, optional
        Reduction to the lowest modes and the static shapes of contacts and loads.
    """

    _tag: ClassVar[str] = "chain"
    _parts: ClassVar[dict[str, str]] = {"damping": "matrix", "force": "Load", "base": "Base", "prescribed": "Prescribed", "friction": "contact", "spring": "Spring", "stop": "Stop", "control": "Control", "state_space": "StateSpace", "initial": "InitialVectors", "reduce": "Reduce"}
    _units: ClassVar[dict[str, str]] = {"mass": "kg", "stiffness": "N/m", "masses": "-", "ground": "N/m", "damping": "N s/m"}
    mass: float | Sequence[float]
    stiffness: float
    masses: int | None = None
    ground: float = 0.0
    left: Literal["fixed", "free"] = "fixed"
    right: Literal["fixed", "free"] = "free"
    damping: MatrixLike | None = None
    kind: Literal["translation", "rotation"] | None = None
    force: Load | Table | Sequence[Load | Table] | None = None
    base: Base | Table | Sequence[Base | Table] | None = None
    prescribed: Prescribed | Table | Sequence[Prescribed | Table] | None = None
    friction: Friction | Table | Sequence[Friction | Table] | None = None
    spring: Spring | Table | Sequence[Spring | Table] | None = None
    stop: Stop | Table | Sequence[Stop | Table] | None = None
    control: Control | Table | Sequence[Control | Table] | None = None
    state_space: StateSpace | Table | Sequence[StateSpace | Table] | None = None
    initial: InitialVectors | Table | None = None
    reduce: Reduce | Table | None = None


@model
class Beam(Model):
    """A slender beam in bending, in finite elements.

    Parameters
    ----------
    elements : int
        Number of elements; the nodes are 0 to this number, from the left (-).
    length : float
        Length L (m).
    young : float
        Young's modulus E (Pa).
    density : float
        Density ρ (kg/m³).
    inertia : float, optional
        Second moment of area I of the cross-section, with `area` (m⁴).
    area : float, optional
        Area A of the cross-section, with `inertia` (m²).
    width : float, optional
        Width of a rectangular cross-section, across the plane of bending, with `height` (m).
    height : float, optional
        Height of a rectangular cross-section, in the plane of bending, with `width` (m).
    diameter : float, optional
        Diameter of a circular cross-section (m).
    left : {"clamped", "pinned", "free"}, default "clamped"
        Support of the left end.
        "clamped": Neither deflects nor turns.
        "pinned": Turns, but does not deflect.
        "free": Deflects and turns.
    right : {"clamped", "pinned", "free"}, default "free"
        Support of the right end.
        "clamped": Neither deflects nor turns.
        "pinned": Turns, but does not deflect.
        "free": Deflects and turns.
    damping : array, sparse matrix, path or dict, optional
        Damping matrix C: rows, diagonal, where it is stored, of Rayleigh's kind or by the modes (N s/m).
    kind : {"translation", "rotation"}, optional
        Whether the degrees of freedom are displacements or angles, which changes units only: with "rotation" masses are kg m², positions rad, forces N m.
        "translation": Displacements.
        "rotation": Angles.
    force : Load, or a list of them, optional
        Loads, one or a list.
    base : Base, or a list of them, optional
        Motion of the base on which everything rides; positions are then measured from the base.
    prescribed : Prescribed, or a list of them, optional
        Degrees of freedom whose motion is prescribed, one or a list; what holds them is a column.
    friction : Law or Contact, or a list of them, optional
        Friction contacts, one or a list.
    spring : Spring, or a list of them, optional
        Springs beside the stiffness, of straight pieces or polynomial, one or a list.
    stop : Stop, or a list of them, optional
        Stops, one or a list.
    control : Control, or a list of them, optional
        Controllers, one or a list.
    state_space : StateSpace, or a list of them, optional
        Linear controllers and filters of any kind, one or a list; their states come after those of `control`.
    initial : InitialVectors, optional
        State at t = 0.
    reduce : Reduce, optional
        Reduction to the lowest modes and the static shapes of contacts and loads.
    """

    _tag: ClassVar[str] = "beam"
    _parts: ClassVar[dict[str, str]] = {"damping": "matrix", "force": "Load", "base": "Base", "prescribed": "Prescribed", "friction": "contact", "spring": "Spring", "stop": "Stop", "control": "Control", "state_space": "StateSpace", "initial": "InitialVectors", "reduce": "Reduce"}
    _units: ClassVar[dict[str, str]] = {"elements": "-", "length": "m", "young": "Pa", "density": "kg/m³", "inertia": "m⁴", "area": "m²", "width": "m", "height": "m", "diameter": "m", "damping": "N s/m"}
    elements: int
    length: float
    young: float
    density: float
    inertia: float | None = None
    area: float | None = None
    width: float | None = None
    height: float | None = None
    diameter: float | None = None
    left: Literal["clamped", "pinned", "free"] = "clamped"
    right: Literal["clamped", "pinned", "free"] = "free"
    damping: MatrixLike | None = None
    kind: Literal["translation", "rotation"] | None = None
    force: Load | Table | Sequence[Load | Table] | None = None
    base: Base | Table | Sequence[Base | Table] | None = None
    prescribed: Prescribed | Table | Sequence[Prescribed | Table] | None = None
    friction: Friction | Table | Sequence[Friction | Table] | None = None
    spring: Spring | Table | Sequence[Spring | Table] | None = None
    stop: Stop | Table | Sequence[Stop | Table] | None = None
    control: Control | Table | Sequence[Control | Table] | None = None
    state_space: StateSpace | Table | Sequence[StateSpace | Table] | None = None
    initial: InitialVectors | Table | None = None
    reduce: Reduce | Table | None = None


@model
class Plate(Model):
    """A thin plate in bending, in finite elements.

    Parameters
    ----------
    elements : list of int
        Number of elements along x and y; node i + j (elements along x + 1) is the i-th along x, the j-th along y, from 0.
    sides : array
        Lengths of the sides along x and y (m).
    thickness : float
        Thickness t (m).
    young : float
        Young's modulus E (Pa).
    poisson : float
        Poisson's ratio ν (-).
    density : float
        Density ρ (kg/m³).
    left : {"clamped", "pinned", "free"}, default "pinned"
        Support of the edge x = 0.
        "clamped": Neither deflects nor turns.
        "pinned": Turns, but does not deflect.
        "free": Deflects and turns.
    right : {"clamped", "pinned", "free"}, default "pinned"
        Support of the opposite edge.
        "clamped": Neither deflects nor turns.
        "pinned": Turns, but does not deflect.
        "free": Deflects and turns.
    bottom : {"clamped", "pinned", "free"}, default "pinned"
        Support of the edge y = 0.
        "clamped": Neither deflects nor turns.
        "pinned": Turns, but does not deflect.
        "free": Deflects and turns.
    top : {"clamped", "pinned", "free"}, default "pinned"
        Support of the opposite edge.
        "clamped": Neither deflects nor turns.
        "pinned": Turns, but does not deflect.
        "free": Deflects and turns.
    damping : array, sparse matrix, path or dict, optional
        Damping matrix C: rows, diagonal, where it is stored, of Rayleigh's kind or by the modes (N s/m).
    kind : {"translation", "rotation"}, optional
        Whether the degrees of freedom are displacements or angles, which changes units only: with "rotation" masses are kg m², positions rad, forces N m.
        "translation": Displacements.
        "rotation": Angles.
    force : Load, or a list of them, optional
        Loads, one or a list.
    base : Base, or a list of them, optional
        Motion of the base on which everything rides; positions are then measured from the base.
    prescribed : Prescribed, or a list of them, optional
        Degrees of freedom whose motion is prescribed, one or a list; what holds them is a column.
    friction : Law or Contact, or a list of them, optional
        Friction contacts, one or a list.
    spring : Spring, or a list of them, optional
        Springs beside the stiffness, of straight pieces or polynomial, one or a list.
    stop : Stop, or a list of them, optional
        Stops, one or a list.
    control : Control, or a list of them, optional
        Controllers, one or a list.
    state_space : StateSpace, or a list of them, optional
        Linear controllers and filters of any kind, one or a list; their states come after those of `control`.
    initial : InitialVectors, optional
        State at t = 0.
    reduce : Reduce, optional
        Reduction to the lowest modes and the static shapes of contacts and loads.
    """

    _tag: ClassVar[str] = "plate"
    _parts: ClassVar[dict[str, str]] = {"damping": "matrix", "force": "Load", "base": "Base", "prescribed": "Prescribed", "friction": "contact", "spring": "Spring", "stop": "Stop", "control": "Control", "state_space": "StateSpace", "initial": "InitialVectors", "reduce": "Reduce"}
    _units: ClassVar[dict[str, str]] = {"sides": "m", "thickness": "m", "young": "Pa", "poisson": "-", "density": "kg/m³", "damping": "N s/m"}
    elements: Sequence[int]
    sides: Vector
    thickness: float
    young: float
    poisson: float
    density: float
    left: Literal["clamped", "pinned", "free"] = "pinned"
    right: Literal["clamped", "pinned", "free"] = "pinned"
    bottom: Literal["clamped", "pinned", "free"] = "pinned"
    top: Literal["clamped", "pinned", "free"] = "pinned"
    damping: MatrixLike | None = None
    kind: Literal["translation", "rotation"] | None = None
    force: Load | Table | Sequence[Load | Table] | None = None
    base: Base | Table | Sequence[Base | Table] | None = None
    prescribed: Prescribed | Table | Sequence[Prescribed | Table] | None = None
    friction: Friction | Table | Sequence[Friction | Table] | None = None
    spring: Spring | Table | Sequence[Spring | Table] | None = None
    stop: Stop | Table | Sequence[Stop | Table] | None = None
    control: Control | Table | Sequence[Control | Table] | None = None
    state_space: StateSpace | Table | Sequence[StateSpace | Table] | None = None
    initial: InitialVectors | Table | None = None
    reduce: Reduce | Table | None = None


@model
class Body(Model):
    """A rigid body that slides and spins on a plane.

    Parameters
    ----------
    mass : float
        Mass without the inner mass (kg).
    patch : Patch
        Contact patch; without a load of its own it carries the weight.
    inertia : float, optional
        Moment of inertia about the centre of mass, without the inner mass; if absent that of a uniform plate of the shape of the patch, which must then have its centroid at `centre_of_mass`; required with `ring` and `pieces` (kg m²).
    centre_of_mass : array, default (0.0, 0.0)
        Centre of mass relative to the reference point, in body axes (m).
    gravity : float, default 9.81
        Acceleration of gravity; 9.81 unless given (m/s²).
    tilt : float, default 0.0
        Inclination of the plane (rad).
    tilt_deg : float, optional
        The same in degrees, instead of `tilt` (°).
    downhill : float, default 0.0
        Direction downhill, as an angle from the world's x axis (rad).
    downhill_deg : float, optional
        The same in degrees, instead of `downhill` (°).
    forces : list of Force, default ()
        Applied forces.
    vibration : list of Oscillation, default ()
        Displacement of the plane, a sum of oscillations in world axes (m).
    surface : MovingSurface, optional
        Surface that moves over the plane, under the body; the plane itself if absent.
    inner_mass : InnerMass, optional
        Point mass that is driven inside the body.
    position : array, default (0.0, 0.0)
        Initial position of the reference point (m).
    angle : float, default 0.0
        Initial angle of the body's x axis from the world's (rad).
    angle_deg : float, optional
        The same in degrees, instead of `angle` (°).
    velocity : array, default (0.0, 0.0)
        Initial velocity of the reference point relative to the plane, in world axes (m/s).
    spin : float, default 0.0
        Initial spin, counter-clockwise (rad/s).
    """

    _tag: ClassVar[str] = "body"
    _parts: ClassVar[dict[str, str]] = {"patch": "patch", "forces": "Force", "vibration": "Oscillation", "surface": "MovingSurface", "inner_mass": "InnerMass"}
    _units: ClassVar[dict[str, str]] = {"mass": "kg", "inertia": "kg m²", "centre_of_mass": "m", "gravity": "m/s²", "tilt": "rad", "tilt_deg": "°", "downhill": "rad", "downhill_deg": "°", "vibration": "m", "position": "m", "angle": "rad", "angle_deg": "°", "velocity": "m/s", "spin": "rad/s"}
    mass: float
    patch: PatchBase | Table
    inertia: float | None = None
    centre_of_mass: Vector = (0.0, 0.0)
    gravity: float = 9.81
    tilt: float = 0.0
    tilt_deg: float | None = None
    downhill: float = 0.0
    downhill_deg: float | None = None
    forces: Sequence[Force | Table] = ()
    vibration: Sequence[Oscillation | Table] = ()
    surface: MovingSurface | Table | None = None
    inner_mass: InnerMass | Table | None = None
    position: Vector = (0.0, 0.0)
    angle: float = 0.0
    angle_deg: float | None = None
    velocity: Vector = (0.0, 0.0)
    spin: float = 0.0


@model
class Incremental(Model):
    """The incremental scheme of Ragulskis et al. 2017.

    Parameters
    ----------
    step : float, optional
        Length of the step (s).
    steps_per_period : float, optional
        Steps in a period of the first harmonic load (-).
    """

    _tag: ClassVar[str] = "incremental"
    _units: ClassVar[dict[str, str]] = {"step": "s", "steps_per_period": "-"}
    step: float | None = None
    steps_per_period: float | None = None


@model
class Rk4(Model):
    """The classical Runge–Kutta method of order 4.

    Parameters
    ----------
    step : float, optional
        Length of the step (s).
    steps_per_period : float, optional
        Steps in a period of the first harmonic load (-).
    """

    _tag: ClassVar[str] = "rk4"
    _units: ClassVar[dict[str, str]] = {"step": "s", "steps_per_period": "-"}
    step: float | None = None
    steps_per_period: float | None = None


@model
class Adaptive(Model):
    """Error control, stops at the kinks of the laws, goes implicit where a law is steep.

    Parameters
    ----------
    rtol : float, default 1e-9
        Relative error allowed per step (-).
    atol : float, default 1e-12
        Absolute error allowed per step; at most 100 rtol of the component's typical size, which follows from initial state, loads and rates of the problem (unit of each component).
    method : {"auto", "explicit", "implicit"}, default "auto"
        Which method makes the steps.
        "auto": Explicit, and implicit while the problem is stiff.
        "explicit": DOP853, order 8.
        "implicit": Radau IIA, order 5.
    max_steps : int, default 10000000
        Most attempts at a step before the run is given up (-).
    max_step : float, optional
        Longest step; none if absent (s).
    """

    _tag: ClassVar[str] = "adaptive"
    _units: ClassVar[dict[str, str]] = {"rtol": "-", "max_steps": "-", "max_step": "s"}
    rtol: float = 1e-9
    atol: float = 1e-12
    method: Literal["auto", "explicit", "implicit"] = "auto"
    max_steps: int = 10000000
    max_step: float | None = None


@model
class Exact(Model):
    """No step size: closed form from event to event, for Coulomb's law and laws of straight pieces.
    """

    _tag: ClassVar[str] = "exact"


@model
class Transient(Model):
    """The motion from the initial state.

    Parameters
    ----------
    periods : float, optional
        Length in periods of the first harmonic load; 20 if neither this nor `duration` is given, for a body until it stops (-).
    duration : float, optional
        Length, instead of `periods` (s).
    window : array, optional
        Part that is summarised and drawn: in periods with `periods`, in seconds with `duration`; all if absent (periods or s).
    times : array, optional
        Times of the samples, ascending; a grid over the window if absent (s).
    samples : int, default 2001
        Number of samples in that grid (-).
    nodes : int or list of int or {"all"}, optional
        Nodes of a chain, beam or plate whose displacements are reported, as `position_node_5`; all degrees of freedom if absent.
    wear : bool, optional
        Report the work of friction, its absolute value and the slip distance of each contact, and the work of controllers: a second run.
    compare : StandIn, optional
        Report the error of a regularised law in place of set-valued friction: two more runs.
    """

    _tag: ClassVar[str] = "transient"
    _parts: ClassVar[dict[str, str]] = {"compare": "StandIn"}
    _units: ClassVar[dict[str, str]] = {"periods": "-", "duration": "s", "times": "s", "samples": "-"}
    periods: float | None = None
    duration: float | None = None
    window: Vector | None = None
    times: Vector | None = None
    samples: int = 2001
    nodes: int | Sequence[int] | Literal["all"] | None = None
    wear: bool | None = None
    compare: StandIn | Table | None = None


@model
class Steady(Model):
    """Periodic motions, found without waiting for transients to die out.

    Parameters
    ----------
    subharmonic : int, default 1
        Periods of the first harmonic load, or of the longest signal, in one period of the motion (-).
    dof : int, default 0
        Degree of freedom whose amplitude and phase are measured, from 0.
    node : int, optional
        Node of a chain, beam or plate whose displacement is measured, instead of `dof`.
    starts : list of Start, optional
        States from which the search begins; a set of its own if absent.
    harmonic_balance : HarmonicBalance, optional
        Find the motion by harmonic balance, as a Fourier series; without it motions are found by shooting.
    """

    _tag: ClassVar[str] = "steady"
    _parts: ClassVar[dict[str, str]] = {"starts": "Start", "harmonic_balance": "HarmonicBalance"}
    _units: ClassVar[dict[str, str]] = {"subharmonic": "-"}
    subharmonic: int = 1
    dof: int = 0
    node: int | None = None
    starts: Sequence[Start | Table] | None = None
    harmonic_balance: HarmonicBalance | Table | None = None


@model
class Response(Model):
    """Periodic motions along a parameter: frequency response, or any other branch.

    Parameters
    ----------
    parameter : str
        Key that is varied: its path, or the end of it.
    from_ : float
        First value (unit of the parameter).
    to : float
        Last value (unit of the parameter).
    points : int, default 200
        Number of points of a sweep (-).
    through_folds : bool, default False
        Follow the branch through its folds instead of stepping through a list of values.
    dof : int, default 0
        Degree of freedom whose amplitude and phase are measured, from 0.
    node : int, optional
        Node of a chain, beam or plate whose displacement is measured, instead of `dof`.
    harmonic_balance : HarmonicBalance, optional
        Find the motions by harmonic balance, as Fourier series; without it they are found by shooting.
    references : bool, optional
        Report the amplitudes of the linear systems with all contacts stuck and without contacts, too.
    facts : list of str, optional
        Facts of each motion that are reported and drawn, by their names; without them amplitude, phase, loss and stick are drawn.
    log : {"parameter", "amplitude", "both"}, optional
        Logarithmic axes of the figure; none if absent.
    overlay : Overlay, optional
        The same response at several values of another number, drawn over each other.
    compare : list of StandIn, optional
        Regularised laws in place of set-valued ones: their responses are reported and drawn beside the original one.
    """

    _tag: ClassVar[str] = "response"
    _parts: ClassVar[dict[str, str]] = {"harmonic_balance": "HarmonicBalance", "overlay": "Overlay", "compare": "StandIn"}
    _units: ClassVar[dict[str, str]] = {"points": "-"}
    parameter: str
    from_: float
    to: float
    points: int = 200
    through_folds: bool = False
    dof: int = 0
    node: int | None = None
    harmonic_balance: HarmonicBalance | Table | None = None
    references: bool | None = None
    facts: Sequence[str] | None = None
    log: Literal["parameter", "amplitude", "both"] | None = None
    overlay: Overlay | Table | None = None
    compare: Sequence[StandIn | Table] | None = None


@model
class Bifurcation(Model):
    """The state once per period of the load, after a transient, along a parameter.

    Parameters
    ----------
    parameter : str
        Key that is varied: its path, or the end of it.
    from_ : float
        First value (unit of the parameter).
    to : float
        Last value (unit of the parameter).
    points : int, default 200
        Number of values (-).
    transient : int, default 200
        Periods that are not recorded (-).
    samples : int, default 50
        Periods that are recorded (-).
    """

    _tag: ClassVar[str] = "bifurcation"
    _units: ClassVar[dict[str, str]] = {"points": "-", "transient": "-", "samples": "-"}
    parameter: str
    from_: float
    to: float
    points: int = 200
    transient: int = 200
    samples: int = 50


@model
class Stability(Model):
    """Growth rates and frequencies of small motions about steady sliding, along a parameter.

    Parameters
    ----------
    parameter : str
        Key that is varied: its path, or the end of it.
    from_ : float
        First value (unit of the parameter).
    to : float
        Last value (unit of the parameter).
    points : int, default 200
        Number of values (-).
    """

    _tag: ClassVar[str] = "stability"
    _units: ClassVar[dict[str, str]] = {"points": "-"}
    parameter: str
    from_: float
    to: float
    points: int = 200


@model
class NonlinearMode(Model):
    """Frequency and damping of a vibration mode with friction, over its amplitude.

    Parameters
    ----------
    from_ : float
        First amplitude: what that mode contributes to the first harmonic of the measured degree of freedom (m).
    to : float
        Last amplitude (m).
    mode : int, default 0
        The mode of the structure without friction from which it is followed, from 0 in the order of frequency (-).
    points : int, default 100
        Number of amplitudes, in equal ratios (-).
    dof : int, default 0
        Degree of freedom whose amplitude is measured, from 0.
    node : int, optional
        Node of a chain, beam or plate whose displacement is measured, instead of `dof`.
    harmonic_balance : HarmonicBalance, optional
        How many harmonics to balance; as many as the tolerance asks for if absent.
    """

    _tag: ClassVar[str] = "nonlinear-mode"
    _parts: ClassVar[dict[str, str]] = {"harmonic_balance": "HarmonicBalance"}
    _units: ClassVar[dict[str, str]] = {"from_": "m", "to": "m", "mode": "-", "points": "-"}
    from_: float
    to: float
    mode: int = 0
    points: int = 100
    dof: int = 0
    node: int | None = None
    harmonic_balance: HarmonicBalance | Table | None = None


@model
class Linear(Law):
    """Coulomb friction with a linear ramp through zero.

    Linear ramp (martins1985; raised: ragulskis2017).

               ⎧ μ v/Δ      |v| ≤ Δ
        φ(v) = ⎨
               ⎩ μ sgn v    |v| > Δ

    Odd, continuous, piecewise linear; tends to Coulomb as Δ → 0. With a `rise` the ramp goes on to μ + ha at
    Δ + Δa and falls back to μ at Δ + 2Δa.
    Creeps under load: a demand d < μ is held at v = Δ d/μ.

    Parameters
    ----------
    mu : float
        Friction coefficient μ (-).
    width : float
        Half-width Δ of the transition (m/s).
    rise : float, optional
        Width Δa of the rise near zero velocity; absent in the simple law (m/s).
    rise_height : float, optional
        Height ha of the rise; μ Δa/Δ if absent (-).
    """

    _tag: ClassVar[str] = "linear"
    _units: ClassVar[dict[str, str]] = {"mu": "-", "width": "m/s", "rise": "m/s", "rise_height": "-"}
    mu: float
    width: float
    rise: float | None = None
    rise_height: float | None = None


@model
class Trigonometric(Law):
    """Coulomb friction with a sine arc through zero.

    Trigonometric transition (ragulskis2017).

               ⎧ μ sin(π v/2Δ)   |v| < Δ
        φ(v) = ⎨
               ⎩ μ sgn v         |v| ≥ Δ

    Odd, C¹ (the curvature jumps at |v| = Δ); tends to Coulomb as Δ → 0. With a `rise` the arc goes on to μ + ha at
    Δ + Δa and a second arc falls back to μ at Δ + 2Δa.
    Creeps under load: a demand d < μ is held at v = (2Δ/π) asin(d/μ).

    Parameters
    ----------
    mu : float
        Friction coefficient μ (-).
    width : float
        Half-width Δ of the transition (m/s).
    rise : float, optional
        Width Δa of the rise near zero velocity; absent in the simple law (m/s).
    rise_height : float, optional
        Height ha of the rise; μ Δa/Δ if absent (-).
    """

    _tag: ClassVar[str] = "trigonometric"
    _units: ClassVar[dict[str, str]] = {"mu": "-", "width": "m/s", "rise": "m/s", "rise_height": "-"}
    mu: float
    width: float
    rise: float | None = None
    rise_height: float | None = None


@model
class CircularLinear(Law):
    """Coulomb friction with two circular arcs and a straight line through zero.

    Circular-linear transition (ragulskis2018).

    Two arcs of radius r leave the plateaus tangentially and are joined by the straight line through the centre that is
    tangent to both. For a transition of half-width w and half-height g:

        s² = w² + (g − r)²,   t² = s² − r²
        sin θ = (r w + (g − r) t)/s²,   cos θ = (w t − r (g − r))/s²
        line:  T(x) = x tan θ                       |x| ≤ t cos θ
        arcs:  T(x) = ±(g − r + √(r² − (w − |x|)²))   t cos θ < |x| ≤ w

    Odd, C¹ (the curvature jumps where the pieces meet). Single-valued exactly when 0 < r < w for every transition in
    use. The radius lives in the (v, φ) plane as drawn, so it has no unit of its own.
    Creeps under load, as every law of the velocity alone.

    Parameters
    ----------
    mu : float
        Friction coefficient μ (-).
    width : float
        Half-width Δ of the transition (m/s).
    radius : float
        Radius r of the arcs in the (v, φ) plane, below the half-width of every transition in use (-, with v in m/s).
    rise : float, optional
        Width Δa of the rise near zero velocity; absent in the simple law (m/s).
    rise_height : float, optional
        Height ha of the rise; μ Δa/Δ if absent (-).
    """

    _tag: ClassVar[str] = "circular-linear"
    _units: ClassVar[dict[str, str]] = {"mu": "-", "width": "m/s", "rise": "m/s", "rise_height": "-"}
    mu: float
    width: float
    radius: float
    rise: float | None = None
    rise_height: float | None = None


@model
class Quinn(Law):
    """Regularised Coulomb friction that depends on the force to be balanced, and therefore sticks.

    Quinn's regularisation of Coulomb's law, which depends on the force to be balanced (quinn2004, restated by paper-e).

        φ(v, d) = μ clamp(v/ε + ξ, −1, 1),   ξ = clamp(d/μ, −1, 1)

    d is the demand: the coefficient that would make the acceleration along the contact zero. Continuous in (v, d) for
    ε > 0; tends to Coulomb as ε → 0. At v = 0 it *is* Coulomb's law: it supplies any demand up to μ, so a body at rest
    stays at rest instead of creeping, and a slow one comes to rest exponentially.

    Parameters
    ----------
    mu : float
        Friction coefficient μ (-).
    width : float
        Half-width ε of the transition; an unloaded body comes to rest in a time of about ε m/(μN) (m/s).
    """

    _tag: ClassVar[str] = "quinn"
    _units: ClassVar[dict[str, str]] = {"mu": "-", "width": "m/s"}
    mu: float
    width: float


@model
class Coulomb(Law):
    """Coulomb's law itself: set-valued at rest.

    Coulomb's law with static friction.

        φ = μ sgn v           v ≠ 0
        φ ∈ [−μs, μs]         v = 0

    Set-valued: at rest it takes whatever value the motion demands, up to μs ≥ μ. A time-stepping method cannot
    integrate that; it would chatter or creep. An unknown `mu_static` equals `mu`.

    Parameters
    ----------
    mu : float
        Kinetic friction coefficient μ (-).
    mu_static : float, optional
        Static friction coefficient μs ≥ μ; μ if absent (-).
    """

    _tag: ClassVar[str] = "coulomb"
    _units: ClassVar[dict[str, str]] = {"mu": "-", "mu_static": "-"}
    mu: float
    mu_static: float | None = None


@model
class CoulombDwell(Law):
    """Coulomb's law whose static friction grows with the time at rest.

    Coulomb's law whose static friction grows with the time at rest (kato1972).

        φ = μ sgn v                v ≠ 0
        φ ∈ [−μs(T), μs(T)]        v = 0 for the time T
        μs(T) = μs − (μs − μ) exp(−(T/τ)ᵐ)

    Set-valued at zero velocity: it sticks exactly. A contact that has just stopped holds μ, one that has rested for some τ nearly μs: the longer the stop, the harder the
    break-away. T is recorded; it begins anew with every stop, and at the start. In sliding, where it does not act, it fades: Ṫ = −T/τ.
    Does not creep under load; but a load between μ and μs that rises slowly enough is held longer than a fast one.

    Parameters
    ----------
    mu : float
        Kinetic friction coefficient μ (-).
    mu_static : float
        Static friction coefficient μs ≥ μ after a long rest (-).
    time : float
        Time τ in which static friction grows (s).
    exponent : float, default 1.0
        Exponent m of the time, up to 1; 1 if absent (-).
    """

    _tag: ClassVar[str] = "coulomb-dwell"
    _units: ClassVar[dict[str, str]] = {"mu": "-", "mu_static": "-", "time": "s", "exponent": "-"}
    mu: float
    mu_static: float
    time: float
    exponent: float = 1.0


@model
class SignCoulomb(Law):
    """Coulomb friction as a sign function, zero at rest.

    Coulomb friction as a sign function.

        φ(v) = μ sgn v,   φ(0) = 0

    Odd, with a jump at zero. With fixed steps it chatters about zero velocity, and under load it creeps; it is here to be
    compared with. The equation of motion itself has solutions in the sense of filippov1988 only, with a force between
    −μ and μ at rest: they are those of Coulomb's law, and scenarios without fixed steps compute them.

    Parameters
    ----------
    mu : float
        Friction coefficient μ (-).
    """

    _tag: ClassVar[str] = "sign-coulomb"
    _units: ClassVar[dict[str, str]] = {"mu": "-"}
    mu: float


@model
class Karnopp(Law):
    """Karnopp's dead zone: inside it friction balances the applied force.

    Karnopp's dead zone (karnopp1985).

        φ = clamp(d, −μs, μs)   |v| < Δ
        φ = μ sgn v             |v| ≥ Δ

    d is the demand. Inside the dead zone a body that can be held is held, and its velocity is set to zero, so it
    sticks exactly; the price is a jump at |v| = Δ, which no error-controlled method can cross at full order.

    Parameters
    ----------
    mu : float
        Kinetic friction coefficient μ (-).
    width : float
        Half-width Δ of the dead zone (m/s).
    mu_static : float, optional
        Static friction coefficient μs ≥ μ; μ if absent (-).
    """

    _tag: ClassVar[str] = "karnopp"
    _units: ClassVar[dict[str, str]] = {"mu": "-", "width": "m/s", "mu_static": "-"}
    mu: float
    width: float
    mu_static: float | None = None


@model
class Tanh(Law):
    """Smooth friction by a hyperbolic tangent.

    Smooth friction by a hyperbolic tangent.

        φ(v) = μ tanh(v/Δ)

    Odd, infinitely smooth, never quite μ; tends to Coulomb as Δ → 0.
    Creeps under load: a demand d < μ is held at v = Δ atanh(d/μ).

    Parameters
    ----------
    mu : float
        Friction coefficient μ (-).
    width : float
        Velocity Δ at which 76 % of μ is reached (m/s).
    """

    _tag: ClassVar[str] = "tanh"
    _units: ClassVar[dict[str, str]] = {"mu": "-", "width": "m/s"}
    mu: float
    width: float


@model
class Stribeck(Law):
    """Friction that falls from a static to a kinetic value as the speed grows.

    Friction that weakens with speed (stribeck1902; forms after armstrong1994).

        φ(v) = (μ + (μs − μ) w(|v|/vs)) sgn v,   φ ∈ [−μs, μs] at v = 0
        w(x) = exp(−xᵖ)  |  1/(1 + xᵖ);   p = 1 (exponential, hyperbolic), 2 (Gaussian), or any

    Set-valued at zero velocity: it sticks exactly. From μs at zero velocity to μ for |v| ≫ vs, falling, which drives self-excited vibration, or rising (PTFE,
    lubricated bearings). With a width Δ a factor tanh(v/Δ) takes the place of sgn v: odd, C¹; near rest the law then creeps as
    tanh does, and must fall.

    Parameters
    ----------
    mu : float
        Kinetic friction coefficient μ, reached at high speed (-).
    mu_static : float
        Static friction coefficient μs; not below μ if there is a width (-).
    velocity : float
        Stribeck velocity vs (m/s).
    width : float, optional
        Velocity Δ of a tanh transition through zero; without it the law is set-valued at zero velocity (m/s).
    weakening : {"exponential", "gaussian", "hyperbolic"}, default "gaussian"
        How friction falls between the two.
        "exponential": exp(−|v|/vs).
        "gaussian": exp(−(v/vs)²).
        "hyperbolic": 1/(1 + |v|/vs).
    exponent : float, optional
        Exponent p of the velocity, at least 1; that of the weakening if absent (-).
    """

    _tag: ClassVar[str] = "stribeck"
    _units: ClassVar[dict[str, str]] = {"mu": "-", "mu_static": "-", "velocity": "m/s", "width": "m/s", "exponent": "-"}
    mu: float
    mu_static: float
    velocity: float
    width: float | None = None
    weakening: Literal["exponential", "gaussian", "hyperbolic"] = "gaussian"
    exponent: float | None = None


@model
class Polyline(Law):
    """A measured curve: points joined by straight lines, set-valued at rest.

    A measured curve: points joined by straight lines.

        φ(v) = s · (the line through the points (vᵢ, φᵢ) at v),   φ ∈ [−s μs, s μs] at v = 0

    Points at velocities v ≥ 0 alone are a curve over the speed, and hold in both directions. With a negative velocity among them the points
    are the whole graph, which may differ in the two directions: φ is then negative at negative velocities, and there is a point at
    v = 0, or several: friction at rest is anything from the smallest to the largest of these, the first is the limit from below and the
    last the limit from above. Beyond the first and last point friction is held; a run that slides faster says so.

    Set-valued at zero velocity, unless the curve begins in (0, 0) without a static value. May fall or rise with speed, and is carried by the exact engine.

    Parameters
    ----------
    velocities : array, optional
        Sliding velocities of the points, ascending; none negative if the curve holds in both directions (m/s).
    coefficients : array, optional
        Friction coefficients at these velocities (-).
    file : str, optional
        A CSV file with named columns, instead; paths begin at the folder of the scenario.
    velocity_column : str, optional
        Column of the velocities in the file; the first if absent.
    coefficient_column : str, optional
        Column of the coefficients in the file; the second if absent.
    mu_static : float, optional
        Static friction coefficient μs at v = 0, not below the curve beside it; that of the curve if absent (-).
    scale : float, default 1.0
        Factor s of all coefficients (-).
    """

    _tag: ClassVar[str] = "polyline"
    _units: ClassVar[dict[str, str]] = {"velocities": "m/s", "coefficients": "-", "mu_static": "-", "scale": "-"}
    velocities: Vector | None = None
    coefficients: Vector | None = None
    file: str | None = None
    velocity_column: str | None = None
    coefficient_column: str | None = None
    mu_static: float | None = None
    scale: float = 1.0


@model
class Expression(Law):
    """A law by its formula in v: checked, differentiated, set-valued at rest if it jumps there.

    A law by its formula.

        φ(v) = s · (the formula at v),   at v = 0 everything between both sides of it, and ±s μs

    The formula has the sliding velocity `v`, named parameters, + − * / ^, brackets, `pi` and sin, cos, tan, exp, ln, sqrt, tanh, atan, asinh,
    abs, sign, min, max: `sign(v)/(1 + 3*abs(v))`. It need not be odd. A jump at v = 0, such as that of sign(v), or a static value makes it
    set-valued there, so that the contact sticks exactly; anywhere else value and slope must be bounded and friction must not push, which is checked with
    intervals up to the speed `reach`. Beyond it friction is held; a run that slides faster says so. Slopes come by automatic differentiation. Kinks away from rest, such
    as those of min and max, cost accuracy unless they are declared as `kinks`.

    Parameters
    ----------
    phi : str
        The friction coefficient as a formula in the sliding velocity v (m/s) and the parameters.
    parameters : dict of float, optional
        Parameters of the formula, by their names.
    mu_static : float, optional
        Static friction coefficient μs at v = 0, not below the formula beside it; that of the formula if absent (-).
    kinks : array, optional
        Velocities beside 0 at which the formula has a kink, ascending (m/s).
    reach : float, default 10.0
        Speed up to which the formula holds; beyond it friction is held (m/s).
    scale : float, default 1.0
        Factor s of all coefficients (-).
    """

    _tag: ClassVar[str] = "expression"
    _parts: ClassVar[dict[str, str]] = {"parameters": "numbers"}
    _units: ClassVar[dict[str, str]] = {"mu_static": "-", "kinks": "m/s", "reach": "m/s", "scale": "-"}
    phi: str
    parameters: Mapping[str, float] | None = None
    mu_static: float | None = None
    kinks: Vector | None = None
    reach: float = 10.0
    scale: float = 1.0


@model
class Dahl(Law):
    """Dahl's law: elastic before sliding.

    Dahl's law (dahl1968).

        ż = v − σ |v| z/μ,   φ = σ z

    z is the deflection of the contact. Elastic for small displacements, |φ| < μ always, and |φ| → μ after a slip of some
    μ/σ. A load that pulsates below μ drifts: the elastic contact forgets a little on every cycle.

    Parameters
    ----------
    mu : float
        Friction coefficient μ (-).
    stiffness : float, optional
        Stiffness σ of the contact over the normal load (1/m).
    contact_stiffness : float, optional
        Stiffness σ of the contact, instead of `stiffness`; the normal load must be constant (N/m).
    """

    _tag: ClassVar[str] = "dahl"
    _units: ClassVar[dict[str, str]] = {"mu": "-", "stiffness": "1/m", "contact_stiffness": "N/m"}
    mu: float
    stiffness: float | None = None
    contact_stiffness: float | None = None


@model
class Lugre(Law):
    """The LuGre law: elastic bristles with damping and a Stribeck curve.

    The LuGre law (canudas1995).

        ż = v − σ₀ |v| z/g(v),   φ = σ₀ z + σ₁ ż,   g(v) = μ + (μs − μ) exp(−|v/vs|ᵖ)

    z is the mean deflection of the bristles. Elastic with damping before sliding, a Stribeck curve φ = g(v) sgn v in
    steady sliding (add `viscous` for the usual σ₂ v). Like Dahl's law it drifts under a pulsating load below μs.

    Parameters
    ----------
    mu : float
        Kinetic friction coefficient μ (-).
    mu_static : float
        Static friction coefficient μs ≥ μ (-).
    velocity : float
        Stribeck velocity vs (m/s).
    stiffness : float, optional
        Bristle stiffness σ₀ over the normal load (1/m).
    damping : float, optional
        Bristle damping σ₁ over the normal load (s/m).
    exponent : float, optional
        Exponent p of the Stribeck curve, at least 1; 2 if absent (-).
    contact_stiffness : float, optional
        Bristle stiffness σ₀, instead of `stiffness`; the normal load must be constant (N/m).
    contact_damping : float, optional
        Bristle damping σ₁, instead of `damping`; the normal load must be constant (N s/m).
    """

    _tag: ClassVar[str] = "lugre"
    _units: ClassVar[dict[str, str]] = {"mu": "-", "mu_static": "-", "velocity": "m/s", "stiffness": "1/m", "damping": "s/m", "exponent": "-", "contact_stiffness": "N/m", "contact_damping": "N s/m"}
    mu: float
    mu_static: float
    velocity: float
    stiffness: float | None = None
    damping: float | None = None
    exponent: float | None = None
    contact_stiffness: float | None = None
    contact_damping: float | None = None


@model
class ElastoPlastic(Law):
    """The elasto-plastic law: bristles that do not creep below break-away.

    The elasto-plastic law of Dupont and others (dupont2002).

        ż = v − α(z, v) σ₀ |v| z/g(v),   φ = σ₀ z + σ₁ ż,   g(v) = μ + (μs − μ) exp(−|v/vs|ᵖ)

                  ⎧ 0                   z v ≤ 0 or |z| ≤ z_ba
        α(z, v) = ⎨ ½ − ½ cos π x       x = (|z| − z_ba)/(z_max − z_ba)
                  ⎩ 1                   |z| ≥ z_max = g(v)/σ₀

    LuGre's bristles, which bend without giving way up to the break-away deflection z_ba = elastic · μ/σ₀. φ = g(v) sgn v in steady sliding.
    Does not creep under load: a load that pulsates below elastic · μ moves the contact to and fro, and leaves it where it was.

    Parameters
    ----------
    mu : float
        Kinetic friction coefficient μ (-).
    mu_static : float
        Static friction coefficient μs ≥ μ (-).
    velocity : float
        Stribeck velocity vs (m/s).
    elastic : float
        Share of μ up to which bristles only bend, between 0 and 1 (-).
    stiffness : float, optional
        Bristle stiffness σ₀ over the normal load (1/m).
    damping : float, optional
        Bristle damping σ₁ over the normal load (s/m).
    exponent : float, optional
        Exponent p of the Stribeck curve, at least 1; 2 if absent (-).
    contact_stiffness : float, optional
        Bristle stiffness σ₀, instead of `stiffness`; the normal load must be constant (N/m).
    contact_damping : float, optional
        Bristle damping σ₁, instead of `damping`; the normal load must be constant (N s/m).
    """

    _tag: ClassVar[str] = "elasto-plastic"
    _units: ClassVar[dict[str, str]] = {"mu": "-", "mu_static": "-", "velocity": "m/s", "elastic": "-", "stiffness": "1/m", "damping": "s/m", "exponent": "-", "contact_stiffness": "N/m", "contact_damping": "N s/m"}
    mu: float
    mu_static: float
    velocity: float
    elastic: float
    stiffness: float | None = None
    damping: float | None = None
    exponent: float | None = None
    contact_stiffness: float | None = None
    contact_damping: float | None = None


@model
class BoucWen(Law):
    """The hysteresis of Bouc and Wen: a smooth passage from elastic to sliding.

    The hysteresis of Bouc and Wen (bouc1967, wen1976).

        ż = v − (β |v| |z|ⁿ⁻¹ z + γ v |z|ⁿ),   φ = σ z,   β + γ = 1/z₀ⁿ,   z₀ = μ/σ

    z is the deflection of the contact, z₀ that of steady sliding. Rate-independent, |φ| < μ always; a large n is a spring in series with a
    slider (Jenkins). n = 1 with γ = 0 is Dahl's law; with γ = β unloading is straight. The share γ/(β + γ) is the user's; it dissipates on
    every path up to a share of ½ (erlicher2004).
    Drifts under load: a load that pulsates below μ moves the contact a little on every cycle, since a short reversal does not close its loop.

    Parameters
    ----------
    mu : float
        Friction coefficient μ (-).
    stiffness : float, optional
        Stiffness σ of the contact over the normal load (1/m).
    exponent : float, default 1.0
        Exponent n, at least 1: how sharp the passage to sliding is; 1 if absent (-).
    share : float, default 0.5
        Share γ/(β + γ), from 0 to 1: at ½ unloading is straight; ½ if absent (-).
    contact_stiffness : float, optional
        Stiffness σ of the contact, instead of `stiffness`; the normal load must be constant (N/m).
    """

    _tag: ClassVar[str] = "bouc-wen"
    _units: ClassVar[dict[str, str]] = {"mu": "-", "stiffness": "1/m", "exponent": "-", "share": "-", "contact_stiffness": "N/m"}
    mu: float
    stiffness: float | None = None
    exponent: float = 1.0
    share: float = 0.5
    contact_stiffness: float | None = None


@model
class RateAndState(Law):
    """Rate- and state-dependent friction: of rocks, and of most dry contacts at low speed.

    Rate- and state-dependent friction (dieterich1979, ruina1983), regularised at rest (rice1996).

        φ = a asinh( v/(2 V*) exp((μ + b ψ)/a) ),   ψ = ln(V* θ/D)
        ageing  θ̇ = 1 − |v| θ/D,               ψ̇ = (V* exp(−ψ) − |v|)/D
        slip    θ̇ = −(|v| θ/D) ln(|v| θ/D),    ψ̇ = −(|v|/D) (ψ + ln(|v|/V*))

    Beyond tiny speeds φ = μ + a ln(|v|/V*) + b ln(V* θ/D). θ (s) is the age of the contacts; its logarithm ψ is what is carried along and recorded, 0
    at the start. Steady sliding has θ = D/|v| and φ = μ + (a − b) ln(|v|/V*): with a < b it weakens, and a soft spring
    slips by jerks. ψ does not change its sign with the direction.
    Creeps under load: a demand d is held at |v| = 2 V* sinh(d/a) exp(−(μ + b ψ)/a), at rest ever slower as the contacts age.

    Parameters
    ----------
    mu : float
        Friction coefficient μ of steady sliding at the reference velocity (-).
    a : float
        Direct effect a of the velocity (-).
    b : float
        Effect b of the age (-).
    distance : float
        Critical slip distance D, over which contacts renew (m).
    velocity : float
        Reference velocity V* (m/s).
    evolution : {"ageing", "slip"}, default "ageing"
        How the age of the contacts evolves.
        "ageing": Dieterich's: contacts age at rest.
        "slip": Ruina's: contacts change in sliding alone.
    """

    _tag: ClassVar[str] = "rate-and-state"
    _units: ClassVar[dict[str, str]] = {"mu": "-", "a": "-", "b": "-", "distance": "m", "velocity": "m/s"}
    mu: float
    a: float
    b: float
    distance: float
    velocity: float
    evolution: Literal["ageing", "slip"] = "ageing"


@model
class Jenkins(Law):
    """The Jenkins element: a spring in series with a slider.

    The Jenkins element: a spring in series with a slider (iwan1966).

        φ = σ z,   |φ| ≤ μ,   ż = v, but 0 where |φ| = μ and z v > 0

    z is the deflection of the spring. Elastic up to μ, then Coulomb friction; back and forth with the amplitude A > μ/σ it loses
    4 μ N (A − μ/σ) a cycle. Tends to Coulomb's law as σ → ∞, amplitudes near resonance as slowly as 1/√σ. Holds every load below μ
    without creep.

    Parameters
    ----------
    mu : float
        Friction coefficient μ of the slider (-).
    stiffness : float, optional
        Stiffness σ of the spring over the normal load (1/m).
    contact_stiffness : float, optional
        Stiffness σ of the spring, instead of `stiffness`; the normal load must be constant (N/m).
    """

    _tag: ClassVar[str] = "jenkins"
    _units: ClassVar[dict[str, str]] = {"mu": "-", "stiffness": "1/m", "contact_stiffness": "N/m"}
    mu: float
    stiffness: float | None = None
    contact_stiffness: float | None = None


@model
class Iwan(Law):
    """Iwan's model: springs with sliders side by side, also called Maxwell slip.

    Iwan's parallel-series model, also called Maxwell slip: springs with sliders side by side (iwan1966).

        φ = Σ σₖ zₖ,   |σₖ zₖ| ≤ μₖ,   żₖ = v, but 0 where |σₖ zₖ| = μₖ and zₖ v > 0

    The sliders let go one after the other: stiff at first (Σ σₖ), softer with every slider, and Coulomb friction Σ μₖ once all slide.
    Reversals remember where they began (Masing's rules). Holds every load below Σ μₖ without creep.

    Parameters
    ----------
    mu : array
        Friction coefficient μₖ of each slider (-).
    stiffness : array, optional
        Stiffness σₖ of each spring over the normal load (1/m).
    contact_stiffness : array, optional
        Stiffness σₖ of each spring, instead of `stiffness`; the normal load must be constant (N/m).
    """

    _tag: ClassVar[str] = "iwan"
    _units: ClassVar[dict[str, str]] = {"mu": "-", "stiffness": "1/m", "contact_stiffness": "N/m"}
    mu: Vector
    stiffness: Vector | None = None
    contact_stiffness: Vector | None = None


@model
class Gms(Law):
    """Generalised Maxwell slip: Iwan's springs with a Stribeck curve and frictional lag.

    Generalised Maxwell slip (albender2005): springs with sliders whose limits follow a Stribeck curve.

        φ = Σ φₖ,   φₖ = σₖ zₖ,   s(v) = μ + (μs − μ) exp(−|v/vs|ᵖ)
        sticks   żₖ = v                              until |φₖ| = αₖ s(v) in the direction of v
        slips    φ̇ₖ = C (αₖ sgn v − φₖ/s(v))         until v = 0

    zₖ is the deflection of an element, αₖ its share of the limit (Σ αₖ = 1). Before sliding rate-independent with memory of every turning point,
    as Iwan's model; φ = s(v) sgn v in steady sliding, which friction follows late, by some s/C. Whether an element slips, and which way, is a
    state beside its deflection (−1, 0 or 1): its force alone does not determine that,
    as a slipping element may be below its limit while the contact slows down.
    Does not creep under load: up to the limit of its first element it is a spring.

    Parameters
    ----------
    mu : float
        Kinetic friction coefficient μ (-).
    mu_static : float
        Static friction coefficient μs ≥ μ (-).
    velocity : float
        Stribeck velocity vs (m/s).
    share : array
        Shares αₖ of the elements of the limit; only their ratios count (-).
    attraction : float
        Attraction C: how fast a slipping element follows its limit (1/s).
    stiffness : array, optional
        Stiffness σₖ of each element over the normal load (1/m).
    exponent : float, optional
        Exponent p of the Stribeck curve, at least 1; 2 if absent (-).
    contact_stiffness : array, optional
        Stiffness σₖ of each element, instead of `stiffness`; the normal load must be constant (N/m).
    """

    _tag: ClassVar[str] = "gms"
    _units: ClassVar[dict[str, str]] = {"mu": "-", "mu_static": "-", "velocity": "m/s", "share": "-", "attraction": "1/s", "stiffness": "1/m", "exponent": "-", "contact_stiffness": "N/m"}
    mu: float
    mu_static: float
    velocity: float
    share: Vector
    attraction: float
    stiffness: Vector | None = None
    exponent: float | None = None
    contact_stiffness: Vector | None = None


@model
class FourParameterIwan(Law):
    """Segalman's four-parameter Iwan model: a bolted joint.

    Segalman's four-parameter Iwan model of a bolted joint (segalman2005).

        ρ(r) = R r^χ on 0 < r < r_max, and S δ(r − r_max):   springs of ∫ρ dr, each of which slips at the deflection r
        r_max = μ (1 + β)/(σ (β + (χ + 1)/(χ + 2))),   R = μ (χ + 1)/(r_max^(χ+2) (β + (χ + 1)/(χ + 2)))
        S = β R r_max^(χ+1)/(χ + 1)

    The loss per cycle grows as the power 3 + χ of a small amplitude, as measured on joints. The density is integrated in n cells with
    the bounds (i/n)² r_max; the slider of a cell has the stiffness and the friction of the cell. Virgin curve and slope are exact at
    the bounds, so that the initial stiffness σ and the force μ of macro-slip are exact for any number of sliders. Between two bounds
    the curve follows its tangents and lies above the exact one, by ρ h²/8 in a cell of width h: at most R r_max^(χ+2)/(2 n²), in the
    last cell, and twice that in a hysteresis loop (Masing), [`FourParameterIwan::loop_error`]. Even cells would lower that error by
    a factor four and lose the power law at small amplitudes: with squares and 50 sliders the loss per cycle is off by at most 1 %
    from 0.1 r_max on and by 6 % from 0.01 r_max on. Below r_max/n² the joint is elastic.

    Parameters
    ----------
    mu : float
        Friction coefficient μ of macro-slip (-).
    exponent : float
        Exponent χ of the density, between −1 and 0; the loss per cycle grows as the power 3 + χ of the amplitude (-).
    ratio : float
        Share β of the stiffness that is lost at macro-slip, over that lost before (-).
    stiffness : float, optional
        Stiffness σ of the joint before it slips, over the normal load (1/m).
    sliders : int, default 50
        Number of sliders; the force of a loop is off by at most 2/(sliders − 1)² of μ, with 50 below 0.1 % (-).
    contact_stiffness : float, optional
        Stiffness σ of the joint before it slips, instead of `stiffness`; the normal load must be constant (N/m).
    """

    _tag: ClassVar[str] = "four-parameter-iwan"
    _units: ClassVar[dict[str, str]] = {"mu": "-", "exponent": "-", "ratio": "-", "stiffness": "1/m", "sliders": "-", "contact_stiffness": "N/m"}
    mu: float
    exponent: float
    ratio: float
    stiffness: float | None = None
    sliders: int = 50
    contact_stiffness: float | None = None


@model
class Disc(Shape):
    """Full circle.

    An outline; with `mu`, `load` and the like a contact patch, whose friction dF = −μ p V/|V| dA is integrated in closed
    form. Without `mu` and `load` wrenches come per unit of μN.

    Parameters
    ----------
    radius : float
        Radius (m).
    mu : float, optional
        Friction coefficient; needed under a body, 1 in wrenches unless given (-).
    pressure : {"galin", "hertz", "uniform"} or LinearPressure, default "uniform"
        How the load is spread over the patch; `uniform` unless given.
        "galin": Rigid flat punch on an elastic half-space, N/(2πR² √(1 − r²/R²)); discs only.
        "hertz": Elastic sphere on a plane, 3N √(1 − r²/R²)/(2πR²); discs only.
        "uniform": The same everywhere.
    load : float, optional
        Normal load; unless given the weight under a body, 1 in wrenches (N).
    centre : array, default (0.0, 0.0)
        Position of the patch relative to the reference point of twist and wrench (m).
    height : float, default 0.0
        Height of the centre of mass above the plane, which skews the pressure in sliding (m).
    mu1 : float, default 0.0
        Coefficient of the cubic term of the generalised Coulomb law 1 + mu1 V³ − mu2 V (s³/m³).
    mu2 : float, default 0.0
        Coefficient of the falling term of the generalised Coulomb law 1 + mu1 V³ − mu2 V (s/m).
    closure : {"exact", "pade1", "pade2"}, default "exact"
        How the integrals are evaluated; `exact` unless given.
        "exact": The closed forms.
        "pade1": First-order Padé fractions.
        "pade2": Second-order Padé fractions.
    constants : {"consistent", "as-printed"}, default "consistent"
        Constants of the Padé closures of a disc; `consistent` unless given.
        "consistent": Matched to the exact integrals.
        "as-printed": As the paper prints them (Galin pressure only).
    width : float, default 0.0
        Mean sliding speed below which the wrench falls smoothly to zero; 0 keeps it set-valued at rest (m/s).
    """

    _tag: ClassVar[str] = "disc"
    _parts: ClassVar[dict[str, str]] = {"pressure": "pressure"}
    _units: ClassVar[dict[str, str]] = {"radius": "m", "mu": "-", "load": "N", "centre": "m", "height": "m", "mu1": "s³/m³", "mu2": "s/m", "width": "m/s"}
    radius: float
    mu: float | None = None
    pressure: Literal["galin", "hertz", "uniform"] | LinearPressure | Table = "uniform"
    load: float | None = None
    centre: Vector = (0.0, 0.0)
    height: float = 0.0
    mu1: float = 0.0
    mu2: float = 0.0
    closure: Literal["exact", "pade1", "pade2"] = "exact"
    constants: Literal["consistent", "as-printed"] = "consistent"
    width: float = 0.0


@model
class Ring(Shape):
    """Contact along a circle, a line without width.

    An outline; with `mu`, `load` and the like a contact patch, whose friction dF = −μ p V/|V| dA is integrated in closed
    form. Without `mu` and `load` wrenches come per unit of μN.

    Parameters
    ----------
    radius : float
        Radius (m).
    mu : float, optional
        Friction coefficient; needed under a body, 1 in wrenches unless given (-).
    pressure : {"galin", "hertz", "uniform"} or LinearPressure, default "uniform"
        How the load is spread over the patch; `uniform` unless given.
        "galin": Rigid flat punch on an elastic half-space, N/(2πR² √(1 − r²/R²)); discs only.
        "hertz": Elastic sphere on a plane, 3N √(1 − r²/R²)/(2πR²); discs only.
        "uniform": The same everywhere.
    load : float, optional
        Normal load; unless given the weight under a body, 1 in wrenches (N).
    centre : array, default (0.0, 0.0)
        Position of the patch relative to the reference point of twist and wrench (m).
    height : float, default 0.0
        Height of the centre of mass above the plane, which skews the pressure in sliding (m).
    mu1 : float, default 0.0
        Coefficient of the cubic term of the generalised Coulomb law 1 + mu1 V³ − mu2 V (s³/m³).
    mu2 : float, default 0.0
        Coefficient of the falling term of the generalised Coulomb law 1 + mu1 V³ − mu2 V (s/m).
    closure : {"exact", "pade1", "pade2"}, default "exact"
        How the integrals are evaluated; `exact` unless given.
        "exact": The closed forms.
        "pade1": First-order Padé fractions.
        "pade2": Second-order Padé fractions.
    constants : {"consistent", "as-printed"}, default "consistent"
        Constants of the Padé closures of a disc; `consistent` unless given.
        "consistent": Matched to the exact integrals.
        "as-printed": As the paper prints them (Galin pressure only).
    width : float, default 0.0
        Mean sliding speed below which the wrench falls smoothly to zero; 0 keeps it set-valued at rest (m/s).
    """

    _tag: ClassVar[str] = "ring"
    _parts: ClassVar[dict[str, str]] = {"pressure": "pressure"}
    _units: ClassVar[dict[str, str]] = {"radius": "m", "mu": "-", "load": "N", "centre": "m", "height": "m", "mu1": "s³/m³", "mu2": "s/m", "width": "m/s"}
    radius: float
    mu: float | None = None
    pressure: Literal["galin", "hertz", "uniform"] | LinearPressure | Table = "uniform"
    load: float | None = None
    centre: Vector = (0.0, 0.0)
    height: float = 0.0
    mu1: float = 0.0
    mu2: float = 0.0
    closure: Literal["exact", "pade1", "pade2"] = "exact"
    constants: Literal["consistent", "as-printed"] = "consistent"
    width: float = 0.0


@model
class Annulus(Shape):
    """Disc with a concentric round hole.

    An outline; with `mu`, `load` and the like a contact patch, whose friction dF = −μ p V/|V| dA is integrated in closed
    form. Without `mu` and `load` wrenches come per unit of μN.

    Parameters
    ----------
    inner : float
        Radius of the hole (m).
    outer : float
        Outer radius (m).
    mu : float, optional
        Friction coefficient; needed under a body, 1 in wrenches unless given (-).
    pressure : {"galin", "hertz", "uniform"} or LinearPressure, default "uniform"
        How the load is spread over the patch; `uniform` unless given.
        "galin": Rigid flat punch on an elastic half-space, N/(2πR² √(1 − r²/R²)); discs only.
        "hertz": Elastic sphere on a plane, 3N √(1 − r²/R²)/(2πR²); discs only.
        "uniform": The same everywhere.
    load : float, optional
        Normal load; unless given the weight under a body, 1 in wrenches (N).
    centre : array, default (0.0, 0.0)
        Position of the patch relative to the reference point of twist and wrench (m).
    height : float, default 0.0
        Height of the centre of mass above the plane, which skews the pressure in sliding (m).
    mu1 : float, default 0.0
        Coefficient of the cubic term of the generalised Coulomb law 1 + mu1 V³ − mu2 V (s³/m³).
    mu2 : float, default 0.0
        Coefficient of the falling term of the generalised Coulomb law 1 + mu1 V³ − mu2 V (s/m).
    closure : {"exact", "pade1", "pade2"}, default "exact"
        How the integrals are evaluated; `exact` unless given.
        "exact": The closed forms.
        "pade1": First-order Padé fractions.
        "pade2": Second-order Padé fractions.
    constants : {"consistent", "as-printed"}, default "consistent"
        Constants of the Padé closures of a disc; `consistent` unless given.
        "consistent": Matched to the exact integrals.
        "as-printed": As the paper prints them (Galin pressure only).
    width : float, default 0.0
        Mean sliding speed below which the wrench falls smoothly to zero; 0 keeps it set-valued at rest (m/s).
    """

    _tag: ClassVar[str] = "annulus"
    _parts: ClassVar[dict[str, str]] = {"pressure": "pressure"}
    _units: ClassVar[dict[str, str]] = {"inner": "m", "outer": "m", "mu": "-", "load": "N", "centre": "m", "height": "m", "mu1": "s³/m³", "mu2": "s/m", "width": "m/s"}
    inner: float
    outer: float
    mu: float | None = None
    pressure: Literal["galin", "hertz", "uniform"] | LinearPressure | Table = "uniform"
    load: float | None = None
    centre: Vector = (0.0, 0.0)
    height: float = 0.0
    mu1: float = 0.0
    mu2: float = 0.0
    closure: Literal["exact", "pade1", "pade2"] = "exact"
    constants: Literal["consistent", "as-printed"] = "consistent"
    width: float = 0.0


@model
class Rectangle(Shape):
    """Rectangle about the centre, sides along the axes.

    An outline; with `mu`, `load` and the like a contact patch, whose friction dF = −μ p V/|V| dA is integrated in closed
    form. Without `mu` and `load` wrenches come per unit of μN. Its `width` is a length: a patch that is regularised below a
    speed is `Patch(shape=Rectangle(…), width=…)`.

    Parameters
    ----------
    length : float
        Side along x (m).
    width : float
        Side along y (m).
    mu : float, optional
        Friction coefficient; needed under a body, 1 in wrenches unless given (-).
    pressure : {"galin", "hertz", "uniform"} or LinearPressure, default "uniform"
        How the load is spread over the patch; `uniform` unless given.
        "galin": Rigid flat punch on an elastic half-space, N/(2πR² √(1 − r²/R²)); discs only.
        "hertz": Elastic sphere on a plane, 3N √(1 − r²/R²)/(2πR²); discs only.
        "uniform": The same everywhere.
    load : float, optional
        Normal load; unless given the weight under a body, 1 in wrenches (N).
    centre : array, default (0.0, 0.0)
        Position of the patch relative to the reference point of twist and wrench (m).
    height : float, default 0.0
        Height of the centre of mass above the plane, which skews the pressure in sliding (m).
    mu1 : float, default 0.0
        Coefficient of the cubic term of the generalised Coulomb law 1 + mu1 V³ − mu2 V (s³/m³).
    mu2 : float, default 0.0
        Coefficient of the falling term of the generalised Coulomb law 1 + mu1 V³ − mu2 V (s/m).
    closure : {"exact", "pade1", "pade2"}, default "exact"
        How the integrals are evaluated; `exact` unless given.
        "exact": The closed forms.
        "pade1": First-order Padé fractions.
        "pade2": Second-order Padé fractions.
    constants : {"consistent", "as-printed"}, default "consistent"
        Constants of the Padé closures of a disc; `consistent` unless given.
        "consistent": Matched to the exact integrals.
        "as-printed": As the paper prints them (Galin pressure only).
    """

    _tag: ClassVar[str] = "rectangle"
    _parts: ClassVar[dict[str, str]] = {"pressure": "pressure"}
    _units: ClassVar[dict[str, str]] = {"length": "m", "width": "m", "mu": "-", "load": "N", "centre": "m", "height": "m", "mu1": "s³/m³", "mu2": "s/m"}
    length: float
    width: float
    mu: float | None = None
    pressure: Literal["galin", "hertz", "uniform"] | LinearPressure | Table = "uniform"
    load: float | None = None
    centre: Vector = (0.0, 0.0)
    height: float = 0.0
    mu1: float = 0.0
    mu2: float = 0.0
    closure: Literal["exact", "pade1", "pade2"] = "exact"
    constants: Literal["consistent", "as-printed"] = "consistent"


@model
class Polygon(Shape):
    """Any simple polygon, either orientation, with or without holes.

    An outline; with `mu`, `load` and the like a contact patch, whose friction dF = −μ p V/|V| dA is integrated in closed
    form. Without `mu` and `load` wrenches come per unit of μN.

    Parameters
    ----------
    vertices : array of rows
        Corners relative to the centre of the patch (m).
    holes : list of array of rows, default ()
        Outlines of holes (m).
    mu : float, optional
        Friction coefficient; needed under a body, 1 in wrenches unless given (-).
    pressure : {"galin", "hertz", "uniform"} or LinearPressure, default "uniform"
        How the load is spread over the patch; `uniform` unless given.
        "galin": Rigid flat punch on an elastic half-space, N/(2πR² √(1 − r²/R²)); discs only.
        "hertz": Elastic sphere on a plane, 3N √(1 − r²/R²)/(2πR²); discs only.
        "uniform": The same everywhere.
    load : float, optional
        Normal load; unless given the weight under a body, 1 in wrenches (N).
    centre : array, default (0.0, 0.0)
        Position of the patch relative to the reference point of twist and wrench (m).
    height : float, default 0.0
        Height of the centre of mass above the plane, which skews the pressure in sliding (m).
    mu1 : float, default 0.0
        Coefficient of the cubic term of the generalised Coulomb law 1 + mu1 V³ − mu2 V (s³/m³).
    mu2 : float, default 0.0
        Coefficient of the falling term of the generalised Coulomb law 1 + mu1 V³ − mu2 V (s/m).
    closure : {"exact", "pade1", "pade2"}, default "exact"
        How the integrals are evaluated; `exact` unless given.
        "exact": The closed forms.
        "pade1": First-order Padé fractions.
        "pade2": Second-order Padé fractions.
    constants : {"consistent", "as-printed"}, default "consistent"
        Constants of the Padé closures of a disc; `consistent` unless given.
        "consistent": Matched to the exact integrals.
        "as-printed": As the paper prints them (Galin pressure only).
    width : float, default 0.0
        Mean sliding speed below which the wrench falls smoothly to zero; 0 keeps it set-valued at rest (m/s).
    """

    _tag: ClassVar[str] = "polygon"
    _parts: ClassVar[dict[str, str]] = {"pressure": "pressure"}
    _units: ClassVar[dict[str, str]] = {"vertices": "m", "holes": "m", "mu": "-", "load": "N", "centre": "m", "height": "m", "mu1": "s³/m³", "mu2": "s/m", "width": "m/s"}
    vertices: Matrix
    holes: Sequence[Matrix] = ()
    mu: float | None = None
    pressure: Literal["galin", "hertz", "uniform"] | LinearPressure | Table = "uniform"
    load: float | None = None
    centre: Vector = (0.0, 0.0)
    height: float = 0.0
    mu1: float = 0.0
    mu2: float = 0.0
    closure: Literal["exact", "pade1", "pade2"] = "exact"
    constants: Literal["consistent", "as-printed"] = "consistent"
    width: float = 0.0


@model
class Pieces(Shape):
    """Several feet that share the load.

    An outline; with `mu`, `load` and the like a contact patch, whose friction dF = −μ p V/|V| dA is integrated in closed
    form. Without `mu` and `load` wrenches come per unit of μN.

    Parameters
    ----------
    pieces : list of Piece
        The feet.
    mu : float, optional
        Friction coefficient; needed under a body, 1 in wrenches unless given (-).
    pressure : {"galin", "hertz", "uniform"} or LinearPressure, default "uniform"
        How the load is spread over the patch; `uniform` unless given.
        "galin": Rigid flat punch on an elastic half-space, N/(2πR² √(1 − r²/R²)); discs only.
        "hertz": Elastic sphere on a plane, 3N √(1 − r²/R²)/(2πR²); discs only.
        "uniform": The same everywhere.
    load : float, optional
        Normal load; unless given the weight under a body, 1 in wrenches (N).
    centre : array, default (0.0, 0.0)
        Position of the patch relative to the reference point of twist and wrench (m).
    height : float, default 0.0
        Height of the centre of mass above the plane, which skews the pressure in sliding (m).
    mu1 : float, default 0.0
        Coefficient of the cubic term of the generalised Coulomb law 1 + mu1 V³ − mu2 V (s³/m³).
    mu2 : float, default 0.0
        Coefficient of the falling term of the generalised Coulomb law 1 + mu1 V³ − mu2 V (s/m).
    closure : {"exact", "pade1", "pade2"}, default "exact"
        How the integrals are evaluated; `exact` unless given.
        "exact": The closed forms.
        "pade1": First-order Padé fractions.
        "pade2": Second-order Padé fractions.
    constants : {"consistent", "as-printed"}, default "consistent"
        Constants of the Padé closures of a disc; `consistent` unless given.
        "consistent": Matched to the exact integrals.
        "as-printed": As the paper prints them (Galin pressure only).
    width : float, default 0.0
        Mean sliding speed below which the wrench falls smoothly to zero; 0 keeps it set-valued at rest (m/s).
    """

    _tag: ClassVar[str] = "pieces"
    _parts: ClassVar[dict[str, str]] = {"pieces": "Piece", "pressure": "pressure"}
    _units: ClassVar[dict[str, str]] = {"mu": "-", "load": "N", "centre": "m", "height": "m", "mu1": "s³/m³", "mu2": "s/m", "width": "m/s"}
    pieces: Sequence[Piece | Table]
    mu: float | None = None
    pressure: Literal["galin", "hertz", "uniform"] | LinearPressure | Table = "uniform"
    load: float | None = None
    centre: Vector = (0.0, 0.0)
    height: float = 0.0
    mu1: float = 0.0
    mu2: float = 0.0
    closure: Literal["exact", "pade1", "pade2"] = "exact"
    constants: Literal["consistent", "as-printed"] = "consistent"
    width: float = 0.0


@model
class LinearPressure(Model):
    """(N/A)(1 + g·(r − centroid)), nowhere negative.

    Parameters
    ----------
    gradient : array
        Relative gradient g of the pressure (1/m).
    """

    _tag: ClassVar[str] = "linear"
    _units: ClassVar[dict[str, str]] = {"gradient": "1/m"}
    gradient: Vector


@model
class Contact(Friction):
    """A friction contact: one law, by name, and its surroundings.

    Parameters
    ----------
    law : Law
        The law.
    viscous : float, default 0.0
        Viscous part that is added to the coefficient: viscous damping σ₂ of the contact over the normal load (s/m).
    contact_viscous : float, optional
        Viscous damping σ₂ of the contact, instead of `viscous`; the normal load must be constant (N s/m).
    reverse : float, optional
        Friction against negative sliding over that of the law, which then holds for positive sliding; 1 if absent (-).
    load : float, default 1.0
        Normal load N (N).
    load_varies : VaryingLoad, optional
        What is added to the normal load as time goes on or the system moves.
    belt : float, default 0.0
        Velocity of the counter-surface (m/s).
    belt_varies : Signal, optional
        What is added to the velocity of the counter-surface as time goes on (m/s).
    dof : int, optional
        Degree of freedom that it acts on, from 0; not needed with one degree of freedom.
    direction : array, optional
        Direction w, instead of `dof`: it acts along w, and sees w·q and w·q̇ (-).
    node : int or list of int or {"all"}, optional
        Node of a chain, beam or plate, instead of `dof`; several, or "all": the same on each.
    """

    _parts: ClassVar[dict[str, str]] = {"law": "law", "load_varies": "VaryingLoad", "belt_varies": "Signal"}
    _units: ClassVar[dict[str, str]] = {"viscous": "s/m", "contact_viscous": "N s/m", "reverse": "-", "load": "N", "belt": "m/s", "belt_varies": "m/s", "direction": "-"}
    law: Law | Table
    viscous: float = 0.0
    contact_viscous: float | None = None
    reverse: float | None = None
    load: float = 1.0
    load_varies: VaryingLoad | Table | None = None
    belt: float = 0.0
    belt_varies: Signal | Table | None = None
    dof: int | None = None
    direction: Vector | None = None
    node: int | Sequence[int] | Literal["all"] | None = None


@model
class Load(Model):
    """A load: constant + amplitude · sin(omega t + phase) + table.

    Parameters
    ----------
    constant : float, default 0.0
        Constant part (N).
    amplitude : float, default 0.0
        Amplitude of the harmonic part (N).
    omega : float, optional
        Angular frequency (rad/s).
    frequency : float, optional
        Frequency, instead of `omega` (Hz).
    phase : float, default 0.0
        Phase at t = 0, or at `start` (rad).
    phase_deg : float, optional
        The same in degrees, instead of `phase` (°).
    start : float, optional
        When the harmonic part begins, from where on its phase counts; it always has been if absent (s).
    end : float, optional
        When the harmonic part ends; never if absent (s).
    period : float, optional
        The harmonic part begins again after this time; once if absent (s).
    table : Points, optional
        Points in time that are added (N).
    dof : int, optional
        Degree of freedom that it acts on, from 0; not needed with one degree of freedom.
    direction : array, optional
        Direction w, instead of `dof`: it acts along w, and sees w·q and w·q̇ (-).
    node : int or list of int or {"all"}, optional
        Node of a chain, beam or plate, instead of `dof`; several, or "all": the same on each.
    """

    _parts: ClassVar[dict[str, str]] = {"table": "Points"}
    _units: ClassVar[dict[str, str]] = {"constant": "N", "amplitude": "N", "omega": "rad/s", "frequency": "Hz", "phase": "rad", "phase_deg": "°", "start": "s", "end": "s", "period": "s", "table": "N", "direction": "-"}
    constant: float = 0.0
    amplitude: float = 0.0
    omega: float | None = None
    frequency: float | None = None
    phase: float = 0.0
    phase_deg: float | None = None
    start: float | None = None
    end: float | None = None
    period: float | None = None
    table: Points | Table | None = None
    dof: int | None = None
    direction: Vector | None = None
    node: int | Sequence[int] | Literal["all"] | None = None


@model
class Base(Model):
    """Motion of the base: amplitude · sin(omega t + phase), and a record of its acceleration.

    Parameters
    ----------
    amplitude : float, default 0.0
        Amplitude (m).
    omega : float, default 0.0
        Angular frequency; without it there is no harmonic part (rad/s).
    frequency : float, optional
        Frequency, instead of `omega` (Hz).
    phase : float, default 0.0
        Phase at t = 0, or at `start` (rad).
    phase_deg : float, optional
        The same in degrees, instead of `phase` (°).
    start : float, optional
        When the base begins to move, from rest; its acceleration −amplitude omega² sin(omega (t − start) + phase) acts from then on (s).
    end : float, optional
        When the acceleration of the base ends; the base keeps its velocity (s).
    period : float, optional
        The acceleration begins again after this time; once if absent (s).
    acceleration : Points, optional
        Acceleration of the base as points in time (m/s²).
    direction : array, optional
        Which degrees of freedom move along with the base, by how much; all by 1 if absent, rotations by 0 (-).
    """

    _parts: ClassVar[dict[str, str]] = {"acceleration": "Points"}
    _units: ClassVar[dict[str, str]] = {"amplitude": "m", "omega": "rad/s", "frequency": "Hz", "phase": "rad", "phase_deg": "°", "start": "s", "end": "s", "period": "s", "acceleration": "m/s²", "direction": "-"}
    amplitude: float = 0.0
    omega: float = 0.0
    frequency: float | None = None
    phase: float = 0.0
    phase_deg: float | None = None
    start: float | None = None
    end: float | None = None
    period: float | None = None
    acceleration: Points | Table | None = None
    direction: Vector | None = None


@model
class Prescribed(Model):
    """A degree of freedom that moves as prescribed, whatever acts on it.

    Parameters
    ----------
    position : float or Signal, optional
        Its position in time; without jumps (m).
    velocity : float or Signal, optional
        Its velocity in time, instead (m/s).
    acceleration : float or Signal, optional
        Its acceleration in time, instead (m/s²).
    initial_position : float, optional
        Position at t = 0, of a given velocity or acceleration; if absent zero, or without mean where the velocity repeats itself without mean (m).
    initial_velocity : float, optional
        Velocity at t = 0, of a given acceleration; if absent zero, or without mean where that repeats itself without mean (m/s).
    dof : int, optional
        Degree of freedom that it acts on, from 0; not needed with one degree of freedom.
    direction : array, optional
        Direction w, instead of `dof`: it acts along w, and sees w·q and w·q̇ (-).
    node : int or list of int or {"all"}, optional
        Node of a chain, beam or plate, instead of `dof`; several, or "all": the same on each.
    """

    _parts: ClassVar[dict[str, str]] = {"position": "Signal", "velocity": "Signal", "acceleration": "Signal"}
    _units: ClassVar[dict[str, str]] = {"position": "m", "velocity": "m/s", "acceleration": "m/s²", "initial_position": "m", "initial_velocity": "m/s", "direction": "-"}
    position: float | Signal | Table | None = None
    velocity: float | Signal | Table | None = None
    acceleration: float | Signal | Table | None = None
    initial_position: float | None = None
    initial_velocity: float | None = None
    dof: int | None = None
    direction: Vector | None = None
    node: int | Sequence[int] | Literal["all"] | None = None


@model
class Initial(Model):
    """State of an oscillator at t = 0.

    Parameters
    ----------
    position : float, default 0.0
        Position (m).
    velocity : float, default 0.0
        Velocity (m/s).
    states : array, optional
        Internal states of the laws, then of controllers; zero, or what the controllers say, if absent (unit of the state).
    time : float, optional
        Time that the clock of the loads shows at the start of a transient, where t = 0 (s).
    """

    _units: ClassVar[dict[str, str]] = {"position": "m", "velocity": "m/s", "time": "s"}
    position: float = 0.0
    velocity: float = 0.0
    states: Vector | None = None
    time: float | None = None


@model
class InitialVectors(Model):
    """State of a system at t = 0.

    Parameters
    ----------
    position : array, optional
        Positions; zero if absent (m).
    velocity : array, optional
        Velocities; zero if absent (m/s).
    states : array, optional
        Internal states of the laws, then of controllers; zero, or what the controllers say, if absent (unit of the state).
    time : float, optional
        Time that the clock of the loads shows at the start of a transient, where t = 0 (s).
    """

    _units: ClassVar[dict[str, str]] = {"position": "m", "velocity": "m/s", "time": "s"}
    position: Vector | None = None
    velocity: Vector | None = None
    states: Vector | None = None
    time: float | None = None


@model
class Points(Model):
    """Points joined by straight lines: `times` and `values`, columns of a CSV file, a step, a ramp, a pulse, a chirp, or noise. Two equal
    times are a jump.

    Parameters
    ----------
    times : array, optional
        Times, ascending (s).
    values : array, optional
        Values at these times (unit of the signal).
    file : str, optional
        A CSV file with named columns, instead; paths begin at the folder of the scenario.
    time_column : str, optional
        Column of the times in the file; the first if absent.
    value_column : str, optional
        Column of the values in the file; the second if absent.
    step : Step, optional
        A step, instead: zero before it.
    ramp : Span, optional
        A ramp, instead: zero before it, held after it.
    pulse : Span, optional
        A pulse, instead: zero before and after it.
    chirp : Chirp, optional
        A sine whose frequency goes from one value to another, instead.
    noise : Noise, optional
        Noise, instead.
    period : float, optional
        The table begins again after this time; held at its ends if absent (s).
    """

    _parts: ClassVar[dict[str, str]] = {"step": "Step", "ramp": "Span", "pulse": "Span", "chirp": "Chirp", "noise": "Noise"}
    _units: ClassVar[dict[str, str]] = {"times": "s", "period": "s"}
    times: Vector | None = None
    values: Vector | None = None
    file: str | None = None
    time_column: str | None = None
    value_column: str | None = None
    step: Step | Table | None = None
    ramp: Span | Table | None = None
    pulse: Span | Table | None = None
    chirp: Chirp | Table | None = None
    noise: Noise | Table | None = None
    period: float | None = None


@model
class Step(Model):
    """A step.

    Parameters
    ----------
    at : float
        When it comes (s).
    value : float
        The value from then on (unit of the signal).
    """

    _units: ClassVar[dict[str, str]] = {"at": "s"}
    at: float
    value: float


@model
class Span(Model):
    """A ramp or a pulse.

    Parameters
    ----------
    start : float
        When it begins (s).
    end : float
        When it ends (s).
    value : float
        The value that a ramp reaches, and that a pulse has (unit of the signal).
    """

    _units: ClassVar[dict[str, str]] = {"start": "s", "end": "s"}
    start: float
    end: float
    value: float


@model
class Chirp(Model):
    """A sine whose angular frequency grows or falls evenly from t = 0 on; nothing after its end. The straight lines between its points are off by
    0.12 % of the amplitude at most.

    Parameters
    ----------
    amplitude : float
        Amplitude (unit of the signal).
    from_ : float
        Angular frequency at t = 0 (rad/s).
    to : float
        Angular frequency at the end (rad/s).
    duration : float
        Length (s).
    """

    _units: ClassVar[dict[str, str]] = {"from_": "rad/s", "to": "rad/s", "duration": "s"}
    amplitude: float
    from_: float
    to: float
    duration: float


@model
class Noise(Model):
    """Noise within a band, the same for one seed on every machine; it closes on itself after its duration.

    Parameters
    ----------
    rms : float
        Root mean square (unit of the signal).
    high : float
        Highest angular frequency (rad/s).
    duration : float
        Length of the table (s).
    low : float, default 0.0
        Lowest angular frequency (rad/s).
    seed : int, default 0
        Seed of the random phases (-).
    """

    _units: ClassVar[dict[str, str]] = {"high": "rad/s", "duration": "s", "low": "rad/s", "seed": "-"}
    rms: float
    high: float
    duration: float
    low: float = 0.0
    seed: int = 0


@model
class Signal(Model):
    """A number that varies: constant + amplitude · sin(omega t + phase) + table.

    Parameters
    ----------
    constant : float, default 0.0
        Constant part (unit of the signal).
    amplitude : float, default 0.0
        Amplitude of the harmonic part (unit of the signal).
    omega : float, optional
        Angular frequency (rad/s).
    frequency : float, optional
        Frequency, instead of `omega` (Hz).
    phase : float, default 0.0
        Phase at t = 0, or at `start` (rad).
    phase_deg : float, optional
        The same in degrees, instead of `phase` (°).
    start : float, optional
        When the harmonic part begins, from where on its phase counts; it always has been if absent (s).
    end : float, optional
        When the harmonic part ends; never if absent (s).
    period : float, optional
        The harmonic part begins again after this time; once if absent (s).
    table : Points, optional
        Points in time.
    """

    _parts: ClassVar[dict[str, str]] = {"table": "Points"}
    _units: ClassVar[dict[str, str]] = {"omega": "rad/s", "frequency": "Hz", "phase": "rad", "phase_deg": "°", "start": "s", "end": "s", "period": "s"}
    constant: float = 0.0
    amplitude: float = 0.0
    omega: float | None = None
    frequency: float | None = None
    phase: float = 0.0
    phase_deg: float | None = None
    start: float | None = None
    end: float | None = None
    period: float | None = None
    table: Points | Table | None = None


@model
class VaryingLoad(Model):
    """What is added to the normal load N of a contact; the contact opens while their sum would be negative.

    Parameters
    ----------
    amplitude : float, default 0.0
        Amplitude of a harmonic part (N).
    omega : float, optional
        Its angular frequency (rad/s).
    frequency : float, optional
        Frequency, instead of `omega` (Hz).
    phase : float, default 0.0
        Its phase at t = 0, or at `start` (rad).
    phase_deg : float, optional
        The same in degrees, instead of `phase` (°).
    start : float, optional
        When the harmonic part begins, from where on its phase counts; it always has been if absent (s).
    end : float, optional
        When the harmonic part ends; never if absent (s).
    period : float, optional
        The harmonic part begins again after this time; once if absent (s).
    table : Points, optional
        Points in time (N).
    by_position : array, optional
        n: the load grows by n·q (N/m).
    by_velocity : array, optional
        n̄: the load grows by n̄·q̇ (N s/m).
    """

    _parts: ClassVar[dict[str, str]] = {"table": "Points"}
    _units: ClassVar[dict[str, str]] = {"amplitude": "N", "omega": "rad/s", "frequency": "Hz", "phase": "rad", "phase_deg": "°", "start": "s", "end": "s", "period": "s", "table": "N", "by_position": "N/m", "by_velocity": "N s/m"}
    amplitude: float = 0.0
    omega: float | None = None
    frequency: float | None = None
    phase: float = 0.0
    phase_deg: float | None = None
    start: float | None = None
    end: float | None = None
    period: float | None = None
    table: Points | Table | None = None
    by_position: Vector | None = None
    by_velocity: Vector | None = None


@model
class Spring(Model):
    """A spring of straight pieces, which go on beyond the first and the last point, or a polynomial one.

    Parameters
    ----------
    positions : array, optional
        Positions, ascending (m).
    forces : array, optional
        Forces against the motion at these positions (N).
    polynomial : array, optional
        Force against the motion as a polynomial of the position, instead: the factors of u, u², u³, … (N/m, N/m², …).
    dof : int, optional
        Degree of freedom that it acts on, from 0; not needed with one degree of freedom.
    direction : array, optional
        Direction w, instead of `dof`: it acts along w, and sees w·q and w·q̇ (-).
    node : int or list of int or {"all"}, optional
        Node of a chain, beam or plate, instead of `dof`; several, or "all": the same on each.
    """

    _units: ClassVar[dict[str, str]] = {"positions": "m", "forces": "N", "direction": "-"}
    positions: Vector | None = None
    forces: Vector | None = None
    polynomial: Vector | None = None
    dof: int | None = None
    direction: Vector | None = None
    node: int | Sequence[int] | Literal["all"] | None = None


@model
class Stop(Model):
    """Stops at one or both ends of a way: rigid with Newton's restitution, or elastic with a stiffness.

    Parameters
    ----------
    upper : float, optional
        Largest position (m).
    lower : float, optional
        Smallest position (m).
    restitution : float, optional
        Restitution e of a rigid stop: a velocity v turns into −e v at once, and friction has no part in it; 0 if absent (-).
    stiffness : float, optional
        Stiffness of an elastic stop; rigid if absent (N/m).
    damping : float, optional
        Damping of an elastic stop, which never pulls; 0 if absent (N s/m).
    limited_damping : bool, optional
        Whether the force of the damping is limited to that of the spring, both ways, so that the force lies between 0 and twice that of the spring.
    fixed_in_space : bool, optional
        Whether it is fixed in space where the base moves; otherwise it moves with the base.
    dof : int, optional
        Degree of freedom that it acts on, from 0; not needed with one degree of freedom.
    direction : array, optional
        Direction w, instead of `dof`: it acts along w, and sees w·q and w·q̇ (-).
    node : int or list of int or {"all"}, optional
        Node of a chain, beam or plate, instead of `dof`; several, or "all": the same on each.
    """

    _units: ClassVar[dict[str, str]] = {"upper": "m", "lower": "m", "restitution": "-", "stiffness": "N/m", "damping": "N s/m", "direction": "-"}
    upper: float | None = None
    lower: float | None = None
    restitution: float | None = None
    stiffness: float | None = None
    damping: float | None = None
    limited_damping: bool | None = None
    fixed_in_space: bool | None = None
    dof: int | None = None
    direction: Vector | None = None
    node: int | Sequence[int] | Literal["all"] | None = None


@model
class Control(Model):
    """A PID controller: force kp e + ki ∫e dt − kd q̇ with the error e = reference − q.

    Parameters
    ----------
    kp : float, default 0.0
        Proportional gain (N/m).
    ki : float, default 0.0
        Integral gain (N/(m s)).
    kd : float, default 0.0
        Derivative gain, on the measured velocity (N s/m).
    reference : float or Signal, optional
        Reference; 0 if absent (m).
    filter : float, optional
        Time constant of a filter before the derivative gain; none if absent (s).
    limit : float, optional
        Largest force, either way; unlimited if absent (N).
    anti_windup : float, optional
        Time constant with which the integral is reduced while the force is limited (back-calculation); it winds up if absent (s).
    integral : float, default 0.0
        ∫e dt at t = 0 (m s).
    dof : int, optional
        Degree of freedom that it acts on, from 0; not needed with one degree of freedom.
    direction : array, optional
        Direction w, instead of `dof`: it acts along w, and sees w·q and w·q̇ (-).
    node : int or list of int or {"all"}, optional
        Node of a chain, beam or plate, instead of `dof`; several, or "all": the same on each.
    """

    _parts: ClassVar[dict[str, str]] = {"reference": "Signal"}
    _units: ClassVar[dict[str, str]] = {"kp": "N/m", "ki": "m s)", "kd": "N s/m", "reference": "m", "filter": "s", "limit": "N", "anti_windup": "s", "integral": "m s", "direction": "-"}
    kp: float = 0.0
    ki: float = 0.0
    kd: float = 0.0
    reference: float | Signal | Table | None = None
    filter: float | None = None
    limit: float | None = None
    anti_windup: float | None = None
    integral: float = 0.0
    dof: int | None = None
    direction: Vector | None = None
    node: int | Sequence[int] | Literal["all"] | None = None


@model
class StateSpace(Model):
    """First-order states x beside the mechanics, with references r: ẋ = A x + B_q q + B_v q̇ + B_r r, forces F_x x + F_q q + F_v q̇ + F_r r.
    Matrices that are absent are zero.

    Parameters
    ----------
    a : array of rows, default ()
        A, as many rows and columns as there are states (1/s).
    b_position : array of rows, optional
        B_q, a row for each state and a column for each degree of freedom (unit of the state per s and m).
    b_velocity : array of rows, optional
        B_v, a row for each state and a column for each degree of freedom (unit of the state per m).
    b_reference : array of rows, optional
        B_r, a row for each state and a column for each reference (unit of the state per s and unit of the reference).
    f_state : array of rows, optional
        F_x, a row for each degree of freedom and a column for each state (N per unit of the state).
    f_position : array of rows, optional
        F_q, a row and a column for each degree of freedom (N/m).
    f_velocity : array of rows, optional
        F_v, a row and a column for each degree of freedom (N s/m).
    f_reference : array of rows, optional
        F_r, a row for each degree of freedom and a column for each reference (N per unit of the reference).
    reference : float or Signal, or a list of them, optional
        References r, one or a list.
    initial : array, optional
        x at t = 0; zero if absent (unit of the state).
    """

    _parts: ClassVar[dict[str, str]] = {"reference": "Signal"}
    _units: ClassVar[dict[str, str]] = {"a": "1/s", "f_position": "N/m", "f_velocity": "N s/m"}
    a: Matrix = ()
    b_position: Matrix | None = None
    b_velocity: Matrix | None = None
    b_reference: Matrix | None = None
    f_state: Matrix | None = None
    f_position: Matrix | None = None
    f_velocity: Matrix | None = None
    f_reference: Matrix | None = None
    reference: float | Signal | Table | Sequence[float | Signal | Table] | None = None
    initial: Vector | None = None


@model
class Reduce(Model):
    """Reduction of a model to its lowest modes and the static shapes of its contacts and loads.

    Parameters
    ----------
    modes : int, optional
        Modes to keep (-).
    tolerance : float, optional
        Largest error of the dynamic compliance within the band, relative to the static one; instead of `modes` (-).
    band : float, optional
        Highest angular frequency that matters; ten times the highest of the loads if absent (rad/s).
    dofs : list of int, optional
        Degrees of freedom that are reported beside those with a contact or a load, from 0.
    nodes : int or list of int or {"all"}, optional
        Nodes of a chain, beam or plate that are reported besides.
    """

    _units: ClassVar[dict[str, str]] = {"modes": "-", "tolerance": "-", "band": "rad/s"}
    modes: int | None = None
    tolerance: float | None = None
    band: float | None = None
    dofs: Sequence[int] | None = None
    nodes: int | Sequence[int] | Literal["all"] | None = None


@model
class Start(Model):
    """A state from which a search begins.

    Parameters
    ----------
    position : array
        Positions (m).
    velocity : array
        Velocities (m/s).
    """

    _units: ClassVar[dict[str, str]] = {"position": "m", "velocity": "m/s"}
    position: Vector
    velocity: Vector


@model
class HarmonicBalance(Model):
    """Harmonic balance: periodic motions as Fourier series, condensed to the contacts.

    Parameters
    ----------
    harmonics : int, optional
        Exactly this many harmonics; if absent as many as the tolerance asks for (-).
    tolerance : float, optional
        Harmonics are added until the truncation error is below this part of the largest displacement; 1e-6 if absent (-).
    max_harmonics : int, optional
        Harmonics at most; 127 if absent (-).
    """

    _units: ClassVar[dict[str, str]] = {"harmonics": "-", "tolerance": "-", "max_harmonics": "-"}
    harmonics: int | None = None
    tolerance: float | None = None
    max_harmonics: int | None = None


@model
class Overlay(Model):
    """Values of another number, at each of which a response is computed.

    Parameters
    ----------
    parameter : str
        Key of the number: its path, or the end of it.
    values : array
        Its values (unit of the parameter).
    """

    parameter: str
    values: Vector


@model
class StandIn(Model):
    """A regularised or elastic law in place of a set-valued one.

    Parameters
    ----------
    law : str
        Name of the law, such as `tanh` or `jenkins`.
    width : float, optional
        Width of its transition, of laws that have one (m/s).
    stiffness : float, optional
        Stiffness over the normal load, of laws that bend before they slide (1/m).
    """

    _units: ClassVar[dict[str, str]] = {"width": "m/s", "stiffness": "1/m"}
    law: str
    width: float | None = None
    stiffness: float | None = None


@model
class Sweep(Model):
    """The analysis at many values of some numbers: a grid of all axes, or points that are drawn. `stiction sweep` runs it.

    Parameters
    ----------
    over : list of Axis
        The numbers that vary; of a grid the last varies fastest.
    together : list of lists of str, optional
        Axes of a grid that move together, by their `parameter`: a list of lists.
    draw : {"random", "latin-hypercube", "sobol"}, optional
        Draw points instead of a grid.
    points : int, optional
        Number of points that are drawn (-).
    seed : int, default 0
        Seed of what is drawn; another gives other points (-).
    """

    _parts: ClassVar[dict[str, str]] = {"over": "Axis"}
    _units: ClassVar[dict[str, str]] = {"points": "-", "seed": "-"}
    over: Sequence[Axis | Table]
    together: Sequence[Sequence[str]] | None = None
    draw: Literal["random", "latin-hypercube", "sobol"] | None = None
    points: int | None = None
    seed: int = 0


@model
class Axis(Model):
    """A number that varies: `from`, `to` and `points`, or `values`, or a column of a CSV file.

    Parameters
    ----------
    parameter : str
        Key that is varied: its path, or the end of it.
    from_ : float, optional
        First value (unit of the parameter).
    to : float, optional
        Last value (unit of the parameter).
    points : int, optional
        Number of values from `from` to `to`, both included; absent if points are drawn (-).
    spacing : {"linear", "log"}, default "linear"
        How they are spread.
        "linear": Equal differences.
        "log": Equal ratios.
    values : array, optional
        The values, instead; points that are drawn choose among them (unit of the parameter).
    file : str, optional
        A CSV file with the values, instead; paths begin at the folder of the scenario.
    column : str, optional
        Its column; the one called as the parameter if absent.
    """

    _units: ClassVar[dict[str, str]] = {"points": "-"}
    parameter: str
    from_: float | None = None
    to: float | None = None
    points: int | None = None
    spacing: Literal["linear", "log"] = "linear"
    values: Vector | None = None
    file: str | None = None
    column: str | None = None


@model
class Patch(PatchBase):
    """A flat contact patch under load.

    Parameters
    ----------
    shape : Shape
        Outline of the patch.
    mu : float
        Friction coefficient (-).
    pressure : {"galin", "hertz", "uniform"} or LinearPressure, default "uniform"
        How the load is spread over the patch; `uniform` unless given.
        "galin": Rigid flat punch on an elastic half-space, N/(2πR² √(1 − r²/R²)); discs only.
        "hertz": Elastic sphere on a plane, 3N √(1 − r²/R²)/(2πR²); discs only.
        "uniform": The same everywhere.
    load : float, optional
        Normal load; unless given the weight under a body, 1 in wrenches (N).
    centre : array, default (0.0, 0.0)
        Position of the patch relative to the reference point of twist and wrench (m).
    height : float, default 0.0
        Height of the centre of mass above the plane, which skews the pressure in sliding (m).
    mu1 : float, default 0.0
        Coefficient of the cubic term of the generalised Coulomb law 1 + mu1 V³ − mu2 V (s³/m³).
    mu2 : float, default 0.0
        Coefficient of the falling term of the generalised Coulomb law 1 + mu1 V³ − mu2 V (s/m).
    closure : {"exact", "pade1", "pade2"}, default "exact"
        How the integrals are evaluated; `exact` unless given.
        "exact": The closed forms.
        "pade1": First-order Padé fractions.
        "pade2": Second-order Padé fractions.
    constants : {"consistent", "as-printed"}, default "consistent"
        Constants of the Padé closures of a disc; `consistent` unless given.
        "consistent": Matched to the exact integrals.
        "as-printed": As the paper prints them (Galin pressure only).
    width : float, default 0.0
        Mean sliding speed below which the wrench falls smoothly to zero; 0 keeps it set-valued at rest (m/s).
    """

    _parts: ClassVar[dict[str, str]] = {"shape": "shape", "pressure": "pressure"}
    _units: ClassVar[dict[str, str]] = {"mu": "-", "load": "N", "centre": "m", "height": "m", "mu1": "s³/m³", "mu2": "s/m", "width": "m/s"}
    shape: Shape | Table
    mu: float
    pressure: Literal["galin", "hertz", "uniform"] | LinearPressure | Table = "uniform"
    load: float | None = None
    centre: Vector = (0.0, 0.0)
    height: float = 0.0
    mu1: float = 0.0
    mu2: float = 0.0
    closure: Literal["exact", "pade1", "pade2"] = "exact"
    constants: Literal["consistent", "as-printed"] = "consistent"
    width: float = 0.0


@model
class Piece(Model):
    """One foot of a patch made of several.

    Parameters
    ----------
    shape : Shape
        Outline of the foot.
    pressure : {"galin", "hertz", "uniform"} or LinearPressure, default "uniform"
        How the load of the foot is spread over it; `uniform` unless given.
        "galin": Rigid flat punch on an elastic half-space, N/(2πR² √(1 − r²/R²)); discs only.
        "hertz": Elastic sphere on a plane, 3N √(1 − r²/R²)/(2πR²); discs only.
        "uniform": The same everywhere.
    centre : array, default (0.0, 0.0)
        Position of the foot relative to the centre of the patch (m).
    share : float, default 1.0
        Part of the load that the foot carries, relative to the other feet (-).
    """

    _parts: ClassVar[dict[str, str]] = {"shape": "shape", "pressure": "pressure"}
    _units: ClassVar[dict[str, str]] = {"centre": "m", "share": "-"}
    shape: Shape | Table
    pressure: Literal["galin", "hertz", "uniform"] | LinearPressure | Table = "uniform"
    centre: Vector = (0.0, 0.0)
    share: float = 1.0


@model
class Force(Model):
    """A force `constant + amplitude sin(omega t + phase)` and a moment of the same kind.

    Parameters
    ----------
    constant : array, default (0.0, 0.0)
        Constant part of the force (N).
    amplitude : array, default (0.0, 0.0)
        Amplitude of the harmonic part of the force (N).
    moment : float, default 0.0
        Constant part of the moment (N m).
    moment_amplitude : float, default 0.0
        Amplitude of the harmonic part of the moment (N m).
    omega : float, default 0.0
        Angular frequency of the harmonic parts (rad/s).
    frequency : float, optional
        Frequency, instead of `omega` (Hz).
    phase : float, default 0.0
        Phase of the harmonic parts at t = 0 (rad).
    phase_deg : float, optional
        The same in degrees, instead of `phase` (°).
    point : array, default (0.0, 0.0)
        Point of application relative to the reference point, in body axes (m).
    axes : {"world", "body"}, default "world"
        Axes that the force is given in; `world` unless given.
        "world": Fixed to the plane.
        "body": Turning with the body.
    """

    _units: ClassVar[dict[str, str]] = {"constant": "N", "amplitude": "N", "moment": "N m", "moment_amplitude": "N m", "omega": "rad/s", "frequency": "Hz", "phase": "rad", "phase_deg": "°", "point": "m"}
    constant: Vector = (0.0, 0.0)
    amplitude: Vector = (0.0, 0.0)
    moment: float = 0.0
    moment_amplitude: float = 0.0
    omega: float = 0.0
    frequency: float | None = None
    phase: float = 0.0
    phase_deg: float | None = None
    point: Vector = (0.0, 0.0)
    axes: Literal["world", "body"] = "world"


@model
class Oscillation(Model):
    """A displacement `amplitude sin(omega t + phase)`; two of them, a quarter of a turn apart, make a circle.

    Parameters
    ----------
    amplitude : array
        Amplitude (m).
    omega : float
        Angular frequency (rad/s).
    frequency : float, optional
        Frequency, instead of `omega` (Hz).
    phase : float, default 0.0
        Phase at t = 0 (rad).
    phase_deg : float, optional
        The same in degrees, instead of `phase` (°).
    """

    _units: ClassVar[dict[str, str]] = {"amplitude": "m", "omega": "rad/s", "frequency": "Hz", "phase": "rad", "phase_deg": "°"}
    amplitude: Vector
    omega: float
    frequency: float | None = None
    phase: float = 0.0
    phase_deg: float | None = None


@model
class InnerMass(Model):
    """A point mass that is driven along a prescribed path in body axes.

    Parameters
    ----------
    mass : float
        Mass (kg).
    centre : array, default (0.0, 0.0)
        Middle of the path relative to the reference point (m).
    path : list of Oscillation, default ()
        The path about its middle, a sum of oscillations (m).
    points : PathPoints, optional
        Points that the path goes through, again and again, beside the oscillations.
    shifts_pressure : bool, optional
        Whether the pressure follows the masses: its centre is then that of gravity at all times; the exact closure has it.
    """

    _parts: ClassVar[dict[str, str]] = {"path": "Oscillation", "points": "PathPoints"}
    _units: ClassVar[dict[str, str]] = {"mass": "kg", "centre": "m", "path": "m"}
    mass: float
    centre: Vector = (0.0, 0.0)
    path: Sequence[Oscillation | Table] = ()
    points: PathPoints | Table | None = None
    shifts_pressure: bool | None = None


@model
class PathPoints(Model):
    """Points of a closed path at equal times. Between them the path is the trigonometric polynomial of least degree through them:
    smooth, as the path of a mass must be.

    Parameters
    ----------
    period : float
        Time for one round (s).
    x : array
        Positions along x, the first at t = 0 (m).
    y : array
        Positions along y at the same times (m).
    """

    _units: ClassVar[dict[str, str]] = {"period": "s", "x": "m", "y": "m"}
    period: float
    x: Vector
    y: Vector


@model
class MovingSurface(Model):
    """A surface that moves over the plane, under the body: a conveyor has a velocity, a turntable a spin about its centre.

    Parameters
    ----------
    velocity : array, default (0.0, 0.0)
        Velocity of the surface, at the centre if it spins, in world axes (m/s).
    spin : float, default 0.0
        Spin of the surface, counter-clockwise (rad/s).
    centre : array, default (0.0, 0.0)
        The point about which it spins, in world axes (m).
    """

    _units: ClassVar[dict[str, str]] = {"velocity": "m/s", "spin": "rad/s", "centre": "m"}
    velocity: Vector = (0.0, 0.0)
    spin: float = 0.0
    centre: Vector = (0.0, 0.0)


SYSTEMS: dict[str, type[Any]] = {
    Oscillator._tag: Oscillator,
    Matrices._tag: Matrices,
    Chain._tag: Chain,
    Beam._tag: Beam,
    Plate._tag: Plate,
    Body._tag: Body,
}

INTEGRATORS: dict[str, type[Any]] = {
    Incremental._tag: Incremental,
    Rk4._tag: Rk4,
    Adaptive._tag: Adaptive,
    Exact._tag: Exact,
}

ANALYSES: dict[str, type[Any]] = {
    Transient._tag: Transient,
    Steady._tag: Steady,
    Response._tag: Response,
    Bifurcation._tag: Bifurcation,
    Stability._tag: Stability,
    NonlinearMode._tag: NonlinearMode,
}

LAWS: dict[str, type[Any]] = {
    Linear._tag: Linear,
    Trigonometric._tag: Trigonometric,
    CircularLinear._tag: CircularLinear,
    Quinn._tag: Quinn,
    Coulomb._tag: Coulomb,
    CoulombDwell._tag: CoulombDwell,
    SignCoulomb._tag: SignCoulomb,
    Karnopp._tag: Karnopp,
    Tanh._tag: Tanh,
    Stribeck._tag: Stribeck,
    Polyline._tag: Polyline,
    Expression._tag: Expression,
    Dahl._tag: Dahl,
    Lugre._tag: Lugre,
    ElastoPlastic._tag: ElastoPlastic,
    BoucWen._tag: BoucWen,
    RateAndState._tag: RateAndState,
    Jenkins._tag: Jenkins,
    Iwan._tag: Iwan,
    Gms._tag: Gms,
    FourParameterIwan._tag: FourParameterIwan,
}

SHAPES: dict[str, type[Any]] = {
    Disc._tag: Disc,
    Ring._tag: Ring,
    Annulus._tag: Annulus,
    Rectangle._tag: Rectangle,
    Polygon._tag: Polygon,
    Pieces._tag: Pieces,
}

TABLES: dict[str, type[Any]] = {
    "Contact": Contact,
    "Load": Load,
    "Base": Base,
    "Prescribed": Prescribed,
    "Initial": Initial,
    "InitialVectors": InitialVectors,
    "Points": Points,
    "Step": Step,
    "Span": Span,
    "Chirp": Chirp,
    "Noise": Noise,
    "Signal": Signal,
    "VaryingLoad": VaryingLoad,
    "Spring": Spring,
    "Stop": Stop,
    "Control": Control,
    "StateSpace": StateSpace,
    "Reduce": Reduce,
    "Start": Start,
    "HarmonicBalance": HarmonicBalance,
    "Overlay": Overlay,
    "StandIn": StandIn,
    "Sweep": Sweep,
    "Axis": Axis,
    "Patch": Patch,
    "Piece": Piece,
    "Force": Force,
    "Oscillation": Oscillation,
    "InnerMass": InnerMass,
    "PathPoints": PathPoints,
    "MovingSurface": MovingSurface,
}

__all__ = [
    "Adaptive",
    "Annulus",
    "Axis",
    "Base",
    "Beam",
    "Bifurcation",
    "Body",
    "BoucWen",
    "Chain",
    "Chirp",
    "CircularLinear",
    "Contact",
    "Control",
    "Coulomb",
    "CoulombDwell",
    "Dahl",
    "Disc",
    "ElastoPlastic",
    "Exact",
    "Expression",
    "Force",
    "FourParameterIwan",
    "Gms",
    "HarmonicBalance",
    "Incremental",
    "Initial",
    "InitialVectors",
    "InnerMass",
    "Iwan",
    "Jenkins",
    "Karnopp",
    "Linear",
    "LinearPressure",
    "Load",
    "Lugre",
    "Matrices",
    "MovingSurface",
    "Noise",
    "NonlinearMode",
    "Oscillation",
    "Oscillator",
    "Overlay",
    "Patch",
    "PathPoints",
    "Piece",
    "Pieces",
    "Plate",
    "Points",
    "Polygon",
    "Polyline",
    "Prescribed",
    "Quinn",
    "RateAndState",
    "Rectangle",
    "Reduce",
    "Response",
    "Ring",
    "Rk4",
    "SignCoulomb",
    "Signal",
    "Span",
    "Spring",
    "Stability",
    "StandIn",
    "Start",
    "StateSpace",
    "Steady",
    "Step",
    "Stop",
    "Stribeck",
    "Sweep",
    "Tanh",
    "Transient",
    "Trigonometric",
    "VaryingLoad",
]
