//! Systems beyond constant normal loads and harmonic forces: those of the reference motions.

// each test program uses some
#![allow(dead_code)]

use stiction::law::{Coulomb, FrictionLaw};
use stiction::math::dense::Matrix;
use stiction::system::{
    Feedback, Harmonic, RigidStop, Signal, SignalLoad, System, TimeTable, VaryingContact, Wave,
};

pub fn coulomb(mu: f64, mu_static: f64) -> FrictionLaw {
    FrictionLaw::Coulomb(Coulomb { mu, mu_static: Some(mu_static) })
}

pub fn waved(constant: f64, amplitude: f64, omega: f64, phase: f64) -> Signal {
    Signal { constant, waves: vec![Wave::new(amplitude, omega, phase)], ..Signal::default() }
}

pub fn varying(n: usize, load: Signal, belt: Signal) -> VaryingContact {
    VaryingContact { contact: 0, load, by_position: vec![0.0; n], by_velocity: vec![0.0; n], belt }
}

pub fn varying_load() -> System {
    let mut system = System::oscillator(1.0, 0.05, 1.0).with_friction(coulomb(0.5, 0.5)).with_force(1.5, 0.8);
    system.elements.contacts.push(varying(1, waved(0.0, 0.6, 1.6, 0.4), 0.0.into()));
    system
}

pub fn load_table() -> System {
    let mut system = System::oscillator(1.0, 0.1, 1.0).with_friction(coulomb(0.5, 0.6));
    let table = TimeTable {
        times: vec![0.0, 1.0, 2.0, 2.5, 6.0, 9.0, 20.0],
        values: vec![0.0, 2.0, 2.0, -1.5, 1.8, 0.0, 0.0],
        period: None,
    };
    let signal = Signal { tables: vec![table], ..Signal::default() };
    system.elements.loads.push(SignalLoad { direction: vec![1.0], signal });
    system
}

pub fn moving_belt() -> System {
    let mut system = System::oscillator(1.0, 0.02, 1.0).with_friction(coulomb(0.4, 0.5));
    system.elements.contacts.push(varying(1, 0.0.into(), waved(0.2, 0.3, 0.9, 0.0)));
    system
}

pub fn pid_hunting() -> System {
    let mut system = System::oscillator(1.0, 0.0, 0.0).with_friction(coulomb(0.3, 0.5));
    system.position[0] = 1.0;
    let mut feedback = Feedback::none(1, 1, 0);
    feedback.f_position.data[0] = -4.0;
    feedback.f_state.data[0] = -2.0;
    feedback.f_velocity.data[0] = -1.5;
    feedback.b_position.data[0] = 1.0;
    system.elements.feedback = Some(feedback);
    system
}

pub fn rigid_stop() -> System {
    let mut system = System::oscillator(1.0, 0.05, 1.0).with_friction(coulomb(0.2, 0.2)).with_force(1.2, 0.7);
    system.elements.stops.push(RigidStop {
        direction: vec![1.0],
        position: 0.5,
        restitution: 0.7,
        ..RigidStop::default()
    });
    system
}

pub fn two(mass: [f64; 2], damping: [f64; 2], stiffness: [f64; 4], law: FrictionLaw) -> System {
    let mut system = System::oscillator(1.0, 0.0, 0.0).with_friction(law);
    system.mass = Matrix::diagonal(&mass);
    system.damping = Matrix::diagonal(&damping);
    system.stiffness = Matrix { n_rows: 2, n_cols: 2, data: stiffness.to_vec() };
    system.contacts[0].direction = vec![1.0, 0.0];
    (system.constant, system.position, system.velocity) = (vec![0.0; 2], vec![0.0; 2], vec![0.0; 2]);
    system
}

pub fn load_by_coordinate() -> System {
    let mut system = two([1.0; 2], [0.04, 0.06], [2.0, -0.8, -0.8, 1.5], coulomb(0.25, 0.35));
    system.harmonics = vec![
        Harmonic { amplitude: vec![0.9, 0.0], omega: 0.6, phase: 0.0 },
        Harmonic { amplitude: vec![0.0, 0.2], omega: 1.3, phase: 0.5 },
    ];
    let contact = VaryingContact { by_position: vec![0.0, 1.2], ..varying(2, 1.5.into(), 0.0.into()) };
    system.elements.contacts.push(contact);
    system
}

pub fn nonsymmetric() -> System {
    let mut system = two([1.0; 2], [0.1; 2], [2.0, -1.1, 0.6, 1.2], coulomb(0.25, 0.25));
    system.harmonics = vec![Harmonic { amplitude: vec![0.3, 0.0], omega: 1.5, phase: 0.0 }];
    system.position = vec![0.8, -0.3];
    system
}
