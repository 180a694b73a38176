# %% [markdown]
# # Frequency response with dry friction
#
# Periodic motions are found directly, by Newton's method on the map over one period, without waiting for transients to
# die out. Below a certain frequency the block rests for a part of every period.

# %%
import matplotlib.pyplot as plt

import stiction

force = stiction.Load(amplitude=1.0, omega=1.0)
friction = stiction.Coulomb(mu=0.5)
block = stiction.Oscillator(mass=1.0, damping=0.05, stiffness=1.0, force=force, friction=friction)
scenario = stiction.Scenario(
    title="Frequency response with dry friction",
    system=block,
    analysis=stiction.Response(parameter="omega", from_=0.2, to=2.0, points=400),
)
outcome = scenario.run()
print(f"peak of {outcome.facts['peak_amplitude']:.6f} m at {outcome.facts['peak_at']:.4f} rad/s")

# %% [markdown]
# The columns are NumPy arrays: where does the block begin to slide without a rest?

# %%
omega, stick = outcome["omega"], outcome["stick_fraction"]
print(f"no rest above {omega[stick > 0].max():.3f} rad/s")
outcome.plot(["amplitude", "phase", "stick_fraction"])
plt.show()

# %% [markdown]
# Friction lowers the peak, and a small load moves nothing at all: P must exceed μN.

# %%
coefficients = [0.1, 0.3, 0.5, 0.7]
curves = stiction.run([scenario.set({"mu": mu, "points": 100}) for mu in coefficients])
figure, ax = plt.subplots(layout="constrained")
for mu, curve in zip(coefficients, curves):
    ax.semilogy(curve["omega"], curve["amplitude"], label=f"μ = {mu}")
    print(f"μ = {mu}: peak {curve.facts['peak_amplitude']:8.4f} m")
ax.set(xlabel="ω (rad/s)", ylabel="X (m)")
ax.legend()
plt.show()
