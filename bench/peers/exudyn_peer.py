"""Exudyn: a spring-damper with friction over a proportional zone; spheres of a rigid body under its general contact.

The implicit trapezoidal rule measured best for the oscillators, with a zone that shrinks with the step; the load is a symbolic
user function, so that no step calls Python. For the disc the explicit midpoint rule did best.
"""

import math
import warnings

import exudyn
import numpy as np
from exudyn.advancedUtilities import CreateSymbolicUserFunction
from exudyn.itemInterface import (CoordinateSpringDamperExt, LoadCoordinate, MarkerBodyRigid, MarkerNodeCoordinate, Mass1D, Node1D,
                                  NodePointGround, ObjectGround, SensorNode)
from exudyn.utilities import RigidBodyInertia
from scipy.interpolate import CubicHermiteSpline

import problems
from problems import DISC, fastest


def sensor(mbs, node, quantity):
    return mbs.AddSensor(SensorNode(nodeNumber=node, storeInternal=True, writeToFile=False, outputVariableType=quantity))


def settings(duration, n_steps, sample):
    found = exudyn.SimulationSettings()
    found.timeIntegration.endTime, found.timeIntegration.numberOfSteps = duration, n_steps
    found.timeIntegration.verboseMode = 0
    found.solution.file.write, found.solution.sensors.writePeriod = False, sample
    return found


def slider(case, zone):
    """The system, its sensors of position and velocity, and what must stay alive meanwhile."""
    container = exudyn.SystemContainer()
    mbs = container.AddSystem()
    node = mbs.AddNode(Node1D(referenceCoordinates=[0.0]))
    mbs.AddObject(Mass1D(mass=case["m"], nodeNumber=node))
    ground = mbs.AddMarker(MarkerNodeCoordinate(nodeNumber=mbs.AddNode(NodePointGround()), coordinate=0))
    mass = mbs.AddMarker(MarkerNodeCoordinate(nodeNumber=node, coordinate=0))
    mbs.AddObject(CoordinateSpringDamperExt(markerNumbers=[ground, mass], stiffness=case["k"], damping=case["c"],
                                            dynamicFrictionForce=case["mu"], frictionProportionalZone=zone))
    P, omega, sin = case["P"], case["omega"], exudyn.symbolic.sin

    def force(mbs, t, load):
        return P * sin(omega * t)

    symbolic = CreateSymbolicUserFunction(mbs, force, "loadUserFunction", itemTypeName="LoadCoordinate")
    mbs.AddLoad(LoadCoordinate(markerNumber=mass, load=P, loadUserFunction=symbolic))
    sensors = [sensor(mbs, node, quantity) for quantity in
               (exudyn.OutputVariableType.Coordinates, exudyn.OutputVariableType.Coordinates_t)]
    mbs.Assemble()
    return mbs, sensors, (container, symbolic)


def solve(mbs, with_settings, solver, **options):
    mbs.SolveDynamic(with_settings, solverType=solver, **options)


def oscillator(name):
    case = problems.OSCILLATORS[name]
    T, zones = problems.period(case), {16: 1e-3, 32: 1e-3, 64: 1e-3, 256: 1e-3, 1024: 1e-4, 4096: 1e-5, 16384: 1e-5}
    for (_, h, n, every), zone in zip(problems.steps(case, zones), zones.values()):
        with_settings = settings(problems.PERIODS * T, n, max(h, T / problems.SAMPLES / 4))

        def run(made):
            mbs, sensors, _ = made
            solve(mbs, with_settings, exudyn.DynamicSolverType.TrapezoidalIndex2)
            return [mbs.GetSensorStoredData(one) for one in sensors]

        seconds, (place, velocity) = fastest(run, lambda: slider(case, zone))
        # the solver halves a step where Newton's method fails, so the samples are not on the grid
        t, first = np.unique(place[:, 0], return_index=True)
        path = CubicHermiteSpline(t, place[first, 1], velocity[first, 1])
        grid = T / problems.SAMPLES * np.arange(0, problems.PERIODS * problems.SAMPLES + 1, every)
        yield {"setting": f"step {h:.3g} s, zone {zone:g} m/s", "seconds": seconds, "every": every, "u": path(grid).tolist()}


