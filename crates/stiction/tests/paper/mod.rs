//! What the papers print, and where the print is wrong.

mod errata;
mod published;

use std::f64::consts::TAU;
use stiction::Progress;
use stiction::law::{FrictionLaw, Linear, Trigonometric};
use stiction::simulate::{Integrator, Plan, Record, drive};
use stiction::system::System;

/// Twenty periods of the oscillator of paper B, the last two reported.
fn paper_b(law: FrictionLaw, integrator: Integrator) -> Record {
    let system = System::oscillator(1.0, 0.1, 1.0).with_friction(law).with_force(4.0, 1.0);
    let window = [18.0 * TAU, 20.0 * TAU];
    let plan = Plan { t_end: 20.0 * TAU, window, times: vec![], lands_on_times: false, max_steps: None };
    drive(&system, &integrator, &plan, &mut Progress::none()).unwrap()
}

fn linear(rise: Option<f64>) -> FrictionLaw {
    FrictionLaw::Linear(Linear { mu: 1.6, width: 0.8, rise, rise_height: None })
}

fn trigonometric(rise: Option<f64>) -> FrictionLaw {
    FrictionLaw::Trigonometric(Trigonometric { mu: 1.6, width: 0.8, rise, rise_height: None })
}
