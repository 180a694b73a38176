# %% [markdown]
# # How wide may the transition be?
#
# Codes for multibody systems replace Coulomb's law by a smooth one with a transition of some width. Too wide, and the
# block creeps where it should rest; too narrow, and the equations are stiff. Which width is right depends on the
# system, so: ask the system.

# %%
import matplotlib.pyplot as plt

import stiction

block = stiction.Oscillator(mass=1.0, stiffness=4.0, friction=stiction.Coulomb(mu=0.3), initial=stiction.Initial(position=1.0))
scenario = stiction.Scenario(
    title="Free decay under Coulomb friction",
    system=block,
    integrator=stiction.Exact(),
    analysis=stiction.Transient(duration=12.0),
)
outcome = scenario.run()
outcome.plot()
plt.show()

# %% [markdown]
# `compare` runs the same system with every law and several widths and measures how far each is from the exact motion.

# %%
laws = ["linear", "trigonometric", "tanh", "quinn"]
comparison = stiction.compare(scenario, laws=laws, widths=[0.1, 0.03, 0.01, 0.003, 0.001])
comparison.plot()
plt.show()

# %% [markdown]
# `tune` turns the question round: the coarsest size of each law, here the widest transition, whose error stays below what you can live with.

# %%
tuning = stiction.tune(scenario, tolerance=1e-3, criterion="trajectory", laws=laws)
for law, width in tuning.coarsest.items():
    print(f"{law:14} {f'{width:.3g} m/s' if width else 'none is narrow enough'}")

# %% [markdown]
# Look at the laws themselves, with the widths found.

# %%
figure, ax = plt.subplots(layout="constrained")
for make in (stiction.Linear, stiction.Tanh):
    law = make(mu=0.3, width=tuning.coarsest[make.__name__.lower()])
    law.plot(ax)
    print(f"{make.__name__}: steepest {law.steepest:.3g} s/m")
ax.legend()
plt.show()