def response():
    n_periods = problems.PERIODS_AT_ONCE
    for per_period, zone in ((16, 1e-3), (64, 1e-3), (256, 1e-3), (1024, 1e-4)):
        def steady(T, mbs, sensors, _alive):
            n_samples = min(per_period, 256)
            with_settings = settings(n_periods * T, n_periods * per_period, T / n_samples)

            def some_periods():
                solve(mbs, with_settings, exudyn.DynamicSolverType.TrapezoidalIndex2, updateInitialValues=True)
                u, v = (mbs.GetSensorStoredData(one)[:, 1] for one in sensors)
                return u[-n_samples:], (u[-1], v[-1])

            return float(problems.steady_amplitude(some_periods, 1e-5))

        def prepared():
            cases = [problems.response_case(omega) for omega in problems.frequencies()]
            return [(problems.period(case), *slider(case, zone)) for case in cases]

        seconds, amplitude = fastest(lambda made: [steady(*one) for one in made], prepared)
        yield {"setting": f"{per_period} steps a period, zone {zone:g} m/s", "seconds": seconds, "amplitude": amplitude}


def disc_on_spheres(n, zone):
    container = exudyn.SystemContainer()
    mbs = container.AddSystem()
    radius, stiffness = 0.002, 1e3
    damping = 2 * math.sqrt(stiffness * DISC["m"] / n)
    sunk = DISC["m"] * DISC["g"] / n / stiffness
    inertia = RigidBodyInertia(mass=DISC["m"], inertiaTensor=np.diag([DISC["I"] / 2, DISC["I"] / 2, DISC["I"]]))
    body = mbs.CreateRigidBody(inertia=inertia, referencePosition=[0, 0, -sunk], initialVelocity=[DISC["v"], 0, 0],
                               initialAngularVelocity=[0, 0, DISC["spin"]], gravity=[0, 0, -DISC["g"]],
                               nodeType=exudyn.NodeType.RotationRxyz)
    contact = mbs.AddGeneralContact()
    contact.SetFrictionPairings(np.array([[DISC["mu"]]]))
    contact.frictionProportionalZone = zone
    # sphere and plane act in series
    material = {"contactStiffness": 2 * stiffness, "contactDamping": damping, "frictionMaterialIndex": 0}
    for x, y in problems.sunflower(n, DISC["R"]):
        marker = mbs.AddMarker(MarkerBodyRigid(bodyNumber=body, localPosition=[x, y, radius]))
        contact.AddSphereWithMarker(marker, radius=radius, **material)
    ground = mbs.AddMarker(MarkerBodyRigid(bodyNumber=mbs.AddObject(ObjectGround())))
    contact.AddTrianglesRigidBodyBased(rigidBodyMarkerIndex=ground, pointList=[[-5, -5, 0], [5, -5, 0], [5, 5, 0], [-5, 5, 0]],
                                       triangleList=[[0, 1, 2], [0, 2, 3]], **material)
    contact.SetSearchTreeCellSize([1, 1, 1])
    node, kinds = mbs.GetObject(body)["nodeNumber"], exudyn.OutputVariableType
    sensors = [sensor(mbs, node, quantity) for quantity in (kinds.Displacement, kinds.Velocity, kinds.AngularVelocity)]
    mbs.Assemble()
    return mbs, sensors, container


def disc():
    for n, h, zone in ((16, 1e-3, 1e-2), (16, 5e-4, 1e-3), (64, 5e-4, 1e-3), (200, 5e-4, 1e-3)):
        with_settings = settings(problems.DISC_TIME, round(problems.DISC_TIME / h), problems.DISC_SAMPLE)

        def run(made):
            mbs, sensors, _ = made
            solve(mbs, with_settings, exudyn.DynamicSolverType.ExplicitMidpoint)
            return [mbs.GetSensorStoredData(one) for one in sensors]

        seconds, (place, velocity, turning) = fastest(run, lambda: disc_on_spheres(n, zone))
        yield {"setting": f"{n} spheres, step {h:g} s, zone {zone:g} m/s", "seconds": seconds, "t": place[:, 0].tolist(),
               "x": place[:, 1].tolist(), "v": velocity[:, 1].tolist(), "spin": turning[:, 3].tolist()}


if __name__ == "__main__":
    warnings.simplefilter("ignore", DeprecationWarning)
    problems.serve("Exudyn", problems.installed("exudyn"), {
        "no_stick": lambda: oscillator("no_stick"), "stick_slip": lambda: oscillator("stick_slip"), "response": response,
        "disc": disc,
    })
