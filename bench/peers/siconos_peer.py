"""Siconos: Moreau–Jean time stepping with set-valued friction. Run by Debian's Python (package python3-siconos).

One-dimensional friction is a relay law between velocity and impulse, so its bounds are ±μ h. θ = 1/2 measured best. The loop
over steps runs in Python, as in the examples of Siconos.
"""

import subprocess

import numpy as np
import siconos.kernel as sk

import problems
from problems import DISC, fastest

ALWAYS = 1e9  # the activation threshold: a relay law has no gap that could open


def simulation(h, bodies, interactions, theta, problem):
    """Time stepping of bodies with interactions (law, relation, body)."""
    system = sk.NonSmoothDynamicalSystem(0.0, 1e9)
    for body in bodies:
        system.insertDynamicalSystem(body)
    for law, relation, body in interactions:
        system.link(sk.Interaction(law, relation), body)
    stepper = sk.MoreauJeanOSI(theta)
    stepper.setConstraintActivationThreshold(ALWAYS)
    return sk.TimeStepping(system, sk.TimeDiscretisation(0.0, h), stepper, problem)


def slider(case, h):
    body = sk.LagrangianLinearTIDS([0.0], [0.0], [[case["m"]]], [[case["k"]]], [[case["c"]]])
    force = sk.SiconosVector(1, 0.0)
    body.setFExtPtr(force)
    relay = sk.RelayNSL(1, -case["mu"] * h, case["mu"] * h)
    return simulation(h, [body], [(relay, sk.LagrangianLinearTIR([[1.0]]), body)], 0.5, sk.Relay()), body, force


def loads(case, h, n):
    """The load in the middle of each step."""
    return (case["P"] * np.sin(case["omega"] * h * (np.arange(n) + 0.5))).tolist()


def advance(simulation, body, force, load, every=1):
    """Steps through the load; states at the end of every so many steps."""
    states = []
    for i, value in enumerate(load, 1):
        force.setValue(0, value)
        simulation.computeOneStep()
        simulation.nextStep()
        if i % every == 0:
            states.append((body.q()[0], body.velocity()[0]))
    return states


def oscillator(name):
    case = problems.OSCILLATORS[name]
    for per_sample, h, n, every in problems.steps(case):
        load = loads(case, h, n)
        seconds, states = fastest(lambda made: advance(*made, load, per_sample), lambda: slider(case, h))
        yield {"setting": f"step {h:.3g} s", "seconds": seconds, "every": every, "u": [0.0, *(float(u) for u, _ in states)]}


def response():
    for per_period in (16, 128, 512):
        def prepared():
            cases = [(case, problems.period(case) / per_period) for case in map(problems.response_case, problems.frequencies())]
            return [(slider(case, h), loads(case, h, per_period) * problems.PERIODS_AT_ONCE) for case, h in cases]

        def steady(made, load):

            def some_periods():
                states = advance(*made, load)
                return [u for u, _ in states[-per_period:]], states[-1]

            return float(problems.steady_amplitude(some_periods, 1e-5))

        seconds, amplitude = fastest(lambda systems: [steady(*one) for one in systems], prepared)
        yield {"setting": f"{per_period} steps a period", "seconds": seconds, "amplitude": amplitude}


def disc_of_feet(n, h):
    """Coordinates x, y, angle, and the height of each foot, which carries its share of the weight.

    The feet do not turn with the disc: their pattern stands for a uniform pressure at any angle, and the relations stay linear.
    """
    mass = np.diag([DISC["m"], DISC["m"], DISC["I"]] + [DISC["m"] / n] * n)
    body = sk.LagrangianLinearTIDS(np.zeros(n + 3), np.array([DISC["v"], 0.0, DISC["spin"]] + [0.0] * n), mass)
    body.setFExtPtr(np.array([0.0] * 3 + [-DISC["m"] * DISC["g"] / n] * n))
    interactions = []
    for i, (x, y) in enumerate(problems.sunflower(n, DISC["R"])):
        relation = np.zeros((3, n + 3))
        relation[0, 3 + i] = 1.0
        relation[1, 0], relation[1, 2] = 1.0, -y
        relation[2, 1], relation[2, 2] = 1.0, x
        interactions.append((sk.NewtonImpactFrictionNSL(0.0, 0.0, DISC["mu"], 3), sk.LagrangianLinearTIR(relation), body))
    problem = sk.FrictionContact(3)
    problem.numericsSolverOptions().dparam[0] = 1e-8
    return simulation(h, [body], interactions, 0.5, problem), body


def disc():
    for n, h in ((16, 1e-2), (36, 1e-2), (36, 2e-3)):
        every = max(1, round(problems.DISC_SAMPLE / h))

        def run(made):
            simulation, body = made
            path = [(0.0, 0.0, DISC["v"], DISC["spin"])]
            for i in range(1, round(problems.DISC_TIME / h) + 1):
                simulation.computeOneStep()
                simulation.nextStep()
                if i % every == 0:
                    q, v = body.q(), body.velocity()
                    path.append((i * h, float(q[0]), float(v[0]), float(v[2])))
            return path

        seconds, path = fastest(run, lambda: disc_of_feet(n, h))
        t, x, v, spin = zip(*path)
        yield {"setting": f"{n} feet, step {h:g} s", "seconds": seconds, "t": t, "x": x, "v": v, "spin": spin}


def version():
    query = ["dpkg-query", "-W", "-f", "${Version}", "python3-siconos"]
    return subprocess.run(query, capture_output=True, text=True).stdout or "unknown"


if __name__ == "__main__":
    problems.serve("Siconos", version(), {
        "no_stick": lambda: oscillator("no_stick"), "stick_slip": lambda: oscillator("stick_slip"), "response": response,
        "disc": disc,
    })
