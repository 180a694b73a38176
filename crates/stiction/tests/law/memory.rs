//! Laws with internal states against closed forms, by small steps of their own.

use stiction::law::{BoucWen, ElastoPlastic, Evolution, FrictionLaw, Law, Lugre, RateAndState, Slip};

/// Rates of the states: velocity, states, rates.
type Rate<'a> = dyn Fn(f64, &[f64], &mut [f64]) + 'a;

/// The internal states after the velocity `v(t)`, by Runge–Kutta steps of order 4; `watch` sees every step.
fn follow(
    law: &Rate,
    z: &mut [f64],
    (v, t_end, steps): (&dyn Fn(f64) -> f64, f64, usize),
    watch: &mut dyn FnMut(f64, &[f64]),
) {
    let (n, h) = (z.len(), t_end / steps as f64);
    let mut k = vec![vec![0.0; n]; 4];
    for i in 0..steps {
        let t = h * i as f64;
        for s in 0..4 {
            let c = [0.0, 0.5, 0.5, 1.0][s];
            let stage: Vec<f64> =
                (0..n).map(|j| z[j] + if s > 0 { c * h * k[s - 1][j] } else { 0.0 }).collect();
            law(v(t + c * h), &stage, &mut k[s]);
        }
        (0..n).for_each(|j| z[j] += h / 6.0 * (k[0][j] + 2.0 * k[1][j] + 2.0 * k[2][j] + k[3][j]));
        watch(t + h, z);
    }
}

fn rates(law: &FrictionLaw) -> impl Fn(f64, &[f64], &mut [f64]) {
    move |v: f64, z: &[f64], out: &mut [f64]| law.state_dot(Slip { v, demand: 0.0, z }, out)
}

/// n = 1, with x the way over z₀ and r = z/z₀: loading r' = 1 − r; unloading r' = −(1 + (1 − 2s) r), straight
/// for s = ½.
#[test]
fn the_loop_of_bouc_and_wen_with_exponent_one_is_its_closed_form() {
    for share in [0.0, 0.2, 0.5, 0.8] {
        let law = FrictionLaw::BoucWen(BoucWen { mu: 0.7, stiffness: 14.0, exponent: 1.0, share });
        let (z0, way) = (0.05, 0.08);
        let mut z = [0.0];
        follow(&rates(&law), &mut z, (&|_| way, 1.0, 4000), &mut |_, _| ());
        let loaded = 1.0 - libm::exp(-way / z0);
        assert!((z[0] / z0 - loaded).abs() < 1e-11, "{share}: {} for {loaded}", z[0] / z0);
        // back until the spring is slack
        let c = 1.0 - 2.0 * share;
        let back = 0.02;
        follow(&rates(&law), &mut z, (&|_| -back, 1.0, 4000), &mut |_, _| ());
        let x = back / z0;
        let unloaded = if c == 0.0 { loaded - x } else { (libm::exp(-c * x) * (1.0 + c * loaded) - 1.0) / c };
        assert!((z[0] / z0 - unloaded).abs() < 1e-11, "{share}: {} for {unloaded}", z[0] / z0);
    }
}

/// A large exponent is a spring in series with a slider.
#[test]
fn bouc_and_wen_with_a_large_exponent_is_the_jenkins_element() {
    let far = |exponent: f64| {
        let law = FrictionLaw::BoucWen(BoucWen { mu: 1.0, stiffness: 10.0, exponent, share: 0.5 });
        let (mut z, mut spring, mut worst) = ([0.0], 0.0f64, 0.0f64);
        let (h, v) = (1.0 / 20_000.0, |t: f64| 0.9 * libm::cos(6.0 * t));
        follow(&rates(&law), &mut z, (&v, 1.0, 20_000), &mut |t, z| {
            spring = (spring + h * v(t - 0.5 * h)).clamp(-0.1, 0.1);
            worst = worst.max((z[0] - spring).abs() / 0.1);
        });
        worst
    };
    let far = [10.0, 100.0, 1000.0].map(far);
    assert!(far[0] > far[1] && far[1] > far[2] && far[2] < 5e-3, "{far:?}");
}

