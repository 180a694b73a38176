# %% [markdown]
# # A law inside your own equations
#
# A law is a function of the sliding velocity, a patch a function of the twist: put them into any right-hand side. Here
# three systems are integrated by SciPy, and by stiction for comparison.

# %%
import matplotlib.pyplot as plt
import numpy as np
from scipy.integrate import solve_ivp

import stiction

# %% [markdown]
# ## A block on a shaking table
#
# H = N φ(v) opposes sliding and stands on the left: m ü + k u + H = m A ω² sin ωt, with u measured from the table. A
# narrow transition makes the equations stiff: N/m times `steepest` is the rate (1/s) that an explicit method would
# have to resolve. An implicit one wants the Jacobian, and `slope` is exact.

# %%
table = stiction.Base(amplitude=0.02, omega=12.0)
contact = stiction.Contact(law=stiction.Trigonometric(mu=0.2, width=0.001), load=19.62)
block = stiction.Oscillator(mass=2.0, stiffness=50.0, base=table, friction=contact)
analysis = stiction.Transient(periods=20, window=[18, 20])
shaken = stiction.run(stiction.Scenario(title="Block on a shaking table", system=block, analysis=analysis))
m, k, N = block.mass, block.stiffness, contact.load
print(f"rate of the contact {N / m * contact.steepest:.0f} 1/s, kinks at {contact.breakpoints} m/s")


def shake(t, y):
    u, v = y
    push = m * table.amplitude * table.omega**2 * np.sin(table.omega * t)
    return [v, (push - k * u - N * contact(v)) / m]


def shake_jacobian(t, y):
    return [[0.0, 1.0], [-k / m, -N * contact.slope(y[1]) / m]]


t = shaken["t"]
scipy_shaken = solve_ivp(shake, [0.0, t[-1]], [0.0, 0.0], "LSODA", t_eval=t, jac=shake_jacobian, rtol=1e-9, atol=1e-12)


def bound(differences):
    """The next power of ten: the digits of SciPy's error depend on the machine."""
    return 10.0 ** np.ceil(np.log10(np.abs(differences).max()))


print(f"positions differ by less than {bound(scipy_shaken.y[0] - shaken['position']):.0e} m")
print(f"calls of the right-hand side: SciPy {scipy_shaken.nfev}, stiction {shaken.work['evaluations']}")

# %% [markdown]
# The curvature of this law jumps at ±Δ, and no method keeps its order across a kink. stiction ends a step there. With
# SciPy, give terminal events `lambda t, y: y[1] - b` for b in `law.breakpoints` and start anew, if that digit matters.
#
# ## LuGre: the law has a state of its own
#
# `z_dot` is the rate of the bristles' deflection z, which becomes one more unknown.

# %%
bristles = stiction.Contact(
    law=stiction.Lugre(mu=1.0, mu_static=1.5, velocity=0.05, stiffness=1000.0, damping=10.0), viscous=0.1
)
loads = [stiction.Load(constant=0.2), stiction.Load(amplitude=1.4, omega=0.5)]
pushed = stiction.Oscillator(mass=1.0, damping=0.1, stiffness=1.0, force=loads, friction=bristles)
analysis = stiction.Transient(periods=5)
presliding = stiction.run(stiction.Scenario(title="Presliding with LuGre", system=pushed, analysis=analysis))


def bend(t, y):
    u, v, z = y
    return [v, 0.2 + 1.4 * np.sin(0.5 * t) - 0.1 * v - u - bristles(v, z=z), bristles.z_dot(v, z)]


t = presliding["t"]
scipy_presliding = solve_ivp(bend, [0.0, t[-1]], [0.0, 0.0, 0.0], "LSODA", t_eval=t, rtol=1e-8, atol=1e-11)
print(f"positions differ by less than {bound(scipy_presliding.y[0] - presliding['position']):.0e} m")
presliding.plot([("position", "friction")])
plt.show()

# %% [markdown]
# ## A disc that slides and spins
#
# The wrench of a patch on the twist (vx, vy, ω). At rest the wrench can be anything inside the limit surface, so an
# event must end the integration just before; stiction itself slides in logarithmic time and reaches the stop to rounding.

# %%
disc = stiction.Disc(radius=0.1, pressure="uniform", mu=0.2, load=9.81)
body = stiction.Body(mass=1.0, inertia=0.005, velocity=[1.0, 0.0], spin=30.0, patch=disc.replace(load=0.0))
sliding = stiction.run(stiction.Scenario(title="A disc slides and spins", system=body))


def slide(t, twist):
    return disc.wrench(twist) / [1.0, 1.0, 0.005]


def slow(t, twist):
    return abs(twist[0]) - 1e-6


slow.terminal = True
scipy_sliding = solve_ivp(slide, [0.0, 10.0], [1.0, 0.0, 30.0], "DOP853", events=slow, rtol=1e-10, atol=1e-12)
print(f"stop after {sliding.facts['stop_time']:.9f} s")
print(f"SciPy left off at {scipy_sliding.t[-1]:.9f} s with {scipy_sliding.y[0, -1]:.0e} m/s")

# %%
figure, ax = plt.subplots(layout="constrained")
ax.plot(sliding["t"], sliding["vx"], label="v, stiction")
ax.plot(scipy_sliding.t, scipy_sliding.y[0], "o", markersize=4, label="v, SciPy")
ax.plot(sliding["t"], 0.1 * sliding["omega"], label="ωR, stiction")
ax.plot(scipy_sliding.t, 0.1 * scipy_sliding.y[2], "s", markersize=4, label="ωR, SciPy")
ax.set(xlabel="t (s)", ylabel="speed (m/s)")
ax.legend()
plt.show()
