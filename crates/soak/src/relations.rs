//! The same motion in an equivalent description: in a mirror, in another order, in other coordinates, with a
//! contact cut in two, in other units.

mod units;

use crate::dice::Dice;
use crate::lines::{Lines, Rows, dot, times};
use crate::reported::{Ended, Reported, size};
use crate::verdict::{Checked, Verdict, ended, skip};
use stiction::event::{Event, EventKind};
use stiction::law::{FrictionLaw, Gms, Graph, Iwan, Law, Polyline, Slip};
use stiction_study::{ContactTable, IntegratorKind, Scenario};
use units::{Units, in_units, units};

/// Two exact runs whose numbers are rounded differently, relative to the motion.
const EXACT: f64 = 1e-8;
/// Two adaptive runs with 1e-9 a step.
const ADAPTIVE: f64 = 1e-5;
/// A disturbance that shows how well a motion is determined, for either.
const DISTURBANCE: [f64; 2] = [1e-11, 1e-9];
/// Runs may differ by so many times what the disturbance changes.
const AMPLIFIED: f64 = 100.0;
/// A disturbance that grows beyond this part of the motion says that it is not determined.
const UNDETERMINED: f64 = 1e-3;
/// Friction coefficients that are apart by more are not distinguished by the error control.
const ROUNDED: f64 = 1e-9;
/// A slip that is shorter than this part of the run moves its contact by the square of it.
const TOUCH: f64 = 1e-6;
/// Powers of four in a change of units: a root of one is a power of two, and all scales stay in the supported domain.
pub const POWERS: usize = 20;

/// Friction one way over the other below which it is not seen in a mirror.
const LEAST_REVERSE: f64 = 1e-3;

/// Another system, and how its motion gives that of the first.
struct Image {
    name: &'static str,
    lines: Lines,
    /// Positions of the first: `turn · q + shift`.
    turn: Rows,
    shift: Vec<f64>,
}

impl Image {
    fn new(name: &'static str, lines: Lines) -> Self {
        let n = lines.n();
        Self { name, turn: unit(n), shift: vec![0.0; n], lines }
    }
}

fn unit(n: usize) -> Rows {
    (0..n).map(|i| (0..n).map(|j| if i == j { 1.0 } else { 0.0 }).collect()).collect()
}

fn is_exact(lines: &Lines) -> bool {
    matches!(lines.integrator, Some(IntegratorKind::Exact(_)))
}

/// Checks a transient against other words for it.
pub fn relations(scenario: &Scenario, seed: u64) -> Checked {
    let Some(lines) = Lines::of(scenario) else { return skip("no transient on lines") };
    let reported = match Reported::run(scenario) {
        Ok(reported) => reported,
        Err(reason) => return ended(reason),
    };
    let mut dice = Dice::new(seed ^ 0x2E1A);
    units(&lines, &reported, &mut dice)?;
    if matches!(lines.integrator, Some(IntegratorKind::Rk4(_))) {
        // a law that jumps chatters under fixed steps, each time in another way
        return Ok(Verdict::Passed);
    }
    let may_end = lines.contacts.iter().any(|contact| is_rounded(&lines, contact));
    let images = [
        mirrored(&lines),
        permuted(&lines, &mut dice),
        turned(&lines, &mut dice),
        shifted(&lines, &mut dice),
        cut(&lines, &mut dice),
        stretched(&lines, &mut dice),
    ];
    for image in images.into_iter().flatten() {
        let other = match run(image.name, &image.lines) {
            Err(_) if may_end => {
                return skip("an image of friction steeper than velocities can resolve is refused");
            }
            other => other?,
        };
        let far = distance(&lines, &reported, &image, &other);
        let allowed = if is_exact(&lines) { EXACT } else { ADAPTIVE };
        if far <= allowed {
            continue;
        }
        let moved = sensitivity(&lines, &reported, seed);
        if !(moved < UNDETERMINED) {
            return skip("the motion is not determined to rounding");
        }
        if !(far <= allowed + AMPLIFIED * moved) {
            return Err(format!(
                "{}: off by {far:e} of the motion, which a disturbance moves by {moved:e}",
                image.name
            ));
        }
    }
    Ok(Verdict::Passed)
}

