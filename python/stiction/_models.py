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
    force : Load, or a list of them, optional
        Loads, one or a list.
    base : Base, or a list of them, optional
        Motion of the base on which everything rides; positions are then measured from the base.
    friction : Law or Contact, or a list of them, optional
        Friction contacts, one or a list.
    spring : Spring, or a list of them, optional
        Springs of straight pieces beside the stiffness, one or a list.
    stop : Stop, or a list of them, optional
        Stops, one or a list.
    control : Control, or a list of them, optional
        Controllers, one or a list.
    initial : Initial, optional
        State at t = 0.
    """

    _tag: ClassVar[str] = "oscillator"
    _parts: ClassVar[dict[str, str]] = {"force": "Load", "base": "Base", "friction": "contact", "spring": "Spring", "stop": "Stop", "control": "Control", "initial": "Initial"}
    _units: ClassVar[dict[str, str]] = {"mass": "kg", "damping": "N s/m", "stiffness": "N/m"}
    mass: float
    damping: float = 0.0
    stiffness: float = 0.0
    force: Load | Table | Sequence[Load | Table] | None = None
    base: Base | Table | Sequence[Base | Table] | None = None
    friction: Friction | Table | Sequence[Friction | Table] | None = None
    spring: Spring | Table | Sequence[Spring | Table] | None = None
    stop: Stop | Table | Sequence[Stop | Table] | None = None
    control: Control | Table | Sequence[Control | Table] | None = None
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
    force : Load, or a list of them, optional
        Loads, one or a list.
    base : Base, or a list of them, optional
        Motion of the base on which everything rides; positions are then measured from the base.
    friction : Law or Contact, or a list of them, optional
        Friction contacts, one or a list.
    spring : Spring, or a list of them, optional
        Springs of straight pieces beside the stiffness, one or a list.
    stop : Stop, or a list of them, optional
        Stops, one or a list.
    control : Control, or a list of them, optional
        Controllers, one or a list.
    initial : InitialVectors, optional
        State at t = 0.
    reduce : Reduce, optional
        Reduction to the lowest modes and the static shapes of contacts and loads.
    """

    _tag: ClassVar[str] = "matrices"
    _parts: ClassVar[dict[str, str]] = {"mass": "matrix", "stiffness": "matrix", "damping": "matrix", "force": "Load", "base": "Base", "friction": "contact", "spring": "Spring", "stop": "Stop", "control": "Control", "initial": "InitialVectors", "reduce": "Reduce"}
    _units: ClassVar[dict[str, str]] = {"mass": "kg", "stiffness": "N/m", "damping": "N s/m"}
    mass: MatrixLike
    stiffness: MatrixLike | None = None
    damping: MatrixLike | None = None
    force: Load | Table | Sequence[Load | Table] | None = None
    base: Base | Table | Sequence[Base | Table] | None = None
    friction: Friction | Table | Sequence[Friction | Table] | None = None
    spring: Spring | Table | Sequence[Spring | Table] | None = None
    stop: Stop | Table | Sequence[Stop | Table] | None = None
    control: Control | Table | Sequence[Control | Table] | None = None
    initial: InitialVectors | Table | None = None
    reduce: Reduce | Table | None = None


