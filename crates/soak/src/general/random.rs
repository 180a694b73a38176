//! Scenarios of random systems with force elements, as text.

use crate::dice::Dice;
use crate::generate::grounded_chain;
use std::fmt::Write;

/// Points of a table, now and then with a jump.
fn table(dice: &mut Dice, size: f64) -> String {
    let (mut t, mut times, mut values) = (0.0, Vec::new(), Vec::new());
    for _ in 0..2 + dice.below(6) {
        times.push(format!("{t}"));
        values.push(format!("{}", dice.between(-size, size)));
        t += if dice.chance(0.2) { 0.0 } else { dice.between(0.1, 3.0) };
    }
    let period = if dice.chance(0.3) { format!(", period = {}", t + 0.5) } else { String::new() };
    format!("{{ times = [{}], values = [{}]{period} }}", times.join(", "), values.join(", "))
}

/// Other tables: steps, ramps, pulses, noise and a sweep of the frequency.
fn shaped(dice: &mut Dice, size: f64) -> String {
    let (from, to, value) = (dice.between(0.0, 3.0), dice.between(3.5, 9.0), dice.between(-size, size));
    match dice.below(5) {
        0 => format!("{{ step = {{ at = {from}, value = {value} }} }}"),
        1 => format!("{{ ramp = {{ start = {from}, end = {to}, value = {value} }} }}"),
        2 => format!("{{ pulse = {{ start = {from}, end = {to}, value = {value} }}, period = 11.5 }}"),
        3 => {
            let (rms, high, seed) = (0.4 * value.abs(), dice.between(2.0, 12.0), dice.below(1000));
            format!("{{ noise = {{ rms = {rms}, high = {high}, duration = {to}, seed = {seed} }} }}")
        }
        _ => format!(
            "{{ chirp = {{ amplitude = {value}, from = {}, to = {to}, duration = {to} }} }}",
            0.3 + from
        ),
    }
}

/// Points of a motion, which does not jump.
fn way(dice: &mut Dice, size: f64) -> String {
    let (mut t, mut times, mut values) = (0.0, Vec::new(), Vec::new());
    for _ in 0..2 + dice.below(5) {
        times.push(t);
        values.push(dice.between(-size, size));
        t += dice.between(0.3, 3.0);
    }
    let period = if dice.chance(0.3) { format!(", period = {}", t + 0.5) } else { String::new() };
    format!("{{ times = {times:?}, values = {values:?}{period} }}")
}

fn wave(dice: &mut Dice, size: f64) -> String {
    let (amplitude, omega, phase) =
        (dice.between(0.0, size), dice.decades(0.3, 4.0), dice.between(-3.0, 3.0));
    format!("amplitude = {amplitude}, omega = {omega}, phase = {phase}")
}

fn numbers(dice: &mut Dice, n: usize, p: f64, size: f64) -> String {
    let list: Vec<String> = (0..n)
        .map(|_| if dice.chance(p) { format!("{}", dice.between(-size, size)) } else { "0.0".into() })
        .collect();
    format!("[{}]", list.join(", "))
}

/// Harmonic loads, some with a table.
fn forces(dice: &mut Dice, n: usize) -> Vec<String> {
    let mut forces = Vec::new();
    for _ in 0..1 + dice.below(2) {
        let table = match dice.below(6) {
            0..3 => String::new(),
            3..5 => format!(", table = {}", table(dice, 2.0)),
            _ => format!(", table = {}", shaped(dice, 2.0)),
        };
        forces.push(format!("{{ {}, dof = {}{table} }}", wave(dice, 2.0), dice.below(n)));
    }
    forces
}

