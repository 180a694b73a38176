//! What an exact wrench costs, next to the second-order Padé closure and to quadrature.
//!
//! One run, one array of random twists, the best of many rounds; the ratios are what counts.

use std::hint::black_box;
use std::time::Instant;
use stiction::patch::{
    Annulus, Closure, Disc, Patch, PatchFriction, Pressure, Rectangle, Ring, Shape, Twist,
};
use stiction_reference::quadrature;

const TWISTS: usize = 4096;
const ROUNDS: usize = 100;
const RADIUS: f64 = 0.1;
/// Of the quadrature: what the closed forms deliver at least.
const ACCURACY: f64 = 1e-12;

/// Velocities in the unit square, spins up to 1/R, or spread over this many decades up and down from there.
fn twists(decades: f64) -> Vec<Twist> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1u64 << 53) as f64 * 2.0 - 1.0
    };
    (0..TWISTS)
        .map(|_| Twist {
            vx: random(),
            vy: random(),
            omega: random() / RADIUS * 10f64.powf(decades * random()),
        })
        .collect()
}

/// Nanoseconds per wrench of every contact; the rounds take turns, so that a busy machine slows all alike.
fn times(contacts: &[PatchFriction], twists: &[Twist]) -> Vec<f64> {
    let mut best = vec![f64::INFINITY; contacts.len()];
    let mut sum = 0.0;
    for _ in 0..ROUNDS {
        for (contact, best) in contacts.iter().zip(&mut best) {
            let start = Instant::now();
            for twist in black_box(twists) {
                let w = contact.wrench(*twist);
                sum += w.fx + w.fy + w.mz;
            }
            *best = best.min(start.elapsed().as_secs_f64());
        }
    }
    black_box(sum);
    best.iter().map(|b| b / twists.len() as f64 * 1e9).collect()
}

fn main() {
    let disc = Shape::Disc(Disc { radius: RADIUS });
    let rectangle = Shape::Rectangle(Rectangle { length: 0.16, width: 0.12 });
    let patch = |shape: &Shape, pressure| Patch::new(shape.clone(), pressure, 0.3, 10.0);
    let pade = Patch { closure: Closure::Pade2, ..patch(&disc, Pressure::Galin) };
    let exact = [
        ("galin disc", patch(&disc, Pressure::Galin), 2.0),
        ("hertz disc", patch(&disc, Pressure::Hertz), 2.0),
        ("uniform disc", patch(&disc, Pressure::Uniform), 5.0),
        ("rectangle", patch(&rectangle, Pressure::Uniform), 8.0),
    ];
    let more = [
        ("ring", patch(&Shape::Ring(Ring { radius: RADIUS }), Pressure::Uniform)),
        ("annulus", patch(&Shape::Annulus(Annulus { inner: 0.05, outer: RADIUS }), Pressure::Uniform)),
        ("rectangle, linear", patch(&rectangle, Pressure::Linear { gradient: [2.0, 1.0] })),
        ("rectangle, height", Patch { height: 0.02, ..patch(&rectangle, Pressure::Uniform) }),
        ("galin disc, height", Patch { height: 0.02, ..patch(&disc, Pressure::Galin) }),
    ];
    let ready = |patch: &Patch| patch.prepare().expect("valid");
    let mut contacts = vec![ready(&pade)];
    contacts.extend(exact.iter().map(|(_, patch, _)| ready(patch)));
    contacts.extend(more.iter().map(|(_, patch)| ready(patch)));
    for decades in [0.0, 3.0] {
        let ns = times(&contacts, &twists(decades));
        println!("\nspin spread over {decades} decades: pade2 {:.2} ns", ns[0]);
        for ((name, _, bar), ns_exact) in exact.iter().zip(&ns[1..]) {
            println!("{name:20} {ns_exact:7.2} ns  {:5.2} × pade2 (at most {bar})", ns_exact / ns[0]);
        }
        for ((name, _), ns_more) in more.iter().zip(&ns[1 + exact.len()..]) {
            println!("{name:20} {ns_more:7.2} ns  {:5.2} × pade2", ns_more / ns[0]);
        }
    }

    let twists = &twists(0.0)[..40];
    println!("\nquadrature to {ACCURACY:e} (at least 1000 × the closed form)");
    for (name, patch, _) in &exact {
        let contact = ready(patch);
        let density: &dyn Fn(f64) -> f64 = match patch.pressure {
            Pressure::Galin => &|a: f64| a.sin() / std::f64::consts::TAU,
            Pressure::Hertz => &|a: f64| 3.0 * a.cos() * a.cos() * a.sin() / std::f64::consts::TAU,
            _ => &|a: f64| a.sin() * a.cos() / std::f64::consts::PI,
        };
        let start = Instant::now();
        let mut sum = 0.0;
        let mut off: f64 = 0.0;
        for &twist in twists {
            let w = match patch.shape {
                Shape::Rectangle(Rectangle { length, width }) => {
                    let (x, y) = (length / 2.0, width / 2.0);
                    let corners = vec![[-x, -y], [x, -y], [x, y], [-x, y]];
                    quadrature::polygon(&[corners], &|_, _| 1.0 / (length * width), [0.0; 2], twist, ACCURACY)
                }
                _ => quadrature::disc(RADIUS, density, [0.0; 2], [0.0; 2], 0.0, twist, ACCURACY),
            };
            sum += w.fx + w.fy + w.mz;
            let e = contact.wrench(twist);
            off = off.max((w.fx - e.fx / 3.0).abs()).max((w.fy - e.fy / 3.0).abs());
        }
        let ns = start.elapsed().as_secs_f64() / twists.len() as f64 * 1e9;
        black_box(sum);
        let closed = times(&[contact], twists)[0];
        println!("{name:20} {:9.0} ns  {:8.0} × the closed form, differs by {off:.1e}", ns, ns / closed);
    }
}
