//! A body allocates nothing once it is ready.

use crate::counting;
use stiction::body::{Body, Force, InnerMass, Oscillation};
use stiction::patch::{Patch, Pressure, Rectangle, Shape};

#[test]
fn steps_stops_rests_and_starts_allocate_nothing() {
    let patch =
        Patch::new(Shape::Rectangle(Rectangle { length: 0.5, width: 0.2 }), Pressure::Uniform, 0.3, 0.0);
    let mut body = Body::new(1.0, 0.024, patch);
    body.velocity = [1.0, 0.3];
    body.spin = 4.0;
    body.forces = vec![Force { amplitude: [4.2, 0.0], omega: 5.0, point: [0.0, 0.05], ..Force::default() }];
    body.vibration = vec![Oscillation { amplitude: [0.0, 0.01], omega: 5.0, phase: 0.0 }];
    let path = vec![Oscillation { amplitude: [0.1, 0.02], omega: 5.0, phase: 0.5 }];
    body.inner_mass = Some(InnerMass { mass: 0.2, centre: [0.01, 0.0], path, ..InnerMass::default() });
    let mut simulation = body.simulation(&Body::settings()).unwrap();
    let before = counting::allocations();
    let (mut starts, mut last) = (0, 0.0);
    while simulation.t() < 5.0 {
        let event = simulation.step(5.0).unwrap();
        starts += u32::from(event.is_some());
        simulation.state_at(0.5 * (last + simulation.t()));
        last = simulation.t();
    }
    assert_eq!(counting::allocations() - before, 0);
    assert!(starts > 4, "{starts} events");
}