/// Contacts of the degrees of freedom that are not prescribed.
fn contacts(dice: &mut Dice, n: usize, is_smooth: bool, prescribed: Option<usize>) -> Vec<String> {
    let mut contacts = Vec::new();
    for i in 0..n {
        if dice.chance(0.3) || prescribed == Some(i) {
            continue;
        }
        let mu = dice.between(0.1, 0.8);
        let law = if is_smooth {
            format!("linear = {{ mu = {mu}, width = {} }}", dice.between(0.02, 0.2))
        } else if dice.chance(0.3) {
            format!("coulomb = {{ mu = {mu}, mu_static = {} }}", mu * dice.between(1.0, 1.6))
        } else {
            format!("coulomb = {{ mu = {mu} }}")
        };
        let mut words = format!("{law}, load = {}, ", dice.between(0.5, 1.5));
        match prescribed {
            // between one that moves freely and the prescribed one
            Some(prescribed) if dice.chance(0.6) => {
                let mut direction = vec![0.0; n];
                (direction[i], direction[prescribed]) = (1.0, -1.0);
                _ = write!(words, "direction = {direction:?}");
            }
            _ => _ = write!(words, "dof = {i}"),
        }
        if dice.chance(0.4) {
            _ = write!(words, ", belt = {}", dice.between(-0.5, 0.5));
        }
        if dice.chance(0.4) {
            let table =
                if dice.chance(0.4) { format!(", table = {}", table(dice, 0.5)) } else { String::new() };
            _ = write!(words, ", belt_varies = {{ {}{table} }}", wave(dice, 0.4));
        }
        if !is_smooth && dice.chance(0.6) {
            let by = if dice.chance(0.4) {
                format!(", by_position = {}", numbers(dice, n, 0.6, 0.8))
            } else {
                String::new()
            };
            _ = write!(words, ", load_varies = {{ {}{by} }}", wave(dice, 1.2));
        }
        contacts.push(format!("{{ {words} }}"));
    }
    contacts
}

/// A stop on one side or both, rigid or elastic.
fn stop(dice: &mut Dice, n: usize) -> String {
    let kind = if dice.chance(0.5) {
        format!("restitution = {}", *dice.pick(&[0.0, 0.5, 0.8, 1.0]))
    } else {
        format!("stiffness = {}, damping = {}", dice.decades(3.0, 100.0), *dice.pick(&[0.0, 0.5, 2.0]))
    };
    let lower =
        if dice.chance(0.5) { format!(", lower = {}", dice.between(-1.0, -0.4)) } else { String::new() };
    // many start at rest at zero: on the stop
    let upper = if dice.chance(0.25) { 0.0 } else { dice.between(0.4, 1.0) };
    format!("stop = {{ upper = {upper}, dof = {}, {kind}{lower} }}", dice.below(n))
}

/// A PID controller.
fn control(dice: &mut Dice, n: usize) -> String {
    let mut filter = if dice.chance(0.4) { ", filter = 0.1".to_owned() } else { String::new() };
    let ki = *dice.pick(&[0.0, 0.5, 1.0]);
    if dice.chance(0.5) {
        _ = write!(filter, ", limit = {}", dice.between(0.1, 1.5));
        if ki > 0.0 && dice.chance(0.5) {
            _ = write!(filter, ", anti_windup = {}", dice.between(0.1, 1.0));
        }
    }
    format!(
        "control = {{ kp = {}, ki = {}, kd = {}, dof = {}, reference = {{ {} }}{filter} }}",
        dice.between(0.0, 4.0),
        ki,
        dice.between(0.0, 2.0),
        dice.below(n),
        wave(dice, 0.5)
    )
}

/// A spring of straight pieces.
fn spring(dice: &mut Dice, n: usize) -> String {
    // what falls would run away
    let (mut at, mut force, mut positions, mut forces) = (-1.0, -1.0, Vec::new(), Vec::new());
    for _ in 0..2 + dice.below(4) {
        positions.push(at);
        forces.push(force);
        let step = dice.between(0.1, 0.8);
        at += step;
        force += step * *dice.pick(&[0.0, 0.5, 2.0, 8.0]);
    }
    format!("spring = {{ positions = {positions:?}, forces = {forces:?}, dof = {} }}", dice.below(n))
}

/// A linear subsystem whose states decay by themselves.
fn state_space(dice: &mut Dice, n: usize) -> String {
    let p = 1 + dice.below(2);
    let rows = |dice: &mut Dice, rows: usize, columns: usize, size: f64| -> String {
        let rows: Vec<String> = (0..rows).map(|_| numbers(dice, columns, 0.7, size)).collect();
        format!("[{}]", rows.join(", "))
    };
    let a: Vec<String> = (0..p)
        .map(|i| {
            let mut row: Vec<f64> = (0..p).map(|_| dice.between(-0.4, 0.4)).collect();
            row[i] = -dice.between(0.5, 3.0);
            format!("{row:?}")
        })
        .collect();
    format!(
        "state_space = {{ a = [{}], b_position = {}, b_velocity = {}, f_state = {}, f_velocity = {}, b_reference = {}, \
         reference = {{ {} }}, initial = {} }}",
        a.join(", "),
        rows(dice, p, n, 0.5),
        rows(dice, p, n, 0.5),
        rows(dice, n, p, 0.5),
        rows(dice, n, n, 0.05),
        rows(dice, p, 1, 0.5),
        wave(dice, 0.5),
        numbers(dice, p, 0.5, 0.5)
    )
}

