//! The numbers that describe a patch.

use super::pressure::plan;
use crate::outcome::Fact;
use stiction::Fault;
use stiction::patch::{Patch, Twist};

/// Largest force and moment about the centre of the patch, its centre of pressure, its skew in sliding, the height at
/// which it would tip.
pub fn summary(patch: &Patch) -> Result<Vec<Fact>, Vec<Fault>> {
    let surface = Patch { centre: [0.0; 2], ..patch.clone() }.limit_surface()?;
    let plan = plan(patch)?;
    let fact = |name: &str, value: f64, unit: &'static str| Fact { name: name.into(), value, unit };
    let [x, y] = plan.centre_of_pressure;
    let mut facts = vec![
        fact("force_limit", patch.mu * patch.load, "N"),
        fact("moment_limit", surface.dissipation(Twist { vx: 0.0, vy: 0.0, omega: 1.0 }).abs(), "N m"),
        fact("pressure_centre_x", x, "m"),
        fact("pressure_centre_y", y, "m"),
        fact("skew", if plan.shift > 0.0 { plan.shift / plan.tipping } else { 0.0 }, "-"),
    ];
    if patch.mu > 0.0 {
        facts.push(fact("height_limit", plan.tipping / patch.mu, "m"));
    }
    Ok(facts)
}
