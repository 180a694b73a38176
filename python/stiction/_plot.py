"""Figures with matplotlib: a law, a run, a comparison of laws, a map."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ._outcome import _imported

if TYPE_CHECKING:
    from ._law import Friction
    from ._outcome import Comparison, Outcome
    from ._sweep import Dataset

    _Curve = tuple[str, str]
    _Asked = Sequence[str | tuple[str, str]] | None

# colours that can be distinguished without colour vision, as in the figures of the command line
COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#7f7f7f")
STICK = {"color": "#e2e2e2", "linewidth": 0.0, "zorder": 0.5}
MARKERS = "os^Dv<>p"
STYLE = {
    "axes.axisbelow": True,
    "axes.grid": True,
    "axes.linewidth": 0.6,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "figure.titlesize": "medium",
    "grid.color": "#e6e6e6",
    "grid.linewidth": 0.5,
}
MOTION = ("position", "velocity", "friction")
SLIDE = ([("x", "y")], [("t", "vx"), ("t", "vy")], [("t", "omega")], [("t", "fx"), ("t", "fy")])
# arrows along a path, which turn with the body
ARROWS = 12


def law(friction: Friction, ax: Any = None) -> Any:
    """φ over v with its breakpoints; where the law answers a demand, all that it can answer."""
    if ax is None:
        ax = _figure(1, 1, (4.8, 3.2))[0]
    v = _sides(friction)
    phi = friction(v)
    if friction.corners is not None and friction.graph == "set-valued":
        ends = friction.grid(3)[[0, -1]]
        corners = np.array([[ends[0], friction(ends[0])], *friction.corners, [ends[1], friction(ends[1])]])
        v, phi = corners.T
    elif friction.graph == "jump" or friction.has_memory:
        # a line through the jump would be part of the graph
        v, phi = _torn(friction, v, phi)
    (line,) = ax.plot(v, phi, label=_name(friction))
    least, most = friction(v, demand=-friction.bound), friction(v, demand=friction.bound)
    if np.any(most > least) and friction.graph != "set-valued":
        ax.fill_between(v, least, most, color=line.get_color(), alpha=0.15, linewidth=0.0, label="for every demand")
    if friction.graph != "set-valued" and not friction.has_memory:
        kinks = np.array(friction.breakpoints)
        ax.plot(kinks, friction(kinks), "o", color=line.get_color(), markersize=3.5)
    ax.set(xlabel=_label("v", "m/s"), ylabel=_label("φ", "-"))
    return ax


def outcome(outcome: Outcome, columns: _Asked = None, axes: Any = None) -> NDArray[Any]:
    """The most informative panels of a run, or those asked for; returns the axes."""
    panels = _informative(outcome) if columns is None else _asked(outcome, columns)
    is_new = axes is None
    if is_new:
        is_stack = len({x for panel in panels for x, _ in panel}) == 1
        n, across = len(panels), 1 if is_stack or len(panels) == 1 else 2
        height = 3.2 if n == 1 else 1.6 * n + 0.8 if is_stack else 2.6 * -(-n // 2)
        axes = _figure(n, across, (6.4, height), share=is_stack, title=outcome.title)
    drawn = _given(axes, len(panels))
    first = next((i for i, panel in enumerate(panels) if panel[0][0] == "t"), None)
    for i, (ax, panel) in enumerate(zip(drawn, panels)):
        if panel[0][0] == "t":
            _shade(outcome, ax, "stick" if i == first else "")
        _panel(outcome, panel, ax)
        # stable and unstable are the same in every panel
        if ax.get_legend_handles_labels()[0] and (i == 0 or "stability" not in outcome):
            _legend(ax)
    if is_new:
        drawn[0].figure.align_ylabels()
        for ax in drawn[:-1]:
            if ax.get_shared_x_axes().joined(ax, drawn[-1]):
                ax.set_xlabel("")
    return drawn


def comparison(comparison: Comparison, axes: Any = None) -> NDArray[Any]:
    """Trajectory and creep errors over the size, a line for each law; returns the axes."""
    names = ("trajectory", "creep")
    is_new = axes is None
    drawn = _given(_figure(2, 2, (7.2, 3.2)) if is_new else axes, 2)
    laws = list(dict.fromkeys(comparison["law"].tolist()))
    for ax, name in zip(drawn, names):
        sizes = [f"{size} ({unit})" for size, unit in dict(zip(comparison["parameter"].tolist(), comparison["unit"].tolist())).items()]
        ax.set(xscale="log", xlabel=" or ".join(sizes), ylabel=f"{name} error ({comparison.units[name]})")
        ax.set_yscale("log", nonpositive="mask")
        for i, law in enumerate(laws):
            rows = comparison["law"] == law
            order = np.argsort(comparison["size"][rows])
            size, error = comparison["size"][rows][order], comparison[name][rows][order]
            ax.plot(size, error, marker=MARKERS[i % len(MARKERS)], markersize=4, label=law)
    if is_new:
        drawn[0].figure.legend(*drawn[0].get_legend_handles_labels(), loc="outside right upper", frameon=False)
    else:
        drawn[-1].legend()
    return drawn


def heat_map(dataset: Dataset, x: str, y: str, z: str, ax: Any = None) -> Any:
    """z over a grid of two axes, with a bar; cells without a number are grey."""
    if ax is None:
        ax = _figure(1, 1, (5.6, 4.0), title=dataset.manifest["title"])[0]
    grid = [np.unique(dataset[name], return_inverse=True) for name in (x, y)]
    (across, i), (up, j) = grid
    cells = np.full((len(up), len(across)), np.nan)
    cells[j, i] = dataset[z]
    if min(cells.shape) < 2 or cells.size > len(i):
        raise ValueError(f"the rows are no grid over {x} and {y} alone\nhint: one of the axes {', '.join(dataset.axes)}; `stiction map` cuts others")
    # a fact of few whole numbers has a colour for each
    known = np.unique(cells[~np.isnan(cells)])
    is_few = 1 < len(known) <= len(COLORS) and bool(np.all(known == np.round(known)))
    colors = _imported("matplotlib").colormaps["viridis"].resampled(len(known) if is_few else 256).with_extremes(bad="#bdbdbd")
    shown = np.searchsorted(known, cells).astype(float) if is_few else cells
    drawn = ax.pcolormesh(across, up, np.ma.masked_where(np.isnan(cells), shown), cmap=colors, shading="nearest")
    if is_few:
        drawn.set_clim(-0.5, len(known) - 0.5)
    bar = ax.figure.colorbar(drawn, ax=ax, label=_label(z.replace("_", " "), dataset.units[z]))
    if is_few:
        bar.set_ticks(range(len(known)), labels=[f"{value:g}" for value in known])
    elif not np.all(np.isnan(cells)):
        ax.contour(across, up, cells, colors="white", linewidths=0.5)
    for axis in dataset.manifest["axes"]:
        if axis["log"] and axis["name"] in (x, y):
            ax.set(**{"xscale" if axis["name"] == x else "yscale": "log"})
    ax.set(xlabel=_label(x, dataset.units[x]), ylabel=_label(y, dataset.units[y]))
    return ax


def _figure(n: int, across: int, size: tuple[float, float], share: bool = False, title: str = "") -> NDArray[Any]:
    """The axes of a new figure, row by row."""
    matplotlib = _imported("matplotlib")
    pyplot = _imported("matplotlib.pyplot")
    style = {**STYLE, "axes.prop_cycle": matplotlib.cycler(color=COLORS)}
    with matplotlib.rc_context(style):
        down = -(-n // across)
        figure, axes = pyplot.subplots(down, across, figsize=size, sharex=share, layout="constrained", squeeze=False)
        for spare in axes.flat[n:]:
            spare.remove()
        if title:
            figure.suptitle(title)
    found: NDArray[Any] = axes.flatten()[:n]
    return found


def _given(axes: Any, n: int) -> NDArray[Any]:
    """The axes that a caller gave, one for each panel."""
    given = np.atleast_1d(np.asarray(axes, dtype=object)).ravel()
    for ax in given:
        if not hasattr(ax, "plot"):
            kind = type(ax).__name__
            raise TypeError(f"axes holds {kind}, but matplotlib axes are needed\nhint: figure, axes = plt.subplots({n})")
    if len(given) != n:
        raise ValueError(f"there are {n} panels, but {len(given)} axes\nhint: plt.subplots({n}), or ask for other columns")
    return given


def _informative(outcome: Outcome) -> list[list[_Curve]]:
    """The most informative panels."""
    if not len(outcome):
        raise ValueError("this run left no columns to draw\nhint: its facts say what was found")
    over = next(iter(outcome))
    if {"x", "y", "angle"} <= outcome.keys():
        return [*SLIDE]
    if "stability" in outcome:
        names = [name for name in ("amplitude", "phase") if not np.all(np.isnan(outcome[name]))]
        return [[(over, name)] for name in names]
    stems = {re.sub(r"_\d+$", "", name) for name in outcome}
    return [[(over, name) for name in _named(outcome, stem)] for stem in MOTION if stem in stems]


def _asked(outcome: Outcome, columns: Any) -> list[list[_Curve]]:
    """The panels that a caller asked for: a column over the first one, or one over another as a pair."""
    if isinstance(columns, str):
        raise TypeError(f"columns is one text, but a list is needed\nhint: columns=[{columns!r}]")
    if not columns:
        raise ValueError("columns is empty, but at least one is needed")
    panels = []
    for asked in columns:
        over, name = (next(iter(outcome), ""), asked) if isinstance(asked, str) else asked
        xs, ys = _named(outcome, over), _named(outcome, name)
        if len(xs) not in (1, len(ys)):
            raise ValueError(f"{name} has {len(ys)} columns, but {over} {len(xs)}\nhint: name them one by one, as {ys[0]}")
        panels.append(list(zip(xs * len(ys) if len(xs) == 1 else xs, ys)))
    return panels


def _named(outcome: Outcome, name: str) -> list[str]:
    """The column of that name; or all of a quantity, which are numbered."""
    if name in outcome:
        return [name]
    numbered = [column for column in outcome if re.fullmatch(rf"{re.escape(str(name))}_\d+", column)]
    if not numbered:
        close = difflib.get_close_matches(str(name), list(outcome), 1)
        hint = f"did you mean {close[0]}?" if close else f"one of: {', '.join(outcome)}"
        raise ValueError(f"no column is called {name}\nhint: {hint}")
    return numbered


def _panel(outcome: Outcome, panel: list[_Curve], ax: Any) -> None:
    over = panel[0][0]
    for x, y in panel:
        if "stability" in outcome:
            _branch(outcome, x, y, ax)
        elif next(iter(outcome)) == "t":
            label = _math(outcome.symbols[y]) if len(panel) > 1 else None
            ax.plot(outcome[x], outcome[y], label=label)
        else:
            ax.plot(outcome[x], outcome[y], ".", markersize=2.5, markeredgewidth=0.0)
    if (over, panel[0][1]) == ("x", "y"):
        _arrows(outcome, ax)
    symbols = {_bare(outcome.symbols[y]) for _, y in panel}
    symbol = symbols.pop() if len(symbols) == 1 and len(panel) > 1 else outcome.symbols[panel[0][1]]
    ax.set(xlabel=_label(outcome.symbols[over], outcome.units[over]))
    ax.set(ylabel=_label(symbol, outcome.units[panel[0][1]]))


def _branch(outcome: Outcome, x: str, y: str, ax: Any) -> None:
    """Periodic motions along a parameter: stable ones drawn through, unstable ones dashed, neutral ones dotted."""
    over, values, sign = outcome[x], outcome[y], outcome["stability"]
    if y == "phase":
        # from −π to π there is no way through the middle
        at = np.flatnonzero(np.abs(np.diff(values)) > np.pi) + 1
        over, values = np.insert(over, at, np.nan), np.insert(values, at, np.nan)
        sign = np.insert(sign, at, sign[at])
    # a point without a motion is a gap in the stable part
    parts = {"stable": ~((sign == 0.0) | (sign < 0.0)), "neutral": sign == 0.0, "unstable": sign < 0.0}
    ax.plot(over, np.where(parts["stable"], values, np.nan), label=None if np.all(parts["stable"]) else "stable")
    for name, dash in [("neutral", ":"), ("unstable", "--")]:
        is_own = parts[name]
        if np.any(is_own):
            # a point on the border belongs to both parts, so that the curve is not torn
            near = is_own.copy()
            near[1:] |= is_own[:-1]
            near[:-1] |= is_own[1:]
            ax.plot(over, np.where(near, values, np.nan), dash, label=name)


def _arrows(outcome: Outcome, ax: Any) -> None:
    """The body's x axis at equal ways along its path, and axes on which a metre is a metre."""
    way = np.cumsum(np.hypot(np.diff(outcome["x"], prepend=outcome["x"][0]), np.diff(outcome["y"], prepend=outcome["y"][0])))
    at = np.minimum(np.searchsorted(way, np.linspace(0.0, way[-1], ARROWS)), len(way) - 1)
    x, y, angle = (outcome[name][at] for name in ("x", "y", "angle"))
    ax.quiver(x, y, np.cos(angle), np.sin(angle), angles="xy", pivot="tail", width=0.006, scale=14.0, color="#7f7f7f", zorder=1.5)
    ax.margins(0.1)
    ax.set_aspect("equal", adjustable="datalim")


