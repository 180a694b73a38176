# %% [markdown]
# # Stick and slip of a driven block
#
# A block on a spring is pushed to and fro by a harmonic force, m ü + c u̇ + k u + H = P sin ωt, and rubs on the ground.
# Under Coulomb's law it stops twice in a period and rests until the force has grown enough. The exact integrator has no
# step size: it goes in closed form from event to event, so the velocity of a stuck block is zero.

# %%
import matplotlib.pyplot as plt

import stiction

block = stiction.Oscillator(
    mass=1.0,
    damping=0.1,
    stiffness=1.0,
    force=stiction.Load(amplitude=2.0, omega=0.5),
    friction=stiction.Coulomb(mu=1.0),
)
scenario = stiction.Scenario(
    title="Forced stick-slip, exact Coulomb friction",
    system=block,
    integrator=stiction.Exact(),
    analysis=stiction.Transient(periods=20, window=[18, 20]),
)
outcome = scenario.run()

# %% [markdown]
# Facts are numbers with units, and the energy must balance: what the force puts in goes into friction and the damper.

# %%
for name in ("position_max", "stick_fraction", "work_in", "friction_loss", "viscous_loss", "energy_residual"):
    print(f"{name:16} {outcome.facts[name]:12.6g} {outcome.units[name]}")

# %% [markdown]
# Grey is stick. While the block rests, friction follows the force; as it starts, friction falls to μN.

# %%
outcome.plot()
plt.show()

# %% [markdown]
# The events say when it stops and starts.

# %%
for event in outcome.events[:4]:
    print(f"{event.t:10.6f} s  {event.kind}")

# %% [markdown]
# How does rest depend on the load? A list of scenarios runs on all cores; `set` overrides a key, as `--set` does.

# %%
loads = [1.2, 1.6, 2.0, 2.4, 2.8, 3.2, 3.6, 4.0]
runs = stiction.run([scenario.set({"force.amplitude": load}) for load in loads])
for load, run in zip(loads, runs):
    print(f"P = {load} N: at rest {100 * run.facts['stick_fraction']:5.1f} % of the time")
