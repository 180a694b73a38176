//! The energy that residuals are measured by: work, losses and the largest stored energy, by the samples of
//! the motion.

use std::f64::consts::TAU;
use stiction::Progress;
use stiction::law::{Coulomb, FrictionLaw, Tanh};
use stiction::ode::Adaptive;
use stiction::simulate::{Integrator, Plan, drive};
use stiction::system::System;

#[test]
fn the_largest_stored_energy_is_that_of_the_samples() {
    let coulomb = FrictionLaw::Coulomb(Coulomb { mu: 1.0, mu_static: None });
    let smooth = FrictionLaw::Tanh(Tanh { mu: 1.0, width: 0.05 });
    let adaptive = Integrator::Adaptive(Adaptive::default());
    let fixed = Integrator::Rk4 { step: 0.01 };
    // a swing that dies out, a motion that grows to its steady state, and one that is largest on the way
    for (position, force, omega) in [(3.0, 0.5, 0.5), (0.0, 2.0, 0.5), (0.0, 1.5, 0.93)] {
        for (law, integrator) in [(&coulomb, &Integrator::Exact), (&smooth, &adaptive), (&smooth, &fixed)] {
            let mut system =
                System::oscillator(2.0, 0.1, 1.5).with_friction(law.clone()).with_force(force, omega);
            system.position = vec![position];
            let plan = Plan::new(12.0 * TAU / omega, 20_001);
            let record = drive(&system, integrator, &plan, &mut Progress::none()).unwrap();
            let motion = record.samples.position[0].iter().zip(&record.samples.velocity[0]);
            let largest = motion.map(|(u, v)| 0.75 * u * u + v * v).fold(0.0, f64::max);
            let total = record.total;
            let peak = record.turnover
                - total.work_in.abs()
                - total.viscous_loss
                - total.friction_loss
                - 0.75 * position * position;
            // steps end near the largest energy, which a quarter of a period lies behind; samples miss little
            // of it
            assert!((0.7..1.0 + 1e-5).contains(&(peak / largest)), "{peak} for {largest} J, {integrator:?}");
        }
    }
}