def _shade(outcome: Outcome, ax: Any, label: str) -> None:
    for start, end in _stick_phases(outcome):
        ax.axvspan(start, end, label=label or None, **STICK)
        label = ""


def _stick_phases(outcome: Outcome) -> list[tuple[float, float]]:
    """From `stick` to `slip`, if there is one contact."""
    t = outcome["t"]
    if any(name.startswith("sliding_") for name in outcome) or not len(t):
        return []
    phases: list[tuple[float, float]] = []
    changes = [event for event in outcome.events if event.kind in ("stick", "slip")]
    since = None
    if changes and changes[0].kind == "slip" or not changes and "sliding" in outcome and not np.any(outcome["sliding"]):
        since = float(t[0])
    for event in changes:
        if event.kind == "slip" and since is not None:
            phases.append((since, event.t))
        since = event.t if event.kind == "stick" else None
    if since is not None and since < t[-1]:
        phases.append((since, float(t[-1])))
    return phases


def _sides(friction: Friction) -> NDArray[np.float64]:
    """Velocities that show the law, on both sides of every breakpoint."""
    kinks = np.array(friction.breakpoints)
    sides = [kinks, np.nextafter(kinks, -np.inf), np.nextafter(kinks, np.inf)]
    return np.unique(np.concatenate([friction.grid(), *sides]))