/// Whether friction of a contact that ages at rest gets so steep that neighbouring sliding velocities, a
/// difference of rounded ones, are apart by more than the tolerance of the method: how many steps a rest
/// takes, and whether they are too many, depends on round-off.
fn is_rounded(lines: &Lines, contact: &ContactTable) -> bool {
    let FrictionLaw::RateAndState(law) = contact.law.forward() else { return false };
    let age = (law.velocity * lines.duration / law.distance).ln().max(0.0);
    let steepest = law.slope(Slip { v: 0.0, demand: 0.0, z: &[age] });
    let terms = contact.belt.abs() + if lines.n() > 1 { size(&lines.velocity).max(0.1) } else { 0.0 };
    steepest * f64::EPSILON * terms > ROUNDED
}

/// Runs what must run because the first did.
fn run(name: &str, lines: &Lines) -> Result<Reported, String> {
    Reported::run(&lines.scenario()).map_err(|ended| match ended {
        Ended::Endless => format!("{name}: the run does not end"),
        Ended::Refused(reason) => format!("{name}: refused, {reason}"),
    })
}

/// The largest distance of positions and velocities, in parts of the motion.
fn distance(lines: &Lines, reported: &Reported, image: &Image, other: &Reported) -> f64 {
    let n = lines.n();
    let belts = lines.contacts.iter().map(|c| c.belt.abs()).fold(1e-3, f64::max);
    let shift = size(&image.shift);
    let mut worst = 0.0f64;
    for (name, shift, least) in [("position", Some(&image.shift), 1e-3 + shift), ("velocity", None, belts)] {
        let (own, others) = (reported.columns_of(name, n), other.columns_of(name, n));
        let scale = own.iter().chain(&others).map(|c| size(c)).fold(least, f64::max);
        let rows = reported.column("t").len();
        if other.column("t").len() != rows {
            return f64::INFINITY;
        }
        for i in 0..rows {
            let row: Vec<f64> = others.iter().map(|c| c[i]).collect();
            for k in 0..n {
                let expected = dot(&image.turn[k], &row) + shift.map_or(0.0, |shift| shift[k]);
                worst = worst.max((own[k][i] - expected).abs() / scale);
            }
        }
    }
    worst
}

/// By how much a small disturbance of the start and of the loads changes the motion; infinite if it ends it.
fn sensitivity(lines: &Lines, reported: &Reported, seed: u64) -> f64 {
    let mut dice = Dice::new(seed ^ 0x5E45);
    let part = DISTURBANCE[usize::from(!is_exact(lines))];
    let mut worst = 0.0f64;
    for _ in 0..4 {
        let mut disturbed = lines.clone();
        let mut move_by = |x: &mut f64| *x += part * dice.between(-1.0, 1.0) * (1.0 + x.abs());
        disturbed.position.iter_mut().chain(&mut disturbed.velocity).for_each(&mut move_by);
        disturbed.contacts.iter_mut().for_each(|c| move_by(&mut c.load));
        let image = Image::new("disturbed", disturbed);
        let Ok(other) = run(image.name, &image.lines) else { return f64::INFINITY };
        worst = worst.max(distance(lines, reported, &image, &other));
    }
    worst
}

/// Seen in a mirror: every position and velocity has the other sign.
fn mirrored(lines: &Lines) -> Option<Image> {
    let mut other = lines.clone();
    let flip = |x: &mut f64| *x = -*x;
    for vector in [&mut other.position, &mut other.velocity, &mut other.constant] {
        vector.iter_mut().for_each(flip);
    }
    other.harmonics.iter_mut().for_each(|h| h.amplitude.iter_mut().for_each(flip));
    for contact in &mut other.contacts {
        flip(&mut contact.belt);
        mirror(contact)?;
    }
    let mut image = Image::new("mirror", other);
    image.turn.iter_mut().flatten().for_each(flip);
    Some(image)
}