@model
class Chain(Model):
    """Masses in a row, joined by springs.

    Parameters
    ----------
    masses : int
        Number of masses, the nodes of the chain (-).
    mass : float
        Each mass (kg).
    stiffness : float
        Each spring between neighbours, and to the wall at a fixed end (N/m).
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
    force : Load, or a list of them, optional
        Loads, one or a list.
    base : Base, or a list of them, optional
        Motion of the base on which everything rides; positions are then measured from the base.
    friction : Law or Contact, or a list of them, optional
        Friction contacts, one or a list.
    spring : Spring, or a list of them, optional
        Springs of straight pieces beside the stiffness, one or a list.
    stop : Stop, or a list of them, optional
        Stops, one or a list.
    control : Control, or a list of them, optional
        Controllers, one or a list.
    initial : InitialVectors, optional
        State at t = 0.
    reduce : Reduce, optional
        Reduction to the lowest modes and the static shapes of contacts and loads.
    """

    _tag: ClassVar[str] = "chain"
    _parts: ClassVar[dict[str, str]] = {"damping": "matrix", "force": "Load", "base": "Base", "friction": "contact", "spring": "Spring", "stop": "Stop", "control": "Control", "initial": "InitialVectors", "reduce": "Reduce"}
    _units: ClassVar[dict[str, str]] = {"masses": "-", "mass": "kg", "stiffness": "N/m", "ground": "N/m", "damping": "N s/m"}
    masses: int
    mass: float
    stiffness: float
    ground: float = 0.0
    left: Literal["fixed", "free"] = "fixed"
    right: Literal["fixed", "free"] = "free"
    damping: MatrixLike | None = None
    force: Load | Table | Sequence[Load | Table] | None = None
    base: Base | Table | Sequence[Base | Table] | None = None
    friction: Friction | Table | Sequence[Friction | Table] | None = None
    spring: Spring | Table | Sequence[Spring | Table] | None = None
    stop: Stop | Table | Sequence[Stop | Table] | None = None
    control: Control | Table | Sequence[Control | Table] | None = None
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
    inertia : float
        Second moment of area I of the cross-section (m⁴).
    density : float
        Density ρ (kg/m³).
    area : float
        Area A of the cross-section (m²).
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
    force : Load, or a list of them, optional
        Loads, one or a list.
    base : Base, or a list of them, optional
        Motion of the base on which everything rides; positions are then measured from the base.
    friction : Law or Contact, or a list of them, optional
        Friction contacts, one or a list.
    spring : Spring, or a list of them, optional
        Springs of straight pieces beside the stiffness, one or a list.
    stop : Stop, or a list of them, optional
        Stops, one or a list.
    control : Control, or a list of them, optional
        Controllers, one or a list.
    initial : InitialVectors, optional
        State at t = 0.
    reduce : Reduce, optional
        Reduction to the lowest modes and the static shapes of contacts and loads.
    """

    _tag: ClassVar[str] = "beam"
    _parts: ClassVar[dict[str, str]] = {"damping": "matrix", "force": "Load", "base": "Base", "friction": "contact", "spring": "Spring", "stop": "Stop", "control": "Control", "initial": "InitialVectors", "reduce": "Reduce"}
    _units: ClassVar[dict[str, str]] = {"elements": "-", "length": "m", "young": "Pa", "inertia": "m⁴", "density": "kg/m³", "area": "m²", "damping": "N s/m"}
    elements: int
    length: float
    young: float
    inertia: float
    density: float
    area: float
    left: Literal["clamped", "pinned", "free"] = "clamped"
    right: Literal["clamped", "pinned", "free"] = "free"
    damping: MatrixLike | None = None
    force: Load | Table | Sequence[Load | Table] | None = None
    base: Base | Table | Sequence[Base | Table] | None = None
    friction: Friction | Table | Sequence[Friction | Table] | None = None
    spring: Spring | Table | Sequence[Spring | Table] | None = None
    stop: Stop | Table | Sequence[Stop | Table] | None = None
    control: Control | Table | Sequence[Control | Table] | None = None
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
    force : Load, or a list of them, optional
        Loads, one or a list.
    base : Base, or a list of them, optional
        Motion of the base on which everything rides; positions are then measured from the base.
    friction : Law or Contact, or a list of them, optional
        Friction contacts, one or a list.
    spring : Spring, or a list of them, optional
        Springs of straight pieces beside the stiffness, one or a list.
    stop : Stop, or a list of them, optional
        Stops, one or a list.
    control : Control, or a list of them, optional
        Controllers, one or a list.
    initial : InitialVectors, optional
        State at t = 0.
    reduce : Reduce, optional
        Reduction to the lowest modes and the static shapes of contacts and loads.
    """

    _tag: ClassVar[str] = "plate"
    _parts: ClassVar[dict[str, str]] = {"damping": "matrix", "force": "Load", "base": "Base", "friction": "contact", "spring": "Spring", "stop": "Stop", "control": "Control", "initial": "InitialVectors", "reduce": "Reduce"}
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
    force: Load | Table | Sequence[Load | Table] | None = None
    base: Base | Table | Sequence[Base | Table] | None = None
    friction: Friction | Table | Sequence[Friction | Table] | None = None
    spring: Spring | Table | Sequence[Spring | Table] | None = None
    stop: Stop | Table | Sequence[Stop | Table] | None = None
    control: Control | Table | Sequence[Control | Table] | None = None
    initial: InitialVectors | Table | None = None
    reduce: Reduce | Table | None = None


