# %% [markdown]
# # A disc that slides and spins
#
# Spin lowers the friction against sliding: every point of the disc rubs against its own velocity, and the parts across
# the path cancel. A spinning disc therefore slides further, and it stops sliding and spinning at the same instant.

# %%
import matplotlib.pyplot as plt
import numpy as np

import stiction

R = 0.1
disc = stiction.Disc(radius=R, pressure="uniform", mu=0.2)
body = stiction.Body(mass=1.0, inertia=0.005, velocity=[1.0, 0.0], spin=30.0, patch=disc)
scenario = stiction.Scenario(title="A disc slides and spins", system=body)
outcome = scenario.run()

# %% [markdown]
# Both motions end together, at a ratio of speeds that depends on the pressure alone: v/(ωR) → 0.653 if it is uniform.

# %%
still = scenario.set({"spin": 0.0}).run()
print("slides {path:.4f} m and turns {revolutions:.4f} times in {stop_time:.4f} s".format(**outcome.facts))
print(f"without spin {still.facts['path']:.4f} m, which is v²/(2μg) = {1.0 / (2 * 0.2 * 9.81):.4f} m")
print(f"v/(ωR) at the end {outcome.facts['final_ratio']:.6f}")
outcome.plot()
plt.show()

# %% [markdown]
# The patch by itself is a function of twists (vx, vy, ω). Without a load it gives the wrench per unit of μN. The Padé
# closures of the literature are there too.

# %%
ratio = np.logspace(-2, 2, 401)
twists = np.stack([ratio * R, 0.0 * ratio, np.ones_like(ratio)], axis=-1)
figure, ax = plt.subplots(layout="constrained")
for closure in ("exact", "pade1", "pade2"):
    patch = stiction.Disc(radius=R, pressure="uniform", closure=closure)
    fx, fy, mz = patch.wrench(twists).T
    ax.semilogx(ratio, -fx, label=f"force, {closure}")
    ax.semilogx(ratio, -mz / R, "--", color=ax.lines[-1].get_color())
ax.set(xlabel="v/(ωR) (-)", ylabel="F/(μN) and, dashed, M/(μNR) (-)")
ax.legend()
plt.show()

# %% [markdown]
# At rest the patch holds any wrench inside its limit surface.

# %%
limit = disc.replace(load=9.81).limit([[1.0, 0.0, 0.0], [0.0, 0.0, 0.2], [1.0, 0.0, 0.2]])
for (fx, fy, mz), factor in zip([(1.0, 0.0, 0.0), (0.0, 0.0, 0.2), (1.0, 0.0, 0.2)], limit.factor):
    print(f"({fx} N, {fy} N, {mz} N m): {factor:.4f} of what the disc holds: it {'moves' if factor > 1 else 'rests'}")
