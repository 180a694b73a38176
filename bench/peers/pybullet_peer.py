"""PyBullet: a velocity motor of limited force as dry friction of a joint; spheres on a plane as feet.

PyBullet has no batch step and no springs in joints: its loop runs in Python, and the times show it.
"""

import math

import pybullet as bullet

import problems
from problems import DISC, fastest

PRISMATIC = {
    "linkCollisionShapeIndices": [-1], "linkVisualShapeIndices": [-1], "linkPositions": [[0, 0, 0]],
    "linkOrientations": [[0, 0, 0, 1]], "linkInertialFramePositions": [[0, 0, 0]],
    "linkInertialFrameOrientations": [[0, 0, 0, 1]], "linkParentIndices": [0], "linkJointTypes": [bullet.JOINT_PRISMATIC],
    "linkJointAxis": [[1, 0, 0]],
}
FOOT = 0.002  # radius of a sphere that makes one contact (m)


def slider(case, h):
    bullet.resetSimulation()
    bullet.setGravity(0, 0, 0)
    bullet.setTimeStep(h)
    body = bullet.createMultiBody(0, -1, -1, linkMasses=[case["m"]], **PRISMATIC)
    bullet.changeDynamics(body, 0, linearDamping=0, angularDamping=0, jointDamping=0, maxJointVelocity=1e6)
    bullet.setJointMotorControl2(body, 0, bullet.VELOCITY_CONTROL, targetVelocity=0, force=case["mu"])
    return body


def loads(case, h, n):
    """The load at the start of each step, which measured best."""
    return [case["P"] * math.sin(case["omega"] * h * i) for i in range(n)]


def advance(body, case, load, state):
    """Steps through the load; states at the end of each step."""
    k, c, torque = case["k"], case["c"], bullet.TORQUE_CONTROL
    (u, v), states = state, []
    for force in load:
        bullet.setJointMotorControl2(body, 0, torque, force=force - k * u - c * v)
        bullet.stepSimulation()
        u, v = bullet.getJointState(body, 0)[:2]
        states.append((u, v))
    return states


def oscillator(name):
    case = problems.OSCILLATORS[name]
    for per_sample, h, n, every in problems.steps(case):
        load = loads(case, h, n)
        seconds, states = fastest(lambda body: advance(body, case, load, (0.0, 0.0)), lambda: slider(case, h))
        yield {"setting": f"step {h:.3g} s", "seconds": seconds, "every": every,
               "u": [0.0, *(u for u, _ in states[per_sample - 1::per_sample])]}


def response():
    for per_period in (16, 64, 256, 1024):
        def steady(omega):
            case = problems.response_case(omega)
            h = problems.period(case) / per_period
            body, state = slider(case, h), (0.0, 0.0)
            load = loads(case, h, per_period) * problems.PERIODS_AT_ONCE

            def some_periods():
                nonlocal state
                states = advance(body, case, load, state)
                state = states[-1]
                return [u for u, _ in states[-per_period:]], state

            return problems.steady_amplitude(some_periods, 1e-5)

        seconds, amplitude = fastest(lambda: [steady(omega) for omega in problems.frequencies()])
        yield {"setting": f"{per_period} steps a period", "seconds": seconds, "amplitude": amplitude}


def cylinder():
    """A rigid disc whose centre of mass lies in the plane of contact; the engine keeps four points of contact."""
    shape = bullet.createCollisionShape(bullet.GEOM_CYLINDER, radius=DISC["R"], height=2 * FOOT)
    body = bullet.createMultiBody(DISC["m"], shape, -1, basePosition=[0, 0, 0], baseInertialFramePosition=[0, 0, -FOOT])
    bullet.changeDynamics(body, -1, localInertiaDiagonal=[DISC["I"] / 2, DISC["I"] / 2, DISC["I"]], spinningFriction=0,
                          rollingFriction=0, linearDamping=0, angularDamping=0, restitution=0)
    bullet.changeDynamics(body, -1, lateralFriction=DISC["mu"])
    bullet.resetBasePositionAndOrientation(body, [0, 0, 0], [0, 0, 0, 1])
    bullet.resetBaseVelocity(body, [DISC["v"], 0, 0], [0, 0, DISC["spin"]])

    def state():
        (vx, _, _), (_, _, spin) = bullet.getBaseVelocity(body)
        return bullet.getBasePositionAndOrientation(body)[0][0], vx, spin

    return state


