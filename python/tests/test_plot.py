"""Figures: what is drawn, where, and with which labels."""

import sys
from pathlib import Path

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import pytest

import stiction
from stiction import _plot

matplotlib.use("Agg")

EXAMPLES = Path(__file__).parents[2] / "examples"
LAWS = [
    stiction.Linear(mu=0.3, width=0.1, rise=0.05),
    stiction.Trigonometric(mu=1.6, width=0.8),
    stiction.CircularLinear(mu=0.3, width=0.1, radius=0.05),
    stiction.Quinn(mu=0.3, width=0.1),
    stiction.Coulomb(mu=0.3, mu_static=0.4),
    stiction.SignCoulomb(mu=0.3),
    stiction.Karnopp(mu=0.3, width=0.1, mu_static=0.4),
    stiction.Tanh(mu=0.3, width=0.1),
    stiction.Stribeck(mu=0.3, mu_static=0.5, velocity=0.1, width=0.01),
    stiction.Dahl(mu=0.3, stiffness=1000.0),
    stiction.Lugre(mu=0.3, mu_static=0.5, velocity=0.1, stiffness=1000.0, damping=1.0),
    stiction.Contact(law=stiction.Coulomb(mu=0.3), viscous=0.2, load=3.0),
]


@pytest.fixture(autouse=True)
def figures():
    yield
    plt.close("all")


@pytest.fixture(scope="module")
def motion():
    return stiction.run(EXAMPLES / "stick_slip.toml")


@pytest.fixture(scope="module")
def slide():
    return stiction.run(EXAMPLES / "sliding_block.toml")


@pytest.fixture(scope="module")
def masses():
    return stiction.run(stiction.load(EXAMPLES / "two_masses.toml", set={"periods": 3, "window": [0, 3]}))


@pytest.fixture(scope="module")
def response():
    return stiction.run(stiction.load(EXAMPLES / "frequency_response.toml", set={"points": 30}))


def labels(axes):
    return [(ax.get_xlabel(), ax.get_ylabel()) for ax in axes]


def texts(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()] if ax.get_legend() else []


def drawn(axes):
    """Everything is laid out without a warning, and no panel's decorations cover another panel."""
    figure = axes[0].figure
    figure.canvas.draw()
    boxes = [ax.get_window_extent() for ax in axes]
    for ax in axes:
        around = ax.get_tightbbox()
        others = [box for other, box in zip(axes, boxes) if other is not ax]
        assert not any(around.overlaps(box) for box in others)
        assert 0 <= around.x0 and around.x1 <= figure.bbox.x1 and 0 <= around.y0 and around.y1 <= figure.bbox.y1


@pytest.mark.parametrize("law", LAWS, ids=repr)
def test_a_law_is_drawn_as_it_is(law):
    ax = law.plot()
    drawn([ax])
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("$v$ (m/s)", "$φ$ (-)")
    v, phi = ax.lines[0].get_data()
    shown = np.isfinite(phi) & (v != 0.0)
    assert np.array_equal(phi[shown], law(v[shown]))
    if law.graph != "set-valued":
        assert np.isin(law.grid(), v).all()


def test_a_jump_is_not_bridged():
    v, phi = stiction.Karnopp(mu=0.3, width=0.1).plot().lines[0].get_data()
    steps = np.abs(np.diff(phi))
    assert np.nanmax(steps) == 0.0
    assert np.isnan(phi).sum() == 2
    v, phi = stiction.Coulomb(mu=0.3, mu_static=0.4).plot().lines[0].get_data()
    assert phi.tolist() == [-0.3, -0.3, -0.4, 0.4, 0.3, 0.3]


def test_breakpoints_are_marked():
    law = stiction.Trigonometric(mu=1.6, width=0.8, rise=0.4)
    marks = law.plot().lines[1]
    assert marks.get_xdata().tolist() == law.breakpoints
    assert marks.get_ydata().tolist() == law(np.array(law.breakpoints)).tolist()


def test_laws_share_an_axes():
    figure, ax = plt.subplots()
    assert stiction.Tanh(mu=0.3, width=0.1).plot(ax) is ax
    stiction.Linear(mu=0.3, width=0.1).plot(ax)
    ax.legend()
    assert texts(ax) == ["Tanh", "Linear"]


def test_a_motion_is_three_panels_with_stick_shaded(motion):
    axes = motion.plot()
    drawn(axes)
    assert labels(axes) == [("", "$u$ (m)"), ("", r"$\dot{u}$ (m/s)"), ("$t$ (s)", "$H$ (N)")]
    assert [text.get_text() for text in axes[0].figure.texts] == [motion.title]
    for ax, name in zip(axes, ("position", "velocity", "friction")):
        assert np.array_equal(ax.lines[0].get_ydata(), motion[name])
        # from stick to slip, four times in two periods
        assert len(ax.patches) == 4
        left, right = ax.patches[0].get_extents().transformed(ax.transData.inverted()).intervalx
        assert (left, right) == pytest.approx((motion.events[0].t, motion.events[1].t))
    assert [texts(ax) for ax in axes] == [["stick"], [], []]


