"""Figures of the comparison, as SVG and PNG."""

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np

import problems
import truth

# Okabe and Ito's colours, which colour-blind readers distinguish
STYLE = {
    "stiction": ("#D55E00", "*"), "SciPy": ("#0072B2", "o"), "MuJoCo": ("#009E73", "s"), "Exudyn": ("#CC79A7", "^"),
    "PyBullet": ("#E69F00", "D"), "Siconos": ("#56B4E9", "v"),
}
LABELS = {"events": "DOP853, events", "smoothed": "LSODA, smoothed"}
plt.rcParams.update({
    "font.size": 9, "axes.labelsize": 9, "axes.titlesize": 10, "legend.fontsize": 8, "legend.frameon": False, "figure.dpi": 200,
    "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True, "grid.color": "#e4e4e4", "grid.linewidth": 0.6,
    "lines.linewidth": 1.3, "lines.markersize": 5, "svg.hashsalt": "stiction",
})


def draw(reports, out):
    for name, figure in (("work_precision", work_precision), ("response", response), ("disc", disc), ("patch", patch)):
        drawn = figure([report for report in reports if report["results"]])
        drawn.savefig(out / f"{name}.svg", metadata={"Date": None})
        drawn.savefig(out / f"{name}.png")
        plt.close(drawn)


def style(peer, is_second=False):
    colour, marker = STYLE[peer]
    return {"color": colour, "marker": marker, "linestyle": "--" if is_second else "-", "markersize": 11 if peer == "stiction" else 5,
            "markerfacecolor": "white" if is_second else colour, "zorder": 3 if peer == "stiction" else 2}


def series(rows):
    """Rows by series, in order of appearance."""
    found = {}
    for row in rows:
        found.setdefault(row.get("series", ""), []).append(row)
    return found


def below(figure, axes, columns):
    """One legend for all panels, below them."""
    entries = {}
    for one in axes:
        for handle, label in zip(*one.get_legend_handles_labels()):
            entries.setdefault(label, handle)
    figure.legend(entries.values(), entries.keys(), loc="outside lower center", ncols=columns)


def work_precision(reports):
    figure, axes = plt.subplots(1, 2, figsize=(7.2, 4.0), sharey=True, layout="constrained")
    for one, (problem, title) in zip(axes, (("no_stick", "no stick"), ("stick_slip", "stick-slip"))):
        for report in reports:
            for i, (name, rows) in enumerate(series(report["results"].get(problem, [])).items()):
                label = f"{report['peer']}, {LABELS.get(name, name)}" if name else report["peer"]
                one.loglog([row["seconds"] for row in rows], [row["error"] for row in rows], label=label, **style(report["peer"], i > 0))
        one.set(title=f"Forced Coulomb oscillator, {title}", xlabel="computing time (s)")
    axes[0].set_ylabel("largest error of the position (-)")
    below(figure, axes, 4)
    return figure


def response(reports):
    figure, axes = plt.subplots(1, 3, figsize=(9.6, 3.7), layout="constrained")
    omega, floor = np.array(problems.frequencies()), 1e-16
    axes[0].plot(omega, truth.response(), color="black", linewidth=1.2)
    axes[0].set(title="Truth", xlabel="angular frequency (rad/s)", ylabel="amplitude (m)")
    for report in reports:
        rows = report["results"].get("response", [])
        if not rows:
            continue
        look = style(report["peer"])
        best = min(rows, key=lambda row: row["error"])
        axes[1].semilogy(omega, np.maximum(best["errors"], floor), color=look["color"], label=report["peer"])
        axes[2].loglog([row["seconds"] for row in rows], [row["error"] for row in rows], label=report["peer"], **look)
    axes[1].set(title="Error, most accurate setting", xlabel="angular frequency (rad/s)", ylabel="error of the amplitude (-)")
    axes[2].set(title="Largest error against time", xlabel="computing time per point (s)", ylabel="largest error of the amplitude (-)")
    below(figure, axes[2:], 6)
    return figure


def disc(reports):
    figure, axes = plt.subplots(1, 2, figsize=(8.4, 4.2), layout="constrained")
    facts, (t, _, v, spin) = truth.disc()
    R, is_late = problems.DISC["R"], (v > 2e-4)
    axes[0].plot(t, v, color="black", linewidth=2.6, alpha=0.25, label="truth")
    axes[0].plot(t, spin * R, color="black", linewidth=2.6, alpha=0.25)
    axes[1].semilogx(v[is_late], (v / (spin * R))[is_late], color="black", linewidth=2.6, alpha=0.25)
    for report in reports:
        rows = report["results"].get("disc", [])
        if not rows:
            continue
        # the most accurate setting; and dashed the body as one would model it first, if it is another
        best = min(rows, key=lambda row: row["error"])
        plain = [row for row in rows if row["setting"].startswith("cylinder")][-1:]
        colour = STYLE[report["peer"]][0]
        for row, line in [(best, "-")] + [(row, ":") for row in plain]:
            label = f"{report['peer']}, {row['setting'].split(',')[0]}"
            v, spin = np.array(row["v"]), np.array(row["spin"])
            keep = (v > 2e-3) & (spin > 0)
            axes[0].plot(row["t"], v, line, color=colour, label=label)
            axes[0].plot(row["t"], spin * R, line, color=colour)
            axes[1].semilogx(v[keep], v[keep] / (spin[keep] * R), line, color=colour)
            if report["peer"] == "stiction":
                stars = {"marker": "*", "markersize": 9, "linestyle": "none", "color": colour, "zorder": 4}
                axes[0].plot(row["t"][::200], v[::200], **stars)
                axes[0].plot(row["t"][::200], spin[::200] * R, **stars)
                few = [np.abs(v - 10.0 ** -power).argmin() for power in (0.25, 0.75, 1.25, 1.75, 2.25)]
                axes[1].plot(v[few], v[few] / (spin[few] * R), **stars)
    axes[0].set(title="Speeds", xlabel="time (s)", ylabel="v and ωR (m/s)", xlim=(0, 1.5), ylim=(-0.02, 3.1))
    axes[0].annotate("ωR", (0.32, 2.3))
    axes[0].annotate("v", (0.3, 0.62))
    axes[1].axhline(facts["limit"], color="black", linewidth=0.8, linestyle="--")
    axes[1].annotate(f"limit {facts['limit']:.3f}", (0.9, facts["limit"] + 0.015), ha="left", fontsize=8)
    axes[1].set(title="Ratio as the disc comes to rest", xlabel="v (m/s), falling", ylabel="v/(ωR) (-)", xlim=(1, 2e-3), ylim=(0, 1.05))
    below(figure, axes[:1], 3)
    return figure


def patch(reports):
    figure, axes = plt.subplots(1, 2, figsize=(7.2, 3.6), sharey=True, layout="constrained")
    for one, (problem, title) in zip(axes, (("patch_disc", "disc"), ("patch_rectangle", "rectangle"))):
        for report in reports:
            rows = report["results"].get(problem, [])
            for i, part in enumerate(("Gauss", "dblquad", "closed")):
                kind = [row for row in rows if row["setting"].startswith(part)]
                if kind:
                    one.loglog([1 / row["seconds"] for row in kind], [row["error"] for row in kind],
                               label=f"{report['peer']}, {kind[0]['setting'].split(',')[0]}", **style(report["peer"], i == 1))
        one.set(title=f"Friction wrench of a {title}", xlabel="evaluations per second (1/s)")
    axes[0].set_ylabel("largest error (-)")
    below(figure, axes, 3)
    return figure