def _torn(friction: Friction, v: NDArray[Any], phi: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """A curve with gaps at its jumps."""
    jumps = np.flatnonzero(np.isin(v, friction.breakpoints) | np.isin(np.nextafter(v, np.inf), friction.breakpoints))
    at = jumps[np.abs(np.diff(phi)[jumps]) > 1e-9 * friction.bound] + 1
    return np.insert(v, at, v[at]), np.insert(phi, at, np.nan)


def _name(friction: Friction) -> str:
    inner: Any = getattr(friction, "law", friction)
    return f"{type(inner).__name__}, steady sliding" if friction.has_memory else type(inner).__name__


def _legend(ax: Any) -> None:
    """A legend above the panel, where it hides nothing."""
    place = {"loc": "lower right", "bbox_to_anchor": (1.0, 1.0), "borderaxespad": 0.1}
    look = {"ncols": 6, "frameon": False, "fontsize": "small", "handlelength": 1.2, "columnspacing": 1.0}
    ax.legend(**place, **look)


def _label(symbol: str, unit: str) -> str:
    return f"{_math(symbol)} ({unit})"


def _bare(symbol: str) -> str:
    """A letter without its index."""
    return re.sub(r"[₀-₉]+|_\{[^}]*\}", "", symbol)


def _math(symbol: str) -> str:
    """A letter of the literature as matplotlib sets it: u̇ with its dot, indices below; words as they are."""
    index = "".join(str(ord(c) - ord("₀")) for c in symbol if "₀" <= c <= "₉")
    below = re.search(r"_\{([^}]*)\}", symbol)
    letter = unicodedata.normalize("NFD", _bare(symbol))
    accents = {"\u0307": r"\dot", "\u0308": r"\ddot"}
    accent = "".join(accents.get(c, "") for c in letter)
    letter = "".join(c for c in letter if c not in accents)
    if len(letter) != 1:
        return symbol
    index = below[1] if below else index
    body = f"{accent}{{{letter}}}" if accent else letter
    return f"${body}_{{{index}}}$" if index else f"${body}$"