def test_rest_from_beginning_to_end_is_shaded():
    block = stiction.Oscillator(mass=1.0, stiffness=1.0, friction=stiction.Coulomb(mu=1.0), initial=stiction.Initial(position=0.5))
    scenario = stiction.Scenario(system=block, integrator=stiction.Exact(), analysis=stiction.Transient(duration=2.0))
    assert _plot._stick_phases(scenario.run()) == [(0.0, 2.0)]


def test_a_window_that_begins_or_ends_in_rest_is_shaded_to_its_ends(motion):
    stick, slip = motion.events[0].t, motion.events[1].t
    middle = (stick + slip) / 2
    scenario = stiction.load(EXAMPLES / "stick_slip.toml")

    def phases(start, end):
        return _plot._stick_phases(scenario.set({"analysis": {"transient": {"duration": end, "window": [start, end]}}}).run())

    assert phases(middle, slip + 0.1) == [pytest.approx((middle, slip))]
    assert phases(stick - 0.1, middle) == [pytest.approx((stick, middle))]


def test_degrees_of_freedom_share_a_panel(masses):
    axes = masses.plot()
    drawn(axes)
    assert labels(axes) == [("", "$u$ (m)"), ("", r"$\dot{u}$ (m/s)"), ("$t$ (s)", "$H$ (N)")]
    assert texts(axes[1]) == [r"$\dot{u}_{0}$", r"$\dot{u}_{1}$"]
    (ax,) = masses.plot(["friction_1"])
    assert ax.get_ylabel() == "$H_{1}$ (N)"
    (ax,) = masses.plot([("position", "velocity")])
    assert [np.array_equal(line.get_xdata(), masses[f"position_{i}"]) for i, line in enumerate(ax.lines)] == [True, True]


def test_a_slide_shows_its_path_with_equal_axes(slide):
    axes = slide.plot()
    drawn(axes)
    assert labels(axes) == [("$x$ (m)", "$y$ (m)"), ("$t$ (s)", "$v$ (m/s)"), ("$t$ (s)", "$ω$ (rad/s)"), ("$t$ (s)", "$F$ (N)")]
    assert axes[0].get_aspect() == 1.0
    assert np.array_equal(axes[0].lines[0].get_ydata(), slide["y"])
    assert texts(axes[1]) == ["stick", "$v_{x}$", "$v_{y}$"]


def test_a_response_is_drawn_through_and_its_unstable_part_dashed(response):
    axes = response.plot()
    drawn(axes)
    assert labels(axes) == [("", "$X$ (m)"), ("$ω$ (rad/s)", "phase (rad)")]
    assert [len(ax.lines) for ax in axes] == [1, 1]
    stability = np.ones(30)
    stability[10:20] = -1.0
    response = part(response, stability=stability)
    through, dashed = response.plot()[0].lines
    assert dashed.get_linestyle() == "--"
    assert np.flatnonzero(np.isnan(through.get_ydata())).tolist() == list(range(10, 20))
    assert np.flatnonzero(np.isfinite(dashed.get_ydata())).tolist() == list(range(9, 21))
    assert texts(response.plot()[0]) == ["stable", "unstable"]
    stability[5:8] = 0.0
    axes = part(response, stability=stability).plot()
    assert texts(axes[0]) == ["stable", "neutral", "unstable"]
    assert axes[0].lines[1].get_linestyle() == ":"


def test_a_phase_is_torn_where_it_wraps(response):
    phase = np.linspace(-3.0, -3.5, 30)
    response = part(response, phase=np.where(phase < -np.pi, phase + 2.0 * np.pi, phase))
    assert np.nanmax(np.abs(np.diff(response.plot()[1].lines[0].get_ydata()))) < 0.1
    missing = part(response, phase=np.full(30, np.nan))
    assert labels(missing.plot()) == [("$ω$ (rad/s)", "$X$ (m)")]


def part(outcome, **columns):
    """An outcome with columns put in place of its own."""
    changed = stiction.Outcome(outcome._native)
    changed._columns = {**changed._columns, **columns}
    return changed


def test_a_bifurcation_is_dots():
    block = stiction.Oscillator(
        mass=1.0, damping=0.1, stiffness=1.0, force=stiction.Load(amplitude=2.0, omega=0.5), friction=stiction.Coulomb(mu=1.0)
    )
    analysis = stiction.Bifurcation(parameter="mu", from_=0.5, to=1.0, points=5, transient=5, samples=3)
    axes = stiction.Scenario(system=block, analysis=analysis).run().plot()
    drawn(axes)
    assert labels(axes) == [("", "$u$ (m)"), ("$μ$ (-)", r"$\dot{u}$ (m/s)")]
    for ax in axes:
        (dots,) = ax.lines
        assert (dots.get_marker(), dots.get_linestyle(), len(dots.get_xdata())) == (".", "None", 15)