/// The friction of a contact seen in a mirror: what it is against positive sliding it is against negative.
fn mirror(contact: &mut ContactTable) -> Option<()> {
    let law = mirrored_law(contact.law.forward())?;
    contact.law = match contact.law.reverse() {
        // what acts one way only would need a load without end
        Some(reverse) if reverse < LEAST_REVERSE => return None,
        Some(reverse) => {
            contact.load *= reverse;
            contact.viscous /= reverse;
            softened(law, reverse)?.directed(1.0 / reverse)
        }
        None => law,
    };
    Some(())
}

/// The law with springs that are as stiff as before under a load of `factor` times the old one.
fn softened(mut law: FrictionLaw, factor: f64) -> Option<FrictionLaw> {
    match &mut law {
        FrictionLaw::Iwan(Iwan { stiffness, .. }) | FrictionLaw::Gms(Gms { stiffness, .. }) => {
            stiffness.iter_mut().for_each(|stiffness| *stiffness /= factor);
        }
        other if other.sliders().is_some() => {
            let stiffness = other.number("stiffness")?;
            other.set_number("stiffness", stiffness / factor);
        }
        _ => {}
    }
    Some(law)
}

/// The law seen in a mirror; none of a formula that differs in the two directions.
fn mirrored_law(law: &FrictionLaw) -> Option<FrictionLaw> {
    match law {
        FrictionLaw::Polyline(curve) if curve.velocities.iter().any(|v| *v < 0.0) => {
            let turned = |list: &[f64]| list.iter().rev().map(|x| -x).collect();
            let (velocities, coefficients) = (turned(&curve.velocities), turned(&curve.coefficients));
            Some(FrictionLaw::Polyline(Polyline { velocities, coefficients, ..curve.clone() }))
        }
        FrictionLaw::Expression(_) => {
            let phi = |v: f64| law.coefficient(Slip::at(v));
            [1e-3, 0.1, 1.0, 5.0].iter().all(|v| phi(*v) == -phi(-v)).then(|| law.clone())
        }
        _ => Some(law.clone()),
    }
}

/// Degrees of freedom, contacts and loads in another order.
fn permuted(lines: &Lines, dice: &mut Dice) -> Option<Image> {
    let n = lines.n();
    let order = shuffled(n, dice);
    let matrix =
        |a: &Rows| -> Rows { order.iter().map(|&i| order.iter().map(|&j| a[i][j]).collect()).collect() };
    let vector = |x: &[f64]| -> Vec<f64> { order.iter().map(|&i| x[i]).collect() };
    let mut other = lines.clone();
    (other.mass, other.damping, other.stiffness) =
        (matrix(&lines.mass), matrix(&lines.damping), matrix(&lines.stiffness));
    (other.position, other.velocity, other.constant) =
        (vector(&lines.position), vector(&lines.velocity), vector(&lines.constant));
    other.harmonics.iter_mut().for_each(|h| h.amplitude = vector(&h.amplitude));
    other.harmonics.reverse();
    for contact in &mut other.contacts {
        contact.on.direction = contact.on.direction.as_deref().map(vector);
    }
    other.contacts =
        shuffled(lines.contacts.len(), dice).iter().map(|&i| other.contacts[i].clone()).collect();
    let mut image = Image::new("order", other);
    // position `order[i]` of the first is position i of the other
    image.turn = vec![vec![0.0; n]; n];
    order.iter().enumerate().for_each(|(i, &k)| image.turn[k][i] = 1.0);
    Some(image)
}

fn shuffled(n: usize, dice: &mut Dice) -> Vec<usize> {
    let mut order: Vec<usize> = (0..n).collect();
    (1..n).rev().for_each(|i| order.swap(i, dice.below(i + 1)));
    order
}

