//! The numbers that describe a patch.

use super::PatchStudy;
use super::pressure::plan;
use crate::facts::FactKind;
use crate::outcome::Fact;
use stiction::Fault;
use stiction::patch::Twist;

/// Largest force and moment about the centre of the patch, its centre of pressure, its skew in sliding, the
/// height at which it would tip.
pub fn summary(study: &PatchStudy) -> Result<Vec<Fact>, Vec<Fault>> {
    let (patch, surface) = (study.patch(), study.centred_surface()?);
    let plan = plan(study)?;
    let [x, y] = plan.centre_of_pressure;
    let spin = Twist { vx: 0.0, vy: 0.0, omega: 1.0 };
    let mut facts = vec![
        Fact::new(FactKind::ForceLimit, patch.mu * patch.load),
        Fact::new(FactKind::MomentLimit, surface.dissipation(spin).abs()),
        Fact::new(FactKind::PressureCentreX, x),
        Fact::new(FactKind::PressureCentreY, y),
        Fact::new(FactKind::Skew, if plan.shift > 0.0 { plan.shift / plan.tipping } else { 0.0 }),
    ];
    if patch.mu > 0.0 {
        facts.push(Fact::new(FactKind::HeightLimit, plan.tipping / patch.mu));
    }
    Ok(facts)
}