def test_a_comparison_is_log_log_with_a_line_for_each_law():
    comparison = stiction.compare(EXAMPLES / "free_decay.toml", laws=["linear", "quinn"], widths=[0.01, 0.1])
    axes = comparison.plot()
    axes[0].figure.canvas.draw()
    assert labels(axes) == [("width (m/s)", "trajectory error (m)"), ("width (m/s)", "creep error (m/s)")]
    assert {(ax.get_xscale(), ax.get_yscale()) for ax in axes} == {("log", "log")}
    assert [line.get_label() for line in axes[0].lines] == ["linear", "quinn"]
    assert axes[1].lines[1].get_ydata().tolist() == comparison["creep"][2:].tolist()
    figure, given = plt.subplots(1, 2)
    assert comparison.plot(given).tolist() == given.tolist()
    assert texts(given[1]) == ["linear", "quinn"]


def test_it_draws_into_given_axes(motion):
    figure, axes = plt.subplots(2, 2)
    found = motion.plot(["position", "friction", ("position", "velocity"), ("velocity", "friction")], axes)
    assert found.tolist() == axes.ravel().tolist()
    assert labels(found)[2:] == [("$u$ (m)", r"$\dot{u}$ (m/s)"), (r"$\dot{u}$ (m/s)", "$H$ (N)")]
    assert len(plt.get_fignums()) == 1


def test_what_cannot_be_drawn_says_why(motion, masses):
    figure, axes = plt.subplots(2)
    with pytest.raises(ValueError, match="there are 3 panels, but 2 axes\nhint: plt.subplots"):
        motion.plot(axes=axes)
    with pytest.raises(TypeError, match="axes holds Figure, but matplotlib axes are needed"):
        motion.plot(["position"], figure)
    with pytest.raises(ValueError, match="no column is called positoin\nhint: did you mean position?"):
        motion.plot(["positoin"])
    with pytest.raises(ValueError, match="no column is called qqq\nhint: one of: t, position, "):
        motion.plot([("qqq", "position")])
    with pytest.raises(TypeError, match=r"a list is needed\nhint: columns=\['position'\]"):
        motion.plot("position")
    with pytest.raises(ValueError, match="columns is empty"):
        motion.plot([])
    with pytest.raises(ValueError, match="position_0 has 1 columns, but velocity 2"):
        masses.plot([("velocity", "position_0")])
    assert len(plt.get_fignums()) == 1


def test_a_periodic_motion_of_a_law_with_memory_is_drawn():
    block = stiction.Oscillator(
        mass=1.0,
        damping=0.1,
        stiffness=1.0,
        force=stiction.Load(amplitude=2.0, omega=0.5),
        friction=stiction.Dahl(mu=0.3, stiffness=100.0),
    )
    outcome = stiction.Scenario(system=block, analysis=stiction.Steady()).run()
    # one period, from which it goes on as it began
    assert outcome["t"][-1] - outcome["t"][0] == pytest.approx(outcome.facts["period"])
    assert outcome["position"][-1] == pytest.approx(outcome["position"][0], abs=1e-7)
    outcome.plot()
    assert len(plt.get_fignums()) == 1


def test_matplotlib_is_asked_for_when_missing(motion, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match="matplotlib is not installed\nhint: pip install matplotlib"):
        motion.plot()


@pytest.mark.parametrize(
    ("symbol", "text"),
    [
        ("u", "$u$"),
        ("u̇", r"$\dot{u}$"),
        ("ü", r"$\ddot{u}$"),
        ("u̇₁₂", r"$\dot{u}_{12}$"),
        ("v_{x}", "$v_{x}$"),
        ("ω", "$ω$"),
        ("belt speed", "belt speed"),
    ],
)
def test_letters_are_set_as_mathematics(symbol, text):
    assert _plot._math(symbol) == text


def test_a_figure_is_saved_with_the_width_the_panels_and_the_letters_asked_for(motion, tmp_path):
    motion.save(tmp_path / "a.svg", width=60, panels=["b"])
    motion.save(tmp_path / "b.svg", outlines=True)
    motion.save(tmp_path / "c.pdf")
    narrow, outlined = ((tmp_path / name).read_text(encoding="utf-8") for name in ("a.svg", "b.svg"))
    assert "<text" in narrow and "<text" not in outlined
    assert narrow.partition('width="')[2].startswith("60mm")
    assert len(narrow) < 0.5 * len(motion._repr_svg_())
    assert (tmp_path / "c.pdf").read_bytes().startswith(b"%PDF-")
    for options, message in [
        ({"panels": ["zz"]}, "there is no panel zz\nhint: the panels are a, b"),
        ({"width": 5}, "from 30 to 1000"),
        ({"width": np.nan}, "not finite"),
    ]:
        with pytest.raises(ValueError, match=message):
            motion.save(tmp_path / "d.png", **options)
    with pytest.raises(TypeError, match="a list is needed"):
        motion.save(tmp_path / "d.png", panels="a")
    with pytest.raises(ValueError, match="are for figures"):
        motion.save(tmp_path / "d.csv", width=60)
    assert not (tmp_path / "d.png").exists() and not (tmp_path / "d.csv").exists()