@model
class Body(Model):
    """A rigid body that slides and spins on a plane.

    Parameters
    ----------
    mass : float
        Mass without the inner mass (kg).
    inertia : float
        Moment of inertia about the centre of mass, without the inner mass (kg m²).
    patch : Patch
        Contact patch; without a load of its own it carries the weight.
    centre_of_mass : array, default (0.0, 0.0)
        Centre of mass relative to the reference point, in body axes (m).
    gravity : float, default 9.81
        Acceleration of gravity; 9.81 unless given (m/s²).
    tilt : float, default 0.0
        Inclination of the plane (rad).
    downhill : float, default 0.0
        Direction downhill, as an angle from the world's x axis (rad).
    forces : list of Force, default ()
        Applied forces.
    vibration : list of Oscillation, default ()
        Displacement of the plane, a sum of oscillations in world axes (m).
    inner_mass : InnerMass, optional
        Point mass that is driven inside the body.
    position : array, default (0.0, 0.0)
        Initial position of the reference point (m).
    angle : float, default 0.0
        Initial angle of the body's x axis from the world's (rad).
    velocity : array, default (0.0, 0.0)
        Initial velocity of the reference point relative to the plane, in world axes (m/s).
    spin : float, default 0.0
        Initial spin, counter-clockwise (rad/s).
    """

    _tag: ClassVar[str] = "body"
    _parts: ClassVar[dict[str, str]] = {"patch": "patch", "forces": "Force", "vibration": "Oscillation", "inner_mass": "InnerMass"}
    _units: ClassVar[dict[str, str]] = {"mass": "kg", "inertia": "kg m²", "centre_of_mass": "m", "gravity": "m/s²", "tilt": "rad", "downhill": "rad", "vibration": "m", "position": "m", "angle": "rad", "velocity": "m/s", "spin": "rad/s"}
    mass: float
    inertia: float
    patch: PatchBase | Table
    centre_of_mass: Vector = (0.0, 0.0)
    gravity: float = 9.81
    tilt: float = 0.0
    downhill: float = 0.0
    forces: Sequence[Force | Table] = ()
    vibration: Sequence[Oscillation | Table] = ()
    inner_mass: InnerMass | Table | None = None
    position: Vector = (0.0, 0.0)
    angle: float = 0.0
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
        Absolute error allowed per step, in the unit of each component; at most 100 rtol of the component's typical size, which follows from initial state, loads and rates of the problem.
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
        Part that is summarised and drawn: in periods with `periods`, in seconds with `duration`; all if absent.
    times : array, optional
        Times of the samples, ascending; a grid over the window if absent (s).
    samples : int, default 2001
        Number of samples in that grid (-).
    """

    _tag: ClassVar[str] = "transient"
    _units: ClassVar[dict[str, str]] = {"periods": "-", "duration": "s", "times": "s", "samples": "-"}
    periods: float | None = None
    duration: float | None = None
    window: Vector | None = None
    times: Vector | None = None
    samples: int = 2001


@model
class Steady(Model):
    """Periodic motions, found without waiting for transients to die out.

    Parameters
    ----------
    subharmonic : int, default 1
        Periods of the first harmonic load, or of the longest signal, in one period of the motion (-).
    dof : int, default 0
        Degree of freedom whose amplitude and phase are measured, from 0.
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
        First value.
    to : float
        Last value.
    points : int, default 200
        Number of points of a sweep (-).
    through_folds : bool, default False
        Follow the branch through its folds instead of stepping through a list of values.
    dof : int, default 0
        Degree of freedom whose amplitude and phase are measured, from 0.
    harmonic_balance : HarmonicBalance, optional
        Find the motions by harmonic balance, as Fourier series; without it they are found by shooting.
    """

    _tag: ClassVar[str] = "response"
    _parts: ClassVar[dict[str, str]] = {"harmonic_balance": "HarmonicBalance"}
    _units: ClassVar[dict[str, str]] = {"points": "-"}
    parameter: str
    from_: float
    to: float
    points: int = 200
    through_folds: bool = False
    dof: int = 0
    harmonic_balance: HarmonicBalance | Table | None = None


@model
class Bifurcation(Model):
    """The state once per period of the load, after a transient, along a parameter.

    Parameters
    ----------
    parameter : str
        Key that is varied: its path, or the end of it.
    from_ : float
        First value.
    to : float
        Last value.
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
        First value.
    to : float
        Last value.
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
        Half-width Δ of the ramp (m/s).
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
        Radius r of the arcs in the (v, φ) plane, below the half-width of every transition in use.
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
class DemandAware(Law):
    """Regularised Coulomb friction that sees the force it must balance, and therefore sticks.

    A regularisation of Coulomb's law that sees the force it must balance (paper-e).

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

    _tag: ClassVar[str] = "demand-aware"
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
class SignCoulomb(Law):
    """Coulomb friction as a sign function, zero at rest.

    Coulomb friction as a sign function.

        φ(v) = μ sgn v,   φ(0) = 0

    Odd, with a jump at zero. Under a time-stepping method it chatters about zero velocity, and under load it creeps; it is
    here to be compared with.

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

    d is the demand. Inside the dead zone a body that can be held is held, and its velocity is set to zero, so it really
    sticks; the price is a jump at |v| = Δ, which no error-controlled method can cross at full order.

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

    Set-valued: it really rests. From μs at zero velocity to μ for |v| ≫ vs, falling, which drives self-excited vibration, or rising (PTFE,
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
        Velocity Δ of a tanh transition through zero; without it the contact really rests (m/s).
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
    stiffness : float
        Stiffness σ of the contact over the normal load (1/m).
    """

    _tag: ClassVar[str] = "dahl"
    _units: ClassVar[dict[str, str]] = {"mu": "-", "stiffness": "1/m"}
    mu: float
    stiffness: float


@model
class Lugre(Law):
    """The LuGre law: elastic bristles with damping and a Stribeck curve.

    The LuGre law (canudas1995).

        ż = v − σ₀ |v| z/g(v),   φ = σ₀ z + σ₁ ż,   g(v) = μ + (μs − μ) exp(−(v/vs)²)

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
    stiffness : float
        Bristle stiffness σ₀ over the normal load (1/m).
    damping : float
        Bristle damping σ₁ over the normal load (s/m).
    """

    _tag: ClassVar[str] = "lugre"
    _units: ClassVar[dict[str, str]] = {"mu": "-", "mu_static": "-", "velocity": "m/s", "stiffness": "1/m", "damping": "s/m"}
    mu: float
    mu_static: float
    velocity: float
    stiffness: float
    damping: float


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
    stiffness : float
        Stiffness σ of the spring over the normal load (1/m).
    """

    _tag: ClassVar[str] = "jenkins"
    _units: ClassVar[dict[str, str]] = {"mu": "-", "stiffness": "1/m"}
    mu: float
    stiffness: float


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
    stiffness : array
        Stiffness σₖ of each spring over the normal load (1/m).
    """

    _tag: ClassVar[str] = "iwan"
    _units: ClassVar[dict[str, str]] = {"mu": "-", "stiffness": "1/m"}
    mu: Vector
    stiffness: Vector


@model
class FourParameterIwan(Law):
    """Segalman's four-parameter Iwan model: a bolted joint.

    Segalman's four-parameter Iwan model of a bolted joint (segalman2005).

        ρ(r) = R r^χ on 0 < r < r_max, and S δ(r − r_max):   springs of ∫ρ dr, each of which slips at the deflection r
        r_max = μ (1 + β)/(σ (β + (χ + 1)/(χ + 2))),   R = μ (χ + 1)/(r_max^(χ+2) (β + (χ + 1)/(χ + 2)))
        S = β R r_max^(χ+1)/(χ + 1)

    The loss per cycle grows as the power 3 + χ of a small amplitude, as measured on joints. The density is integrated in cells
    whose bounds fall geometrically towards zero; the slider of a cell has the stiffness and the friction of the cell, so that the initial
    stiffness σ and the force μ of macro-slip are exact for any number of sliders. Below the smallest cell the joint is elastic.

    Parameters
    ----------
    mu : float
        Friction coefficient μ of macro-slip (-).
    stiffness : float
        Stiffness σ of the joint before it slips, over the normal load (1/m).
    exponent : float
        Exponent χ of the density, between −1 and 0; the loss per cycle grows as the power 3 + χ of the amplitude (-).
    ratio : float
        Share β of the stiffness that is lost at macro-slip, over that lost before (-).
    sliders : int, default 20
        Number of sliders (-).
    """

    _tag: ClassVar[str] = "four-parameter-iwan"
    _units: ClassVar[dict[str, str]] = {"mu": "-", "stiffness": "1/m", "exponent": "-", "ratio": "-", "sliders": "-"}
    mu: float
    stiffness: float
    exponent: float
    ratio: float
    sliders: int = 20


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
    vertices : array (n, 2)
        Corners relative to the centre of the patch (m).
    holes : list of array (n, 2), default ()
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
    """(N/A)(1 + g·(r − centroid)); rectangles and polygons only.

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
        Viscous part that is added to the coefficient (s/m).
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
    _units: ClassVar[dict[str, str]] = {"viscous": "s/m", "load": "N", "belt": "m/s", "belt_varies": "m/s", "direction": "-"}
    law: Law | Table
    viscous: float = 0.0
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
    phase : float, default 0.0
        Phase at t = 0 (rad).
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
    _units: ClassVar[dict[str, str]] = {"constant": "N", "amplitude": "N", "omega": "rad/s", "phase": "rad", "table": "N", "direction": "-"}
    constant: float = 0.0
    amplitude: float = 0.0
    omega: float | None = None
    phase: float = 0.0
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
    phase : float, default 0.0
        Phase at t = 0 (rad).
    acceleration : Points, optional
        Acceleration of the base as points in time (m/s²).
    direction : array, optional
        Which degrees of freedom move along with the base, by how much; all by 1 if absent, rotations by 0 (-).
    """

    _parts: ClassVar[dict[str, str]] = {"acceleration": "Points"}
    _units: ClassVar[dict[str, str]] = {"amplitude": "m", "omega": "rad/s", "phase": "rad", "acceleration": "m/s²", "direction": "-"}
    amplitude: float = 0.0
    omega: float = 0.0
    phase: float = 0.0
    acceleration: Points | Table | None = None
    direction: Vector | None = None


@model
class Initial(Model):
    """State of an oscillator at t = 0.

    Parameters
    ----------
    position : float, default 0.0
        Position (m).
    velocity : float, default 0.0
        Velocity (m/s).
    """

    _units: ClassVar[dict[str, str]] = {"position": "m", "velocity": "m/s"}
    position: float = 0.0
    velocity: float = 0.0


@model
class InitialVectors(Model):
    """State of a system at t = 0.

    Parameters
    ----------
    position : array, optional
        Positions; zero if absent (m).
    velocity : array, optional
        Velocities; zero if absent (m/s).
    """

    _units: ClassVar[dict[str, str]] = {"position": "m", "velocity": "m/s"}
    position: Vector | None = None
    velocity: Vector | None = None


@model
class Points(Model):
    """Points joined by straight lines: `times` and `values`, columns of a CSV file, or noise. Two equal times are a jump, so that a
    step is `times = [1, 1]`, `values = [0, 2]`.

    Parameters
    ----------
    times : array, optional
        Times, ascending (s).
    values : array, optional
        Values at these times.
    file : str, optional
        A CSV file with named columns, instead; paths begin at the folder of the scenario.
    time_column : str, optional
        Column of the times in the file; the first if absent.
    value_column : str, optional
        Column of the values in the file; the second if absent.
    noise : Noise, optional
        Noise, instead.
    period : float, optional
        The table begins again after this time; held at its ends if absent (s).
    """

    _parts: ClassVar[dict[str, str]] = {"noise": "Noise"}
    _units: ClassVar[dict[str, str]] = {"times": "s", "period": "s"}
    times: Vector | None = None
    values: Vector | None = None
    file: str | None = None
    time_column: str | None = None
    value_column: str | None = None
    noise: Noise | Table | None = None
    period: float | None = None


@model
class Noise(Model):
    """Noise within a band, the same for one seed on every machine; it closes on itself after its duration.

    Parameters
    ----------
    rms : float
        Root mean square, in the unit of the table.
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
        Constant part.
    amplitude : float, default 0.0
        Amplitude of the harmonic part.
    omega : float, optional
        Angular frequency (rad/s).
    phase : float, default 0.0
        Phase at t = 0 (rad).
    table : Points, optional
        Points in time.
    """

    _parts: ClassVar[dict[str, str]] = {"table": "Points"}
    _units: ClassVar[dict[str, str]] = {"omega": "rad/s", "phase": "rad"}
    constant: float = 0.0
    amplitude: float = 0.0
    omega: float | None = None
    phase: float = 0.0
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
    phase : float, default 0.0
        Its phase at t = 0 (rad).
    table : Points, optional
        Points in time (N).
    by_position : array, optional
        n: the load grows by n·q (N/m).
    by_velocity : array, optional
        n̄: the load grows by n̄·q̇ (N s/m).
    """

    _parts: ClassVar[dict[str, str]] = {"table": "Points"}
    _units: ClassVar[dict[str, str]] = {"amplitude": "N", "omega": "rad/s", "phase": "rad", "table": "N", "by_position": "N/m", "by_velocity": "N s/m"}
    amplitude: float = 0.0
    omega: float | None = None
    phase: float = 0.0
    table: Points | Table | None = None
    by_position: Vector | None = None
    by_velocity: Vector | None = None


@model
class Spring(Model):
    """A spring of straight pieces, which go on beyond the first and the last point.

    Parameters
    ----------
    positions : array, default ()
        Positions, ascending (m).
    forces : array, default ()
        Forces against the motion at these positions (N).
    dof : int, optional
        Degree of freedom that it acts on, from 0; not needed with one degree of freedom.
    direction : array, optional
        Direction w, instead of `dof`: it acts along w, and sees w·q and w·q̇ (-).
    node : int or list of int or {"all"}, optional
        Node of a chain, beam or plate, instead of `dof`; several, or "all": the same on each.
    """

    _units: ClassVar[dict[str, str]] = {"positions": "m", "forces": "N", "direction": "-"}
    positions: Vector = ()
    forces: Vector = ()
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
        Restitution e of a rigid stop: a velocity v turns into −e v; 0 if absent (-).
    stiffness : float, optional
        Stiffness of an elastic stop; rigid if absent (N/m).
    damping : float, optional
        Damping of an elastic stop, which never pulls; 0 if absent (N s/m).
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
    reference : Signal, optional
        Reference; 0 if absent (m).
    filter : float, optional
        Time constant of a filter before the derivative gain; none if absent (s).
    limit : float, optional
        Largest force, either way; unlimited if absent (N).
    anti_windup : float, optional
        Time constant with which the integral is led back while the force is limited; it winds up if absent (s).
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
    reference: Signal | Table | None = None
    filter: float | None = None
    limit: float | None = None
    anti_windup: float | None = None
    integral: float = 0.0
    dof: int | None = None
    direction: Vector | None = None
    node: int | Sequence[int] | Literal["all"] | None = None


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
        Degrees of freedom that are told beside those with a contact or a load, from 0.
    nodes : int or list of int or {"all"}, optional
        Nodes of a chain, beam or plate that are told besides.
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
        First value.
    to : float, optional
        Last value.
    points : int, optional
        Number of values from `from` to `to`, both included; absent if points are drawn (-).
    spacing : {"linear", "log"}, default "linear"
        How they are spread.
        "linear": Equal differences.
        "log": Equal ratios.
    values : array, optional
        The values, instead; points that are drawn choose among them.
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
    phase : float, default 0.0
        Phase of the harmonic parts at t = 0 (rad).
    point : array, default (0.0, 0.0)
        Point of application relative to the reference point, in body axes (m).
    axes : {"world", "body"}, default "world"
        Axes that the force is given in; `world` unless given.
        "world": Fixed to the plane.
        "body": Turning with the body.
    """

    _units: ClassVar[dict[str, str]] = {"constant": "N", "amplitude": "N", "moment": "N m", "moment_amplitude": "N m", "omega": "rad/s", "phase": "rad", "point": "m"}
    constant: Vector = (0.0, 0.0)
    amplitude: Vector = (0.0, 0.0)
    moment: float = 0.0
    moment_amplitude: float = 0.0
    omega: float = 0.0
    phase: float = 0.0
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
    phase : float, default 0.0
        Phase at t = 0 (rad).
    """

    _units: ClassVar[dict[str, str]] = {"amplitude": "m", "omega": "rad/s", "phase": "rad"}
    amplitude: Vector
    omega: float
    phase: float = 0.0


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
    """

    _parts: ClassVar[dict[str, str]] = {"path": "Oscillation"}
    _units: ClassVar[dict[str, str]] = {"mass": "kg", "centre": "m", "path": "m"}
    mass: float
    centre: Vector = (0.0, 0.0)
    path: Sequence[Oscillation | Table] = ()


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
    DemandAware._tag: DemandAware,
    Coulomb._tag: Coulomb,
    SignCoulomb._tag: SignCoulomb,
    Karnopp._tag: Karnopp,
    Tanh._tag: Tanh,
    Stribeck._tag: Stribeck,
    Dahl._tag: Dahl,
    Lugre._tag: Lugre,
    Jenkins._tag: Jenkins,
    Iwan._tag: Iwan,
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
    "Initial": Initial,
    "InitialVectors": InitialVectors,
    "Points": Points,
    "Noise": Noise,
    "Signal": Signal,
    "VaryingLoad": VaryingLoad,
    "Spring": Spring,
    "Stop": Stop,
    "Control": Control,
    "Reduce": Reduce,
    "Start": Start,
    "HarmonicBalance": HarmonicBalance,
    "Sweep": Sweep,
    "Axis": Axis,
    "Patch": Patch,
    "Piece": Piece,
    "Force": Force,
    "Oscillation": Oscillation,
    "InnerMass": InnerMass,
}

__all__ = [
    "Adaptive",
    "Annulus",
    "Axis",
    "Base",
    "Beam",
    "Bifurcation",
    "Body",
    "Chain",
    "CircularLinear",
    "Contact",
    "Control",
    "Coulomb",
    "Dahl",
    "DemandAware",
    "Disc",
    "Exact",
    "Force",
    "FourParameterIwan",
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
    "Noise",
    "NonlinearMode",
    "Oscillation",
    "Oscillator",
    "Patch",
    "Piece",
    "Pieces",
    "Plate",
    "Points",
    "Polygon",
    "Rectangle",
    "Reduce",
    "Response",
    "Ring",
    "Rk4",
    "SignCoulomb",
    "Signal",
    "Spring",
    "Stability",
    "Start",
    "Steady",
    "Stop",
    "Stribeck",
    "Sweep",
    "Tanh",
    "Transient",
    "Trigonometric",
    "VaryingLoad",
]