/// A scenario, which may have faults.
pub(super) fn text(dice: &mut Dice) -> String {
    let n = *dice.pick(&[1, 1, 2, 2, 3]);
    // laws with a slope take constant normal loads, and adaptive no stops
    let is_smooth = dice.chance(0.4);
    let prescribed = (n > 1 && dice.chance(0.25)).then(|| dice.below(n));
    let mut text = String::from("[system.matrices]\n");
    let diagonal = |dice: &mut Dice, a: f64, b: f64| {
        let list: Vec<String> = (0..n).map(|_| format!("{}", dice.between(a, b))).collect();
        list.join(", ")
    };
    let mut line = |words: String| _ = writeln!(text, "{words}");
    line(format!("mass = [{}]", diagonal(dice, 0.5, 2.0)));
    line(format!("damping = [{}]", diagonal(dice, 0.0, 0.4)));
    let is_circulatory = n > 1 && dice.chance(0.3);
    let k = grounded_chain(
        dice,
        n,
        |dice, spring| {
            if is_circulatory { spring * dice.between(0.6, 1.3) } else { spring }
        },
    );
    let rows: Vec<String> = k.iter().map(|row| format!("{row:?}")).collect();
    line(format!("stiffness = [{}]", rows.join(", ")));
    line(format!("initial.position = {}", numbers(dice, n, 0.5, 0.4)));
    line(format!("initial.velocity = {}", numbers(dice, n, 0.5, 1.0)));
    let forces = forces(dice, n);
    line(format!("force = [{}]", forces.join(", ")));
    let mut contacts = contacts(dice, n, is_smooth, prescribed);
    if let Some(prescribed) = prescribed {
        let moves = if dice.chance(0.5) { wave(dice, 0.5) } else { format!("table = {}", way(dice, 0.5)) };
        line(format!("prescribed = {{ dof = {prescribed}, position = {{ {moves} }} }}"));
    }
    let has_stop = !is_smooth && dice.chance(0.6);
    if has_stop {
        line(stop(dice, n));
    }
    if dice.chance(0.3) {
        line(control(dice, n));
    }
    let has_spring = dice.chance(0.3);
    if has_spring {
        line(spring(dice, n));
    }
    if dice.chance(0.25) {
        line(state_space(dice, n));
    }
    let is_curved = is_smooth && !has_spring && dice.chance(0.3);
    if is_curved {
        let (square, cube) = (dice.between(-0.3, 0.3), dice.between(0.3, 3.0));
        line(format!("spring = {{ polynomial = [0, {square}, {cube}], dof = {} }}", dice.below(n)));
    }
    let duration = dice.between(5.0, 20.0);
    if prescribed.is_none() && dice.chance(0.2) {
        line(format!("base.acceleration = {}", shaped(dice, 2.0)));
    }
    if !is_smooth && dice.chance(0.15) {
        // a gear whose friction follows the torque through it, whichever way it acts
        let (i, k, mu) = (dice.below(n), dice.between(0.3, 2.0), dice.between(0.05, 0.4));
        for sign in [k, -k] {
            let mut by = vec![0.0; n];
            by[i] = sign;
            contacts.push(format!(
                "{{ coulomb.mu = {mu}, load = 0.0, dof = {i}, load_varies.by_position = {by:?} }}"
            ));
        }
    }
    if n > 1 && !is_smooth && !has_stop && dice.chance(0.4) {
        // backlash
        let (mut direction, gap) = (vec![0.0; n], dice.between(0.05, 0.4));
        (direction[0], direction[1]) = (1.0, -1.0);
        let (k, d) = (dice.decades(5.0, 200.0), dice.between(0.0, 3.0));
        line(format!(
            "stop = {{ direction = {direction:?}, lower = {}, upper = {gap}, stiffness = {k}, damping = {d} }}",
            -gap
        ));
    }
    line(format!("friction = [{}]", contacts.join(", ")));
    line(format!("[analysis.transient]\nduration = {duration}\nsamples = 101"));
    if !is_curved && (!is_smooth || dice.chance(0.5)) {
        line("[integrator.exact]".into());
    }
    text
}