def feet(n):
    """n feet that are free to move up and down, each with its share of the mass, on a carrier free in x, y and angle."""
    sphere, upright, n_links = bullet.createCollisionShape(bullet.GEOM_SPHERE, radius=FOOT), [0, 0, 0, 1], n + 3
    body = bullet.createMultiBody(
        0, -1, -1, basePosition=[0, 0, FOOT], linkMasses=[1e-6] * 3 + [DISC["m"] / n] * n,
        linkCollisionShapeIndices=[-1] * 3 + [sphere] * n, linkVisualShapeIndices=[-1] * n_links,
        linkPositions=[[0, 0, 0]] * 3 + [[x, y, 0] for x, y in problems.sunflower(n, DISC["R"])],
        linkOrientations=[upright] * n_links, linkInertialFramePositions=[[0, 0, 0]] * n_links,
        linkInertialFrameOrientations=[upright] * n_links, linkParentIndices=[0, 1, 2] + [3] * n,
        linkJointTypes=[bullet.JOINT_PRISMATIC] * 2 + [bullet.JOINT_REVOLUTE] + [bullet.JOINT_PRISMATIC] * n,
        linkJointAxis=[[1, 0, 0], [0, 1, 0], [0, 0, 1]] + [[0, 0, 1]] * n)
    for link in range(n_links):
        bullet.changeDynamics(body, link, linearDamping=0, angularDamping=0, jointDamping=0, restitution=0, spinningFriction=0,
                              rollingFriction=0, maxJointVelocity=1e6, localInertiaDiagonal=[1e-9] * 3)
        # in a call of its own: together with the inertia it is ignored
        bullet.changeDynamics(body, link, lateralFriction=DISC["mu"])
        bullet.setJointMotorControl2(body, link, bullet.VELOCITY_CONTROL, force=0)
    bullet.resetJointState(body, 0, 0.0, DISC["v"])
    bullet.resetJointState(body, 2, 0.0, DISC["spin"])

    def state():
        (x, v), (_, spin) = (bullet.getJointState(body, joint)[:2] for joint in (0, 2))
        return x, v, spin

    return state


def disc():
    h = problems.DISC_SAMPLE
    for name, make, per_sample in (("cylinder", cylinder, 1), ("cylinder", cylinder, 10), ("16 feet", lambda: feet(16), 1),
                                   ("16 feet", lambda: feet(16), 10), ("64 feet", lambda: feet(64), 1)):
        def prepare():
            bullet.resetSimulation()
            bullet.setGravity(0, 0, -DISC["g"])
            bullet.setTimeStep(h / per_sample)
            bullet.setPhysicsEngineParameter(numSolverIterations=200, enableConeFriction=1)
            plane = bullet.createMultiBody(0, bullet.createCollisionShape(bullet.GEOM_PLANE))
            bullet.changeDynamics(plane, -1, lateralFriction=1.0, restitution=0.0)
            return make()

        def run(state):
            path = [state()]
            for _ in range(round(problems.DISC_TIME / h)):
                for _ in range(per_sample):
                    bullet.stepSimulation()
                path.append(state())
            return path

        seconds, path = fastest(run, prepare)
        x, v, spin = zip(*path)
        yield {"setting": f"{name}, step {h / per_sample:g} s", "seconds": seconds, "t": [i * h for i in range(len(path))],
               "x": x, "v": v, "spin": spin}


if __name__ == "__main__":
    bullet.connect(bullet.DIRECT)
    problems.serve("PyBullet", problems.installed("pybullet"), {
        "no_stick": lambda: oscillator("no_stick"), "stick_slip": lambda: oscillator("stick_slip"), "response": response,
        "disc": disc,
    })