/// A force that pulsates below break-away: LuGre's bristles give way a little on every cycle, those of Dupont
/// do not.
#[test]
fn elasto_plastic_bristles_do_not_drift_where_those_of_lugre_do() {
    let lugre =
        Lugre { mu: 0.3, mu_static: 0.4, velocity: 0.01, stiffness: 1e3, damping: 0.0, exponent: None };
    let Lugre { mu, mu_static, velocity, stiffness, damping, exponent } = lugre.clone();
    let elastic = 0.9;
    let dupont = ElastoPlastic { mu, mu_static, velocity, stiffness, damping, elastic, exponent };
    // without inertia the bristles carry the force f: z = f/σ, and the contact moves by ż = v (1 − …) at z
    // given
    let drift = |give: &dyn Fn(f64, f64) -> f64| {
        let (mut x, steps) = (0.0, 20_000);
        let z =
            |i: usize| (0.15 + 0.1 * libm::sin(20.0 * i as f64 / steps as f64 * std::f64::consts::TAU)) / 1e3;
        for i in 0..steps {
            let dz = z(i + 1) - z(i);
            x += dz / give(dz.signum(), 0.5 * (z(i) + z(i + 1)));
        }
        x - (z(steps) - z(0))
    };
    // ż/v of a slow motion in a direction
    let by = |law: &dyn Fn(Slip, &mut [f64])| {
        let give = |sign: f64, z: f64| {
            let mut rate = [0.0];
            law(Slip { v: 1e-9 * sign, demand: 0.0, z: &[z] }, &mut rate);
            rate[0] / (1e-9 * sign)
        };
        drift(&give)
    };
    let creeps = by(&|slip, out| lugre.state_dot(slip, out));
    let rests = by(&|slip, out| dupont.state_dot(slip, out));
    // 0.25 of a break-away force of 0.27: elastic all the way
    assert!(creeps > 1e-3, "{creeps:e}");
    assert!(rests.abs() < 1e-15, "{rests:e}");
}

/// φ = μ + (a − b) ln(V/V*) in steady sliding, whatever the evolution; the asinh differs by (V/V*)²
/// e^(−2φ/a).
#[test]
fn steady_rate_and_state_friction_is_logarithmic() {
    for evolution in [Evolution::Ageing, Evolution::Slip] {
        for (a, b) in [(0.01, 0.015), (0.02, 0.005), (0.01, 0.01)] {
            let law = RateAndState { mu: 0.6, a, b, distance: 1e-5, velocity: 1e-6, evolution };
            for v in [1e-9, 1e-7, 1e-6, 3e-4, 0.1, -0.1] {
                let mut z = [0.0];
                law.steady_states(v, &mut z);
                let found = law.coefficient(Slip { v, demand: 0.0, z: &z });
                let exact = (0.6 + (a - b) * libm::log(f64::abs(v) / 1e-6)).copysign(v);
                assert!((found - exact).abs() < 1e-14, "{evolution:?} {a} {b} {v}: {found} for {exact}");
            }
        }
    }
}

/// A step in velocity: θ(t) of ageing is D/V + (θ₀ − D/V) e^(−V t/D), ln(V θ/D) of slip decays as e^(−V t/D);
/// φ jumps by a ln(V₂/V₁).
#[test]
fn a_step_in_velocity_is_followed_as_in_closed_form() {
    let (d, v_star) = (2e-5, 1e-6);
    let (before, after) = (1e-5, 7e-5);
    for evolution in [Evolution::Ageing, Evolution::Slip] {
        let law = RateAndState { mu: 0.6, a: 0.012, b: 0.018, distance: d, velocity: v_star, evolution };
        let mut z = [0.0];
        law.steady_states(before, &mut z);
        let friction = |v: f64, z: &[f64]| law.coefficient(Slip { v, demand: 0.0, z });
        let jump = friction(after, &z) - friction(before, &z);
        assert!((jump - 0.012 * libm::log(7.0)).abs() < 1e-14, "{jump}");
        let family = FrictionLaw::RateAndState(law.clone());
        let mut worst = 0.0f64;
        follow(&rates(&family), &mut z, (&|_| after, 1.0, 20_000), &mut |t, z| {
            let decay = libm::exp(-after * t / d);
            let exact = match evolution {
                Evolution::Ageing => {
                    let theta = d / after + (d / before - d / after) * decay;
                    libm::log(v_star * theta / d)
                }
                Evolution::Slip => libm::log(v_star / after) + libm::log(after / before) * decay,
            };
            worst = worst.max((z[0] - exact).abs());
        });
        assert!(worst < 1e-12, "{evolution:?}: {worst:e}");
    }
}
