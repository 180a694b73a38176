"""MuJoCo: dry friction of a joint (`frictionloss`), and contacts under an elliptic cone.

The hardest friction that the engine allows: impedance 0.9999, time constant of two steps. Steps run inside the engine
(`mujoco.rollout`), in one thread. Euler takes the load at the start of a step, RK4 in its middle: both measured best so.
"""

import mujoco
import numpy as np
from mujoco import rollout

import problems
from problems import DISC, fastest

FOOT = 0.002  # radius of a sphere that makes one contact (m)
HARD = "0.9999 0.9999 0.001 0.5 2"
WHOLE = mujoco.mjtState.mjSTATE_FULLPHYSICS
LOAD_AT = {"Euler": 0.0, "RK4": 0.5}


def slider(case, h, integrator):
    return mujoco.MjModel.from_xml_string(f"""<mujoco>
      <option timestep="{h!r}" integrator="{integrator}" gravity="0 0 0" tolerance="1e-14"><flag contact="disable"/></option>
      <worldbody><body>
        <inertial pos="0 0 0" mass="{case['m']}" diaginertia="1 1 1"/>
        <joint name="u" type="slide" axis="1 0 0" stiffness="{case['k']}" damping="{case['c']}" frictionloss="{case['mu']}"
               solreffriction="{2 * h!r} 1" solimpfriction="{HARD}"/>
      </body></worldbody>
      <actuator><motor joint="u"/></actuator>
    </mujoco>""")


def load(case, h, n, integrator):
    return (case["P"] * np.sin(case["omega"] * h * (np.arange(n) + LOAD_AT[integrator]))).reshape(1, n, 1)


def oscillator(name):
    case = problems.OSCILLATORS[name]
    for integrator, finest in (("Euler", (16384,)), ("RK4", ())):
        for per_sample, h, n, every in problems.steps(case, (16, 32, 64, 256, 1024, 4096, *finest)):
            model = slider(case, h, integrator)
            data, control = mujoco.MjData(model), load(case, h, n, integrator)
            start = np.zeros(mujoco.mj_stateSize(model, WHOLE))
            seconds, (states, _) = fastest(lambda: rollout.rollout(model, data, start, control))
            u = [0.0, *states[0, per_sample - 1::per_sample, 1].tolist()]
            yield {"setting": f"{integrator}, step {h:.3g} s", "series": integrator, "seconds": seconds, "every": every, "u": u}


def response():
    integrator, n_periods = "Euler", problems.PERIODS_AT_ONCE
    for per_period in (16, 64, 256, 1024, 4096):
        prepared = []
        for omega in problems.frequencies():
            case = problems.response_case(omega)
            h = problems.period(case) / per_period
            model = slider(case, h, integrator)
            prepared.append((model, mujoco.MjData(model), load(case, h, n_periods * per_period, integrator)))

        def steady(model, data, control):
            start = np.zeros(mujoco.mj_stateSize(model, WHOLE))

            def advance():
                nonlocal start
                states, _ = rollout.rollout(model, data, start, control)
                start = states[0, -1].copy()
                start[0] = 0.0
                return states[0, -per_period:, 1], states[0, -1, 1:3]

            return float(problems.steady_amplitude(advance, 1e-5))

        seconds, amplitude = fastest(lambda: [steady(*one) for one in prepared])
        yield {"setting": f"{integrator}, {per_period} steps a period", "seconds": seconds, "amplitude": amplitude}


def disc_model(h, body):
    return mujoco.MjModel.from_xml_string(f"""<mujoco>
      <option timestep="{h!r}" integrator="implicitfast" gravity="0 0 {-DISC['g']}" cone="elliptic" impratio="100" tolerance="1e-10"/>
      <worldbody><geom type="plane" size="5 5 0.1"/><body>
        <joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 1 0"/><joint type="hinge" axis="0 0 1"/>
        {body}
      </body></worldbody>
    </mujoco>""")


def contact(h, torsion=None):
    cone = f'condim="4" friction="{DISC["mu"]} {torsion!r} 0"' if torsion else f'condim="3" friction="{DISC["mu"]} 0 0"'
    return f'{cone} solref="{10 * h!r} 1" solimp="{HARD}" priority="1" mass="0"'


def rigid(geoms):
    """One rigid body on all its contacts, which share the weight as the solver pleases."""
    inertia = f"{DISC['I'] / 2} {DISC['I'] / 2} {DISC['I']}"
    return f'<joint type="slide" axis="0 0 1"/><inertial pos="0 0 0" mass="{DISC["m"]}" diaginertia="{inertia}"/>{geoms}'


def feet(n, h):
    """n feet that are free to move up and down, each with its share of the mass: together the inertia is m R²/2."""
    each = "".join(f"""<body pos="{x!r} {y!r} 0">
        <inertial pos="0 0 0" mass="{DISC['m'] / n!r}" diaginertia="1e-9 1e-9 1e-9"/><joint type="slide" axis="0 0 1"/>
        <geom type="sphere" size="{FOOT}" pos="0 0 {FOOT}" {contact(h)}/>
      </body>""" for x, y in problems.sunflower(n, DISC["R"]))
    return f'<inertial pos="0 0 0" mass="1e-9" diaginertia="1e-12 1e-12 1e-12"/>{each}'


def disc():
    R = DISC["R"]

    def cylinder(h):
        return f'<geom type="cylinder" size="{R} {FOOT}" pos="0 0 {FOOT}" {contact(h)}/>'

    def torsion(h):
        # an ellipsoid through both ends of the disc's limit surface: the moment of pure spin is μ N 2R/3
        return f'<geom type="sphere" size="{FOOT}" pos="0 0 {FOOT}" {contact(h, DISC["mu"] * 2 * R / 3)}/>'

    spheres = "".join(f'<geom type="sphere" size="{FOOT}" pos="{x!r} {y!r} {FOOT}" {contact(1e-3)}/>'
                      for x, y in problems.sunflower(64, R))
    variants = [(name, h, rigid(geom(h))) for name, geom in (("cylinder", cylinder), ("one contact with torsion", torsion))
                for h in (1e-2, 1e-3)]
    variants += [("64 contacts on a rigid body", 1e-3, rigid(spheres))]
    variants += [(f"{n} feet", h, feet(n, h)) for n, h in ((16, 1e-2), (16, 1e-3), (64, 1e-3), (64, 1e-4), (200, 1e-3))]
    for name, h, body in variants:
        model = disc_model(h, body)
        data = mujoco.MjData(model)
        start = np.zeros(mujoco.mj_stateSize(model, WHOLE))
        # time, then positions and velocities, each of x, y, angle and so on
        v, spin = 1 + model.nq, 3 + model.nq
        start[v], start[spin] = DISC["v"], DISC["spin"]
        n, every = round(problems.DISC_TIME / h), max(1, round(problems.DISC_SAMPLE / h))
        seconds, (states, _) = fastest(lambda: rollout.rollout(model, data, start, nstep=n))
        path = np.concatenate([start.reshape(1, -1), states[0, every - 1::every]])
        yield {"setting": f"{name}, step {h:g} s", "seconds": seconds, "t": path[:, 0].tolist(), "x": path[:, 1].tolist(),
               "v": path[:, v].tolist(), "spin": path[:, spin].tolist()}


if __name__ == "__main__":
    problems.serve("MuJoCo", mujoco.__version__, {
        "no_stick": lambda: oscillator("no_stick"), "stick_slip": lambda: oscillator("stick_slip"), "response": response,
        "disc": disc,
    })