/// In other coordinates, q = T p with random directions of length 0.5 to 2.
fn turned(lines: &Lines, dice: &mut Dice) -> Option<Image> {
    let n = lines.n();
    let mut columns: Vec<Vec<f64>> = Vec::new();
    while columns.len() < n {
        let mut column: Vec<f64> = (0..n).map(|_| dice.between(-1.0, 1.0)).collect();
        for other in &columns {
            let part = dot(&column, other);
            column.iter_mut().zip(other).for_each(|(x, y)| *x -= part * y);
        }
        let length = dot(&column, &column).sqrt();
        if length > 0.1 {
            columns.push(column.iter().map(|x| x / length).collect());
        }
    }
    let lengths: Vec<f64> = (0..n).map(|_| dice.between(0.5, 2.0)).collect();
    let turn: Rows = (0..n).map(|k| (0..n).map(|j| columns[j][k] * lengths[j]).collect()).collect();
    // p = T⁻¹ q, whose rows are the directions over their lengths
    let back = |x: &[f64]| -> Vec<f64> { (0..n).map(|j| dot(&columns[j], x) / lengths[j]).collect() };
    let forth = |x: &[f64]| -> Vec<f64> { (0..n).map(|j| dot(&columns[j], x) * lengths[j]).collect() };
    let column = |j: usize| -> Vec<f64> { (0..n).map(|k| turn[k][j]).collect() };
    let matrix = |a: &Rows| -> Rows {
        let entry = |i: usize, j: usize| dot(&column(i), &times(a, &column(j)));
        (0..n).map(|i| (0..n).map(|j| entry(i.min(j), i.max(j))).collect()).collect()
    };
    let mut other = lines.clone();
    (other.mass, other.damping, other.stiffness) =
        (matrix(&lines.mass), matrix(&lines.damping), matrix(&lines.stiffness));
    (other.position, other.velocity) = (back(&lines.position), back(&lines.velocity));
    other.constant = forth(&lines.constant);
    other.harmonics.iter_mut().for_each(|h| h.amplitude = forth(&h.amplitude));
    for contact in &mut other.contacts {
        contact.on.direction = contact.on.direction.as_deref().map(forth);
    }
    let mut image = Image::new("coordinates", other);
    image.turn = turn;
    Some(image)
}

/// From another origin: the springs are loaded by as much more.
fn shifted(lines: &Lines, dice: &mut Dice) -> Option<Image> {
    let shift: Vec<f64> = (0..lines.n()).map(|_| dice.between(-1.0, 1.0)).collect();
    let mut other = lines.clone();
    let springs = times(&lines.stiffness, &shift);
    other.position.iter_mut().zip(&shift).for_each(|(x, s)| *x -= s);
    other.constant.iter_mut().zip(&springs).for_each(|(f, k)| *f -= k);
    let mut image = Image::new("origin", other);
    image.shift = shift;
    Some(image)
}

/// A contact as two that share its load.
fn cut(lines: &Lines, dice: &mut Dice) -> Option<Image> {
    if lines.contacts.is_empty() {
        return None;
    }
    let i = dice.below(lines.contacts.len());
    let share = dice.between(0.1, 0.9);
    let mut other = lines.clone();
    let load = other.contacts[i].load;
    let part = ContactTable { load: load * share, ..other.contacts[i].clone() };
    other.contacts[i].load = load * (1.0 - share);
    other.contacts.push(part);
    Some(Image::new("cut", other))
}

/// A contact that sees its velocity through a gear: direction and velocities of its law times c, its load
/// over |c|.
fn stretched(lines: &Lines, dice: &mut Dice) -> Option<Image> {
    if lines.contacts.is_empty() {
        return None;
    }
    let i = dice.below(lines.contacts.len());
    let c = dice.between(0.5, 2.0) * *dice.pick(&[1.0, -1.0]);
    let mut other = lines.clone();
    let contact = &mut other.contacts[i];
    contact.on.direction = contact.on.direction.as_ref().map(|w| w.iter().map(|w| c * w).collect());
    contact.belt *= c;
    contact.load /= c.abs();
    contact.viscous /= c.abs();
    contact.law = in_units(&contact.law, &Units { length: c.abs(), ..Units::SAME })?;
    if c < 0.0 {
        mirror(contact)?;
    }
    Some(Image::new("gear", other))
}
