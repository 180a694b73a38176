//! Motions that start where something is about to change: on a stop, between two stops without a gap, at the
//! limit of friction, without normal load.

use crate::general_systems::*;
use stiction::Progress;
use stiction::simulate::{Integrator, Plan, Record, drive};
use stiction::system::{ElasticStop, Harmonic, RigidStop, System};

/// Where the shifted system stands (m).
const SHIFT: f64 = 0.37;
/// On positions: what the rounding of a shifted position grows to over a dozen impacts (m).
const TOLERANCE: f64 = 1e-9;

fn run(system: &System) -> Result<Record, String> {
    let plan = Plan::new(20.0, 201);
    drive(system, &Integrator::Exact, &plan, &mut Progress::none()).map_err(|error| error.to_string())
}

/// Walls at 0, at rest on them.
#[derive(Clone, Copy, Debug)]
enum Wall {
    Rigid { restitution: f64 },
    Elastic { damping: f64 },
}

fn add_wall(system: &mut System, wall: Wall, side: f64, position: f64) {
    let direction = vec![side];
    match wall {
        Wall::Rigid { restitution } => {
            system.elements.stops.push(RigidStop {
                direction,
                position: side * position,
                restitution,
                ..RigidStop::default()
            });
        }
        Wall::Elastic { damping } => system.elements.elastic.push(ElasticStop {
            direction,
            position: side * position,
            stiffness: 40.0,
            damping,
            ..ElasticStop::default()
        }),
    }
}

/// The same system with its origin elsewhere moves in the same way: there nothing starts at zero.
#[test]
fn a_block_that_starts_on_a_stop_moves_as_it_does_elsewhere() {
    let walls = [
        Wall::Rigid { restitution: 0.0 },
        Wall::Rigid { restitution: 0.6 },
        Wall::Rigid { restitution: 1.0 },
        Wall::Elastic { damping: 0.0 },
        Wall::Elastic { damping: 2.0 },
    ];
    let laws = [None, Some((0.0, 0.0)), Some((0.2, 0.2)), Some((0.2, 0.3))];
    let gaps: [&[[f64; 2]]; 4] =
        [&[[-1.0, 0.0]], &[[1.0, 0.0]], &[[-1.0, 0.0], [1.0, 0.0]], &[[-1.0, 0.0], [1.0, 0.4]]];
    let mut failed = Vec::new();
    for wall in walls {
        for law in laws {
            for sides in gaps {
                for stiffness in [1.0, 0.0] {
                    // no load, one that friction holds, one at its limit, one beyond it; from zero and from
                    // its largest value
                    for amplitude in [0.0, 0.1, 0.2, 1.2] {
                        for quarter in 0..4 {
                            let phase = f64::from(quarter) * std::f64::consts::FRAC_PI_2;
                            let at = |shift: f64| {
                                let mut system = System::oscillator(1.0, 0.05, stiffness);
                                if let Some((mu, mu_static)) = law {
                                    system = system.with_friction(coulomb(mu, mu_static));
                                }
                                system.harmonics =
                                    vec![Harmonic { amplitude: vec![amplitude], omega: 0.7, phase }];
                                system.position[0] = shift;
                                system.constant[0] = stiffness * shift;
                                for [side, gap] in sides {
                                    add_wall(&mut system, wall, *side, gap + shift);
                                }
                                system
                            };
                            let name = format!(
                                "{wall:?}, {law:?}, {sides:?}, k = {stiffness}, {amplitude} N, quarter {quarter}"
                            );
                            let (own, other) = match (run(&at(0.0)), run(&at(SHIFT))) {
                                (Ok(own), Ok(other)) => (own, other),
                                (own, other) => {
                                    let message = own.err().or(other.err()).unwrap_or_default();
                                    failed.push(format!("{name}: {message}"));
                                    continue;
                                }
                            };
                            if !(own.energy_share() < 1e-11) {
                                failed.push(format!("{name}: energy {:e}", own.energy_share()));
                            }
                            let pairs = own.samples.position[0].iter().zip(&other.samples.position[0]);
                            let off = pairs.map(|(a, b)| (a + SHIFT - b).abs()).fold(0.0, f64::max);
                            if !(off < TOLERANCE) {
                                failed.push(format!("{name}: off by {off:e}"));
                            }
                        }
                    }
                }
            }
        }
    }
    assert!(failed.is_empty(), "{} failed:\n{}", failed.len(), failed.join("\n"));
}

/// A belt that has pressed a block against a stop turns round and takes it along: at that instant the
/// velocity of both is rounding.
#[test]
fn a_belt_takes_a_block_off_its_stop_wherever_that_is() {
    for load in [-0.05, 0.0, 0.05] {
        for k in 0..30 {
            let phase = 0.3 + 0.09 * f64::from(k);
            let at = |shift: f64| {
                let mut system = System::oscillator(1.0, 0.05, 1.0).with_friction(coulomb(0.3, 0.3));
                system.position[0] = shift;
                system.constant[0] = shift + load;
                system.elements.contacts.push(varying(1, 0.0.into(), waved(0.0, 0.06, 0.9, phase)));
                add_wall(&mut system, Wall::Rigid { restitution: 0.0 }, 1.0, shift);
                run(&system)
            };
            let name = format!("{load} N, phase {phase}");
            let own = at(0.0).unwrap_or_else(|error| panic!("{name}: {error}"));
            let other = at(SHIFT).unwrap_or_else(|error| panic!("{name}: {error}"));
            let pairs = own.samples.position[0].iter().zip(&other.samples.position[0]);
            let off = pairs.map(|(a, b)| (a + SHIFT - b).abs()).fold(0.0, f64::max);
            assert!(off < TOLERANCE && own.energy_share() < 1e-11, "{name}: {off:e}");
        }
    }
}

/// A contact without normal load at the start, whose load then grows: as with a load that is hardly more.
#[test]
fn a_contact_may_start_without_normal_load() {
    const HARDLY: f64 = 1e-10;
    // the load grows from zero at once, with no slope, or is zero for a while
    let loads = [waved(0.0, 0.6, 0.9, 0.0), waved(0.6, -0.6, 0.9, std::f64::consts::FRAC_PI_2)];
    for (k, load) in loads.iter().enumerate() {
        for mu_static in [0.5, 0.7] {
            for velocity in [0.0, 0.4, -0.3] {
                for phase in [0.0, 1.0, std::f64::consts::FRAC_PI_2] {
                    let with = |constant: f64| {
                        let mut system =
                            System::oscillator(1.0, 0.05, 1.0).with_friction(coulomb(0.5, mu_static));
                        system.harmonics = vec![Harmonic { amplitude: vec![0.8], omega: 0.6, phase }];
                        system.velocity[0] = velocity;
                        system.contacts[0].load = constant;
                        system.elements.contacts.push(varying(1, load.clone(), 0.0.into()));
                        run(&system)
                    };
                    let name = format!("load {k}, {mu_static}, v = {velocity}, φ = {phase}");
                    let own = with(0.0).unwrap_or_else(|error| panic!("{name}: {error}"));
                    let other = with(HARDLY).unwrap_or_else(|error| panic!("{name}: {error}"));
                    assert!(own.energy_share() < 1e-11, "{name}: energy {:e}", own.energy_share());
                    let pairs = own.samples.position[0].iter().zip(&other.samples.position[0]);
                    let off = pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
                    // instants of stick and slip move by the root of a load that grows from zero
                    assert!(off < 1e-6, "{name}: off by {off:e}");
                }
            }
        }
    }
}
