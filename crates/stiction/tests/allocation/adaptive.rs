//! The adaptive integrator allocates nothing once it is built.

use crate::counting;
use crate::kinked::Kinked;
use stiction::ode::{Adaptive, AdaptiveStepper, Method};

#[test]
fn steps_kinks_and_dense_output_allocate_nothing() {
    for method in [Method::Explicit, Method::Implicit, Method::Auto] {
        let mut ode = Kinked { mu: 3.2, width: 1e-3 };
        let mut stepper = AdaptiveStepper::new(&Adaptive { method, ..Adaptive::default() }, &ode);
        let before = counting::allocations();
        stepper.start(&mut ode, 0.0, &[0.0, 0.0]).unwrap();
        let mut y = [0.0; 2];
        while stepper.t() < 20.0 {
            stepper.step(&mut ode, 20.0).unwrap();
            let middle = 0.5 * (stepper.t_old() + stepper.t());
            stepper.dense(&mut ode, middle, &mut y);
        }
        let after = counting::allocations();
        assert_eq!(after - before, 0, "{method:?}");
        assert!(stepper.work().kinks > 0);
    }
}
