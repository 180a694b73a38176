//! Events of one degree of freedom cost no allocation.

use crate::counting;
use stiction::exact::Exact;
use stiction::law::{Coulomb, FrictionLaw};
use stiction::system::{Harmonic, Motion, System};

#[test]
fn events_do_not_allocate() {
    let law = FrictionLaw::Coulomb(Coulomb { mu: 0.8, mu_static: Some(1.1) });
    let mut system = System::oscillator(1.0, 0.05, 1.0).with_friction(law.clone()).with_force(2.0, 0.5);
    system.harmonics.push(Harmonic { amplitude: vec![0.7], omega: 1.3, phase: 0.2 });
    system = system.with_friction(law);
    system.contacts[1].belt = 0.3;
    let mut exact = Exact::new(&system).unwrap();
    let mut motion = Motion::zero(1, 2);
    let (before, mut n_events) = (counting::allocations(), 0);
    while exact.t() < 1000.0 {
        exact.step(1000.0).unwrap();
        exact.motion(0.5 * (exact.start() + exact.t()), &mut motion);
        n_events += exact.events().len();
    }
    let allocations = counting::allocations() - before;
    assert!(n_events > 300, "{n_events}");
    assert_eq!(allocations, 0);
}
