"""stiction: the exact engine for Coulomb friction, steady states without transients, patches in closed form."""

from pathlib import Path

import numpy as np
import stiction

import problems
from problems import PATCH, fastest

EXAMPLES = Path(__file__).parents[2] / "examples"


def oscillator(name):
    """The example itself, sampled on the grid of the comparison, and as often as the coarsest steps of others."""
    scenario = stiction.load(EXAMPLES / {"no_stick": "den_hartog.toml", "stick_slip": "stick_slip.toml"}[name])
    for every in (1, 2, 4):
        samples = problems.PERIODS * problems.SAMPLES // every + 1
        exact = stiction.Scenario(system=scenario.system, integrator=stiction.Exact(),
                                  analysis=stiction.Transient(periods=problems.PERIODS, samples=samples))
        seconds, outcome = fastest(lambda: stiction.run(exact))
        yield {"setting": f"exact, {samples} samples", "seconds": seconds, "every": every, "u": outcome["position"].tolist()}


def response():
    sweep = {"analysis.response.from": problems.RESPONSE["from"], "analysis.response.to": problems.RESPONSE["to"],
             "analysis.response.points": problems.RESPONSE["points"]}
    scenario = stiction.load(EXAMPLES / "frequency_response.toml", set=sweep)
    seconds, outcome = fastest(lambda: stiction.run(scenario))
    yield {"setting": "steady states, exact", "seconds": seconds, "amplitude": outcome["amplitude"].tolist()}


def disc():
    """At the tolerances of SciPy's best setting, and at those of its own."""
    n = round(problems.DISC_TIME / problems.DISC_SAMPLE)
    sampled = {"analysis.transient.duration": problems.DISC_TIME, "analysis.transient.samples": n + 1}
    for tolerance, settings in (("rtol 1e-08", {"rtol": 1e-8, "atol": 1e-10}), ("default rtol", {})):
        given = {f"integrator.adaptive.{key}": value for key, value in settings.items()}
        scenario = stiction.load(EXAMPLES / "spinning_disc.toml", set={**sampled, **given})
        seconds, outcome = fastest(lambda: stiction.run(scenario))
        yield {"setting": f"closed form of the patch, adaptive, {tolerance}", "seconds": seconds, "t": outcome["t"].tolist(),
               "x": outcome["x"].tolist(), "v": outcome["vx"].tolist(), "spin": outcome["omega"].tolist(),
               "facts": {"rest": outcome.facts["stop_time"], "limit": outcome.facts["final_ratio"]}}


def patch(shape):
    given = {"pressure": "uniform", "mu": PATCH["mu"], "load": PATCH["N"]}
    outline = (stiction.Disc(radius=PATCH["R"], **given) if shape == "disc" else
               stiction.Rectangle(length=2 * PATCH["a"], width=2 * PATCH["b"], **given))
    many = np.array(problems.twists(1000))
    seconds, found = fastest(lambda: outline.wrench(many))
    yield {"setting": "closed form", "seconds": seconds / len(many), "wrench": found[: problems.CHECKED].tolist()}


if __name__ == "__main__":
    problems.serve("stiction", stiction.__version__, {
        "no_stick": lambda: oscillator("no_stick"), "stick_slip": lambda: oscillator("stick_slip"), "response": response,
        "disc": disc, "patch_disc": lambda: patch("disc"), "patch_rectangle": lambda: patch("rectangle"),
    })
